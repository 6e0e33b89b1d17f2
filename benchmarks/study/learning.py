"""Train agents for every variant from nothing by self-play, each in the folder of a run below that of the study.

`training ppo` or `training q-learning` trains them, with the options of `configs/training` where there are any for the
game. All agents learn from the same number of decisions. A pilot measures how many fit into --train-minutes, and the
number is kept, so that an interrupted study continues with the same agents.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tantra_envs import cli, game
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder, write_json
from tantra_envs.opponents.learned import PAYMENTS
from tantra_envs.opponents.model_files import read_card
from tantra_envs.opponents.network_spec import mode_of
from tantra_envs.workers import Run

from ..harness import shards
from ..harness.formatting import Row, slug
from ..harness.options import MOST
from ..harness.playing import Plan
from ..harness.shards import Shard
from ..harness.trainer import ROOT, trainer
from .command import Args
from .power import duration

TRAINED, HALF = "trained", "half-trained"  # all agents of a variant together; the second one is `trained-2`
NAMES = re.compile(rf"({TRAINED}|{HALF})-\d+(.*)")
CONFIGS = ROOT / "configs/training"
COLUMNS = ("section", "measure", "part", "variant", "seat")  # with the line-up, they name a figure
FOLDER, BUDGET = "agents", "budget.json"  # in the folder of the study
MODELS = {TRAINED: "model.safetensors", HALF: "half.safetensors"}  # in the folder of a run, as are the next two
CHECKPOINT, LOG = "checkpoint.safetensors", "log.txt"
TEMPERATURE = 0.25  # as strong as the most probable action, and hardly any game repeats itself to its limit
SAVES = 4  # checkpoints of a run, of which one is at half of the training
PILOT = 10.0  # seconds of training that are timed
TIMED = 2  # deals of a line-up that are timed
MEASURED = ("--eval-opponents", "uniform", "--eval-deals", "20", "--final-deals", "20")
# Runs a trainer that ends when its parent does, because the pipe that is its input is closed then.
CODE = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
from training.__main__ import main
raise SystemExit(main(sys.argv[1:]))
"""


@dataclass(frozen=True)
class Job:
    """One agent to train: the folder of its run, and the program and options that train it."""

    folder: Path
    program: str
    words: tuple[str, ...]

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
    """Return the training of all agents of a study. Raise ValueError for options that are not allowed."""
    cli.check_ranges(args, seeds=(1, 99), train_minutes=(0.01, math.inf), train_decisions=(0, MOST))
    if args.ray:
        raise ValueError("ray=True is not allowed with --retrain; allowed: --workers")
    every = (folder / FOLDER).absolute()
    open_folder(every)
    numbers = range(1, args.seeds + 1)
    jobs = {
        variant: [_job(own, every / f"{slug(variant)}-{number}", args.seed + number) for number in numbers]
        for variant, own in games.items()
    }
    return Training(args, every, jobs)


def _job(own: Game, folder: Path, seed: int) -> Job:
    config, options = _config(own), own.options.changed(own.config)
    words = ["--game", own.id, "--players", str(own.players), "--seats", str(own.players), "--seed", str(seed)]
    program = "ppo"
    if config:
        settings = tomllib.loads(config.read_text(encoding="utf-8"))
        program = "q-learning" if "epsilon" in settings else program
        options |= {name: value for name, value in game(settings["game"]).config.items() if name in PAYMENTS}
        words += ["--config", str(config)]
    elif own.features is None:
        words += ["--policy", "mlp"]
    fields = [f"{name}={value!r}" for name, value in options.items() if name != "players"]
    words += ["--options", *fields] if fields else []
    return Job(folder, program, (*words, *MEASURED, "--keep"))


def _config(own: Game) -> Path | None:
    """Return the options that were tuned for this game, or this mode of it: those for the fewest other seats."""
    fits: dict[Path, tuple[bool, int]] = {}
    for file in sorted(CONFIGS.glob(f"{own.id}*.toml")):
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
        if mode_of(learned := game(settings["game"])) == mode_of(own):
            seats = settings.get("seats", [learned.players])
            fits[file] = own.players not in seats, len(set(seats))
    return min(fits, key=lambda file: fits[file], default=None)


