"""`python -m tantra_envs play`: play a game in the browser, against agents and with others on the same machine.

Without a game it opens the lobby, a page on which games, opponents and seats are chosen. Every person has a separate
link. Its page shows only what the seat of that person may see.
"""

from __future__ import annotations

import contextlib
import secrets
import shlex
import threading
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from ..core.game import Game
from ..core.observation import Agent
from ..core.options import Within
from ..games import GAMES
from ..opponents import opponent
from ..opponents.learned import value_search
from ..programs import cli
from ..programs.files import new_file, open_folder, write_content
from ..table import results
from ..table.history import PERSON, SEEDS, History, deal, people_at, saved_in
from ..table.home import Home, claim
from ..table.lobby import Lobby, catalogue
from ..table.rehearsal import rehearse
from ..table.server import LOCAL, PORTS, Server
from ..table.session import LEVELS, Chair, Person, Session
from ..table.shelf import Shelf
from ..table.table import Table

FOLDER = Path("runs/play")
SHARE = """Anyone on the network who has the link of a seat can see its cards and play for it. Nothing is encrypted, so
others may read the link on the way. Stop the server when you have finished."""


@dataclass(frozen=True)
class Args:
    """Play in the browser. Without a game the lobby opens, where games can be chosen.

    Example: python -m tantra_envs play karma players=3 --seats me:Ann search:64 me:Bob
    """

    game: str | None = None
    """Game, or GAME:VARIANT."""
    fields: tuple[str, ...] = ()
    """Options of the game, each OPTION=VALUE, such as players=4."""
    seats: tuple[str, ...] = field(default=(), kw_only=True)
    """One word per seat: me, me:NAME or an agent. [default: me, then scripted agents]"""
    seed: Annotated[int, SEEDS] | None = field(default=None, kw_only=True)
    """Seed of the deal. [default: random]"""
    delay: Annotated[float, Within(0, 60)] = field(default=0.8, kw_only=True)
    """Seconds before an agent acts."""
    save: Path | None = field(default=None, kw_only=True)
    """Save the game to this file. [default: a new file in runs/play]"""
    resume: Path | None = field(default=None, kw_only=True)
    """Continue the game of this file; repeat --seats."""
    best: Path = field(default=FOLDER / "best.json", kw_only=True)
    """File of your best results in games for one."""
    port: Annotated[int, PORTS] = field(default=0, kw_only=True)
    """Port of the server; 0 = that of the last one, or any free one."""
    host: str = field(default=LOCAL[0], kw_only=True)
    """Address of the server; others than the default need --share."""
    share: bool = field(default=False, kw_only=True)
    """Allow other machines. Anyone with the link of a seat can play for it."""
    no_browser: bool = field(default=False, kw_only=True)
    """Do not open the page of the first person."""


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, open the lobby and the table, and serve them until Ctrl-C."""
    with cli.user_errors("train"):
        options = cli.read(Args, "tantra_envs play", argv)
        _check(options)
        new = replace(options, save=None, resume=None)  # each table of the lobby has its own file
        home = Home(FOLDER)
        lobby = Lobby(
            lambda history, seats, file: open_table(replace(new, resume=file), history, seats, watched=True)[0],
            Shelf(FOLDER),
            adviser,
            options.best,
            home,
        )
        # The server comes before the files of the game and of the links: its port may be in use.
        server = _server(options, lobby, home)
        lobby.token = home.token("lobby")
        table = prepare(options)[0] if options.game or options.resume else None
        if table:
            server.tables.append(table)
        home.port = server.server_port

    def kept() -> str:
        if table and (file := table.session.file):
            again = shlex.join(["python", "-m", "tantra_envs", "play", "--resume", str(file)])
            return f"the game is in {file}; {again} continues it (repeat --seats)"
        return f"the games are in {FOLDER}; python -m tantra_envs play lists them, and Go on continues one"

    with cli.work(kept):
        threading.Thread(target=catalogue, daemon=True).start()  # takes a second: it begins before the lobby asks
        if table:
            session = table.session
            rehearse(session.game, [chair.name for chair in session.chairs if chair.name in LEVELS])
        announce(server, options)
        if table:
            table.runner.start()
        server.serve_forever()
    return 0


def _server(options: Args, lobby: Lobby, home: Home) -> Server:
    """Return the server, without a port of its own at that of the last one if it is free: so links stay the same."""
    if not options.port and home.port:
        with contextlib.suppress(OSError):
            return Server(None, options.host, home.port, lobby=lobby, shared=options.share)
    return Server(None, options.host, options.port, lobby=lobby, shared=options.share)


def prepare(options: Args) -> tuple[Table, Path]:
    """Return the table of the command line and the file of its game.

    Raises:
        ValueError: The options are not allowed.
        OSError: A file or folder cannot be read or written.
    """
    _check(options)
    if options.resume:
        if options.game or options.fields or options.seed is not None or options.save:
            raise ValueError(
                "--resume is not allowed with a game, its options, --seed or --save; the file contains them"
            )
        history = saved_in(options.resume)
    else:
        assert options.game is not None
        # Without `players=` the game has as many seats as `--seats` names.
        history = deal(cli.game(options.game, len(options.seats) or None, options.fields), options.seed)
    return open_table(options, history, options.seats)


def open_table(options: Args, history: History, seats: Sequence[str], *, watched: bool = False) -> tuple[Table, Path]:
    """Return a table and the file of its game.

    Args:
        options: The options of the command.
        history: The game to play, or to continue.
        seats: One word for each seat; without words one person plays against scripted agents.
        watched: Without a person, one person watches; otherwise a person is required.

    Raises:
        ValueError: A seat is not allowed.
        OSError: A file or folder cannot be read or written.
    """
    game = history.game
    seated = chairs(seats, game, watched=watched)
    watchers = [] if any(isinstance(chair, Person) for chair in seated) else [Person()]
    results.read(options.best)  # raises now, not at the end of the game
    file = _file(options, game)
    claim(file)
    history.facts.room = history.facts.room or secrets.token_hex(8)
    home = Home(FOLDER)
    for number, person in enumerate([*(chair for chair in seated if isinstance(chair, Person)), *watchers]):
        person.token = home.token(history.facts.room, number)
    session = Session(
        history,
        seated,
        watchers,
        delay=options.delay,
        keep=_keeper(file),
        ended=lambda session: results.enter(options.best, session) if len(game.teams) == 1 else "",
    )
    return Table(session, adviser(game), hinter(game)), file


def chairs(seats: Sequence[str], game: Game, *, watched: bool = False) -> list[Chair]:
    """Return the person or agent of every seat; without words one person plays against scripted agents.

    Raises:
        ValueError: The number of seats is wrong, an agent does not exist, or no seat is a person and nobody watches.
    """
    seats = seats or [PERSON, *["scripted"] * (game.players - 1)]
    if len(seats) != game.players:
        seated = f"--seats {' '.join(seats)}: {len(seats)} given"
        raise ValueError(f"{seated}, but {game.name} has {game.players} seats here; allowed: one word for each seat")
    if not watched and not people_at(seats):
        raise ValueError(f"--seats {' '.join(seats)} is not allowed: nobody is a person; allowed: me, at least once")
    people = people_at(seats)
    return [
        Person(word.partition(":")[2].strip()) if seat in people else opponent(word, game)
        for seat, word in enumerate(seats)
    ]


def adviser(game: Game) -> Agent:
    """Return the agent that judges actions: search if it can play this game, else the scripted agent, if any."""
    for name in ("search", "scripted"):
        with contextlib.suppress(ValueError):  # search may not support these options
            return opponent(name, game)
    return opponent("uniform", game)


def hinter(game: Game) -> Agent:
    """Return the agent that gives hints: a search with the value network of the game, or the adviser without one."""
    return value_search(game) or adviser(game)


def announce(server: Server, options: Args) -> None:
    """Print the link of every person and of the lobby, and open the first."""
    links = []
    for table in server.tables:
        for person in table.session.people:
            seat = table.session.chairs.index(person)
            links.append(server.link(person))
            print(f"seat {seat}{' ' + person.name if person.name else ''}: {links[-1]}", flush=True)
    links.append(server.lobby_link())
    print(f"all games: {links[-1]}", flush=True)
    if options.share:
        print(SHARE)
    print("Press Ctrl-C to stop. The game is saved.", flush=True)
    if not options.no_browser:
        threading.Thread(target=webbrowser.open, args=links[:1], daemon=True).start()  # a text browser would block


def _file(options: Args, game: Game) -> Path:
    """Return the file of the game. Raise OSError now if its folder cannot be written."""
    file = options.resume or options.save
    folders = [file.parent if file else FOLDER, options.best.parent]
    for folder in folders:
        open_folder(folder)
    if options.save and options.save.exists():
        other = f"allowed: another file, or --resume {shlex.quote(str(options.save))}"
        raise ValueError(f"--save {options.save} is not allowed: it exists; {other}")
    return file or new_file(FOLDER, game.id)


def _keeper(file: Path) -> Callable[[History], Path]:
    """Return the function that saves the game of a table and returns its file.

    The first game has `file`. Each further game has a new one in FOLDER, so that no game is lost. A game without
    an action is not worth a file: the next one takes it.
    """
    kept: History | None = None

    def keep(history: History) -> Path:
        nonlocal file, kept
        if kept and kept is not history and kept.moves:
            open_folder(FOLDER)
            file = new_file(FOLDER, history.game.id)
            claim(file)
        kept = history
        write_content(file, history.save())
        return file

    return keep


def _check(options: Args) -> None:
    """Raise ValueError for a host beyond this machine, and for options without a game."""
    if options.host not in LOCAL and not options.share:
        what = " ".join(SHARE.split())
        raise ValueError(f"--host {options.host} is not allowed without --share. {what} Allowed: {' and '.join(LOCAL)}")
    if not options.game and not options.resume and (options.seats or options.seed is not None or options.save):
        raise ValueError(f"no game is given for --seats, --seed or --save; games: {', '.join(GAMES)}")
