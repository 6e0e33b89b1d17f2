"""Check the options of a ranking, and play the agent against the panel in every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent
from tantra_envs.adapters.programs import TextAgent
from tantra_envs.core.asking import ask
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.match import Match
from tantra_envs.workers import Run

from ..harness import playing, shards
from ..harness.formatting import slug
from ..harness.lineups import one_vs_rest
from ..harness.options import MOST
from ..harness.playing import Plan
from ..harness.preparing import without_limits
from ..harness.scores import Scores, usage
from ..ladder.timing import milliseconds
from . import submission, suite
from .command import Args

QUICK = {"deals": 20, "search_deals": 5}  # instead of the protocol's deals


@dataclass(frozen=True)
class Ranking:
    """The matches of an agent in every game, and where the results go."""

    args: Args
    agents: Mapping[str, tuple[Game, Agent]]  # by game
    origins: Mapping[str, dict[str, Any]]  # origins of the agents of the panel, by game
    plan: Plan
    folder: Path
    training: Mapping[str, Any]  # what is declared about the training of the agent
    results: Path | None  # second file for the results


@dataclass(frozen=True)
class Played:
    """The matches by game and by agent of the panel, and the time and usage of the agent by game."""

    matches: Mapping[str, Mapping[str, Match]]
    milliseconds: Mapping[str, float]  # CPU time per decision; of a program the time until its reply
    programs: Mapping[str, Mapping[str, float]]  # see `scores.usage`, for agents that are programs


def prepare(args: Args) -> Ranking:
    """Check the options and return the ranking; raise ValueError or OSError with a message for the user."""
    deals = _deals(args)
    (word,) = without_limits([args.agent], "agent")
    agents, origins, matches = {}, {}, {}
    variants = {variant: name for name, (variant, _) in BENCHMARKS.items()}
    for name in dict.fromkeys(variants.get(game, game) for game in args.games or BENCHMARKS):
        game, panel = shards.build(suite.table(name, suite.PANEL))
        agent = _playable(name, word)
        agents[name] = game, agent
        origins[name] = shards.origins(panel)
        lineup = one_vs_rest(0, 1, len(game.teams))
        for opponent in suite.PANEL:
            if opponent != agent.name:
                match = suite.table(name, (word, opponent))
                matches[_records(name, opponent)] = replace(match, lineup=lineup)
    folder = args.runs / (args.name or slug(f"rank-{args.agent}{'-quick' if args.quick else ''}"))
    limits = {_records(name, suite.SLOW): deals[suite.SLOW] for name in agents}
    plan = Plan(folder / "records", matches, max(deals.values()), suite.SHARD, limits)
    plan.check()
    return Ranking(args, agents, origins, plan, folder, _training(args), args.results)


def _playable(name: str, word: str) -> Agent:
    """Return the agent for a game after one trial decision; raise ValueError if it cannot play this game.

    A program decides nothing on trial: it can play every game, and its answers may cost money.
    """
    made = False
    try:
        game, (agent,) = shards.build(suite.table(name, (word,)))
        made = True
        if isinstance(agent, TextAgent):
            return agent
        ask(agent, Observation(game, game.new()), np.random.default_rng(0))
    except Exception as wrong:  # whatever the user's class raises, for example for a network of another size
        if isinstance(wrong, ValueError) and not made:
            raise  # it names what is wrong with the word
        reason = f"{type(wrong).__name__}: {(str(wrong).strip() or 'no reason given').splitlines()[0]}"
        allowed = "an agent that plays every game of --games"
        raise ValueError(f"agent={word!r} cannot play {name} ({reason}); allowed: {allowed}") from wrong
    return agent


def play(ranking: Ranking, run: Run) -> Played:
    """Play the missing deals, and time the agent where it is not timed yet."""
    scores = Scores(ranking.plan)
    deals = playing.play(ranking.plan, run)
    matches = {
        name: {
            opponent: scores.match(_records(name, opponent), deals)
            for opponent in suite.PANEL
            if opponent != agent.name
        }
        for name, (_, agent) in ranking.agents.items()
    }
    programs = {}
    for name, (_, agent) in ranking.agents.items():
        used = usage(ranking.plan, [_records(name, opponent) for opponent in matches[name]], deals)
        if agent.name in used:
            programs[name] = used[agent.name]
    others = {name: pair for name, pair in ranking.agents.items() if name not in programs}
    times = milliseconds(others, ranking.folder / "milliseconds.json")
    answers = {name: 1000 * used["seconds"] for name, used in programs.items()}
    return Played(matches, times | answers, programs)


def _deals(args: Args) -> dict[str, int]:
    """Return the deals against every agent of the panel."""
    if args.quick and (args.deals or args.search_deals):
        raise ValueError("quick=True is not allowed with deals or search_deals; allowed: one of them")
    usual = QUICK["deals"] if args.quick else suite.DEALS if args.deals is None else args.deals
    slow = QUICK["search_deals"] if args.quick else args.search_deals or usual
    for name, value in (("deals", usual), ("search_deals", slow)):
        if not 1 <= value <= MOST:
            raise ValueError(f"{name}={value} is not allowed; allowed: 1..{MOST}")
    if slow > usual:
        raise ValueError(f"search_deals={slow} is not allowed; allowed: 1..{usual}, the deals of the other agents")
    return {opponent: slow if opponent == suite.SLOW else usual for opponent in suite.PANEL}


def _training(args: Args) -> dict[str, Any]:
    """Return the decisions and the CPU minutes of the training, and all else that its file holds."""
    declared: dict[str, Any] = {"decisions": args.decisions, "cpu_minutes": args.cpu_minutes}
    for name, value in declared.items():
        if value is not None and value < 0:
            raise ValueError(f"{name}={value} is not allowed; allowed: 0 or more")
    if args.training is None:
        return declared
    if args.decisions is not None or args.cpu_minutes is not None:
        raise ValueError(f"training={str(args.training)!r} is not allowed with decisions or cpu_minutes")
    content: dict[str, Any] = submission.read(args.training)
    submission.check_training(str(args.training), content)
    return content


def _records(game: str, opponent: str) -> str:
    return slug(f"{game}_{opponent}")
