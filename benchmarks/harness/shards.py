"""Play a shard: some deals of a match, with a result that does not depend on the process that plays them."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import tantra_envs
from agents import load, origin
from tantra_envs.adapters.programs import COUNTS, TextAgent, program_of
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.matches.match import duplicate_deals
from tantra_envs.matches.playing import play_tables

from . import records
from .oracle import ORACLE, OpenObservation, Oracle

if TYPE_CHECKING:
    import polars

OptionValues = tuple[tuple[str, Any], ...]
Usage = dict[str, dict[str, float]]  # by the name of an agent that is a program: its COUNTS


@dataclass(frozen=True)
class MatchSpec:
    """A line-up over duplicate deals as text and numbers. Every worker builds the game and the agents from it."""

    game: str  # game, or game:variant
    options: OptionValues  # further options of the game
    agents: tuple[str, ...]  # the number of an agent here selects its random stream
    lineup: tuple[int, ...]  # number of the agent of every team, or of every seat in place of teams
    seed: int
    rotations: int | None = None  # games of a deal; None = one for each entry of the line-up
    shuffled: bool = False  # whether every deal shuffles the line-up
    ceiling: bool = False  # whether the open-card search may play, as in ladders


@dataclass(frozen=True)
class Shard:
    """The deals `first` to `first + deals - 1` of a match."""

    match: MatchSpec
    first: int
    deals: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.deals * (self.match.rotations or len(self.match.lineup))


def play(shard: Shard) -> polars.DataFrame:
    """Play a shard and return its games as `records.games` does.

    Networks use one thread, because more threads would round differently.
    """
    match = shard.match
    game, agents = build(match)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    seating, seeds = duplicate_deals(
        game, match.lineup, shard.first, shard.deals, match.seed, rotations=match.rotations, shuffled=match.shuffled
    )
    shown = OpenObservation if match.ceiling and ORACLE in match.agents else Observation
    outcome = play_tables(game, agents, seating, seeds, (match.seed, shard.first), record=True, observation=shown)
    return records.games([agent.name for agent in agents], seating, seeds, outcome)


def play_counted(shard: Shard) -> tuple[polars.DataFrame, Usage]:
    """Play a shard, and return its games and what the agents that are programs were asked for them."""
    agents = {agent.name: program for agent in build(shard.match)[1] if (program := program_of(agent))}
    before = [_counts(program) for program in agents.values()]
    games = play(shard)
    after = [_counts(program) for program in agents.values()]
    usage = [{name: new[name] - old[name] for name in COUNTS} for old, new in zip(before, after, strict=True)]
    return games, dict(zip(agents, usage, strict=True))


def seconds_of_deal(shard: Shard) -> float:
    """Play a shard, and return the seconds of each of its deals without compilation."""
    play(replace(shard, deals=1))  # compiles
    began = time.perf_counter()
    play(shard)
    return (time.perf_counter() - began) / shard.deals


def _counts(agent: TextAgent) -> dict[str, float]:
    return {name: getattr(agent, name) for name in COUNTS}


def build(match: MatchSpec) -> tuple[Game, list[Agent]]:
    """Build the game and the agents; raise ValueError for names that are unknown or do not fit."""
    return _game(match.game, match.options), [
        _agent(word, match.game, match.options, match.ceiling) for word in match.agents
    ]


def label(match: MatchSpec) -> records.Label:
    """Return all facts except the deals that the games of a match depend on."""
    game, agents = build(match)
    facts = {
        "agents": [agent.name for agent in agents],
        "origins": origins(agents),
        "lineup": match.lineup,
        "seed": match.seed,
        "shuffled": match.shuffled,
        "rotations": match.rotations or len(match.lineup),
    }
    return records.label(game, facts)


def origins(agents: Sequence[Agent]) -> dict[str, dict[str, Any]]:
    """Return the origins of the agents that have one. An agent that was trained further has another origin."""
    by_name = {agent.name: origin(agent) for agent in agents}
    return {name: facts for name, facts in by_name.items() if facts}


@functools.lru_cache(maxsize=256)
def _game(name: str, options: OptionValues) -> Game:
    return tantra_envs.game(name, **dict(options))


@functools.lru_cache(maxsize=256)
def _agent(word: str, game: str, options: OptionValues, ceiling: bool) -> Agent:
    table = _game(game, options)
    if ceiling and word == ORACLE:
        return Oracle(table, ceiling=True)
    return load(word, table)
