"""Uniform: every legal action is as likely as any other."""

from tantra_envs import Game


class Uniform:
    """The shortest player there is."""

    def __init__(self, game: Game):
        self.name = "uniform"

    def act(self, sight, rng):
        """Legal actions draw lots."""
        return (sight.masks * (1 - rng.random(sight.masks.shape))).argmax(axis=1)
