"""Check the options of a tuning, choose variants, and play them in stages.

Clearly worse variants are pruned early. The best variant and the base then play fresh deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import optuna

from tantra_envs import cli, measures
from tantra_envs.core.game import Game
from tantra_envs.matches.intervals import interval
from tantra_envs.workers import Run

from ..harness.lineups import one_vs_rest
from ..harness.options import MOST
from ..harness.playing import Plan
from ..harness.preparing import build, check, check_agents, plan, table, without_limits
from ..harness.shards import MatchSpec
from ..study.tally import ONE_VS_REST, SELF_PLAY
from ..study.variants import choices, name_of, variants
from .command import Args
from .goals import Goal, needs_two, read
from .trials import Tables, Trial, best

AGAIN = 16  # proposals per trial at most, because Optuna may repeat a variant


@dataclass(frozen=True)
class Study:
    """The variants to try, and where the results go."""

    games: dict[str, Game]  # by the name of the variant; the first is the base
    choices: dict[str, list[str]]  # values of each option as text
    table: str  # game, or game:variant
    agents: list[str]
    goals: list[Goal]
    matches: dict[str, dict[str, str]]  # records of a variant by the kind of their line-up
    plan: Plan
    stages: list[int]  # deals
    trials: int
    seed: int
    folder: Path
    results: Path | None  # second file for the results

    @property
    def base(self) -> str:
        """The name of the unchanged variant."""
        return next(iter(self.games))


@dataclass(frozen=True)
class Tuned:
    """The results of a tuning."""

    tried: list[Trial]  # in order, the base first
    was: Trial  # the base on fresh deals
    now: Trial  # the best variant on the same fresh deals


def prepare(args: Args) -> Study:
    """Check the options and return the study; raise ValueError or OSError with a message for the user."""
    _check(args)
    goals = [read(words) for words in args.toward]
    games: dict[str, Game] = {}
    specs: dict[str, MatchSpec] = {}
    matches: dict[str, dict[str, str]] = {}
    for number, (variant, options) in enumerate(variants(args.vary).items()):
        base = table(args, without_limits(args.agents), options)
        games[variant], agents = build(base)
        measures.of_game(games[variant])
        lineups = _lineups(base, len(games[variant].teams))
        matches[variant] = {kind: f"{number}_{kind}" for kind in lineups}
        specs |= {matches[variant][kind]: match for kind, match in lineups.items()}
    names = [agent.name for agent in agents]
    _check_goals(args, goals, names)
    twice = dict.fromkeys(specs, 2 * args.deals)  # for the choice, and fresh ones
    name = ["tune", args.game, f"{games[variant].players}p", args.seed]
    folder, planned = plan(args, name, specs, twice)
    stages = [deals for k in range(32) if (deals := args.shard << k) < args.deals] + [args.deals]
    fields = choices(args.vary)
    return Study(
        games=games,
        choices=fields,
        table=args.game,
        agents=names,
        goals=goals,
        matches=matches,
        plan=planned,
        stages=stages,
        trials=args.trials,
        seed=args.seed,
        folder=folder,
        results=args.results,
    )


def play(study: Study, run: Run) -> Tuned:
    """Try up to `trials` variants, then play the best one and the base on deals that had no part in the choice."""
    tables = Tables(study.plan, study.matches, study.games, study.goals, study.seed, run)
    tried: dict[str, Trial] = {}
    search = _search(study)
    for _ in range(AGAIN * study.trials):
        suggestion = search.ask()
        chosen = {field: suggestion.suggest_categorical(field, words) for field, words in study.choices.items()}
        variant = name_of(chosen)
        if variant not in tried:
            tried[variant] = attempt(tables, variant, study.stages, list(tried.values()))
        if len(tried) == min(study.trials, len(study.games)):
            break
        search.tell(suggestion, [distance.value for distance in tried[variant].away.values()])
    fresh = range(study.stages[-1], 2 * study.stages[-1])
    was, now = (tables.trial(variant, fresh) for variant in (study.base, best(list(tried.values())).variant))
    return Tuned(list(tried.values()), was, now)


def attempt(tables: Tables, variant: str, stages: Sequence[int], before: Sequence[Trial]) -> Trial:
    """Play a variant stage by stage, and prune it when it is clearly worse than the best trial before."""
    for deals in stages:
        trial = tables.trial(variant, range(deals))
        if before and deals < stages[-1]:
            rival = tables.trial(best(before).variant, range(deals))
            if interval(trial.drawn - rival.drawn)[0] > 0:
                return replace(trial, given_up=True)
    return trial


def _search(study: Study) -> optuna.Study:
    """Return the Optuna study that proposes variants, the base first.

    It proposes all variants if `trials` allows that. Otherwise it starts with random ones and then uses the results.
    """
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=study.seed, n_startup_trials=max(4, study.trials // 3))
    search = optuna.create_study(directions=["minimize"] * len(study.goals), sampler=sampler)
    every = [dict(zip(study.choices, words, strict=True)) for words in product(*study.choices.values())]
    for chosen in every if len(every) <= study.trials else every[:1]:
        search.enqueue_trial(chosen)
    return search


def _lineups(base: MatchSpec, teams: int) -> dict[str, MatchSpec]:
    """Return the first agent against itself, and alone among copies of the second if there is one."""
    first, *others = base.agents
    alone = replace(base, agents=(first,), lineup=(0,) * teams, rotations=1)
    return {SELF_PLAY: alone} | ({ONE_VS_REST: replace(base, lineup=one_vs_rest(0, 1, teams))} if others else {})


def _check(args: Args) -> None:
    """Raise ValueError for numbers out of range, or if no option varies."""
    check(args, fewest_deals=2)
    cli.check_ranges(args, trials=(1, MOST), shard=(2, args.deals))
    if args.deals % args.shard:
        raise ValueError(f"deals={args.deals} is not allowed; allowed: multiples of shard={args.shard}")
    if not args.vary:
        raise ValueError("vary= is not allowed; allowed: OPTION=VALUE,VALUE, one or more")


def _check_goals(args: Args, goals: Sequence[Goal], agents: Sequence[str]) -> None:
    """Raise ValueError for repeated goals, or for a number of agents that does not fit them."""
    names = [goal.name for goal in goals]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"toward={' '.join(args.toward)!r} is not allowed; allowed: every goal once, one or more")
    two = any(needs_two(goal) for goal in goals)
    check_agents(args.agents, agents, fewest=2 if two else 1)
    if len(agents) > 2:
        raise ValueError(f"agents={' '.join(args.agents)!r} is not allowed; allowed: one or two")
