"""Learn a game by self-play with RLlib on Ray: on the cores of one machine, or on those of a cluster.

    python -m training.scale --config configs/scale/karma.toml --workers 2 --name karma-scale
    python -m training.scale --resume runs/karma-scale
    python -m training.scale --config configs/scale/karma.toml --workers 64 --address 10.0.0.1:6379

Env runners play in other processes, against named agents and snapshots of the learner; PPO learns of what they hand in.
A runner that dies is started again, a run whose own process died goes on with --resume from its last checkpoint. Ctrl-C
ends it after the current update, saved; a second one at once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tantra_envs import cli
from tantra_envs.adapters import check_versions

with cli.user_errors("train,rllib", "constraints/rllib.txt"):  # what is missing, or known not to work
    check_versions("rllib")
    from . import cluster

    cluster.quiet()
    import numpy as np
    import torch
    from torch.utils.tensorboard import SummaryWriter

    from agents import Agent, parse
    from agents.checkpoint import write_model
    from agents.networks import NetworkPlayer, actor, filled, tensors_of
    from tantra_envs.core.game import Game
    from tantra_envs.files import write_json
    from tantra_envs.workers import WorkerError

    from .. import settings
    from ..evaluate import evaluate, report, show
    from ..opponents import OpponentPool
    from ..progress import asked_to_stop, progress_bar
    from ..run_folder import add_command, draw_curve, new_folder, read_checkpoint, write_checkpoint
    from ..schedules import due
    from .algorithm import SelfPlayPPO, build, seating_of, spec_of
    from .settings import Args, check, needs
    from .table_runner import Seating, Weights

PROGRAM = "training.scale"
HERE = ("workers", "learners", "gpus", "address")  # settings that a run takes up anew with --resume


# The story


def main(argv: Sequence[str] | None = None) -> None:
    """Begin or take up a run, train it to its end, and measure what has been learned."""
    with cli.user_errors("train,rllib", "constraints/rllib.txt"):
        args = cli.read(Args, PROGRAM, argv)
        run = prepare_again(args) if args.resume else prepare(args)
        cluster.join(run.args.address, *needs(run.args))
    with cli.work(f"go on with --resume {run.folder}"), cluster.left():
        start(run)
        add_command(run.folder, cli.command(PROGRAM, argv))
        finished = train(run)
        save(run)
        if not finished:
            raise KeyboardInterrupt
        judge(run)


def train(run: Run) -> bool:
    """Play and learn until the decisions are done; False if Ctrl-C came first, WorkerError if nobody plays any more."""
    total, answered = run.args.total_timesteps, time.monotonic()
    with asked_to_stop() as stop, progress_bar("learning", total, run.decisions) as advance:
        while run.decisions < total:
            before = run.decisions
            update(run)
            if run.decisions > before:
                after_update(run, before)
                answered = time.monotonic()
            elif time.monotonic() - answered > cluster.PATIENCE:
                raise WorkerError(f"no env runner has answered for {cluster.PATIENCE:.0f} seconds")
            advance(min(run.decisions, total), run.speed)
            if stop():
                return False
    return True


def update(run: Run) -> None:
    """One update of PPO, from `n_steps` decisions at every table of every runner."""
    started, before = time.perf_counter(), run.algorithm.sampled()
    told = run.algorithm.train()["env_runners"]
    learned = run.algorithm.sampled() - before
    run.decisions, run.learned, run.seconds = (
        run.decisions + learned,
        run.learned + learned,
        run.seconds + time.perf_counter() - started,
    )
    for name in ("episode_return_mean", "episode_len_mean"):
        if name in told:
            run.log.add_scalar(f"play/{name}", told[name], run.decisions)


def after_update(run: Run, before: int) -> None:
    """What is due now and was not `before`: a snapshot, a measurement."""
    args, now = run.args, run.decisions
    if due(args.snapshot_every, before, now):
        keep_snapshot(run)
    if due(args.eval_every, before, now):
        measure(run)
        save(run)


def keep_snapshot(run: Run) -> None:
    """The learner as it is now is one of the opponents from now on, in the place of any if all are taken."""
    run.pool.add_snapshot(run.learner.actor, run.chance)
    run.algorithm.hand_out(snapshots(run))


def measure(run: Run) -> None:
    """Play a few deals against each opponent, for the curve and TensorBoard."""
    args, learner = run.args, run.learner
    results = [evaluate(run.game, learner, other, args.eval_deals, args.seed) for other in run.eval_opponents]
    scores = {r.opponent: (r.score.mean, r.score.low, r.score.high) for r in results}
    run.history.append({"decisions": run.decisions, "scores": scores})
    for name, (mean, _, _) in scores.items():
        run.log.add_scalar(f"score/{name}", mean, run.decisions)


def judge(run: Run) -> None:
    """The measurement at the end: printed and kept with the curve."""
    args, learner, seed = run.args, run.learner, run.args.seed + 1  # other deals than those of the curve
    results = [evaluate(run.game, learner, other, args.final_deals, seed) for other in run.eval_opponents]
    facts = {"game": run.game.name, "config": run.game.config, "settings": settings.plain(args), "history": run.history}
    write_json(run.folder / "results.json", {**facts, "speed": run.speed, **report(results)})
    show(f"{args.name} after {run.decisions:,} decisions", results)
    print(f"{run.speed}, updates included; everything is in {run.folder}")


# A run


@dataclass
class Run:
    """Everything a run holds; `save` keeps it, `prepare_again` and `start` bring it back."""

    args: Args
    game: Game
    pool: OpponentPool
    eval_opponents: list[Agent]
    decisions: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)  # {"decisions": n, "scores": {name: (mean, low, high)}}
    begun: dict[str, Any] | None = None  # the checkpoint it goes on from
    learned: int = 0  # decisions learned from in this process
    seconds: float = 0.0  # spent on them
    chance: np.random.Generator = field(default_factory=np.random.default_rng)
    algorithm: SelfPlayPPO = field(init=False)
    log: SummaryWriter = field(init=False)

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.args.runs / self.args.name

    @property
    def seating(self) -> Seating:
        """Who plays at its tables."""
        return seating_of(self.args, self.game, self.decisions)

    @property
    def speed(self) -> str:
        """In words."""
        return f"{self.learned / max(self.seconds, 1e-9):,.0f} decisions a second"

    @property
    def learner(self) -> NetworkPlayer:
        """The network as it is now, playing its likeliest action."""
        network = filled(actor(spec_of(self.args), self.game), self.algorithm.actor())
        return NetworkPlayer("learner", network)


def prepare(args: Args) -> Run:
    """A new run in a folder of its own; ValueError or OSError for settings that cannot be."""
    run = assembled(args)
    new_folder(run.folder)
    return run


def prepare_again(args: Args) -> Run:
    """The run in the folder `args.resume` where its checkpoint left it; ValueError if there is none.

    It goes on with the processes and the cluster that are asked for now: those it began with may be gone.
    """
    assert args.resume is not None
    begun = read_checkpoint(args.resume)
    kept = replace(settings.kept(begun["settings"], args), **{name: getattr(args, name) for name in HERE})
    return replace(assembled(kept), decisions=begun["decisions"], history=begun["history"], begun=begun)


def assembled(args: Args) -> Run:
    """Game and players for the settings, but no processes yet."""
    check(args)
    torch.set_num_threads(args.threads)
    game = cli.game(args.game, args.players)
    return Run(args, game, seating_of(args, game, 0).pool(), parse(args.eval_opponents, game))


def start(run: Run) -> None:
    """Begin its processes, with what the run has learned so far."""
    run.log = SummaryWriter(str(run.folder / "tensorboard"))
    run.algorithm = build(run.args, run.game, run.decisions)
    if run.begun:
        run.algorithm.set_learner_state(run.begun["learner"])
        run.pool.snapshots = [run.seating.snapshot(weights) for weights in run.begun["snapshots"]]
        run.algorithm.hand_out(snapshots(run))
    else:
        keep_snapshot(run)
        save(run)


# Its files


def save(run: Run) -> None:
    """The model for players, the curve for people, and a checkpoint that holds all the rest, in arrays and words."""
    known: dict[str, Any] = {"settings": settings.plain(run.args), "decisions": run.decisions}
    write_model(run.folder / "model.safetensors", run.algorithm.actor(), spec_of(run.args), run.game, **known)
    draw_curve(run.folder / "curve.png", run.history)
    learner = run.algorithm.learner_state()
    write_checkpoint(run.folder, {**known, "history": run.history, "learner": learner, "snapshots": snapshots(run)})


def snapshots(run: Run) -> list[Weights]:
    """The weights of the snapshots in the pool."""
    return [tensors_of(snapshot.actor) for snapshot in run.pool.snapshots]


if __name__ == "__main__":
    main()
