"""How deep the skill in each game is: what ladders of search found, side by side."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
