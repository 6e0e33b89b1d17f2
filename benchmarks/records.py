"""Check records of games by replaying them, tell one in words, make a page of it, or find where an agent lost worst.

python -m benchmarks records verify runs/my-tournament/records/*.parquet
python -m benchmarks records show runs/my-tournament/records/0-1_0000000_256.parquet --game 3
python -m benchmarks records html runs/my-tournament/records/0-1_0000000_256.parquet --game 3 --out game.html
python -m benchmarks records html .. --game 3 --thoughts own --out game.html      # with what its agents think
python -m benchmarks records worst runs/my-tournament/records/*.parquet --agent scripted --out worst.html
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import load
from tantra_envs import cli
from tantra_envs.drawing import replay
from tantra_envs.opinions import Opinion, opinions_on

if TYPE_CHECKING:
    from tantra_envs.core.game import Game
    from tantra_envs.core.state import States
    from tantra_envs.measures import Transitions

    from .harness.records import Record

PROGRAM = "benchmarks records"


def main(words: Sequence[str] | None = None) -> int:
    """`verify` files, `show` a game of one, make `html` of it, or of the `worst` of an agent."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PROGRAM}", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="verify|show|html|worst")
    checking = commands.add_parser("verify", help="replay all games and compare the ends")
    checking.add_argument("files", nargs="+", type=Path)
    checking.set_defaults(run=_verify)
    showing = commands.add_parser("show", help="print a game in words")
    showing.add_argument("file", type=Path)
    showing.add_argument("--game", type=int, default=0, help="which row, from 0")
    showing.set_defaults(run=_show)
    drawing = commands.add_parser("html", help="make a page of a game")
    drawing.add_argument("file", type=Path)
    drawing.add_argument("--game", type=int, default=0, help="which row, from 0")
    drawing.add_argument("--seat", type=int, help="only what this seat saw")
    drawing.add_argument(
        "--thoughts",
        metavar="own|AGENT",
        help="own: its agents are asked again what they think, as far as they can tell; or whom to ask at every seat",
    )
    drawing.add_argument("--out", type=Path, required=True, help="a file that ends in .html")
    drawing.set_defaults(run=_html)
    losing = commands.add_parser("worst", help="make a page of the game that an agent lost by most")
    losing.add_argument("files", nargs="+", type=Path)
    losing.add_argument("--agent", required=True, help="its name, as in the standings")
    losing.add_argument("--out", type=Path, required=True, help="a file that ends in .html")
    losing.set_defaults(run=_worst)
    args = parser.parse_args(words)
    with cli.user_errors("bench,train"):
        args.run(args)
    return 0


def _verify(args: argparse.Namespace) -> None:
    from .harness import records

    for file in args.files:
        print(f"{file}: {records.verify(file)} games replay to the same ends")


def _show(args: argparse.Namespace) -> None:
    print("\n".join(in_words(_read(args), args.game)))


def _html(args: argparse.Namespace) -> None:
    _save(_read(args), args.game, args.seat, args.out, args.thoughts)


def _worst(args: argparse.Namespace) -> None:
    from .harness.losses import worst

    loss = worst(args.files, args.agent)
    _save(loss.record, loss.game, None, args.out)
    print(f"{loss.record.file} --game {loss.game}: {args.agent} in seat {loss.seat} was paid {loss.reward:g}")


def _save(record: Record, game: int, seat: int | None, out: Path, thoughts: str | None = None) -> None:
    """A game of a record as a page: all that happened, or what a seat saw."""
    from .harness import records

    row = record.games.row(game, named=True)
    start = records.dealt(record)[game : game + 1]
    deal = "" if seat is not None else f", deal {row['deal']}"  # which would tell all cards
    title = f"{record.game.title}{deal}"
    told = _thoughts(record.game, start, row, thoughts) if thoughts else None
    replay(record.game, start, row["actions"], row["seats"], seat=seat, title=title, thoughts=told).save(out)


def _thoughts(game: Game, start: States, row: Mapping[str, Any], who: str) -> dict[int, Opinion]:
    """What the agents of a game, or one in place of each, think of its actions; ValueError for an unknown one."""
    names = row["seats"] if who == "own" else [who] * game.players
    agents = {name: load(name, game) for name in dict.fromkeys(names)}
    return opinions_on(game, start, row["actions"], [agents[name] for name in names], seed=row["deal"])


def _read(args: argparse.Namespace) -> Record:
    """The record a command names; ValueError if it has no such game."""
    from .harness import records

    record = records.read(args.file)
    if args.game not in range(len(record.games)):
        raise ValueError(f"game={args.game} is not allowed; allowed: 0..{len(record.games) - 1}")
    return record


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
