"""Check the line-ups of a study, play them, and count the records.

A study is a list of line-ups, each with what is counted in its games. For every variant, each agent plays all deals
against itself. In each pair of agents, one of them plays alone among copies of the other. Sections share these records.
Behaviour and ablations add their own line-ups.
"""

from __future__ import annotations

import functools
import itertools
import operator
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from agents import AgentSpec
from tantra_envs import cli, measures
from tantra_envs.core.game import Game
from tantra_envs.progress import progress
from tantra_envs.workers import Run

from ..harness import playing, shards
from ..harness.formatting import slug
from ..harness.lineups import one_vs_rest
from ..harness.options import MOST
from ..harness.playing import Plan
from ..harness.preparing import build, check, check_agents, check_same, deals_by_agent, plan, table, without_limits
from ..harness.shards import MatchSpec, Shard
from . import ablations, agency, behaviour, learners, learning, win_probability
from .command import Args
from .tally import ONE_VS_REST, SELF_PLAY, tally
from .variants import VARIANT, choices, variants

SECTIONS = ("seats", "skill", "length", "tension", "agency", "worth", "ablations", "behaviour", "options")
TALLIED = {"seats", "skill", "length", "tension", "worth"}
PILOTED = ("seats", "skill")  # sections of a pilot
# What is counted in the games of a line-up
TALLY, OPTIONS, SAMPLES = "tally", "options", "samples"
BEHAVIOUR, ABLATION, AGENCY = "behaviour", "ablation", "agency"
LEAST_PLAYOUTS = 16  # half of them must give a standard error
PILOT = 100  # most deals of a line-up in a pilot
FEWEST = 2  # deals: a single deal gives no interval
NEEDS = {  # options that mean nothing without another one
    "one_at_a_time": "vary",
    "varied": "one_at_a_time",
    "seeds": "retrain",
    "train_minutes": "retrain",
    "train_decisions": "retrain",
}
USUAL = 50  # default deals of an agent that is sampled or ablated
WEIGHED = 100  # default deals of an agent whose decisions are weighed


@dataclass(frozen=True)
class Matchup:
    """One line-up under one variant, and what is counted in its games."""

    counted: str
    record: str  # name of its records, which other line-ups of the list may share
    deals: int  # number of deals that are sampled, or played for these counts
    variant: str
    lineup: str  # as text
    kind: str  # SELF_PLAY or ONE_VS_REST
    agent: str  # name of the first, or lone, agent
    option: str = ""  # ablation of the lone agent


@dataclass(frozen=True)
class Study:
    """The line-ups of a study, and where the results go."""

    args: Args
    games: dict[str, Game]  # by the name of the variant; the first is the base
    agents: list[str]
    sections: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    plan: Plan
    folder: Path
    training: learning.Training | None = None

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
    same: dict[str, tuple[int, int]]  # by variant: the games that are those of the base, and all its games
    minutes: dict[Matchup, float]  # of a deal; only of a pilot


def prepare(args: Args) -> Study:
    """Check the options and return the study; raise ValueError or OSError with a message for the user."""
    check(args, FEWEST)
    cli.check_ranges(args, samples=(1, MOST), playouts=(LEAST_PLAYOUTS, MOST))
    if args.power and args.retrain:
        raise ValueError("retrain=True is not allowed with --power; allowed: one of them")
    if args.power:
        args = replace(args, name=args.name and f"{args.name}-pilot")
    sections = _sections(args)
    builder = _Builder(args, sections)
    for number, (variant, options) in enumerate(variants(args.vary, args.one_at_a_time).items()):
        builder.add_variant(number, variant, options)
    _check_effects(args, list(builder.games.values()))
    if not builder.matchups:
        raise ValueError(f"sections={' '.join(sections)!r} is not allowed: no games to play; allowed: more sections")
    name = ["pilot" if args.power else "study", args.game, f"{builder.game.players}p", *args.vary, args.seed]
    folder, planned = plan(args, name, builder.matches, builder.deals)
    if args.power:
        planned = replace(planned, deals=min(PILOT, planned.deals))
    training = None
    if args.retrain:
        training = learning.prepare(args, builder.games, folder)
        builder.add_trained(training)
        planned = replace(planned, deals=max(builder.deals.values()))  # trained agents may play more
    return Study(
        args=args,
        games=builder.games,
        agents=builder.agents,
        sections=sections,
        matchups=tuple(builder.matchups),
        plan=planned,
        folder=folder,
        training=training,
    )


