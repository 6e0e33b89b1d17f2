"""Hints: the best actions of the adviser, compared in equal samples, as sentences for a person."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.observation import Agent, Observation
from ..core.playouts import chosen
from ..matches.playing import ask
from ..opponents.search import Search
from .ending import round_word

COMPARED = 4  # number of actions that are compared
NAMED = 2  # number of alternatives that are named
SAMPLES = 96  # most sampled deals in which they are compared
PART = 24  # sampled deals after which the time is checked
SECONDS = 4.0  # a person waits: after this time no more deals are sampled
CLEAR = 2.0  # standard errors of a clear difference
Words = Callable[[int], str]


class Scale(NamedTuple):
    """The words and the unit of a value: `you win about 63 of 100 games from here`."""

    verb: str
    unit: str
    hundreds: bool  # values are shares, written as numbers of 100

    def number(self, value: float) -> str:
        """Return a value as text."""
        return f"{100 * max(value, 0):.0f}" if self.hundreds else f"{value:.2f}"  # ties leave tiny negative shares


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
        return int(legal[0]), f"{_upper(words(int(legal[0])))}. It is the only action now."
    if not isinstance(adviser, Search):
        action = int(ask(adviser, obs, rng)[0])
        return action, f"{_upper(words(action))}. The adviser follows rules of thumb here and has no numbers."
    comparison = compare(adviser, obs, rng)
    return comparison.actions[0], in_words(comparison, words, scale_of(adviser, obs.game))


def scale_of(adviser: Search, game: Game) -> Scale:
    """Return the scale of the adviser's values. A search with a horizon looks to the end of the round only."""
    horizon = f"after this {round_word(game) or 'part'}" if adviser.budget.horizon else ""
    if len(game.teams) == 1:
        return Scale("it brings", f"points {horizon or 'from here'}", hundreds=False)
    if len(game.teams) > 2:
        verb = f"{horizon} you are ahead of" if horizon else "you finish ahead of"
        return Scale(verb, f"% of the opponents{'' if horizon else ' from here'}", hundreds=True)
    verb = f"{horizon} you lead in" if horizon else "you win"
    return Scale(verb, f"of 100 games{'' if horizon else ' from here'}", hundreds=True)


def compare(adviser: Search, obs: Observation, rng: np.random.Generator) -> Comparison:
    """Return the adviser's candidates with their values in the same sampled deals, the best mean first."""
    scripted = chosen(obs.game, obs.known, obs.action_mask)
    candidates = adviser.candidates(obs.known, obs.action_mask, scripted, COMPARED)
    values = _sampled(adviser, obs, candidates, rng)
    order = [int(i) for i in np.argsort(-values.mean(axis=1), kind="stable") if candidates[0, i] >= 0]
    return Comparison([int(candidates[0, i]) for i in order], values[order])


def _sampled(
    adviser: Search, obs: Observation, candidates: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return the values of the candidates in SAMPLES deals, or in as many as the time allows, at least PART."""
    parts: list[npt.NDArray[np.float64]] = []
    until = time.monotonic() + SECONDS
    while not parts or (PART * len(parts) < SAMPLES and time.monotonic() < until):
        parts.append(adviser.compare(obs, np.zeros(1, np.int64), candidates, PART, rng)[0])
    return np.concatenate(parts, axis=1)


def in_words(comparison: Comparison, words: Words, scale: Scale) -> str:
    """Return a comparison as sentences: the best action with its value, and the next ones."""
    actions, values = comparison
    first, *others = [f"about {scale.number(row.mean())}" for row in values[: 1 + NAMED]]
    best = f"{_upper(words(actions[0]))}: {scale.verb} {first} {scale.unit}."
    if not others:
        return best
    rest = "; ".join(f"{words(action)}: {number}" for action, number in zip(actions[1:], others, strict=False))
    difference = _difference(values[: 1 + NAMED], same=len({first, *others}) == 1)
    reason = f"{difference} This was tried in {values.shape[1]} sampled deals."
    return f"{best} {_upper(rest)}. {reason}"


def _difference(values: npt.NDArray[np.float64], *, same: bool) -> str:
    """Return which of the named actions may be as good as the first, by their values in the same samples.

    `same`: their numbers are equal as text. Then points decide (`core.compiled.scoring.TIE`).
    """
    equal = [place for place, row in enumerate(values[1:], 2) if not _is_clear(values[0] - row)]
    if not equal and same:
        return "The numbers are equal, but the first ends with more points, or loses by fewer."
    if not equal:
        return "The first is better by more than chance explains."
    all_equal = len(equal) == len(values) - 1
    which = ("Both" if len(values) == 2 else "All three") if all_equal else "The first two"
    which = which if all_equal or equal == [2] else "The first and the third"
    return f"{which} may be equally good: the difference is within chance."


def _is_clear(gain: npt.NDArray[np.float64]) -> bool:
    """Return whether a mean difference is larger than chance explains."""
    return bool(gain.mean() > CLEAR * gain.std() / max(1, len(gain) - 1) ** 0.5)


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]
