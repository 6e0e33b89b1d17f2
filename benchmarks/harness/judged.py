"""Value recorded decisions: the action that was played, the judge's action and some others, in the same sampled deals.

Everything hidden from the seat to decide is sampled uniformly from all that fits its view, the same for all actions. In
each sampled deal every candidate is played, and then the judge plays on in every seat. The value of an action is the
expected score of the team that decides. The judge is an agent: its blind spots are those of the values.

The value of the judge's action less that of the action that was played is the loss of a decision. Nothing is chosen by
the values, so it is unbiased. If the judge plays the other seats too, the sum over a game is the expected score of the
judge less that of the agent.

The best of several averages is often only lucky. So one half of the sampled deals chooses the best action, and the
other half measures it. Then the halves change roles, and the mean of both counts. The expected advantage of the best
action is 0 if no action matters. If actions are close, it is too small rather than too large, because the chosen action
is not always the best one. Kingmaking (`decided`) is measured by halves, too.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from tantra_envs import Agent, Game, Observation
from tantra_envs.core.asking import ask
from tantra_envs.core.playouts import Playouts, Policy, ScriptedPolicy
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import Bools, Ints, Transitions
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.networks import ArgmaxAgent
from tantra_envs.opponents.scripted import Scripted

from .figures import Floats
from .records import Record, replay

CANDIDATES = 12  # most actions to try at a decision; of more legal ones, the best rated half of them, the others drawn
ERRORS = 2.0  # standard errors by which an action must be better to be clearly better
ROUNDING = 1e-9  # differences of equal scores
ROOM = 1 << 26  # bytes of tables that are played at once
OWN = 0.05  # largest loss of the own expected score by an action that is as good as the best one
FEWEST = 3  # teams, so that there are two others
CHOSEN = 1e300  # rating of the judge's action: the next one after the action that was played
VALUES = ("played", "advised_value", "error", "best", "mean", "clear_mean", "king")


class Candidates(NamedTuple):
    """The actions to try at k decisions, shape (k, c) each. The first is the action that was played.

    Attributes:
        actions: The actions, -1 where there are fewer.
        weights: The weights with which the values of the actions add up to that of a random legal one.
        drawn: True for an action that represents others, which were not drawn.
    """

    actions: Ints
    weights: Floats
    drawn: Bools


def valued(
    game: Game,
    judge: Agent,
    states: States,
    paid: Floats,
    played: Ints,
    samples: int,
    rng: np.random.Generator,
    most: int = CANDIDATES,
    advised: Ints | None = None,
) -> pl.DataFrame:
    """Return a row for each decision at tables (n,); all columns but `phase` and `choice` are null for forced ones.

    Columns:
        phase: name of the phase of the game
        choice: whether two or more actions were legal
        advised: the action of the judge
        played, advised_value: values of the action that was played, and of the judge's action
        error: standard error of their difference
        best: value of the best action, which other samples have chosen
        mean: value of a random legal action, which may be the best
        clear_mean: whether the best action is clearly better than a random one, as the mean over both halves
        king: whether the decision is kingmaking, likewise; null unless the team is the last of three or more

    The judge plays on in `samples` sampled deals of each table after `most` actions at most. `paid` are the rewards of
    all seats so far, (n, players). Without its actions `advised` the judge is asked.
    """
    masks = Observation(game, states).action_mask
    choice = masks.sum(axis=1) > 1
    rows = np.flatnonzero(choice)
    values = {name: np.full(len(states), np.nan) for name in VALUES}
    judged = np.full(len(states), -1)
    if len(rows):
        judged[rows] = advices(game, judge, states[rows]) if advised is None else advised[rows]
        ratings = _ratings(game, judge, states[rows], most)
        many = np.flatnonzero(masks[rows].sum(axis=1) > most)
        ratings[many, judged[rows[many]]] = CHOSEN
        ratings[np.arange(len(rows)), played[rows]] = np.inf
        tried = candidates(ratings, rng, most)
        for part in in_parts(game, len(rows), samples * (tried.actions.shape[1] + 1)):
            some, at = Candidates(tried.actions[part], tried.weights[part], tried.drawn[part]), rows[part]
            scores = action_scores(game, judge, states[at], paid[at], some.actions, samples, rng)
            teams = np.array(game.team_numbers)[states["seat"][at].astype(np.int64)]
            own = scores[np.arange(len(at)), :, :, teams]
            other = (some.actions == judged[at][:, None]).argmax(axis=1)
            for name, column in {**compared(own, other), **measured(own, some)}.items():
                values[name][at] = column
            values["king"][at] = decided(scores, teams, some.actions >= 0)
    phases = np.array(game.phases)[states["phase"].astype(np.int64)]
    advice = pl.Series(judged).replace(-1, None)
    columns: dict[str, Any] = {"phase": phases, "choice": choice.astype(np.float64), "advised": advice, **values}
    return pl.DataFrame(columns).with_columns(pl.col(*VALUES).fill_nan(None))


def tables_at(record: Record, games: Ints, plies: Ints) -> tuple[States, Floats, Ints]:
    """Return the tables (n,) of games at the actions with these numbers, all rewards so far, and the actions."""
    states, actions = record.game.blanks(len(games)), np.zeros(len(games), np.int64)
    paid, so_far = np.zeros((len(games), record.game.players)), np.zeros((len(record.games), record.game.players))

    def observe(t: Transitions) -> None:
        places = np.full(len(so_far), -1)
        places[t.rows] = np.arange(len(t.rows))
        at = places[games]
        now = np.flatnonzero((at >= 0) & (t.before["plies"][at] == plies))
        states[now], actions[now], paid[now] = t.before[at[now]], t.actions[at[now]], so_far[games[now]]
        so_far[t.rows] += t.after["rewards"][:, : t.game.players]

    replay(record, observe)
    return states, paid, actions


def advices(game: Game, judge: Agent, states: States) -> Ints:
    """Return the judge's actions at tables (n,)."""
    return np.asarray(ask(judge, Observation(game, states), np.random.default_rng(0)))


