"""Matches: duplicate deals, line-ups rotated through the seats, and what the results say.

    match = play_match(game, [greedy, uniform], lineup=[0, 1], deals=1000)   # duplicate deals, teams rotated
    match.score(0)                                                           # Estimate of agent 0, 0.5 = even

All chance comes from the arguments: the same call gives the same result on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.game import Game
from ..core.observation import Agent
from .intervals import Estimate, estimate
from .playing import Floats, Ints, Outcome, Progress, play_tables

Keep = Callable[[Ints, Ints, Outcome], None]  # seating, seeds, and how those tables ended

BLOCK = 256  # deals played side by side; part of the method: another number draws other random numbers


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
    first: int = 0,
    block: int = BLOCK,
    shuffled: bool = False,
    keep: Keep | None = None,
    progress: Progress | None = None,
) -> Match:
    """Play `deals` deals once for every rotation of `lineup`, which names an agent (an index) for each of `game.teams`.

    All seats of a team are one agent's; where everyone plays for himself a team is a seat. `shuffled` seats the
    line-up in another order at every deal. Deal d is `game.new((seed << 32) + d)`, counted from `first`. Parts of a
    match that begin with a whole `block` may be played anywhere: `join` makes of them what the whole gives. `keep`
    receives the tables of every block, with their actions. ValueError for a line-up that does not fit the game, or
    that leaves an agent out.
    """
    _check_match(game, agents, lineup, deals, seed)
    if first % block or first < 0:
        raise ValueError(f"first={first} is not allowed; allowed: the beginning of a block of {block} deals")
    parts = []
    for begin in range(first, first + deals, block):
        numbers = np.arange(begin, min(begin + block, first + deals), dtype=np.int64) + (seed << 32)
        orders = np.tile(lineup, (len(numbers), 1))
        if shuffled:
            orders = np.random.default_rng((seed, begin)).permuted(orders, axis=1)
        seating, deal = rotated(game, orders, len(lineup)), np.repeat(numbers, len(lineup))
        outcome = play_tables(
            *(game, agents, seating, deal, (seed, begin)), record=keep is not None, progress=progress
        )  # fmt: skip
        if keep:
            keep(seating, deal, outcome)
        parts.append(_summary(game, len(agents), seating, outcome))
    return join(parts)


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


def play_alone(game: Game, agents: Sequence[Agent], deals: int, *, seed: int = 0) -> Match:
    """Let each agent play the same deals of a game for one; an agent beats another where it is paid more.

    ValueError for a game of several players.
    """
    if game.players > 1:
        raise ValueError(f"{game.name}: players={game.players} play against one another; allowed: games for one")
    numbers = np.arange(deals, dtype=np.int64) + (seed << 32)
    played = [play_tables(game, [agent], np.zeros((deals, 1), np.int64), numbers, seed) for agent in agents]
    rewards = np.concatenate([outcome.rewards for outcome in played], axis=1)
    return Match(
        team_scores(rewards),
        rewards,
        float(rewards.min()),
        float(rewards.max()),
        float(np.mean([outcome.plies for outcome in played])),
        float(np.mean([outcome.truncated for outcome in played])),
    )


def rotated(game: Game, orders: Ints, rotations: int) -> Ints:
    """The agent of every seat in the first rotations of each row of `orders` (n, teams): (n * rotations, players)."""
    team_of = np.array([game.teams.index(game.team_of(seat)) for seat in range(game.players)])
    turns = (team_of - np.arange(rotations)[:, None]) % len(game.teams)
    return orders[:, turns].reshape(-1, game.players)


def team_scores(rewards: Floats) -> Floats:
    """(n, teams): the share of the other teams with a smaller reward, and half of those with an equal one."""
    own, other = rewards[:, :, None], rewards[:, None, :]
    beaten = (other < own).sum(axis=2) + ((other == own).sum(axis=2) - 1) / 2
    return np.asarray(beaten / (rewards.shape[1] - 1), np.float64)


def _summary(game: Game, agents: int, seating: Ints, outcome: Outcome) -> Match:
    """Tables to deals: the mean of each agent over its teams in all rotations of a deal."""
    speakers = [team[0] for team in game.teams]  # partners are paid alike
    teams = len(speakers)
    own = (seating[:, speakers, None] == np.arange(agents)).reshape(-1, teams * teams, agents)
    rewards = outcome.rewards[:, speakers]

    def by_deal(values: Floats) -> Floats:
        totals = (values.reshape(-1, teams * teams, 1) * own).sum(axis=1)
        return np.asarray(totals / own.sum(axis=1), np.float64)

    return Match(
        by_deal(team_scores(rewards)),
        by_deal(rewards),
        float(rewards.min()),
        float(rewards.max()),
        float(outcome.plies.mean()),
        float(outcome.truncated.mean()),
    )


def _check_match(game: Game, agents: Sequence[Agent], lineup: Sequence[int], deals: int, seed: int) -> None:
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; a match needs 2 or more")
    if len(lineup) != len(game.teams) or set(lineup) != set(range(len(agents))):
        allowed = f"an agent for each of {len(game.teams)} {'teams' if game.partners else 'seats'}, "
        allowed += f"every agent 0..{len(agents) - 1} at least once"
        raise ValueError(f"lineup={list(lineup)} is not allowed; allowed: {allowed}")
    if deals < 1:
        raise ValueError(f"deals={deals} is not allowed; allowed: 1 or more")
    if not 0 <= seed < 1 << 31:
        raise ValueError(f"seed={seed} is not allowed; allowed: 0..{(1 << 31) - 1}")
