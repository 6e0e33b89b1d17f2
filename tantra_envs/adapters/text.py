"""A table in words for language models: prompts, replies read with mercy, and a plain environment of both.

    table = TextTable(tantra_envs.game("karma"), seat=0, opponents="scripted")
    turn = table.reset(seed=7)
    while not turn.done:
        turn = table.step(model(turn.prompt))

A prompt holds the rules, what was done since the seat's last turn, the table as the seat sees it and its legal
actions, all in words. A reply that names no legal action is answered with what is wrong, and costs a retry; when there
are none left, a legal action is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import drawing
from ..core.game import Game, as_seed, is_whole
from ..core.observation import Agent, Observation
from ..core.past import Past
from ..core.state import States
from ..drawing.table import words_for
from ..matches.playing import ask
from ..opponents import opponent

ASKED = "Reply with your action alone on the last line, in the words of the list."
LAST = 40  # actions of the others that a prompt tells at most
_MARKED = re.compile(r"\[([^\[\]]+)\]|`([^`]+)`|\*\*([^*]+)\*\*|<action>(.+?)</action>", re.IGNORECASE | re.DOTALL)
_SAYING = re.compile(
    r"^(?:(?:my |the |final |next )*(?:action|answer|move|reply)(?: is)?\s*[:=-]?|i (?:will |'ll )?)\s*", re.I
)
_BULLET = re.compile(r"^(?:[-*>•]+|\d+[.)])\s+")


class UnreadableError(ValueError):
    """A reply in which no legal action was found; its words say why, to whoever wrote it."""


def rules(game: Game) -> str:
    """Return the rules of the game in plain text, and the options that are not as usual."""
    unusual = {name: value for name, value in game.options.changed(game.config).items() if name != game.cutoff}
    options = ", ".join(f"{name}={value}" for name, value in unusual.items())
    return game.rules_text + (f"\n\nPlayed here with {options}." if options else "")


def prompt(game: Game, state: States, seat: int, told: Sequence[str] = ()) -> str:
    """Return what the seat to decide is asked: rules, past actions, the table as it sees it, and its legal actions."""
    legal = "\n".join(f"- {game.action_name(state, action)}" for action in game.legal(state))
    done = "Since your last turn:\n" + "\n".join(told) + "\n\n" if told else ""
    you = f"You are seat {seat} of {game.players}."
    return f"{rules(game)}\n\n{you}\n\n{done}The table:\n{game.picture(state, seat)}\n\nYou may:\n{legal}\n\n{ASKED}"


def read_reply(game: Game, state: States, reply: str) -> int:
    """The legal action a reply means: the last line or marked word that names one.

    Bullets, quotes, `[brackets]`, "Action:" and the like are forgiven, and words around the action where only one is
    named. UnreadableError says what is wrong.
    """
    names = {game.action_name(state, action).lower(): action for action in game.legal(state)}
    refused = ""
    for words in _candidates(reply):
        found = _meant(game, state, names, words)
        if isinstance(found, int):
            return found
        refused = refused or found
    told = refused or "No action was found in your reply."
    raise UnreadableError(f"{told} Legal now: {', '.join(names)}. {ASKED}")


def _candidates(reply: str) -> list[str]:
    """What may be the action, the likeliest first: marked words and lines, the last before the first."""
    marked = [" ".join(filter(None, groups)) for groups in _MARKED.findall(reply)]
    lines = [line for line in reply.splitlines() if line.strip()]
    plain = (_SAYING.sub("", _BULLET.sub("", words.strip())) for words in [*reversed(marked), *reversed(lines)])
    tidy = (" ".join(words.strip(" \t.,;:!\"'`*_()[]").lower().split()) for words in plain)
    return [words for words in tidy if words]


def _meant(game: Game, state: States, names: Mapping[str, int], words: str) -> int | str:
    """The action that the words name, or what is wrong with them; "" if they name none."""
    if words in names:
        return names[words]
    try:
        action = game.parse_action(state, words)
    except (ValueError, IndexError):
        action = -1
    if action in names.values():
        return action
    if action >= 0:
        return f"{words!r} is not legal now."
    inside = [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", words)]
    longest = [name for name in inside if not any(name != other and name in other for other in inside)]
    if len(longest) == 1:
        return names[longest[0]]
    return f"Several actions are named: {', '.join(longest)}." if longest else ""


@dataclass(frozen=True)
class Turn:
    """What a step of a `TextTable` answers."""

    prompt: str  # what is asked now; how it ended, once done
    seat: int  # who is asked
    reward: float  # paid to `seat` since its last turn; when done `seat` is the first of the models'
    done: bool
    rewards: dict[int, float] = field(default_factory=dict)  # when done: all that each seat of the models' was paid
    error: str = ""  # why the last reply was not understood, in the words that `prompt` begins with
    drawn: bool = False  # was the last action drawn, as no retry was left?


class TextTable:
    """One table with one or several seats for language models, the others played by an agent.

    seat: an index, or several. opponents: a name of `tantra_envs.opponents`, or an agent. retries: replies more that
    may be given for a decision after one that names no legal action. ValueError for what cannot be.
    """

    def __init__(
        self, game: Game, seat: int | Sequence[int] = 0, opponents: str | Agent = "uniform", retries: int = 2
    ) -> None:
        seats = np.atleast_1d(np.array(seat, object)).tolist()
        right = bool(seats) and all(is_whole(j) and 0 <= j < game.players for j in seats)
        game.check("seat", seat, right, f"of 0..{game.players - 1}, one or several")
        game.check("retries", retries, is_whole(retries) and retries >= 0, "0, 1, 2, ..")
        self.game, self.seats, self.retries = game, tuple(map(int, seats)), int(retries)
        self._others = opponent(opponents, game) if isinstance(opponents, str) else opponents
        self._secret = drawing.drawings.module(game).SECRET if drawing.is_drawn(game) else frozenset(game.phases)
        self._state: States | None = None

    def reset(self, seed: int = 0) -> Turn:
        """Deal `game.new(seed)`; all chance beside the deal follows from `seed` as well."""
        self._state = self.game.new(seed)
        self._rng = np.random.default_rng(as_seed(seed) % (1 << 64))
        self._paid = np.zeros(self.game.players)
        self._handed = self._paid.copy()  # of that, what turns have told
        self._heard = [0] * self.game.players  # how many of the moves a seat knows from its own last turn
        self._moves: list[drawing.Move] = []
        self._past = Past(self.game, 1)
        return self._go_on()

    def step(self, reply: str) -> Turn:
        """Take the reply of the seat that was asked. ValueError before `reset` and when the game is over."""
        state = self._running()
        try:
            action, drawn = read_reply(self.game, state, reply), False
        except UnreadableError as error:
            self._tries += 1
            if self._tries <= self.retries:
                told = f"{error} Tries left: {self.retries - self._tries + 1}."
                return Turn(f"{told}\n\n{self._prompt()}", self._asked, 0.0, False, error=told)
            action, drawn = int(self._rng.choice(self.game.legal(state))), True
        self._play(action)
        return self._go_on(drawn)

    def history(self, seat: int) -> list[str]:
        """All that was done so far, in words that `seat` may know."""
        return [f"seat {past.seat}: {words_for(seat, past, self._secret)}" for past in self._moves]

    def _running(self) -> States:
        if self._state is None or self._state["over"][0]:
            raise ValueError(f"{self.game.name}: no game is running; call reset() first")
        return self._state

    def _go_on(self, drawn: bool = False) -> Turn:
        """Let the others play until a seat of the models' decides, or all is over."""
        state: Any = self._state
        while not state["over"][0] and int(state["seat"][0]) not in self.seats:
            self._play(int(ask(self._others, Observation(self.game, state, past=self._past), self._rng)[0]))
        over = bool(state["over"][0])
        self._asked = self.seats[0] if over else int(state["seat"][0])
        self._tries = 0
        seat, since = self._asked, self._paid - self._handed
        self._handed[seat] = self._paid[seat]
        rewards = {j: float(self._paid[j]) for j in self.seats} if over else {}
        return Turn(self._ending() if over else self._prompt(), seat, float(since[seat]), over, rewards, drawn=drawn)

    def _play(self, action: int) -> None:
        state: Any = self._state
        move = drawing.move(self.game, state, action)
        self._moves.append(move)
        self._past.note(state, np.zeros(1, np.int64), np.array([action]))
        self._heard[move.seat] = len(self._moves)
        self.game.apply_action(state, action)
        self._paid += state["rewards"][0][: self.game.players]

    def _prompt(self) -> str:
        since = self.history(self._asked)[self._heard[self._asked] :]
        return prompt(self.game, self._running(), self._asked, since[-LAST:])

    def _ending(self) -> str:
        state: Any = self._state
        how = "was cut off" if state["truncated"][0] else "is over"
        return f"The game {how}.\n{self.game.picture(state, self._asked)}"
