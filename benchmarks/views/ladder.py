"""Show strength against thinking time: each rung against the scripted agent and against the rung below.

The picture of the page has the scores over time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from tantra_envs.core.game import Game
from tantra_envs.measures import mean
from tantra_envs.programs import cli
from tantra_envs.programs import results as files
from tantra_envs.programs.files import Json

from ..harness.figures import EVEN, SCORE, average, figures
from ..harness.oracle import ORACLE
from ..harness.pages import finish, means_and_ends, number, score_in_words, with_ends, write_both, write_page
from ..harness.played import Played
from ..harness.records import means_of_deals

BASE, BELOW, COMPARED = "scripted", "below", "compared"  # tags: against the scripted agent, the rung below, others
ASIDE = (ORACLE, "ismcts")  # agents without a budget in samples: no rung is measured against them as the rung below
DIFFERENCE = mean("difference", "The difference of two scores over the same deals.", bounds=(-1.0, 1.0))
TIME, TRUNCATED, RUNG = "milliseconds", "truncated games", "rung"
NOTES = Path(__file__).with_name("notes")
SIZE = (7.5, 4.2)  # inches
MARK: dict[str, Any] = {"marker": "o", "markersize": 5, "capsize": 3, "linestyle": "", "color": "C0"}


def results(played: Played) -> pl.DataFrame:
    """Return the times, the scores by tag, the truncated games, and the lead of the open-card search."""
    return files.table(_lines(played), "ladder")


def _lines(played: Played) -> Iterator[dict[str, Any]]:
    own = {row.name: played.facts(row) for row in played.rows}
    for time in played.times:
        yield files.line(time, TIME, time, time["part"])
    scores = {row["match"]: row for row in played.scores.iter_rows(named=True)}
    for row in played.rows:
        truncated = played.games.filter(match=row.name)["truncated"].mean()
        for tag in row.tags or (COMPARED,):
            yield files.line(own[row.name], SCORE.name, scores[row.name], tag)
            yield files.line(own[row.name], TRUNCATED, {"value": truncated, "deals": row.deals}, tag)
    yield from _ceiling(played, own)


def _ceiling(played: Played, facts: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the score of the open-card search minus that of the highest rung, over the deals that both played."""
    rungs = [row for row in played.rows if BASE in row.tags]
    oracle = next((row for row in rungs if facts[row.name]["agent"] == ORACLE), None)
    highest = next((row for row in reversed(rungs) if facts[row.name]["agent"].partition(":")[0] not in ASIDE), None)
    if oracle and highest:
        lone = means_of_deals(played.games.filter("alone"), "match")
        above, below = (lone.filter(match=row.name) for row in (oracle, highest))
        change = average(DIFFERENCE, pl.col("score") - pl.col("score_below"))
        (row,) = figures(above.join(below, on="deal", suffix="_below"), [change]).iter_rows(named=True)
        yield files.line({**facts[oracle.name], "others": facts[highest.name]["agent"]}, DIFFERENCE.name, row)


def content(results: pl.DataFrame) -> Json:
    """Return the rungs, the comparisons and the lead of the open-card search, as the tables and pages show them."""
    results = results.with_columns(mean="value", n="deals")
    times, scores = results.filter(measure=TIME), _scores(results)
    rungs = times.filter(pl.col("part").str.split(" ").list.contains(RUNG)).to_dicts()
    by_part = {(score["agent"], score["table"], score["part"]): score for score in scores}
    first = (rungs or results.to_dicts())[0]
    name, _, options = first["table"].partition(" ")
    game = _game(first["table"])
    return {
        "title": game.title,
        "game": game.id,
        "table": name,
        "players": game.players,
        "teams": len(game.teams),
        "config": options.split()[1:],
        "seed": first["seed"],
        "rungs": [
            {
                "agent": line["agent"],
                "milliseconds": line["value"],
                "score": by_part.get((line["agent"], line["table"], BASE)),
                "below": by_part.get((line["agent"], line["table"], BELOW)),
            }
            for line in rungs
        ],
        "comparisons": [
            {**score, "game": score["table"].split()[0], "players": _game(score["table"]).players}
            for score in scores
            if score["part"] == COMPARED
        ],
        "ceiling": next(results.filter(measure=DIFFERENCE.name).iter_rows(named=True), None),
    }


