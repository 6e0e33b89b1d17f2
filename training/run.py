"""A training run at many tables: how it begins, learns, resumes and ends. `ppo.py` and `q_learning.py` derive from it.

The folder holds `model.safetensors` for playing, `checkpoint.safetensors` for resuming, `results.json`, `curve.png`,
`command.txt`, a log for TensorBoard and `lock`, which keeps other processes out. After Ctrl-C or SIGTERM a run stops
after its current update. It continues with --resume FOLDER.
"""

from __future__ import annotations

import contextlib
import importlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import torch
from torch import nn

from agents import Agent
from agents.networks import TorchAgent, build_actor, filled, tensors_of
from tantra_envs.core.game import Game
from tantra_envs.opponents.model_files import Tensors, read_tensors, write_model
from tantra_envs.opponents.network_spec import NetworkSpec
from tantra_envs.programs import cli
from tantra_envs.programs.files import locked, write_json
from tantra_envs.programs.progress import progress
from tantra_envs.programs.signals import asked_to_stop

from . import options
from .evaluate import Result, evaluate, show
from .optimizer import Optimizer
from .options import RunOptions, card_of
from .run_folder import MODEL, checkpoint_of, draw_curve, new_folder, read_checkpoint, write_checkpoint
from .trajectories import Draw, Ints, Rewards, Tables, Trajectories

KEPT = "model-{}.safetensors"  # the model of a measurement, by its number
Options = TypeVar("Options", bound=RunOptions)


