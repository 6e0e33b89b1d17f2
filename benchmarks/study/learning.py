"""Train agents for every variant from nothing by self-play, each in the folder of a run below that of the study.

`training ppo` or `training q-learning` trains them, with the options of `configs/training` where there are any for the
game. All agents learn from the same number of decisions.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path

from tantra_envs import game
from tantra_envs.core.game import Game
from tantra_envs.opponents.learned import PAYMENTS
from tantra_envs.opponents.network_spec import mode_of
from tantra_envs.programs.files import open_folder, read_toml, write_json
from tantra_envs.programs.progress import progress
from tantra_envs.programs.workers import Run

from ..harness import trainer
from ..harness.plans import slug
from .matchups import Args, choices

CONFIGS = trainer.ROOT / "configs/training"
DECKS = ("deck_cards", "deck_tiles")  # options of a game with another deck, such as its mini edition
FOLDER = "agents"  # in the folder of the study
MODEL, FINISHED = "model.safetensors", "results.json"  # in the folder of a run, as are the next three
CHECKPOINT, LOG, OPTIONS = "checkpoint.safetensors", "log.txt", "options.json"
TEMPERATURE = 0.25  # as strong as the most probable action, and hardly any game repeats itself to its limit
SAVES = 4  # checkpoints of a run
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

    def agent(self, name: str) -> str:
        """Return the agent of this name as a word that loads it."""
        drawn = f",temperature={TEMPERATURE}" if self.program == "ppo" else ""  # q-learning has no probabilities
        return f"ppo:{self.folder / MODEL},name={name}{drawn}"


def prepare(args: Args, games: Mapping[str, Game], folder: Path) -> dict[str, list[Job]]:
    """Return the jobs of every variant, one for each seed; raise ModuleNotFoundError without torch."""
    if importlib.util.find_spec("torch") is None:
        raise ModuleNotFoundError(name="torch")
    every = (folder / FOLDER).absolute()
    open_folder(every)
    seeds, varied = range(args.seed + 1, args.seed + args.seeds + 1), set(choices(args.vary))
    return {
        variant: [_job(own, varied, every / f"{number}-{slug(variant)}-seed-{seed}", seed) for seed in seeds]
        for number, (variant, own) in enumerate(games.items())
    }


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
    return Job(folder, program, (*words, *MEASURED))


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


def train(args: Args, jobs: Iterable[Job], run: Run) -> None:
    """Train all agents that are not finished; raise ValueError for a folder of other options."""
    budget = "--total-decisions", str(args.train_decisions), "--eval-every", str(max(1, args.train_decisions // SAVES))
    every = [replace(job, words=(*job.words, *budget)) for job in jobs]
    for job in every:
        _check_same(job)
    missing = [job for job in every if not (job.folder / FINISHED).exists()]
    if missing:
        each = f"{args.train_decisions:,} decisions each, {args.workers} at a time"
        print(f"{len(missing)} agents learn from {each}", flush=True)
        with progress("agents trained", len(missing)) as advance:
            for _ in run(_train, missing):
                advance(1)


def _check_same(job: Job) -> None:
    """Raise ValueError if the folder of a job holds an agent with other options."""
    file = job.folder / OPTIONS
    if file.exists() and json.loads(file.read_text(encoding="utf-8")) != job.options:
        raise ValueError(f"{job.folder} contains an agent that learned with other options; choose another --name")


def _train(job: Job) -> None:
    """Begin or continue a run, and train it to its end."""
    words = ["--runs", str(job.folder.parent), "--name", job.folder.name, *job.words]
    if (job.folder / CHECKPOINT).exists():
        words = ["--resume", str(job.folder)]
    job.folder.mkdir(exist_ok=True)
    write_json(job.folder / OPTIONS, job.options)
    trainer.train([job.program, *words], job.folder / LOG)
