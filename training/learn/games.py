"""Play games of behaviour policies, and sample the positions for labels and value networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents import Agent, load_all, playing_as
from tantra_envs import cli
from tantra_envs.core.asking import answer_of
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.core.state import States
from tantra_envs.matches.playing import play_tables
from tantra_envs.matches.seeds import DEALS, deal_seeds

from ..imitation import with_random_actions

MOST_DEALS = DEALS // 2  # deals from this number are for training, deals before it for studies


@dataclass(frozen=True)
class Games:
    """Settings of games in plain values, from which every worker builds the game and the agents."""

    game: str
    players: int | None
    behaviour_policies: tuple[str, ...]
    base: str
    epsilon: float
    share: float
    seed: int

    def build(self) -> tuple[Game, list[Agent]]:
        """Return the game with the base policy as its scripted agent, and the behaviour policies."""
        game = cli.game(self.game, self.players)
        return playing_as(self.base, game), load_all(self.behaviour_policies, game)


@dataclass(frozen=True)
class Deals:
    """The deals `first` to `first + count - 1`."""

    first: int
    count: int


def sample_positions(
    games: Games, game: Game, policies: Sequence[Agent], deals: Deals, rng: np.random.Generator
) -> States:
    """Play the deals. Return a share of the positions with at least two legal actions, shape (n,)."""
    positions: list[States] = []

    def look(states: States, rows: Actions, actions: Actions) -> None:
        drawn = rows[rng.random(len(rows)) < games.share]
        positions.append(states[drawn[Observation(game, states, drawn).action_mask.sum(axis=1) > 1]])

    agents = [_Exploring(policy, games.epsilon) for policy in policies]
    seating = rng.integers(len(agents), size=(deals.count, game.players))
    seeds = deal_seeds(games.seed, MOST_DEALS + deals.first, deals.count)
    play_tables(game, agents, seating, seeds, (games.seed, deals.first), look=look)
    return np.concatenate(positions)


class _Exploring:
    """An agent that sometimes takes a random action."""

    def __init__(self, agent: Agent, epsilon: float) -> None:
        self.name, self._agent, self._epsilon = agent.name, agent, epsilon

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the agent's actions, a share of them replaced by random ones."""
        return with_random_actions(answer_of(self._agent, obs, rng), obs.action_mask, self._epsilon, rng)
