"""Report a tuning: a table on the screen, JSON, Parquet, and a page with its pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from tantra_envs.matches.intervals import interval

from ..harness.figures import Sample
from ..harness.formatting import is_sure, number, provenance, rounded, with_ends, write_page, write_results
from ..harness.parquet import write_parquet
from ..harness.themes import write_both
from .plots import picture, standing
from .study import Study, Tuned
from .trials import Trial, best, front

Row = dict[str, Any]


def write(study: Study, tuned: Tuned, command: str) -> None:
    """Write all files and print the table."""
    results = content(study, tuned, command)
    write_results(results, study.folder / "results.json", study.results)
    write_parquet(study.folder / "figures.parquet", pl.DataFrame(_rows(tuned.tried)))
    write_tune_page(study.folder / f"{study.games[study.base].id}.md", results)
    screen = Console()
    screen.print(_table(results))
    screen.print(f"recommended: {verdict(results)}", soft_wrap=True)
    screen.print(f"saved in {study.folder}: results.json, figures.parquet, a page and its pictures", soft_wrap=True)


def write_tune_page(page: Path, results: Row) -> None:
    """Write the page of a tuning and its pictures from its results."""
    pictures = write_both(page, page.stem, lambda: picture(results), "tune")
    values: dict[str, Any] = {
        "results": results,
        "pictures": {theme: file.name for theme, file in pictures.items()},
        "verdict": verdict(results),
        "trials": by_distance(results["trials"]),
        "in_words": in_words,
        "sure": surely,
        "standing": standing,
    }
    write_page(page, "benchmarks.tune", **values)


def content(study: Study, tuned: Tuned, command: str) -> Row:
    """Return the command, the settings, all trials, and the changes that the nearest variant makes on fresh deals."""
    tried, game = tuned.tried, study.games[study.base]
    nearest, on_front, nearer = best(tried), front(tried), _nearer(tuned)
    return {
        **provenance(command, study.seed),
        **{"title": game.title, "table": study.table, "players": game.players},
        **{"agents": study.agents, "stages": study.stages, "variants": len(study.games)},
        "goals": {goal.name: goal.target for goal in study.goals},
        "trials": rounded([_trial(trial, trial in on_front, trial is nearest) for trial in tried]),
        **{"base": study.base, "nearest": nearest.variant, "nearer": rounded(nearer), "fresh": tuned.now.deals},
        "recommended": nearest.variant if surely(nearer) and nearer["value"] > 0 else study.base,
        "changes": rounded(_changes(study, tuned)),
    }


def verdict(results: Row) -> str:
    """Return the recommendation: the nearest variant only if it is clearly better than the base on fresh deals."""
    if results["nearest"] == results["base"]:
        return "keep the base rules: no variant was nearer to the goals"
    by = f"nearer to the goals on fresh deals, by {in_words(results['nearer'])}"
    if results["recommended"] == results["nearest"]:
        return f"`{results['nearest']}`, which is clearly {by}"
    return f"keep the base rules: the nearest variant, `{results['nearest']}`, is not clearly {by}"


def in_words(row: Row) -> str:
    """Return a value or a difference with its interval as text."""
    if row["value"] is None:
        return "-"
    digits = 3 if abs(row["value"]) < 10 else 1
    return with_ends(row["value"], row["low"], row["high"], digits, signed=row["signed"])


def surely(row: Row) -> bool:
    """Return whether the interval of a difference excludes 0."""
    return row["value"] is not None and is_sure(row["low"], row["high"])


def _trial(trial: Trial, on_front: bool, nearest: bool) -> Row:
    away = {goal: distance.value for goal, distance in trial.away.items()}
    facts = {"variant": trial.variant, "deals": trial.deals, "away": away, "loss": trial.loss}
    return {**facts, "given_up": trial.given_up, "front": on_front, "nearest": nearest}


def _nearer(tuned: Tuned) -> Row:
    """Return the distance of the base minus that of the best variant, on the same fresh deals."""
    low, high = interval(tuned.was.drawn - tuned.now.drawn)
    return {"value": tuned.was.loss - tuned.now.loss, "low": low, "high": high, "signed": True}


def _changes(study: Study, tuned: Tuned) -> list[Row]:
    """Return the figures that both variants have: base, nearest variant, and the difference, paired by deal."""
    goals = {key for goal in study.goals for key in goal.keys(study.games[tuned.now.variant])}
    rows = []
    for key, now in tuned.now.samples.items():
        if (was := tuned.was.samples.get(key)) is not None:
            value, low, high = now.less(was)
            change = {"value": _finite(value), "low": _finite(low), "high": _finite(high), "signed": True}
            values = {"was": _row(was), "now": _row(now), "change": change}
            rows.append({"question": key[0], "figure": key[1], "wanted": key in goals, **values})
    return rows


def _row(sample: Sample) -> Row:
    return {"value": _finite(sample.value), "low": _finite(sample.low), "high": _finite(sample.high), "signed": False}


def _finite(value: float) -> float | None:
    return None if math.isnan(value) else value


def _rows(tried: Sequence[Trial]) -> list[Row]:
    """Return a row for each figure of each variant."""
    return [
        {"variant": trial.variant, "deals": trial.deals, "question": question, "figure": name, **_row(sample)}
        for trial in tried
        for (question, name), sample in trial.samples.items()
    ]


def _table(results: Row) -> Table:
    table = Table("variant", "deals", *(f"distance from {goal}" for goal in results["goals"]), "all", "")
    for trial in by_distance(results["trials"]):
        away = [number(trial["away"][goal], 3) for goal in results["goals"]]
        table.add_row(trial["variant"], f"{trial['deals']:,}", *away, number(trial["loss"], 3), standing(trial))
    return table


def by_distance(trials: Sequence[Row]) -> list[Row]:
    """Return the trials, nearest first and pruned ones last."""
    return sorted(trials, key=lambda trial: (trial["given_up"], trial["loss"]))
