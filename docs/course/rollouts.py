"""Task 2: a bot that tries every legal action in sampled deals, which the scripted agent plays to the end."""

from pathlib import Path

import numpy as np

from tantra_envs.core.playouts import Playouts

SAMPLES = 16  # of what the seat cannot see, for each decision


class Bot:
    """Plays the action with the best mean score over the same sampled deals."""

    name = Path(__file__).stem

    def __init__(self, game):
        """Prepare the compiled playouts of the game."""
        self.teams, self.playouts = game.team_numbers, Playouts(game)

    def act(self, obs, rng):
        """Return an action for each table."""
        return np.array([self.best(obs, rng, table) for table in range(len(obs))])

    def best(self, obs, rng, table):
        """Return the best action at one table."""
        legal = np.flatnonzero(obs.action_mask[table])
        deals = obs.determinize(SAMPLES, rng, [table])
        scores = self.playouts.scores(np.tile(deals, len(legal)), legal.repeat(SAMPLES))  # a column for each team
        own = scores[:, self.teams[obs.seat[table]]]
        return legal[own.reshape(len(legal), SAMPLES).mean(axis=1).argmax()]
