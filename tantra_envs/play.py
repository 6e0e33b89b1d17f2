"""Play in the browser, against agents and with others at the same machine.

    python -m tantra_envs.play karma --seats me,search:64
    python -m tantra_envs.play tantrix mode=discovery puzzle=10
    python -m tantra_envs.play kanastic --seats me:Ann,scripted,me:Bob,scripted
    python -m tantra_envs.play --resume runs/play/karma-20261121-201500.json --seats me,scripted

Every person has a link of their own; behind it is what their seat may see, and nothing else.
"""

from __future__ import annotations

import json
import time
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

from . import cli
from .configuration import game as configured
from .core.game import Game
from .core.observation import Agent
from .files import open_folder, write_whole
from .games import GAMES
from .opponents import apart, opponent, opponents
from .picture import field
from .table import results
from .table.history import History
from .table.server import LOCAL, Server
from .table.table import MAX_SEED, Chair, Person, Table

PROGRAM = "tantra_envs.play"
FOLDER = Path("runs/play")
Parse = Callable[[str, Game], list[Agent]]
SHARE = """Everybody who can reach this machine over the network and has a link, or reads it on the way (nothing is
encrypted), plays for that seat and sees its cards. Stop the server when you have played."""


@dataclass(frozen=True)
class Args:
    """Play a game in the browser.

    Example: python -m tantra_envs.play karma --seats me,search:64
    """

    game: str | None = None
    """A game, or game:variant."""
    fields: tuple[str, ...] = ()
    """Its options, as in mode=discovery puzzle=10."""
    _: KW_ONLY
    seats: str | None = None
    """Who sits where: me, me:Ann for a person with a name, or an agent; None = me, and scripted everywhere else."""
    seed: int | None = None
    """The deal; None = any."""
    delay: float = 0.8
    """Seconds before an agent plays."""
    save: Path | None = None
    """The file in which the game is kept after every action; None = a new one in runs/play."""
    resume: Path | None = None
    """A file of a game to go on with; it is kept there."""
    record: Path | None = None
    """A folder for games that are over: their start and their actions, which TableEnv.load reads and verifies."""
    best: Path = FOLDER / "best.json"
    """The file of your best results in games for one."""
    port: int = 0
    """The port; 0 = any that is free."""
    host: str = LOCAL[0]
    """The address to serve on; beyond this machine with --share only."""
    share: bool = False
    """Let other machines reach the table. Whoever has, or overhears, a link plays for its seat."""
    browser: bool = True
    """Open the first person's page."""


def main(argv: Sequence[str] | None = None, program: str = PROGRAM, parse: Parse = opponents) -> None:
    """Read the command line, open the table, and serve it until Ctrl-C; `parse` makes agents of words."""
    with cli.user_errors("play"):
        args = cli.read(Args, program, argv)
        table, file = prepare(args, parse)
        server = Server(table, args.host, args.port, shared=args.share)
    with cli.work(f"the game is in {file}; python -m {program} --resume {file} goes on, with --seats as before"):
        announce(server, args)
        table.start()
        server.serve_forever()


def prepare(args: Args, parse: Parse = opponents) -> tuple[Table, Path]:
    """The table, and where it is kept; ValueError or OSError for what cannot be played, kept or served."""
    cli.check_ranges(args, delay=(0, 60), port=(0, 65535))
    if args.seed is not None:
        cli.check_ranges(args, seed=(0, MAX_SEED))
    _check_host(args)
    saved = args.resume.read_bytes() if args.resume else None
    game = _resumed(saved, args) if saved is not None else _configured(args)
    people = chairs(args.seats or ",".join(["me"] + ["scripted"] * (game.players - 1)), game, parse)
    history = History(game)
    if saved is None:
        history.deal(int(time.time_ns() % MAX_SEED) if args.seed is None else args.seed)
    else:
        history.load(saved)
    file = _file(args, game)
    return Table(history, people, adviser(game), delay=args.delay, keep=_keeper(file), ended=_ending(args)), file


def chairs(seats: str, game: Game, parse: Parse = opponents) -> list[Chair]:
    """People and agents from words with commas between; ValueError unless there is one for each seat, and a person."""
    made: list[Chair] = []
    for word in apart(seats):
        kind, _, name = word.partition(":")
        made += [Person(name.strip())] if kind == "me" else parse(word, game)
    if len(made) != game.players:
        raise ValueError(f"seats={seats!r} are {len(made)}; {game.name} has {game.players} here")
    if not any(isinstance(chair, Person) for chair in made):
        raise ValueError(f"seats={seats!r} is not allowed: nobody is a person; allowed: me, at least once")
    return made


def adviser(game: Game) -> Agent:
    """Who gives hints: the best that plays this game."""
    try:
        return opponent("search", game)
    except ValueError:  # not in this encoding, say
        return opponent("scripted", game)


def announce(server: Server, args: Args) -> None:
    """Print the link of every person, and open the first."""
    people = server.table.people
    for person in people:
        seat = server.table.chairs.index(person)
        print(f"seat {seat}{' ' + person.name if person.name else ''}: {server.link(person)}", flush=True)
    if args.share:
        print(SHARE)
    print("Ctrl-C stops; the game is kept.", flush=True)
    if args.browser:
        webbrowser.open(server.link(people[0]))


def _configured(args: Args) -> Game:
    """The game of the command line; as many seats as `--seats` names, unless its options say."""
    if args.game is None:
        raise ValueError(f"no game is given; games: {', '.join(GAMES)}")
    fields = dict(field(word) for word in args.fields)
    if args.seats and "players" not in fields:
        fields["players"] = len(apart(args.seats))
    return configured(args.game, **fields)


def _resumed(saved: bytes, args: Args) -> Game:
    """The game that a save is of; ValueError if it is none, or other options are given."""
    if args.game or args.fields or args.seed is not None or args.save:
        raise ValueError("--resume goes on with the game, the options and the file there are; give none")
    try:
        content = json.loads(saved)
        name, config = content["game"], content["config"]
        return configured(name.rpartition("_")[0], **config)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{args.resume}: no game that was kept: {error}") from None


def _file(args: Args, game: Game) -> Path:
    """Where the game is kept; OSError now if it cannot be."""
    file = args.resume or args.save or FOLDER / f"{game.id}-{time.strftime('%Y%m%d-%H%M%S')}.json"
    for folder in (file.parent, args.best.parent, *([args.record] if args.record else [])):
        open_folder(folder)
    if args.save and file.exists():
        raise ValueError(
            f"save={str(file)!r} is not allowed: it exists; --resume goes on with it, or name another file"
        )
    return file


def _keeper(file: Path) -> Any:
    return lambda history: write_whole(file, lambda part: part.write_bytes(history.save()))


def _ending(args: Args) -> Any:
    """What is done with a game that is over; OSError if it cannot be kept."""
    results.read(args.best)

    def end(table: Table) -> str:
        if args.record:
            results.record(args.record, table)
        return results.enter(args.best, table) if len(table.game.teams) == 1 else ""

    return end


def _check_host(args: Args) -> None:
    """ValueError for an address beyond this machine, unless it is wanted so."""
    if args.host not in LOCAL and not args.share:
        what = " ".join(SHARE.split())
        raise ValueError(f"host={args.host!r} is not allowed without --share. {what} allowed: {' and '.join(LOCAL)}")


if __name__ == "__main__":
    main()
