"""Check the options of a study, play its line-ups, and count the records."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import polars as pl

from tantra_envs import Agent, Game
from tantra_envs.programs.progress import progress
from tantra_envs.programs.workers import Run

from ..harness import plans, trainer
from ..harness.command import check_agents
from ..harness.plans import Plan, Usage, build_with_opponents, new_plan, table, usage
from ..harness.records import keep
from ..harness.rows import merged
from ..harness.trainer import Job
from . import decisions, learning, matchups, tension
from .matchups import AGENCY, OPTIONS, SAMPLES, TALLIED, TALLY, Args, Matchup, Section, Variant
from .tally import first_seat, tally

SECTIONS = get_args(Section)
MOVES = ["deal", "seats", "actions", "rewards"]  # columns of a record in which games are the same
NEEDS = {  # options that mean nothing without another one
    "one_at_a_time": "vary",
    "varied": "one_at_a_time",
    "all": "one_at_a_time",
    "seeds": "retrain",
    "train_decisions": "retrain",
}


@dataclass(frozen=True)
class Study:
    """The line-ups of a study, and where the results go."""

    args: Args
    games: dict[str, Game]  # by the name of the variant; the first is the base
    agents: Sequence[Agent]  # weakest first
    sections: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    plan: Plan
    first_seat: str  # what the rules call the seat that acts first, or ""
    left_out: dict[str, str] | None  # of a map of all options: those that are not in it, and why
    training: Mapping[str, Sequence[Job]]  # by variant; empty without --retrain

    @property
    def folder(self) -> Path:
        """The folder of the results."""
        return self.plan.folder.parent

    @property
    def base(self) -> str:
        """The name of the first variant."""
        return next(iter(self.games))

    def of(self, counted: str) -> list[Matchup]:
        """Return the line-ups in which this is counted."""
        return [matchup for matchup in self.matchups if matchup.counted == counted]


@dataclass(frozen=True)
class Counts:
    """The counts of all line-ups of a study."""

    games: dict[Matchup, pl.DataFrame]  # with a column `deal`
    same: dict[str, tuple[int, int]]  # by variant: the games that are those of the base, and all games
    programs: Usage  # what agents that are programs were asked


def prepare(args: Args) -> Study:
    """Check the options and return the study; raise ValueError or OSError with a message for the user."""
    left_out = None
    if args.all and args.one_at_a_time:
        args, left_out = _with_every_option(args)
    sections = _sections(args)
    agents = matchups.agents_of(args)
    every, by_seat = list[Variant](), not TALLIED.union({"options"}).isdisjoint(sections)
    for number, (variant, options) in enumerate(matchups.variants(args.vary, args.one_at_a_time).items()):
        detailed = number == 0 or not args.one_at_a_time
        counted = matchups.counted_in(sections if detailed else {"options"}.intersection(sections), args.one_at_a_time)
        try:
            match = table(args, agents[TALLY], options)
            _, loaded = build_with_opponents(match)
            check_agents(args.agents, [agent.name for agent in loaded])
            every.append(Variant(number, variant, match, counted))
        except ValueError as error:
            if left_out is None or not every:
                raise
            left_out[variant] = str(error)
    own = [matchup for variant in every for matchup in matchups.of_variant(agents, variant)]
    games = {variant.name: variant.table.rules for variant in every}
    _check_rows(sections, games, own)
    varied = ["every-option"] if args.all else args.vary
    name = ["study", args.game, f"{every[-1].table.rules.players}p", *varied, args.seed]
    planned = new_plan(args, name, merged(matchup.row for matchup in own))
    training: dict[str, list[Job]] = {}
    if args.retrain:
        training = learning.prepare(args, games, planned.folder.parent)
        for trained_for in every:
            words = [partial(learning.agent_of, job) for job in training[trained_for.name]]
            own += matchups.of_trained(agents, trained_for, words)
        planned = replace(planned, rows=merged(matchup.row for matchup in own))  # with more deals for trained agents
    named = build_with_opponents(every[0].table)[1]
    seat = first_seat(every[0].table.rules) if by_seat else ""
    return Study(args, games, named, sections, tuple(own), planned, seat, left_out, training)


def _with_every_option(args: Args) -> tuple[Args, dict[str, str]]:
    """Return the options of a map, which varies every option of the game, and why options are left out of it."""
    if args.vary:
        raise ValueError(f"vary={' '.join(args.vary)!r} is not allowed with --all; allowed: one of them")
    game, _ = build_with_opponents(table(args, ()))
    vary, left_out = matchups.every_option(game, () if args.players is None else ("players",))
    return replace(args, vary=tuple(vary)), left_out


def play(study: Study, run: Run) -> Counts:
    """Play the missing deals and count all records."""
    if study.training:
        trainer.make(itertools.chain(*study.training.values()), run)
        study.plan.check()
    plans.play_plan(study.plan, run)
    files = study.plan.files
    args, folder = study.args, study.folder
    parts = _count(tally, [*study.of(TALLY), *study.of(OPTIONS)], files, run, "measured")
    sampled = partial(tension.sampled, args.samples, args.seed)
    sampling = partial(keep, sampled, folder / "sampled", f"{args.samples}_v{tension.COLUMNS_VERSION}")
    parts |= _kept(sampling, study, SAMPLES, run, "sampled for win probabilities")
    matches = {row.name: row.match for row in study.plan.rows}
    weighed = partial(decisions.of_file, matches, args.playouts, args.seed)
    weighing = partial(keep, weighed, folder / "weighed", f"{args.playouts}_v{decisions.COLUMNS_VERSION}")
    parts |= _kept(weighing, study, AGENCY, run, "weighed for agency")
    games = {own: pl.concat(frames) for own, frames in parts.items()}
    return Counts(games, _same(study, files), usage(study.plan))


def _count(
    function: Any, every: Sequence[Matchup], files: Mapping[str, list[Path]], run: Run, what: str
) -> dict[Matchup, list[Any]]:
    """Return what a function of a module, called by workers, makes of the records of each line-up."""
    counted = [file for own in every for file in files[own.row.name]]
    results: dict[Path, Any] = {}
    if counted:
        with progress(f"files of games {what}", len(counted)) as advance:
            for file, result in run(function, counted):
                results[file] = result
                advance(1)
    return {own: [results[file] for file in files[own.row.name]] for own in every}


def _kept(function: Any, study: Study, counted: str, run: Run, what: str) -> dict[Matchup, list[pl.DataFrame]]:
    """Return the tables that a function keeps in files, for the first deals of the line-ups with these counts."""
    every = study.of(counted)
    files, size = study.plan.files, study.plan.shard
    first = {own.row.name: files[own.row.name][: -(-own.row.deals // size)] for own in every}
    return {
        own: [pl.read_parquet(table).filter(pl.col("deal") < own.row.deals) for table in tables]
        for own, tables in _count(function, every, first, run, what).items()
    }


def _same(study: Study, files: Mapping[str, list[Path]]) -> dict[str, tuple[int, int]]:
    """Return by variant how many games are those of the base, and how many there are."""
    same: dict[str, tuple[int, int]] = {}
    every = {own.row.name: own for own in study.matchups if not matchups.is_trained(own.lineup.agent)}
    # Two variants play the same deals with the same agents where these keys agree.
    keys = {name: (own.counted == OPTIONS, own.lineup) for name, own in every.items()}
    base = {keys[name]: name for name, own in every.items() if own.variant == study.base}
    for name, own in every.items():
        if own.variant != study.base and (other := base.get(keys[name])):
            equal, games = same.get(own.variant, (0, 0))
            ours, theirs = (pl.read_parquet(files[record], columns=MOVES).rows() for record in (name, other))
            now = sum(map(operator.eq, ours, theirs)) if len(ours) == len(theirs) else 0
            same[own.variant] = equal + now, games + len(ours)
    return same


def _sections(args: Args) -> tuple[str, ...]:
    """Return the sections of the page in order; raise ValueError for an option without one that it needs."""
    for option, needed in NEEDS.items():
        value = getattr(args, option)
        if value != getattr(Args, option) and not getattr(args, needed) and not (needed == "vary" and args.all):
            raise ValueError(f"{option}={value} is not allowed without {needed}; allowed: --{needed.replace('_', '-')}")
    allowed = ("options",) if args.all and not args.sections else SECTIONS
    return tuple(name for name in allowed if name in args.sections or not args.sections)


def _check_rows(sections: Sequence[str], variants: Iterable[str], own: Sequence[Matchup]) -> None:
    """Raise ValueError for a variant without a line-up: an answer about it would rest on no game."""
    played = {matchup.variant for matchup in own}
    for variant in variants:
        if variant not in played:
            problem = f"sections={' '.join(sections)!r} is not allowed: no game would be played with {variant}"
            raise ValueError(f"{problem}; allowed: also the section options, or without --one-at-a-time")
