"""Measure agency: how much the decisions of an agent matter, by playouts of their legal actions.

One action is drawn in every tenth of a recorded game. If its seat had a choice, everything hidden from the seat is
sampled uniformly from all that fits its view, the same for all actions. In each sampled deal every candidate is played,
and then the agent plays on in every seat. The value of an action is the expected score of the team that decides.

The best of several averages is often only lucky. So one half of the sampled deals chooses the best action and the
second, and the other half measures how much better the best one is. Then the halves change roles, and the mean of both
counts. The expected advantage is 0 if no action matters. If actions are close, the measured advantage over a random
action is too small rather than too large, because the chosen action is not always the best one.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tantra_envs.core.asking import ask
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.core.playouts import Playouts, Policy, ScriptedPolicy
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import Bools, Ints, Kinds, Scale, mean, share
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.networks import ArgmaxAgent
from tantra_envs.opponents.scripted import Scripted

from ..harness import plans, records
from ..harness.figures import Figure, Floats, average
from ..harness.plans import MatchSpec
from ..harness.records import Record, keep_parquet
from . import kingmaking
from .tension import BY_TENTH, TENTHS, Watched, in_parts

CANDIDATES = 12  # most actions to try at a decision
RATED = 6  # of more legal actions: the best rated ones, with the action of the record; the others are drawn at random
ERRORS = 2.0  # standard errors by which an action must be better to be clearly better
COLUMNS_VERSION = 2  # of the kept files; other columns need another number
ROUNDING = 1e-9  # differences of equal scores
STREAM = 1  # separates these random numbers from those of win probabilities

CHOICE = share("decisions with a choice", "Decisions with two or more legal actions. All other figures are about them.")
RANDOM = mean(
    "advantage over a random action",
    "How much more the best action scores than a random legal one, which may be the best.",
    unit="score",
    even=0.0,
)
SECOND = mean(
    "advantage over the second action",
    "How much more the best action scores than the second best.",
    unit="score",
    even=0.0,
)
CLEAR_RANDOM = share(
    "clear against a random action",
    "Decisions in which the best action is better than a random legal one by more than two standard errors. More "
    "playouts make more decisions clear. If no action matters, 2 to 3 % are clear by chance, with few playouts more.",
)
CLEAR_SECOND = share(
    "clear against the second action", "Decisions in which the best action is better than the second by as much."
)
COLUMNS = {
    "choice": CHOICE,
    "random": RANDOM,
    "clear_random": CLEAR_RANDOM,
    "second": SECOND,
    "clear_second": CLEAR_SECOND,
}
GROUPS = {"tenth": "over a game", "kind": "by kind of action", "phase": "by phase of the rules"}  # by column


@dataclass(frozen=True)
class Candidates:
    """The actions to try at k decisions, shape (k, c) each.

    Attributes:
        actions: The actions, -1 where there are fewer.
        weights: The weights with which the values of the actions add up to that of a random legal one.
        drawn: True for an action that represents others, which were not drawn.
    """

    actions: Ints
    weights: Floats
    drawn: Bools

    def only(self, rows: Ints) -> Candidates:
        """Return the candidates of some decisions."""
        return Candidates(self.actions[rows], self.weights[rows], self.drawn[rows])


def figures(game: Game) -> list[Figure]:
    """Return all figures of the columns that `sampled` makes, with those of kingmaking."""
    rows = [average(measure, pl.col(column)) for column, measure in COLUMNS.items()]
    kinds = Kinds(tuple(block.name for block in game.actions))
    groups: dict[str, Kinds | Scale] = {"tenth": BY_TENTH, "kind": kinds, "phase": Kinds(tuple(game.phases[:-1]))}
    for group, parts in groups.items():
        for column, measure in COLUMNS.items():
            split = dataclasses.replace(measure, name=grouped(measure.name, group), parts=parts)
            for part, name in enumerate(parts.names):
                rows.append(average(split, pl.when(pl.col(group) == part).then(pl.col(column)), name))
    return rows + kingmaking.figures(game)


def grouped(name: str, group: str) -> str:
    """Return the name of a measure that is split by a column of GROUPS."""
    return f"{name}, {GROUPS[group]}"


def keep(folder: Path, matches: Mapping[str, MatchSpec], playouts: int, seed: int, file: Path) -> Path:
    """Try out decisions of a record unless that is done already, and return the file of the results in `folder`."""
    return keep_parquet(
        folder / f"{file.stem}_{playouts}_v{COLUMNS_VERSION}.parquet",
        lambda: sampled(records.read(file), agent_of(matches, file), playouts, seed),
    )


def agent_of(matches: Mapping[str, MatchSpec], file: Path) -> Agent:
    """Return the agent that plays all seats in a record."""
    return plans.build(matches[file.stem.rsplit("_", 2)[0]])[1][0]


def sampled(record: Record, agent: Agent, playouts: int, seed: int) -> pl.DataFrame:
    """Return a row for every sampled decision of a record; raise ValueError if it does not replay.

    Columns:
        deal, tenth, kind, phase: the deal, and numbers of the tenth, of the block of the action, and of the phase
        choice: whether two or more actions were legal; otherwise the other columns are null
        random, second: advantage of the best action over a random legal one, and over the second
        clear_random, clear_second: whether they are clear, as the mean over both halves of the sampled deals
        king: whether the decision is kingmaking, likewise; null unless the team is the last of three or more
    """
    rng = np.random.default_rng((seed, record.deals[0], STREAM))
    tables = Watched(record, rng)
    records.replay(record, tables.observe)
    blocks = np.repeat(np.arange(len(list(record.game.actions))), [block.size for block in record.game.actions])
    parts = []
    for tenth in TENTHS:
        states, paid, actions = tables.states[tenth], tables.paid[tenth], tables.actions[tenth]
        kinds = {"kind": blocks[actions], "phase": states["phase"].astype(np.int64)}
        advantage = _decisions(record.game, agent, states, paid, actions, playouts, rng)
        parts.append(pl.DataFrame({"deal": record.deals, "tenth": np.full(len(states), tenth), **kinds, **advantage}))
    return pl.concat(parts).with_columns(pl.col(*COLUMNS, "king").fill_nan(None))


def _decisions(
    game: Game, agent: Agent, states: States, paid: Floats, played: Ints, playouts: int, rng: np.random.Generator
) -> dict[str, Floats]:
    """Return the columns of COLUMNS, and `king`, for the decisions at tables (n,), NaN for forced ones."""
    masks = Observation(game, states).action_mask
    rows = np.flatnonzero(masks.sum(axis=1) > 1)
    columns = {name: np.full(len(states), np.nan) for name in (*COLUMNS, "king")}
    columns["choice"] = (masks.sum(axis=1) > 1).astype(np.float64)
    if len(rows):
        tried = candidates(_ratings(game, agent, states[rows], played[rows]), rng)
        for part in in_parts(game, len(rows), playouts * (tried.actions.shape[1] + 1)):
            some, at = tried.only(part), rows[part]
            scores = action_scores(game, agent, states[at], paid[at], some.actions, playouts, rng)
            teams = np.array(game.team_numbers)[states["seat"][at].astype(np.int64)]
            for name, advantage in advantages(scores[np.arange(len(at)), :, :, teams], some).items():
                columns[name][at] = advantage
            columns["king"][at] = kingmaking.decided(scores, teams, some.actions >= 0)
    return columns


def _ratings(game: Game, agent: Agent, states: States, played: Ints) -> Floats:
    """Return ratings of all actions (k, actions): inf for the action of the record, -inf for illegal ones.

    They are the logits of a network, otherwise the scripted agent's. They are 0 where they do not matter because all
    actions are tried, and in games without a scripted agent.
    """
    obs = Observation(game, states)
    if obs.action_mask.sum(axis=1).max() <= CANDIDATES or game.player is None:
        ratings = np.where(obs.action_mask, 0.0, -np.inf)
    elif isinstance(agent, ArgmaxAgent):
        ratings = agent.logits(obs).astype(np.float64)
    else:
        ratings = Playouts(game).rate(obs.known, obs.action_mask)
    ratings[np.arange(len(states)), played] = np.inf
    return ratings


def candidates(ratings: Floats, rng: np.random.Generator) -> Candidates:
    """Return the actions to try: all legal ones, or of many the best rated, and others drawn at random.

    Args:
        ratings: Ratings of all actions, shape (k, actions); -inf for illegal ones.
        rng: Draws the others.
    """
    legal = np.isfinite(ratings) | (ratings == np.inf)
    counts = legal.sum(axis=1, keepdims=True)
    ranks = np.argsort(np.argsort(-ratings, axis=1, kind="stable"), axis=1)
    keys = np.where(ranks < RATED, ranks, RATED + rng.random(ratings.shape))
    keys[~legal] = np.inf
    actions = np.argsort(keys, axis=1, kind="stable")[:, : min(CANDIDATES, int(counts.max()))]
    actions = np.where(np.take_along_axis(legal, actions, axis=1), actions, -1)
    others = np.arange(actions.shape[1]) >= RATED
    each = (counts - RATED) / np.maximum(1, np.minimum(counts, CANDIDATES) - RATED)  # legal actions for each drawn one
    weights = np.where(others, each, 1.0) / counts * (actions >= 0)
    return Candidates(actions, weights, others & (counts > CANDIDATES))


def action_scores(
    game: Game, agent: Agent, states: States, paid: Floats, actions: Ints, playouts: int, rng: np.random.Generator
) -> Floats:
    """Return the scores of all teams after actions (k, c), -1 = none, in the same deals: (k, c, playouts, teams).

    Args:
        game: The game.
        agent: Plays on in every seat.
        states: Tables, shape (k,).
        paid: Rewards of all seats so far, shape (k, players).
        actions: Actions of the seat to decide.
        playouts: Sampled deals of each table.
        rng: Draws the seeds of the deals, and is the agent's.
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


