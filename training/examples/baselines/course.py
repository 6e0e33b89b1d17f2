"""The course of a training run at a fixed budget: its clock, and the agent at its end."""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.core.options import Within
from tantra_envs.games import TABLES
from tantra_envs.opponents.model_files import Layer
from tantra_envs.programs import cli
from tantra_envs.programs.files import locked, open_folder, write_content, write_json
from training.options import Seed, load_agent

LEARNING_RATE = 1e-3
Save = Callable[[Path], object]  # writes the model file of the agent
FACTS, RANK = "training.json", "rank.toml"  # of a table, and the options of `benchmarks rank` for all tables
SUITE = "suite"  # the word for all tables of the benchmark
AGENTS = '''"""Agents of `training examples baselines`, one for each table of the benchmark."""

from agents import load

WORDS = {words!r}


def agent(game):
    """Return the agent that was trained for a game and its number of players."""
    return load(WORDS[game.id, game.players], game)
'''
PROGRAM = "training examples baselines"
ALGORITHMS = {  # the function that learns until the budget of a course is spent, and the library that it comes from
    "learn": ("own:learn_values", "tantra_envs"),
    "self-play": ("own:learn_by_self_play", "tantra_envs"),
    "ppo": ("ppo:learn", "sb3-contrib"),
    "ppo-features": ("features:learn", "sb3-contrib"),
    "rllib": ("rllib:learn", "ray"),
}
EXTRAS = {"rllib": ("train,rllib", "constraints/rllib.txt")}  # with the file of tested versions


@dataclass(frozen=True)
class Algorithm:
    """The algorithm, which comes before the game."""

    algorithm: Literal["learn", "self-play", "ppo", "ppo-features", "rllib"]
    """Algorithm, see above."""


@dataclass(frozen=True, kw_only=True)
class Args(cli.FolderOptions, cli.GameOptions, Algorithm):
    """Train a known algorithm at the budget of the benchmark, and write its agent.

    Example: python -m training examples baselines ppo karma --seed 1

    learn is the Q-learning of training q-learning, self-play the PPO of training ppo. ppo and ppo-features are
    MaskablePPO of sb3-contrib, over observations and over action features. rllib is PPO of RLlib, in all seats.

    With the word suite in place of a game it trains an agent for every table of the benchmark, each with this budget.
    """

    decisions: cli.Count = 300_000
    """Decisions to learn from; the last update may exceed them."""
    cpu_minutes: Annotated[float, Within(0.01)] = 1.0
    """CPU minutes of this process; the last update may exceed them. Compilation is not counted."""
    seed: Seed = 1
    """Seed of the deals and the networks."""
    opponents: str = "scripted"
    """Agent of the other seats, for algorithms that do not train in all seats."""


@dataclass
class Course:
    """A training run. Call `begin`, then `going` before or after every update until it returns False.

    Attributes:
        game: The game.
        args: The options of the run.
        folder: The folder of the run.
        spent: The decisions and the CPU minutes that were spent, and the agent's name, at the end.
    """

    game: Game
    args: Args
    folder: Path
    spent: dict[str, Any] = field(default_factory=dict)
    _since: float = 0.0

    def begin(self) -> None:
        """Start the clock. Everything is compiled now."""
        self._since = time.process_time()

    def going(self, decisions: int, save: Save) -> bool:
        """Return whether the budget allows more training, and save the agent if not."""
        minutes = (time.process_time() - self._since) / 60
        if decisions < self.args.decisions and minutes < self.args.cpu_minutes:
            return True
        file = self.folder / "agent.safetensors"
        save(file)
        self.spent = {"decisions": decisions, "cpu_minutes": minutes, "agent": f"ppo:{file}"}
        return False


Learn = Callable[[Course], None]


def main(argv: Sequence[str] | None = None) -> None:
    """Read the options, and train the algorithm that the first word names."""
    words = list(sys.argv[1:] if argv is None else argv)
    with cli.user_errors(*EXTRAS.get(next(iter(words), ""), ("train",))):
        args = cli.read(Args, PROGRAM, words)
        name, (learner, package) = args.algorithm, ALGORITHMS[args.algorithm]
        module, _, function = learner.partition(":")
        learn: Learn = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        folder, courses = _courses(name, args)
        for course in courses.values():
            load_agent("opponents", args.opponents, course.game)
        facts: dict[str, Any] = {"command": cli.command(PROGRAM, words), "version": tantra_envs.__version__}
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
    """Train an agent, and return what its training took.

    An agent that the same command has trained is kept.
    """
    file = course.folder / FACTS
    if not file.exists() or json.loads(file.read_text(encoding="utf-8"))["command"] != facts["command"]:
        open_folder(course.folder)
        file.unlink(missing_ok=True)  # of another command, whose weights are replaced now
        learn(course)
        write_json(file, {**facts, "game": course.game.id, **course.spent})
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
