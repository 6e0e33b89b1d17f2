"""The command `python -m benchmarks submit`: validate every field of results, their arithmetic and their games.

`missing` lists what the protocol demands of a row and its results lack.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents import AgentSpec

from ..harness import plans
from ..harness.pages import Row
from . import exploiters, ranking, suite

MOST = 10**12  # decisions, minutes and milliseconds
NEAR = 1e-9  # allowed difference of two numbers that are computed from the same points
UNTRAINED = ("uniform", "greedy", "scripted", *suite.SEARCHES)  # agents by name that do not learn
SHIPPED = "learned"  # pages of this project describe its training
OWNED = (*suite.PANEL, SHIPPED)  # names that no other agent may have
DECLARATION = "a declared training (--decisions 0 if the agent did not learn)"


class Values(NamedTuple):
    """The allowed values of a field, in words and as a test of a value that may have any type."""

    words: str
    allows: Callable[[Any], bool]


def _text(pattern: str, words: str) -> Values:
    return Values(words, lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None)


def _between(least: float, most: float, *types: type) -> Values:
    words = f"{least:g}..{most:g}" + (", whole" if types == (int,) else "")
    return Values(words, lambda value: type(value) in types and least <= value <= most)


def _or_none(values: Values) -> Values:
    return Values(f"null, or {values.words}", lambda value: value is None or values.allows(value))


def _only(value: Any) -> Values:
    return Values(repr(value), lambda other: type(other) is type(value) and other == value)


LINE = _text(r"[^|\r\n]+", "a text without line breaks and |")
AGENTS = Values(
    "a list of texts without line breaks and |", lambda value: isinstance(value, list) and all(map(LINE.allows, value))
)
SHARE, WHOLE, AMOUNT = _between(0, 1, int, float), _between(0, MOST, int), _between(0, MOST, int, float)
OBJECT = Values("an object", lambda value: isinstance(value, dict))
SCORE = {"mean": SHARE, "low": SHARE, "high": SHARE, "n": _between(1, suite.DEALS, int)}
TRAINING = {"decisions": _or_none(WHOLE), "cpu_minutes": _or_none(AMOUNT)}
# Further facts about a training that may be missing.
DECLARED = {
    **dict.fromkeys(("agent", "algorithm", "command", "game", "library", "version"), LINE),
    "seed": WHOLE,
    "inputs": Values(", ".join(suite.INPUTS), lambda value: isinstance(value, str) and value in suite.INPUTS),
    "met": AGENTS,
}
POINT = {"decisions": WHOLE, "cpu_minutes": AMOUNT, "agent": LINE}
RESULTS = {
    "command": LINE,
    "version": _text(r"\d+\.\d+\.\d+", "three numbers, as 0.2.0"),
    "seed": _only(suite.SEED),
    "date": _text(r"\d{4}-\d\d-\d\d", "a date, as 2025-01-31"),
    "suite": _only(suite.VERSION),
    "agent": LINE,
    "label": LINE,
    "training": OBJECT,
    "tables": Values(
        f"an object with one or more of {', '.join(suite.TABLES)}",
        lambda value: isinstance(value, dict) and 0 < len(value) == len(value.keys() & suite.TABLES.keys()),
    ),
    "scores": _or_none(OBJECT),
    "exact": OBJECT,
}


def validate(file: Path) -> str:
    """Return a sentence about a file of results; raise ValueError if it is not a result of this suite.

    The games are in other files, see `replaying`.
    """
    results = read(file)
    check_fields(str(file), results, RESULTS)
    check_label(f"{file}: label", results["label"], results["agent"])
    check_training(f"{file}: training", results["training"])
    minis = {game: _between(-MOST, MOST, int, float) for game in results["exact"]}
    _check_names(f"{file}: exact", minis, exploiters.MINIS)
    check_fields(f"{file}: exact", results["exact"], minis)
    tables = results["tables"]
    for name, row in tables.items():
        _check_table(f"{file}: {name}", name, results["agent"], row)
    _check_same(f"{file}: scores", results["scores"], ranking.suite_scores(tables))
    lacking = missing([results])
    state = f"incomplete, without {'; '.join(lacking)}" if lacking else "complete"
    return f"{file} is valid: {results['label']}, {', '.join(tables)}, suite {suite.VERSION}, {state}"


def check_label(where: str, label: str, agent: str) -> None:
    """Raise ValueError unless a row of an agent may have this label."""
    if not LINE.allows(label) or label != label.strip() or (label in OWNED and label != agent):
        raise ValueError(f"{where}={label!r} is not allowed; allowed: {LINE.words}, and not the name of another agent")


def read(file: Path) -> Any:
    """Return the content of a JSON file; raise ValueError if it cannot be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None


