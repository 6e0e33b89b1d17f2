"""Validate a file of results of somebody else: its version, panel, deals and arithmetic."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tantra_envs.games import BENCHMARKS

from ..harness import shards
from . import suite
from .results import EVEN

FIELDS = ("command", "version", "seed", "date", "suite", "agent", "label", "training", "games", "score")


def validate(file: Path, same_weights: bool = True) -> str:
    """Return a sentence that says what the file holds; raise ValueError if it is not a result of this suite.

    The records are not part of the file, so this does not prove the scores.

    Args:
        file: File of results.
        same_weights: Refuse results against other weights of `learned` than those of this version.
    """
    results = _read(file)
    if results["suite"] != suite.VERSION:
        raise ValueError(f"{file}: suite={results['suite']!r} is not allowed; allowed: {suite.VERSION}")
    if results["seed"] != suite.SEED:
        raise ValueError(f"{file}: seed={results['seed']!r} is not allowed; allowed: {suite.SEED}")
    if not results["games"]:
        raise ValueError(f"{file}: games={{}} is not allowed; allowed: one or more of {', '.join(BENCHMARKS)}")
    for name in results["games"]:
        if name not in BENCHMARKS:
            raise ValueError(f"{file}: games={name!r} is not allowed; allowed: {', '.join(BENCHMARKS)}")
    whole = [_check_game(f"{file}: {name}", name, row, same_weights) for name, row in results["games"].items()]
    if set(results["games"]) == set(BENCHMARKS):
        means = [row["score"]["mean"] for row in results["games"].values()]
        _check_mean(f"{file}: score", results["score"], means)
    state = f"the full suite {suite.VERSION}" if all(whole) else f"suite {suite.VERSION}, preliminary (fewer deals)"
    return f"{file} is valid: {results['label']}, {', '.join(results['games'])}, {state}; copy it to docs/results/rank"


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None
    missing = [name for name in FIELDS if not isinstance(content, dict) or name not in content]
    if missing:
        raise ValueError(f"{file} lacks {', '.join(missing)}; write it with python -m benchmarks rank")
    results: dict[str, Any] = content
    return results


def _check_game(where: str, name: str, row: Mapping[str, Any], same_weights: bool) -> bool:
    """Return whether all deals of the suite were played; raise ValueError for a result of another benchmark."""
    game, panel = shards.build(suite.table(name, suite.PANEL))
    try:
        expected: dict[str, Any] = {"game": game.name, "config": game.options.changed(game.config)}
        if same_weights:
            expected["panel_origins"] = json.loads(json.dumps(shards.origins(panel)))
        for field, value in expected.items():
            if row[field] != value:
                raise ValueError(f"{where}: {field}={row[field]!r} is not allowed; allowed: {value!r}")
        if set(row["panel"]) != set(suite.PANEL):
            raise ValueError(f"{where}: panel={list(row['panel'])} is not allowed; allowed: {list(suite.PANEL)}")
        played = {opponent: score for opponent, score in row["panel"].items() if score is not None}
        _check_deals(where, game, played, row["deals_digests"])
        means = [score["mean"] if score else EVEN for score in row["panel"].values()]
        _check_mean(f"{where}: score", row["score"], means)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{where} is incomplete ({error}); write it with python -m benchmarks rank") from None
    return all(score["n"] >= suite.DEALS for score in played.values())


def _check_deals(where: str, game: Any, played: Mapping[str, Any], digests: Mapping[str, str]) -> None:
    for opponent, score in played.items():
        deals = score["n"]
        if not isinstance(deals, int) or not 1 <= deals <= suite.DEALS:
            raise ValueError(f"{where}: {opponent}: n={deals!r} is not allowed; allowed: 1..{suite.DEALS}")
        if digests.get(str(deals)) != suite.deals_digest(game, deals):
            raise ValueError(f"{where}: {opponent} was played on other deals; play those of suite {suite.VERSION}")
        if not 0 <= score["low"] <= score["mean"] <= score["high"] <= 1:
            raise ValueError(f"{where}: {opponent}: {score} is not a score; allowed: 0 <= low <= mean <= high <= 1")


def _check_mean(where: str, score: Mapping[str, float], means: list[float]) -> None:
    mean = sum(means) / len(means)
    if not math.isclose(score["mean"], mean, abs_tol=1e-9):
        raise ValueError(f"{where}: mean={score['mean']} is not allowed; allowed: {mean}, the mean of its parts")
