"""Dead ends: random play at many tables at once, watched for a table that is not over and has no legal action.

    python -m tests.tools.dead_ends kanastic --decisions 1000000

plays that many decisions of the game and of each of its named variants; of `kanastic:duel` that variant alone.
"""

from __future__ import annotations

import argparse
import sys

import tantra_envs
from tantra_envs.testing.batch import check_no_dead_end


def main(words: list[str] | None = None) -> int:
    """The command line: see above."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.dead_ends", description=__doc__)
    parser.add_argument("game", help="a game, or game:variant")
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    variants = [] if ":" in asked.game else [f"{asked.game}:{name}" for name in tantra_envs.variants(asked.game)]
    for name in (asked.game, *variants):
        ended = check_no_dead_end(tantra_envs.game(name), asked.decisions, asked.seed)
        print(f"{name:20} {asked.decisions:,} decisions, {ended:,} games ended, no dead end", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
