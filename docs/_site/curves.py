"""The picture of the learning curves, from docs/results/time-to-strength.csv: scores over CPU minutes."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from matplotlib import rcParams
from matplotlib.figure import Figure

import tantra_envs
from benchmarks.harness.figures import EVEN
from benchmarks.harness.pages import finish, write_both
from tantra_envs.programs.results import SCORE

from .results import ROOT, label, lines

FOLDER, NAME = ROOT / "docs/pictures", "curves"
LEARNER = "ppo"  # of `training strength`: the command of README.md
SIZE = (7.5, 3.4)  # inches
STYLES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))  # a theme has fewer colours than games


def write(folder: Path = FOLDER) -> None:
    """Write the picture for both themes."""
    write_both(folder / NAME, NAME, picture, NAME)


def picture() -> Figure:
    """Draw the first seed of each game, and the other seeds faintly."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    for i, (title, own) in enumerate(by_game().items()):
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
    games = by_game()
    others = " Faint lines are other seeds." if any(len(own) > 1 for own in games.values()) else ""
    deals = next(iter(games.values()))[0]["deals"][0]
    words = f"Each point has {deals} deals, and a curve ends at 0.6.{others}"
    origin = label(lines("time-to-strength"))
    return f"The learner is `ppo` of `training strength`, on one core. {words} Measured with {origin}.\n"


def by_game() -> dict[str, list[pl.DataFrame]]:
    """Return the scores of the learner by the titles of the games, a table for each seed."""
    games: dict[str, list[pl.DataFrame]] = {}
    runs = lines("time-to-strength", agent=LEARNER, measure=SCORE)
    for (game, _), own in runs.group_by("table", "seed", maintain_order=True):
        title, variant = tantra_envs.game(str(game)).title, str(game).partition(":")[2]
        games.setdefault(f"{title}, a {variant}" if variant else title, []).append(own)
    return games


def columns(run: pl.DataFrame) -> tuple[list[float], list[float]]:
    """Return the CPU minutes and the scores of the measurements."""
    return run["part"].cast(pl.Float64).to_list(), run["value"].to_list()
