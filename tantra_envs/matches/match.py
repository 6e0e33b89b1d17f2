"""Matches: duplicate deals, line-ups rotated through the seats, and what the results say.

    match = play_match(game, [greedy, uniform], lineup=[0, 1], deals=1000)   # duplicate deals, teams rotated
    match.score(0)                                                           # Estimate of agent 0, 0.5 = even

All chance comes from the arguments: the same call gives the same result on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.observation import Agent
from .intervals import Estimate, estimate
from .playing import Floats, Ints, Progress, play_tables
from .seeds import deal_seeds

SIDE_BY_SIDE = 256  # deals played together; part of the method: another number draws other random numbers


@dataclass(frozen=True)
class Match:
    """A line-up over duplicate deals. A row is a deal, the mean over its rotations; a column is an agent."""

    scores: Floats  # (deals, agents), mean of `team_scores` over the agent's teams
    rewards: Floats  # (deals, agents)
    least: float  # the smallest and the largest reward of any seat in any game
    most: float
    plies: float  # mean length of a game
    truncated: float  # share of games that were cut off

    def score(self, agent: int) -> Estimate:
        """Share of the others that `agent` beats; 0.5 is even for any number of players."""
        return estimate(self.scores[:, agent], 0.0, 1.0)

    def reward(self, agent: int) -> Estimate:
        """Mean reward of `agent` per game."""
        return estimate(self.rewards[:, agent], self.least, self.most)


def play_match(
    game: Game,
    agents: Sequence[Agent],
    lineup: Sequence[int],
    deals: int,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Match:
    """Play `deals` deals once for every rotation of `lineup`, which names an agent (an index) for each of `game.teams`.

    All seats of a team are one agent's; where nobody has a partner a team is a seat. `SIDE_BY_SIDE` deals are played
    together. ValueError for a line-up that does not fit the game, or that leaves an agent out.
    """
    _check_lineup(game, len(agents), lineup)
    parts = []
    for first in range(0, max(deals, 1), SIDE_BY_SIDE):
        seating, seeds = duplicate_deals(game, lineup, first, min(SIDE_BY_SIDE, deals - first), seed)
        outcome = play_tables(game, agents, seating, seeds, (seed, first), progress=progress)
        parts.append(match_of(game, seating, outcome.rewards, outcome.plies, outcome.truncated))
    return join(parts)


def play_alone(game: Game, agents: Sequence[Agent], deals: int, *, seed: int = 0) -> Match:
    """Let each agent play the same deals of a game for one; an agent beats another where it is paid more.

    ValueError for a game of several players.
    """
    if game.players > 1:
        raise ValueError(f"{game.name}: players={game.players} play against one another; allowed: games for one")
    seeds, seating = deal_seeds(seed, 0, deals), np.zeros((deals, 1), np.int64)
    played = [play_tables(game, [agent], seating, seeds, seed) for agent in agents]
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
    """The tables of the deals from `first` on, each deal once for every rotation: who sits where, and their seeds.

    Shapes (n, players) and (n,). `rotations`: so many of each deal; None = as many as there are teams. `shuffled`:
    the line-up in another order at every deal.
    """
    seeds, orders = deal_seeds(seed, first, deals), np.tile(lineup, (deals, 1))
    if shuffled:
        orders = np.random.default_rng((seed, first)).permuted(orders, axis=1)
    turns = len(lineup) if rotations is None else rotations
    return rotated(game, orders, turns), np.repeat(seeds, turns)


def match_of(game: Game, seating: Ints, rewards: Floats, plies: Ints, truncated: npt.NDArray[np.bool_]) -> Match:
    """What tables say that were played as `duplicate_deals` has them, once for every rotation.

    `seating` and `rewards` (n, players), the others (n,). An agent's row is its mean over its teams of a deal.
    """
    paid = rewards[:, game.speakers]
    scores, own = (by_deal(game, seating, values) for values in (team_scores(paid), paid))
    return _match(scores, own, paid, plies, truncated)


def by_deal(game: Game, seating: Ints, values: Floats) -> Floats:
    """What tables say that were played once for every rotation, (deals, agents): means over an agent's teams of a deal.

    `seating` (n, players); `values` (n, teams).
    """
    teams, agents = len(game.teams), int(seating.max()) + 1
    own = (seating[:, game.speakers, None] == np.arange(agents)).reshape(-1, teams * teams, agents)
    totals = (values.reshape(-1, teams * teams, 1) * own).sum(axis=1)
    return np.asarray(totals / own.sum(axis=1), np.float64)


def join(parts: Sequence[Match]) -> Match:
    """One match over the deals of all `parts`, in their order."""
    deals = [len(part.scores) for part in parts]
    return Match(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.rewards for part in parts]),
        min(part.least for part in parts),
        max(part.most for part in parts),
        float(np.average([part.plies for part in parts], weights=deals)),
        float(np.average([part.truncated for part in parts], weights=deals)),
    )


def rotated(game: Game, orders: Ints, rotations: int) -> Ints:
    """The agent of every seat in the first rotations of each row of `orders` (n, teams): (n * rotations, players)."""
    turns = (np.array(game.team_numbers) - np.arange(rotations)[:, None]) % len(game.teams)
    return orders[:, turns].reshape(-1, game.players)


def team_scores(rewards: Floats) -> Floats:
    """(n, teams): the share of the other teams with a smaller reward, and half of those with an equal one."""
    own, other = rewards[:, :, None], rewards[:, None, :]
    beaten = (other < own).sum(axis=2) + ((other == own).sum(axis=2) - 1) / 2
    return np.asarray(beaten / (rewards.shape[1] - 1), np.float64)


def _match(scores: Floats, rewards: Floats, paid: Floats, plies: npt.ArrayLike, truncated: npt.ArrayLike) -> Match:
    """From the rows of the deals, and what was paid to every team of every table, and how long they were."""
    least, most = float(paid.min()), float(paid.max())
    return Match(scores, rewards, least, most, float(np.asarray(plies).mean()), float(np.asarray(truncated).mean()))


def _check_lineup(game: Game, agents: int, lineup: Sequence[int]) -> None:
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; a match needs 2 or more")
    if len(lineup) != len(game.teams) or set(lineup) != set(range(agents)):
        allowed = f"an agent for each of {len(game.teams)} {'teams' if game.partners else 'seats'}, "
        allowed += f"every agent 0..{agents - 1} at least once"
        raise ValueError(f"lineup={list(lineup)} is not allowed; allowed: {allowed}")
