"""Hints: the best actions of the adviser, compared in equal samples, as sentences for a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.observation import Agent, Observation
from ..matches.playing import ask
from ..opponents.search import Search
from .ending import round_word

COMPARED = 4  # number of actions that are compared
NAMED = 2  # number of alternatives that are named
SAMPLES = 96  # sampled deals in which they are compared
CLEAR = 2.0  # standard errors of a clear difference
Words = Callable[[int], str]


class Scale(NamedTuple):
    """The words and the unit of a value: `you win about 63 of 100 games from here`."""

    verb: str
    unit: str
    hundreds: bool  # values are shares, written as numbers of 100

    def number(self, value: float) -> str:
        """Return a value as text."""
        return f"{100 * value:.0f}" if self.hundreds else f"{value:.2f}"


class Comparison(NamedTuple):
    """Actions and their values in the same samples, the best action first."""

    actions: list[int]
    values: npt.NDArray[np.float64]  # (actions, samples)


def advise(adviser: Agent, obs: Observation, rng: np.random.Generator, words: Words) -> tuple[int, str]:
    """Return the best action for the seat to decide, and why, as text.

    Args:
        adviser: The agent that is asked. A search compares its best actions in equal samples.
        obs: The observation of one table.
        rng: Decides the samples.
        words: Returns the words of an action.
    """
    legal = np.flatnonzero(obs.action_mask[0])
    if len(legal) == 1:
        return int(legal[0]), f"{_upper(words(int(legal[0])))}. It is the only thing you can do."
    if not isinstance(adviser, Search):
        action = int(ask(adviser, obs, rng)[0])
        return action, f"{_upper(words(action))}. The adviser follows rules of thumb here and has no numbers."
    comparison = compare(adviser, obs, rng)
    return comparison.actions[0], in_words(comparison, words, scale_of(adviser, obs.game))


def scale_of(adviser: Search, game: Game) -> Scale:
    """Return the scale of the adviser's values. A search with a horizon looks to the end of the round only."""
    until = f"at the end of this {round_word(game) or 'part'}" if adviser.budget.horizon else "from here"
    if len(game.teams) == 1:
        return Scale("it brings", f"points {until}", hundreds=False)
    if len(game.teams) > 2:
        return Scale("you finish ahead of", f"of 100 opponents {until}", hundreds=True)
    return Scale("you are ahead in" if adviser.budget.horizon else "you win", f"of 100 games {until}", hundreds=True)


def compare(adviser: Search, obs: Observation, rng: np.random.Generator) -> Comparison:
    """Return the adviser's candidates with their values in the same sampled deals, the best mean first."""
    scripted = obs.game.scripted.choose(obs.game, obs.known, obs.action_mask)
    candidates = adviser.candidates(obs.known, obs.action_mask, scripted, COMPARED)
    values = adviser.compare(obs, np.zeros(1, np.int64), candidates, SAMPLES, rng)[0]
    order = [int(i) for i in np.argsort(-values.mean(axis=1), kind="stable") if candidates[0, i] >= 0]
    return Comparison([int(candidates[0, i]) for i in order], values[order])


def in_words(comparison: Comparison, words: Words, scale: Scale) -> str:
    """Return a comparison as sentences: the best action with its value, and the next ones."""
    actions, values = comparison
    first, *others = [f"about {scale.number(row.mean())}" for row in values[: 1 + NAMED]]
    best = f"{_upper(words(actions[0]))}: {scale.verb} {first} {scale.unit}."
    if not others:
        return best
    rest = "; ".join(f"{words(action)}: {number}" for action, number in zip(actions[1:], others, strict=False))
    return f"{best} {_upper(rest)}. {_difference(values[0] - values[1])}"


def _difference(gain: npt.NDArray[np.float64]) -> str:
    """Return whether the best action is clearly better than the second, by their values in the same samples."""
    error = gain.std() / max(1, len(gain) - 1) ** 0.5
    return "The first is surely better." if gain.mean() > CLEAR * error else "The first two may be equally good."


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]
