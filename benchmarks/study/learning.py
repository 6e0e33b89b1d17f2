"""Train agents for every variant from nothing by self-play, each in the folder of a run below that of the study.

`training ppo` or `training q-learning` trains them, with the options of `configs/training` where there are any for the
game. All agents learn from the same number of decisions.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Set
from pathlib import Path

from tantra_envs import game
from tantra_envs.core.game import Game
from tantra_envs.opponents.learned import PAYMENTS
from tantra_envs.opponents.network_spec import mode_of
from tantra_envs.programs.files import open_folder, read_toml

from ..harness.plans import slug
from ..harness.trainer import MODEL, ROOT, Job
from .matchups import Args, choices

CONFIGS = ROOT / "configs/training"
DECKS = ("deck_cards", "deck_tiles")  # options of a game with another deck, such as its mini edition
TEMPERATURE = 0.25  # as strong as the most probable action, and hardly any game repeats itself to its limit
SAVES = 4  # checkpoints of a run
MEASURED = ("--eval-opponents", "uniform", "--eval-deals", "2", "--final-deals", "2")


def prepare(args: Args, games: Mapping[str, Game], folder: Path) -> dict[str, list[Job]]:
    """Return the jobs of every variant, one for each seed; raise ModuleNotFoundError without torch."""
    if importlib.util.find_spec("torch") is None:
        raise ModuleNotFoundError(name="torch")
    every = (folder / "agents").absolute()
    open_folder(every)
    seeds, varied = range(args.seed + 1, args.seed + args.seeds + 1), set(choices(args.vary))
    decisions = args.train_decisions
    budget = "--total-decisions", str(decisions), "--eval-every", str(max(1, decisions // SAVES))
    return {
        variant: [
            Job(every / f"{number}-{slug(variant)}-seed-{seed}", (*words_of(own, varied, seed), *budget))
            for seed in seeds
        ]
        for number, (variant, own) in enumerate(games.items())
    }


def agent_of(job: Job, name: str) -> str:
    """Return the agent that a job trains as a word that loads it under a name."""
    drawn = f",temperature={TEMPERATURE}" if job.words[0] == "ppo" else ""  # q-learning has no probabilities
    return f"ppo:{job.folder / MODEL},name={name}{drawn}"


def words_of(own: Game, varied: Set[str], seed: int) -> tuple[str, ...]:
    """Return the words that train one agent. It learns from the rewards of the tuned options that are not `varied`."""
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
    return (program, *words, *MEASURED)


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
