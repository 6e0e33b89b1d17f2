"""Show the rank of agents: their scores in the suite, what a row lacks, and their place by rating.

Two files hold the results: see `benchmarks.rank.entries`. `show rank docs/results/rank runs/mine` adds the results in
`runs/mine` to the published ones. The tables of the pages are made from these: COLUMNS has the function of each column
of the table of all agents.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from tantra_envs.programs import results as files
from tantra_envs.programs.files import Json, write_parquet

from ..exact import results as exact_results
from ..harness import pages
from ..harness.figures import SCORE
from ..harness.pages import finish, line_with_ends, means_and_ends, number, score_in_words, write_both
from ..harness.played import Played, read_folder
from ..rank import entries, ranking, suite
from ..rank.entries import FOLDER, POINTS, TIME
from ..rank.ranking import NO_BOUNDS, Rows

PICTURE = FOLDER.parents[1] / "pictures" / "rank"
EXACT = FOLDER.parent / "exact.csv"  # has the exploitability of UNIFORM
UNIFORM = "uniform"
MINIS = tuple(f"{game}:mini" for game in suite.GAMES)
Loaded = Played | list[Json]


# A ranking


def load(folder: Path) -> list[Json]:
    """Return the results in a folder, or those of its games; raise ValueError if they are not those of a ranking."""
    if not (folder / "records").exists():
        return entries.read(folder)
    played = read_folder(folder)
    if "training" not in played.about:
        raise ValueError(f"folder={str(folder)!r} is not allowed: it has other games; allowed: a folder of rank")
    return [entries.of_games(played)]


def recomputed(folder: Path) -> list[Json]:
    """Return results with scores that follow from the games, or points; raise ValueError if points differ."""
    rows = load(folder)
    for row in rows:
        suite.check_training(row["training"])
    if not (folder / "records").exists():
        return [
            {**row, "tables": {table: entries.scored(table, own) for table, own in row["tables"].items()}}
            for row in rows
        ]
    points = entries.points(rows)
    if not points.equals(entries.points(entries.read(folder))):
        raise ValueError(f"{folder / POINTS}: its points are not allowed; allowed: those of the games")
    both = points.join(entries.points(entries.read()), on=["agent", "table", "part", "other"])
    same = both.filter(pl.col("points") == pl.col("points_right")).height
    print(f"{same} of {points.height} meetings have the points of a published row")
    return rows


def combine(every: Sequence[Loaded]) -> list[list[Json]]:
    """Return the results of several folders as one: later results of an agent take the place of earlier ones."""
    return [entries.merged(map(_rows, every))]


def results(loaded: Loaded) -> pl.DataFrame:
    """Return what is declared, and the scores and the time of the agents at every table."""
    return files.table((line for row in _rows(loaded) for line in entries.lines(row)), "rank")


def add(written: Sequence[Path], every: Sequence[Loaded], screen: Console) -> list[Path]:
    """Write points beside files of results, and return their files; print ratings, and what rows lack."""
    rows = entries.merged(map(_rows, every))
    points = [file.with_suffix(Path(POINTS).suffix) for file in written]
    for file in points:
        write_parquet(file, entries.points(rows))
    labels = ranking.by_label(rows)
    if len(labels) > 1:
        for name, rating in ranking.rated(labels).items():
            screen.print(f"{ranking.in_points(rating)} {name}", soft_wrap=True)
    for label, own in labels.items():
        if lacks := suite.missing(own):
            screen.print(
                f"{label} is incomplete under suite {suite.VERSION}: it lacks {'; '.join(lacks)}", soft_wrap=True
            )
    if len(rows) == 1:
        losses = shlex.join(["python", "-m", "benchmarks", "show", "losses", str(written[0].parent)])
        screen.print(f"where it loses: {losses}", soft_wrap=True)
    return points


def _rows(loaded: Loaded) -> list[Json]:
    return [entries.of_games(loaded)] if isinstance(loaded, Played) else loaded


def show(results: pl.DataFrame, screen: Console) -> None:
    """Print the scores of every agent, with a column for each table."""
    names = results.filter(pl.col("game") != "")["table"].unique(maintain_order=True)
    for (agent,), own in results.group_by("agent", maintain_order=True):
        table = Table(str(agent), *names, caption="scores, 0.5 is even; brackets: 95 % intervals")
        scores = own.filter(pl.col("game") != "", measure=SCORE.name)
        for (part, other), lines in scores.group_by("part", "others", maintain_order=True):
            by_table = {line["table"]: line for line in lines.iter_rows(named=True)}
            table.add_row(f"{part} {other}".strip(), *(_cell(by_table.get(name)) for name in names))
        times = dict(own.filter(measure=TIME).select("table", "value").iter_rows())
        table.add_row("milliseconds per decision", *(f"{times[name]:.2g}" if name in times else "-" for name in names))
        screen.print(table)


def _cell(line: Mapping[str, Any] | None) -> str:
    return line_with_ends(line, 3).replace(" ", "\n", 1) if line else "-"


def exact_figures(file: Path, agent: str) -> dict[str, float]:
    """Return the exploitability of an agent in the mini games; raise ValueError for a file without figures of it."""
    found = files.read(file, exact_results.VIEW).filter(agent=agent, measure=entries.EXACT)
    values = dict(found.select("table", "value").iter_rows())
    figures = {game: max(0.0, values[game]) for game in MINIS if game in values}  # may be below 0 by rounding
    if not figures:
        raise ValueError(f"exact={str(file)!r} has no figures of {agent!r}; write them with {exact_results.SOURCE}")
    return figures


# Pages


def write_picture() -> None:
    """Write the picture of the ratings."""
    write_both(PICTURE, PICTURE.name, lambda: standings(ranking.rated(ranking.by_label(entries.read()))), "rank")


def all_agents(rows: Rows) -> str:
    """Return the table of all agents by their rating."""
    cells = []
    for label, rating in ranking.rated(rows).items():
        own = rows.get(label)
        only = [*["-"] * (len(COLUMNS) - 1), "opponent only"]
        facts = [cell(own, rows) for cell in COLUMNS.values()] if own else only
        cells.append([_code(label), ranking.in_points(rating), *facts])
    heads = ["agent", "rating", *COLUMNS]
    return pages.table(heads, cells, right=[heads.index(name) for name in NUMBERS])


def standings(places: Mapping[str, Json]) -> Figure:
    """Draw the rating of every agent with its interval; held-out agents are hollow."""
    figure = Figure(figsize=(7, 1.0 + 0.28 * max(len(places), 1)), layout="constrained")
    axes = figure.subplots()
    for i, (name, rating) in enumerate(places.items()):
        inside = "none" if name in suite.HELD_OUT else "C0"
        means, ends = means_and_ends([rating])
        axes.errorbar(means, [i], xerr=ends, fmt="o", capsize=3, color="C0", markerfacecolor=inside)
    axes.set_yticks(range(len(places)), list(places), fontsize=8)
    axes.invert_yaxis()
    axes.set(xlabel=f"rating, suite {suite.VERSION}")
    finish(axes, "x")
    return figure


def _suite(group: Sequence[Json], panel: str) -> str:
    """Return the score of the suite against a panel, the mean over the seeds."""
    runs: dict[str, dict[str, Json]] = {}  # the tables of every seed: an algorithm may have a file for each game
    for row in group:
        runs.setdefault(ranking.contestant(row), {}).update(row["tables"])
    whole = [score[panel] for score in map(ranking.suite_scores, runs.values()) if score]
    return score_in_words(ranking.over_seeds(whole)) if whole else "-"


def _exploited(group: Sequence[Json]) -> str:
    """Return the mean score of the exploiters over the games, if there is one at every table."""
    means: dict[str, list[float]] = {}
    for table in suite.TABLES:
        found = filter(None, (ranking.best_exploiter(table, result) for result in _of_table(group, table)))
        if (score := next(found, None)) is None:  # that of the first training seed that has one
            return "-"
        means.setdefault(suite.game_of(table), []).append(score["mean"])
    return number(float(np.mean([np.mean(scores) for scores in means.values()])), 3)


def _exact(group: Sequence[Json]) -> str:
    """Return the exploitability in the mini games as a share of that of random play, the mean over games and seeds."""
    every = [row["exact"] for row in group if row["exact"]]
    if not every:
        return "-"
    uniform = exact_figures(EXACT, UNIFORM)
    runs = [[value / uniform[game] for game, value in own.items()] for own in every]
    fewest = min(map(len, runs))
    part = "" if fewest == len(MINIS) else f" ({fewest} of {len(MINIS)})"
    return f"{np.mean([np.mean(shares) for shares in runs]):.2f}{part}"


def _met(group: Sequence[Json]) -> str:
    """Return the agents that an agent met in training."""
    every = [row["training"].get("met") for row in group]
    return _agreed([None if met is None else ", ".join(map(_code, met)) or suite.NOBODY for met in every])


def _agreed(words: Sequence[str | None]) -> str:
    """Return what all seeds declare; "-" where one of them differs, or declares nothing."""
    return words[0] or "-" if len(set(words)) == 1 else "-"


def _declared(group: Sequence[Json], name: str, places: int) -> str:
    """Return the mean of what the trainings declare under a name; "-" if one of them declares nothing."""
    values = [row["training"][name] for row in group]
    return "-" if None in values else f"{np.mean(values):,.{places}f}"


def _with_partners(group: Sequence[Json], rows: Rows) -> str:
    """Return the share of the best known score with held-out partners."""
    (table,) = (name for name in suite.TABLES if suite.TOGETHER in suite.others(name))
    known = [result["partners"] for own in rows.values() for result in _of_table(own, table)]
    found = [ranking.shares(table, result["partners"], known) for result in _of_table(group, table)]
    return score_in_words(ranking.over_seeds(found, NO_BOUNDS)) if found else "-"


def _of_table(group: Sequence[Json], table: str) -> list[Json]:
    return [row["tables"][table] for row in group if table in row["tables"]]


def _code(label: str) -> str:
    return f"`{label}`" if label in suite.PANEL else label


# The columns of the table of all agents behind label and rating, from the results of a label and of all labels
COLUMNS: dict[str, Callable[[Sequence[Json], Rows], str]] = {
    "held-out": lambda own, _: _suite(own, "held_out"),
    "public": lambda own, _: _suite(own, "public"),
    "best exploiter": lambda own, _: _exploited(own),
    "exact": lambda own, _: _exact(own),
    "with partners": _with_partners,
    "inputs": lambda own, _: _agreed([row["training"].get("inputs") for row in own]),
    "met": lambda own, _: _met(own),
    "seeds": lambda own, _: str(len({row["training"].get("seed") for row in own} - {None}) or "-"),
    "decisions": lambda own, _: _declared(own, "decisions", 0),
    "CPU minutes": lambda own, _: _declared(own, "cpu_minutes", 1),
    "ms": lambda own, _: f"{np.mean([result[TIME] for row in own for result in row['tables'].values()]):.2g}",
    "complete": lambda own, _: "no" if suite.missing(own) else "yes",
}
NUMBERS = ("seeds", "decisions", "CPU minutes", "ms")  # columns aligned to the right
