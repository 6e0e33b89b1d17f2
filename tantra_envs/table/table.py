"""People and agents at one table: permissions, the view of each reader, and the turns of agents.

A reader is a person with a seat, or a watcher. A watcher sees all cards, so only tables of agents have watchers. When
a round of a longer game ends at a table with people, the game waits until a person asks for the next round.

One lock protects the table. Agents think outside it, on a copy, so that no page waits for them. Their answer counts
only if the table has not changed meanwhile.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import secrets
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .. import drawing
from ..core.asking import ask
from ..core.game import Game
from ..core.observation import Agent, Observation
from ..core.opinions import Adviser, Opinion
from ..core.state import States
from ..drawing import Move
from ..drawing.drawings import log_line, orders
from ..words.english import NUMBERS, capital, listed, owner
from ..words.sentences import action_words, is_quiet, is_secret, prompt, waiting
from . import ending
from .advice import advise
from .book import goal, scoring
from .history import MAX_SEED, PERSON, Facts, History, deal, puzzle_day, seat_names, title
from .replays import judged, replay_of
from .review import review

ALONE = "Only one person alone with agents can do this, when the game is over."
LOG = 40  # actions in the log of a page
_PIECE = re.compile(r'<use[^>]* href="#([^"]*)"')  # of a drawing
SPEEDS = {"paused": float("inf"), "slow": 2.5, "normal": 0.8, "fast": 0.1}  # seconds before an agent acts


class RefusedError(ValueError):
    """Raised when a person may not do something, or not now. The table has not changed."""


def allow(fits: object, why_not: str) -> None:
    """Raise RefusedError unless `fits`."""
    if not fits:
        raise RefusedError(why_not)


@dataclass(eq=False)
class Person:
    """Someone who plays or watches in a browser. The token gives access to the seat."""

    name: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))


Chair = Person | Agent


class Table:
    """A game between `chairs`, one for each seat. Methods may be called from any thread.

    Args:
        history: The game.
        chairs: The person or agent of each seat.
        adviser: The agent that judges the actions of a replay.
        hinter: The agent that gives hints; None = the adviser.
        watchers: People without a seat, who see all cards.
        delay: Seconds before an agent acts.
        keep: Called with the history after every change, under the lock. It may return the file of the game.
        ended: Called with the table at the end of its game, under the lock; returns a message for the people.
        build: Returns the agent of a level, which a person may choose for the same deal; None = nobody may choose.
        clock: Returns the time in seconds.

    Raises:
        ValueError: There are watchers and people with seats.
    """

    def __init__(
        self,
        history: History,
        chairs: Sequence[Chair],
        adviser: Agent,
        *,
        hinter: Agent | None = None,
        watchers: Sequence[Person] = (),
        delay: float = 0.8,
        keep: Callable[[History], Path | None] = lambda _: None,
        ended: Callable[[Table], str] = lambda _: "",
        build: Callable[[str], Agent] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.history = history
        self.chairs = list(chairs)
        self.watchers = list(watchers)
        if self.watchers and self.people:
            raise ValueError("watchers are not allowed at a table with people, because they see all cards")
        self.fresh = not history.moves  # the whole game was played here, from the deal
        self.file: Path | None = None  # of the game
        self.is_listed = False  # whether the result is in the list of best results
        self._adviser, self._hinter, self._delay = adviser, hinter or adviser, delay
        self._keep, self._ended, self._clock = keep, ended, clock
        self._build = build
        self._earlier: list[str] = []  # results of this deal against other agents
        self._opinions: tuple[bytes, dict[int, Opinion]] | None = None  # on the game that is over
        self._questions = 0  # numbers the hints that were asked for
        self._changed = threading.Condition()
        self._thinking = threading.Lock()  # the adviser thinks; agents need not be safe for threads
        self._rng = np.random.default_rng()
        self._boot = secrets.token_hex(4)  # part of the version: pages of an earlier server are out of date
        self._count = 0
        self._news = ""  # of the end
        self._trouble = ""
        self._failed = False  # whether the agent to decide has failed
        self._waiting = False  # between two rounds, for a person
        self._closed = False
        self._games, self._wins = 0, Counter[int]()  # of this session, by `_side`
        self._began = clock()
        self._took = 0.0 if self.is_over else None  # the end of a resumed game has been counted before
        with self._changed:
            self._after()

    @property
    def game(self) -> Game:
        """The game of the table."""
        return self.history.game

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.history.state["over"][0])

    @property
    def people(self) -> list[Person]:
        """The people at the table, by seat."""
        return [chair for chair in self.chairs if isinstance(chair, Person)]

    @property
    def readers(self) -> list[Person]:
        """Everyone with a page: the people by seat, and the watchers."""
        return [*self.people, *self.watchers]

    @property
    def seconds(self) -> float:
        """Seconds from the deal until now, or until the end of the game."""
        return self._clock() - self._began if self._took is None else self._took

    @property
    def version(self) -> str:
        """Text that differs after every change."""
        return f"{self._boot}.{self._count}"

    # The view of a reader

    def wait(self, version: str, seconds: float) -> None:
        """Wait until the table has left `version`, or the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version or self._closed, seconds)

    def shown(
        self, person: Person, palette: str = "plain", theme: str = "auto", wide: float = 0, order: str = ""
    ) -> dict[str, Any]:
        """Return everything that the page of a reader shows. Raise ValueError for an unknown look of the drawing."""
        with self._changed:
            seat, s = self._seat(person), self.history.state[0]
            over = bool(s["over"])
            yours = bool(s["seat"] == seat) and not over and not self._waiting
            return {
                "version": self.version,
                "title": self._title(seat),
                "game": title(self.game) if puzzle_day(self.game) else self.game.title,
                "goal": goal(self.game),
                "question": self._question(seat),
                "over": over,
                "judged": bool(self.judge) and len(self.people) == 1,
                "waiting": self._waiting,
                "round": ending.round_word(self.game),
                "yours": yours,
                "svg": self._svg(seat, self._names(seat), "t", palette=palette, theme=theme, wide=wide, order=order),
                "orders": orders(self.game),
                "actions": self._actions(seat) if yours else [],
                "log": self._log(seat),
                "last": self._latest(seat),
                "undo": self._undo_length(seat) is not None and not self._is_final,
                "seat": seat,
                "seats": self._names(seat),
                "alone": len(self.readers) == 1,
                "speed": next((name for name, delay in SPEEDS.items() if delay == self._delay), ""),
                "timer": round(self.seconds) if len(self.game.teams) == 1 and self.fresh else None,
                "ending": self._ending(seat) if over or self._waiting else None,
            }

    def status(self, person: Person) -> dict[str, Any]:
        """Return the game and whose turn it is, for a list of running games."""
        with self._changed:
            over = self.is_over
            return {"game": self.game.title, "status": self._status(self._seat(person)), "over": over}

    def _svg(self, seat: int | None, names: Sequence[str], root: str, **look: Any) -> str:
        """Draw what a seat sees of the table; None = all cards open."""
        last = self.history.moves[-1] if self.history.moves else None
        return drawing.draw(
            self.game, self._shown(), seat, last=last, legal=seat is not None, names=names, root=root, bare=True, **look
        )

    def _shown(self) -> States:
        """Return the table that the pages show: between two rounds the end of the last one."""
        return ending.end_of_round(self.game, self.history.moves[-1]) if self._waiting else self.history.state

    def opened(self, person: Person, **look: Any) -> str:
        """Return the drawing of a finished round or game with all cards open, in the look of `drawing.draw`.

        Raises:
            RefusedError: The round is not over.
        """
        with self._changed:
            seat = self._seat(person)
            allow(self.is_over or self._waiting, "All cards are shown when the round is over.")
            return self._svg(None, self._names(seat), "o", **look)

    def _actions(self, seat: int | None) -> list[tuple[int, str]]:
        """Return the legal actions: number and words. Those with several cards come first."""
        state, names = self.history.state, self._names(seat)
        actions = [
            (action, capital(action_words(self.game, state, action, seat, names))) for action in self.game.legal(state)
        ]
        return sorted(actions, key=lambda entry: -_cards_named(entry[1]))

    def _status(self, seat: int | None) -> str:
        s = self.history.state[0]
        if self._trouble:
            return self._trouble
        if s["over"]:
            return "The game is over."
        if self._waiting:
            return f"The {ending.round_word(self.game)} is over."
        return "Your turn." if s["seat"] == seat else f"It is {owner(self._names(seat), s['seat'])} turn."

    def _title(self, seat: int | None) -> str:
        """Return the title of the page for the tab of a browser: "Karma: your turn"."""
        over = self.is_over
        word = "game" if over else ending.round_word(self.game) if self._waiting else ""
        turn = f"{owner(self._names(seat), int(self.history.state['seat'][0]))} turn"
        return f"{self.game.title}: {f'{word} over' if word else turn}"

    def _question(self, seat: int | None) -> str:
        """Return what is asked of the reader, or what the table waits for; "" at the end, where the verdict says it."""
        if self._trouble:
            return self._trouble
        if self._waiting:
            return f"The {ending.round_word(self.game)} is over. Go on when you have seen enough."
        if self.is_over:
            return ""
        ask_seat = waiting if seat is None else prompt
        return ask_seat(self.game, self.history.state, seat, self._names(seat))

    def _ending(self, seat: int | None) -> dict[str, Any]:
        """Return the result, the score sheet and the tally of a finished round or game."""
        history, names = self.history, self._names(seat)
        over = self.is_over
        end = self._shown()
        if over:
            verdict = ending.verdict(self.game, end, history.totals, seat, names)
        else:
            verdict = ending.round_verdict(self.game, history.scores, end, names)
        sheet = ending.score_sheet(self.game, history.scores, end, names, history.last_round)
        return {
            "verdict": verdict,
            "result": self._news or (ending.others(self.game, history.totals, seat, names) if over else ""),
            "sheet": sheet,
            "scoring": scoring(self.game) if sheet["reasons"] else [],
            "tally": self._tally(names) if over and self._games and len(self.game.teams) > 1 else "",
            "earlier": self._earlier,
            "covered": seat is not None and self._has_covered(seat, names),
            "same": self._build is not None and self.is_alone and len(self.chairs) > 1,
        }

    def _has_covered(self, seat: int, names: Sequence[str]) -> bool:
        """Return whether a seat sees other pieces at the end than a reader for whom all cards are open."""
        own, whole = (sorted(_PIECE.findall(self._svg(reader, names, "t"))) for reader in (seat, None))
        return own != whole

    @property
    def is_alone(self) -> bool:
        """Whether one person alone with agents has finished a game, and so may branch it or play it again."""
        return self.is_over and len(self.people) == 1

    def _tally(self, names: Sequence[str]) -> str:
        """Return the games won by each team at this table: `3 games so far: You won 2, scripted won 1`."""
        teams = enumerate(ending.team_names(self.game, names))
        wins = [f"{name} won {self._wins[self._side(team)]}" for team, name in teams]
        return f"{self._games} game{'s' * (self._games != 1)} so far: {', '.join(wins)}."

    def _side(self, team: int) -> int:
        """Return the place of a team after that of the first person. It is the same after the person changes seats."""
        own = self._seat(self.people[0]) if self.people else None
        return (team - (0 if own is None else self.game.team_numbers[own])) % len(self.game.teams)

    def _names(self, reader: int | None) -> list[str]:
        return seat_names(self.game, [_word(chair) for chair in self.chairs], reader)

    def _log(self, reader: int | None) -> list[str]:
        """Return the last actions as text. Secret actions of one decision are one line, that of the last of them."""
        moves, lines = self.history.moves[-LOG:], list[str]()
        for past, then in itertools.zip_longest(moves, moves[1:]):
            quiet = is_quiet(self.game, past.before, past.action, past.after)
            if not quiet and (then is None or not self._goes_on(past, then, reader)):
                lines.append(self._words(past, reader))
            if self.history.ends_round(past) and (then or not self._waiting) and not past.after["over"][0]:
                number = ending.rounds_finished(self.game, past.after) + 1
                lines.append(f"{capital(ending.round_word(self.game))} {number}")
        return lines

    def _latest(self, reader: int | None) -> list[tuple[int, str]]:
        """Return the last action of each other seat since the reader's own last action, or that one if none followed.

        A watcher sees the last action of every seat. An entry is a seat and a line.
        """
        latest: dict[int, str] = {}
        for past in reversed(self.history.moves[-LOG:]):
            if past.seat == reader and latest:
                break
            if past.seat not in latest and not is_quiet(self.game, past.before, past.action, past.after):
                latest[past.seat] = self._words(past, reader)
            if past.seat == reader:
                break
        return list(latest.items())[::-1]

    def _goes_on(self, past: Move, then: Move, reader: int | None) -> bool:
        """Return whether two actions are secret and belong to one decision of a seat."""
        same = past.seat == then.seat and past.before["phase"][0] == then.before["phase"][0]
        return same and is_secret(self.game, past.before, reader)

    def _words(self, past: Move, reader: int | None) -> str:
        """Return an action and its effect as text, unless it was done in secret."""
        line = log_line(self.game, past, reader, self._names(reader))
        return line if line.endswith("?") else f"{line}."

    @property
    def judge(self) -> str:
        """The name of the agent that can judge the actions of a replay, or ""."""
        return self._adviser.name if isinstance(self._adviser, Adviser) else ""

    def replay(self, person: Person, *, is_judged: bool = False) -> str:
        """Return the finished game as a page, as the person's seat saw it and with all cards open.

        `is_judged`: with the adviser's values of the actions.
        """
        with self._changed:
            allow(self.is_over, "The replay is available when the game is over.")
            seat, copy = self._seat(person), self.history.copied()
            names = self._names(seat)
            agents = [None if isinstance(chair, Person) else chair for chair in self.chairs]
        judge, thoughts = (self._adviser, self._judged(copy)) if is_judged else (None, None)
        with self._thinking if is_judged else contextlib.nullcontext():
            return replay_of(copy, seat, names, judge, agents, opened=seat is not None, thoughts=thoughts).html

    def review(self, person: Person) -> dict[str, Any]:
        """Return what decided the finished game for a person: `words`, and the number of the worst decision."""
        with self._changed:
            seat, copy = self._seat(person), self.history.copied()
            if not self.is_over or seat is None:
                raise RefusedError("A person has a review when the game is over.")
        return review(copy, seat, self._judged(copy), self._adviser)

    def _judged(self, game: History) -> dict[int, Opinion]:
        """Return the adviser's opinions on a copy of the finished game. A second request has them at once."""
        with self._thinking:
            if self._opinions is None or self._opinions[0] != game.save():
                self._opinions = game.save(), judged(game, self._adviser) if self.judge else {}
            return self._opinions[1]

    # The actions of a person

    def play(self, person: Person, version: str, action: int) -> None:
        """Take an action for a person who has seen `version`."""
        with self._changed:
            self._check_turn(person, version)
            self._play(action)

    def undo(self, person: Person, version: str) -> None:
        """Go back to the last decision of the person. Refuse if another person has decided since."""
        with self._changed:
            self._check_version(version)
            seat = self._seat(person)
            allow(any(past.seat == seat for past in self.history.moves), "You have no decision to undo.")
            length = self._undo_length(seat)
            if length is None:
                raise RefusedError("Another person has decided since, so you cannot undo.")
            allow(not self._is_final, "The game is over; deal a new one.")
            if self._took is not None:
                self._took, self._news = None, ""
                self._games -= self.fresh
            self._waiting = False
            self.history.back_to(length)
            self._after()

    @property
    def _is_final(self) -> bool:
        """Whether the game is over and stays over. In a game for one the last actions may still be taken back."""
        return self._took is not None and len(self.game.teams) > 1

    def _undo_length(self, seat: int | None) -> int | None:
        """Return the number of actions before the last decision of a seat; None = it has none that it may undo."""
        for length in range(len(self.history.moves) - 1, -1, -1):
            decider = self.history.moves[length].seat
            if decider == seat:
                return length
            if isinstance(self.chairs[decider], Person):
                return None
        return None

    def hint(self, person: Person, version: str) -> dict[str, Any]:
        """Return the best action and its reasons, from what the person's seat can know; repeatable.

        The agent that gives the hint stops early when the table changes or another hint is wanted.
        """
        with self._changed:
            self._check_turn(person, version)
            state, obs = self.history.state.copy(), self._seen()
            self._questions += 1
            self.history.facts.hints += 1
            number, seat, names = self._questions, self._seat(person), self._names(self._seat(person))
        rng = np.random.default_rng(int(state["plies"][0]))

        def words(action: int) -> str:
            return action_words(self.game, state, action, seat, names)

        def stopped() -> bool:
            return (self._questions, self.version) != (number, version)

        with self._thinking:
            action, hint = advise(self._hinter, obs, rng, words, stopped)
        return {"action": action, "hint": hint}

    def next(self, person: Person, version: str) -> None:
        """Go on with the next round."""
        with self._changed:
            self._check_version(version)
            allow(self._waiting, "No round has just ended.")
            self._waiting = False
            self._after()

    def pace(self, person: Person, version: str, speed: str) -> None:
        """Set the speed of the agents, or pause them."""
        with self._changed:
            allow(speed in SPEEDS, f"speed={speed!r} is not allowed; allowed: {', '.join(SPEEDS)}")
            self._delay = SPEEDS[speed]
            self._count += 1
            self._changed.notify_all()

    def deal(self, person: Person, version: str, seed: int | None = None, seat: int | None = None) -> None:
        """Deal a new game from a random seed. A person alone with agents may choose the seed and take another seat."""
        with self._changed:
            self._check_version(version)
            self._check_deal(seed, seat)
            if seat is not None and (old := self._seat(person)) is not None:
                turns = (old - seat) % self.game.players  # all move on, so that partners stay partners
                self.chairs = [*self.chairs[turns:], *self.chairs[:turns]]
            self._earlier = []
            self._begin(deal(self.game, seed), fresh=True)

    def same(self, person: Person, version: str, level: str) -> None:
        """Play the deal of the finished game again, with agents of another level in all seats of agents.

        Raises:
            RefusedError: The game is not over, or the person is not alone.
            ValueError: There is no such level.
        """
        with self._changed:
            self._check_version(version)
            allow(self.is_alone, ALONE)
            if self._build is None or len(self.chairs) == 1:
                raise RefusedError("This table has no agents that can be changed.")
            agent = self._build(level)
            self._earlier.append(f"{self._opponents()}: {self._ending(self._seat(person))['verdict']}")
            self.chairs = [chair if isinstance(chair, Person) else agent for chair in self.chairs]
            facts = Facts(self.history.facts.deal, branch=self.history.facts.branch, repeated=True)
            self._begin(History(self.game, self.history.start, facts), fresh=True)

    def branch(self, person: Person, version: str, length: int) -> None:
        """Play on from the table after the first `length` actions of the finished game, as another game."""
        with self._changed:
            self._check_version(version)
            allow(self.is_alone, ALONE)
            most = len(self.history.moves) - 1
            allow(0 <= length <= most, f"length={length} is not allowed; allowed: 0..{most}")
            self._earlier = []
            self._begin(self.history.branched(length), fresh=False)

    def _begin(self, history: History, *, fresh: bool) -> None:
        """Put another game on the table."""
        history.facts.room = self.history.facts.room
        self.history, self.fresh = history, fresh
        self._began, self._took, self._news = self._clock(), None, ""
        self.is_listed = self._waiting = False
        self._after()

    def _opponents(self) -> str:
        """Return the names of the agents at the table."""
        agents = dict.fromkeys(chair.name for chair in self.chairs if not isinstance(chair, Person))
        return f"against {listed(list(agents))}" if agents else "before"

    def _check_deal(self, seed: int | None, seat: int | None) -> None:
        most = self.game.players - 1
        allow(seed is None or 0 <= seed <= MAX_SEED, f"seed={seed} is not allowed; allowed: 0..{MAX_SEED}")
        allow(seat is None or 0 <= seat <= most, f"seat={seat} is not allowed; allowed: 0..{most}")
        if len(self.people) > 1:
            allow(seat is None, "Several people play, so seats cannot be changed.")
            allow(seed is None, "Several people play, so the deal is random.")
            allow(self.is_over, "Several people play, so you can deal again only when this game is over.")

    def _check_version(self, version: str) -> None:
        allow(version == self.version, "The table has changed. Look at it again.")

    def _check_turn(self, person: Person, version: str) -> None:
        allow(not self.is_over, "The game is over; deal a new one.")
        allow(not self._waiting, "The round is over; ask for the next one.")
        allow(self.history.state["seat"][0] == self._seat(person), "It is not your turn.")
        self._check_version(version)

    def _seat(self, person: Person) -> int | None:
        """Return the seat of a reader; None for a watcher."""
        return self.chairs.index(person) if person in self.chairs else None

    def _play(self, action: int) -> None:
        """Play an action. After the end of a round wait for the people."""
        self.history.play(action)
        self._waiting = bool(self.people and self.history.last_round) and not self.is_over
        self._after()

    def _after(self) -> None:
        """Save the changed game and wake all waiting threads."""
        self._trouble, self._failed = "", False
        self._count += 1
        self._note_facts()
        with self._saving():
            self.file = self._keep(self.history)
        if self.history.state["over"][0] and self._took is None:
            self._took = self._clock() - self._began
            self._count_wins()
            with self._saving():
                self._news = self._ended(self)
        self._changed.notify_all()

    def _note_facts(self) -> None:
        """Write who plays and how the game ended into the facts that are saved with it."""
        history, facts = self.history, self.history.facts
        facts.names = self._names(None)
        facts.seats = [_word(chair) for chair in self.chairs]
        facts.verdict = ""
        if history.state["over"][0] and len(self.people) == 1:
            seat = self._seat(self.people[0])
            assert seat is not None
            facts.verdict = ending.verdict(self.game, history.state, history.totals, seat, self._names(seat))

    @contextlib.contextmanager
    def _saving(self) -> Iterator[None]:
        """Continue the game if a file cannot be written, or is damaged, and tell the people."""
        try:
            yield
        except (OSError, ValueError) as error:
            print(f"the game cannot be saved: {error}", file=sys.stderr)
            self._trouble = "The game continues but cannot be saved. See the terminal of the server."

    def _count_wins(self) -> None:
        """Add the finished game to the tally of the session."""
        place = ending.places(self.game, self.history.totals)
        self._games += 1
        if max(place) > 1:
            self._wins.update(self._side(team) for team, rank in enumerate(place) if rank == 1)

    # Agents

    def start(self) -> None:
        """Let the agents play in a thread until the table is closed or the program ends."""
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Stop the agents and wake all waiting threads."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _run(self) -> None:
        while turn := self._next():
            agent, obs, version = turn
            if self._paused(version):
                continue
            try:
                # Only this thread asks an agent, so it needs no lock unless it is also the adviser.
                with self._thinking if agent is self._adviser else contextlib.nullcontext():
                    action = int(ask(agent, obs, self._rng)[0])
            except Exception as error:  # an agent may raise anything: the game stays, and people see a message
                self._fail(version, agent, error)
                continue
            with self._changed:
                if self.version == version:
                    self._play(action)

    def _next(self) -> tuple[Agent, Observation, str] | None:
        """Wait for the turn of an agent. Return the agent, its observation and the version; None = closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._decides() is not None)
            agent = self._decides()
            return None if self._closed or agent is None else (agent, self._seen(), self.version)

    def _paused(self, version: str) -> bool:
        """Wait for the pause before an agent acts. Return whether the table has changed or was closed meanwhile."""
        with self._changed:
            pause = None if self._delay == float("inf") else self._delay
            return self._changed.wait_for(lambda: self.version != version or self._closed, pause)

    def _seen(self) -> Observation:
        """Return the observation of the seat to decide, on a copy of the table."""
        return Observation(self.game, self.history.state.copy(), past=self.history.past.copy())

    def _decides(self) -> Agent | None:
        s = self.history.state[0]
        chair = self.chairs[s["seat"]]
        idle = s["over"] or self._failed or self._waiting or isinstance(chair, Person)
        return None if idle else chair

    def _fail(self, version: str, agent: Agent, error: Exception) -> None:
        """Show the pages that an agent failed, but not why: the error may reveal its cards."""
        print(error, file=sys.stderr)
        with self._changed:
            if self.version == version:
                self._count += 1
                self._failed = True
                self._trouble = f"{agent.name} failed, see the terminal of the server. Undo, or deal again."
                self._changed.notify_all()


def _word(chair: Chair) -> str:
    """Return the word of a seat as in `--seats`: me, me:NAME or the name of an agent."""
    if not isinstance(chair, Person):
        return chair.name
    return f"{PERSON}:{chair.name}" if chair.name else PERSON


def _cards_named(words: str) -> int:
    """Return the number of cards that an action names after its verb, at least 1: 2 for "Play two 7s"."""
    number = words.split()[1:2]
    return NUMBERS.index(number[0]) if number and number[0] in NUMBERS[1:] else 1
