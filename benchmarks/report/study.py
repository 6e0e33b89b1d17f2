"""A report: the studies it is made of, checked before anything is played, and what they found, as they tell it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl

from agents.freedoms import freedoms_of
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder
from tantra_envs.workers import Run

from .. import balance, chances, restricted
from ..balance import study as balance_study
from ..balance.args import Args as BalanceArgs
from ..chances import study as chances_study
from ..chances.args import Args as ChancesArgs
from ..chances.report import content as chances_found
from ..harness.args import StudyArgs
from ..harness.formatting import slug
from ..harness.preparing import made, plays_all_deals, table
from ..restricted import study as restricted_study
from ..restricted.args import Args as RestrictedArgs
from ..restricted.report import content as restricted_found
from .args import Args

Row = dict[str, Any]
LEVELS, CHANCES, RESTRICTED, RULES = "levels", "chances", "restricted", "rules"
STUDIES: dict[str, ModuleType] = {
    LEVELS: balance_study,  # the players against themselves and each other
    CHANCES: chances_study,
    RESTRICTED: restricted_study,  # of a game with freedoms
    RULES: balance_study,  # where any are varied
}
PROGRAMS = {LEVELS: balance, CHANCES: chances, RESTRICTED: restricted, RULES: balance}


@dataclass(frozen=True)
class Study:
    """What is to be played, study by study, and where it is kept."""

    game: Game
    table: str  # the game and its variant in words
    parts: dict[str, Any]  # what each study prepared, by its name
    commands: dict[str, str]  # that make it alone, from the same records
    seed: int
    page: Path


@dataclass(frozen=True)
class Played:
    """What the studies found: a row for each game, or their own account. None where a study has no part."""

    levels: pl.DataFrame
    chances: Row
    restricted: Row | None
    rules: pl.DataFrame | None


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    plays_all_deals(args)
    game, _ = made(table(args, "uniform"))
    folder = args.runs / (args.name or slug(f"report-{args.game}-{game.players}p-{args.seed}"))
    options = _options(args, game, folder)
    page = args.page or folder / f"{game.id}.html"
    open_folder(page.parent)
    parts = {name: _prepared(name, own) for name, own in options.items()}
    commands = {name: cli.command_of(PROGRAMS[name].__name__, own) for name, own in options.items()}
    return Study(game, args.game, parts, commands, args.seed, page)


def play(study: Study, run: Run) -> Played:
    """Let every study play what is missing."""
    parts, commands = study.parts, study.commands
    levels = balance_study.play(parts[LEVELS], run)
    sampled = chances_study.play(parts[CHANCES], run)
    bars = restricted_study.play(parts[RESTRICTED], run) if RESTRICTED in parts else None
    rules = balance_study.play(parts[RULES], run) if RULES in parts else None
    worth = restricted_found(parts[RESTRICTED], bars, commands[RESTRICTED]) if bars else None
    return Played(levels, chances_found(parts[CHANCES], sampled, commands[CHANCES]), worth, rules)


def _options(args: Args, game: Game, folder: Path) -> dict[str, StudyArgs]:
    """Those of each study; its records lie in a folder of its name."""
    same: dict[str, Any] = {"game": args.game, "players": args.players, "deals": args.deals, "seed": args.seed}
    same |= {"shard": args.shard, "runs": folder}
    levels = BalanceArgs(**same, name=LEVELS, agents=",".join(args.agents))
    found = {LEVELS: levels, CHANCES: ChancesArgs(**same, name=CHANCES, agents=args.chances, worlds=args.worlds)}
    if freedoms_of(game):
        found[RESTRICTED] = RestrictedArgs(**same, name=RESTRICTED, agents=args.restricted)
    if args.vary:
        one: dict[str, Any] = {"vary": args.vary, "one_at_a_time": True, "strongest": True}
        found[RULES] = BalanceArgs(**same, name=RULES, agents=",".join(args.rules), **one)
    return found


def _prepared(name: str, args: StudyArgs) -> Any:
    """What a study makes of its options; ValueError names it before its own words."""
    try:
        return STUDIES[name].prepare(args)
    except ValueError as wrong:
        raise ValueError(f"{name}: {wrong}") from None
