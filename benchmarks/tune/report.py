"""Report a tuning: a page, its results as JSON, and the recommendation on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from tantra_envs.programs.files import Json

from ..harness.figures import CHANGES, with_changes
from ..harness.pages import digits, is_sure, provenance, rounded, with_ends, write_page, write_results
from ..study.results import label_of
from .experiment import Trial, Tuning, best


def write(tuning: Tuning, played: tuple[list[Trial], Trial, Trial], command: str) -> None:
    """Write all files and print the recommendation."""
    results, folder = content(tuning, *played, command), tuning.study.folder
    write_results(results, folder / "results.json", tuning.args.results)
    write_tune_page(folder / f"{tuning.study.games[tuning.study.base].id}.md", results)
    print(f"recommended: {verdict(results)}\nsaved in {folder}: results.json, a page, records")


def write_tune_page(page: Path, results: Json) -> None:
    """Write the page of a tuning from its results."""
    trials = sorted(results["trials"], key=lambda trial: (trial["given_up"], trial["loss"]))
    values: dict[str, Any] = {"trials": trials, "verdict": verdict(results), "in_words": in_words, "sure": surely}
    write_page(page, "tune.md", results=results, **values)


def content(tuning: Tuning, trials: list[Trial], was: Trial, now: Trial, command: str) -> Json:
    """Return the command, the settings, all trials, and the changes that the nearest variant makes on fresh deals."""
    study, nearest = tuning.study, best(trials)
    nearer = dict(zip(("value", "low", "high"), now.nearer(was), strict=True), signed=True)
    is_better = surely(nearer) and nearer["value"] > 0
    game = study.games[study.base]
    settings = {"title": game.title, "table": tuning.args.game, "players": game.players, "agents": study.agents[::-1]}
    return {
        **provenance(command, tuning.args.seed),
        **settings,
        "stages": tuning.stages,
        "variants": len(study.games),
        "goals": {name: goal.target for name, goal in tuning.goals.items()},
        "trials": rounded([_trial(trial, trial is nearest) for trial in trials]),
        "base": study.base,
        "nearest": nearest.variant,
        "nearer": rounded(nearer),
        "fresh": now.deals,
        "recommended": nearest.variant if is_better else study.base,
        "changes": rounded(_changes(tuning, was, now)),
    }


def verdict(results: Json) -> str:
    """Return the recommendation: the nearest variant only if it is clearly better than the base on fresh deals."""
    if results["nearest"] == results["base"]:
        return "keep the base rules: no variant was nearer to the goals"
    by = f"nearer to the goals on fresh deals, by {in_words(results['nearer'])}"
    if results["recommended"] == results["nearest"]:
        return f"`{results['nearest']}`, which is clearly {by}"
    return f"keep the base rules: the nearest variant, `{results['nearest']}`, is not clearly {by}"


def in_words(row: Json) -> str:
    """Return a value or a difference with its interval as text, "-" for none."""
    value, low, high = row["value"], row["low"], row["high"]
    return "-" if value is None else with_ends(value, low, high, digits(value), row["signed"])


def surely(row: Json) -> bool:
    """Return whether the interval of a difference excludes 0."""
    return row["value"] is not None and is_sure(row["low"], row["high"])


def _trial(trial: Trial, nearest: bool) -> Json:
    away = {name: float(distance[0]) for name, distance in trial.away.items()}
    facts = {"variant": trial.variant, "deals": trial.deals, "away": away, "loss": float(trial.loss[0])}
    return {**facts, "given_up": trial.given_up, "nearest": nearest}


def _changes(tuning: Tuning, was: Trial, now: Trial) -> list[Json]:
    """Return the figures that both variants have: base, nearest variant, and the difference, paired by deal."""
    key, ends = ["section", "measure", "part", "lineup", "seat"], ["value", "low", "high"]
    rows = with_changes(now.rows, was.rows, key).join(was.rows.select(*key, *ends), on=key, suffix="_was")
    rows = rows.with_columns(wanted=pl.any_horizontal(goal.holds for goal in tuning.goals.values()))
    return [
        {
            "question": row["measure"],
            "figure": label_of(row["seat"], row["part"]),
            "wanted": row["wanted"],
            "was": _row([row[f"{name}_was"] for name in ends]),
            "now": _row([row[name] for name in ends]),
            "change": {**_row([row[name] for name in CHANGES]), "signed": True},
        }
        for row in rows.drop("drawn").iter_rows(named=True)
    ]


def _row(ends: Sequence[float]) -> Json:
    return {**dict(zip(("value", "low", "high"), ends, strict=True)), "signed": False}
