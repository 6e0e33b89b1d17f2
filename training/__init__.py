"""Training: self-play, imitation, measuring an agent, and the export of what was learned."""

from tantra_envs.cli import only_commands

only_commands(__name__, "training.selfplay", "training.evaluate", "training.export")
