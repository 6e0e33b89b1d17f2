"""Play in the browser, against agents and with others at the same machine.

    python -m agents.play karma --seats me,learned:karma
    python -m agents.play tantrix mode=discovery puzzle=10
    python -m agents.play kanastic --seats me:Ann,scripted,me:Bob,scripted
    python -m agents.play --resume runs/play/karma-20261121-201500.json --seats me,scripted

Every person has a link of their own; behind it is what their seat may see, and nothing else.
"""

from __future__ import annotations

import itertools
import json
import time
import webbrowser
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

import tantra_envs
from agents import Agent, parse
from agents.table import results
from agents.table.history import History
from agents.table.server import LOCAL, Server
from agents.table.table import MAX_SEED, Chair, Person, Table
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder, write_whole
from tantra_envs.picture import field

PROGRAM = "agents.play"
GAMES = Path("runs/play")
SHARE = """Everybody who can reach this machine over the network and has a link, or reads it on the way (nothing is
encrypted), plays for that seat and sees its cards. Stop the server when you have played."""


@dataclass(frozen=True)
class Args:
    """Play a game in the browser.

    Example: python -m agents.play karma --seats me,learned:karma
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
    best: Path = GAMES / "best.json"
    """The file of your best results in games for one."""
    port: int = 0
    """The port; 0 = any that is free."""
    host: str = LOCAL[0]
    """The address to serve on; beyond this machine with --share only."""
    share: bool = False
    """Let other machines reach the table. Whoever has, or overhears, a link plays for its seat."""
    browser: bool = True
    """Open the first person's page."""


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line, open the table, and serve it until Ctrl-C."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        table, file = prepare(args)
        server = Server(table, args.host, args.port, shared=args.share)
    with cli.work(f"the game is in {file}; python -m {PROGRAM} --resume {file} goes on, with --seats as before"):
        announce(server, args)
        table.start()
        server.serve_forever()


def prepare(args: Args) -> tuple[Table, Path]:
    """The table, and where it is kept; ValueError or OSError for what cannot be played, kept or served."""
    cli.check_ranges(args, delay=(0, 60), port=(0, 65535))
    if args.seed is not None:
        cli.check_ranges(args, seed=(0, MAX_SEED))
    _check_host(args)
    saved = args.resume.read_bytes() if args.resume else None
    game = _resumed(saved, args) if saved is not None else _configured(args)
    people = chairs(args.seats or ",".join(["me"] + ["scripted"] * (game.players - 1)), game)
    history = History(game)
    if saved is None:
        history.deal(int(time.time_ns() % MAX_SEED) if args.seed is None else args.seed)
    else:
        history.load(saved)
    file = _file(args, game)
    return Table(history, people, adviser(game), delay=args.delay, keep=_keeper(file), ended=_ending(args)), file


def chairs(seats: str, game: Game) -> list[Chair]:
    """People and agents from words with commas between; ValueError unless there is one for each seat, and a person."""
    made: list[Chair] = []
    for people, words in itertools.groupby(seats.split(","), _is_person):
        if people:
            made += [Person(word.strip().partition(":")[2].strip()) for word in words]
        else:
            made += _agents(",".join(words), game)
    if len(made) != game.players:
        raise ValueError(f"seats={seats!r} are {len(made)}; {game.name} has {game.players} here")
    if not any(isinstance(chair, Person) for chair in made):
        raise ValueError(f"seats={seats!r} is not allowed: nobody is a person; allowed: me, at least once")
    return made


def adviser(game: Game) -> Agent:
    """Who gives hints: the best that plays this game."""
    try:
        return parse("search", game)[0]
    except ValueError:  # not in this encoding, say
        return parse("scripted", game)[0]


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


def _is_person(word: str) -> bool:
    return word.strip().partition(":")[0] == "me"


def _agents(words: str, game: Game) -> list[Chair]:
    return list(parse(words, game))


def _configured(args: Args) -> Game:
    """The game of the command line; as many seats as `--seats` names, unless its options say."""
    if args.game is None:
        raise ValueError(f"no game is given; games: {', '.join(tantra_envs.GAMES)}")
    fields = dict(field(word) for word in args.fields)
    if args.seats and "players" not in fields:
        words = args.seats.split(",")
        fields["players"] = sum(":" in word or "=" not in word for word in words)  # search:worlds=64,beyond=2 is one
    return tantra_envs.game(args.game, **fields)


def _resumed(saved: bytes, args: Args) -> Game:
    """The game that a save is of; ValueError if it is none, or other options are given."""
    if args.game or args.fields or args.seed is not None or args.save:
        raise ValueError("--resume goes on with the game, the options and the file there are; give none")
    try:
        content = json.loads(saved)
        name, config = content["game"], content["config"]
        return tantra_envs.game(name.rpartition("_")[0], **config)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{args.resume}: no game that was kept: {error}") from None


def _file(args: Args, game: Game) -> Path:
    """Where the game is kept; OSError now if it cannot be."""
    file = args.resume or args.save or GAMES / f"{game.id}-{time.strftime('%Y%m%d-%H%M%S')}.json"
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
