"""The protocol of the benchmark: its version, tables, panels and deals. A change of any of them is a new version."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache

import numpy as np

from agents import held_out, panel
from tantra_envs import games
from tantra_envs.configuration import game as configured
from tantra_envs.core.game import Game
from tantra_envs.matches.intervals import DRAWS
from tantra_envs.matches.seeds import SEEDS, deal_seeds

from ..harness.figures import Bootstrap
from ..harness.lineups import one_vs_rest
from ..harness.plans import MatchSpec, build, origins

VERSION = "v3"
EVEN = 0.5  # score of an agent against itself, which is not played
TABLES = games.TABLES  # variant and number of seats of every table
GAMES = tuple(games.BENCHMARKS)
LEARNED = f"{panel.KIND}:{panel.LEARNED}"  # a frozen copy, so that `learned` can become better
SCRIPTED = "scripted"
PUBLIC = ("uniform", "greedy", SCRIPTED, "search:16", LEARNED)
HELD_OUT = tuple(f"{held_out.KIND}:{name}" for name in held_out.AGENTS)
PANEL = (*PUBLIC, *HELD_OUT)
PANELS = {"public": PUBLIC, "held_out": HELD_OUT}
# Their games take most of the time.
SEARCHES = ("search", "ismcts", f"{held_out.KIND}:{held_out.SEARCH}")
PARTNERS = tuple(f"{held_out.KIND}:{name}" for name in held_out.NETWORKS)
DEALS, SEARCH_DEALS = 500, 50  # duplicate deals at tables of two teams
LARGER, SEARCH_LARGER = 250, 15  # at larger tables, where a deal has three or four times as many games
NOTHING, OBSERVATION, FEATURES, STATE = INPUTS = ("nothing", "observation", "features", "state")
SEEDS_OF_TRAINING = 3  # runs of an agent that is trained
FEWER_DEALS = -(-DEALS // 3)  # of each training seed, and of searches, whose games take long
SHARD = 100  # deals saved together; part of the protocol, because agents draw their random numbers by shard
# The last seed, for the benchmark only. Runs of training refuse it, and environments deal from seed 0.
SEED = SEEDS - 1


def game_of(table: str) -> str:
    """Return the name of the game of a table."""
    return table.partition("-")[0]


@cache
def rules(table: str) -> Game:
    """Return the game that is played at a table."""
    variant, players = TABLES[table]
    return configured(variant, players=players)


def has_partners(table: str) -> bool:
    """Return whether the agents of a table also play with held-out partners."""
    return bool(rules(table).partners)


def deals(table: str, agent: str, opponent: str, most: int = DEALS) -> int:
    """Return the deals of a pair. With `most` other than DEALS, all numbers change in proportion, rounded up."""
    fast, slow = (DEALS, SEARCH_DEALS) if len(rules(table).teams) == 2 else (LARGER, SEARCH_LARGER)
    return -(-(slow if is_search(agent) or is_search(opponent) else fast) * most // DEALS)


def demanded(agent: str, *, trained: bool) -> int:
    """Return the deals at tables of two that the protocol demands of an agent, or of each of its training seeds."""
    fewer = trained or is_search(agent)
    return FEWER_DEALS if fewer and agent not in PANEL else DEALS


def is_search(name: str) -> bool:
    """Return whether an agent searches at every decision, so that its games take long."""
    return name in SEARCHES or name.partition(":")[0] in SEARCHES


def match(table: str, agents: tuple[str, ...]) -> MatchSpec:
    """Return a table and its agents as a match without a line-up."""
    variant, players = TABLES[table]
    return MatchSpec(variant, (("players", players),), agents, (), SEED)


def ordered(agent: str, opponent: str) -> tuple[str, str]:
    """Return two agents in the order that decides their random streams: the same for both of them."""
    first, second = sorted((agent, opponent), key=lambda name: PANEL.index(name) if name in PANEL else len(PANEL))
    return first, second


def lineups(table: str) -> list[tuple[int, ...]]:
    """Return the line-ups of a pair. At tables of more than two teams both are once alone among copies of the other."""
    teams = len(rules(table).teams)
    return [one_vs_rest(alone, 1 - alone, teams) for alone in range(1 if teams == 2 else 2)]


def pair(table: str, agent: str, opponent: str) -> list[MatchSpec]:
    """Return the matches of a pair, one for each of its `lineups`. They are the same for the opponent's pair."""
    whole = match(table, ordered(agent, opponent))
    return [replace(whole, lineup=lineup) for lineup in lineups(table)]


def partnership(table: str, agent: str, partner: str) -> MatchSpec:
    """Return the match of an agent in one seat, with a partner whose copies also play all other seats."""
    whole = match(table, ordered(agent, partner))
    place = whole.agents.index(agent)
    return replace(whole, lineup=one_vs_rest(place, 1 - place, rules(table).players))


def units(table: str) -> int:
    """Return the largest number of half points that a line-up of a deal gives: ties are worth one, wins two."""
    teams = len(rules(table).teams)
    return 2 * teams * (teams - 1)


def partner_units(table: str) -> int:
    """Return the largest number of half points that an agent has with a partner: one win from every seat of a deal."""
    return 2 * rules(table).players


def bootstrap(table: str, draws: int = DRAWS) -> Bootstrap:
    """Return how the deals of a table are resampled: those of different tables are independent."""
    return Bootstrap(list(TABLES).index(table), draws, together=True)


def digest() -> str:
    """Return a digest of everything that the scores of the suite depend on: rules, panels with their weights, deals."""
    facts = []
    for table, (variant, players) in TABLES.items():
        game, panel_agents = build(match(table, PANEL))
        rules_of = [game.name, game.options.changed(game.config), deals_digest(game, DEALS)]
        facts.append([table, variant, players, *rules_of, PANEL, origins(panel_agents)])
    return hashlib.sha256(json.dumps([VERSION, SEED, facts], sort_keys=True).encode()).hexdigest()[:16]


def deals_digest(game: Game, n: int) -> str:
    """Return a digest of what all seats see at the start of the first `n` deals of the benchmark."""
    states = game.blanks(n)
    game.drivers.deal_rows(states, np.arange(n), deal_seeds(SEED, 0, n))
    digest = hashlib.sha256()
    for seat in range(game.players):
        digest.update(game.observations(game.conceal(states, seat)).tobytes())
    return digest.hexdigest()[:16]