def check_training(where: str, training: Any) -> None:
    """Raise ValueError unless the facts about a training are declared and have the right form."""
    further = {name: values for name, values in DECLARED.items() if name in training} if OBJECT.allows(training) else {}
    check_fields(where, training, TRAINING | further)
    curve = training.get("curve", [])
    if not isinstance(curve, list):
        raise ValueError(f"{where}: curve={curve!r} is not allowed; allowed: a list")
    for i, point in enumerate(curve):
        check_fields(f"{where}: curve: {i}", point, {**POINT, "score": OBJECT})
        for opponent, score in point["score"].items():
            _check_score(f"{where}: curve: {i}: {opponent}", score)


def check_fields(where: str, content: Any, fields: Mapping[str, Values]) -> None:
    """Raise ValueError unless `content` is an object with these fields and allowed values."""
    if not isinstance(content, dict) or (absent := [name for name in fields if name not in content]):
        lacks = ", ".join(absent) if isinstance(content, dict) else f"{', '.join(fields)}, it is no object"
        raise ValueError(f"{where} lacks {lacks}; write it with python -m benchmarks rank")
    for name, values in fields.items():
        if not values.allows(content[name]):
            raise ValueError(f"{where}: {name}={content[name]!r:.200} is not allowed; allowed: {values.words}")


def _check_table(where: str, table: str, agent: str, row: Any) -> None:
    """Raise ValueError unless these are results of a table of this suite, and follow from their points."""
    game, panel = plans.build(suite.match(table, suite.PANEL))
    variant, players = suite.TABLES[table]
    fields = {
        "variant": _only(variant),
        "players": _only(players),
        "game": _only(game.name),
        "config": _only(json.loads(json.dumps(game.options.changed(game.config)))),
        "panel_origins": _only(json.loads(json.dumps(plans.origins(panel)))),
        "milliseconds": AMOUNT,
        **dict.fromkeys(("origin", "pairs", "deals_digests", "exploiters", *suite.PANELS), OBJECT),
        **({"partners": OBJECT} if suite.has_partners(table) else {}),
    }
    check_fields(where, row, fields)
    lineups = len(suite.lineups(table))
    found = _check_pairs(f"{where}: pairs", table, agent, row["pairs"], suite.PANEL, suite.units(table), lineups)
    if suite.has_partners(table):
        names, units = suite.PARTNERS, suite.partner_units(table)
        found |= _check_pairs(f"{where}: partners", table, agent, row["partners"], names, units, 1)
    digests = {str(n): _only(suite.deals_digest(game, n)) for n in found}
    check_fields(f"{where}: deals_digests", row["deals_digests"], digests)
    for name, score in ranking.panel_scores(table, row["pairs"]).items():
        _check_same(f"{where}: {name}", row[name], score)
    _check_exploiters(f"{where}: exploiters", table, row["exploiters"])


def _check_exploiters(where: str, table: str, row: Mapping[str, Any]) -> None:
    """Raise ValueError unless every exploiter has a score with the deals and the budget of the suite, or none."""
    further = {
        exploiters.TRAINED: {"decisions": _only(exploiters.DECISIONS[suite.game_of(table)]), "cpu_minutes": AMOUNT},
        exploiters.SEARCH: {"search": LINE, "playouts": Values("agent, scripted", ("agent", "scripted").__contains__)},
    }
    check_fields(where, row, dict.fromkeys(exploiters.EXPLOITERS, _or_none(OBJECT)))
    for name in exploiters.EXPLOITERS:
        if row[name] is not None:
            _check_score(f"{where}: {name}", row[name])
            check_fields(f"{where}: {name}", row[name], {"n": _only(exploiters.DEALS), **further[name]})


