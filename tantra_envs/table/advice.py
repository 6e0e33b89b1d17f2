"""Hints: the best actions of the adviser, compared in equal samples, as sentences for a person."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.asking import ask, failures_of
from ..core.game import Game
from ..core.observation import Agent, Observation
from ..opponents.choosing import Tries, best_first, steps_to_best
from ..opponents.search import Search
from ..words import sentences
from ..words.english import capital
from .ending import is_one_round, is_puzzle, round_word

COMPARED = 4  # number of actions that are compared
NAMED = 2  # number of alternatives that are named
SAMPLES = 96  # most sampled deals in which they are compared
PART = 24  # sampled deals after which the time is checked
SECONDS = 4.0  # a person waits: after this time no more deals are sampled
CLEAR = 2.0  # standard errors of a clear difference
LEAST_SHARE = 0.005  # probabilities below are not shown as 0 %
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
    """Actions and their values in the same samples: the search's choice, then the others by value."""

    actions: list[int]
    values: npt.NDArray[np.float64]  # (actions, samples)
    scripted: int = 0  # place of the scripted agent's action
    last: bool = False  # the first is the last action of the team, with the best result in every sample
    ends: bool = False  # it ends the game for all
    prior: npt.NDArray[np.float64] | None = None  # probabilities (actions,), if the search weighs them with the values


