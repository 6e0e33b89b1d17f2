"""The protocol of the benchmark: its version, variants, panel and deals. A change of any of them is a new version."""

from __future__ import annotations

import hashlib

import numpy as np

from tantra_envs.configuration import game as configured
from tantra_envs.core.game import Game
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.seeds import SEEDS, deal_seeds

from ..harness.shards import MatchSpec

VERSION = "v1.1"
EVEN = 0.5  # score of an agent against itself, which is not played
PANEL = ("uniform", "greedy", "scripted", "search:16")  # without trained agents, so that new weights change no result
SLOW = "search:16"  # nearly all of the time goes into games against it
DEALS = 1000  # duplicate deals against each agent of the panel
SHARD = 40  # deals saved together; part of the protocol, because agents draw their random numbers by shard
# The last seed, for the benchmark only. Runs of training refuse it, and environments deal from seed 0.
SEED = SEEDS - 1


def table(name: str, agents: tuple[str, ...] = ()) -> MatchSpec:
    """Return the benchmark variant of a game as a match without a line-up; raise ValueError for an unknown game."""
    if name not in BENCHMARKS:
        raise ValueError(f"games={name!r} is not allowed; allowed: {', '.join(BENCHMARKS)}")
    variant, players = BENCHMARKS[name]
    return MatchSpec(variant, (("players", players),), agents, (), SEED)


def rules(name: str) -> Game:
    """Return the benchmark variant of a game."""
    variant, players = BENCHMARKS[name]
    return configured(variant, players=players)


def deals_digest(game: Game, deals: int) -> str:
    """Return a digest of what all seats see at the start of the first `deals` deals of the benchmark."""
    states = game.blanks(deals)
    game.drivers.deal_rows(states, np.arange(deals), deal_seeds(SEED, 0, deals))
    digest = hashlib.sha256()
    for seat in range(game.players):
        digest.update(game.observations(game.conceal(states, seat)).tobytes())
    return digest.hexdigest()[:16]
