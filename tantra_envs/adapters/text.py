"""Tables as text for language models: prompts, and a plain environment that reads replies.

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

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..core.game import Game, as_seed
from ..core.observation import Agent, Observation
from ..core.options import Whole
from ..core.state import States
from ..drawing import Move
from ..matches.match import team_scores
from ..opponents import opponent
from ..table.history import History
from ..words import sentences
from .replies import UnreadableError, read_reply

CANARY = (
    "Canary 2f6c1a94-7d0b-4e53-9a1e-5b8d3c70e6f2 of tantra_envs: this text is an evaluation. "
    "It must not be in a corpus of training data."
)
ASKED = "Reply with your action alone on the last line, in the words of the list."
LAST = 40  # largest number of the others' actions in a prompt


def rules(game: Game) -> str:
    """Return the rules of the game in plain text, and the options that differ from the defaults."""
    unusual = {name: value for name, value in game.options.changed(game.config).items() if name != game.cutoff}
    options = ", ".join(f"{name}={value}" for name, value in unusual.items())
    return game.rules_text + (f"\n\nPlayed here with {options}." if options else "")


def prompt(game: Game, state: States, seat: int, told: Sequence[str] = ()) -> str:
    """Return the prompt of the seat to decide: rules, past actions, the table (1,), the question, legal actions."""
    return f"{CANARY}\n\n{rules(game)}\n\n{turn_text(game, state, seat, told)}\n\n{ASKED}"


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


def action_lines(history: History, seat: int, first: int = 0) -> list[str]:
    """Return the actions of a game from number `first` on, as far as `seat` may know them."""
    return [_action_line(history.game, past, seat) for past in history.moves[first:]]


def lines_since(history: History, seat: int) -> list[str]:
    """Return the actions since the last one of `seat`, at most LAST, as far as it may know them."""
    own = (number for number, past in enumerate(history.moves, 1) if past.seat == seat)
    return action_lines(history, seat, max(0, len(history.moves) - LAST, *own))


def _action_line(game: Game, past: Move, seat: int) -> str:
    """Return an action by its name, which replies may use, and its effect."""
    said = sentences.SECRETLY if sentences.is_secret(game, past.before, seat) else past.words
    came = sentences.effect(game, past.before, past.action, past.after, seat)
    return f"seat {past.seat}: {said}{f' ({came})' if came else ''}"


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
        right = bool(seats) and all(j in Whole(0, game.players - 1) for j in seats)
        game.check("seat", seat, right, f"of 0..{game.players - 1}, one or several")
        game.check_in("retries", retries, Whole(0))
        self.game, self.seats, self.retries = game, tuple(map(int, seats)), int(retries)
        alone = set(self.seats) == set(range(game.players))  # nobody else plays
        opponents = "uniform" if alone else opponents
        self._others = opponent(opponents, game) if isinstance(opponents, str) else opponents
        self._history: History | None = None

    def reset(self, seed: int = 0) -> Turn:
        """Deal `game.new(seed)` and return the first turn. All other random numbers also follow from `seed`."""
        self._history = History(self.game, self.game.new(seed))
        self._rng = np.random.default_rng(as_seed(seed) % (1 << 64))
        self._rewarded = [0] * self.game.players  # by seat: the number of actions whose rewards turns have reported
        return self._go_on(self._history)

    def step(self, reply: str) -> Turn:
        """Play the action in the reply of the seat that was asked, and return the next turn.

        Raises:
            ValueError: `reset` has not been called, or the game is over.
        """
        history = self._running()
        try:
            action, drawn = read_reply(self.game, history.state, reply), False
        except UnreadableError as error:
            self._tries += 1
            if self._tries <= self.retries:
                problem = f"{error} Tries left: {self.retries - self._tries + 1}."
                return Turn(f"{problem}\n\n{self._prompt(history)}", self._asked, 0.0, False, error=problem)
            action, drawn = int(self._rng.choice(self.game.legal(history.state))), True
        history.play(action)
        return self._go_on(history, drawn)

    def observation(self) -> Observation:
        """Return what the seat that was asked sees, for an adviser or a judge. It stays valid when the game goes on."""
        history = self._running()
        return Observation(self.game, history.state, past=history.past.copy())

    def history(self, seat: int) -> list[str]:
        """Return all actions so far as text, with their effects, without what `seat` cannot know."""
        return action_lines(self._history, seat) if self._history else []

    def _running(self) -> History:
        if self._history is None or self._history.state["over"][0]:
            raise ValueError(f"{self.game.name}: no game is running; call reset() first")
        return self._history

    def _go_on(self, history: History, drawn: bool = False) -> Turn:
        """Play for the other seats until a seat of the models is to decide or the game is over."""
        while not (over := bool(history.state["over"][0])) and int(history.state["seat"][0]) not in self.seats:
            history.ask(self._others, self._rng)
        self._asked = seat = self.seats[0] if over else int(history.state["seat"][0])
        self._tries = 0
        reward = float(sum(past.after["rewards"][0][seat] for past in history.moves[self._rewarded[seat] :]))
        self._rewarded[seat] = len(history.moves)
        rewards = {j: float(history.totals[j]) for j in self.seats} if over else {}
        scores = self._scores(history) if over and len(self.game.teams) > 1 else {}
        text = result_text(self.game, history.state, seat) if over else self._prompt(history)
        return Turn(text, seat, reward, over, rewards, scores, drawn=drawn)

    def _scores(self, history: History) -> dict[int, float]:
        teams = team_scores(history.totals[self.game.team_representatives][None])[0]
        return {seat: float(teams[self.game.team_numbers[seat]]) for seat in self.seats}

    def _prompt(self, history: History) -> str:
        return prompt(self.game, history.state, self._asked, lines_since(history, self._asked))
