"""Training: self-play, behaviour cloning, measuring an agent, and the export of what was learned."""

from tantra_envs.cli import only_commands

only_commands(
    __name__, "training.selfplay", "training.evaluate", "training.export", "training.labels", "training.distil"
)