def _check_names(where: str, names: Iterable[str], allowed: Sequence[str]) -> None:
    """Raise ValueError for a name that is not allowed."""
    for name in names:
        if name not in allowed:
            raise ValueError(f"{where}: {name!r:.50} is not allowed; allowed: {', '.join(allowed)}")


def _check_pairs(
    where: str, table: str, agent: str, rows: Mapping[str, Any], names: Sequence[str], units: int, lineups: int
) -> set[int]:
    """Return the numbers of deals; raise ValueError unless every name has a result that follows from its points."""
    if set(rows) != set(names):
        raise ValueError(f"{where}={list(rows)} is not allowed; allowed: {list(names)}")
    played = {name: row for name, row in rows.items() if row is not None or name != agent}  # nobody plays itself
    for name, row in played.items():
        _check_score(f"{where}: {name}", row)
        check_fields(f"{where}: {name}", row, {"points": _points(units, lineups, row["n"])})
        if names is suite.PANEL:
            check_fields(f"{where}: {name}", row, {"truncated": SHARE})
    for name, score in ranking.estimates(ranking.scores(played, units), table).items():
        _check_same(f"{where}: {name}", {field: played[name][field] for field in SCORE}, score)
    return {row["n"] for row in played.values()}


def _points(units: int, lineups: int, deals: int) -> Values:
    digits = ranking.DIGITS[: units + 1]
    return Values(
        f"{lineups} texts of {deals} digits {digits[0]}..{digits[-1]}",
        lambda value: (
            isinstance(value, list)
            and len(value) == lineups
            and all(isinstance(text, str) and len(text) == deals and set(text) <= set(digits) for text in value)
        ),
    )


def _check_score(where: str, score: Any) -> None:
    """Raise ValueError unless a score lies in its interval."""
    check_fields(where, score, SCORE)
    if not score["low"] <= score["mean"] <= score["high"]:
        raise ValueError(f"{where}: {score!r:.200} is not allowed; allowed: low <= mean <= high")


def _check_same(where: str, content: Any, expected: Any) -> None:
    """Raise ValueError unless numbers are those that follow from the points."""
    if expected is None or content is None:
        if content is not expected:
            raise ValueError(f"{where}={content!r:.200} is not allowed; allowed: {expected!r:.200}")
        return
    for name, value in expected.items():
        if isinstance(value, dict):
            check_fields(where, content, {name: OBJECT})
            _check_same(f"{where}: {name}", content[name], value)
        else:
            check_fields(where, content, {name: AMOUNT})
            if not math.isclose(content[name], value, abs_tol=NEAR):
                words = f"allowed: {value}, which follows from the points"
                raise ValueError(f"{where}: {name}={content[name]!r:.50} is not allowed; {words}")


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
    return declared or row["agent"] in OWNED or (name in UNTRAINED and _has_known_base(row["agent"]))


def _has_known_base(agent: str) -> bool:
    """Return whether a search has scripted playouts or those of a panel agent, and not of a network of one's own."""
    return AgentSpec.parse(agent).options.get("base", suite.SCRIPTED) in (suite.SCRIPTED, SHIPPED)


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
        row["tables"][table]["exploiters"][exploiters.TRAINED] is None
        and row["agent"] not in suite.HELD_OUT
        and not suite.is_search(row["agent"])
        for row in rows
    )


def _has_few_seeds(rows: Sequence[Row], table: str) -> bool:
    """Return whether a trained agent has too few seeds; seeds whose games are all equal are one agent."""
    seeds = {row["training"]["seed"] for row in rows if "seed" in row["training"]}
    games = {repr(row["tables"][table]["pairs"]) for row in rows}
    return any(map(is_trained, rows)) and min(len(seeds), len(games)) < suite.SEEDS_OF_TRAINING
