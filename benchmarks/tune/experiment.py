"""Search for the options of a game that come nearest to goals: Optuna proposes variants, `benchmarks.study` plays them.

Distances from goals are comparable: 0.1 is a length that is 10 % off, or a score or share that is 0.1 off. Clearly
worse variants are pruned early. The best variant and the base then play fresh deals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import optuna
import polars as pl

from tantra_envs.matches.intervals import interval
from tantra_envs.programs import cli
from tantra_envs.programs.workers import Run

from ..harness.command import MOST, without_limits
from ..harness.figures import Floats
from ..harness.lineups import Lineup
from ..harness.plans import slug
from ..study import experiment
from ..study.command import Args as StudyArgs
from ..study.matchups import TALLY, choices, name_of
from ..study.results import DRAWS, figures_of_study
from ..study.skill import SCORE
from ..study.tally import COMEBACKS, CUT_OFF, LEAD_CHANGES, LENGTH, SEAT
from .command import Args

AGAIN = 16  # proposals per trial at most, because Optuna may repeat a variant


class Goal(NamedTuple):
    """A target for the figures of one section that have these measures."""

    section: str
    measures: tuple[str, ...]
    relative: bool = False  # whether distances are divided by the target
    target: float = 0.5

    @property
    def holds(self) -> pl.Expr:
        """Whether a figure of a study should be at the target."""
        return (pl.col("section") == self.section) & pl.col("measure").is_in(self.measures)

    def distance(self, rows: pl.DataFrame) -> Floats:
        """Return the distance of the worst figure: of all deals first, then of every resample. 1 if it is unknown."""
        every = rows.filter(self.holds)
        values = np.hstack([every["value"].to_numpy()[:, None], every["drawn"].to_numpy()])
        values = values if len(every) else np.full((1, 1 + DRAWS), np.nan)
        away = np.abs(values - self.target).max(axis=0) / (self.target if self.relative else 1.0)
        return np.asarray(np.nan_to_num(away, nan=1.0))


GOALS = {
    "seats": Goal("seats", (SEAT.name, "score by number")),
    "length": Goal("length", (LENGTH.name,), relative=True),
    "cut-off": Goal("length", (CUT_OFF.name,)),
    "skill": Goal("skill", (SCORE.name,)),
    "comeback": Goal("tension", (COMEBACKS.name,)),
    "lead-changes": Goal("tension", (LEAD_CHANGES.name,), relative=True),
}


@dataclass(frozen=True)
class Tuning:
    """The goals, and the study of all variants that may be tried."""

    args: Args
    goals: dict[str, Goal]
    study: experiment.Study
    stages: list[int]  # deals after which a variant is compared with the best one

    @property
    def folder(self) -> Path:
        """The folder of the results."""
        return self.study.folder


@dataclass(frozen=True)
class Trial:
    """A variant that was tried, and its distances from the goals."""

    variant: str
    deals: int
    rows: pl.DataFrame  # its figures, see `study.results`
    away: dict[str, Floats]
    given_up: bool = False

    @property
    def loss(self) -> Floats:
        """The sum of the distances, of all deals first."""
        return np.asarray(sum(self.away.values()))

    def nearer(self, other: Trial) -> tuple[float, float, float]:
        """Return how much nearer this trial is than another on the same deals, with the interval."""
        difference = other.loss - self.loss
        return float(difference[0]), *interval(difference[1:])


def prepare(args: Args) -> Tuning:
    """Check the options and return the tuning; raise ValueError or OSError with a message for the user."""
    goals, agents = _goals(args.toward), without_limits(args.agents)
    cli.check_ranges(args, deals=(2, MOST // 2), trials=(1, MOST), shard=(2, args.deals))
    if not args.vary:
        raise ValueError("vary= is not allowed; allowed: OPTION=VALUE,VALUE, one or more")
    if not 1 + ("skill" in goals) <= len(agents) <= 2:
        raise ValueError(f"agents={' '.join(agents)!r} is not allowed; allowed: two, or one without the goal skill")
    same = "game", "players", "vary", "seed", "shard", "runs"
    every = StudyArgs(
        **{name: getattr(args, name) for name in same},
        name=args.name or slug(" ".join(map(str, ("tune", args.game, args.players or "", *args.vary, args.seed)))),
        agents=tuple(reversed(agents)),
        deals=2 * args.deals,  # for the choice, and fresh ones
        sections=("seats", "skill", "length", "tension"),
    )
    whole = experiment.prepare(every)
    lineups = Lineup.of(whole.agents[-1]), Lineup.of(whole.agents[-1], whole.agents[0])
    matchups = tuple(own for own in whole.of(TALLY) if own.lineup in lineups)
    plan = replace(whole.plan, matches={own.record: whole.plan.matches[own.record] for own in matchups})
    stages = [args.shard << k for k in range(32) if args.shard << k < args.deals] + [args.deals]
    return Tuning(args, goals, replace(whole, matchups=matchups, plan=plan), stages)


def play(tuning: Tuning, run: Run) -> tuple[list[Trial], Trial, Trial]:
    """Return the trials, the base first, and the base and the best variant on deals that had no part in the choice."""
    args, options = tuning.args, choices(tuning.args.vary)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=args.seed, n_startup_trials=max(4, args.trials // 3))
    search = optuna.create_study(directions=["minimize"] * len(tuning.goals), sampler=sampler)
    every = [dict(zip(options, values, strict=True)) for values in product(*options.values())]
    for chosen in every if len(every) <= args.trials else every[:1]:  # the base first
        search.enqueue_trial(chosen)
    tried: dict[str, list[Trial]] = {}  # by variant, a trial for every stage
    for _ in range(AGAIN * args.trials):
        proposal = search.ask()
        variant = name_of({name: proposal.suggest_categorical(name, values) for name, values in options.items()})
        if variant not in tried:
            tried[variant] = attempt(tuning, variant, tried, run)
        if len(tried) == min(args.trials, len(tuning.study.games)):
            break
        search.tell(proposal, [float(away[0]) for away in tried[variant][-1].away.values()])
    trials = [stages[-1] for stages in tried.values()]
    fresh = range(args.deals, 2 * args.deals)
    was, now = (measure(tuning, variant, fresh, run) for variant in (tuning.study.base, best(trials).variant))
    return trials, was, now


def attempt(tuning: Tuning, variant: str, tried: dict[str, list[Trial]], run: Run) -> list[Trial]:
    """Play a variant stage by stage, until it is clearly worse than the best one so far."""
    trials: list[Trial] = []
    rivals = tried[best([stages[-1] for stages in tried.values()]).variant] if tried else []
    for stage, deals in enumerate(tuning.stages):
        trials.append(measure(tuning, variant, range(deals), run))
        if rivals and deals < tuning.args.deals and rivals[stage].nearer(trials[-1])[1] > 0:
            return [*trials[:-1], replace(trials[-1], given_up=True)]
    return trials


def measure(tuning: Tuning, variant: str, deals: range, run: Run) -> Trial:
    """Return the figures of a variant on some deals. The deals before them are played too."""
    whole = tuning.study
    own = tuple(matchup for matchup in whole.matchups if matchup.variant == variant)
    matches = {matchup.record: whole.plan.matches[matchup.record] for matchup in own}
    plan = replace(whole.plan, matches=matches, deals=deals.stop, fewer={})
    part = replace(whole, games={variant: whole.games[variant]}, matchups=own, plan=plan)
    counts = experiment.play(part, run)
    games = {matchup: rows.filter(pl.col("deal") >= deals.start) for matchup, rows in counts.games.items()}
    rows = figures_of_study(part, replace(counts, games=games)).rows
    away = {name: goal.distance(rows) for name, goal in tuning.goals.items()}
    return Trial(variant, len(deals), rows, away)


def best(trials: list[Trial]) -> Trial:
    """Return the trial nearest to all goals among those that were not pruned."""
    return min((trial for trial in trials if not trial.given_up), key=lambda trial: trial.loss[0])


def _goals(texts: tuple[str, ...]) -> dict[str, Goal]:
    """Return the goals of texts such as `length=120`, by name; raise ValueError for any other."""
    goals = {}
    for text in texts or ("",):
        name, _, value = text.partition("=")
        goal = GOALS.get(name, Goal("", ()))
        try:
            target = 0.5 if value == "even" else float(value)
        except ValueError:
            target = -1.0
        fits = 0 < target < np.inf if goal.relative else 0 <= target <= 1
        if name in goals or name not in GOALS or not fits or (name == "seats") != (value == "even"):
            allowed = "seats=even, length=ACTIONS, lead-changes=NUMBER, and cut-off, skill, comeback = 0..1, each once"
            raise ValueError(f"toward={text!r} is not allowed; allowed: {allowed}")
        goals[name] = goal._replace(target=target)
    return goals
