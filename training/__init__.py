"""Training: self-play, behaviour cloning, measuring an agent, the export of what was learned, and other trainers."""

from tantra_envs.cli import only_commands

EXAMPLES = ("sb3", "own_loop", "tianshou", "torchrl", "rllib")  # in `examples`, one for each framework

only_commands(
    __name__,
    *("training.selfplay", "training.evaluate", "training.export"),
    *("training.values", "training.labels", "training.distil", "training.crank"),
    *(f"training.examples.{name}" for name in EXAMPLES),
)
