"""The command `python -m benchmarks submit`: validate every field of results, their deals and their arithmetic."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.games import BENCHMARKS

from ..harness import shards
from . import suite

MOST = 10**12  # decisions, minutes and milliseconds


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
SHARE, WHOLE, AMOUNT = _between(0, 1, int, float), _between(0, MOST, int), _between(0, MOST, int, float)
OBJECT = Values("an object", lambda value: isinstance(value, dict))
SCORE = {"mean": SHARE, "low": SHARE, "high": SHARE, "n": _between(1, suite.DEALS, int)}
TRAINING = {"decisions": _or_none(WHOLE), "cpu_minutes": _or_none(AMOUNT)}
# Further facts about a training that may be missing.
DECLARED = {**dict.fromkeys(("agent", "algorithm", "command", "game", "library", "version"), LINE), "seed": WHOLE}
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
    "games": Values(
        f"an object with one or more of {', '.join(BENCHMARKS)}",
        lambda value: isinstance(value, dict) and 0 < len(value) == len(value.keys() & BENCHMARKS.keys()),
    ),
    "score": Values("null, or an object", lambda value: value is None or isinstance(value, dict)),
}


@dataclass(frozen=True)
class SubmissionOptions:
    """Validate results of the benchmark before you submit them.

    Example: python -m benchmarks submit runs/rank-my-agent.py-MyAgent/results.json
    """

    file: Path
    """File of results that rank has saved."""


def main(argv: Sequence[str]) -> int:
    """Print what the file holds, or what is wrong with it."""
    with cli.user_errors("bench,train"):
        print(validate(cli.read(SubmissionOptions, "benchmarks submit", argv).file))
    return 0


def validate(file: Path) -> str:
    """Return a sentence about a file of results; raise ValueError if it is not a result of this suite.

    The records are not part of the file, so this does not prove the scores.
    """
    results = read(file)
    check_fields(str(file), results, RESULTS)
    check_training(f"{file}: training", results["training"])
    agent, games = results["agent"], results["games"]
    whole = [_check_game(f"{file}: {name}", name, agent, row) for name, row in games.items()]
    if set(games) == set(BENCHMARKS):
        _check_score(f"{file}: score", results["score"], [row["score"] for row in games.values()])
    elif results["score"] is not None:
        raise ValueError(f"{file}: score={results['score']!r} is not allowed; allowed: null without all games")
    state = f"the full suite {suite.VERSION}" if all(whole) else f"suite {suite.VERSION}, preliminary (fewer deals)"
    return f"{file} is valid: {results['label']}, {', '.join(games)}, {state}; copy it to docs/results/rank"


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
    if not isinstance(content, dict) or (missing := [name for name in fields if name not in content]):
        lacks = ", ".join(missing) if isinstance(content, dict) else f"{', '.join(fields)}, it is no object"
        raise ValueError(f"{where} lacks {lacks}; write it with python -m benchmarks rank")
    for name, values in fields.items():
        if not values.allows(content[name]):
            raise ValueError(f"{where}: {name}={content[name]!r:.200} is not allowed; allowed: {values.words}")


def _check_game(where: str, name: str, agent: str, row: Any) -> bool:
    """Return whether all deals of the suite were played; raise ValueError for a result of another benchmark."""
    game, panel = shards.build(suite.table(name, suite.PANEL))
    origins = _only(json.loads(json.dumps(shards.origins(panel))))
    variant, players = BENCHMARKS[name]
    fields = {
        "variant": _only(variant),
        "players": _only(players),
        "game": _only(game.name),
        "config": _only(json.loads(json.dumps(game.options.changed(game.config)))),
        "panel_origins": origins,
        "milliseconds": AMOUNT,
        **dict.fromkeys(("origin", "panel", "deals_digests", "score"), OBJECT),
    }
    check_fields(where, row, fields)
    if set(row["panel"]) != set(suite.PANEL):
        raise ValueError(f"{where}: panel={list(row['panel'])} is not allowed; allowed: {list(suite.PANEL)}")
    played = {opponent: score for opponent, score in row["panel"].items() if score is not None}
    for opponent, score in row["panel"].items():
        if score is None and opponent == agent:
            continue  # an agent does not play itself
        _check_score(f"{where}: {opponent}", score)
        check_fields(f"{where}: {opponent}", score, {"truncated": SHARE})
    _check_deals(where, game, played, row["deals_digests"])
    _check_score(f"{where}: score", row["score"], [score or {"mean": suite.EVEN} for score in row["panel"].values()])
    return all(score["n"] >= suite.DEALS for score in played.values())


def _check_deals(where: str, game: Game, played: Mapping[str, Any], digests: Mapping[str, Any]) -> None:
    counts = {score["n"] for score in played.values()}
    check_fields(f"{where}: deals_digests", digests, {str(n): _only(suite.deals_digest(game, n)) for n in counts})


def _check_score(where: str, score: Any, parts: Sequence[Mapping[str, float]] | None = None) -> None:
    """Raise ValueError unless a score lies in its interval, and is the mean of its parts if they are given."""
    check_fields(where, score, SCORE)
    if not score["low"] <= score["mean"] <= score["high"]:
        raise ValueError(f"{where}: {score} is not allowed; allowed: low <= mean <= high")
    if parts is not None:
        mean = sum(part["mean"] for part in parts) / len(parts)
        if not math.isclose(score["mean"], mean, abs_tol=1e-9):
            raise ValueError(f"{where}: mean={score['mean']} is not allowed; allowed: {mean}, the mean of its parts")
