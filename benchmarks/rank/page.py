"""Fill in the pages of the benchmark from docs/results/rank: its tables and its pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tantra_envs.english import in_digits
from tantra_envs.files import write_whole
from tantra_envs.games import BENCHMARKS

from ..harness.formatting import Row, number, score_in_words
from ..harness.themes import finish, means_and_ends, write_both
from . import suite
from .results import FOLDER, references
from .settings import settings
from .statistics import improvement, iqm, over_seeds, profile

DOCS = FOLDER.parents[1]
PAGES = (DOCS / "baselines.md", DOCS / "easy-and-hard.md")
PICTURES = DOCS / "pictures"
DIFFICULTY = FOLDER.parent / "difficulty.json"
FIRST = "scripted"  # the probability of improvement is measured against this agent
Runs = dict[str, dict[str, list[Row]]]  # the runs of every label, by game: rows of results with their training


def write_pages() -> None:
    """Replace the generated parts of the pages, and write their pictures."""
    runs = runs_of(references())
    for page in PAGES:
        _write(page, filled(page.read_text(encoding="utf-8"), runs))
    for name, draw in pictures(runs).items():
        write_both(PICTURES / name, name, draw, "rank")


def _write(page: Path, text: str) -> None:
    write_whole(page, lambda part: part.write_text(text, encoding="utf-8"))


def filled(text: str, runs: Runs) -> str:
    """Return the text of a page with the parts between `<!-- NAME -->` and `<!-- end -->` made again."""
    parts = {
        "scores": scores(runs),
        "settings": settings(json.loads(DIFFICULTY.read_text(encoding="utf-8"))["rows"]),
        "panel": panel(runs),
        "training": training(runs),
        "statistics": statistics(runs),
    }
    for name, body in parts.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        text = pattern.sub(lambda found, body=body: f"{found[1]}{body}{found[2]}", text)  # type: ignore[misc]
    return text


def runs_of(files: Mapping[str, Row]) -> Runs:
    """Return the runs of every label by game: first the labels with most games, then those with the best mean."""
    runs: Runs = {}
    for row in files.values():
        for game, result in row["games"].items():
            entry = {**result, "training": row["training"], "command": row["command"]}
            runs.setdefault(row["label"], {}).setdefault(game, []).append(entry)
    return dict(sorted(runs.items(), key=lambda item: (-len(item[1]), -_overall(item[1]))))


def scores(runs: Runs) -> str:
    """Return the table of labels and games. Several seeds are averaged."""
    lines = [f"| agent | {' | '.join(f'`{variant}`' for variant, _ in BENCHMARKS.values())} | suite |"]
    lines.append("|---|" + "---|" * (len(BENCHMARKS) + 1))
    for label, by_game in runs.items():
        cells = [_cell(by_game.get(game, [])) for game in BENCHMARKS]
        whole = number(_overall(by_game), 3) if set(by_game) == set(BENCHMARKS) else "-"
        lines.append(f"| {label} | {' | '.join(cells)} | {whole} |")
    return "\n".join(lines)


def panel(runs: Runs) -> str:
    """Return the scores of every label against the panel, its truncated games and its time: means over the seeds."""
    lines = [f"| agent | game | {' | '.join(suite.PANEL)} | deals | truncated | ms per decision |"]
    lines.append("|---|---|" + "---:|" * (len(suite.PANEL) + 3))
    for label, by_game in runs.items():
        for game in (name for name in BENCHMARKS if name in by_game):
            lines.append(_panel_row(label, game, by_game[game]))
    return "\n".join(lines)


def training(runs: Runs) -> str:
    """Return the table of the seeds of every label, and the mean of what they learned from."""
    lines = ["| agent | game | seeds | library | decisions | CPU minutes |", "|---|---|---|---|---:|---:|"]
    for label, by_game in runs.items():
        for game in (name for name in BENCHMARKS if name in by_game):
            facts = [run["training"] for run in by_game[game]]
            if any(fact["decisions"] or fact["cpu_minutes"] for fact in facts):
                seeds = ", ".join(str(seed) for seed in sorted(fact["seed"] for fact in facts if "seed" in fact)) or "-"
                libraries = ", ".join(sorted({fact["library"] for fact in facts if "library" in fact})) or "-"
                decisions, minutes = _declared(facts, "decisions", 0), _declared(facts, "cpu_minutes", 2)
                lines.append(f"| {label} | `{game}` | {seeds} | {libraries} | {decisions} | {minutes} |")
    return "\n".join(lines)


def statistics(runs: Runs) -> str:
    """Return the interquartile means and the probabilities of improvement of `comparable`."""
    lines = [f"| agent | interquartile mean | better than {FIRST} with probability |", "|---|---|---:|"]
    compared = comparable(runs)
    for label, by_game in compared.items():
        middle = iqm(_by_game(by_game))
        known = label != FIRST and FIRST in compared
        chance = number(improvement(_by_game(by_game), _by_game(compared[FIRST])), 2) if known else "-"
        single = sum(_has_one_seed(own) for own in by_game.values())
        mark = f" (1 seed in {in_digits(single, 'game')})" if single else ""
        lines.append(f"| {label} | {middle}{mark} | {chance} |")
    return "\n".join(lines)


def comparable(runs: Runs) -> Runs:
    """Return the runs of the labels that played every game."""
    every = {label: own for label, own in runs.items() if all(game in own for game in BENCHMARKS)}
    return {label: {game: own[game] for game in BENCHMARKS} for label, own in every.items()}


def pictures(runs: Runs) -> dict[str, Callable[[], Figure]]:
    """Return the functions that draw the pictures, by the names of their files."""
    return {
        "rank": lambda: standings(runs),
        "rank-curves": lambda: curves(runs),
        "rank-profiles": lambda: profiles(runs),
    }


def standings(runs: Runs) -> Figure:
    """Draw the score of every label in every game, with its interval; hollow if it is of one training seed only."""
    figure = Figure(figsize=(12, 1.2 + 0.3 * len(runs)), layout="constrained")
    games = {game: variant for game, (variant, _) in BENCHMARKS.items() if any(game in own for own in runs.values())}
    panels = figure.subplots(1, max(len(games), 1), sharey=True, squeeze=False)[0]
    for axes, (game, variant) in zip(panels, games.items(), strict=False):
        played = {i: own[game] for i, own in enumerate(runs.values()) if game in own}
        for hollow in (False, True):
            shown = {i: over_seeds(_scores(own)) for i, own in played.items() if _has_one_seed(own) == hollow}
            means, ends = means_and_ends(list(shown.values()))
            style = {"fmt": "o", "capsize": 3, "color": "C0", "markerfacecolor": "none" if hollow else "C0"}
            axes.errorbar(means, list(shown), xerr=ends, **style)
        axes.set(title=variant, xlim=(0, 1))
        finish(axes, "x")
    panels[0].set_yticks(range(len(runs)), list(runs))
    panels[0].invert_yaxis()
    figure.supxlabel(f"score against the panel, suite {suite.VERSION}", fontsize=10)
    return figure


def curves(runs: Runs) -> Figure:
    """Draw the learning curves: one column for each game, over decisions and over CPU minutes."""
    learned = {label: own for label, own in runs.items() if any(_curves(own, game) for game in own)}
    games = [game for game in BENCHMARKS if any(_curves(own, game) for own in learned.values())]
    figure = Figure(figsize=(2.6 * max(len(games), 1) + 1.2, 4.8), layout="constrained")
    panels = figure.subplots(2, max(len(games), 1), sharey=True, squeeze=False)
    for column, game in enumerate(games):
        for row, unit in enumerate(("decisions", "cpu_minutes")):
            axes = panels[row, column]
            for i, (label, own) in enumerate(learned.items()):
                for number_of, curve in enumerate(_curves(own, game)):
                    means = [np.mean([score["mean"] for score in point["score"].values()]) for point in curve]
                    name = label if number_of == 0 else None
                    axes.plot([point[unit] for point in curve], means, "o-", markersize=3, color=f"C{i}", label=name)
            axes.set_xscale("log")
            axes.minorticks_off()
            axes.set(xlabel=unit.replace("cpu_", "CPU "), title=BENCHMARKS[game][0] if row == 0 else "")
            finish(axes)
    handles = {line.get_label(): line for axes in panels.flat for line in axes.lines if line.get_label()[0] != "_"}
    figure.legend(handles.values(), handles, frameon=False, fontsize=9, ncols=8, loc="outside upper center")
    figure.supylabel("mean score against uniform, greedy, scripted", fontsize=10)
    return figure


def profiles(runs: Runs) -> Figure:
    """Draw the share of games that reach a score, for the labels of `comparable`."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes, levels = figure.subplots(), np.linspace(0, 1, 201)
    for i, (label, by_game) in enumerate(comparable(runs).items()):
        style = ("-", "--", ":")[i // 4 % 3]
        axes.plot(levels, profile(_by_game(by_game), levels), color=f"C{i % 4}", linestyle=style, label=label)
    axes.set(xlabel="score against the panel", ylabel="share of the games", ylim=(-0.02, 1.02))
    if axes.lines:
        axes.legend(frameon=False, fontsize=8)
    finish(axes)
    return figure


def _scores(group: list[Row]) -> list[Row]:
    return [run["score"] for run in group]


def _by_game(runs: Mapping[str, list[Row]]) -> dict[str, list[Row]]:
    return {game: _scores(group) for game, group in runs.items()}


def _curves(by_game: Mapping[str, list[Row]], game: str) -> list[Any]:
    return [run["training"]["curve"] for run in by_game.get(game, []) if run["training"].get("curve")]


def _overall(by_game: Mapping[str, list[Row]]) -> float:
    """Return the mean over the games that were played."""
    return float(np.mean([over_seeds(group)["mean"] for group in _by_game(by_game).values()]))


def _cell(group: list[Row]) -> str:
    """Return a score with its interval and the number of training seeds, if there were any."""
    if not group:
        return "-"
    seeds = f" ({in_digits(len(group), 'seed')})" if _is_trained(group) or len(group) > 1 else ""
    return score_in_words(over_seeds(_scores(group))) + seeds


def _has_one_seed(group: list[Row]) -> bool:
    """Return whether the interval of a result leaves out the luck of training."""
    return len(group) == 1 and _is_trained(group)


def _is_trained(group: list[Row]) -> bool:
    """Return whether a result depends on a seed of training: the agent has weights, or its seed is declared."""
    return any("digest" in run["origin"] or "seed" in run["training"] for run in group)


def _panel_row(label: str, game: str, group: list[Row]) -> str:
    by_opponent = [[run["panel"][opponent] for run in group] for opponent in suite.PANEL]
    cells = [number(_mean(scores, "mean"), 3) if all(scores) else "itself" for scores in by_opponent]
    matches = [score for scores in by_opponent for score in scores if score]
    deals = " / ".join(f"{count:,}" for count in sorted({score["n"] for score in matches}, reverse=True))
    truncated, time = f"{100 * _mean(matches, 'truncated'):.0f} %", f"{_mean(group, 'milliseconds'):.2g}"
    return f"| {label} | `{game}` | {' | '.join(cells)} | {deals} | {truncated} | {time} |"


def _declared(facts: list[Row], name: str, places: int) -> str:
    """Return the mean of what the trainings declare under a name; "-" if one of them declares nothing."""
    return "-" if any(fact[name] is None for fact in facts) else f"{_mean(facts, name):,.{places}f}"


def _mean(rows: list[Row], name: str) -> float:
    return float(np.mean([row[name] for row in rows]))
