"""A shard of a match: some of its deals, playable anywhere, the same wherever they are played."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tantra_envs
from agents import load, origin
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.matches.match import duplicate_deals
from tantra_envs.matches.playing import play_tables

from . import records
from .oracle import ORACLE, OpenObservation, Oracle

if TYPE_CHECKING:
    import polars

Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class MatchSpec:
    """A line-up over duplicate deals, in words: every worker makes the game and the agents for itself."""

    game: str  # a game, or game:variant
    options: Options  # what the game is built with besides
    agents: tuple[str, ...]  # each has a random stream of its own, by its number here
    lineup: tuple[int, ...]  # an agent, by its number, for every team
    seed: int
    rotations: int | None = None  # games of a deal; None = as many as there are teams
    shuffled: bool = False  # another order of the line-up at every deal
    ceiling: bool = False  # may the oracle play, which sees all cards? Only where a ladder asks for it


@dataclass(frozen=True)
class Shard:
    """The deals `first` .. `first + deals - 1` of a match."""

    match: MatchSpec
    first: int
    deals: int

    @property
    def games(self) -> int:
        """How many it has."""
        return self.deals * (self.match.rotations or len(self.match.lineup))


def play(shard: Shard) -> polars.DataFrame:
    """The games of a shard as `records.games` makes them. One thread for each network: more would round differently."""
    match = shard.match
    game, agents = build(match)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    seating, seeds = duplicate_deals(
        *(game, match.lineup, shard.first, shard.deals, match.seed),
        rotations=match.rotations,
        shuffled=match.shuffled,
    )
    shown = OpenObservation if match.ceiling and ORACLE in match.agents else Observation
    outcome = play_tables(game, agents, seating, seeds, (match.seed, shard.first), record=True, observation=shown)
    return records.games([agent.name for agent in agents], seating, seeds, outcome)


def build(match: MatchSpec) -> tuple[Game, list[Agent]]:
    """Make the game and the agents; ValueError for unknown names, or if they do not fit."""
    return _game(match.game, match.options), [
        _agent(word, match.game, match.options, match.ceiling) for word in match.agents
    ]


def label(match: MatchSpec) -> records.Label:
    """What the games of a match depend on, but for the deals."""
    game, agents = build(match)
    facts = {
        **{"agents": [agent.name for agent in agents], "origins": origins(agents), "lineup": match.lineup},
        **{"seed": match.seed, "shuffled": match.shuffled, "rotations": match.rotations or len(game.teams)},
    }
    return records.label(game, facts)


def origins(agents: Sequence[Agent]) -> dict[str, dict[str, Any]]:
    """Where agents come from that say so: trained on, it is another player of the same name."""
    by_name = {agent.name: origin(agent) for agent in agents}
    return {name: facts for name, facts in by_name.items() if facts}


@functools.lru_cache(maxsize=64)
def _game(name: str, options: Options) -> Game:
    return tantra_envs.game(name, **dict(options))


@functools.lru_cache(maxsize=64)
def _agent(word: str, game: str, options: Options, ceiling: bool) -> Agent:
    table = _game(game, options)
    if ceiling and word == ORACLE:
        return Oracle(table, ceiling=True)
    return load(word, table)
