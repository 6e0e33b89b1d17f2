"""Positions that players get into: what labels are made at, and what values are learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents import Agent, parse, playing_as
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.core.state import States
from tantra_envs.matches.playing import play_tables
from tantra_envs.matches.seeds import DEALS, deal_seeds

OWN_DEALS = DEALS // 2  # the first deal: studies play those from 0 on


@dataclass(frozen=True)
class Games:
    """Games that are played, and who plays on from their positions, in words: every worker makes them for itself."""

    game: str
    players: int | None
    visitors: str
    base: str
    epsilon: float
    share: float
    seed: int

    def made(self) -> tuple[Game, list[Agent]]:
        """The game with the base player in it, and who plays the games."""
        game = cli.game(self.game, self.players)
        return playing_as(self.base, game), parse(self.visitors, game)


def visited(
    games: Games, game: Game, visitors: Sequence[Agent], first: int, deals: int, rng: np.random.Generator
) -> States:
    """Some of the positions of the deals `first` .. `first + deals - 1` at which there is a choice, (n,)."""
    kept: list[States] = []

    def look(states: States, rows: Actions, actions: Actions) -> None:
        drawn = rows[rng.random(len(rows)) < games.share]
        kept.append(states[drawn[Observation(game, states, drawn).action_mask.sum(axis=1) > 1]])

    slipping = [_Slipping(visitor, games.epsilon) for visitor in visitors]
    seating = rng.integers(len(visitors), size=(deals, game.players))
    seeds = deal_seeds(games.seed, OWN_DEALS + first, deals)
    play_tables(game, slipping, seating, seeds, (games.seed, first), look=look)
    return np.concatenate(kept)


class _Slipping:
    """Plays as an agent does, but for random moves."""

    def __init__(self, agent: Agent, epsilon: float) -> None:
        self.name, self._agent, self._epsilon = agent.name, agent, epsilon

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The agent's action, or now and then any legal one."""
        actions = self._agent.act(obs, rng)
        anything = np.where(obs.action_mask == 1, rng.random(obs.action_mask.shape), -1.0).argmax(axis=1)
        return np.where(rng.random(len(actions)) < self._epsilon, anything, actions)
