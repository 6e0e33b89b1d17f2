"""What a tournament found: scores, margins, pay-offs, ratings and alpha-rank, with 95 % intervals over its deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tantra_envs.matches import intervals as bootstrap
from tantra_envs.matches.intervals import Estimate
from tantra_envs.matches.match import Match
from tantra_envs.matches.playing import Floats

from ..harness.lineups import ONE_VS_REST, Lineup, members, scored
from .alpharank import alpha_rank
from .ratings import Rating, rate

SHARE = (0.0, 1.0)  # what a score can be
MARGIN = (-1.0, 1.0)  # what a score less another can be
ALPHA_DRAWS = 200  # samples of the deals that alpha-rank is computed for

Cell = tuple[Lineup, int]  # an agent in a line-up where its score counts


@dataclass(frozen=True)
class Standing:
    """One agent over all its line-ups."""

    agent: int
    score: Estimate  # the share of the other teams it beats
    reward: Estimate
    margin: Estimate | None  # its score less that of the next agent, over the same deals; None for the last
    rating: Rating
    alpha_rank: Estimate | None  # for one-vs-rest only


@dataclass(frozen=True)
class Standings:
    """The agents, best first, and who scores what against whom."""

    deals: int
    agents: list[Standing]
    payoff: dict[tuple[int, int], Estimate]  # (agent, among copies of this one); for one-vs-rest only


def standings(form: str, agents: int, matches: Mapping[Lineup, Match]) -> Standings:
    """Return the numbers of all agents. The same resampled deals serve all of them, so that comparisons are paired."""
    cells = _cells(form, matches)
    by_cell = _values(matches, cells, "scores")
    weights = _weights(cells, agents)
    scores, rewards = by_cell @ weights, _values(matches, cells, "rewards") @ weights
    drawn_cells = bootstrap.resampled(by_cell)
    drawn, drawn_rewards = drawn_cells @ weights, bootstrap.resampled(rewards)
    means, deals = scores.mean(axis=0), len(scores)
    bounds = min(match.least for match in matches.values()), max(match.most for match in matches.values())
    ratings, pairs = rate(agents, matches), form == ONE_VS_REST
    shares = _alpha_ranks(cells, agents, by_cell, drawn_cells) if pairs else {}
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
            shares.get(i),
        )
        for place, i in enumerate(order)
    ]
    return Standings(deals, rows, _payoff(cells, by_cell, drawn_cells) if pairs else {})


def half_widths(form: str, agents: int, matches: Mapping[Lineup, Match]) -> list[float]:
    """How exactly the score of every agent is known: half the width of its interval."""
    cells = _cells(form, matches)
    scores = _values(matches, cells, "scores") @ _weights(cells, agents)
    drawn, deals = bootstrap.resampled(scores), len(scores)
    ends = [bootstrap.estimate_from(scores[:, i].mean(), drawn[:, i], deals, SHARE) for i in range(agents)]
    return [(end.high - end.low) / 2 for end in ends]


def _cells(form: str, matches: Mapping[Lineup, Match]) -> list[Cell]:
    return [(lineup, agent) for lineup in matches for agent in scored(form, lineup)]


def _values(matches: Mapping[Lineup, Match], cells: Sequence[Cell], what: str) -> Floats:
    """Scores or rewards, (deals, cells)."""
    columns = [getattr(matches[lineup], what)[:, members(lineup).index(agent)] for lineup, agent in cells]
    return np.stack(columns, axis=1)


def _weights(cells: Sequence[Cell], agents: int) -> Floats:
    """(cells, agents): what turns cells into the mean of each agent over its own."""
    membership = np.array([[agent == other for other in range(agents)] for _, agent in cells], np.float64)
    return np.asarray(membership / membership.sum(axis=0))


def _payoff(cells: Sequence[Cell], by_cell: Floats, drawn: Floats) -> dict[tuple[int, int], Estimate]:
    return {
        (agent, _other(lineup, agent)): bootstrap.estimate_from(
            float(by_cell[:, column].mean()), drawn[:, column], len(by_cell), SHARE
        )
        for column, (lineup, agent) in enumerate(cells)
    }


def _alpha_ranks(cells: Sequence[Cell], agents: int, by_cell: Floats, drawn: Floats) -> dict[int, Estimate]:
    """Alpha-rank of the deals as they were and resampled; the scores of a table add up, so margins follow."""
    teams = len(cells[0][0])
    rows, columns = zip(*((agent, _other(lineup, agent)) for lineup, agent in cells), strict=True)

    def ranked(scores: Floats) -> Floats:
        margins = np.zeros((agents, agents))
        margins[rows, columns] = (scores - 0.5) * teams / (teams - 1)
        return alpha_rank(margins)

    means, samples = ranked(by_cell.mean(axis=0)), np.array([ranked(scores) for scores in drawn[:ALPHA_DRAWS]])
    ends = [bootstrap.interval(samples[:, i]) for i in range(agents)]
    return {i: Estimate(float(means[i]), low, high, len(by_cell)) for i, (low, high) in enumerate(ends)}


def _other(lineup: Lineup, agent: int) -> int:
    return next(other for other in members(lineup) if other != agent)
