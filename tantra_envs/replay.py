"""A saved table as a page to step through: `python -m tantra_envs.replay table.save --out game.html`.

The file holds the bytes of `env.save()`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from .configuration import game as configured
from .envs.aec import TableEnv
from .opponents import opponent


def main(words: Sequence[str] | None = None) -> int:
    """Write the page the command line asks for; 2, and a line that says why, for what it cannot mean."""
    parser = argparse.ArgumentParser("python -m tantra_envs.replay", description="A saved table as a page.")
    parser.add_argument("file", type=Path, help="what env.save() gave")
    parser.add_argument("--seat", type=int, help="only what this seat saw; without it all cards, and every seat")
    parser.add_argument("--thoughts", metavar="AGENT", help="who is asked what the actions were worth, as search:64")
    parser.add_argument("--names", nargs="+", help="one for each seat")
    parser.add_argument("--out", type=Path, required=True, help="a file that ends in .html")
    asked = parser.parse_args(words)
    try:
        env = _opened(asked.file)
        agents = [opponent(asked.thoughts, env.game)] * env.game.players if asked.thoughts else []
        env.replay(asked.names, asked.seat, agents).save(asked.out)
    except (ValueError, OSError) as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


def _opened(file: Path) -> TableEnv:
    """The table of a file; ValueError if it is no save."""
    data = file.read_bytes()
    try:
        saved = json.loads(data)
        name, config = saved["game"].rpartition("_")[0], dict(saved["config"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(f"{file} is not what save() writes") from None
    env = TableEnv(configured(name, **config))
    env.load(data)
    return env


if __name__ == "__main__":
    sys.exit(main())
