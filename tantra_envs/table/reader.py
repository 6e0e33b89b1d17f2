"""What a person is shown of a session. A reader is a person with a seat, or a watcher.

A watcher sees all cards, so only tables of agents have watchers.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import drawing
from ..core.state import States
from ..drawing import Move
from ..drawing.drawings import log_line, orders
from ..words.english import NUMBERS, capital, owner
from ..words.sentences import action_words, is_quiet, is_secret, prompt, waiting
from . import ending
from .book import goal, scoring
from .history import puzzle_day, title
from .session import LEVELS, SPEEDS, Person, Session, allow

LOG = 40  # actions in the log of a page
_PIECE = re.compile(r'<use[^>]* href="#([^"]*)"')  # of a drawing


@dataclass(frozen=True)
class Ending:
    """The end of a round or of the game."""

    verdict: str
    result: str  # what the verdict leaves out, or the place in the list of best results
    sheet: ending.Sheet
    scoring: list[str]  # how points are counted, in lines
    tally: str
    earlier: list[str]  # results of this deal against other agents
    covered: bool  # the seat sees other pieces than a reader for whom all cards are open
    same: bool  # the deal can be played against other agents


@dataclass(frozen=True)
class Shown:
    """All that a page shows. `page.js` and `board.js` read these fields as JSON, and get nothing else."""

    version: str
    title: str  # of the tab of a browser
    game: str
    goal: str
    question: str  # what is asked of the reader, or what the table waits for
    over: bool
    judged: bool  # the page can say what decided the game
    waiting: bool  # a round is over
    round: str  # the word for a round
    yours: bool  # the reader decides
    svg: str
    orders: Sequence[str]  # of a hand of cards
    actions: list[tuple[int, str]]
    log: list[str]
    last: list[tuple[int, str]]  # seats and their last actions
    undo: bool
    seat: int | None
    seats: list[str]  # names
    alone: bool  # nobody else has a page
    speed: str  # of the agents; "" = another one
    timer: int | None  # seconds of a game for one
    ending: Ending | None
    lobby: str  # path; "" = there is none for this reader
    levels: list[tuple[str, str]]  # agents for the same deal, and their titles


class Reader:
    """The view of a person on a session, which does not change meanwhile."""

    def __init__(self, session: Session, person: Person) -> None:
        self._session, self._game, self._history = session, session.game, session.history
        self._seat = session.seat(person)
        self._names = session.names(self._seat)
        self._round = ending.round_word(session.game)

    def shown(self, *, lobby: str, judged: bool, **look: Any) -> Shown:
        """Return everything that the page of the reader shows.

        Args:
            lobby: The path of the lobby; "" = the page leads to none.
            judged: Whether an agent can judge the actions.
            look: The look of `drawing.draw`.

        Raises:
            ValueError: The look is unknown.
        """
        session, game, seat = self._session, self._game, self._seat
        over, single = self._history.is_over, len(game.teams) == 1
        yours = bool(self._history.state["seat"][0] == seat) and not over and not session.waiting
        return Shown(
            version=session.version,
            title=self._title(),
            game=title(game) if puzzle_day(game) else game.title,
            goal=goal(game),
            question=self._question(),
            over=over,
            judged=judged and len(session.people) == 1,
            waiting=session.waiting,
            round=self._round,
            yours=yours,
            svg=self._svg(seat, "t", **look),
            orders=orders(game),
            actions=self._actions() if yours else [],
            log=self._log(),
            last=self._latest(),
            undo=session.undo_length(seat) is not None and not session.is_final,
            seat=seat,
            seats=self._names,
            alone=len(session.readers) == 1,
            speed=next((name for name, delay in SPEEDS.items() if delay == session.delay), ""),
            timer=round(session.seconds) if single and session.fresh else None,
            ending=self._ending() if over or session.waiting else None,
            lobby=lobby,
            levels=[(name, words) for name, (words, _) in LEVELS.items()],
        )

    def opened(self, **look: Any) -> str:
        """Return the drawing of a finished round or game with all cards open, in the look of `drawing.draw`.

        Raises:
            RefusedError: The round is not over.
        """
        allow(self._history.is_over or self._session.waiting, "All cards are shown when the round is over.")
        return self._svg(None, "o", **look)

    def status(self) -> str:
        """Return whose turn it is, for a list of running games."""
        if self._session.trouble:
            return self._session.trouble
        if self._history.is_over:
            return "The game is over."
        if self._session.waiting:
            return f"The {self._round} is over."
        return "Your turn." if self._history.state["seat"][0] == self._seat else f"It is {self._turn()}."

    def words(self, state: States, action: int) -> str:
        """Return an action in a position as words for the reader."""
        return action_words(self._game, state, action, self._seat, self._names)

    def _turn(self) -> str:
        """Return whose turn it is: "your turn", "Ann's turn"."""
        return f"{owner(self._names, int(self._history.state['seat'][0]))} turn"

    def _title(self) -> str:
        """Return the title of the page for the tab of a browser: "Karma: your turn"."""
        word = "game" if self._history.is_over else self._round if self._session.waiting else ""
        return f"{self._game.title}: {f'{word} over' if word else self._turn()}"

    def _question(self) -> str:
        """Return what is asked of the reader, or what the table waits for; "" at the end, where the verdict says it."""
        if self._session.trouble:
            return self._session.trouble
        if self._session.waiting:
            return f"The {self._round} is over. Go on when you have seen enough."
        if self._history.is_over:
            return ""
        ask_seat = waiting if self._seat is None else prompt
        return ask_seat(self._game, self._history.state, self._seat, self._names)

    def _state(self) -> States:
        """Return the table that the page shows: between two rounds the end of the last one."""
        history = self._history
        return ending.end_of_round(self._game, history.moves[-1]) if self._session.waiting else history.state

    def _svg(self, seat: int | None, root: str, **look: Any) -> str:
        """Draw what a seat sees of the table; None = all cards open."""
        last, legal = self._history.moves[-1] if self._history.moves else None, seat is not None
        return drawing.draw(
            self._game, self._state(), seat, last=last, legal=legal, names=self._names, root=root, bare=True, **look
        )

    def _actions(self) -> list[tuple[int, str]]:
        """Return the legal actions: number and words. Those with several cards come first."""
        state = self._history.state
        actions = [(action, capital(self.words(state, action))) for action in self._game.legal(state)]
        return sorted(actions, key=lambda entry: -_cards_named(entry[1]))

    # What happened

    def _log(self) -> list[str]:
        """Return the last actions as text. Secret actions of one decision are one line, that of the last of them."""
        moves, lines = self._history.moves[-LOG:], list[str]()
        for past, then in itertools.zip_longest(moves, moves[1:]):
            quiet = is_quiet(self._game, past.before, past.action, past.after)
            if not quiet and (then is None or not self._goes_on(past, then)):
                lines.append(self._line(past))
            if self._history.ends_round(past) and (then or not self._session.waiting) and not past.after["over"][0]:
                lines.append(f"{capital(self._round)} {ending.rounds_finished(self._game, past.after) + 1}")
        return lines

    def _latest(self) -> list[tuple[int, str]]:
        """Return the last action of each other seat since the reader's own last action, or that one if none followed.

        A watcher sees the last action of every seat. An entry is a seat and a line.
        """
        latest: dict[int, str] = {}
        for past in reversed(self._history.moves[-LOG:]):
            if past.seat == self._seat and latest:
                break
            if past.seat not in latest and not is_quiet(self._game, past.before, past.action, past.after):
                latest[past.seat] = self._line(past)
            if past.seat == self._seat:
                break
        return list(latest.items())[::-1]

    def _goes_on(self, past: Move, then: Move) -> bool:
        """Return whether two actions are secret and belong to one decision of a seat."""
        same = past.seat == then.seat and past.before["phase"][0] == then.before["phase"][0]
        return same and is_secret(self._game, past.before, self._seat)

    def _line(self, past: Move) -> str:
        """Return an action and its effect as text, unless it was done in secret."""
        line = log_line(self._game, past, self._seat, self._names)
        return line if line.endswith("?") else f"{line}."

    # The end

    def _ending(self) -> Ending:
        """Return the result, the score sheet and the tally of a finished round or game."""
        session, game, history, names = self._session, self._game, self._history, self._names
        end, over = self._state(), history.is_over
        sheet = ending.score_sheet(game, history.scores, end, names, history.last_round)
        return Ending(
            verdict=ending.verdict(game, end, history.totals, self._seat, names)
            if over
            else ending.round_verdict(game, history.scores, end, names),
            result=session.news or (ending.others(game, history.totals, self._seat, names) if over else ""),
            sheet=sheet,
            scoring=scoring(game) if sheet.reasons else [],
            tally=session.tally.words(ending.team_names(game, names), session.first_team) if over else "",
            earlier=session.earlier,
            covered=self._pieces(self._seat) != self._pieces(None),
            same=session.is_alone and len(session.chairs) > 1,
        )

    def _pieces(self, seat: int | None) -> list[str]:
        """Return the pieces that a seat sees, in any order; None = all cards open."""
        return sorted(_PIECE.findall(self._svg(seat, "t")))


def _cards_named(words: str) -> int:
    """Return the number of cards that an action names after its verb, at least 1: 2 for "Play two 7s"."""
    number = words.split()[1:2]
    return NUMBERS.index(number[0]) if number and number[0] in NUMBERS[1:] else 1