class Run(ABC, Generic[Options]):
    """A training run in its current state.

    Attributes:
        args: The options.
        game: The game that is measured.
        tables: The groups of tables, one for each number of seats.
        named: The named agents that play against the learner by number, for each group.
        eval_opponents: The agents to measure against.
        updates: Number of updates so far.
        decisions: Number of decisions learned from so far.
        metrics: Figures of the last update.
        history: An entry for every measurement, with "decisions" and "scores" {opponent: (mean, low, high)}.
        learner: The module that is fitted. Its `actor` is the policy.
        average: A copy of it with the moving average of the weights, which is saved and measured.
    """

    PROGRAM: ClassVar[str]
    OPTIONS: ClassVar[type[RunOptions]]
    NETWORKS: ClassVar[tuple[str, ...]] = ("learner", "average")  # names of the modules in a checkpoint
    SHOWN: ClassVar[str]  # the metric next to the progress bar

    learner: Any
    average: Any
    optimizer: Optimizer

    def __init__(self, args: Options, decisions: int = 0) -> None:
        """Build everything except files. Raise ValueError for options that are not allowed."""
        self.check(args)
        torch.set_num_threads(1)  # the layers are too small for more
        torch.manual_seed(args.seed)
        self.args = args
        self.game = args.table(args.players)
        self.eval_opponents = [options.load_agent("eval_opponents", spec, self.game) for spec in args.eval_opponents]
        games, (opponents, share) = args.games, args.others
        self.named = [
            {number: options.load_agent("opponents", spec, game) for number, spec in enumerate(opponents)}
            for game in games
        ]
        rewards = Rewards(args.reward, args.reward_scale, args.episode)
        counts = [len(part) for part in np.array_split(np.arange(args.tables), len(games))]
        self.tables = [
            Tables(game, count, rewards, share, args.spec.policy == "features", args.seed, group, args.threads)
            for group, (game, count) in enumerate(zip(games, counts, strict=True))
        ]
        self.updates, self.decisions = 0, decisions
        self.metrics: dict[str, float] = {}
        self.history: list[dict[str, Any]] = []
        self.seconds, self.learned = 0.0, 0  # seconds of updates in this process, and their decisions
        self.earlier = 0.0  # CPU minutes of earlier processes of this run
        self.began = cpu_minutes()

    # Begin and resume

    @classmethod
    def begin(cls, args: Options) -> Self:
        """Begin a run in a new folder.

        Raises:
            ValueError: An option is not allowed, or the folder holds a run.
            OSError: The folder cannot be written.
        """
        run = cls(args)
        new_folder(args.folder)
        run._begin()
        return run

    @classmethod
    def resume(cls, args: Options) -> Self:
        """Continue the run in the folder `args.resume`. Options that it was saved without have their defaults.

        Raises:
            ValueError: The folder does not hold a run of this command and version, or no decision would be added.
        """
        assert args.resume is not None
        checkpoint = read_checkpoint(args.resume)
        try:
            decisions = checkpoint["decisions"]
            run = cls(options.restore(checkpoint["settings"], args, decisions), decisions)
            run.history, run.earlier = checkpoint["history"], checkpoint["minutes"]
            run.restore(checkpoint)
        except KeyError as missing:
            begun = f"it is a run of another command or version, so begin a new one with python -m {cls.PROGRAM}"
            raise ValueError(f"{args.resume} has no {missing} in its checkpoint; {begun}") from None
        run._open_log()
        return run

    @classmethod
    def main(cls, argv: Sequence[str] | None = None) -> None:
        """Begin or resume the run of a command line, train it to its end, and measure it."""
        with _log_errors_once(), contextlib.ExitStack() as locks:
            with cli.user_errors("train"):
                args: Any = cli.read(cls.OPTIONS, cls.PROGRAM, argv)
                importlib.import_module("torch.utils.tensorboard")  # a missing library leaves no folder
                if args.resume:
                    locks.enter_context(locked(checkpoint_of(args.resume).parent))
                    run = cls.resume(args)
                else:
                    run = cls(args)
                    new_folder(args.folder)
                    locks.enter_context(locked(args.folder))
                    run._begin()
                with (run.args.folder / "command.txt").open("a", encoding="utf-8") as commands:
                    commands.write(f"{cli.command(cls.PROGRAM, argv)}\n")
            with cli.work(f"continue with --resume {run.args.folder}"):
                finished = run.train()
                run.save()
                if not finished:
                    raise KeyboardInterrupt
                run.finish()

    def _begin(self) -> None:
        """Set the first weights, and write the first files."""
        args, actor = self.args, self.learner.actor
        if args.start:
            filled(actor, read_tensors(args.start, card_of(args.start, args.spec), self.game))
        for name in self.NETWORKS:
            getattr(self, name).load_state_dict(self.learner.state_dict())
        self._open_log()
        self.save()

    def _open_log(self) -> None:
        from torch.utils.tensorboard import SummaryWriter  # not above, because --help is printed without it

        self.log = SummaryWriter(str(self.args.folder / "tensorboard"), purge_step=self.decisions + 1)

    def state(self) -> dict[str, Any]:
        """Return the state from which `restore` continues, besides history and options."""
        return {
            "updates": self.updates,
            "metrics": self.metrics,
            "networks": {name: getattr(self, name).state_dict() for name in self.NETWORKS},
            "optimizer": self.optimizer.state(),
            "tables": [tables.state() for tables in self.tables],
        }

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.updates, self.metrics = checkpoint["updates"], checkpoint["metrics"]
        for name, weights in checkpoint["networks"].items():
            getattr(self, name).load_state_dict(weights)
        self.optimizer.restore(checkpoint["optimizer"])
        for tables, saved in zip(self.tables, checkpoint["tables"], strict=True):
            tables.restore(saved)

    # Training

    def train(self) -> bool:
        """Train to the end of the run. Return False after Ctrl-C or SIGTERM."""
        args, total = self.args, self.args.total_decisions
        print(f"folder: {args.folder}", flush=True)
        if self.decisions >= total:
            print(f"nothing is left to learn: the run has {self.decisions:,} of {total:,} decisions", flush=True)
        with asked_to_stop() as stop, progress("decisions", total, self.decisions) as advance:
            self._measure_if_due()  # a run that was stopped before a measurement, or in it, makes it now
            while self.decisions < total:
                before, began = self.decisions, time.perf_counter()
                self.update()
                self.seconds += time.perf_counter() - began
                self.learned += self.decisions - before
                for name, value in self.metrics.items():
                    self.log.add_scalar(f"train/{name}", value, self.decisions)
                advance(self.decisions - before, self._progress())
                if not stop():
                    self._measure_if_due()
                if stop():
                    return False
        return True

    def _measure_if_due(self) -> None:
        """Measure the policy if --eval-every decisions have passed, and save. The end of a run is measured later."""
        args, measured = self.args, self.history[-1]["decisions"] if self.history else 0
        if due(args.eval_every, measured, self.decisions) and self.decisions < args.total_decisions:
            self.save()  # a measurement may take longer than a batch system waits after SIGTERM
            self.measure_now(args.eval_deals, args.seed)
            self.save()

    def _progress(self) -> str:
        """Return the speed, a figure of the last update, and the score against the last of the agents to measure."""
        words = [f"{self.learned / self.seconds:,.0f}/s", f"{self.SHOWN} {self.metrics.get(self.SHOWN, 0):.3f}"]
        measured = list(self.history[-1]["scores"].items()) if self.history else []
        words += [f"{opponent} {score:.2f}" for opponent, (score, _, _) in measured[-1:]]
        return ", ".join(words)

    def play(
        self, draw: Draw, opponents: Sequence[Mapping[int, Agent]], drawable: Ints, update: int
    ) -> list[Trajectories]:
        """Play the games of an update: see `Tables.play`. All random numbers follow from seed, update and group."""
        seed, steps = self.args.seed, self.args.steps
        return [
            tables.play(draw, agents, drawable, steps, np.random.default_rng((seed, update, group)))
            for group, (tables, agents) in enumerate(zip(self.tables, opponents, strict=True))
        ]

    def update_average(self) -> None:
        """Move the average of the weights towards the current ones."""
        keep = min(self.args.average_weights, (self.updates + 1) / (self.updates + 10))  # less of the first weights
        with torch.no_grad():
            for mean, now in zip(self.average.parameters(), self.learner.parameters(), strict=True):
                mean.lerp_(now.to(mean.device), 1 - keep)

    @staticmethod
    def check(args: Any) -> None:
        """Raise ValueError for options that are not allowed."""
        options.check(args)

    @abstractmethod
    def update(self) -> None:
        """Play at all tables and learn from the decisions. Count them, and the update."""

    # Measurements and files

    def save(self) -> None:
        """Write the model, the curve and the checkpoint."""
        self._write_model(MODEL)
        draw_curve(self.args.folder / "curve.png", self.history)
        measured = {"history": self.history, "minutes": self.minutes}
        write_checkpoint(self.args.folder, {**self._facts(), **measured, **self.state()})

    def _write_model(self, name: str) -> None:
        trained_for = {"seats": sorted(set(self.args.seats))} if self.args.seats else {}
        file, spec = self.args.folder / name, self.args.spec
        write_model(file, self.tensors(), spec, self.game, trained_for=trained_for, **self._facts())

    def _facts(self) -> dict[str, Any]:
        return {"settings": options.to_json(self.args), "decisions": self.decisions}

    def tensors(self) -> Tensors:
        """Return the averaged weights of the policy."""
        return tensors_of(self.average.actor)

    def agent(self) -> TorchAgent:
        """Return the agent that plays the best action of the averaged policy."""
        return TorchAgent("learner", at_game(self.average.actor, self.args.spec, self.game), self.args.spec)

    def measure_now(self, deals: int, seed: int) -> list[Result]:
        """Measure the averaged policy, and add the results to the history and to TensorBoard."""
        results = [evaluate(self.game, self.agent(), other, deals, seed) for other in self.eval_opponents]
        scores = {result.opponent: (result.score.mean, result.score.low, result.score.high) for result in results}
        facts = {"decisions": self.decisions, "minutes": self.minutes, "scores": scores}
        if self.history and self.history[-1]["decisions"] == self.decisions:
            self.history.pop()  # it was measured before the run was resumed
        self.history.append({**facts, **self.metrics})
        for name, (mean, _, _) in scores.items():
            self.log.add_scalar(f"score/{name}", mean, self.decisions)
        if self.args.keep:
            self._write_model(KEPT.format(len(self.history)))
        return results

    def finish(self) -> None:
        """Measure the policy on new deals, print the results, and write them to results.json."""
        results = self.measure_now(self.args.final_deals, self.args.seed + 1)
        self.save()
        self.log.close()
        folder = self.args.folder
        show(f"{folder.name} after {self.decisions:,} decisions", results)
        facts = {"game": self.game.name, "config": self.game.config, "settings": options.to_json(self.args)}
        figures = {"minutes": self.minutes, "history": self.history}
        write_json(folder / "results.json", {**facts, **figures, "results": [asdict(result) for result in results]})
        speed = f"{self.learned / self.seconds:,.0f} decisions a second, " if self.learned else ""
        print(f"{speed}{self.minutes:.1f} CPU minutes; all files are in {folder}")

    @property
    def minutes(self) -> float:
        """CPU minutes of the run so far."""
        return round(self.earlier + cpu_minutes() - self.began, 3)


def at_game(actor: nn.Module, spec: NetworkSpec, game: Game) -> nn.Module:
    """Return a policy with the weights of `actor` for a game, which may have other actions than the first tables."""
    return filled(build_actor(spec, game), tensors_of(actor))


def due(every: int, before: int, now: int) -> bool:
    """Return whether a multiple of `every` is after `before`, up to and including `now`."""
    return now // every > before // every


@contextlib.contextmanager
def _log_errors_once() -> Iterator[None]:
    """Print no traceback for an OSError in the thread that writes TensorBoard's log: the main thread raises it, too."""

    def hook(failed: Any) -> None:
        if not issubclass(failed.exc_type, OSError):
            usual(failed)

    usual, threading.excepthook = threading.excepthook, hook
    try:
        yield
    finally:
        threading.excepthook = usual


def cpu_minutes() -> float:
    """Return the CPU minutes of this process so far, summed over all cores."""
    return time.process_time() / 60
