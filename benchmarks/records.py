"""Check records of games by replaying them, or tell one in words.

python -m benchmarks.records verify runs/my-tournament/records/*.parquet
python -m benchmarks.records show runs/my-tournament/records/0-1_0000000_256.parquet --game 3
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tantra_envs import cli

if TYPE_CHECKING:
    from .harness.records import Record
    from .harness.transitions import Transitions

PROGRAM = "benchmarks.records"


def main(words: Sequence[str] | None = None) -> int:
    """`verify` files, or `show` a game of one."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PROGRAM}", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="verify|show")
    checking = commands.add_parser("verify", help="replay all games and compare the ends")
    checking.add_argument("files", nargs="+", type=Path)
    checking.set_defaults(run=_verify)
    showing = commands.add_parser("show", help="print a game in words")
    showing.add_argument("file", type=Path)
    showing.add_argument("--game", type=int, default=0, help="which row, from 0")
    showing.set_defaults(run=_show)
    args = parser.parse_args(words)
    with cli.user_errors("bench,train"):
        args.run(args)
    return 0


def _verify(args: argparse.Namespace) -> None:
    from .harness import records

    for file in args.files:
        print(f"{file}: {records.verify(file)} games replay to the same ends")


def _show(args: argparse.Namespace) -> None:
    from .harness import records

    record = records.read(args.file)
    if args.game not in range(len(record.games)):
        raise ValueError(f"game={args.game} is not allowed; allowed: 0..{len(record.games) - 1}")
    print("\n".join(in_words(record, args.game)))


def in_words(record: Record, row: int) -> list[str]:
    """A game: who sat where, every action, the end."""
    from .harness import records

    one = replace(record, games=record.games.slice(row, 1))
    seats = one.games["seats"].to_list()[0]
    lines = [f"{record.game.title}, deal {one.games['deal'][0]}: " + ", ".join(f"{i} {n}" for i, n in enumerate(seats))]

    def observe(t: Transitions) -> None:
        seat = int(t.before["seat"][0])
        lines.append(f"{len(lines)}. {seat} {seats[seat]}: {record.game.action_name(t.before, int(t.actions[0]))}")

    _, rewards = records.replay(one, observe)
    return [*lines, f"rewards: {', '.join(f'{reward:g}' for reward in rewards[0])}"]


if __name__ == "__main__":
    sys.exit(main())
