"""The options of `python -m training scale`."""

from dataclasses import dataclass

from tantra_envs import cli
from tantra_envs.workers import MOST_WORKERS

from ..options import PPOOptions, check_ppo


@dataclass(frozen=True, kw_only=True)
class Args(PPOOptions):
    """Learn a game by self-play with RLlib: env runners in other processes, here or on a cluster of Ray.

    Example: python -m training scale --config configs/scale/karma.toml --workers 2

    On a cluster: python -m training scale --config configs/scale/karma.toml --workers 64 --address 10.0.0.1:6379
    """

    num_envs: int = 64
    """Tables of an env runner; an update uses the decisions of all runners."""
    workers: int = 2
    """Number of env runners, each a process; may differ after --resume."""
    learners: int = 0
    """Processes of the optimiser; 0 = this one; may differ after --resume."""
    gpus: float = 0.0
    """GPUs, or a share of one, per learner; may differ after --resume."""
    address: str = ""
    """HOST:PORT of a Ray cluster, or auto; empty = local; may differ after --resume."""

    COMMON = (*PPOOptions.COMMON, "workers", "learners", "gpus", "address")


def check(args: Args) -> None:
    """Raise ValueError for options that no part of a run would refuse with a clear message."""
    check_ppo(args)
    cli.check_ranges(args, workers=(1, MOST_WORKERS), learners=(0, MOST_WORKERS), gpus=(0, MOST_WORKERS))
    if args.batch_size < 2 * max(args.learners, 1):
        raise ValueError(f"batch_size={args.batch_size} is not allowed; allowed: at least 2 for each learner")


def needs(args: Args) -> tuple[int, float]:
    """Return the cores and GPUs of the processes that a run begins."""
    return args.workers + args.learners, args.gpus * max(args.learners, 1)