def play(study: Study, run: Run) -> Counts:
    """Play the missing deals and count all records."""
    if study.training:
        learning.train(study.training, study.plan, run)
        study.plan.check()
    deals = playing.play(study.plan, run)
    files = {name: study.plan.files(name, deals) for name in study.plan.matches}
    args, folder = study.args, study.folder
    parts = _count(tally, [*study.of(TALLY), *study.of(OPTIONS)], files, run, "measured")
    parts |= _count(behaviour.counts, study.of(BEHAVIOUR), files, run, "measured for behaviour")
    parts |= _count(ablations.counts, study.of(ABLATION), files, run, "measured for ablations")
    sampling = functools.partial(win_probability.keep, folder / "sampled", args.samples, args.seed)
    parts |= _kept(sampling, study, SAMPLES, run, "sampled for win probabilities")
    weighing = functools.partial(agency.keep, folder / "weighed", study.plan.matches, args.playouts, args.seed)
    parts |= _kept(weighing, study, AGENCY, run, "weighed for agency")
    return Counts(
        games={own: pl.concat(games) for own, games in parts.items()},
        same=_same(study, files),
        minutes=_minutes(study, files, run) if args.power else {},
    )


def _count(
    function: Any, matchups: Sequence[Matchup], files: Mapping[str, list[Path]], run: Run, what: str
) -> dict[Matchup, list[Any]]:
    """Apply a function to the records of some line-ups, and return its results for each of their files.

    The function must be defined at the top level of a module, because worker processes call it.
    """
    every = [file for own in matchups for file in files[own.record]]
    results: dict[Path, Any] = {}
    if every:
        with progress(f"files of games {what}", len(every)) as advance:
            for file, result in run(function, every):
                results[file] = result
                advance(1)
    return {own: [results[file] for file in files[own.record]] for own in matchups}


def _kept(function: Any, study: Study, counted: str, run: Run, what: str) -> dict[Matchup, list[pl.DataFrame]]:
    """Return the tables that a function keeps in files, for the first deals of the line-ups with these counts."""
    matchups = study.of(counted)
    first = {own.record: study.plan.files(own.record, own.deals) for own in matchups}
    return {
        own: [pl.read_parquet(table).filter(pl.col("deal") < own.deals) for table in tables]
        for own, tables in _count(function, matchups, first, run, what).items()
    }


def _same(study: Study, files: Mapping[str, list[Path]]) -> dict[str, tuple[int, int]]:
    """Return for every variant but the base how many of its games are those of the base, and how many it has."""
    same = dict.fromkeys(list(study.games)[1:], (0, 0))
    every = {own.record: own for own in study.matchups}
    base = {_played(own): name for name, own in every.items() if own.variant == study.base}
    for name, own in every.items():
        if own.variant != study.base and not learners.is_trained(own.lineup) and (other := base.get(_played(own))):
            equal, games = same[own.variant]
            ours, theirs = ([game for file in files[record] for game in _moves(file)] for record in (name, other))
            now = sum(map(operator.eq, ours, theirs)) if len(ours) == len(theirs) else 0
            same[own.variant] = equal + now, games + len(ours)
    return {variant: counts for variant, counts in same.items() if counts[1]}


def _minutes(study: Study, files: Mapping[str, list[Path]], run: Run) -> dict[Matchup, float]:
    """Return the minutes that a deal of each line-up takes, measured with its first record."""
    first = {name: parts[:1] for name, parts in files.items()}
    timing = functools.partial(_seconds, study.plan.shards())
    every = _count(timing, study.matchups, first, run, "timed")
    return {own: seconds / 60 / study.args.workers for own, (seconds,) in every.items()}


def _seconds(every: Mapping[Path, Shard], file: Path) -> float:
    """Return the seconds in which a deal of a record is played and counted."""
    tally(file)  # compiles
    began = time.perf_counter()
    tally(file)
    return (time.perf_counter() - began) / every[file].deals + shards.seconds_of_deal(every[file])


def _played(own: Matchup) -> tuple[bool, str, str]:
    """Return what two variants have in common where they play the same deals with the same agents."""
    return own.counted == OPTIONS, own.kind, own.lineup


