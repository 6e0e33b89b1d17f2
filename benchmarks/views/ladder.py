"""Show strength against thinking time: each rung against the scripted agent and against the rung below.

The picture of the page has the scores over time.
"""

from __future__ import annotations

import re
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
SAMPLES = re.compile(r"search:(?:samples=)?(\d+)\b.*")
SIZE = (7.5, 4.2)  # inches
MARK: dict[str, Any] = {"marker": "o", "markersize": 5, "capsize": 3}


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
    lines = results.to_dicts()
    times = {(line["agent"], line["table"]): line for line in lines if line["measure"] == TIME}
    rungs = [line for line in times.values() if RUNG in line["part"].split()]
    first = (rungs or lines)[0]
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
        "rungs": [_rung(line, lines) for line in rungs],
        "comparisons": [_compared(line, lines, times) for line in lines if _is(line, SCORE.name, COMPARED)],
        "ceiling": next((_lead(line) for line in lines if line["measure"] == DIFFERENCE.name), None),
    }


def _game(table: str) -> Game:
    name, *options = table.split()
    return cli.game(name, fields=options)


def _is(line: Json, measure: str, part: str) -> bool:
    return bool(line["measure"] == measure and line["part"] == part)


def _rung(time: Json, lines: list[Json]) -> Json:
    agent, samples = time["agent"], SAMPLES.fullmatch(time["agent"])
    own = [line for line in lines if (line["agent"], line["table"]) == (agent, time["table"])]
    score, below = (next((line for line in own if _is(line, SCORE.name, part)), None) for part in (BASE, BELOW))
    return {
        "agent": agent,
        "samples": int(samples[1]) if samples else None,
        "milliseconds": time["value"],
        "score": score and _score(score, lines),
        "below": below and {"against": below["others"], **_score(below, lines)},
    }


def _compared(line: Json, lines: list[Json], times: Mapping[tuple[str, str], Json]) -> Json:
    time = times.get((line["agent"], line["table"]))
    return {
        "agent": line["agent"],
        "against": line["others"],
        "game": line["table"].split()[0],
        "players": _game(line["table"]).players,
        "milliseconds": time["value"] if time else None,
        "score": _score(line, lines),
    }


def _score(score: Json, lines: list[Json]) -> Json:
    """Return the score of a pair and the share of its games that were truncated."""
    key = ("agent", "others", "table", "part")
    same = (line for line in lines if all(line[name] == score[name] for name in key))
    return {**_lead(score), "truncated": next(line["value"] for line in same if line["measure"] == TRUNCATED)}


def _lead(line: Json) -> Json:
    ends = {"mean": line["value"], "low": line["low"], "high": line["high"], "n": line["deals"]}
    return {**ends, "above": line["others"]}


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
        where, score = f"{row['game']} for {row['players']}", row["score"]
        others.add_row(
            row["agent"],
            row["against"],
            where,
            time_in_words(row["milliseconds"]),
            score_in_words(score),
            deals_in_words(score),
        )
    for own in (table, others):
        if own.row_count:
            screen.print(own)


def write_pages(folder: Path, results: pl.DataFrame, command: str) -> list[Path]:
    """Write the page of a ladder and its pictures."""
    found = {**content(results), "command": command}
    page = folder / f"{found['game']}.md"
    write_ladder_page(page, found)
    return [page]


def write_ladder_page(page: Path, results: Json) -> None:
    """Write the page of a ladder and its pictures from its content."""
    pictures = write_both(page, page.stem, lambda: picture(results), "ladder")
    values: dict[str, Any] = {
        "results": results,
        "notes": _notes(results["game"]),
        "pictures": {theme: file.name for theme, file in pictures.items()},
        "score": score_in_words,
        "time": time_in_words,
        "deals": deals_in_words,
        "share": lambda score: f"{score['truncated']:.1%}" if score else "-",
        "lead": lambda score: with_ends(score["mean"], score["low"], score["high"], 3, signed=True),
    }
    write_page(page, "ladder.md", **values)


def _notes(game: str) -> str:
    """Return the hand-written notes on a game, or ""."""
    file = NOTES / f"{game}.md"
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""


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
    axes.errorbar(
        [rung["milliseconds"] for rung in points],
        *means_and_ends([rung["score"] for rung in points]),
        **MARK,
        linestyle="",
        color="C0",
    )
    for rung in points:
        place = rung["milliseconds"], rung["score"]["mean"]
        axes.annotate(rung["agent"], place, (5, -9), textcoords="offset points", fontsize=8)
    axes.set(xlabel="milliseconds per decision, one core", ylim=(-0.02, 1.02))
    axes.margins(x=0.15)
    axes.axhline(EVEN, color="#888888", linewidth=0.8)
    finish(axes)
    return figure
