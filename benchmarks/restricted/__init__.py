"""What each freedom of a game is worth: players that have given one up, among the same players that have it."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
