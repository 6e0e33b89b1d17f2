"""Who is better: agents over the same duplicate deals, their scores and ratings with intervals."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__)
