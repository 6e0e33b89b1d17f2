"""A training run on Ray: how it begins, resumes and ends.

The folder holds `model.safetensors` for playing, `checkpoint.safetensors` for resuming, `results.json`, `curve.png`,
`command.txt` and `lock`, which keeps other processes out. After Ctrl-C a run stops at its next safe point. It continues
with --resume FOLDER.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import torch

from agents import Agent, load_all
from tantra_envs import cli
from tantra_envs.files import locked, write_json
from tantra_envs.opponents.model_files import Tensors, write_model
from tantra_envs.opponents.network_spec import NetworkSpec

from ..evaluate import Result, evaluate, show, to_json
from ..options import to_json as to_json_options
from ..progress import processor_minutes
from ..run_folder import MODEL, add_command, checkpoint_of, draw_curve, new_folder, read_checkpoint, write_checkpoint
from . import options
from .options import RunOptions

Options = TypeVar("Options", bound=RunOptions)


class Run(ABC, Generic[Options]):
    """A training run in its current state.

    Attributes:
        args: The options.
        game: The game.
        eval_opponents: The agents to measure against.
        decisions: Number of decisions learned from so far.
        history: An entry for every measurement, with "decisions" and "scores" {opponent: (mean, low, high)}.
    """

    PROGRAM: ClassVar[str]
    OPTIONS: ClassVar[type[RunOptions]]
    AGAIN: ClassVar[tuple[str, ...]] = ()  # options that a resumed run takes from the command line
    EXTRA: ClassVar[tuple[str, ...]] = ("train",)  # extras (and constraints) if a library is missing

    def __init__(self, args: Options, decisions: int = 0) -> None:
        """Build everything except processes and files. Raise ValueError for options that are not allowed."""
        self.check(args)
        torch.set_num_threads(args.threads)
        self.args = args
        self.game = cli.game(args.game, args.players)
        self.eval_opponents = load_all(args.eval_opponents, self.game)
        self.decisions = decisions
        self.history: list[dict[str, Any]] = []
        self.earlier = 0.0  # CPU minutes of earlier processes of this run
        self.began = processor_minutes()

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
            ValueError: The folder does not hold a run of this command and version.
        """
        assert args.resume is not None
        checkpoint = read_checkpoint(args.resume)
        try:
            run = cls(options.restore(checkpoint["settings"], args, cls.AGAIN), checkpoint["decisions"])
            run.history, run.earlier = checkpoint["history"], checkpoint["minutes"]
            run.start(checkpoint)
        except KeyError as missing:
            begun = f"it is a run of another command or version, so begin a new one with python -m {cls.PROGRAM}"
            raise ValueError(f"{args.resume} has no {missing} in its checkpoint; {begun}") from None
        return run

    @classmethod
    def main(cls, argv: Sequence[str] | None = None) -> None:
        """Begin or resume the run of a command line, train it to its end, and measure it."""
        with cls.session(), contextlib.ExitStack() as locks:
            with cli.user_errors(*cls.EXTRA):
                args: Any = cli.read(cls.OPTIONS, cls.PROGRAM, argv)
                if args.resume:
                    locks.enter_context(locked(checkpoint_of(args.resume).parent))
                    run = cls.resume(args)
                else:
                    run = cls(args)
                    new_folder(args.folder)
                    locks.enter_context(locked(args.folder))
                    run._begin()
                add_command(run.args.folder, cli.command(cls.PROGRAM, argv))
            with cli.work(f"continue with --resume {run.args.folder}"):
                finished = run.train()
                run.save()
                if not finished:
                    raise KeyboardInterrupt
                run.finish()

    def _begin(self) -> None:
        """Start a new run, and write its first files."""
        self.start(None)
        self.save()

    def save(self) -> None:
        """Write the model if there is one, the curve and the checkpoint."""
        self.write_model(MODEL)
        draw_curve(self.args.folder / "curve.png", self.history)
        facts = {"settings": to_json_options(self.args), "decisions": self.decisions}
        write_checkpoint(self.args.folder, {**facts, "history": self.history, "minutes": self.minutes, **self.state()})

    def write_model(self, file: str) -> None:
        """Write the policy as a model file into the folder."""
        facts: dict[str, Any] = {"settings": to_json_options(self.args), "decisions": self.decisions}
        facts["trained_for"] = self.trained_for
        tensors = self.tensors()
        if tensors is not None:
            write_model(self.args.folder / file, tensors, self.spec, self.game, **facts)

    def measure(self, agent: Agent, deals: int, seed: int) -> list[Result]:
        """Return the results of duplicate deals against each of the eval_opponents."""
        return [evaluate(self.game, agent, other, deals, seed) for other in self.eval_opponents]

    def record(self, results: Sequence[Result], /, **facts: Any) -> None:
        """Add a measurement to the history."""
        scores = {r.opponent: (r.score.mean, r.score.low, r.score.high) for r in results}
        self.history.append({"decisions": self.decisions, "minutes": self.minutes, "scores": scores, **facts})

    def report(self, title: str, results: Sequence[Result], **facts: Any) -> None:
        """Print the results of a finished run and write them to results.json."""
        show(title, results)
        label = {"game": self.game.name, "config": self.game.config, "settings": to_json_options(self.args)}
        scores = {"history": self.history, "results": to_json(results)}
        write_json(self.args.folder / "results.json", {**label, **facts, **scores})

    @property
    def minutes(self) -> float:
        """CPU minutes of the run so far."""
        return round(self.earlier + processor_minutes() - self.began, 3)

    @property
    def trained_for(self) -> dict[str, Any]:
        """Facts for the model card about the training games, besides the options of the run's game."""
        return {}

    # Defined by each kind of run

    @staticmethod
    @abstractmethod
    def check(args: Any) -> None:
        """Raise ValueError for options that are not allowed."""

    @staticmethod
    def session() -> contextlib.AbstractContextManager[Any]:
        """Return a context manager that cleans up after the run."""
        return contextlib.nullcontext()

    @property
    @abstractmethod
    def spec(self) -> NetworkSpec:
        """The network of the policy."""

    @abstractmethod
    def tensors(self) -> Tensors | None:
        """Return the weights of the policy, or None before the first one."""

    @abstractmethod
    def start(self, checkpoint: dict[str, Any] | None) -> None:
        """Open logs and begin processes, from the state in `checkpoint` if the run is resumed."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the state from which `start` continues, besides history and options."""

    @abstractmethod
    def train(self) -> bool:
        """Train to the end of the run. Return False after Ctrl-C."""

    @abstractmethod
    def finish(self) -> None:
        """Measure the policy, and report the results."""