def in_parts(game: Game, n: int, copies: int) -> list[Ints]:
    """Return the numbers of n tables in parts whose copies fit into memory."""
    return np.array_split(np.arange(n), min(n, -(-n * copies * game.blank.dtype.itemsize // ROOM)))


def _ratings(game: Game, agent: Agent, states: States, most: int) -> Floats:
    """Return ratings of all actions (k, actions): logits of a network, or of the scripted agent; -inf if illegal."""
    obs = Observation(game, states)
    if obs.action_mask.sum(axis=1).max() <= most or game.player is None:
        return np.where(obs.action_mask, 0.0, -np.inf)
    if isinstance(agent, ArgmaxAgent):
        return np.asarray(agent.logits(obs).astype(np.float64))
    return np.asarray(Playouts(game).rate(obs.known, obs.action_mask))


def candidates(ratings: Floats, rng: np.random.Generator, most: int = CANDIDATES) -> Candidates:
    """Return the actions to try: all legal ones, or of many the best rated, and others drawn at random.

    Ratings (k, actions) are -inf for illegal actions, and inf for the one that was played.
    """
    rated = max(2, most // 2)
    legal = np.isfinite(ratings) | (ratings == np.inf)
    counts = legal.sum(axis=1, keepdims=True)
    ranks = np.argsort(np.argsort(-ratings, axis=1, kind="stable"), axis=1)
    keys = np.where(ranks < rated, ranks, rated + rng.random(ratings.shape))
    keys[~legal] = np.inf
    actions = np.argsort(keys, axis=1, kind="stable")[:, : min(most, int(counts.max()))]
    actions = np.where(np.take_along_axis(legal, actions, axis=1), actions, -1)
    others = np.arange(actions.shape[1]) >= rated
    each = (counts - rated) / np.maximum(1, np.minimum(counts, most) - rated)  # legal actions for each drawn one
    weights = np.where(others, each, 1.0) / counts * (actions >= 0)
    return Candidates(actions, weights, others & (counts > most))


def action_scores(
    game: Game, agent: Agent, states: States, paid: Floats, actions: Ints, playouts: int, rng: np.random.Generator
) -> Floats:
    """Return the scores of all teams after actions (k, c), -1 = none, in the same deals: (k, c, playouts, teams).

    The agent plays on in every seat. `paid` are the rewards of all seats so far, (k, players).
    """
    seats = states["seat"].astype(np.int64)
    seeds: Ints = rng.integers(np.iinfo(np.int64).max, size=len(states) * playouts, dtype=np.int64)
    deals = np.repeat(states, playouts)
    game.drivers.redeal_rows(deals, seeds, np.repeat(seats, playouts))
    tables, columns = np.nonzero(actions >= 0)
    copies = deals.take((tables[:, None] * playouts + np.arange(playouts)).ravel())
    game.drivers.apply_rows(copies, np.arange(len(copies)), np.repeat(actions[tables, columns], playouts))
    totals = np.repeat(paid[tables], playouts, axis=0) + copies["rewards"][:, : game.players]
    totals += _play_on(game, agent, copies, rng)
    scores = np.zeros((*actions.shape, playouts, len(game.teams)))
    played = team_scores(totals[:, game.team_representatives])
    scores[tables, columns] = played.reshape(-1, playouts, len(game.teams))
    return scores


def _play_on(game: Game, agent: Agent, states: States, rng: np.random.Generator) -> Floats:
    """Play the tables (n,) to the end with the agent in every seat, and return the rewards (n, players)."""
    if policy := _policy(game, agent):
        return Playouts(game, policy).run(states)
    rewards = np.zeros((len(states), game.players))
    while len(live := np.flatnonzero(states["over"] == 0)):
        actions = ask(agent, Observation(game, states, live, vouched=True), rng)
        game.drivers.apply_rows(states, live, actions)
        rewards[live] += states["rewards"][live, : game.players]
    return rewards


def _policy(game: Game, agent: Agent) -> Policy | None:
    """Return the agent as the policy of playouts, or None if compiled loops cannot play for it."""
    if isinstance(agent, LearnedAgent) and not agent.temperature:
        with contextlib.suppress(ValueError):  # the network is too large
            return agent.policy()
    return ScriptedPolicy(game) if isinstance(agent, Scripted) and agent.plays_in(game) else None


def compared(values: Floats, advised: Ints) -> dict[str, Floats]:
    """Return the values of the first and of the `advised` action, (k,) each, and the error of their difference."""
    played, other = values[:, 0], values[np.arange(len(values)), advised]
    error = (other - played).std(axis=1, ddof=1) / np.sqrt(played.shape[1])
    return {"played": played.mean(axis=1), "advised_value": other.mean(axis=1), "error": error}


def measured(values: Floats, tried: Candidates) -> dict[str, Floats]:
    """Return the columns of `valued` about the best action from values (k, c, samples), (k,) each."""
    return dict(zip(("best", "mean", "clear_mean"), _over_halves(_measured, values, tried), strict=True))


def _over_halves(measure: Callable[..., Any], values: Floats, *more: Any) -> Floats:
    """Return the mean of what is measured if one half of the samples (axis 2) chooses, and if the other half does."""
    halves = values[:, :, ::2], values[:, :, 1::2]
    return np.asarray(np.mean([measure(*roles, *more) for roles in (halves, halves[::-1])], axis=0))


def _measured(choosing: Floats, measuring: Floats, tried: Candidates) -> tuple[Floats, Floats, Floats]:
    """Choose the best action by some samples, and measure it in others."""
    every = np.arange(len(choosing))
    means = np.where(tried.actions >= 0, choosing.mean(axis=2), -np.inf)
    best = measuring[every, means.argmax(axis=1)]
    random = (tried.weights[:, :, None] * measuring).sum(axis=1)
    squares = (best - random).var(axis=1, ddof=1) / best.shape[1] + np.square(_error_of_draw(measuring, tried))
    clear = (best - random).mean(axis=1) > ERRORS * np.sqrt(squares) + ROUNDING
    return best.mean(axis=1), random.mean(axis=1), clear.astype(np.float64)


def _error_of_draw(values: Floats, tried: Candidates) -> Floats:
    """Return the standard error (k,) of the value of a random action because only some of many actions were drawn."""
    drawn = np.where(tried.drawn, values.mean(axis=2), np.nan)
    some = tried.drawn.any(axis=1)
    errors = np.zeros(len(values))
    share_of_others = (tried.weights * tried.drawn).sum(axis=1)
    n = tried.drawn.sum(axis=1)
    errors[some] = share_of_others[some] * np.nanstd(drawn[some], axis=1, ddof=1) / np.sqrt(n[some])
    return errors


def decided(scores: Floats, teams: Ints, tried: Bools) -> Floats:
    """Return the share of the halves of the samples in which each decision is kingmaking, (k,); NaN unless last.

    A decision is kingmaking if the team with the lowest expected score decides between two others. Two of its actions
    are as good for itself. One of the others is clearly ahead of another after the first, and clearly behind it after
    the second. The scores are those after every action that was `tried` (k, actions), of shape (k, actions, samples,
    teams). The deciding `teams` have the shape (k,).
    """
    k, _, _, count = scores.shape
    if count < FEWEST:
        return np.full(k, np.nan)
    means = np.where(tried[:, :, None], scores.mean(axis=2), np.nan)
    whole = np.nanmean(means, axis=1)  # (k, teams)
    own = whole[np.arange(k), teams]
    others = np.arange(count) != teams[:, None]
    is_last = (own[:, None] < np.where(others, whole, np.inf)).all(axis=1, where=others)
    return np.where(is_last, _over_halves(_decides, scores, teams, tried), np.nan)


def _decides(choosing: Floats, measuring: Floats, teams: Ints, tried: Bools) -> Bools:
    """Choose two actions and two other teams by some samples, and return whether others show that they decide, (k,)."""
    every, means = np.arange(len(choosing)), choosing.mean(axis=2)  # (k, actions, teams)
    own = np.where(tried, np.take_along_axis(means, teams[:, None, None], axis=2)[:, :, 0], -np.inf)
    is_free = own >= own.max(axis=1, keepdims=True) - OWN
    best, result = np.zeros(len(every)), np.zeros(len(every), np.bool_)
    for one, other in itertools.combinations(range(choosing.shape[3]), 2):
        leads = means[:, :, one] - means[:, :, other]
        up, down = np.where(is_free, leads, -np.inf).argmax(axis=1), np.where(is_free, leads, np.inf).argmin(axis=1)
        swing = np.minimum(leads[every, up], -leads[every, down])
        is_best = (swing > best) & (teams != one) & (teams != other)
        lead = measuring[:, :, :, one] - measuring[:, :, :, other]
        clear = _is_above(lead[every, up]) & _is_above(-lead[every, down])
        result, best = np.where(is_best, clear, result), np.where(is_best, swing, best)
    return result


def _is_above(samples: Floats) -> Bools:
    """Return whether the means of samples (k, n) are clearly above 0."""
    errors = samples.std(axis=1, ddof=1) / np.sqrt(samples.shape[1])
    return np.asarray((samples.mean(axis=1) > 0) & (samples.mean(axis=1) > ERRORS * errors))
