"""A game on one page: what the studies of balance, chances and restricted play say of it, opened by five sentences."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
