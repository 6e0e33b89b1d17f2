"""What players do: figures and pictures of how they behave, side by side, counted from records."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
