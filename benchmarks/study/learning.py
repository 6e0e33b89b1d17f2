"""Train agents for every variant from nothing by self-play, each in the folder of a run below that of the study.

`training ppo` or `training q-learning` trains them, with the options of `configs/training` where there are any for the
game. All agents learn from the same number of decisions. A pilot measures how many fit into --train-minutes, and the
number is kept, so that an interrupted study continues with the same agents.
"""

from __future__ import annotations

import importlib.util
import json
import math
import statistics
import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from tantra_envs import game
from tantra_envs.core.game import Game
from tantra_envs.opponents.learned import PAYMENTS
from tantra_envs.opponents.model_files import read_card
from tantra_envs.opponents.network_spec import mode_of
from tantra_envs.programs import cli
from tantra_envs.programs.files import open_folder, read_toml, write_json
from tantra_envs.programs.progress import progress
from tantra_envs.programs.workers import Run

from ..harness import plans, trainer
from ..harness.command import MOST
from ..harness.lineups import HALF, TRAINED, Lineup
from ..harness.pages import duration
from ..harness.plans import Plan, Shard, slug
from .command import Args
from .matchups import choices

CONFIGS = trainer.ROOT / "configs/training"
DECKS = ("deck_cards", "deck_tiles")  # options of a game with another deck, such as its mini edition
FOLDER, BUDGET = "agents", "budget.json"  # in the folder of the study
MODELS = {TRAINED: "model.safetensors", HALF: "half.safetensors"}  # in the folder of a run, as are the next three
CHECKPOINT, LOG, OPTIONS = "checkpoint.safetensors", "log.txt", "options.json"
TEMPERATURE = 0.25  # as strong as the most probable action, and hardly any game repeats itself to its limit
SAVES = 4  # checkpoints of a run, of which one is at half of the training
PILOT = 10.0  # seconds of training that are timed
TIMED = 2  # deals of a line-up that are timed
MEASURED = ("--eval-opponents", "uniform", "--eval-deals", "2", "--final-deals", "2")


@dataclass(frozen=True)
class Job:
    """One agent to train: the folder of its run, and the program and options that train it."""

    folder: Path
    program: str
    words: tuple[str, ...]

    @property
    def options(self) -> list[str]:
        """The program and its options, with paths below the folder of the project, to compare runs."""
        return [word.replace(str(trainer.ROOT), "") for word in (self.program, *self.words)]

    def agents(self, number: int) -> dict[str, str]:
        """Return the agents of the whole and of half of the training by name, as words that load them."""
        names = {f"{name}-{number}": self.folder / file for name, file in MODELS.items()}
        drawn = f",temperature={TEMPERATURE}" if self.program == "ppo" else ""  # q-learning has no probabilities
        return {name: f"ppo:{file},name={name}{drawn}" for name, file in names.items()}


@dataclass(frozen=True)
class Training:
    """The agents that a study trains: a job for each seed, for every variant."""

    args: Args
    folder: Path
    jobs: Mapping[str, Sequence[Job]]

    @property
    def facts(self) -> dict[str, float]:
        """The number of agents of a variant, and their decisions and minutes: 0 minutes if decisions were given."""
        return {"agents": self.args.seeds, **json.loads((self.folder / BUDGET).read_text(encoding="utf-8"))}


def prepare(args: Args, games: Mapping[str, Game], folder: Path) -> Training:
    """Return the training of all agents of a study.

    Raises:
        ValueError: An option is not allowed.
        ModuleNotFoundError: torch is not installed, which the trainers need.
    """
    if importlib.util.find_spec("torch") is None:
        raise ModuleNotFoundError(name="torch")
    cli.check_ranges(args, seeds=(1, 99), train_minutes=(0.01, math.inf), train_decisions=(0, MOST))
    if args.ray:
        raise ValueError("ray=True is not allowed with --retrain; allowed: --workers")
    every = (folder / FOLDER).absolute()
    open_folder(every)
    seeds, varied = range(args.seed + 1, args.seed + args.seeds + 1), set(choices(args.vary))
    jobs = {
        variant: [_job(own, varied, every / f"{number}-{slug(variant)}-seed-{seed}", seed) for seed in seeds]
        for number, (variant, own) in enumerate(games.items())
    }
    return Training(args, every, jobs)


def _job(own: Game, varied: Set[str], folder: Path, seed: int) -> Job:
    """Return the job of one agent. It learns from the rewards of the tuned options that the study does not set."""
    config, options = _config(own), own.options.changed(own.config)
    words = ["--game", own.id, "--players", str(own.players), "--seats", str(own.players), "--seed", str(seed)]
    program = "ppo"
    if config:
        settings = read_toml(config)
        program = "q-learning" if "epsilon" in settings else program
        rewards = game(settings["game"]).config
        options = {name: rewards[name] for name in PAYMENTS - varied if name in rewards} | options
        words += ["--config", str(config)]
    fields = [f"{name}={value!r}" for name, value in sorted(options.items()) if name != "players"]
    words += ["--options", *fields] if fields else []
    return Job(folder, program, (*words, *MEASURED, "--keep"))


def _config(own: Game) -> Path | None:
    """Return the options that were tuned for this mode and deck of a game: for the fewest other seats and options."""
    fits: dict[Path, tuple[bool, int, int]] = {}
    for file in sorted(CONFIGS.glob(f"{own.id}*.toml")):
        settings = read_toml(file)
        learned = game(settings["game"])
        if mode_of(learned) == mode_of(own) and all(learned.config.get(deck) == own.config.get(deck) for deck in DECKS):
            seats = settings.get("seats", [learned.players])
            fits[file] = own.players not in seats, len(set(seats)), len(learned.config.items() - own.config.items())
    return min(fits, key=lambda file: fits[file], default=None)


