"""Replay a record and tally every measure for every team of every game.

Seats are counted by place, because seat numbers have no meaning when the dealer is drawn at random. Place 1 acts first,
or has the first turn where others may act before it. A team has the place of its first member. The rows are those of
`harness.records`, in the order of their places, with more columns:

    place, final                place of the team; its points at the end (see games/<game>/measures)
    M.P.S                       sum S of part P of measure M, numbered as in `measures_of`
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tantra_envs import measures
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import Counter, Ints, Measure, Transitions, mean, score, share

from ..harness import records
from ..harness.figures import Figure, Floats, average, ratio, slope_of
from ..harness.records import Record
from .tension import HALF, MARKS, holders, score_of, sole_best

DEALT = 16  # deals that show who acts first
SEAT = score("score by seat", "The score of each seat or team by its place in the order of play.", by_seat=True)
MEDIAN = mean(
    "median length",
    "Half of the games take at most this many actions of all seats together. Truncated games hardly change it.",
    unit="actions",
)
LENGTH = mean(
    "length", "The mean number of actions of all seats in a game. A few truncated games raise it a lot.", unit="actions"
)
CUT_OFF = share(
    "truncated games",
    "Games that reach a limit before they are over. Deterministic agents may repeat the same actions forever. A "
    "truncated game counts as it stands at the limit: where nobody has won or lost yet, as a tie.",
)
LEADER = score(
    "score of the leader",
    "The final score of the team that leads after each tenth of a game's actions. At 0.5 the lead has no value yet.",
    tuple(str(tenths) for tenths in MARKS),
)
TURNED = share(
    "games turned in the last tenth",
    "Games in which the leader before the last tenth does not end with a score above 0.5.",
)
COMEBACKS = share(
    "comebacks",
    "The share of teams, last alone after half of a game's actions, that end with a score above 0.5. A tie, as "
    "most truncated games are, is not a comeback. The even value depends on the table: 0.5 with two teams, 0.75 where "
    "three of four win.",
)
LAST_SCORE = score(
    "score of the last at half",
    "The mean final score of the teams that are last alone after half of a game's actions. At 0.5 the first half of a "
    "game has no influence, at every table.",
)
SCORE = score("score of A", "A plays alone among copies of B, over duplicate deals with seats rotated; 0.5 is even.")
EXPLAINED = share(
    "explained",
    "Why the scores of these two agents differ, as shares of their variance: by the agents, by the deal (with its seat "
    "and all later draws), or by neither: agents play the same cards differently, and some choose at random. The "
    "shares add up to 1.",
    ("by the agents", "by the deal", "by neither"),
    bounds=None,
)


def first_seat(game: Game) -> str:
    """Return what the rules call the seat at place 1: the dealer in some games; "" without a name."""
    first, names = measures.of_game(game).Worth.first, game.blank.dtype.names or ()
    if "dealer" not in names:
        return ""
    dealt = game.blanks(DEALT)
    game.drivers.deal_rows(dealt, np.arange(DEALT), np.arange(DEALT))
    return "dealer" if (dealt["dealer"] == first(dealt)).all() else ""


def sections(game: Game) -> dict[str, list[Measure]]:
    """Return the measures of a tally by section."""
    return {
        "seats": [SEAT],
        "length": [LENGTH, CUT_OFF],
        "tension": [COMEBACKS, LAST_SCORE, TURNED, LEADER],
        "worth": list(measures.of_game(game).measures(game)),
    }


def measures_of(game: Game) -> list[Measure]:
    """Return all measures of a tally in the order of its columns."""
    return [measure for section in sections(game).values() for measure in section]


def figures_of(game: Game, measures: Sequence[Measure]) -> list[Figure]:
    """Return the figures of some measures of a tally."""
    numbers = {measure: number for number, measure in enumerate(measures_of(game))}
    every = []
    for measure in measures:
        for part, name in enumerate(measure.names):
            sums = tuple(pl.col(f"{numbers[measure]}.{part}.{i}").sum() for i in range(measure.sums))
            every.append(Figure(measure, sums, name, slope_of if measure.is_slope else ratio))
    return every


def skill_figures(game: Game) -> list[Figure]:
    """Return the score of a pair, and what explains the variance of its scores: the agents, the deal, or neither.

    One agent plays alone among copies of another, and its team goes through all places of each deal. Let n be the
    number of teams, m the mean of the lone agent's score minus 0.5, and V the mean square of all scores minus 0.5. Let
    C be the mean product of the scores at one place of a deal in two rotations. The other agents have a mean of
    -m / (n - 1) each, so the agents explain m^2 / (n - 1). The deal explains C without the part of the agents, which is
    C + m^2 / (n - 1)^2.
    """
    alone, teams = pl.when(pl.col("alone")).then(pl.col("score")), len(game.teams)

    def explained(part: int, count: Any, lone: Any, squares: Any, products: Any) -> Floats:
        """Return the share that the agents explain, or the deal, or neither."""
        m, variance = lone / count, squares / count
        by_agents = ratio(m * m / (teams - 1), variance)
        by_deal = ratio(products / count + m * m / (teams - 1) ** 2, variance)
        by_deal = np.clip(by_deal, 0.0, 1.0 - by_agents)  # an estimate can be below 0
        return (by_agents, by_deal, 1.0 - by_agents - by_deal)[part]

    parts = [Figure(EXPLAINED, _sums(teams), name, partial(explained, i)) for i, name in enumerate(EXPLAINED.names)]
    return [average(SCORE, alone), *parts]


def _sums(teams: int) -> tuple[pl.Expr, ...]:
    """Return sums over a deal's rotations: games, the lone agent's score, squares, and products of rotations."""
    lone = pl.col("score") - 0.5
    places = [lone.filter(pl.col("place") == place) for place in range(1, teams + 1)]
    products = pl.sum_horizontal([own.sum() ** 2 - (own * own).sum() for own in places]) / (teams * (teams - 1))
    games, own = pl.len().cast(pl.Float64) / teams, pl.when(pl.col("alone")).then(lone).sum()
    return games, own, (lone * lone).sum() / teams, products


def tally(file: Path) -> pl.DataFrame:
    """Return a row for every team of every game of a record; raise ValueError if it does not replay."""
    record = records.read(file)
    dealt, game = records.dealt(record), record.game
    places = teams_by_place(game, measures.of_game(game).Worth.first(dealt))
    observer = _Observer(game, dealt, places)
    states, rewards = records.replay(record, observer.observe)
    first_seats = np.array(game.team_representatives)[places]
    scores = team_scores(np.take_along_axis(rewards, first_seats, axis=1))
    observer.end(states, record, scores)
    rows, teams = np.arange(places.size).reshape(places.shape), places.shape[1]
    columns: dict[str, Any] = {
        "place": np.tile(np.arange(teams) + 1, len(places)),
        "final": observer.points.reshape(-1),
        **{
            f"{number}.{part}.{i}": observer.counter.sums(measure)[:, part, i]
            for number, measure in enumerate(measures_of(game))
            for part in range(len(measure.names))
            for i in range(measure.sums)
        },
    }
    by_place = records.outcomes(record)[np.take_along_axis(rows, places, axis=1).ravel()]
    return by_place.with_columns(pl.Series(name, values) for name, values in columns.items())


class _Observer:
    """Counts all measures while tables are replayed."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        self._game, self._module, self._places = game, measures.of_game(game), places
        self.counter = Counter(measures_of(game), places.size)
        self._worth = self._module.Worth(game, dealt, places, self.counter)
        self.points = np.zeros(places.shape, np.float32)  # by place
        self._leading: list[Any] = []  # as dealt, and after each action
        self._trailing: list[Any] = []
        self._note(np.arange(len(dealt)), dealt)

    def observe(self, t: Transitions) -> None:
        """Count one action at each table still in play."""
        self._worth.observe(t)
        self._note(t.rows, t.after)

    def _note(self, rows: Ints, states: States) -> None:
        """Record the points of all teams, and the leaders."""
        points = np.asarray(self._module.points(self._game, states), np.float32)
        self.points[rows] = np.take_along_axis(points, self._places[rows], axis=1)
        self._leading.append(sole_best(self.points))
        self._trailing.append(sole_best(-self.points))

    def end(self, states: States, record: Record, scores: Floats) -> None:
        """Count the measures of finished games."""
        every = np.arange(self._places.size)
        self.counter.add(SEAT, every, scores.reshape(-1))
        self._worth.add_game(LENGTH, record.plies)
        self._worth.add_game(CUT_OFF, record.games["truncated"].to_numpy())
        self._leads(record, scores)
        self._worth.end(states, scores, self.points)

    def _leads(self, record: Record, scores: Floats) -> None:
        """Count the final scores of the teams that led or were last."""
        leading, plies, every = holders(self._leading), record.plies, np.arange(len(scores))
        for tenth in MARKS:
            leader = score_of(leading[plies * tenth // 10, every], scores)
            self._add_known(LEADER, leader, tenth - 1)
        self._add_known(TURNED, np.where(np.isnan(leader), np.nan, leader <= 0.5))
        last = score_of(np.stack(self._trailing)[plies * HALF // 10, every], scores)
        self._add_known(COMEBACKS, np.where(np.isnan(last), np.nan, last > 0.5))
        self._add_known(LAST_SCORE, last)

    def _add_known(self, measure: Measure, values: Floats, part: int = 0) -> None:
        """Count the values that are not NaN, once for every game."""
        counted = ~np.isnan(values)
        self.counter.add(measure, np.flatnonzero(counted) * self._places.shape[1], values[counted], 1, part)


def teams_by_place(game: Game, first: Ints) -> Ints:
    """Return the team at each place, shape (n, teams), when the seats `first` (n,) are at place 1."""
    ahead = [[(np.array(team) - seat) % game.players for team in game.teams] for seat in range(game.players)]
    order = np.array([np.argsort([seats.min() for seats in teams]) for teams in ahead])
    return np.asarray(order[first], np.int64)
