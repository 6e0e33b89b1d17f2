"""Matches on duplicate deals: the line-up is rotated through the seats, and the results become estimates.

    match = play_match(game, [greedy, uniform], lineup=[0, 1], deals=1000)
    match.score(0)                                                           # Estimate of agent 0, 0.5 = even

All random numbers follow from the arguments, so a call gives the same result on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.observation import Agent
from ..core.options import Whole, require, require_in
from .intervals import Estimate, estimate, estimate_points
from .playing import Floats, Ints, Progress, play_tables

SEEDS = 1 << 31  # seeds are smaller than this
Seed = Annotated[int, Whole(0, SEEDS - 1)]
DEALS = 1 << 32  # deals of each seed: deal 7 of seed 3 is the same in every program
SIDE_BY_SIDE = 256  # deals played together; another number changes the random numbers of the agents


@dataclass(frozen=True)
class Match:
    """The results of a line-up over duplicate deals. A row is the mean over the rotations of a deal."""

    scores: Floats  # (deals, agents), means of `team_scores` over the agent's teams
    rewards: Floats  # (deals, agents)
    center: float  # mean of the rewards of all teams in all games, and their standard deviation
    spread: float
    plies: float  # mean number of actions in a game
    truncated: float  # share of truncated games

    def score(self, agent: int) -> Estimate:
        """Return the mean share of the others that `agent` beats; 0.5 is even for any number of players."""
        return estimate(self.scores[:, agent], 0.0, 1.0)

    def reward(self, agent: int) -> Estimate:
        """Return the mean reward of `agent` in a game."""
        return estimate_points(self.rewards[:, agent], (self.center - self.spread, self.center + self.spread))


def play_match(
    game: Game,
    agents: Sequence[Agent],
    lineup: Sequence[int],
    deals: int,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Match:
    """Play `deals` deals once for every rotation of `lineup`, in groups of `SIDE_BY_SIDE` deals.

    Args:
        game: The game.
        agents: The agents.
        lineup: The index of an agent for each of `game.teams`. One agent plays all seats of a team. Without partners
            every seat is a team.
        deals: Number of deals.
        seed: Seed of the deals and of the agents.
        progress: Called with the number of tables that have just ended.

    Raises:
        ValueError: The line-up does not fit the game, or it leaves out an agent.
    """
    _check_lineup(game, len(agents), lineup)
    check_deals(deals, seed)
    parts = []
    for first in range(0, deals, SIDE_BY_SIDE):
        seating, seeds = duplicate_deals(game, lineup, first, min(SIDE_BY_SIDE, deals - first), seed)
        outcome = play_tables(game, agents, seating, seeds, (seed, first), progress=progress)
        parts.append(match_of(game, seating, outcome.rewards, outcome.plies, outcome.truncated))
    return join(parts)


def play_alone(
    game: Game, agents: Sequence[Agent], deals: int, *, seed: int = 0, progress: Progress | None = None
) -> Match:
    """Let each agent play the same deals of a game for one player. An agent beats another one by a larger reward.

    Args:
        game: The game.
        agents: The agents.
        deals: Number of deals.
        seed: Seed of the deals and of the agents.
        progress: Called with the number of tables that have just ended.

    Raises:
        ValueError: The game has several players, or there are fewer than two agents.
    """
    game.check("agents", len(agents), len(agents) >= 2, "2 or more")
    game.check("players", game.players, game.players == 1, "games for one player")
    seeds, seating = deal_seeds(seed, 0, deals), np.zeros((deals, 1), np.int64)
    played = [play_tables(game, [agent], seating, seeds, seed, progress=progress) for agent in agents]
    rewards = np.concatenate([outcome.rewards for outcome in played], axis=1)
    plies, truncated = ([getattr(outcome, name) for outcome in played] for name in ("plies", "truncated"))
    return _match(team_scores(rewards), rewards, rewards, plies, truncated)


def duplicate_deals(
    game: Game,
    lineup: Sequence[int],
    first: int,
    deals: int,
    seed: int,
    *,
    rotations: int | None = None,
    shuffled: bool = False,
) -> tuple[Ints, Ints]:
    """Return the agent of every seat, (n, players), and the seed of the deal, (n,), for tables of duplicate deals.

    Args:
        game: The game.
        lineup: The index of an agent for each team, or for each seat in place of teams of several seats.
        first: Number of the first deal.
        deals: Number of deals.
        seed: Seed of the deals.
        rotations: Tables of each deal; None = one for each entry of the line-up.
        shuffled: Use the line-up in a new random order at every deal.
    """
    seeds, orders = deal_seeds(seed, first, deals), np.tile(lineup, (deals, 1))
    if shuffled:
        orders = np.random.default_rng((seed, first)).permuted(orders, axis=1)
    turns = len(lineup) if rotations is None else rotations
    return rotated(game, orders, turns), np.repeat(seeds, turns)


def deal_seeds(seed: int, first: int, n: int) -> Ints:
    """Return the arguments of `game.new` for the deals `first` .. `first + n - 1` of a seed, shape (n,).

    Raises:
        ValueError: The seed is not an integer 0 .. 2**31 - 1, or n is not one from 1 on.
    """
    check_deals(n, seed)
    return np.arange(first, first + n, dtype=np.int64) + seed * DEALS


def check_deals(n: int, seed: int) -> None:
    """Raise ValueError unless there can be `n` deals of a seed."""
    require_in("deals", n, Whole(1))
    require_in("seed", seed, Whole(0, SEEDS - 1))


def match_of(game: Game, seating: Ints, rewards: Floats, plies: Ints, truncated: npt.NDArray[np.bool_]) -> Match:
    """Return the match of tables in the order of `duplicate_deals`, with all rotations of every deal.

    `seating` and `rewards` are (n, players), the other arrays (n,). An agent's row is its mean over its teams of a
    deal.
    """
    team_rewards = rewards[:, game.team_representatives]
    scores, means = (by_deal(game, seating, values) for values in (team_scores(team_rewards), team_rewards))
    return _match(scores, means, team_rewards, plies, truncated)


def by_deal(game: Game, seating: Ints, values: Floats) -> Floats:
    """Return the mean of `values` over an agent's teams of each deal, (deals, agents).

    The tables must hold all rotations of every deal. `seating` is (n, players) and `values` is (n, teams).
    """
    teams, agents = len(game.teams), int(seating.max()) + 1
    belongs = (seating[:, game.team_representatives, None] == np.arange(agents)).reshape(-1, teams * teams, agents)
    totals = (values.reshape(-1, teams * teams, 1) * belongs).sum(axis=1)
    return np.asarray(totals / belongs.sum(axis=1), np.float64)


def join(parts: Sequence[Match]) -> Match:
    """Return one match over the deals of all `parts`, in their order."""
    deals = [len(part.scores) for part in parts]
    center, square = (
        float(np.average(moments, weights=deals))
        for moments in zip(*((part.center, part.spread**2 + part.center**2) for part in parts), strict=True)
    )
    return Match(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.rewards for part in parts]),
        center,
        max(0.0, square - center**2) ** 0.5,
        float(np.average([part.plies for part in parts], weights=deals)),
        float(np.average([part.truncated for part in parts], weights=deals)),
    )


def rotated(game: Game, orders: Ints, rotations: int) -> Ints:
    """Return the agent of every seat in the first rotations of `orders`: (n * rotations, players).

    `orders` has a column for each team (n, teams), or for each seat (n, players).
    """
    entries = orders.shape[1]
    places = game.team_numbers if entries == len(game.teams) else range(game.players)
    turns = (np.array(places) - np.arange(rotations)[:, None]) % entries
    return orders[:, turns].reshape(-1, game.players)


def team_scores(rewards: Floats) -> Floats:
    """Return scores (n, teams): the share of other teams with a smaller reward, plus half of those with an equal."""
    reward, other = rewards[:, :, None], rewards[:, None, :]
    beaten = (other < reward).sum(axis=2) + ((other == reward).sum(axis=2) - 1) / 2
    return np.asarray(beaten / (rewards.shape[1] - 1), np.float64)


def score_rewards(game: Game, points: Floats) -> Floats:
    """Return 2 x score - 1 for each seat, (n, seats), from the sums of its rewards: from -1 to 1, with sum 0."""
    return 2 * team_scores(points[:, game.team_representatives])[:, game.team_numbers] - 1


def _match(
    scores: Floats, rewards: Floats, team_rewards: Floats, plies: npt.ArrayLike, truncated: npt.ArrayLike
) -> Match:
    """Return the match with these rows for each deal, and these rewards of every team and lengths of every table."""
    center, spread = float(team_rewards.mean()), float(team_rewards.std())
    return Match(scores, rewards, center, spread, float(np.asarray(plies).mean()), float(np.asarray(truncated).mean()))


def check_opponents(game: Game) -> None:
    """Raise ValueError for a game in which nobody plays against another."""
    game.check("players", game.players, len(game.teams) > 1, "games with opponents")


def _check_lineup(game: Game, agents: int, lineup: Sequence[int]) -> None:
    check_opponents(game)
    teams = f"{len(game.teams)} {'teams' if game.partners else 'seats'}"
    fits = len(lineup) == len(game.teams) and set(lineup) == set(range(agents))
    allowed = f"an agent for each of {teams}, every agent 0..{agents - 1} at least once"
    require("lineup", list(lineup), fits, allowed)
