"""The lobby: the games that people can choose, and the tables that they open.

A table is opened by its game, its variant, its seats and a seed, or from a saved game. `make` builds it, so the lobby
does not know the agents of a checkout.
"""

from __future__ import annotations

import contextlib
import functools
import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .. import configuration
from ..core.game import Game
from ..core.observation import Agent
from ..core.opinions import Adviser
from ..core.options import OneOf, Within, require_in
from ..drawing.drawings import is_drawn
from ..games import GAMES, settings
from ..opponents import opponent
from . import days, results
from .history import PERSON, History, deal, people_at, seat_names
from .home import Home
from .page import FELT
from .rehearsal import begin, rehearse
from .replays import replay_of
from .session import LEVELS, Person, RefusedError, allow, allow_in
from .shelf import SavedGame, Shelf
from .table import Table

MOST_TABLES = 8  # one is closed when one more is opened
_NAMED = re.compile(rf"{PERSON}:[^\x00-\x1f]{{1,20}}")
# The agents of saved games that the lobby builds: none from files, no programs, and none that thinks for hours.
_KNOWN = re.compile(rf"{'|'.join(LEVELS)}|search:\d{{1,3}}|learned:[\w-]+")


class Ladder(NamedTuple):
    """The puzzles of a variant, from the easiest to the hardest: the values of an option."""

    option: str
    word: str  # for the option
    steps: range


_SHOWN = {name: settings(name, "lobby") for name in GAMES}
LADDERS = {
    (name, variant): Ladder(row["option"], row["word"], range(row["first"], row["last"] + 1))
    for name, shown in _SHOWN.items()
    for variant, row in shown.get("ladders", {}).items()
}
AT_TABLE: dict[tuple[str, str], dict[str, Any]] = {  # options that variants have only here
    (name, variant): options for name, shown in _SHOWN.items() for variant, options in shown.get("options", {}).items()
}
DAILY = {("tantrix", "daily"): "seed_date"}  # variants of the day, and the option that takes the date
FOR_AGENTS = ("For training agents", "For exact results")  # texts of variants that are not for people begin so
TEXTS = {  # one paragraph for each game, the easiest first; other games follow
    name: str(shown["text"]).strip()
    for name, shown in sorted(_SHOWN.items(), key=lambda item: item[1].get("place", len(GAMES)))
    if "text" in shown
}
PICTURES = (
    Path(__file__).with_name("pictures"),
    Path(__file__).resolve().parents[2] / "docs/pictures",
)  # wheel, checkout
_WORDS = re.compile(rb'<text\b.*?</text>|<use href="#[^"]*-badge[^>]*/>', re.DOTALL)  # too small in a preview
Make = Callable[[History, Sequence[str], Path | None], Table]