def train(training: Training, plan: Plan, lineups: Mapping[str, Lineup], run: Run) -> None:
    """Print how long the study will take, and train all agents that are not finished.

    `lineups` are those of the matches of the plan.

    Raises:
        ValueError: The folder holds agents of another budget or with other options.
        UserError: A trainer refused its options, or failed.
    """
    every = [job for jobs in training.jobs.values() for job in jobs]
    decisions = _budget(training, every[0])
    budget = ("--total-decisions", str(decisions), "--eval-every", str(max(1, decisions // SAVES)))
    every = [replace(job, words=(*job.words, *budget)) for job in every]
    for job in every:
        _check_same(job)
    jobs = [job for job in every if not (job.folder / MODELS[HALF]).exists()]
    if jobs:
        print(_expected(training, plan, lineups, len(jobs), decisions), flush=True)
        with progress("agents trained", len(jobs)) as advance:
            for _ in run(_train, jobs):
                advance(1)


def _check_same(job: Job) -> None:
    """Raise ValueError if the folder of a job holds an agent with other options."""
    file = job.folder / OPTIONS
    if file.exists() and json.loads(file.read_text(encoding="utf-8")) != job.options:
        raise ValueError(f"{job.folder} contains an agent that learned with other options; choose another --name")


def _budget(training: Training, first: Job) -> int:
    """Return the number of decisions of every agent, and keep it."""
    args, file = training.args, training.folder / BUDGET
    minutes = 0.0 if args.train_decisions else args.train_minutes
    if not file.exists():
        decisions = args.train_decisions or round(60 * args.train_minutes * _speed(first))
        write_json(file, {"minutes": minutes, "decisions": decisions})
    budget: dict[str, int] = json.loads(file.read_text(encoding="utf-8"))
    if budget["minutes"] != minutes or args.train_decisions not in (0, budget["decisions"]):
        words = f"{budget['minutes']:g} minutes" if budget["minutes"] else f"{budget['decisions']:,} decisions"
        raise ValueError(f"{training.folder} contains agents that learned for {words}; choose another --name")
    return budget["decisions"]


def _speed(job: Job) -> float:
    """Return the decisions a second of a trainer after its first update, which may compile the game."""
    print(f"a pilot of {PILOT:.0f} seconds measures how fast agents learn", flush=True)
    try:
        with trainer.started(job.program, {"trainer": "command", "program": job.program, "words": job.words}) as ask:
            ask(1)
            decisions, began = 0, time.perf_counter()
            while time.perf_counter() < began + PILOT:
                decisions += int(ask(1))
            return decisions / (time.perf_counter() - began)
    except RuntimeError as error:
        raise cli.UserError(str(error)) from None


def _train(job: Job) -> None:
    """Begin or continue a run, and train it to its end."""
    words = ["--runs", str(job.folder.parent), "--name", job.folder.name, *job.words]
    if (job.folder / CHECKPOINT).exists():
        words = ["--resume", str(job.folder)]
    job.folder.mkdir(exist_ok=True)
    write_json(job.folder / OPTIONS, job.options)
    trainer.train([job.program, *words], job.folder / LOG)
    _keep_half(job.folder)


def _keep_half(folder: Path) -> None:
    """Keep, of the models of all measurements, the one that is nearest to half of the training."""
    whole = read_card(folder / MODELS[TRAINED]).decisions
    away = {file: abs(read_card(file).decisions - whole / 2) for file in sorted(folder.glob("model-*.safetensors"))}
    min(away, key=lambda file: away[file]).replace(folder / MODELS[HALF])
    for file in folder.glob("model-*.safetensors"):
        file.unlink()


def _expected(training: Training, plan: Plan, lineups: Mapping[str, Lineup], jobs: int, decisions: int) -> str:
    """Return what is going to be trained and played, and how long it takes."""
    args, seconds = training.args, _seconds(plan, lineups)
    text = f"{jobs} agents learn from {decisions:,} decisions each, {args.workers} at a time"
    if not args.train_decisions:
        text += f": {duration(args.train_minutes * math.ceil(jobs / args.workers))}"
    playing = sum(plan.deals_of(name) * seconds.get(own, seconds[None]) for name, own in lineups.items())
    text += f". Then all agents play: {duration(playing / 60 / args.workers)}"
    return f"{text}, and more if those that learned play longer games, or for the sections tension and agency"


def _seconds(plan: Plan, lineups: Mapping[str, Lineup]) -> dict[Lineup | None, float]:
    """Return the seconds of a deal for every line-up of the first variant without trained agents.

    The entry None is for all others: the mean of the line-ups with the most deals, as many as trained agents play.
    """
    first = next(iter(plan.matches.values())).options
    names = [name for name, match in plan.matches.items() if match.options == first and not lineups[name].is_trained]
    seconds: dict[Lineup | None, float] = {
        lineups[name]: plans.seconds_of_deal(Shard(plan.matches[name], 0, TIMED)) for name in names
    }
    most = max(plan.deals_of(name) for name in names)
    seconds[None] = statistics.mean(seconds[lineups[name]] for name in names if plan.deals_of(name) == most)
    return seconds
