"""Compute the standings of a tournament: scores with 95 % intervals over its deals, and ratings.

Ratings are those of OpenSkill's Plackett-Luce model. Every deal is a game between the agents of its line-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from openskill.models import PlackettLuce

from tantra_envs.matches import intervals as bootstrap
from tantra_envs.matches.intervals import Estimate
from tantra_envs.matches.match import Match
from tantra_envs.matches.playing import Floats

from ..harness.lineups import ONE_VS_REST, Teams, members, scored

SHARE = (0.0, 1.0)  # bounds of a score
MARGIN = (-1.0, 1.0)  # bounds of the difference of two scores

Cell = tuple[Teams, int]  # a line-up, and an agent whose score in it counts


@dataclass(frozen=True)
class Rating:
    """An OpenSkill rating, which starts at 25. The skill is within two `sigma` of `mu` with probability 95 %."""

    mu: float
    sigma: float

    def __str__(self) -> str:
        return f"{self.mu:.2f} ± {2 * self.sigma:.2f}"


@dataclass(frozen=True)
class Standing:
    """The results of one agent over all its line-ups."""

    agent: int
    score: Estimate  # share of the other teams that it beats
    reward: Estimate
    margin: Estimate | None  # its score minus that of the next agent, over the same deals; None for the last agent
    rating: Rating


@dataclass(frozen=True)
class Standings:
    """The agents, best first, and the pay-off of each agent among copies of each other."""

    deals: int
    agents: list[Standing]
    payoff: dict[tuple[int, int], Estimate]  # by (agent, agent of the copies); only for one-vs-rest


def standings(form: str, agents: int, matches: Mapping[Teams, Match]) -> Standings:
    """Return the results of all agents. All use the same resampled deals, so comparisons are paired."""
    cells = _cells(form, matches)
    by_cell = _values(matches, cells, "scores")
    weights = _weights(cells, agents)
    scores, rewards = by_cell @ weights, _values(matches, cells, "rewards") @ weights
    drawn_cells = bootstrap.resampled(by_cell)
    drawn, drawn_rewards = drawn_cells @ weights, bootstrap.resampled(rewards)
    means, deals = scores.mean(axis=0), len(scores)
    bounds = min(match.least for match in matches.values()), max(match.most for match in matches.values())
    ratings, pairs = rate(agents, matches), form == ONE_VS_REST
    order = np.argsort(-means, kind="stable").tolist()

    def margin(i: int, j: int) -> Estimate:
        return bootstrap.estimate_from(means[i] - means[j], drawn[:, i] - drawn[:, j], deals, MARGIN)

    rows = [
        Standing(
            i,
            bootstrap.estimate_from(means[i], drawn[:, i], deals, SHARE),
            bootstrap.estimate_from(rewards[:, i].mean(), drawn_rewards[:, i], deals, bounds),
            margin(i, order[place + 1]) if place + 1 < agents else None,
            ratings[i],
        )
        for place, i in enumerate(order)
    ]
    return Standings(deals, rows, _payoff(cells, by_cell, drawn_cells) if pairs else {})


def rate(agents: int, matches: Mapping[Teams, Match]) -> list[Rating]:
    """Return the ratings after all deals. The agent with the higher score over the rotations of a deal wins the deal.

    Deals are rated in order, each with all line-ups. The model forgets nothing (tau = 0) because agents do not change.
    """
    model = PlackettLuce(tau=0.0)
    rated = [model.rating() for _ in range(agents)]
    for deal in range(min(len(match.scores) for match in matches.values())):
        for lineup, match in matches.items():
            playing = members(lineup)
            teams = model.rate([[rated[i]] for i in playing], scores=match.scores[deal].tolist())
            for i, (after,) in zip(playing, teams, strict=True):
                rated[i] = after
    return [Rating(player.mu, player.sigma) for player in rated]


def half_widths(form: str, agents: int, matches: Mapping[Teams, Match]) -> list[float]:
    """Return half the width of the interval of every agent's score."""
    cells = _cells(form, matches)
    scores = _values(matches, cells, "scores") @ _weights(cells, agents)
    drawn, deals = bootstrap.resampled(scores), len(scores)
    ends = [bootstrap.estimate_from(scores[:, i].mean(), drawn[:, i], deals, SHARE) for i in range(agents)]
    return [(end.high - end.low) / 2 for end in ends]


def _cells(form: str, matches: Mapping[Teams, Match]) -> list[Cell]:
    return [(lineup, agent) for lineup in matches for agent in scored(form, lineup)]


def _values(matches: Mapping[Teams, Match], cells: Sequence[Cell], what: str) -> Floats:
    """Return scores or rewards, shape (deals, cells)."""
    columns = [getattr(matches[lineup], what)[:, members(lineup).index(agent)] for lineup, agent in cells]
    return np.stack(columns, axis=1)


def _weights(cells: Sequence[Cell], agents: int) -> Floats:
    """Return the matrix (cells, agents) that turns cells into the mean of each agent over its own cells."""
    membership = np.array([[agent == other for other in range(agents)] for _, agent in cells], np.float64)
    return np.asarray(membership / membership.sum(axis=0))


def _payoff(cells: Sequence[Cell], by_cell: Floats, drawn: Floats) -> dict[tuple[int, int], Estimate]:
    return {
        (agent, _other(lineup, agent)): bootstrap.estimate_from(
            float(by_cell[:, column].mean()), drawn[:, column], len(by_cell), SHARE
        )
        for column, (lineup, agent) in enumerate(cells)
    }


def _other(lineup: Teams, agent: int) -> int:
    return next(other for other in members(lineup) if other != agent)
