"""Check the options of a ranking, and play the agent against the panels at every table.

`play` returns a row for every table. It has the points of every deal, from which `ranking` computes all scores.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent, AgentSpec, load, origin
from tantra_envs.adapters.programs import TextAgent
from tantra_envs.core.asking import AgentError, AgentWarning, ask
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.programs.files import Json
from tantra_envs.programs.workers import Run

from ..harness import plans, schema
from ..harness.agent_times import milliseconds
from ..harness.command import without_limits
from ..harness.plans import Outcomes, Plan, slug, usage
from . import exploiters, submission, suite
from .command import Args
from .ranking import points_of

QUICK = 10  # deals at tables of two
PROGRAM = "program"  # key of the usage of an agent that is a program
INPUTS = {  # of agents by name
    "uniform": suite.NOTHING,
    "greedy": suite.STATE,
    "scripted": suite.STATE,
    "search": suite.STATE,
    "ismcts": suite.STATE,
}


@dataclass(frozen=True)
class Ranking:
    """The meetings of an agent at every table, and where the results go."""

    args: Args
    word: str  # the name with which the agent is loaded
    names: Mapping[str, str]  # of the agent, by table
    panel_origins: Mapping[str, dict[str, Any]]  # origins of the agents of the panels, by table
    meetings: Mapping[str, list[suite.Meeting]]  # by table
    plan: Plan
    folder: Path
    training: Mapping[str, Any]  # facts about the training of the agent, mostly declared
    exact: Mapping[str, float]  # exploitability by mini game


def prepare(args: Args) -> Ranking:
    """Check the options and return the ranking; raise ValueError or OSError with a message for the user."""
    submission.check_label("label", args.label or args.agent, args.agent)
    training = _training(args)
    most = _deals(args, training)
    (word,) = without_limits([args.agent], "agent")
    tables = tables_of(args.games)
    with warnings.catch_warnings(action="ignore", category=AgentWarning):  # of agents that the suite has chosen
        origins = {table: plans.origins(plans.build(suite.match(table, suite.PANEL))[1]) for table in tables}
    names = {}
    for table in tables:
        game, agent = _playable(table, word)
        names[table] = agent.name
        training = {**facts_of(word, game, agent), **training}
        submission.check_training("the training", training)
        if args.exploit:
            exploiters.check(word, agent)
    exact = exploiters.exact_figures(args.exact, agent.name) if args.exact else {}
    meetings = {table: _meetings(table, word, name, most) for table, name in names.items()}
    seed = f"seed {training['seed']}" if training.get("seed") is not None else ""
    name = " ".join(filter(None, ("rank", args.agent, *args.games, seed, "quick" if args.quick else "")))
    folder = args.runs / (args.name or slug(name))
    plan = suite.plan_of_meetings((meeting for own in meetings.values() for meeting in own), folder / "records")
    plan.check()
    return Ranking(args, word, names, origins, meetings, plan, folder, training, exact)


def _meetings(table: str, word: str, name: str, most: int) -> list[suite.Meeting]:
    """Return the meetings of an agent at a table. An agent does not meet itself."""
    return [
        suite.meeting(table, part, word, other, suite.deals(table, name, other, most))
        for part, others in suite.others(table).items()
        for other in others
        if other != name
    ]


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
        game, agent = seated(table, word)
        if agent.name != word and (agent.name in suite.OWNED or suite.is_search(agent.name)):
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


def seated(table: str, word: str) -> tuple[Game, Agent]:
    """Return the game of a table and the agent with this name; raise ValueError for names that do not fit."""
    game, (agent,) = plans.build(suite.match(table, (word,)))
    return game, agent


def play(ranking: Ranking, run: Run) -> dict[str, Json]:
    """Play the missing deals, train the missing exploiters, and time the agent where it is not timed yet.

    Returns:
        By table the facts about the agents and the deals, with the points of every meeting.
    """
    deals = plans.play_plan(ranking.plan, run)
    outcomes = Outcomes(ranking.plan)
    rows, untimed = {}, {}
    for table, meetings in ranking.meetings.items():
        points = {(own.part, own.other): points_of(own, outcomes.of(own.matches, deals)) for own in meetings}
        rows[table] = _row(ranking, table, points, deals, run)
        if PROGRAM not in rows[table]:
            untimed[table] = seated(table, ranking.word)
    for table, time in milliseconds(untimed, ranking.folder / "milliseconds.json").items():
        rows[table]["milliseconds"] = time
    return rows


def _row(ranking: Ranking, table: str, points: Mapping[tuple[str, str], Json], deals: int, run: Run) -> Json:
    """Return the row of a table: the facts, the points by part and other agent, and the scores of exploiters.

    Of an agent that is a program it has the usage. The time of any other agent is still missing.
    """
    matches = [name for own in ranking.meetings[table] for name in own.matches]
    program = usage(ranking.plan, matches, deals).get(ranking.names[table])
    scores = exploiters.exploit(ranking.folder, ranking.word, table, run) if ranking.args.exploit else {}
    return {
        **_facts(ranking, table),
        "milliseconds": 1000 * program["seconds"] if program else None,
        **{part: {name: points.get((part, name)) for name in names} for part, names in suite.others(table).items()},
        "exploiters": {name: scores.get(name) for name in suite.EXPLOITERS},
        **({PROGRAM: program} if program else {}),
    }


def _facts(ranking: Ranking, table: str) -> Json:
    """Return the facts about the game, the agents and the deals of a table."""
    game, agent = seated(table, ranking.word)
    variant, players = suite.TABLES[table]
    deals = sorted({meeting.deals for meeting in ranking.meetings[table]})
    return {
        "variant": variant,
        "players": players,
        "game": game.name,
        "config": game.options.changed(game.config),
        "origin": origin(agent),
        "panel_origins": ranking.panel_origins[table],
        "deals_digests": {str(n): suite.deals_digest(game, n) for n in deals},
    }


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
        facts = schema.read(args.training)
        submission.check_training(str(args.training), facts)
    if args.inputs is not None:
        facts["inputs"] = args.inputs
        if args.inputs not in suite.INPUTS:
            raise ValueError(f"inputs={args.inputs!r} is not allowed; allowed: {', '.join(suite.INPUTS)}")
    met = check_met(args.met)
    facts = facts if met is None else {**facts, "met": met}
    submission.check_training("the declared training", facts)
    return facts


def check_met(met: Sequence[str] | None) -> list[str] | None:
    """Return the agents of the option `met`; raise ValueError if `nobody` is not alone."""
    if met is None or tuple(met) == (suite.NOBODY,):
        return None if met is None else []
    if not met or suite.NOBODY in met or not all(word.strip() and "|" not in word for word in met):
        raise ValueError(
            f"met={' '.join(met)!r} is not allowed; allowed: {suite.NOBODY} alone, "
            f"or names of agents, or {suite.ITSELF}"
        )
    return list(dict.fromkeys(met))


def facts_of(word: str, game: Game, agent: Agent) -> dict[str, Any]:
    """Return inputs and met as far as they are known without a declaration."""
    if isinstance(agent, LearnedAgent):
        return _of_network(agent)
    spec = AgentSpec.parse(word)
    if spec.file is not None or spec.name not in INPUTS:
        return {}
    base = spec.options.get("base", suite.SCRIPTED)
    met = facts_of(base, game, load(base, game)).get("met") if base != suite.SCRIPTED else []
    return {"inputs": INPUTS[spec.name], **({} if met is None else {"met": met})}


def _of_network(agent: LearnedAgent) -> dict[str, Any]:
    inputs = suite.FEATURES if agent.card.spec.policy == "features" else suite.OBSERVATION
    met = met_of(agent.card.settings)
    return {"inputs": inputs, **({} if met is None else {"met": met})}


def met_of(settings: Mapping[str, Any]) -> list[str] | None:
    """Return the agents that a run of `python -m training` met, from its settings; None if they are not known."""
    if not {"opponents", "opponent_share"} <= settings.keys():
        return None
    if settings.get("exploit"):
        return [settings["exploit"]]
    opponents = list(settings["opponents"])
    alone = bool(opponents) and settings["opponent_share"] >= 1
    return opponents if alone else [suite.ITSELF, *opponents]
