"""Tables as text for language models: prompts, a tolerant parser of replies, and a plain environment of both.

Example::

    table = TextTable(tantra_envs.game("karma"), seat=0, opponents="scripted")
    turn = table.reset(seed=7)
    while not turn.done:
        turn = table.step(model(turn.prompt))

A prompt contains the rules, the actions since the seat's last turn, the table as the seat sees it, and its legal
actions. If a reply has no legal action, the next prompt explains why, and one retry is used up. After the last retry a
legal action is drawn at random.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import sentences
from ..core.asking import ask
from ..core.game import Game, as_seed, is_whole
from ..core.observation import Agent, Observation
from ..core.past import Past
from ..core.state import States
from ..matches.match import team_scores
from ..opponents import opponent

ASKED = "Reply with your action alone on the last line, in the words of the list."
LAST = 40  # largest number of the others' actions in a prompt
_MARKED = re.compile(r"\[([^\[\]]+)\]|`([^`]+)`|\*\*([^*]+)\*\*|<action>(.+?)</action>", re.IGNORECASE | re.DOTALL)
_SAYING = re.compile(
    r"^(?:(?:my |the |final |next )*(?:action|answer|move|reply)(?: is)?\s*[:=-]?|i (?:will |'ll )?)\s*", re.I
)
_BULLET = re.compile(r"^(?:[-*>•]+|\d+[.)])\s+")


class UnreadableError(ValueError):
    """Raised for a reply without a legal action. Its message explains to the model what is wrong."""


def rules(game: Game) -> str:
    """Return the rules of the game in plain text, and the options that differ from the defaults."""
    unusual = {name: value for name, value in game.options.changed(game.config).items() if name != game.cutoff}
    options = ", ".join(f"{name}={value}" for name, value in unusual.items())
    return game.rules_text + (f"\n\nPlayed here with {options}." if options else "")


def prompt(game: Game, state: States, seat: int, told: Sequence[str] = ()) -> str:
    """Return the prompt of the seat to decide: rules, past actions, the table (1,), the question, legal actions."""
    return f"{rules(game)}\n\n{turn_text(game, state, seat, told)}\n\n{ASKED}"


def turn_text(game: Game, state: States, seat: int, told: Sequence[str] = ()) -> str:
    """Return the prompt of the seat to decide at a table (1,), without rules and instructions for the reply."""
    legal = "\n".join(f"- {name}" for name in legal_names(game, state))
    done = "Since your last turn:\n" + "\n".join(told) + "\n\n" if told else ""
    you = f"You are seat {seat} of {game.players}."
    table = f"The table:\n{game.picture(state, seat)}"
    question = sentences.prompt(game, state, seat)
    return f"{you}\n\n{done}{table}\n\n{question}\nYou may:\n{legal}"


def legal_names(game: Game, state: States) -> list[str]:
    """Return the names of the legal actions at a table (1,), in the order of their numbers."""
    return [game.action_name(state, action) for action in game.legal(state)]


def result_text(game: Game, state: States, seat: int) -> str:
    """Return a finished table (1,) as `seat` sees it, and whether the game was truncated."""
    how = "was truncated" if state["truncated"][0] else "is over"
    return f"The game {how}.\n{game.picture(state, seat)}"


def action_line(game: Game, before: States, action: int, after: States, seat: int) -> str:
    """Return an action by its name, which replies may use, and its effect, as far as `seat` may know them.

    `before` and `after` are the table (1,) before and after the action.
    """
    secret = sentences.is_secret(game, before, seat)
    said = sentences.SECRETLY if secret else game.action_name(before, action)
    came = sentences.effect(game, before, action, after, seat)
    return f"seat {before['seat'][0]}: {said}{f' ({came})' if came else ''}"


def read_reply(game: Game, state: States, reply: str) -> int:
    """Return the legal action of the table `state`, shape (1,), that a reply names in its last line or marked word.

    Bullets, quotes, `[brackets]`, "Action:" and the like are ignored. So are words around the action if only one action
    is named.

    Raises:
        UnreadableError: The reply has no legal action. The message describes what is wrong.
    """
    names = {game.action_name(state, action).lower(): action for action in game.legal(state)}
    refused = ""
    for words in _candidates(reply):
        meaning = _meant(game, state, names, words)
        if isinstance(meaning, int):
            return meaning
        refused = refused or meaning
    problem = refused or "No action was found in your reply."
    raise UnreadableError(f"{problem} Legal now: {', '.join(legal_names(game, state))}.")


def _candidates(reply: str) -> list[str]:
    """Return the texts that can be the action, most likely first: marked words, then lines, each from the end."""
    marked = [" ".join(filter(None, groups)) for groups in _MARKED.findall(reply)]
    lines = [line for line in reply.splitlines() if line.strip()]
    plain = (_SAYING.sub("", _BULLET.sub("", words.strip())) for words in [*reversed(marked), *reversed(lines)])
    tidy = (" ".join(words.strip(" \t.,;:!\"'`*_()[]").lower().split()) for words in plain)
    return [words for words in tidy if words]


def _meant(game: Game, state: States, names: Mapping[str, int], words: str) -> int | str:
    """Return the action that the words name, or what is wrong with them; "" if they name no action."""
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
    """The result of a step of a `TextTable`."""

    prompt: str  # the next question; at the end the result
    seat: int  # the seat that is asked
    reward: float  # rewards of `seat` since its last turn; at the end `seat` is the first seat of the models
    done: bool
    rewards: dict[int, float] = field(default_factory=dict)  # at the end: the models' returns by seat
    scores: dict[int, float] = field(default_factory=dict)  # at the end: shares of opponents beaten, by seat
    error: str = ""  # why the last reply was not understood; `prompt` begins with this text
    drawn: bool = False  # whether the last action was drawn because no retry was left
    action: int | None = None  # the action of the models that led here; None = none


class TextTable:
    """One table where language models play one or several seats and an agent plays the others.

    Args:
        game: The game.
        seat: The seat of the models, or several.
        opponents: A name of `tantra_envs.opponents`, or an agent.
        retries: Number of extra replies for one decision, after a reply without a legal action.

    Raises:
        ValueError: An argument is not allowed.
    """

    def __init__(
        self, game: Game, seat: int | Sequence[int] = 0, opponents: str | Agent = "uniform", retries: int = 2
    ) -> None:
        seats = np.atleast_1d(np.array(seat, object)).tolist()
        right = bool(seats) and all(is_whole(j) and 0 <= j < game.players for j in seats)
        game.check("seat", seat, right, f"of 0..{game.players - 1}, one or several")
        game.check("retries", retries, is_whole(retries) and retries >= 0, "0, 1, 2, ..")
        self.game, self.seats, self.retries = game, tuple(map(int, seats)), int(retries)
        alone = set(self.seats) == set(range(game.players))  # nobody else plays
        opponents = "uniform" if alone else opponents
        self._others = opponent(opponents, game) if isinstance(opponents, str) else opponents
        self._state: States | None = None

    def reset(self, seed: int = 0) -> Turn:
        """Deal `game.new(seed)` and return the first turn. All other random numbers also follow from `seed`."""
        self._state = self.game.new(seed)
        self._rng = np.random.default_rng(as_seed(seed) % (1 << 64))
        self._paid = np.zeros(self.game.players)
        self._handed = self._paid.copy()  # the part of it that turns have reported
        self._heard = [0] * self.game.players  # number of moves up to a seat's own last one
        self._lines: list[list[str]] = []  # all actions so far, each as every seat may know it
        self._past = Past(self.game, 1)
        return self._go_on()

    def step(self, reply: str) -> Turn:
        """Play the action in the reply of the seat that was asked, and return the next turn.

        Raises:
            ValueError: `reset` has not been called, or the game is over.
        """
        state = self._running()
        try:
            action, drawn = read_reply(self.game, state, reply), False
        except UnreadableError as error:
            self._tries += 1
            if self._tries <= self.retries:
                problem = f"{error} Tries left: {self.retries - self._tries + 1}."
                return Turn(f"{problem}\n\n{self._prompt()}", self._asked, 0.0, False, error=problem)
            action, drawn = int(self._rng.choice(self.game.legal(state))), True
        self._play(action)
        return self._go_on(drawn, action)

    def observation(self) -> Observation:
        """Return what the seat that was asked sees, for an adviser or a judge. It stays valid when the game goes on."""
        return Observation(self.game, self._running().copy(), past=self._past.copy())

    def history(self, seat: int) -> list[str]:
        """Return all actions so far as text, with their effects, without what `seat` cannot know."""
        return [lines[seat] for lines in self._lines]

    def _running(self) -> States:
        if self._state is None or self._state["over"][0]:
            raise ValueError(f"{self.game.name}: no game is running; call reset() first")
        return self._state

    def _go_on(self, drawn: bool = False, action: int | None = None) -> Turn:
        """Play for the other seats until a seat of the models is to decide or the game is over."""
        state: Any = self._state
        while not state["over"][0] and int(state["seat"][0]) not in self.seats:
            self._play(int(ask(self._others, Observation(self.game, state, past=self._past), self._rng)[0]))
        over = bool(state["over"][0])
        self._asked = self.seats[0] if over else int(state["seat"][0])
        self._tries = 0
        seat, since = self._asked, self._paid - self._handed
        self._handed[seat] = self._paid[seat]
        rewards = {j: float(self._paid[j]) for j in self.seats} if over else {}
        scores = self._scores() if over and len(self.game.teams) > 1 else {}
        text = result_text(self.game, state, seat) if over else self._prompt()
        return Turn(text, seat, float(since[seat]), over, rewards, scores, drawn=drawn, action=action)

    def _scores(self) -> dict[int, float]:
        teams = team_scores(self._paid[self.game.team_representatives][None])[0]
        return {seat: float(teams[self.game.team_numbers[seat]]) for seat in self.seats}

    def _play(self, action: int) -> None:
        state: Any = self._state
        before = state.copy()
        self._past.note(state, np.zeros(1, np.int64), np.array([action]))
        self.game.apply_action(state, action)
        self._lines.append([action_line(self.game, before, action, state, seat) for seat in range(self.game.players)])
        self._heard[int(before["seat"][0])] = len(self._lines)
        self._paid += state["rewards"][0][: self.game.players]

    def _prompt(self) -> str:
        since = self.history(self._asked)[self._heard[self._asked] :]
        return prompt(self.game, self._running(), self._asked, since[-LAST:])
