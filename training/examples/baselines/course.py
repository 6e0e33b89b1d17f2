"""The course of a training run at a fixed budget: its clock, its checkpoints, and its learning curve."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import tantra_envs
from agents import load
from tantra_envs.core.game import Game
from tantra_envs.games import TABLES
from tantra_envs.opponents.model_files import Layer, write_layers
from tantra_envs.programs import cli
from tantra_envs.programs.files import locked, open_folder, write_content, write_json
from training.evaluate import evaluate
from training.options import load_agent

SHARES = tuple(2.0**-power for power in range(4, -1, -1))  # checkpoints, as shares of the budget
LEARNING_RATE = 1e-3
CURVE_OPPONENTS = ("uniform", "greedy", "scripted")
CURVE_DEALS, CURVE_SEED = 25, 1 << 20  # deals that neither training nor the benchmark uses
Save = Callable[[Path], str]  # writes the agent next to a path without suffix, and returns its name
FACTS, RANK = "training.json", "rank.toml"  # of a table, and the options of `benchmarks rank` for all tables
SUITE = "suite"  # the word for all tables of the benchmark
AGENTS = '''"""Agents of `training examples baselines`, one for each table of the benchmark."""

from agents import load

WORDS = {words!r}


def agent(game):
    """Return the agent that was trained for a game and its number of players."""
    return load(WORDS[game.id, game.players], game)
'''
EXTRAS = {"ray": ("train,rllib", "constraints/rllib.txt")}  # of the libraries, with the file of tested versions


@dataclass(frozen=True, kw_only=True)
class Args(cli.FolderOptions, cli.GameOptions):
    """Train a known algorithm at the budget of the benchmark, and write its agent and its learning curve.

    Example: python -m training examples baselines ppo karma --seed 1

    With the word suite in place of a game it trains an agent for every table of the benchmark, each with this budget.
    """

    decisions: int = 300_000
    """Decisions to learn from; the last update may exceed them."""
    cpu_minutes: float = 1.0
    """CPU minutes of this process; the last update may exceed them. Compilation and checkpoints are not counted."""
    seed: int = 1
    """Seed of the deals and the networks."""
    opponents: str = "scripted"
    """Agent of the other seats, for algorithms that do not train in all seats."""
    learning_rate: float = 0.0
    """Learning rate of the networks; 0 = 0.001, and in learn 0.002. In learn and self-play it falls to a tenth."""


@dataclass
class Course:
    """A training run. Call `begin`, then `going` before or after every update until it returns False.

    Attributes:
        game: The game.
        args: The options of the run.
        folder: The folder of the run.
        checkpoints: The decisions, the CPU minutes and the agent's name at every checkpoint.
    """

    game: Game
    args: Args
    folder: Path
    checkpoints: list[dict[str, Any]] = field(default_factory=list)
    _passed: int = 0  # number of SHARES
    _spent: float = 0.0
    _since: float = 0.0

    @property
    def learning_rate(self) -> float:
        """The learning rate that the options set, or the common one."""
        return self.args.learning_rate or LEARNING_RATE

    def begin(self) -> None:
        """Start the clock. Everything is compiled now."""
        self._since = time.process_time()

    def going(self, decisions: int, save: Save) -> bool:
        """Return whether the budget allows more training, and save the agent where a checkpoint is due."""
        self._spent += time.process_time() - self._since
        share = max(decisions / self.args.decisions, self._spent / 60 / self.args.cpu_minutes)
        if (passed := sum(share >= part for part in SHARES)) > self._passed:
            self._passed = passed
            agent = save(self.folder / f"agent-{passed - 1}")
            self.checkpoints.append({"decisions": decisions, "cpu_minutes": self._spent / 60, "agent": agent})
            print(f"{decisions:,} decisions in {self._spent / 60:.2f} CPU minutes: {agent}", flush=True)
        self._since = time.process_time()
        return share < 1


Learn = Callable[[Course], None]


def run(name: str, package: str, learn: Learn, argv: Sequence[str] | None) -> None:
    """Train an algorithm, then measure its checkpoints.

    Args:
        name: Name of the algorithm, as in `BASELINES`.
        package: The library that it comes from.
        learn: Function that trains until the budget of a course is spent.
        argv: Arguments of the command line.
    """
    program = f"training examples baselines {name}"
    with cli.user_errors(*EXTRAS.get(package, ("train",))):
        args = cli.read(Args, program, argv)
        cli.check_ranges(args, decisions=(1, math.inf), cpu_minutes=(0.01, math.inf), seed=(0, (1 << 31) - 2))
        cli.check_ranges(args, learning_rate=(0, 1))
        folder, courses = _courses(name, args)
        for course in courses.values():
            load_agent("opponents", args.opponents, course.game)
        facts: dict[str, Any] = {"command": cli.command(program, argv), "version": tantra_envs.__version__}
        facts |= {"library": f"{package} {metadata.version(package)}", "algorithm": name, "seed": args.seed}
        open_folder(folder)
        lock = contextlib.ExitStack()
        lock.enter_context(locked(folder))
    with cli.work(), lock:
        print(f"folder: {folder}", flush=True)
        trained = {table: _trained(course, learn, facts) for table, course in courses.items()}
        if args.game == SUITE:
            options = {"training": facts["command"], "training_seed": args.seed, **_together(folder, courses, trained)}
            lines = [f"{option} = {json.dumps(value)}\n" for option, value in options.items()]
            write_content(folder / RANK, "".join(lines))


def _courses(name: str, args: Args) -> tuple[Path, dict[str, Course]]:
    """Return the folder of a run, and the course of every table: of one game, or of all tables of the benchmark."""
    if args.game != SUITE:
        game = cli.game(args.game, args.players)
        table = args.game.replace(":", "-") + (f"-{args.players}p" if args.players else "")
        folder = args.runs / (args.name or f"{name}-{table}-{args.seed}")
        return folder, {game.id: Course(game, args, folder)}
    if args.players is not None:
        raise ValueError(f"players={args.players} is not allowed with {SUITE}; allowed: a game")
    folder = args.runs / (args.name or f"{name}-{SUITE}-{args.seed}")
    every = {table: replace(args, game=variant, players=players) for table, (variant, players) in TABLES.items()}
    return folder, {table: Course(cli.game(own.game, own.players), own, folder / table) for table, own in every.items()}


def _trained(course: Course, learn: Learn, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Train an agent, measure its checkpoints, and return what its training took.

    An agent that the same command has trained is kept.
    """
    file = course.folder / FACTS
    if not file.exists() or json.loads(file.read_text(encoding="utf-8"))["command"] != facts["command"]:
        open_folder(course.folder)
        file.unlink(missing_ok=True)  # of another command, whose weights are replaced now
        learn(course)
        curve = [{**point, "score": _score(course.game, point["agent"])} for point in course.checkpoints]
        spent = {name: value for name, value in curve[-1].items() if name != "score"}
        write_json(file, {**facts, "game": course.game.id, **spent, "curve": curve})
    trained: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    words = f"{trained['decisions']:,} decisions in {trained['cpu_minutes']:.2f} CPU minutes"
    print(f"{facts['algorithm']}: {words}, {trained['agent']}", flush=True)
    return trained


