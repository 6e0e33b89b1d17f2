"""Verify recorded games, print one as text, draw one as a page, or find the game that an agent lost by most.

python -m benchmarks records verify runs/my-tournament/records/*.parquet
python -m benchmarks records show runs/my-tournament/records/0-1_0000000_256.parquet --game 3
python -m benchmarks records html runs/my-tournament/records/0-1_0000000_256.parquet --game 3 --out game.html
python -m benchmarks records worst runs/my-tournament/records/*.parquet --agent scripted --out worst.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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
COMMANDS = {
    "verify": ("benchmarks.records:verify", "Replay all games and compare the results."),
    "show": ("benchmarks.records:show", "Print a game as text."),
    "html": ("benchmarks.records:html", "Draw a game as a page to step through."),
    "worst": ("benchmarks.records:worst", "Draw the game that an agent lost by most."),
}
Options = TypeVar("Options")


@dataclass(frozen=True)
class VerifyOptions:
    """Replay all games of record files and compare the results.

    Example: python -m benchmarks records verify runs/my-tournament/records/*.parquet
    """

    files: tuple[Path, ...]
    """Record files."""


@dataclass(frozen=True)
class ShowOptions:
    """Print a game as text.

    Example: python -m benchmarks records show runs/my-tournament/records/0-1_0000000_256.parquet --game 3
    """

    file: Path
    """Record file."""
    game: int = field(default=0, kw_only=True)
    """Row of the game in the file, counted from 0."""


@dataclass(frozen=True)
class HtmlOptions:
    """Draw a game as a page to step through.

    Example: python -m benchmarks records html runs/a/records/0-1_0000000_256.parquet --game 3 --out game.html
    """

    file: Path
    """Record file."""
    out: Path = field(kw_only=True)
    """File for the page, which ends in .html."""
    game: int = field(default=0, kw_only=True)
    """Row of the game in the file, counted from 0."""
    seat: int | None = field(default=None, kw_only=True)
    """Seat whose view is drawn. [default: all cards are open]"""
    judge: str | None = field(default=None, kw_only=True)
    """Agent that rates every action; own = the agents that played rate their own."""


@dataclass(frozen=True)
class WorstOptions:
    """Draw the game that an agent lost by most.

    Example: python -m benchmarks records worst runs/my-tournament/records/*.parquet --agent scripted --out worst.html
    """

    files: tuple[Path, ...]
    """Record files."""
    agent: str = field(kw_only=True)
    """Name of the agent in the standings."""
    out: Path = field(kw_only=True)
    """File for the page, which ends in .html."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the first argument names."""
    return cli.run_program(PROGRAM, COMMANDS, argv)


def verify(argv: Sequence[str] | None = None) -> int:
    """Replay the games of the files, and report an error if one ends differently."""
    return _run(VerifyOptions, "verify", argv, _verify)


def show(argv: Sequence[str] | None = None) -> int:
    """Print a game as text."""
    return _run(ShowOptions, "show", argv, lambda options: print("\n".join(in_words(_read(options), options.game))))


def html(argv: Sequence[str] | None = None) -> int:
    """Write the page of a game."""
    return _run(HtmlOptions, "html", argv, _html)


def worst(argv: Sequence[str] | None = None) -> int:
    """Write the page of the game that an agent lost by most, and print which it is."""
    return _run(WorstOptions, "worst", argv, _worst)


def _run(options: type[Options], name: str, argv: Sequence[str] | None, work: Callable[[Options], None]) -> int:
    with cli.user_errors("bench,train"):
        work(cli.read(options, f"{PROGRAM} {name}", argv))
    return 0


def _verify(options: VerifyOptions) -> None:
    from .harness import records

    for file in options.files:
        print(f"{file}: {records.verify(file)} games replay to the same results")


def _html(options: HtmlOptions) -> None:
    _save(_read(options), options.game, options.seat, options.out, options.judge)


def _worst(options: WorstOptions) -> None:
    from .harness.losses import worst

    loss = worst(options.files, options.agent)
    _save(loss.record, loss.game, None, options.out)
    print(f"{loss.record.file} --game {loss.game}: {options.agent} in seat {loss.seat} has reward {loss.reward:g}")


def _save(record: Record, game: int, seat: int | None, out: Path, judge: str | None = None) -> None:
    """Write a recorded game as a page: all that happened, or the view of a seat."""
    from .harness import records

    row = record.games.row(game, named=True)
    start = records.dealt(record)[game : game + 1]
    deal = "" if seat is not None else f", deal {row['deal']}"  # the number of the deal would reveal all cards
    title = f"{record.game.title}{deal}"
    opinions = _thoughts(record.game, start, row, judge) if judge else None
    replay(record.game, start, row["actions"], row["seats"], seat=seat, title=title, thoughts=opinions).save(out)


def _thoughts(game: Game, start: States, row: Mapping[str, Any], who: str) -> dict[int, Opinion]:
    """Return the opinions of the game's own agents, or of agent `who` in every seat, on all actions.

    Raises:
        ValueError: An agent is unknown.
    """
    names = row["seats"] if who == "own" else [who] * game.players
    agents = {name: load(name, game) for name in dict.fromkeys(names)}
    return opinions_on(game, start, row["actions"], [agents[name] for name in names], seed=row["deal"])


def _read(options: ShowOptions | HtmlOptions) -> Record:
    """Return the record of the options; raise ValueError if it has no such game."""
    from .harness import records

    record = records.read(options.file)
    if options.game not in range(len(record.games)):
        raise ValueError(f"game={options.game} is not allowed; allowed: 0..{len(record.games) - 1}")
    return record


def in_words(record: Record, row: int) -> list[str]:
    """Return a game as lines of text: the seats, every action, the rewards."""
    from .harness import records

    one = replace(record, games=record.games.slice(row, 1))
    seats = one.games["seats"].to_list()[0]
    lines = [f"{record.game.title}, deal {one.games['deal'][0]}: " + ", ".join(f"{i} {n}" for i, n in enumerate(seats))]

    def observe(t: Transitions) -> None:
        seat = int(t.before["seat"][0])
        lines.append(f"{len(lines)}. {seat} {seats[seat]}: {record.game.action_name(t.before, int(t.actions[0]))}")

    _, rewards = records.replay(one, observe)
    return [*lines, f"rewards: {', '.join(f'{reward:g}' for reward in rewards[0])}"]