def advise(
    adviser: Agent,
    obs: Observation,
    rng: np.random.Generator,
    words: Words,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[int, str]:
    """Return the best action for the seat to decide, and why, as text.

    Args:
        adviser: The agent that is asked. A search compares its best actions in equal samples.
        obs: The observation of one table.
        rng: Decides the samples.
        words: Returns the words of an action.
        stopped: Returns whether nobody waits for the advice any more. Then no more deals are sampled.
    """
    legal = np.flatnonzero(obs.action_mask[0])
    if len(legal) == 1:
        return int(legal[0]), f"{capital(words(int(legal[0])))}. It is the only action now."
    own = sentences.module(obs.game)
    rules = f"rules of thumb: {own.THUMB}" if own else "rules of thumb"
    rules = "the trained agent" if isinstance(adviser, Search) and adviser.by_network else rules
    if not isinstance(adviser, Search):
        action = int(ask(adviser, obs, rng)[0])
        return action, f"{capital(words(action))}. There are no numbers here, so this hint follows {rules}."
    with failures_of(adviser.name):
        comparison = compare(adviser, obs, rng, stopped)
    if is_puzzle(obs.game):
        return comparison.actions[0], of_puzzle(comparison, words)
    return comparison.actions[advised(comparison)], in_words(comparison, words, scale_of(adviser, obs.game), rules)


def of_puzzle(comparison: Comparison, words: Words) -> str:
    """Return a comparison of actions in a puzzle, where nothing is hidden and a try solves it or does not."""
    solved = [bool((row >= 1).any()) for row in comparison.values]
    first, *others = (words(action) for action in comparison.actions)
    tries = f"in {comparison.values.shape[1]} tries"
    if not solved[0]:
        return f"No solution was found from here {tries}. You can take tiles back."
    named = [f"{other}: {'also possible' if good else f'no solution was found {tries}'}"
             for other, good in list(zip(others, solved[1:], strict=True))[:NAMED]]  # fmt: skip
    return " ".join([f"{capital(first)}: the puzzle can still be solved.", *(f"{capital(line)}." for line in named)])


def scale_of(adviser: Search, game: Game) -> Scale:
    """Return the scale of the adviser's values. A search with a horizon looks to the end of the round only."""
    horizon = "" if looks_to_the_end(adviser, game) else f"after this {round_word(game) or 'part'}"
    if len(game.teams) == 1:
        return Scale("it brings", f"points {horizon or 'from here'}", hundreds=False)
    if len(game.teams) > 2:
        verb = f"{horizon} you are ahead of" if horizon else "you finish ahead of"
        return Scale(verb, f"% of the opponents{'' if horizon else ' from here'}", hundreds=True)
    verb = f"{horizon} you lead in" if horizon else "you win"
    return Scale(verb, f"of 100 games{'' if horizon else ' from here'}", hundreds=True)


def looks_to_the_end(adviser: Search, game: Game) -> bool:
    """Return whether the adviser's values are those of the whole game, and not of the round only."""
    return not adviser.budget.horizon or adviser.budget.leaf == "value" or is_one_round(game)


def compare(
    adviser: Search, obs: Observation, rng: np.random.Generator, stopped: Callable[[], bool] = lambda: False
) -> Comparison:
    """Return the adviser's candidates with their values in the same sampled deals, in the order of search."""
    usual, rows, sampled = adviser.proposals(obs), np.zeros(1, np.int64), obs.determinize(1, rng)
    candidates = adviser.candidates(obs, rows, usual, COMPARED, sampled)
    tries = _sampled(adviser, obs, candidates, rng, stopped)
    values, steps = tries.values[0], steps_to_best(tries, len(obs.game.teams))[0]
    order = [int(i) for i in best_first(values.mean(axis=1), steps) if candidates[0, i] >= 0]
    if adviser.budget.eta:
        first = int(adviser.best(obs, rows, candidates, tries)[0])
        order.sort(key=lambda i: i != first)
    actions = [int(candidates[0, i]) for i in order]
    prior = adviser.priors(obs)[0, actions] if adviser.budget.eta else None
    obs.game.apply_action(sampled, actions[0])
    last, ends = bool(steps[order[0]] == 0), bool(sampled["over"][0])
    return Comparison(actions, values[order], order.index(0), last, ends, prior)


def _sampled(
    adviser: Search,
    obs: Observation,
    candidates: npt.NDArray[np.int64],
    rng: np.random.Generator,
    stopped: Callable[[], bool],
) -> Tries:
    """Return the playouts of the candidates in SAMPLES deals, or in as many as the time allows, at least PART."""
    parts: list[Tries] = []
    until = time.monotonic() + SECONDS
    while not parts or (PART * len(parts) < SAMPLES and time.monotonic() < until and not stopped()):
        parts.append(adviser.compare(obs, np.zeros(1, np.int64), candidates, PART, rng))
    return Tries(*(np.concatenate(arrays, axis=2) for arrays in zip(*parts, strict=True)))


def in_words(comparison: Comparison, words: Words, scale: Scale, rules: str = "rules of thumb") -> str:
    """Return a comparison as sentences: the advised action with its value, and the next ones if one may be better.

    `rules`: the rules that decide if chance explains all differences.
    """
    actions, values = comparison.actions, comparison.values
    numbers = [f"about {scale.number(row.mean())}" for row in values]
    place = advised(comparison)
    best = f"{capital(words(actions[place]))}: {scale.verb} {numbers[place]} {scale.unit}."
    tried = f"{values.shape[1]} sampled deals"
    if comparison.last:
        why = "It ends the game" if comparison.ends else "Then you have nothing more to decide"
        return f"{best} {why}, and no other action had a better result in {tried}."
    if place == comparison.scripted and _is_undecided(comparison):
        return f"{best} No other action was clearly better in {tried}, so this hint follows {rules}."
    named = slice(1, 1 + NAMED)
    others = [f"{words(action)}: {number}" for action, number in zip(actions[named], numbers[named], strict=True)]
    difference = _preference(comparison) or _difference(values[: 1 + NAMED], same=len(set(numbers[: 1 + NAMED])) == 1)
    return f"{best} {capital('; '.join(others))}. {difference} This was tried in {tried}."


def advised(comparison: Comparison) -> int:
    """Return the place of the advised action: the first, or that of the scripted agent if none is clearly better.

    A first action that is the last one, with the best result, needs no other reason. The order of a search that weighs
    probabilities favours the action of the trained agent already.
    """
    by_values = comparison.prior is None and not comparison.last
    return comparison.scripted if by_values and _is_undecided(comparison) else 0


def _is_undecided(comparison: Comparison) -> bool:
    """Return whether chance explains the differences of all actions that would be named, and of the scripted one."""
    equal = {0, *_as_good(comparison.values)}
    named = {comparison.scripted, *range(len(comparison.values))[: 1 + NAMED]}
    return equal >= named and not _preference(comparison)


def _preference(comparison: Comparison) -> str:
    """Return why the first action comes before a named one with a clearly higher value, or "" if there is none."""
    values, prior = comparison.values[: 1 + NAMED], comparison.prior
    place = next((place for place, row in enumerate(values[1:], 1) if _is_clear(row - values[0])), None)
    if place is None or prior is None:
        return ""
    shares = [f"{100 * share:.0f} %" if share >= LEAST_SHARE else "below 1 %" for share in prior]
    number = "second" if place == 1 else "third"
    return f"The {number} has a higher number, but the trained agent prefers the first: {shares[0]} to {shares[place]}."


def _as_good(values: npt.NDArray[np.float64]) -> list[int]:
    """Return the places of the other actions that may be as good as the first, by their values in the same samples."""
    return [place for place, row in enumerate(values[1:], 1) if not _is_clear(values[0] - row)]


def _difference(values: npt.NDArray[np.float64], *, same: bool) -> str:
    """Return which of the named actions may be as good as the first.

    `same`: their numbers are equal as text. Then points decide (`core.compiled.scoring.TIE`), or the shorter way.
    """
    equal = _as_good(values)
    if not equal and same:
        return "The numbers are equal, but the first ends sooner, with more points, or loses by fewer."
    if not equal:
        return "The first is better by more than chance explains."
    which = "All three" if len(equal) == NAMED else "The first two" if equal == [1] else "The first and the third"
    return f"{which} may be equally good: the difference is within chance."


def _is_clear(gain: npt.NDArray[np.float64]) -> bool:
    """Return whether a mean difference is larger than chance explains."""
    return bool(gain.mean() > CLEAR * gain.std() / max(1, len(gain) - 1) ** 0.5)
