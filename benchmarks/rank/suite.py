"""The protocol of the benchmark: its version, tables, panels, matches and deals, and what a complete row has."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from agents import AgentSpec, held_out, panel
from tantra_envs import games
from tantra_envs.configuration import game as configured
from tantra_envs.core.game import Game
from tantra_envs.core.options import require
from tantra_envs.matches.match import SEEDS, deal_seeds
from tantra_envs.programs.files import Json

from ..harness.plans import MatchSpec, Row, build, one_vs_rest, origins, slug

VERSION = "v3"  # a change of anything here is a new one
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
SEARCH_AGENTS = ("search", "ismcts", f"{held_out.KIND}:{held_out.SEARCH}")
PARTNERS = tuple(f"{held_out.KIND}:{name}" for name in held_out.NETWORKS)
AGAINST, TOGETHER = "pairs", "partners"  # parts of the results of a table: against other agents, and with partners
ALONE, AMONG = "alone", "among"  # whether an agent is alone among copies of the other one, or the other one is alone
TRAINED_EXPLOITER, SEARCH_EXPLOITER = EXPLOITERS = ("trained", "search")
UNTRAINED = ("uniform", "greedy", SCRIPTED, *SEARCH_AGENTS)  # agents by name that do not learn
SHIPPED = "learned"  # pages of this project describe its training
OWNED = (*PANEL, SHIPPED)  # names that no other agent may have
DEALS, SEARCH_DEALS = 500, 50  # duplicate deals at tables of two teams
LARGER, SEARCH_LARGER = 250, 15  # at larger tables, where a deal has three or four times as many games
NOTHING, OBSERVATION, FEATURES, STATE = INPUTS = ("nothing", "observation", "features", "state")
WHOLE = ("decisions", "seed")  # declared facts that are whole numbers
NOBODY, ITSELF = "nobody", "self"  # in place of names of agents that an agent met in training
HELD_OUT_NAME = re.compile(r"held[^a-z0-9]*out", re.IGNORECASE)  # in the name of an agent, of a file, or in a command
DECLARATION = "a declared training (--decisions 0 if the agent did not learn)"
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


def others(table: str) -> dict[str, tuple[str, ...]]:
    """Return the names of the agents that an agent meets at a table, by the parts of its results."""
    return {AGAINST: PANEL, **({TOGETHER: PARTNERS} if rules(table).partners else {})}


def tables_of(words: Sequence[str]) -> list[str]:
    """Return the tables that names of games, variants or tables (karma-2) describe, in the order of the suite.

    Raises:
        ValueError: A name is unknown.
    """
    names = {
        table: {variant, game_of(table), f"{game_of(table)}-{players}"} for table, (variant, players) in TABLES.items()
    }
    allowed = sorted(set().union(*names.values()))
    for word in words:
        require("games", word, word in allowed, ", ".join(allowed))
    return [table for table, own in names.items() if not words or own & set(words)]


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
    return name in SEARCH_AGENTS or name.partition(":")[0] in SEARCH_AGENTS


def match(table: str, agents: tuple[str, ...]) -> MatchSpec:
    """Return a table and its agents as a match without a line-up."""
    variant, players = TABLES[table]
    return MatchSpec(variant, (("players", players),), agents, (), SEED)


def ordered(agent: str, opponent: str) -> tuple[str, str]:
    """Return two agents in the order that decides their random streams: the same for both of them."""
    first, second = sorted((agent, opponent), key=lambda name: PANEL.index(name) if name in PANEL else len(PANEL))
    return first, second


def meeting(table: str, part: str, agent: str, other: str, deals: int) -> list[Row]:
    """Return the rows in which an agent meets another one, tagged with table, part, and which of them is alone."""
    whole = match(table, ordered(agent, other))
    place = whole.agents.index(agent)
    if part == TOGETHER:
        seats = {"partner": one_vs_rest(place, 1 - place, rules(table).players)}
    else:
        seats = {str(number): lineup for number, lineup in enumerate(lineups(table))}
    rows = []
    for name, own in seats.items():
        tags = table, part, ALONE if own[0] == place else AMONG
        rows.append(Row(slug(f"{table} {other} {name}"), replace(whole, lineup=own), deals, tags))
    return rows


def lineups(table: str) -> list[tuple[int, ...]]:
    """Return the line-ups of a pair. At tables of more than two teams both are once alone among copies of the other."""
    teams = len(rules(table).teams)
    return [one_vs_rest(alone, 1 - alone, teams) for alone in range(1 if teams == 2 else 2)]


def units(table: str, part: str = AGAINST) -> int:
    """Return the largest number of half points of a line-up of a deal; with a partner, one win from every seat."""
    teams = len(rules(table).teams)
    return 2 * rules(table).players if part == TOGETHER else 2 * teams * (teams - 1)


def digest() -> str:
    """Return a digest of everything that the scores of the suite depend on: rules, panels with their weights, deals."""
    facts = []
    for table, (variant, players) in TABLES.items():
        game, panel_agents = build(match(table, PANEL))
        rules_of = [game.name, game.options.changed(game.config), _deals_digest(game)]
        facts.append([table, variant, players, *rules_of, PANEL, origins(panel_agents)])
    return hashlib.sha256(json.dumps([VERSION, SEED, facts], sort_keys=True).encode()).hexdigest()[:16]


def _deals_digest(game: Game) -> str:
    """Return a digest of what all seats see at the start of the deals of the benchmark."""
    states = game.blanks(DEALS)
    game.drivers.deal_rows(states, np.arange(DEALS), deal_seeds(SEED, 0, DEALS))
    digest = hashlib.sha256()
    for seat in range(game.players):
        digest.update(game.observations(game.conceal(states, seat)).tobytes())
    return digest.hexdigest()[:16]


def check_training(training: Mapping[str, Any]) -> None:
    """Raise ValueError for a training that met held-out agents, and for facts that are not allowed."""
    met = training.get("met", [])
    for name, words in (("met", met), ("command", [training.get("command", "")])):
        for word in filter(HELD_OUT_NAME.search, words):
            rule = "no training may meet held-out agents, and a result that breaks this rule measures nothing"
            raise ValueError(f"{name}={word!r:.200} is not allowed: {rule}")
    named = NOBODY not in met and all(word.strip() and "|" not in word for word in met)
    require("met", " ".join(met), named, f"{NOBODY} alone, or names of agents, or {ITSELF}")
    inputs = training.get("inputs", NOTHING)
    require("inputs", inputs, inputs in INPUTS, ", ".join(INPUTS))


def missing(rows: Sequence[Json]) -> list[str]:
    """Return the names of what the results of one label, of all its games and training seeds, lack."""
    played = {table: [row for row in rows if table in row["tables"]] for table in TABLES}
    lacking = {
        "tables": [table for table, own in played.items() if not own],
        "deals": [table for table, own in played.items() if any(has_fewer_deals(row, table) for row in own)],
        "exploitability": [table for table, own in played.items() if own and _is_unexploited(own, table)],
        f"{SEEDS_OF_TRAINING} training seeds": [table for table, own in played.items() if _has_few_seeds(own, table)],
    }
    names = {what: "all tables" if len(own) == len(TABLES) else ", ".join(own) for what, own in lacking.items()}
    words = [f"{what} ({tables})" for what, tables in names.items() if tables]
    return words + [DECLARATION] * (not all(map(is_declared, rows)))


def is_declared(row: Json) -> bool:
    """Return whether the training of an agent is known: it is declared, or the agent belongs to the suite."""
    name, training = row["agent"].partition(":")[0], row["training"]
    if training["decisions"] == 0 or None not in (training["decisions"], training["cpu_minutes"]):
        return True
    bases = (None, SCRIPTED, SHIPPED)  # playouts of a search may be those of a network of one's own
    return row["agent"] in OWNED or (name in UNTRAINED and AgentSpec.parse(row["agent"]).options.get("base") in bases)


def is_trained(row: Json) -> bool:
    """Return whether a result depends on a seed of training. An agent of the panels is one fixed agent."""
    return row["agent"] not in PANEL and bool(row["training"]["decisions"])


def has_fewer_deals(row: Json, table: str) -> bool:
    """Return whether the agent played fewer deals at a table than the protocol demands."""
    agent, most = row["agent"], demanded(row["agent"], trained=is_trained(row))
    return any(
        row["tables"][table].get(part, {}).get(name, {"n": 0})["n"] < deals(table, agent, name, most)
        for part, names in others(table).items()
        for name in names
        if name != agent
    )


def _is_unexploited(rows: Sequence[Json], table: str) -> bool:
    """Return whether no seed has an exploiter that is demanded: not of held-out agents, and not of slow searches."""
    trained = any(TRAINED_EXPLOITER in row["tables"][table]["exploiters"] for row in rows)
    return not trained and not any(row["agent"] in HELD_OUT or is_search(row["agent"]) for row in rows)


def _has_few_seeds(rows: Sequence[Json], table: str) -> bool:
    """Return whether a trained agent has too few seeds; seeds whose games are all equal are one agent."""
    seeds = {row["training"]["seed"] for row in rows if "seed" in row["training"]}
    games = {repr(row["tables"][table]["pairs"]) for row in rows}
    return any(map(is_trained, rows)) and min(len(seeds), len(games)) < SEEDS_OF_TRAINING