@dataclass(eq=False)
class Lobby:
    """The tables of one server, and the games for new ones.

    Args:
        make: Returns a table of a game, with a word for each seat. The game goes on in a file; None = in a new one.
        shelf: The saved games; None = there are none.
        adviser: Returns the agent that judges the replays of saved games.
        best: The file of best results of games for one.
        home: The folder from which the links of tables follow; None = they do not survive a restart.
        tables: The tables so far.
        token: The token of the lobby's page.
    """

    make: Make
    shelf: Shelf | None = None
    adviser: Callable[[Game], Agent] | None = None
    best: Path | None = None
    home: Home | None = None
    tables: list[Table] = field(default_factory=list)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    _opening: threading.RLock = field(default_factory=threading.RLock)

    def open(
        self, game: str, seats: list[Any], variant: str = "", seed: int | None = None, step: int | None = None
    ) -> Table:
        """Open a table and let its agents play. Close one if there are too many, a finished or watched one first.

        Args:
            game: Name of the game.
            seats: One word for each seat: `me`, `me:NAME` or one of LEVELS. Nobody is a person at a table to watch.
            variant: Name of the variant; "" = the usual rules.
            seed: Seed of the deal; None = random.
            step: The puzzle of a variant with a ladder; None = that of the variant.

        Raises:
            RefusedError: A word is not allowed, or the table cannot be opened.
        """
        _check_wish(game, seats)
        try:
            history = deal(game_at_table(game, variant, len(seats), step), seed)
            return self._opened(history, seats, None)
        except (ValueError, OSError) as error:
            raise RefusedError(str(error)) from None

    def resume(self, file: str, length: int | None = None) -> Table:
        """Open a table with a saved game, or return the table that has it already.

        Args:
            file: Name of the saved game.
            length: Play on from the table after this number of actions, as another game; None = continue the game.

        Raises:
            RefusedError: There is no such game, it is over (or not over, with `length`), or the lobby does not know its
                agents.
        """
        try:
            with self._opening:  # two requests for one game get one table
                path, history = self._saved().path(file), self._saved().history(file)
                if length is None and (table := self._table_of(path)):
                    return table
                seats, is_over = _checked(history.facts.seats), history.is_over
                # A branch of a running game would show what is hidden in it.
                allow(is_over == (length is not None), f"This game is {'over' if is_over else 'not over'}.")
                if length is None:
                    return self._opened(history, seats, path)
                require_in("length", length, Within(0, len(history.moves) - 1))
                return self._opened(history.branched(length), seats, None)
        except (ValueError, OSError) as error:
            raise RefusedError(str(error)) from None

    def revive(self, token: str) -> tuple[Table, Person] | None:
        """Open the table of a link again, with the last game that was played at it; None = no link of a saved game.

        A link is good for longer than its table: the table may have been closed to make room, or the server stopped.
        """
        latest: dict[str, SavedGame] = {}
        for game in self.shelf.games() if self.shelf and self.home else ():
            latest.setdefault(game.room, game)  # the newest first
        for room, game in latest.items():
            numbers = range(len(people_at(game.seats)) or 1)
            if self.home and room and any(secrets.compare_digest(self.home.token(room, i), token) for i in numbers):
                with contextlib.suppress(RefusedError, ValueError, OSError), self._opening:
                    path, history = self._saved().path(game.file), self._saved().history(game.file)
                    table = self._table_of(path) or self._opened(history, _checked(history.facts.seats), path)
                    return next((table, person) for person in table.session.readers if person.token == token)
        return None

    def saved(self) -> dict[str, Any]:
        """Return the open games of one person, saved games at no table, seconds of puzzles, and the day.

        The links of several people are secret, also for the person who opened their table.
        """
        running = [table for table in self.tables if not table.session.history.is_over]
        alone = [
            {
                "game": table.session.game.title,
                "status": table.status(person),
                "path": f"/t/{person.token}/",
                "deal": table.session.history.facts.deal,
            }
            for table in running
            for person in table.session.readers
            if len(table.session.readers) == 1
        ]
        in_use = [table.session.file for table in running]
        games = self.shelf.shown(in_use) if self.shelf else []
        best = results.read(self.best) if self.best else {}
        day = {"day": days.number(), "solved": days.solved(best), "deals": days.DEALS, "rival": days.RIVAL}
        return {"games": games, **day, "open": alone, "ladders": self._ladders()}

    def _ladders(self) -> dict[str, dict[int, float]]:
        """Return the best seconds of the solved puzzles of every ladder, by `game variant` and step."""
        lists = results.read(self.best) if self.best else {}
        best = {name: entries[0]["seconds"] for name, entries in lists.items() if entries}
        return {
            f"{game} {variant}": {step: best[name] for step, name in names.items() if name in best}
            for (game, variant) in LADDERS
            for names in [_puzzles(game, variant)]
        }

    def replay(self, file: str, *, judged: bool = False) -> tuple[str, History, str]:
        """Return the page of a saved game that is over, the game, and the name of the agent that can judge it, or "".

        `judged`: with the judgement of that agent.

        Raises:
            RefusedError: There is no such game, or it is not over.
        """
        try:
            history = self._saved().history(file)
        except (ValueError, OSError) as error:
            raise RefusedError(str(error)) from None
        allow(history.is_over, "The replay is available when the game is over.")
        people = people_at(history.facts.seats)
        seat = people[0] if len(people) == 1 else None
        agent = self.adviser(history.game) if self.adviser else None
        judge = agent if isinstance(agent, Adviser) else None
        names = seat_names(history.game, history.facts.seats, seat)
        agents = saved_agents(history)
        page = replay_of(history, seat, names, judge if judged else None, agents, opened=seat is not None)
        return page.html, history, judge.name if judge else ""

    def _saved(self) -> Shelf:
        if self.shelf is None:
            raise ValueError("There are no saved games.")
        return self.shelf

    def _table_of(self, path: Path) -> Table | None:
        """Return the table with the game of a file, if one person has it."""
        running = [table for table in self.tables if not table.session.history.is_over]
        files = [table.session.file and table.session.file.resolve() for table in running]
        return running[files.index(path.resolve())] if path.resolve() in files else None

    def _opened(self, history: History, seats: Sequence[str], file: Path | None) -> Table:
        """Build a table, add it, and let its agents play."""
        people = people_at(seats)
        rehearse(history.game, dict.fromkeys(word for seat, word in enumerate(seats) if seat not in people))
        with self._opening:
            table = self.make(history, seats, file)
            self.tables.append(table)
            self._make_room(table)
        table.runner.start()
        begin(history.game, LEVELS)  # for hints, and for the same deal against another agent
        return table

    def _make_room(self, new: Table) -> None:
        """Close tables until there are few enough: finished ones first, then watched ones, then the oldest game."""
        while len(self.tables) > MOST_TABLES:
            olds = [table for table in self.tables if table is not new]
            old = min(olds, key=lambda table: (not table.session.history.is_over, bool(table.session.people)))
            old.runner.close()
            self.tables.remove(old)


def saved_agents(history: History) -> list[Agent | None]:
    """Return the agent of every seat of a saved game; None for people and for agents that the lobby must not build."""
    words = history.facts.seats or [PERSON] * history.game.players
    agents = {word: _known_agent(word, history.game) for word in dict.fromkeys(words)}
    return [agents[word] for word in words]


