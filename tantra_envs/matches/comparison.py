"""Compare a person with agents by duplicate deals: each agent plays the person's deals in the person's seat.

    comparison = compare(game, games, {"learned": learned}, {"scripted": scripted})

The other seats are taken by agents of the same names as in the person's games. So luck of the deal cancels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.game import Game
from ..core.observation import Agent
from .intervals import Estimate, estimate
from .match import team_scores
from .playing import Floats, Ints, Progress, play_tables

YOU = "you"


@dataclass(frozen=True)
class PersonalGame:
    """A finished game of one person against agents."""

    deal: int  # argument of game.new
    seats: Sequence[str]  # the name of the agent at every seat; that of the person's seat is not used
    seat: int  # of the person
    rewards: Sequence[float]  # by seat, summed over the game


@dataclass(frozen=True)
class Comparison:
    """Results of a person and of agents on the same deals.

    A value is the share of the other teams that the person's team beats, or in a game for one the reward.
    """

    names: tuple[str, ...]  # you, then the agents
    values: Floats  # (deals, names)
    unit: str  # score or reward
    bounds: tuple[float, float]  # the smallest and the largest possible value; of rewards those that occurred

    def value(self, name: int) -> Estimate:
        """Return the mean value of a column."""
        return estimate(self.values[:, name], *self.bounds)

    def difference(self, name: int) -> Estimate:
        """Return the mean difference between the person and an agent, deal by deal."""
        width = self.bounds[1] - self.bounds[0]
        return estimate(self.values[:, 0] - self.values[:, name], -width, width)

    def rows(self) -> list[list[str]]:
        """Return a table of text: the heads, then a row for the person and for each agent."""
        rows = [["", f"{self.unit} [95 % interval]", "you minus agent"]]
        for number, name in enumerate(self.names):
            rows.append([name, str(self.value(number)), in_words(self.difference(number)) if number else ""])
        return rows

    def text(self) -> str:
        """Return the table as aligned lines."""
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(2)]
        return "\n".join(f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}".rstrip() for row in rows)


def in_words(difference: Estimate) -> str:
    """Return a difference with its interval, and whether it is clear."""
    clear = "clear" if not difference.low <= 0 <= difference.high else "no clear difference"
    return f"{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]: {clear}"


def compare(
    game: Game,
    games: Sequence[PersonalGame],
    agents: Mapping[str, Agent],
    others: Mapping[str, Agent],
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Let each of `agents` play the deals of `games` in the seat of the person.

    Args:
        game: The game.
        games: The person's games, each of another deal.
        agents: The agents that replace the person, by name.
        others: The agents of the other seats, by their names in `games`.
        seed: Seed of the agents.
        progress: Called with the number of tables that have just ended.

    Raises:
        ValueError: There are no games, a deal occurs twice, or an agent of another seat is missing.
    """
    deals, seats = [played.deal for played in games], np.array([played.seat for played in games])
    if not games or len(set(deals)) < len(deals):
        raise ValueError(f"deals={deals} are not allowed; allowed: one or more, each once")
    columns = [_values(game, np.array([played.rewards for played in games], np.float64), seats)]
    for agent in agents.values():
        at_table = [agent, *others.values()]
        numbers = {name: number for number, name in enumerate(others, 1)}
        seating = [_seating(played, numbers) for played in games]
        outcome = play_tables(game, at_table, seating, deals, seed, progress=progress)
        columns.append(_values(game, outcome.rewards, seats))
    values = np.stack(columns, axis=1)
    names = (YOU, *agents)
    if len(game.teams) > 1:
        return Comparison(names, values, "score", (0.0, 1.0))
    return Comparison(names, values, "reward", (float(values.min()), float(values.max())))


def _seating(played: PersonalGame, numbers: Mapping[str, int]) -> list[int]:
    """Return the number of the agent at every seat: 0 in that of the person."""
    for seat, name in enumerate(played.seats):
        if seat != played.seat and name not in numbers:
            raise ValueError(f"the agent {name!r} of seat {seat} is missing; given: {', '.join(numbers) or 'none'}")
    return [0 if seat == played.seat else numbers[name] for seat, name in enumerate(played.seats)]


def _values(game: Game, rewards: Floats, seats: Ints) -> Floats:
    """Return the value of a seat in each game: the share of other teams beaten, or the reward without other teams."""
    rows = np.arange(len(rewards))
    if len(game.teams) == 1:
        return np.asarray(rewards[rows, seats], np.float64)
    scores = team_scores(rewards[:, game.team_representatives])
    return np.asarray(scores[rows, np.array(game.team_numbers)[seats]], np.float64)
