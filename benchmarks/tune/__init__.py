"""Rules tuned toward what a designer wants: how long, how even, how tense, how much a matter of skill."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
