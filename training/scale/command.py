"""Learn a game by self-play with RLlib on Ray, on the cores of one machine or of a cluster.

    python -m training scale --config configs/scale/karma.toml --workers 2 --name karma-scale
    python -m training scale --resume runs/karma-scale
    python -m training scale --config configs/scale/karma.toml --workers 64 --address 10.0.0.1:6379

Env runners in other processes play against named agents and snapshots of the learner. PPO learns from their episodes.
A runner that dies is restarted. If the main process dies, the run continues with --resume from its last checkpoint.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from typing import Any, ClassVar

from tantra_envs import cli
from tantra_envs.adapters import check_versions

EXTRA = ("train,rllib", "constraints/rllib.txt")  # extras and constraints to install if a library is missing

with cli.user_errors(*EXTRA):
    check_versions("rllib")
    from . import cluster

    cluster.quiet()
    import numpy as np
    from torch.utils.tensorboard import SummaryWriter

    from agents.networks import TorchAgent, build_actor, filled, tensors_of
    from tantra_envs.opponents.model_files import Tensors
    from tantra_envs.opponents.network_spec import NetworkSpec
    from tantra_envs.workers import WorkerError

    from ..progress import asked_to_stop, progress_bar
    from ..schedules import due
    from .algorithm import SelfPlayPPO, build, seating_of, spec_of
    from .options import Args, RunOptions, check, needs
    from .run import Run
    from .table_runner import Seating, Weights


class Scale(Run[Args]):
    """A run of self-play on Ray."""

    PROGRAM = "training scale"
    OPTIONS: ClassVar[type[RunOptions]] = Args
    AGAIN = ("workers", "learners", "gpus", "address")  # processes and machines may differ after a resume
    EXTRA = EXTRA

    algorithm: SelfPlayPPO
    log: SummaryWriter

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        self.pool = seating_of(args, self.game, 0).pool()
        self.rng = np.random.default_rng()
        self.learned, self.seconds = 0, 0.0  # decisions learned from in this process, and the seconds they took

    @staticmethod
    def check(args: Args) -> None:
        """Raise ValueError for options that are not allowed."""
        check(args)

    @staticmethod
    def session() -> contextlib.AbstractContextManager[Any]:
        """Leave the cluster after the run."""
        return cluster.left()

    # Training

    def train(self) -> bool:
        """Play and learn until the decisions are done. Return False after Ctrl-C.

        Raises:
            WorkerError: No env runner has answered for a while.
        """
        total, answered = self.args.total_timesteps, time.monotonic()
        with asked_to_stop() as stop, progress_bar("learning", total, self.decisions) as advance:
            while self.decisions < total:
                before = self.decisions
                self.update()
                if self.decisions > before:
                    self.after_update(before)
                    answered = time.monotonic()
                elif time.monotonic() - answered > cluster.PATIENCE:
                    raise WorkerError(f"no env runner has answered for {cluster.PATIENCE:.0f} seconds")
                advance(min(self.decisions, total), self.speed)
                if stop():
                    return False
        return True

    def update(self) -> None:
        """Do one update of PPO, from `n_steps` decisions at every table of every runner."""
        began, before = time.perf_counter(), self.algorithm.sampled()
        figures = self.algorithm.train()["env_runners"]
        learned = self.algorithm.sampled() - before
        self.decisions += learned
        self.learned += learned
        self.seconds += time.perf_counter() - began
        for name in ("episode_return_mean", "episode_len_mean"):
            if name in figures:
                self.log.add_scalar(f"play/{name}", figures[name], self.decisions)

    def after_update(self, before: int) -> None:
        """Add a snapshot and measure, where these are due since `before`."""
        args, now = self.args, self.decisions
        if due(args.snapshot_every, before, now):
            self._add_snapshot()
        if due(args.eval_every, before, now):
            self._measure_now()
            self.save()

    def finish(self) -> None:
        """Measure the network on new deals, and report the results."""
        results = self.measure(self.learner, self.args.final_deals, self.args.seed + 1)
        self.report(f"{self.args.folder.name} after {self.decisions:,} decisions", results, speed=self.speed)
        print(f"{self.speed}, including updates; all files are in {self.args.folder}")

    def _add_snapshot(self) -> None:
        """Add a snapshot of the learner to the pool. In a full pool it replaces a random snapshot."""
        self.pool.add_snapshot(self.learner.actor, self.rng, in_play=())  # the tables are in the runners
        self.algorithm.hand_out(self.snapshots())

    def _measure_now(self) -> None:
        """Play a few deals against each opponent, for the curve and TensorBoard."""
        self.record(self.measure(self.learner, self.args.eval_deals, self.args.seed))
        for name, (mean, _, _) in self.history[-1]["scores"].items():
            self.log.add_scalar(f"score/{name}", mean, self.decisions)

    # State

    @property
    def seating(self) -> Seating:
        """The seating of its tables."""
        return seating_of(self.args, self.game, self.decisions)

    @property
    def speed(self) -> str:
        """The speed of this process as text."""
        return f"{self.learned / max(self.seconds, 1e-9):,.0f} decisions a second"

    @property
    def learner(self) -> TorchAgent:
        """The agent that plays the most likely action of the current network."""
        return TorchAgent("learner", filled(build_actor(self.spec, self.game), self.algorithm.actor()), self.spec)

    @property
    def spec(self) -> NetworkSpec:
        """The network that the options select."""
        return spec_of(self.args)

    def tensors(self) -> Tensors:
        """Return the weights of the actor."""
        return self.algorithm.actor()

    def snapshots(self) -> list[Weights]:
        """Return the weights of the snapshots in the pool."""
        return [tensors_of(snapshot.actor) for snapshot in self.pool.snapshots]

    def start(self, checkpoint: dict[str, Any] | None) -> None:
        """Join or begin the cluster and its processes, with the learner of the checkpoint."""
        cluster.join(self.args.address, *needs(self.args))
        self.log = SummaryWriter(str(self.args.folder / "tensorboard"))
        self.algorithm = build(self.args, self.game, self.decisions)
        if checkpoint:
            self.algorithm.set_learner_state(checkpoint["learner"])
            self.pool.set_snapshots([self.seating.snapshot(weights) for weights in checkpoint["snapshots"]], in_play=())
            self.algorithm.hand_out(self.snapshots())
        else:
            self._add_snapshot()

    def state(self) -> dict[str, Any]:
        """Return the learner and the snapshots as arrays."""
        return {"learner": self.algorithm.learner_state(), "snapshots": self.snapshots()}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    Scale.main(argv)
