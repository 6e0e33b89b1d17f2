"""Each seat's chance to win, from playouts: how tense games are, when they are decided, and whether it is true."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
