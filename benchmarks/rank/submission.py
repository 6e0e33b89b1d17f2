"""Validate every field of results, and the arithmetic that leads from points to scores."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..harness import plans, schema
from ..harness.schema import AMOUNT, DATE, LINE, OBJECT, POSITIVE, SHARE, WHOLE, Values, between, only, or_none
from . import exploiters, ranking, suite

NEAR = 1e-9  # allowed difference of two numbers that are computed from the same points
SOURCE = "python -m benchmarks rank"
VERSIONS = ("0.3.0",)  # releases of this package that have suite v3
FASTEST = 10**9  # decisions of a training in a CPU minute
HELD_OUT = re.compile(r"held[^a-z0-9]*out", re.IGNORECASE)  # in the name of an agent, of a file, or in a command

AGENTS = schema.lists(LINE, "a list of texts without line breaks and |")
SCORE = {"mean": SHARE, "low": SHARE, "high": SHARE, "n": between(1, suite.DEALS, int)}
TRAINING = {"decisions": or_none(WHOLE), "cpu_minutes": or_none(AMOUNT)}
# Further facts about a training that may be missing.
DECLARED = {
    **dict.fromkeys(("agent", "algorithm", "command", "game", "library", "version"), LINE),
    "seed": WHOLE,
    "inputs": schema.one_of(*suite.INPUTS),
    "met": AGENTS,
}
POINT = {"decisions": WHOLE, "cpu_minutes": AMOUNT, "agent": LINE}
RESULTS = {
    "command": LINE,
    "version": schema.one_of(*VERSIONS),
    "seed": only(suite.SEED),
    "date": DATE,
    "suite": only(suite.VERSION),
    "agent": LINE,
    "label": LINE,
    "training": OBJECT,
    "tables": Values(
        f"an object with one or more of {', '.join(suite.TABLES)}",
        lambda value: isinstance(value, dict) and 0 < len(value) == len(value.keys() & suite.TABLES.keys()),
    ),
    "scores": or_none(OBJECT),
    "exact": OBJECT,
}


def validate(file: Path) -> str:
    """Return a sentence about a file of results; raise ValueError if it is not a result of this suite.

    The games are in other files, see `replaying`.
    """
    results = schema.read(file)
    check_fields(str(file), results, RESULTS)
    check_label(f"{file}: label", results["label"], results["agent"])
    check_training(f"{file}: training", results["training"])
    minis = dict.fromkeys(results["exact"], AMOUNT)
    _check_names(f"{file}: exact", minis, exploiters.MINIS)
    check_fields(f"{file}: exact", results["exact"], minis)
    tables = results["tables"]
    for name, row in tables.items():
        _check_table(f"{file}: {name}", name, results["agent"], row)
    _check_same(f"{file}: scores", results["scores"], ranking.suite_scores(tables))
    lacking = suite.missing([results])
    state = f"incomplete, without {'; '.join(lacking)}" if lacking else "complete"
    return f"{file} is valid: {results['label']}, {', '.join(tables)}, suite {suite.VERSION}, {state}"


def check_label(where: str, label: str, agent: str) -> None:
    """Raise ValueError unless a row of an agent may have this label."""
    if not LINE.allows(label) or label != label.strip() or (label in suite.OWNED and label != agent):
        raise ValueError(f"{where}={label!r} is not allowed; allowed: {LINE.words}, and not the name of another agent")


def check_training(where: str, training: Any) -> None:
    """Raise ValueError unless the facts about a training are declared, have the right form, and keep the rule."""
    further = {name: values for name, values in DECLARED.items() if name in training} if OBJECT.allows(training) else {}
    check_fields(where, training, TRAINING | further)
    _check_rule(where, training)
    _check_pace(where, training)
    curve = training.get("curve", [])
    if not isinstance(curve, list):
        raise ValueError(f"{where}: curve={curve!r} is not allowed; allowed: a list")
    for i, point in enumerate(curve):
        check_fields(f"{where}: curve: {i}", point, {**POINT, "score": OBJECT})
        for opponent, score in point["score"].items():
            _check_score(f"{where}: curve: {i}: {opponent}", score)


def _check_rule(where: str, training: Mapping[str, Any]) -> None:
    """Raise ValueError if a training met held-out agents."""
    for name, words in (("met", training.get("met", [])), ("command", [training.get("command", "")])):
        for word in filter(HELD_OUT.search, words):
            rule = "no training may meet held-out agents, and a result that breaks this rule measures nothing"
            raise ValueError(f"{where}: {name}={word!r:.200} is not allowed: {rule}")


def _check_pace(where: str, training: Mapping[str, Any]) -> None:
    """Raise ValueError for more decisions than any training makes in its CPU minutes."""
    decisions, minutes = training["decisions"], training["cpu_minutes"]
    if decisions and minutes is not None and decisions > FASTEST * minutes:
        words = f"is not allowed with decisions={decisions:,}"
        raise ValueError(f"{where}: cpu_minutes={minutes} {words}; allowed: {decisions / FASTEST:g} or more, or none")


def check_fields(where: str, content: Any, fields: Mapping[str, Values]) -> None:
    """Raise ValueError unless `content` is an object with these fields and allowed values."""
    schema.check_fields(where, content, fields, SOURCE)


def _check_table(where: str, table: str, agent: str, row: Any) -> None:
    """Raise ValueError unless these are results of a table of this suite, and follow from their points."""
    game, panel = plans.build(suite.match(table, suite.PANEL))
    variant, players = suite.TABLES[table]
    fields = {
        "variant": only(variant),
        "players": only(players),
        "game": only(game.name),
        "config": only(json.loads(json.dumps(game.options.changed(game.config)))),
        "panel_origins": only(json.loads(json.dumps(plans.origins(panel)))),
        "milliseconds": POSITIVE,
        **dict.fromkeys(("origin", "pairs", "deals_digests", "exploiters", *suite.PANELS), OBJECT),
        **dict.fromkeys(suite.others(table), OBJECT),
    }
    check_fields(where, row, fields)
    deals = {n for part in suite.others(table) for n in _check_part(f"{where}: {part}", table, part, agent, row[part])}
    digests = {str(n): only(suite.deals_digest(game, n)) for n in deals}
    check_fields(f"{where}: deals_digests", row["deals_digests"], digests)
    for name, score in ranking.panel_scores(table, row["pairs"]).items():
        _check_same(f"{where}: {name}", row[name], score)
    _check_exploiters(f"{where}: exploiters", table, row["exploiters"])


def _check_exploiters(where: str, table: str, row: Mapping[str, Any]) -> None:
    """Raise ValueError unless every exploiter has a score with the deals and the budget of the suite, or none."""
    further = {
        suite.TRAINED_EXPLOITER: {"decisions": only(exploiters.DECISIONS[suite.game_of(table)]), "cpu_minutes": AMOUNT},
        suite.SEARCH_EXPLOITER: {"search": LINE, "playouts": schema.one_of("agent", "scripted")},
    }
    check_fields(where, row, dict.fromkeys(suite.EXPLOITERS, or_none(OBJECT)))
    for name in suite.EXPLOITERS:
        if row[name] is not None:
            _check_score(f"{where}: {name}", row[name])
            check_fields(f"{where}: {name}", row[name], {"n": only(exploiters.DEALS), **further[name]})


def _check_names(where: str, names: Iterable[str], allowed: Sequence[str]) -> None:
    """Raise ValueError for a name that is not allowed."""
    for name in names:
        if name not in allowed:
            raise ValueError(f"{where}: {name!r:.50} is not allowed; allowed: {', '.join(allowed)}")


def _check_part(where: str, table: str, part: str, agent: str, rows: Mapping[str, Any]) -> set[int]:
    """Return the numbers of deals; raise ValueError unless every name has a result that follows from its points."""
    names, units = suite.others(table)[part], suite.units(table, part)
    if set(rows) != set(names):
        raise ValueError(f"{where}={list(rows)} is not allowed; allowed: {list(names)}")
    played = {name: row for name, row in rows.items() if row is not None or name != agent}  # nobody plays itself
    lineups = len(suite.lineups(table)) if part == suite.AGAINST else 1
    for name, row in played.items():
        _check_score(f"{where}: {name}", row)
        check_fields(f"{where}: {name}", row, {"points": _points(units, lineups, row["n"])})
        if part == suite.AGAINST:
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