def _moves(file: Path) -> list[tuple[Any, ...]]:
    """Return the actions and the rewards of all games in a record, with their deals and agents."""
    return pl.read_parquet(file, columns=["deal", "seats", "actions", "rewards"]).rows()


def _sections(args: Args) -> tuple[str, ...]:
    """Return the sections of the page in order; raise ValueError for unknown ones."""
    for name in args.sections:
        if name not in SECTIONS:
            raise ValueError(f"sections={name!r} is not allowed; allowed: {', '.join(SECTIONS)}")
    for option, needed in NEEDS.items():
        value = getattr(args, option)
        if value != getattr(Args, option) and not getattr(args, needed):
            raise ValueError(f"{option}={value} is not allowed without {needed}; allowed: --{needed.replace('_', '-')}")
    allowed = PILOTED if args.power else SECTIONS
    sections = tuple(name for name in allowed if name in args.sections or not args.sections)
    if not sections:
        words = " ".join(args.sections)
        raise ValueError(f"sections={words!r} is not allowed with --power; allowed: {' '.join(PILOTED)}")
    return sections


def _check_effects(args: Args, games: Sequence[Game]) -> None:
    """Raise ValueError for an option to vary that has no effect in any of the variants."""
    for option in choices(args.vary):
        needs = games[0].options.fields[option].needs if option != VARIANT else None
        if needs and all(game.config[needs[0]] != needs[1] for game in games):
            name, value = needs
            raise ValueError(
                f"vary={option} is not allowed with {name}={games[0].config[name]!r}, where it has no effect; "
                f"allowed: {option} with {name}={value!r}"
            )


