"""The picture of the learning curves, from docs/results/strength.json: scores over CPU minutes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib import rcParams
from matplotlib.figure import Figure

import tantra_envs
from benchmarks.harness.pages import finish, write_both

from .results import ROOT, content, measured

FOLDER, NAME = ROOT / "docs/pictures", "curves"
LEARNER = "ppo"  # of `training strength`: the command of README.md
EVEN = 0.5
SIZE = (7.5, 3.4)  # inches
STYLES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))  # a theme has fewer colours than games
Run = dict[str, Any]


def write(folder: Path = FOLDER) -> None:
    """Write the picture for both themes."""
    runs = content("strength")["runs"]
    write_both(folder / NAME, NAME, lambda: picture(runs), NAME)


def picture(runs: Sequence[Run]) -> Figure:
    """Draw the first seed of each game, and the other seeds faintly."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    for i, (title, own) in enumerate(by_game(runs).items()):
        marker, line = STYLES[i % len(STYLES)]
        for run in own[1:]:
            axes.plot(*columns(run), linestyle=line, color=f"C{i}", alpha=0.35)
        axes.plot(*columns(own[0]), marker=marker, markersize=4, linestyle=line, color=f"C{i}", label=title)
    axes.axhline(EVEN, color=rcParams["axes.edgecolor"], linewidth=1)
    axes.annotate("the scripted agent", (1, EVEN), (-4, 4), "axes fraction", textcoords="offset points", ha="right")
    axes.set(xlabel="CPU minutes of training", ylabel="score against the scripted agent", ylim=(0, 1))
    axes.set_xlim(left=0)
    axes.legend(loc="lower right", frameon=False)
    finish(axes)
    return figure


def about() -> str:
    """Return the line below the picture: how the runs were measured."""
    strength = content("strength")
    seeds = max((len(own) for own in by_game(strength["runs"]).values()), default=0)
    others = ", other seeds faint" if seeds > 1 else ""
    return (
        f"The learner `ppo` of `training strength` on one core, {strength['deals']} deals a point{others}. "
        f"{measured({'': ['strength']})}"
    )


def by_game(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """Return the runs of the learner by the titles of the games, a run for each seed."""
    games: dict[str, list[Run]] = {}
    for run in runs:
        if run["learner"] == LEARNER:
            variant = run["game"].partition(":")[2]
            title = tantra_envs.game(run["game"], players=run["players"]).title
            games.setdefault(f"{title}, a {variant}" if variant else title, []).append(run)
    return games


def columns(run: Run) -> tuple[list[float], list[float]]:
    """Return the CPU minutes and the scores of the measurements."""
    return [row["minutes"] for row in run["history"]], [row["score"]["mean"] for row in run["history"]]
