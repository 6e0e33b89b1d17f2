"""Report a tournament: tables on the screen, and results.json, deals.parquet and pictures in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import polars
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from tantra_envs.matches.intervals import Estimate
from tantra_envs.programs.files import write_json, write_parquet

from ..harness.lineups import members
from ..harness.pages import on_picture, usage_table, with_drawn, write_png
from ..harness.plans import PROGRAMS
from ..harness.records import means_of_deals
from .experiment import Played, Standings, Tournament

SHORT = 12  # characters of a short name


def write(tournament: Tournament, played: Played, command: str) -> None:
    """Write all files and print the tables."""
    ranking, programs = played.standings, played.programs
    title = f"{tournament.args.game}, {tournament.game.players} players, {ranking.deals} deals of each line-up"
    pictures = {"ratings.png": _draw_ratings(ranking, title)}
    if ranking.payoff:
        pictures["payoff.png"] = _draw_payoff(tournament.names, ranking, title)
    for name, picture in pictures.items():
        write_png(tournament.folder / name, picture)
    write_parquet(tournament.folder / "deals.parquet", _deals(tournament, played.games))
    write_json(tournament.folder / "results.json", _content(tournament, played, command))
    screen = Console()
    labels = dict(zip(tournament.names, with_drawn(tournament.names, programs), strict=True))
    screen.print(_standings(labels, ranking, title))
    if ranking.payoff:
        screen.print(_payoff(labels, ranking))
    if programs:
        screen.print(usage_table(programs))
    files = ", ".join(("results.json", "deals.parquet", *pictures, "records"))
    screen.print(f"saved in {tournament.folder}: {files}", soft_wrap=True)


def _standings(labels: Mapping[str, str], ranking: Standings, title: str) -> Table:
    table = Table("", "agent", "score", "margin to next", "reward", "rating", title=f"{title}; 95 % intervals")
    for place, row in enumerate(ranking.agents, start=1):
        ends = [_two_lines(end) for end in (row.score, row.margin, row.reward)]
        table.add_row(str(place), labels[row.agent], *ends, str(row.rating))
    return table


def _payoff(labels: Mapping[str, str], ranking: Standings) -> Table:
    table = Table("score against", *labels.values())
    for name, label in labels.items():
        table.add_row(label, *(_two_lines(ranking.payoff.get((name, other))) for other in labels))
    return table


def _two_lines(estimate: Estimate | None) -> str:
    return str(estimate or "").replace(" ", "\n", 1)


def _content(tournament: Tournament, played: Played, command: str) -> dict[str, Any]:
    """Return the content of results.json."""
    ranking = played.standings
    agents = [asdict(standing) for standing in ranking.agents]
    payoff = [{"agent": one, "among": other, **asdict(cell)} for (one, other), cell in ranking.payoff.items()]
    tables = [_table(tournament, match, played.games.filter(match=match)) for match in tournament.lineups]
    head = {"command": command, "settings": tournament.settings, "deals": ranking.deals}
    used = {PROGRAMS: played.programs} if played.programs else {}
    return {**head, "standings": agents, "payoff": payoff, "lineups": tables, **used}


def _table(tournament: Tournament, match: str, games: polars.DataFrame) -> dict[str, Any]:
    """Return the results of one line-up, with mean scores."""
    lineup, names = tournament.lineups[match], tournament.names
    means = dict(games.group_by("agent").agg(polars.col("score").mean()).iter_rows())
    scores = {names[i]: means[names[i]] for i in members(lineup)}
    lengths = {name: games[name].mean() for name in ("plies", "truncated")}
    return {"teams": [names[i] for i in lineup], **lengths, "scores": scores}


def _deals(tournament: Tournament, games: polars.DataFrame) -> polars.DataFrame:
    """Return a row for every line-up, deal and agent, with means over the rotations."""
    names, rows = tournament.names, means_of_deals(games, "match", "agent")
    return polars.concat(
        rows.filter(match=match, agent=names[i])
        .sort("deal")
        .select(polars.lit(",".join(names[j] for j in own)).alias("lineup"), "deal", "agent", "score", "reward")
        for match, own in tournament.lineups.items()
        for i in members(own)
    )


def _draw_payoff(names: list[str], ranking: Standings, title: str) -> Figure:
    """Draw the pay-off matrix. Its diagonal is empty because agents do not play themselves."""
    labels = list(map(on_picture, names))
    size = 3.5 + 0.9 * len(names) + _room(labels)
    figure = Figure(figsize=(size + 1, size), layout="constrained")
    axes = figure.add_subplot(xlabel="among copies of")
    axes.set_title(title, fontsize="medium")
    scores = np.full((len(names), len(names)), np.nan)
    payoff = {(names.index(one), names.index(other)): score for (one, other), score in ranking.payoff.items()}
    for cell, score in payoff.items():
        scores[cell] = score.mean
    image = axes.imshow(scores, cmap="RdYlGn", vmin=0, vmax=1)
    slanted = {"rotation": 90} if _room(labels) else {"rotation": 30, "ha": "right"}
    axes.set_xticks(range(len(names)), labels, **slanted)
    axes.set_yticks(range(len(names)), labels)
    for (i, j), estimate in payoff.items():
        ink = "black" if 0.15 < estimate.mean < 0.85 else "white"
        axes.text(
            j,
            i,
            f"{estimate.mean:.2f}\n± {(estimate.high - estimate.low) / 2:.2f}",
            ha="center",
            va="center",
            color=ink,
        )
    figure.colorbar(image, ax=axes, label="score, 0.5 = even", shrink=0.8)
    return figure


def _draw_ratings(ranking: Standings, title: str) -> Figure:
    """Draw scores and ratings with their intervals, the best agent at the top."""
    labels = [on_picture(standing.agent) for standing in ranking.agents]
    height = sum(0.25 + 0.2 * len(label.splitlines()) for label in labels)
    figure = Figure(figsize=(9 + _room(labels), 1.8 + height), layout="constrained")
    figure.suptitle(title, fontsize="medium")
    scores, ratings = figure.subplots(1, 2, sharey=True)
    places = range(len(ranking.agents))
    for place, standing in zip(places, ranking.agents, strict=True):
        score, rating = standing.score, standing.rating
        scores.errorbar(score.mean, place, xerr=[[score.mean - score.low], [score.high - score.mean]], **_MARK)
        ratings.errorbar(rating.mu, place, xerr=2 * rating.sigma, **_MARK)
    scores.axvline(0.5, color="grey", linewidth=0.8)
    scores.set(xlabel="score, 0.5 = even", xlim=(0, 1))
    scores.set_yticks(places, labels)
    scores.invert_yaxis()
    ratings.set_xlabel("OpenSkill rating, ± 2 sigma")
    return figure


def _room(labels: list[str]) -> float:
    """Return the inches that labels need beyond those of short names."""
    longest = max(len(line) for label in labels for line in label.splitlines())
    return 0.09 * max(0, longest - SHORT)


_MARK: dict[str, Any] = {"fmt": "o", "color": "tab:blue", "capsize": 4}
