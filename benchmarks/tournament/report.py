"""Report a tournament: tables on the screen, and results.json, deals.parquet and pictures in its folder."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import polars
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from tantra_envs.files import write_json
from tantra_envs.matches.intervals import Estimate

from ..harness.formatting import write_png
from ..harness.lineups import members
from ..harness.outcomes import by_deal, usage, usage_table
from ..harness.parquet import write_parquet
from ..harness.playing import PROGRAMS
from ..harness.shards import Usage
from .study import Standings, Tournament, standings

DPI = 120


def write(tournament: Tournament, games: polars.DataFrame, command: str) -> None:
    """Write all files and print the tables."""
    ranking = standings(tournament.args.form, tournament.names, tournament.lineups, games)
    title = f"{tournament.args.game}, {tournament.game.players} players, {ranking.deals} deals of each line-up"
    pictures = {"ratings.png": _draw_ratings(ranking, title)}
    if ranking.payoff:
        pictures["payoff.png"] = _draw_payoff(tournament.names, ranking, title)
    for name, picture in pictures.items():
        write_png(tournament.folder / name, picture, DPI)
    write_parquet(tournament.folder / "deals.parquet", _deals(tournament, games))
    programs = usage(tournament.plan, tournament.lineups, ranking.deals)
    write_json(tournament.folder / "results.json", _content(tournament, games, ranking, programs, command))
    screen = Console()
    screen.print(_standings(ranking, title))
    if ranking.payoff:
        screen.print(_payoff(tournament.names, ranking))
    if programs:
        screen.print(usage_table(programs))
    files = ", ".join(("results.json", "deals.parquet", *pictures, "records"))
    screen.print(f"saved in {tournament.folder}: {files}", soft_wrap=True)


def _standings(ranking: Standings, title: str) -> Table:
    table = Table("", "agent", "score", "margin to next", "reward", "rating", title=f"{title}; 95 % intervals")
    for place, row in enumerate(ranking.agents, start=1):
        ends = [_two_lines(end) for end in (row.score, row.margin, row.reward)]
        table.add_row(str(place), row.agent, *ends, str(row.rating))
    return table


def _payoff(names: list[str], ranking: Standings) -> Table:
    table = Table("score against", *names)
    for name in names:
        table.add_row(name, *(_two_lines(ranking.payoff.get((name, other))) for other in names))
    return table


def _two_lines(estimate: Estimate | None) -> str:
    return str(estimate or "").replace(" ", "\n", 1)


def _content(
    tournament: Tournament, games: polars.DataFrame, ranking: Standings, programs: Usage, command: str
) -> dict[str, Any]:
    """Return the content of results.json."""
    agents = [asdict(standing) for standing in ranking.agents]
    payoff = [{"agent": one, "among": other, **asdict(cell)} for (one, other), cell in ranking.payoff.items()]
    tables = [_table(tournament, match, games.filter(match=match)) for match in tournament.lineups]
    head = {"command": command, "settings": tournament.settings, "deals": ranking.deals}
    used = {PROGRAMS: programs} if programs else {}
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
    names, rows = tournament.names, by_deal(games, "match", "agent")
    return polars.concat(
        rows.filter(match=match, agent=names[i])
        .sort("deal")
        .select(polars.lit(",".join(names[j] for j in own)).alias("lineup"), "deal", "agent", "score", "reward")
        for match, own in tournament.lineups.items()
        for i in members(own)
    )


def _draw_payoff(names: list[str], ranking: Standings, title: str) -> Figure:
    """Draw the pay-off matrix. Its diagonal is empty because agents do not play themselves."""
    size = 3.5 + 0.9 * len(names)
    figure = Figure(figsize=(size + 1, size), layout="constrained")
    axes = figure.add_subplot(xlabel="among copies of")
    axes.set_title(title, fontsize="medium")
    scores = np.full((len(names), len(names)), np.nan)
    payoff = {(names.index(one), names.index(other)): score for (one, other), score in ranking.payoff.items()}
    for cell, score in payoff.items():
        scores[cell] = score.mean
    image = axes.imshow(scores, cmap="RdYlGn", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
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
    figure = Figure(figsize=(9, 1.8 + 0.45 * len(ranking.agents)), layout="constrained")
    figure.suptitle(title, fontsize="medium")
    scores, ratings = figure.subplots(1, 2, sharey=True)
    places = range(len(ranking.agents))
    for place, standing in zip(places, ranking.agents, strict=True):
        score, rating = standing.score, standing.rating
        scores.errorbar(score.mean, place, xerr=[[score.mean - score.low], [score.high - score.mean]], **_MARK)
        ratings.errorbar(rating.mu, place, xerr=2 * rating.sigma, **_MARK)
    scores.axvline(0.5, color="grey", linewidth=0.8)
    scores.set(xlabel="score, 0.5 = even", xlim=(0, 1))
    scores.set_yticks(places, [standing.agent for standing in ranking.agents])
    scores.invert_yaxis()
    ratings.set_xlabel("OpenSkill rating, ± 2 sigma")
    return figure


_MARK: dict[str, Any] = {"fmt": "o", "color": "tab:blue", "capsize": 4}
