"""Show a recorded game as text, or draw it as a page.

python -m benchmarks records runs/my-tournament/records/0-1_0000000_256.parquet --game 3
python -m benchmarks records runs/my-tournament/records/*.parquet --worst scripted --out worst.html
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents import load
from tantra_envs.core.opinions import Adviser, Opinion, opinions_on
from tantra_envs.core.options import require
from tantra_envs.drawing import Replay, replay
from tantra_envs.drawing.drawings import check_reader
from tantra_envs.programs import cli
from tantra_envs.programs.files import check_file

with cli.user_errors("bench,train"):  # polars may be missing
    from tantra_envs.measures import Transitions

    from .harness import records
    from .harness.records import Record

PROGRAM = "benchmarks records"


@dataclass(frozen=True)
class ShowOptions:
    """Print a game as text, or draw it as a page to step through.

    Example: python -m benchmarks records runs/my-tournament/records/*.parquet --worst scripted --out worst.html
    """

    files: tuple[Path, ...]
    """Record files."""
    game: int = field(default=0, kw_only=True)
    """Row of the game in the first file, counted from 0."""
    worst: str | None = field(default=None, kw_only=True)
    """Agent whose worst loss in all files is shown, in place of --game."""
    out: Path | None = field(default=None, kw_only=True)
    """File for the page, which ends in .html. [default: print text]"""
    seat: int | None = field(default=None, kw_only=True)
    """Seat whose view is drawn. [default: all cards are open]"""
    judge: str | None = field(default=None, kw_only=True)
    """Agent that explains every action on the page; own = the agents that played explain their own."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print a game, or write its page."""
    with cli.user_errors("bench,train"):
        options = cli.read(ShowOptions, PROGRAM, argv)
        if options.out is None and (options.seat is not None or options.judge):
            raise ValueError("--seat and --judge are not allowed without --out, the page that they are for")
        if options.out is not None:
            check_file("out", options.out, (".html",))
        if options.worst is not None and options.game:
            raise ValueError("--game is not allowed with --worst, which finds the game")
        if options.worst is None:
            record, row = records.read(options.files[0]), options.game
        else:
            record, row = records.worst(options.files, options.worst)
            print(shlex.join(["python", "-m", *PROGRAM.split(), str(record.file), "--game", str(row)]))
        require("game", row, row in range(len(record.games)), f"0..{len(record.games) - 1}")
        if options.out is None:
            print("\n".join(_in_words(record, row)))
        else:
            _page(record, row, options.seat, options.judge).save(options.out)
    return 0


def _page(record: Record, row: int, seat: int | None, judge: str | None) -> Replay:
    """Return a recorded game as a page: all that happened, or the view of a seat."""
    game, start, played = record.game, records.dealt(record)[row : row + 1], record.games.row(row, named=True)
    seat, _ = check_reader(game, seat, played["seats"])
    deal = "" if seat is not None else f", deal {played['deal']}"  # its number would reveal all cards
    opinions: dict[int, Opinion] | None = None
    if judge:
        names = played["seats"] if judge == "own" else [judge] * game.players
        agents = {name: load(name, game) for name in dict.fromkeys(names)}
        if judge != "own" and not isinstance(agents[judge], Adviser):
            raise ValueError(f"judge={judge!r} rates no actions; allowed: own, search:64, learned or ppo:FILE")
        opinions = opinions_on(game, start, played["actions"], [agents[name] for name in names], seed=played["deal"])
    title = f"{game.title}{deal}"
    return replay(game, start, played["actions"], played["seats"], seat=seat, title=title, thoughts=opinions)


def _in_words(record: Record, row: int) -> list[str]:
    """Return a game as lines of text: the seats, every action, the rewards."""
    one = replace(record, games=record.games.slice(row, 1))
    seats = one.games["seats"].to_list()[0]
    lines = [f"{record.game.title}, deal {one.games['deal'][0]}: " + ", ".join(f"{i} {n}" for i, n in enumerate(seats))]

    def observe(t: Transitions) -> None:
        seat = int(t.before["seat"][0])
        lines.append(f"{len(lines)}. {seat} {seats[seat]}: {record.game.action_name(t.before, int(t.actions[0]))}")

    _, rewards = records.replay(one, observe)
    return [*lines, f"rewards: {', '.join(f'{reward:g}' for reward in rewards[0])}"]
