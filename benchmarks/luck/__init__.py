"""Scores without luck: what is left when luck with the cards to come is taken away, and how much surer it is."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
