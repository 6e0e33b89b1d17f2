"""A piece of a tournament: some deals of one line-up, playable anywhere, the same wherever it is played."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tantra_envs
from agents import parse
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.matches.match import Match, play_match
from tantra_envs.matches.playing import Outcome

from . import records
from .lineups import Lineup, entrants

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Contest:
    """What all pieces of a tournament share, in words: every worker makes the game and the agents for itself."""

    game: str  # a game, or game:variant
    players: int | None
    agents: str
    seed: int
    block: int  # deals in a piece; part of the method: another number draws other random numbers
    shuffled: bool  # another order of the line-up at every deal
    recorded: bool


@dataclass(frozen=True)
class Piece:
    """The deals `first` .. `first + deals - 1` of a line-up."""

    lineup: Lineup
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{'-'.join(map(str, self.lineup))}_{self.first:07d}_{self.deals}"


@dataclass(frozen=True)
class Played:
    """What became of a piece."""

    match: Match  # a column for each of `entrants(piece.lineup)`
    games: polars.DataFrame | None  # as `records.games` makes it, if it was to be recorded


def play(job: tuple[Contest, Piece]) -> Played:
    """Play a piece. One thread for each network: more would round differently, and fight for the cores."""
    contest, piece = job
    game, agents = made(contest)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    playing = [agents[i] for i in entrants(piece.lineup)]
    columns = [entrants(piece.lineup).index(i) for i in piece.lineup]
    kept: list[polars.DataFrame] = []

    def keep(seating: Any, seeds: Any, outcome: Outcome) -> None:
        kept.append(records.games([agent.name for agent in playing], seating, seeds, outcome))

    match = play_match(
        *(game, playing, columns, piece.deals),
        seed=contest.seed,
        first=piece.first,
        block=contest.block,
        shuffled=contest.shuffled,
        keep=keep if contest.recorded else None,
    )
    return Played(match, kept[0] if kept else None)


@functools.lru_cache(maxsize=1)
def made(contest: Contest) -> tuple[Game, Sequence[Agent]]:
    """The game and the agents; ValueError for what there is not, or does not fit."""
    seats = {} if contest.players is None else {"players": contest.players}
    game = tantra_envs.game(contest.game, **seats)
    return game, parse(contest.agents, game)