class _Builder:
    """Collects the line-ups of all variants."""

    def __init__(self, args: Args, sections: tuple[str, ...]) -> None:
        self._args, self._sections = args, set(sections)
        self._tallied = TALLIED if args.one_at_a_time else TALLIED | {"options"}
        self._limits = deals_by_agent(args.agents, args.deals, fewest=FEWEST)
        self._weighed = deals_by_agent(args.weighed, args.deals, "weighed", FEWEST)
        (self._among,) = without_limits([args.among], "among")
        self._trained_weighed = self._weighed.pop(learners.TRAINED, 0) if args.retrain else 0
        self.games: dict[str, Game] = {}
        self.agents: list[str] = []
        self._tables: dict[str, MatchSpec] = {}  # by the name of the variant
        self._trained: dict[str, str] = {}  # names of agents that are not trained yet, and the words that load them
        self.matches: dict[str, MatchSpec] = {}
        self.deals: dict[str, int] = {}
        self.matchups: list[Matchup] = []

    @property
    def game(self) -> Game:
        """The game of the last variant."""
        return list(self.games.values())[-1]

    def add_variant(self, number: int, variant: str, options: Any) -> None:
        """Add all line-ups of one variant."""
        self._number, self._variant = number, variant
        self._base = self._tables[variant] = table(self._args, self._limits, options)
        game, agents = build(self._base)
        measures.of_game(game)
        names = [agent.name for agent in agents]
        check_agents(self._args.agents, names)
        self.agents = self.agents or names
        self.games[variant] = game
        if number == 0 or not self._args.one_at_a_time:
            self._add_sections(game)
        if self._args.one_at_a_time and "options" in self._sections:
            varied = deals_by_agent(self._args.varied or self._args.agents, self._args.deals, "varied", FEWEST)
            strongest = list(varied)[-1]
            for kind, words in _lineups(list(varied), len(game.teams)):
                if words[0] == strongest:
                    self._add(OPTIONS, kind, words, min(varied[word] for word in words), prefix="options-")

    def add_trained(self, training: learning.Training) -> None:
        """Add the line-ups of trained agents. Agents of one variant play different deals, so their mean is steadier."""
        for number, (variant, jobs) in enumerate(training.jobs.items()):
            self._number, self._variant = number, variant
            for agent, job in enumerate(jobs, 1):
                self._base = replace(self._tables[variant], seed=self._args.seed + agent)
                self._trained = job.agents(agent)
                for name in self._trained:
                    self._add_learner(name, detailed=number == 0 or not self._args.one_at_a_time)

    def _add_learner(self, name: str, detailed: bool) -> None:
        """Add one agent: against itself, and alone among the last agent that plays all deals."""
        deals = max(self._limits.values())
        other = [word for word, limit in self._limits.items() if limit == deals][-1]
        sections = self._sections if detailed else self._sections & {"options"}
        whole = not name.startswith(learners.HALF)
        if sections & self._tallied:
            self._add(TALLY, SELF_PLAY, [name], deals)
            self._add(TALLY, ONE_VS_REST, [name, other], deals)
        if whole and "agency" in sections and self._trained_weighed:
            self._add(AGENCY, SELF_PLAY, [name], self._trained_weighed)
        if whole and "behaviour" in sections and not measures.why_not_counted(self.games[self._variant]):
            self._add(BEHAVIOUR, ONE_VS_REST, [name, self._among], deals)
        if whole and "options" in sections and self._args.one_at_a_time:
            self._add(OPTIONS, SELF_PLAY, [name], deals, prefix="options-")
            self._add(OPTIONS, ONE_VS_REST, [name, other], deals, prefix="options-")

    def _add_sections(self, game: Game) -> None:
        """Add the line-ups of all sections but `options`."""
        last = list(self._limits)[-1]
        few = [f"{last}@{min(USUAL, self._limits[last])}"]
        if self._sections & self._tallied:
            for kind, words in _lineups(list(self._limits), len(game.teams)):
                self._add(TALLY, kind, words, min(self._limits[word] for word in words))
        if "tension" in self._sections:
            _ = game.scripted  # plays on
            sampled = deals_by_agent(self._args.sampled or few, self._args.deals, "sampled", FEWEST)
            for word, deals in sampled.items():
                self._add(SAMPLES, SELF_PLAY, [word], deals)
        if "agency" in self._sections:
            weighed = self._weighed or {last: min(WEIGHED, self._limits[last])}
            for word, deals in weighed.items():
                self._add(AGENCY, SELF_PLAY, [word], deals)
        if "ablations" in self._sections:
            self._add_ablations(game, deals_by_agent(self._args.ablated or few, self._args.deals, "ablated", FEWEST))
        if "behaviour" in self._sections:
            if not (why := measures.why_not_counted(game)):
                for word, deals in self._limits.items():
                    kind = SELF_PLAY if word == self._among else ONE_VS_REST
                    self._add(BEHAVIOUR, kind, [word, self._among], deals)
            elif "behaviour" in self._args.sections:
                raise ValueError(f"sections=behaviour is not allowed: {why}")

    def _add_ablations(self, game: Game, agents: Mapping[str, int]) -> None:
        for word, name in itertools.product(agents, ablations.selected(game, self._args.without)):
            without = AgentSpec.parse(word).having(without=name).text
            self._add(ABLATION, ONE_VS_REST, [without, word], agents[word], option=name)

    def _add(
        self, counted: str, kind: str, words: list[str], deals: int, *, prefix: str = "", option: str = ""
    ) -> None:
        """Add a line-up. Line-ups with the same agents share a record."""
        alone = kind == SELF_PLAY
        words = words[:1] if alone else words
        name = f"{prefix}{self._number}_{slug('-among-'.join(words))}"
        teams, loaded = len(self.games[self._variant].teams), tuple(self._trained.get(word, word) for word in words)
        lineup = (0,) * teams if alone else one_vs_rest(0, 1, teams)
        seated = replace(self._base, agents=loaded, lineup=lineup, rotations=1 if alone else None)
        check_same(name, self.matches.setdefault(name, seated), seated)
        self.deals[name] = max(deals, self.deals.get(name, 0))
        names = [word if word in self._trained else self._name(word) for word in words]
        agent = names[-1 if option else 0]
        self.matchups.append(Matchup(counted, name, deals, self._variant, in_words(names), kind, agent, option))

    def _name(self, word: str) -> str:
        return build(replace(self._base, agents=(word,)))[1][0].name


def in_words(names: list[str]) -> str:
    """Return a line-up as text: one agent against itself, or the first alone among the other."""
    return " - ".join(names)


def _lineups(agents: list[str], teams: int) -> list[tuple[str, list[str]]]:
    """Return each agent against itself, then all pairs. With two teams, only the later agent is the lone one."""
    order = {agent: number for number, agent in enumerate(agents)}
    pairs = [(a, b) for a, b in itertools.permutations(agents, 2) if teams > 2 or order[a] > order[b]]
    return [*((SELF_PLAY, [agent]) for agent in agents), *((ONE_VS_REST, list(pair)) for pair in pairs)]