def _known_agent(word: str, game: Game) -> Agent | None:
    """Return the agent of a word that the lobby knows, if it can play the game; else None."""
    with contextlib.suppress(ValueError):
        return opponent(word, game) if _KNOWN.fullmatch(word) else None
    return None


def _checked(seats: Sequence[str]) -> Sequence[str]:
    """Return the words of the seats of a saved game. Raise RefusedError for agents that the lobby must not build.

    A saved game may come from anybody, and the word of an agent can name a program.
    """
    people = people_at(seats)
    for seat, word in enumerate(seats):
        if seat not in people and not _KNOWN.fullmatch(word):
            other = "python -m tantra_envs play --resume FILE --seats .. continues it"
            raise RefusedError(f"This game has the agent {word!r}, which the lobby does not know. {other}")
    return seats


def _check_wish(game: str, seats: list[Any]) -> None:
    """Raise RefusedError for an unknown game or seat."""
    names = tuple(entry["id"] for entry in catalogue())
    allow_in("game", game, OneOf(names, ", ".join(names)))
    for word in seats:
        fits = word in (PERSON, *LEVELS) or (isinstance(word, str) and _NAMED.fullmatch(word))
        allow(fits, f"seat {word!r} is not allowed; allowed: {PERSON}, {PERSON}:NAME, {', '.join(LEVELS)}")


def game_at_table(name: str, variant: str, players: int, step: int | None = None) -> Game:
    """Return the game of a table of the lobby. Raise ValueError if it cannot be played so."""
    options: dict[str, Any] = {**AT_TABLE.get((name, variant), {}), "players": players}
    if (name, variant) in DAILY:
        options[DAILY[name, variant]] = days.number()
    if step is not None:
        ladder = LADDERS.get((name, variant))
        if ladder is None:
            raise ValueError(f"step={step} is not allowed; allowed: none, as this variant has no ladder")
        require_in("step", step, Within(ladder.steps[0], ladder.steps[-1]))
        options[ladder.option] = step
    return configuration.game(name, variant or None, **options)


def today() -> str:
    """Return the date for people: 28 November 2026."""
    return f"{time.localtime().tm_mday} {time.strftime('%B %Y')}"


@functools.cache
def _puzzles(name: str, variant: str) -> dict[int, str]:
    """Return the names of the puzzles of a ladder in the lists of best results, by step."""
    return {step: results.name(game_at_table(name, variant, 1, step)) for step in LADDERS[name, variant].steps}


@functools.cache
def catalogue() -> list[dict[str, Any]]:
    """Return all games that have a drawing, with their texts, and the seats of every variant."""
    return [
        {
            "id": name,
            "title": configuration.game(name).title,
            "text": TEXTS.get(name, ""),
            "picture": picture(name) is not None,
            "variants": _variants(name),
        }
        for name in dict.fromkeys((*TEXTS, *GAMES))
        if is_drawn(configuration.game(name))
    ]


def _variants(name: str) -> list[dict[str, Any]]:
    """Return the usual rules of a game and its variants for people.

    A variant without changes is the usual rules: it describes them.
    """
    texts = configuration.variant_texts(name)
    games = {variant: configuration.game(name, variant or None) for variant in ("", *configuration.variants(name))}
    usual = games[""]
    same = [variant for variant, game in games.items() if variant and game.config == usual.config]
    texts[""] = texts[same[0]] if same else "The usual rules, without changes. The table explains them under Rules."
    return [
        {
            "name": variant,
            "text": texts[variant],
            "seats": _allowed_seats(name, variant, game),
            "players": game.players,
            "day": (name, variant) in DAILY,
            "ladder": _ladder(name, variant, game),
        }
        for variant, game in games.items()
        if variant not in same and not texts[variant].startswith(FOR_AGENTS)
    ]


def _allowed_seats(name: str, variant: str, game: Game) -> list[int]:
    """Return the numbers of players for which a variant has enough cards."""
    rules = configuration.variants(name).get(variant, {})
    return [number for number in game.seats if configuration.is_allowed(name, {**rules, "players": number})]


def _ladder(name: str, variant: str, game: Game) -> dict[str, Any] | None:
    """Return the ladder of a variant for the page, with the step of the variant itself, or None."""
    ladder = LADDERS.get((name, variant))
    usual = game.config[ladder.option] if ladder else None
    return {"word": ladder.word, "steps": list(ladder.steps), "usual": usual} if ladder else None


@functools.cache
def picture(name: str) -> bytes | None:
    """Return the picture of a game as an SVG on felt, in light and dark, or None if it has no picture."""
    if name not in GAMES:
        return None
    file = next((folder / f"{name}.svg" for folder in PICTURES if (folder / f"{name}.svg").is_file()), None)
    if file is None:
        return None
    drawn = file.read_bytes().replace(b'class="te light"', b'class="te"', 1)
    return _WORDS.sub(b"", drawn).replace(b"</svg>", f"<style>{FELT}</style></svg>".encode())
