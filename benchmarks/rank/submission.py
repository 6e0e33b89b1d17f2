"""Validate every field of results, and the arithmetic that leads from points to scores."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..harness import plans
from . import exploiters, ranking, suite

MOST = 10**12  # decisions, minutes and milliseconds
NEAR = 1e-9  # allowed difference of two numbers that are computed from the same points


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
    lacking = suite.missing([results])
    state = f"incomplete, without {'; '.join(lacking)}" if lacking else "complete"
    return f"{file} is valid: {results['label']}, {', '.join(tables)}, suite {suite.VERSION}, {state}"


def check_label(where: str, label: str, agent: str) -> None:
    """Raise ValueError unless a row of an agent may have this label."""
    if not LINE.allows(label) or label != label.strip() or (label in suite.OWNED and label != agent):
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
        **dict.fromkeys(suite.others(table), OBJECT),
    }
    check_fields(where, row, fields)
    deals = {n for part in suite.others(table) for n in _check_part(f"{where}: {part}", table, part, agent, row[part])}
    digests = {str(n): _only(suite.deals_digest(game, n)) for n in deals}
    check_fields(f"{where}: deals_digests", row["deals_digests"], digests)
    for name, score in ranking.panel_scores(table, row["pairs"]).items():
        _check_same(f"{where}: {name}", row[name], score)
    _check_exploiters(f"{where}: exploiters", table, row["exploiters"])


def _check_exploiters(where: str, table: str, row: Mapping[str, Any]) -> None:
    """Raise ValueError unless every exploiter has a score with the deals and the budget of the suite, or none."""
    further = {
        suite.TRAINED_EXPLOITER: {
            "decisions": _only(exploiters.DECISIONS[suite.game_of(table)]),
            "cpu_minutes": AMOUNT,
        },
        suite.SEARCH_EXPLOITER: {
            "search": LINE,
            "playouts": Values("agent, scripted", ("agent", "scripted").__contains__),
        },
    }
    check_fields(where, row, dict.fromkeys(suite.EXPLOITERS, _or_none(OBJECT)))
    for name in suite.EXPLOITERS:
        if row[name] is not None:
            _check_score(f"{where}: {name}", row[name])
            check_fields(f"{where}: {name}", row[name], {"n": _only(exploiters.DEALS), **further[name]})


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
