"""Check the options of a ranking, and play the agent against the panels at every table."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from agents import Agent
from tantra_envs.adapters.programs import TextAgent
from tantra_envs.core.asking import AgentError, AgentWarning, ask
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.programs.workers import Run

from ..harness import plans
from ..harness.outcomes import Outcomes, by_deal, usage
from ..harness.pages import Row
from ..harness.plans import MatchSpec, Plan, slug, without_limits
from ..harness.timing import milliseconds
from . import declared, exploiters, submission, suite
from .command import Args
from .ranking import encode

QUICK = 10  # deals at tables of two
PARTNER = "partner"


@dataclass(frozen=True)
class Ranking:
    """The matches of an agent at every table, and where the results go."""

    args: Args
    word: str  # the name with which the agent is loaded
    agents: Mapping[str, tuple[Game, Agent]]  # by table
    origins: Mapping[str, dict[str, Any]]  # origins of the agents of the panels, by table
    plan: Plan
    folder: Path
    training: Mapping[str, Any]  # facts about the training of the agent, mostly declared
    exact: Mapping[str, float]  # exploitability by mini game


@dataclass(frozen=True)
class Played:
    """The results by table: of every pair, partner and exploiter, and the time and usage of the agent."""

    pairs: Mapping[str, Mapping[str, Row]]  # by opponent: {"points": texts, "truncated": share}
    partners: Mapping[str, Mapping[str, Row]]  # by partner: {"points": texts}; only at tables with partners
    exploiters: Mapping[str, Mapping[str, Row | None]]  # see `exploiters.exploit`
    milliseconds: Mapping[str, float]  # CPU time per decision; of a program the time until its reply
    programs: Mapping[str, Mapping[str, float]]  # see `scores.usage`, for agents that are programs


def prepare(args: Args) -> Ranking:
    """Check the options and return the ranking; raise ValueError or OSError with a message for the user."""
    submission.check_label("label", args.label or args.agent, args.agent)
    training = _training(args)
    most = _deals(args, training)
    (word,) = without_limits([args.agent], "agent")
    tables = tables_of(args.games)
    with warnings.catch_warnings(action="ignore", category=AgentWarning):  # of agents that the suite has chosen
        panels = {table: plans.build(suite.match(table, suite.PANEL))[1] for table in tables}
    agents = {table: _playable(table, word) for table in tables}
    for game, agent in agents.values():
        training = {**declared.facts_of(word, game, agent), **training}
        if args.exploit:
            exploiters.check(word, agent)
    exact = exploiters.exact_figures(args.exact, agent.name) if args.exact else {}
    matches, limits = {}, {}
    for table, (_, agent) in agents.items():
        for records, match, deals in _matches(table, word, agent.name, most):
            matches[records], limits[records] = match, deals
    seed = f"seed {training['seed']}" if training.get("seed") is not None else ""
    name = " ".join(filter(None, ("rank", args.agent, *args.games, seed, "quick" if args.quick else "")))
    folder = args.runs / (args.name or slug(name))
    plan = Plan(folder / "records", matches, most, suite.SHARD, limits)
    plan.check()
    origins = {table: plans.origins(panel) for table, panel in panels.items()}
    return Ranking(args, word, agents, origins, plan, folder, training, exact)


def _matches(table: str, word: str, name: str, most: int) -> list[tuple[str, MatchSpec, int]]:
    """Return the matches of an agent at a table: the prefix of their records, the match, and the deals."""
    found = []
    for opponent in suite.PANEL:
        if opponent != name:
            deals = suite.deals(table, name, opponent, most)
            pair = enumerate(suite.pair(table, word, opponent))
            found += [(records_of(table, opponent, number), match, deals) for number, match in pair]
    for partner in _partners(table, name):
        match = suite.partnership(table, word, partner)
        found.append((records_of(table, partner, PARTNER), match, suite.deals(table, name, partner, most)))
    return found


def _partners(table: str, name: str) -> list[str]:
    """Return the held-out partners that an agent plays with at a table."""
    return [partner for partner in suite.PARTNERS if partner != name] if suite.has_partners(table) else []


def tables_of(games: tuple[str, ...]) -> list[str]:
    """Return the tables that names of games, variants or tables (karma-2) describe, in the order of the suite.

    Raises:
        ValueError: A name is unknown.
    """
    words = {
        table: {variant, suite.game_of(table), f"{suite.game_of(table)}-{players}"}
        for table, (variant, players) in suite.TABLES.items()
    }
    allowed = sorted(set().union(*words.values()))
    for name in games:
        if name not in allowed:
            raise ValueError(f"games={name!r} is not allowed; allowed: {', '.join(allowed)}")
    return [table for table, own in words.items() if not games or own & set(games)]


def _playable(table: str, word: str) -> tuple[Game, Agent]:
    """Return a game and the agent for it after one trial decision; raise ValueError if it cannot play this game.

    A program decides nothing on trial: it can play every game, and its answers may cost money.
    """
    made = False
    try:
        game, (agent,) = plans.build(suite.match(table, (word,)))
        if agent.name != word and (agent.name in submission.OWNED or suite.is_search(agent.name)):
            raise ValueError(f"agent={word!r} has the name {agent.name!r} of another agent; allowed: a new name")
        submission.check_label("name of the agent", agent.name, agent.name)
        made = True
        if isinstance(agent, TextAgent):
            return game, agent
        ask(agent, Observation(game, game.new()), np.random.default_rng(0))
    except Exception as wrong:  # whatever the user's class raises, for example for a network of another size
        if isinstance(wrong, ValueError) and not isinstance(wrong, AgentError) and not made:
            raise  # it names what is wrong with the word
        reason = f"{type(wrong).__name__}: {(str(wrong).strip() or 'no reason given').splitlines()[0]}"
        allowed = "an agent that plays every game of --games"
        raise ValueError(f"agent={word!r} cannot play {table} ({reason}); allowed: {allowed}") from wrong
    return game, agent


def play(ranking: Ranking, run: Run) -> Played:
    """Play the missing deals, train the missing exploiters, and time the agent where it is not timed yet."""
    read, at_two = Outcomes(ranking.plan), plans.play(ranking.plan, run)
    pairs, together, programs = {}, {}, {}
    for table, (_, agent) in ranking.agents.items():
        others = [opponent for opponent in suite.PANEL if opponent != agent.name]
        pairs[table] = {opponent: _pair(ranking, read, table, opponent) for opponent in others}
        together[table] = {partner: _partner(ranking, read, table, partner) for partner in _partners(table, agent.name)}
        matches = _matches(table, ranking.word, agent.name, at_two)
        used = usage(ranking.plan, [records for records, *_ in matches], at_two)
        if agent.name in used:
            programs[table] = used[agent.name]
    exploit = ranking.args.exploit
    measured = exploiters.exploit(ranking.folder, ranking.word, ranking.agents, run) if exploit else {}
    others_timed = {table: pair for table, pair in ranking.agents.items() if table not in programs}
    times = milliseconds(others_timed, ranking.folder / "milliseconds.json")
    answers = {table: 1000 * used["seconds"] for table, used in programs.items()}
    return Played(pairs, together, measured, times | answers, programs)


def _pair(ranking: Ranking, read: Outcomes, table: str, opponent: str) -> Row:
    """Return the points of the agent against an opponent, and the share of truncated games."""
    names = [records_of(table, opponent, number) for number in range(len(suite.lineups(table)))]
    games = [read.of([name], ranking.plan.deals) for name in names]
    return pair_points(table, suite.ordered(ranking.word, opponent).index(ranking.word), games)


def pair_points(table: str, place: int, games: Sequence[pl.DataFrame]) -> Row:
    """Return the points of an agent from the outcomes of every line-up of a pair, and the share of truncated games.

    The points of a deal are the half points of the agent that is alone, or what it leaves to the agent.

    Args:
        table: The table.
        place: The number of the agent in the matches.
        games: The outcomes, one frame for each line-up.
    """
    units, points, truncated = suite.units(table), {}, []
    for number, own in enumerate(games):
        lone = np.rint(by_deal(own.filter("alone"))["score"].to_numpy() * units).astype(np.int64)
        points[number == place] = lone if number == place else units - lone
        truncated.append(own["truncated"].to_numpy().mean())
    own_first = [encode(points[is_own]) for is_own in sorted(points, reverse=True)]
    return {"points": own_first, "truncated": float(np.mean(truncated))}


def _partner(ranking: Ranking, read: Outcomes, table: str, partner: str) -> Row:
    return partner_points(read.of([records_of(table, partner, PARTNER)], ranking.plan.deals))


def partner_points(games: pl.DataFrame) -> Row:
    """Return the points of an agent with a partner: the half points of its team, summed over its seats of a deal."""
    lone = games.filter("alone")
    points = lone.group_by("deal").agg((pl.col("score") * 2).round().sum()).sort("deal")["score"]
    return {"points": [encode(points.cast(pl.Int64).to_numpy())]}


def _deals(args: Args, training: Mapping[str, Any]) -> int:
    """Return the deals at tables of two: by default those of the protocol."""
    if args.quick and args.deals is not None:
        raise ValueError("quick=True is not allowed with deals; allowed: one of them")
    demanded = suite.demanded(args.agent, trained=bool(training["decisions"]))
    deals = QUICK if args.quick else demanded if args.deals is None else args.deals
    if not 1 <= deals <= suite.DEALS:
        raise ValueError(f"deals={deals} is not allowed; allowed: 1..{suite.DEALS}")
    return deals


def _training(args: Args) -> dict[str, Any]:
    """Return the declared facts about the training: of the options, and all that its file holds."""
    facts: dict[str, Any] = {"decisions": args.decisions, "cpu_minutes": args.cpu_minutes}
    if args.training_seed is not None:
        facts["seed"] = args.training_seed
    for name, value in facts.items():
        if value is not None and value < 0:
            raise ValueError(f"{'training_' * (name == 'seed')}{name}={value} is not allowed; allowed: 0 or more")
    if args.training is not None:
        if set(facts.values()) != {None}:
            words = "decisions, cpu_minutes or training_seed"
            raise ValueError(f"training={str(args.training)!r} is not allowed with {words}")
        facts = submission.read(args.training)
        submission.check_training(str(args.training), facts)
    if args.inputs is not None:
        facts["inputs"] = args.inputs
        if args.inputs not in suite.INPUTS:
            raise ValueError(f"inputs={args.inputs!r} is not allowed; allowed: {', '.join(suite.INPUTS)}")
    met = declared.check_met(args.met)
    return facts if met is None else {**facts, "met": met}


def records_of(table: str, other: str, part: int | str) -> str:
    """Return the prefix of the records of a match: `part` is the number of its line-up, or PARTNER."""
    return slug(f"{table} {other} {part}")
