"""`python -m tantra_envs replay`: turn the bytes of `env.save()` into a page to step through."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ..cli import user_errors
from ..configuration import game as configured
from ..envs.aec import TableEnv
from ..opponents import opponent
from .parsing import Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page that the command line describes."""
    parser = Parser("replay", "Turn a saved table into a page to step through.", "table.save --out game.html")
    parser.add_argument("file", type=Path, help="File with the bytes of env.save().")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="File of the page: .html.")
    parser.add_argument("--seat", type=int, help="Seat whose view is shown. [default: all cards and every seat]")
    parser.add_argument("--names", nargs="+", metavar="NAME", help="Names of all seats.")
    parser.add_argument("--thoughts", metavar="AGENT", help="Agent that explains every action, such as search:64.")
    asked = parser.parse_args(argv)
    with user_errors("train"):
        env = _opened(asked.file)
        agents = [opponent(asked.thoughts, env.game)] * env.game.players if asked.thoughts else []
        env.replay(asked.names, asked.seat, agents).save(asked.out)
    return 0


def _opened(file: Path) -> TableEnv:
    """Return the table of a file. Raise ValueError if the file is not a saved table."""
    data = file.read_bytes()
    try:
        saved = json.loads(data)
        name, config = saved["game"].rpartition("_")[0], dict(saved["config"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(f"{file} is not a saved table; allowed: a file with the bytes of env.save()") from None
    env = TableEnv(configured(name, **config))
    env.load(data)
    return env