def advantages(values: Floats, tried: Candidates) -> dict[str, Floats]:
    """Return the advantages of the best action, (k,) each, from values (k, c, samples): see `sampled`."""
    halves = values[:, :, ::2], values[:, :, 1::2]
    results = [_measured(choosing, measuring, tried) for choosing, measuring in (halves, halves[::-1])]
    return {name: np.mean([result[name] for result in results], axis=0) for name in results[0]}


def _measured(choosing: Floats, measuring: Floats, tried: Candidates) -> dict[str, Floats]:
    """Choose the best action and the second by some samples, and measure the advantages in others."""
    every = np.arange(len(choosing))
    means = np.where(tried.actions >= 0, choosing.mean(axis=2), -np.inf)
    first, next_best = np.argsort(-means, axis=1, kind="stable")[:, :2].T
    random = (tried.weights[:, :, None] * measuring).sum(axis=1)
    over_random, over_second = measuring[every, first] - random, measuring[every, first] - measuring[every, next_best]
    return {
        "random": over_random.mean(axis=1),
        "clear_random": _is_clear(over_random, _error_of_draw(measuring, tried)),
        "second": over_second.mean(axis=1),
        "clear_second": _is_clear(over_second),
    }


def _is_clear(differences: Floats, error: Floats | float = 0.0) -> Floats:
    """Return 1.0 where the mean difference (k, samples) exceeds its error, with a further independent `error`."""
    squares = differences.var(axis=1, ddof=1) / differences.shape[1] + np.square(error)
    return np.asarray(differences.mean(axis=1) > ERRORS * np.sqrt(squares) + ROUNDING, np.float64)


def _error_of_draw(values: Floats, tried: Candidates) -> Floats:
    """Return the standard error (k,) of the value of a random action because only some of many actions were drawn."""
    drawn = np.where(tried.drawn, values.mean(axis=2), np.nan)
    some = tried.drawn.any(axis=1)
    errors = np.zeros(len(values))
    share_of_others = (tried.weights * tried.drawn).sum(axis=1)
    n = tried.drawn.sum(axis=1)
    errors[some] = share_of_others[some] * np.nanstd(drawn[some], axis=1, ddof=1) / np.sqrt(n[some])
    return errors
