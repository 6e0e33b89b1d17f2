"""Training: self-play, behaviour cloning, measuring an agent, the export of what was learned, and other trainers."""

from tantra_envs.cli import only_commands

EXAMPLES = ("sb3", "own_loop", "tianshou", "torchrl", "jax", "rllib")  # in `examples`, one for each framework

only_commands(
    __name__,
    *("training.selfplay", "training.labels", "training.values", "training.distil", "training.crank"),
    *("training.evaluate", "training.export", "training.scale"),
    *(f"training.examples.{name}" for name in EXAMPLES),
)
