"""Balance of a game: many games between known agents, under several rules, and what they say about the rules."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
