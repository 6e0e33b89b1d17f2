"""Check the options of a ladder, play it, and read its scores from the records.

A ladder consists of pairings: one agent, or one team of it, plays alone among copies of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from agents import Agent, AgentSpec
from tantra_envs.core.game import Game
from tantra_envs.programs import cli
from tantra_envs.programs.workers import Run

from ..harness import plans
from ..harness.agent_times import milliseconds
from ..harness.command import MOST, check_agents, check_numbers, deals_by_agent, without_limits
from ..harness.figures import SCORE, average, figures
from ..harness.lineups import one_vs_rest
from ..harness.oracle import ORACLE
from ..harness.plans import (
    MatchSpec,
    Outcomes,
    Plan,
    Usage,
    build_with_opponents,
    check_same,
    new_plan,
    settings,
    slug,
    table,
    until,
    usage,
)
from ..harness.records import means_of_deals
from .command import Args

BASE = "scripted"  # search improves on this agent, so every rung is measured against it
BASES = ("scripted", "learned", "ppo")  # agents that can play the playouts of an exploiter
ASIDE = (ORACLE, "ismcts")  # agents without a budget in samples: no rung is measured against them as the rung below
FORM = "AGENT OTHER, AGENT OTHER GAME or AGENT OTHER GAME PLAYERS"  # of a comparison


@dataclass(frozen=True)
class Pairing:
    """An agent, or one team of it, alone among copies of another, over some deals."""

    match: MatchSpec
    deals: int
    game: Game
    agent: Agent
    other: Agent

    @property
    def records(self) -> str:
        """The prefix of the names of its record files."""
        return slug(f"{self.match.game}-{self.game.players}p_{self.match.agents[0]}_{self.match.agents[1]}")


@dataclass(frozen=True)
class Rung:
    """An agent and its opponents."""

    agent: Agent
    scripted: Pairing | None  # None for the scripted agent itself
    below: Pairing | None  # None for the lowest rung and for agents of ASIDE
    exploited: Pairing | None  # the exploiter against this agent; None without an exploiter and for other agents

    @property
    def pairings(self) -> list[Pairing]:
        """All pairings of this agent."""
        return [pair for pair in (self.scripted, self.below, self.exploited) if pair]


@dataclass(frozen=True)
class Ladder:
    """The pairings to play, and where the results go."""

    args: Args
    game: Game
    rungs: list[Rung]
    comparisons: list[Pairing]
    plan: Plan
    settings: dict[str, Any]
    folder: Path


@dataclass(frozen=True)
class Climb:
    """The outcomes of all matches, the milliseconds per decision by agent and table, and the usage of programs."""

    games: pl.DataFrame
    milliseconds: Mapping[str, float]
    programs: Usage

    @cached_property
    def lone(self) -> pl.DataFrame:
        """The scores of the agents that play alone, by match and deal."""
        return means_of_deals(self.games.filter("alone"), "match")

    @cached_property
    def scores(self) -> pl.DataFrame:
        """The score of the agent that plays alone in every match."""
        return figures(self.lone, [average(SCORE, pl.col("score"))], ["match"])


def prepare(args: Args) -> Ladder:
    """Check the options and return the ladder; raise ValueError or OSError with a message for the user."""
    check_numbers(args)
    if args.below is not None:
        cli.check_ranges(args, below=(1, MOST))
    base = table(args, [BASE])
    game, _ = build_with_opponents(base)
    rungs = _rungs(args, base)
    compared = list(once(comparison(words, base, args.deals) for words in args.compare).values())
    pairings = once([*compared, *(entry for rung in rungs for entry in rung.pairings)])
    matches = {name: entry.match for name, entry in pairings.items()}
    deals = {name: entry.deals for name, entry in pairings.items()}
    folder, planned = new_plan(args, ["ladder", args.game, f"{game.players}p", args.seed], matches, deals)
    seated = [*(entry.agent for entry in rungs), *(entry.agent for entry in compared)]
    return Ladder(args, game, rungs, compared, planned, settings(args, game, seated), folder)


def play(ladder: Ladder, run: Run) -> Climb:
    """Play the missing deals, and time the agents that are not timed yet."""
    read, own = Outcomes(ladder.plan), ladder.plan

    def half_width(deals: int) -> float:
        going = [name for name in own.matches if own.deals_of(name) > deals]
        scores = Climb(read.of(going, deals), {}, {}).scores if going else None
        return 0.0 if scores is None else float((scores["high"] - scores["low"]).max()) / 2  # type: ignore[arg-type]

    deals = plans.play_plan(own, run, until(ladder.args.precision, half_width))
    seated = [(ladder.game, ladder.args.game, rung.agent) for rung in ladder.rungs]
    seated += [(entry.game, entry.match.game, entry.agent) for entry in ladder.comparisons]
    players = {seat_of(game, table, agent): (game, agent) for game, table, agent in seated}
    timed = milliseconds(players, ladder.folder / "milliseconds.json")
    return Climb(read.of(own.matches, deals), timed, usage(ladder.plan, ladder.plan.matches, deals))


def comparison(words: str, base: MatchSpec, deals: int) -> Pairing:
    """Return the pairing that `words` describe, at the table of `base` or at another.

    Raises:
        ValueError: The words are not of the form FORM, or the other agent has a number of deals.
    """
    agent, other, game, players, *more = [*words.split(), "", "", "", ""]
    if not other or any(more) or (players and not players.isdigit()):
        raise ValueError(f"compare={words!r} is not allowed; allowed: {FORM}")
    table = replace(base, game=game, options=()) if game else base
    table = replace(table, options=(("players", int(players)),)) if players else table
    ((agent, limit),) = deals_by_agent([agent], deals, "compare").items()
    (other,) = without_limits([other], "compare")
    return pairing(table, agent, other, limit)


def pairing(base: MatchSpec, agent: str, other: str, deals: int) -> Pairing:
    """Return the pairing of two agents at the table of `base`.

    Raises:
        ValueError: An agent is unknown or does not fit the table.
    """
    seated = replace(base, agents=(agent, other), ceiling=True)
    game, (one, rest) = build_with_opponents(seated)
    return Pairing(replace(seated, lineup=one_vs_rest(0, 1, len(game.teams))), deals, game, one, rest)


def once(pairings: Iterable[Pairing]) -> dict[str, Pairing]:
    """Return pairings by the prefix of their records. If a pairing occurs twice, the one with more deals remains.

    Raises:
        ValueError: Two different pairings have the same prefix.
    """
    by_records: dict[str, Pairing] = {}
    for entry in pairings:
        known = by_records.setdefault(entry.records, entry)
        check_same(entry.records, known.match, entry.match)
        if known.deals < entry.deals:
            by_records[entry.records] = entry
    return by_records


def seat_of(game: Game, table: str, agent: Agent) -> str:
    """Return an agent at a table as text, the key of its time."""
    return f"{agent.name} in {table} for {game.players}"


def climbs(player: str) -> bool:
    """Return whether an agent is a rung that the next rung is measured against."""
    return player.partition(":")[0] not in ASIDE


def _rungs(args: Args, base: MatchSpec) -> list[Rung]:
    """Return the rungs in their order, each with its pairings."""
    limits = deals_by_agent(args.rungs or _usual(base), args.deals, "rungs")
    climbed = [word for word in limits if climbs(word)]
    rungs = []
    for word, deals in limits.items():
        lower = climbed[: climbed.index(word)] if climbs(word) else []
        fewer = min(deals, args.below or deals)
        scripted = None if word == BASE else pairing(base, word, BASE, deals)
        below = pairing(base, word, lower[-1], fewer) if lower else None
        exploited = _exploited(args, base, word)
        (agent,) = plans.build(replace(base, agents=(word,), ceiling=True))[1]
        rungs.append(Rung(agent, scripted, below, exploited))
    check_agents(args.rungs, [rung.agent.name for rung in rungs], option="rungs")
    if args.exploiter and not any(rung.exploited for rung in rungs):
        raise ValueError(
            f"exploiter={args.exploiter!r} is not allowed with these rungs; allowed: with one of {', '.join(BASES)}"
        )
    return rungs


def _exploited(args: Args, base: MatchSpec, word: str) -> Pairing | None:
    """Return the pairing of the exploiter, with an agent as the model of all seats, and this agent."""
    if args.exploiter is None:
        return None
    ((exploiter, deals),) = deals_by_agent([args.exploiter], args.deals, "exploiter").items()
    if AgentSpec.parse(exploiter).name != "search":
        raise ValueError(f"exploiter={exploiter!r} is not allowed; allowed: search, with or without options")
    if AgentSpec.parse(word).name not in BASES:
        return None
    exploiter = exploiter if word == BASE else AgentSpec.parse(exploiter).having(base=word).text
    return pairing(base, exploiter, word, deals)


def _usual(base: MatchSpec) -> Sequence[str]:
    """Return the default rungs. The trained agent is one of them only if its weights fit the table."""
    learned = f"learned:{base.game.partition(':')[0]}"
    try:
        plans.build(replace(base, agents=(learned,)))
        fitting = [learned]
    except ValueError:
        fitting = []
    return ["uniform", "greedy", BASE, *fitting, "search:4", "search:16", "search:64", "search:256", ORACLE]
