"""Report a ladder: its results as plain numbers in a JSON file, a table on the screen, and a page.

The page has two pictures: the scores over log2(samples), and over time.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from agents import Agent
from tantra_envs.measures import mean
from tantra_envs.opponents.search import Search
from tantra_envs.programs.files import Json

from ..harness.figures import EVEN, average, estimate, figures
from ..harness.oracle import ORACLE
from ..harness.pages import (
    finish,
    means_and_ends,
    number,
    provenance,
    score_in_words,
    usage_table,
    with_ends,
    write_both,
    write_page,
    write_results,
)
from .experiment import BASE, Climb, Ladder, Pairing, Rung, climbs, seat_of

DIFFERENCE = mean("difference", "The difference of two scores over the same deals.", bounds=(-1.0, 1.0))
NOTES = Path(__file__).with_name("notes")
SIZE = (10.0, 4.2)  # inches
FAR_BELOW = 0.4  # lower scores would flatten the left panel
MARK: dict[str, Any] = {"marker": "o", "markersize": 5, "capsize": 3}


def write(ladder: Ladder, climb: Climb, command: str) -> None:
    """Write all files and print the table."""
    results = content(ladder, climb, command)
    write_results(results, ladder.folder / "results.json", ladder.args.results)
    write_ladder_page(ladder.folder / f"{ladder.game.id}.md", results)
    screen = Console()
    screen.print(_table(results))
    if climb.programs:
        screen.print(usage_table(climb.programs))
    screen.print(f"saved in {ladder.folder}: results.json, {ladder.game.id}.md and its pictures", soft_wrap=True)


def content(ladder: Ladder, climb: Climb, command: str) -> Json:
    """Return the command, the settings, the rungs, the comparisons, and the lead of the open-card search."""
    return {
        **provenance(command, ladder.args.seed),
        "title": ladder.game.title,
        "table": ladder.args.game,
        "players": ladder.game.players,
        "teams": len(ladder.game.teams),
        "settings": ladder.settings,
        "rungs": [_rung(ladder, rung, climb) for rung in ladder.rungs],
        "comparisons": [_comparison(pairing, climb) for pairing in ladder.comparisons],
        "ceiling": _ceiling(ladder, climb),
    }


def _rung(ladder: Ladder, rung: Rung, climb: Climb) -> Json:
    return {
        "agent": rung.agent.name,
        "samples": _samples(rung.agent),
        "milliseconds": climb.milliseconds[seat_of(ladder.game, ladder.args.game, rung.agent)],
        "score": rung.scripted and _score(rung.scripted, climb),
        "below": rung.below and {"against": rung.below.other.name, **_score(rung.below, climb)},
        "exploited": rung.exploited and {"by": rung.exploited.agent.name, **_score(rung.exploited, climb)},
    }


def _samples(agent: Agent) -> int | None:
    """Return the samples of a search agent; None for other agents and for the open-card search."""
    return agent.budget.samples if isinstance(agent, Search) and agent.name != ORACLE else None


def _comparison(pairing: Pairing, climb: Climb) -> Json:
    return {
        "agent": pairing.agent.name,
        "against": pairing.other.name,
        "game": pairing.match.game,
        "players": pairing.game.players,
        "milliseconds": climb.milliseconds[seat_of(pairing.game, pairing.match.game, pairing.agent)],
        "score": _score(pairing, climb),
    }


def _score(pairing: Pairing, climb: Climb) -> Json:
    """Return the score of a pairing and the share of its games that were truncated."""
    score = estimate(climb.scores.row(by_predicate=pl.col("match") == pairing.records, named=True))
    return {**asdict(score), "truncated": climb.games.filter(match=pairing.records)["truncated"].mean()}


def _ceiling(ladder: Ladder, climb: Climb) -> Json | None:
    """Return the score of the open-card search minus that of the highest rung, over the deals that both played."""
    oracle = next((rung.scripted for rung in ladder.rungs if rung.agent.name == ORACLE), None)
    highest = next((rung for rung in reversed(ladder.rungs) if climbs(rung.agent.name)), None)
    if oracle is None or highest is None or highest.scripted is None:
        return None
    above, below = (climb.lone.filter(match=pairing.records) for pairing in (oracle, highest.scripted))
    change = average(DIFFERENCE, pl.col("score") - pl.col("score_below"))
    ((row,),) = [figures(above.join(below, on="deal", suffix="_below"), [change]).iter_rows(named=True)]
    return {"above": highest.agent.name, **asdict(estimate(row))}


def _table(results: Json) -> Table:
    heads = "", "ms per decision", "against scripted", "deals", "against the rung below", "deals", "exploited by"
    exploits = any(rung["exploited"] for rung in results["rungs"])
    table = Table(*(heads if exploits else heads[:-1]))
    for rung in results["rungs"]:
        score, below = rung["score"], rung["below"]
        cells = [time_in_words(rung["milliseconds"]), score_in_words(score), deals_in_words(score)]
        cells += [score_in_words(below), deals_in_words(below)]
        table.add_row(rung["agent"], *cells, *([score_in_words(rung["exploited"])] if exploits else []))
    return table


def write_ladder_page(page: Path, results: Json) -> None:
    """Write the page of a ladder and its pictures from its results."""
    pictures = write_both(page, page.stem, lambda: picture(results), "ladder")
    values: dict[str, Any] = {
        "results": results,
        "config": results["settings"]["config"],
        "notes": _notes(results["settings"]["game"].rpartition("_")[0]),
        "pictures": {theme: file.name for theme, file in pictures.items()},
        "score": score_in_words,
        "time": time_in_words,
        "deals": deals_in_words,
        "ceiling": ceiling_in_words(results),
        "cut_off": _cut_off(results),
    }
    write_page(page, "benchmarks.ladder", **values)


def _notes(game: str) -> str:
    """Return the hand-written notes on a game, or ""."""
    file = NOTES / f"{game}.md"
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""


def deals_in_words(score: Json | None) -> str:
    """Return the number of deals of a score as text, "-" where nothing was played."""
    return f"{score['n']:,}" if score else "-"


def time_in_words(milliseconds: float) -> str:
    """Return milliseconds with about two significant digits."""
    return number(milliseconds, 0 if milliseconds >= 10 else 1 if milliseconds >= 1 else 2)


def ceiling_in_words(results: Json) -> str:
    """Return sentences that compare the open-card search with the highest rung; "" if it was not played."""
    ceiling = results["ceiling"]
    if ceiling is None:
        return ""
    scores = {rung["agent"]: rung["score"] for rung in results["rungs"]}
    top, oracle = scores[ceiling["above"]]["mean"] - EVEN, scores[ORACLE]["mean"] - EVEN
    left = with_ends(ceiling["mean"], ceiling["low"], ceiling["high"], 3, signed=True)
    words = "The open-card search (`oracle`) is the same search on the true table. Its score minus that of "
    words += f"`{ceiling['above']}` is {left}, over the deals that both played."
    return f"{words} `{ceiling['above']}` reaches {100 * top / oracle:.0f} % of its gain." if oracle > 0 else words


def _cut_off(results: Json) -> list[tuple[str, float]]:
    """Return the pairs of agents with truncated games, and the share of these games."""
    rungs = [(rung["agent"], against, rung[against]) for rung in results["rungs"] for against in ("score", "below")]
    met = [(agent, BASE if against == "score" else score["against"], score) for agent, against, score in rungs if score]
    met += [(row["agent"], row["against"], row["score"]) for row in results["comparisons"]]
    shares = {f"`{agent}` against `{other}`": score["truncated"] for agent, other, score in met}
    return [(words, share) for words, share in shares.items() if share > 0]


def picture(results: Json) -> Figure:
    """Draw the searches by their samples on the left, and all agents by their time on the right."""
    figure = Figure(figsize=SIZE, layout="constrained")
    figure.suptitle(f"{results['title']} for {results['players']}: score against the scripted agent, 95 % intervals")
    by_samples, by_time = figure.subplots(1, 2)
    _by_samples(by_samples, results["rungs"])
    _by_time(by_time, results["rungs"])
    return figure


def _by_samples(axes: Axes, rungs: list[Json]) -> None:
    """Draw the searches by their samples, and every other strong agent as a line with a band."""
    searches = [rung for rung in rungs if rung["samples"] and rung["score"]]
    others = [rung for rung in rungs if not rung["samples"] and rung["score"] and rung["score"]["mean"] > FAR_BELOW]
    samples = [rung["samples"] for rung in searches]
    if searches:
        axes.set_xscale("log", base=2)
        axes.errorbar(
            samples, *means_and_ends([rung["score"] for rung in searches]), **MARK, color="C0", label="search"
        )
        axes.set_xticks(samples, list(map(str, samples)))
        axes.minorticks_off()
    for i, rung in enumerate(others, start=1):
        axes.axhline(rung["score"]["mean"], color=f"C{i}", linestyle="--", label=rung["agent"])
        axes.axhspan(rung["score"]["low"], rung["score"]["high"], color=f"C{i}", alpha=0.15, linewidth=0)
    axes.set(xlabel="samples, log2", ylabel="score, 0.5 = even")
    _finish(axes)
    axes.legend(frameon=False, fontsize=9)


def _by_time(axes: Axes, rungs: list[Json]) -> None:
    """Draw every agent by its time. The scripted agent gets 0.5 against itself."""
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
    _finish(axes)


def _finish(axes: Axes) -> None:
    axes.axhline(EVEN, color="#888888", linewidth=0.8)
    finish(axes)
