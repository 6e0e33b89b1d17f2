"""The command `python -m benchmarks rank`: an agent against the panels of the suite, at all tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from agents import Agent
from tantra_envs.adapters.programs import TextAgent
from tantra_envs.core.asking import AgentError, ask
from tantra_envs.core.observation import Observation
from tantra_envs.core.options import Within, require
from tantra_envs.matches.match import Seed
from tantra_envs.programs.cli import FolderOptions, Natural, WorkerOptions

from ..harness.command import ResultOptions, without_limits
from ..harness.plans import Row, build, folder_of
from ..harness.rows import Request, timed
from ..play import run
from ..rank import exploiters, suite
from ..views.rank import exact_figures

QUICK = 10  # deals at tables of two
LINE = r"[^|\r\n]+"  # what a cell of a table can hold


@dataclass(frozen=True)
class AgentOptions:
    """Option that comes first on the command line."""

    agent: str = "scripted"
    """Agent to rank."""


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, WorkerOptions, FolderOptions, AgentOptions):
    """Rank an agent: play the benchmark suite v3 against its two panels in all games.

    Example: python -m benchmarks rank my_agent.py:MyAgent --games karma-2 --quick

    Every deal is played once from every seat or team. Run the same command again to continue.
    """

    seed: ClassVar[int] = suite.SEED
    shard: ClassVar[int] = suite.SHARD
    games: tuple[str, ...] = ()
    """Games of the suite to play, or single tables: karma-2, karma-4, tarot-2, tarot-3. [default: all five games]"""
    quick: bool = False
    """Play few deals: 10 at tables of two, 1 against a search. The whole suite takes about a minute."""
    deals: Annotated[int, Within(1, suite.DEALS)] | None = None
    """Deals at tables of two. At larger tables and against searches the deals change in proportion.
    [default: 500; 167 of each training seed and of searches]"""
    exploit: bool = False
    """Also measure how exploitable the agent is at every table: train a network against it, and let a search play."""
    exact: Path | None = None
    """File of `python -m benchmarks exact --results` with the exploitability of the agent in the mini games."""
    label: str | None = None
    """Name of the row in tables. [default: the name of the agent]"""
    decisions: Natural | None = None
    """Decisions that the agent learned from, the mean over the tables; 0 for an agent that did not learn."""
    cpu_minutes: Annotated[float, Within(0)] | None = None
    """CPU minutes of its training, the mean over the tables."""
    training_seed: Seed | None = None
    """Seed of its training, which separates the rows of one algorithm."""
    training: str | None = None
    """Command of its training."""
    inputs: str | None = None
    """Inputs of the agent: observation, features (of actions), state (all that its seat knows) or nothing."""
    met: tuple[str, ...] | None = None
    """Agents that it met in training: their names, or self for itself and earlier versions of it, or nobody."""


def rows(args: Args) -> Request:
    """Return the meetings with both panels at every table, and the exploiters; raise ValueError for wrong options."""
    declared = _declared(args)
    seed = [] if args.training_seed is None else [f"seed {args.training_seed}"]
    folder = ["rank", args.agent, *args.games, *seed, *(["quick"] if args.quick else [])]
    if args.quick and args.deals is not None:
        raise ValueError("quick=True is not allowed with deals; allowed: one of them")
    usual = suite.demanded(args.agent, trained=bool(args.decisions))  # the deals of the protocol, at tables of two
    most, (word,) = QUICK if args.quick else args.deals or usual, without_limits([args.agent], "agent")
    every, times, names = list[Row](), list[Row](), set[str]()
    for table in suite.tables_of(args.games):
        agent = _playable(table, word)
        names.add(agent.name)
        for part, others in suite.others(table).items():
            for other in (name for name in others if name != agent.name):
                every += suite.meeting(table, part, word, other, suite.deals(table, agent.name, other, most))
        if args.exploit:
            exploiters.check(word, agent)
            every += exploiters.rows(folder_of(args, folder), word, table)
        if not isinstance(agent, TextAgent):
            times.append(timed(suite.match(table, (word,)), table))
    name = names.pop() if len(names) == 1 else word
    label = args.label or name
    fits = re.fullmatch(LINE, label) and label == label.strip() and label not in {*suite.OWNED} - {name}
    require("label", label, fits, "a text without line breaks and |, and not the name of another agent")
    exact = exact_figures(args.exact, name) if args.exact else {}
    about = {"agent": name, "label": label, "training": declared, "exact": exact}
    return Request(every, "rank", times, about, folder)


def _declared(args: Args) -> dict[str, Any]:
    """Return the facts about the training that the options declare."""
    facts: dict[str, Any] = {"decisions": args.decisions, "cpu_minutes": args.cpu_minutes}
    further = {"seed": args.training_seed, "inputs": args.inputs, "command": args.training}
    facts |= {name: value for name, value in further.items() if value is not None}
    if args.met is not None:
        facts["met"] = [] if args.met == (suite.NOBODY,) else list(dict.fromkeys(args.met))
    suite.check_training(facts)
    return facts


def _playable(table: str, word: str) -> Agent:
    """Return the agent for a table after one trial decision, except of programs, whose answers may cost money."""
    try:
        game, (agent,) = build(suite.match(table, (word,)))
        if agent.name != word and (agent.name in suite.OWNED or suite.is_search(agent.name)):
            raise ValueError(f"agent={word!r} has the name {agent.name!r} of another agent; allowed: a new name")
        if not isinstance(agent, TextAgent):
            ask(agent, Observation(game, game.new()), np.random.default_rng(0))
    except AgentError as wrong:  # for example for a network of another size
        reason, *_ = str(wrong).strip().splitlines() or ["no reason given"]
        allowed = "an agent that plays every game of --games"
        raise ValueError(f"agent={word!r} cannot play {table} ({reason}); allowed: {allowed}") from wrong
    return agent


def main(argv: Sequence[str]) -> int:
    """Rank the agent that the options describe."""
    return run(Args, "rank", argv, rows)