def train(training: Training, plan: Plan, run: Run) -> None:
    """Print how long the study will take, and train all agents that are not finished.

    Raises:
        ValueError: The folder holds agents of another budget.
        UserError: A trainer refused its options, or failed.
    """
    every = [job for jobs in training.jobs.values() for job in jobs]
    decisions = _budget(training, every[0])
    budget = ("--total-decisions", str(decisions), "--eval-every", str(max(1, decisions // SAVES)))
    jobs = [replace(job, words=(*job.words, *budget)) for job in every if not (job.folder / MODELS[HALF]).exists()]
    if jobs:
        print(_expected(training, plan, len(jobs), decisions), flush=True)
        for _ in run(_train, jobs):
            pass


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
        with trainer(job.program, {"trainer": "command", "program": job.program, "words": job.words}) as ask:
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
    command = [sys.executable, "-c", CODE, job.program, *words]
    own: Any = {"cwd": ROOT, "stdin": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
    with (job.folder / LOG).open("w+", encoding="utf-8") as log:
        with subprocess.Popen(command, stdout=log, **own) as process:  # the end of this process closes its input
            code = process.wait()
        log.seek(0)
        last = "".join(log.read().splitlines()[-1:])
    if code:
        raise cli.UserError(f"training {job.program} failed: {last} (see {job.folder / LOG})")
    _keep_half(job.folder)


def _keep_half(folder: Path) -> None:
    """Keep, of the models of all measurements, the one that is nearest to half of the training."""
    whole = read_card(folder / MODELS[TRAINED]).decisions
    away = {file: abs(read_card(file).decisions - whole / 2) for file in sorted(folder.glob("model-*.safetensors"))}
    min(away, key=lambda file: away[file]).replace(folder / MODELS[HALF])
    for file in folder.glob("model-*.safetensors"):
        file.unlink()


def _expected(training: Training, plan: Plan, jobs: int, decisions: int) -> str:
    """Return what is going to be trained and played, and how long it takes."""
    args, seconds = training.args, _seconds(plan)
    minutes = args.train_minutes * -(-jobs // args.workers)
    text = f"{jobs} agents learn from {decisions:,} decisions each"
    text += "" if args.train_decisions else f", {duration(minutes)} with {args.workers} workers"
    known = {name: seconds[name.partition("_")[2]] for name in plan.matches if name.partition("_")[2] in seconds}
    mean = sum(known.values()) / max(1, len(known))
    whole = sum(plan.deals_of(name) * known.get(name, mean) for name in plan.matches)
    return f"{text}; then they play, {duration(whole / 60 / args.workers)}"


def _seconds(plan: Plan) -> dict[str, float]:
    """Return the seconds that a deal takes in every line-up of other agents in the first variant."""
    seconds = {}
    for name, match in plan.matches.items():
        number, _, lineup = name.partition("_")
        if number == "0" and not is_trained(lineup):
            shards.play(Shard(match, 0, 1))  # compiles
            began = time.perf_counter()
            shards.play(Shard(match, 0, TIMED))
            seconds[lineup] = (time.perf_counter() - began) / TIMED
    return seconds


def in_words(facts: Mapping[str, float] | None) -> str:
    """Return how the trained agents of a study learned; "" without any."""
    if facts is None:
        return ""
    learned = f"{facts['agents']} agents that learned each version from nothing by playing against themselves"
    return f"the mean of {learned}, {facts['decisions']:,} decisions each"


def is_trained(lineup: str) -> bool:
    """Return whether a line-up begins with a trained agent."""
    return lineup.startswith((TRAINED, HALF))


def is_detail(lineup: str) -> bool:
    """Return whether a line-up is that of one trained agent, or of agents after half of their training."""
    return NAMES.match(lineup) is not None or lineup.startswith(HALF)


def single(rows: Iterable[Row], row: Row, value: str) -> list[Row]:
    """Return the rows of one variant and measure whose mean is `row`: one for each agent that has this value."""
    named = [(NAMES.fullmatch(each["lineup"]), each) for each in rows if each["seat"] == row["seat"]]
    return [each for name, each in named if name and name[1] + name[2] == row["lineup"] and each[value] is not None]


def after_half(rows: Iterable[Row], row: Row) -> Row | None:
    """Return the row like `row` after half of the training, if there is one."""
    lineup = HALF + row["lineup"].removeprefix(TRAINED)
    return next((each for each in rows if (each["lineup"], each["seat"]) == (lineup, row["seat"])), None)


def pooled(rows: Iterable[Row], agents: int) -> list[Row]:
    """Return for every figure of trained agents a row with its mean over all agents, who play different deals."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if name := NAMES.fullmatch(row["lineup"]):
            groups.setdefault((name[1] + name[2], *(row[column] for column in COLUMNS)), []).append(row)
    return [_mean(lineup, group) for (lineup, *_), group in groups.items() if len(group) == agents]


def _mean(lineup: str, rows: Sequence[Row]) -> Row:
    """Return the mean of independent figures, and its interval."""
    pooled_row = {**rows[0], "lineup": lineup, "deals": min(row["deals"] for row in rows)}
    for names in (("value", "low", "high"), ("change", "change_low", "change_high")):
        values, lows, highs = ([row[name] for row in rows] for name in names)
        pooled_row |= dict.fromkeys(names)
        if None not in values:
            value, n = sum(values) / len(rows), len(rows)
            below, above = (math.dist(values, ends) / n for ends in (lows, highs))
            pooled_row |= dict(zip(names, (value, value - below, value + above), strict=True))
    return pooled_row