def _game(table: str) -> Game:
    name, *options = table.split()
    return cli.game(name, fields=options)


def _scores(results: pl.DataFrame) -> list[Json]:
    """Return the scores of all pairs, with the share of their games that were truncated and the time of the agent."""
    pair = ["agent", "others", "table", "part"]
    truncated = results.filter(measure=TRUNCATED).select(*pair, truncated="value")
    times = results.filter(measure=TIME).select("agent", "table", milliseconds="value")
    scores = results.filter(measure=SCORE.name).join(truncated, on=pair, how="left", maintain_order="left")
    return scores.join(times, on=["agent", "table"], how="left", maintain_order="left").to_dicts()


def show(results: pl.DataFrame, screen: Console) -> None:
    """Print a line for every rung, and for every other comparison."""
    found = content(results)
    table = Table("", "ms per decision", "against scripted", "deals", "against the rung below", "deals")
    for rung in found["rungs"]:
        score, below = rung["score"], rung["below"]
        cells = [time_in_words(rung["milliseconds"]), score_in_words(score), deals_in_words(score)]
        table.add_row(rung["agent"], *cells, score_in_words(below), deals_in_words(below))
    others = Table("", "against", "table", "ms per decision", "score", "deals")
    for row in found["comparisons"]:
        cells = [time_in_words(row["milliseconds"]), score_in_words(row), deals_in_words(row)]
        others.add_row(row["agent"], row["others"], f"{row['game']} for {row['players']}", *cells)
    for own in (table, others):
        if own.row_count:
            screen.print(own)


def write_pages(folder: Path, results: pl.DataFrame, command: str) -> list[Path]:
    """Write the page of a ladder and its pictures."""
    page = folder / f"{_game(results['table'][0]).id}.md"
    write_ladder_page(page, results, command)
    return [page]


def write_ladder_page(page: Path, results: pl.DataFrame, command: str) -> None:
    """Write the page of a ladder and its pictures from its results."""
    found = content(results)
    pictures = write_both(page, page.stem, lambda: picture(found), "ladder")
    notes = NOTES / f"{found['game']}.md"
    write_page(
        page,
        "ladder.md",
        command=command,
        results=found,
        notes=notes.read_text(encoding="utf-8").strip() if notes.exists() else "",
        pictures={theme: file.name for theme, file in pictures.items()},
        score=score_in_words,
        time=time_in_words,
        deals=deals_in_words,
        share=lambda score: f"{score['truncated']:.1%}" if score else "-",
        lead=lambda score: with_ends(score["mean"], score["low"], score["high"], 3, signed=True),
    )


def deals_in_words(score: Json | None) -> str:
    """Return the number of deals of a score as text, "-" where nothing was played."""
    return f"{score['n']:,}" if score else "-"


def time_in_words(milliseconds: float | None) -> str:
    """Return milliseconds with about two significant digits, "-" for an agent that was not timed."""
    if milliseconds is None:
        return "-"
    return number(milliseconds, 0 if milliseconds >= 10 else 1 if milliseconds >= 1 else 2)


def picture(results: Json) -> Figure:
    """Draw every agent by its time. The scripted agent gets 0.5 against itself."""
    figure = Figure(figsize=SIZE, layout="constrained")
    figure.suptitle(f"{results['title']} for {results['players']}: score against the scripted agent, 95 % intervals")
    axes, rungs = figure.subplots(), results["rungs"]
    points = [{**rung, "score": rung["score"] or {"mean": EVEN, "low": EVEN, "high": EVEN}} for rung in rungs]
    axes.set_xscale("log")
    times, scores = [rung["milliseconds"] for rung in points], [rung["score"] for rung in points]
    axes.errorbar(times, *means_and_ends(scores), **MARK)
    for rung in points:
        place = rung["milliseconds"], rung["score"]["mean"]
        axes.annotate(rung["agent"], place, (5, -9), textcoords="offset points", fontsize=8)
    axes.set(xlabel="milliseconds per decision, one core", ylim=(-0.02, 1.02))
    axes.margins(x=0.15)
    axes.axhline(EVEN, color="#888888", linewidth=0.8)
    finish(axes)
    return figure