def _together(folder: Path, courses: Mapping[str, Course], trained: Mapping[str, Any]) -> dict[str, Any]:
    """Write the file that loads the agent of every table, and return what a training took on average."""
    words = {(course.game.id, course.game.players): trained[table]["agent"] for table, course in courses.items()}
    file = folder / "agents.py"
    write_content(file, AGENTS.format(words=words))
    means = {name: float(np.mean([one[name] for one in trained.values()])) for name in ("decisions", "cpu_minutes")}
    return {"agent": f"{file}:agent", "decisions": round(means["decisions"]), "cpu_minutes": means["cpu_minutes"]}


def layers_of(*modules: Any) -> list[Layer]:
    """Return the linear layers of torch modules, in order."""
    import torch

    linear = [part for module in modules for part in module.modules() if isinstance(part, torch.nn.Linear)]
    return [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in linear]


def write_mlp(file: Path, layers: Sequence[Layer], game: Game, decisions: int, **network: Any) -> str:
    """Write the layers of a multilayer perceptron as a model file, and return the name of its agent.

    `network` takes the activation and the transform of `NetworkSpec`.
    """
    file = file.with_suffix(".safetensors")
    write_layers(file, layers, game, decisions=decisions, **network)
    return f"ppo:{file}"


def _score(game: Game, agent: str) -> dict[str, Any]:
    """Return the score of an agent against each of CURVE_OPPONENTS."""
    learner = load(agent, game)
    results = [evaluate(game, learner, load(other, game), CURVE_DEALS, CURVE_SEED) for other in CURVE_OPPONENTS]
    return {result.opponent: asdict(result.score) for result in results}
