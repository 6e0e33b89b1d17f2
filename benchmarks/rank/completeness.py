"""List what the protocol demands of a row and its results lack."""

from __future__ import annotations

from collections.abc import Sequence

from agents import AgentSpec

from ..harness.formatting import Row
from . import suite

UNTRAINED = ("uniform", "greedy", "scripted", *suite.SEARCHES)  # agents by name that do not learn
DECLARATION = "a declared training (--decisions 0 if the agent did not learn)"


def missing(rows: Sequence[Row]) -> list[str]:
    """Return the names of what the results of one label lack; an empty list for a complete row.

    Args:
        rows: The results of all its files: of several games, of several training seeds, or of both.
    """
    played = {table: [row for row in rows if table in row["tables"]] for table in suite.TABLES}
    lacking = {
        "tables": [table for table, own in played.items() if not own],
        "deals": [table for table, own in played.items() if any(has_fewer_deals(row, table) for row in own)],
        "exploitability": [table for table, own in played.items() if own and _is_unexploited(own, table)],
        f"{suite.SEEDS_OF_TRAINING} training seeds": [
            table for table, own in played.items() if _has_few_seeds(own, table)
        ],
    }
    words = [f"{what} ({_listed(tables)})" for what, tables in lacking.items() if tables]
    return words + [DECLARATION] * (not all(map(is_declared, rows)))


def _listed(tables: Sequence[str]) -> str:
    return "all tables" if len(tables) == len(suite.TABLES) else ", ".join(tables)


def is_declared(row: Row) -> bool:
    """Return whether the training of an agent is known: it is declared, or the agent belongs to the suite."""
    name, training = row["agent"].partition(":")[0], row["training"]
    declared = training["decisions"] == 0 or None not in (training["decisions"], training["cpu_minutes"])
    return declared or row["agent"] in suite.PANEL or (name in UNTRAINED and _has_known_base(row["agent"]))


def _has_known_base(agent: str) -> bool:
    """Return whether a search has scripted playouts or those of a panel agent, and not of a network of one's own."""
    return AgentSpec.parse(agent).options.get("base", "scripted") in suite.PANEL


def is_trained(row: Row) -> bool:
    """Return whether a result depends on a seed of training. An agent of the panels is one fixed agent."""
    return row["agent"] not in suite.PANEL and bool(row["training"]["decisions"])


def has_fewer_deals(row: Row, table: str) -> bool:
    """Return whether the agent played fewer deals at a table than the protocol demands."""
    result = row["tables"][table]
    most = suite.demanded(row["agent"], trained=is_trained(row))
    opponents = {name: result["pairs"].get(name) for name in suite.PANEL}
    partners = (
        {name: result.get("partners", {}).get(name) for name in suite.PARTNERS} if suite.has_partners(table) else {}
    )
    return any(
        name != row["agent"] and (score is None or score["n"] < suite.deals(table, row["agent"], name, most))
        for scores in (opponents, partners)
        for name, score in scores.items()
    )


def _is_unexploited(rows: Sequence[Row], table: str) -> bool:
    """Return whether an exploiter is demanded and no training seed has one.

    Training refuses to meet held-out agents, and against a search it would take hours.
    """
    return all(
        row["tables"][table]["exploited"] is None
        and row["agent"] not in suite.HELD_OUT
        and not suite.is_search(row["agent"])
        for row in rows
    )


def _has_few_seeds(rows: Sequence[Row], table: str) -> bool:
    """Return whether a trained agent has too few seeds; seeds whose games are all equal are one agent."""
    seeds = {row["training"]["seed"] for row in rows if "seed" in row["training"]}
    games = {repr(row["tables"][table]["pairs"]) for row in rows}
    return any(map(is_trained, rows)) and min(len(seeds), len(games)) < suite.SEEDS_OF_TRAINING
