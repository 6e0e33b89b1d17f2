"""Report a ladder: its results as plain numbers in a JSON file, a table on the screen, and a page."""

from __future__ import annotations

from dataclasses import asdict

import polars as pl
from rich.console import Console
from rich.table import Table

from agents import Agent
from tantra_envs.measures import mean
from tantra_envs.opponents.search import Search

from ..harness.figures import average, estimate, figures
from ..harness.oracle import ORACLE
from ..harness.pages import Row, provenance, score_in_words, usage_table, write_results
from .page import deals_in_words, time_in_words, write_ladder_page
from .study import Climb, Ladder, Pairing, Rung, climbs, seat_of

DIFFERENCE = mean("difference", "The difference of two scores over the same deals.", bounds=(-1.0, 1.0))


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


def content(ladder: Ladder, climb: Climb, command: str) -> Row:
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


def _rung(ladder: Ladder, rung: Rung, climb: Climb) -> Row:
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


def _comparison(pairing: Pairing, climb: Climb) -> Row:
    return {
        "agent": pairing.agent.name,
        "against": pairing.other.name,
        "game": pairing.match.game,
        "players": pairing.game.players,
        "milliseconds": climb.milliseconds[seat_of(pairing.game, pairing.match.game, pairing.agent)],
        "score": _score(pairing, climb),
    }


def _score(pairing: Pairing, climb: Climb) -> Row:
    """Return the score of a pairing and the share of its games that were truncated."""
    score = estimate(climb.scores.row(by_predicate=pl.col("match") == pairing.records, named=True))
    return {**asdict(score), "truncated": climb.games.filter(match=pairing.records)["truncated"].mean()}


def _ceiling(ladder: Ladder, climb: Climb) -> Row | None:
    """Return the score of the open-card search minus that of the highest rung, over the deals that both played."""
    oracle = next((rung.scripted for rung in ladder.rungs if rung.agent.name == ORACLE), None)
    highest = next((rung for rung in reversed(ladder.rungs) if climbs(rung.agent.name)), None)
    if oracle is None or highest is None or highest.scripted is None:
        return None
    above, below = (climb.lone.filter(match=pairing.records) for pairing in (oracle, highest.scripted))
    change = average(DIFFERENCE, pl.col("score") - pl.col("score_below"))
    ((row,),) = [figures(above.join(below, on="deal", suffix="_below"), [change]).iter_rows(named=True)]
    return {"above": highest.agent.name, **asdict(estimate(row))}


def _table(results: Row) -> Table:
    heads = "", "ms per decision", "against scripted", "deals", "against the rung below", "deals", "exploited by"
    exploits = any(rung["exploited"] for rung in results["rungs"])
    table = Table(*(heads if exploits else heads[:-1]))
    for rung in results["rungs"]:
        score, below = rung["score"], rung["below"]
        cells = [time_in_words(rung["milliseconds"]), score_in_words(score), deals_in_words(score)]
        cells += [score_in_words(below), deals_in_words(below)]
        table.add_row(rung["agent"], *cells, *([score_in_words(rung["exploited"])] if exploits else []))
    return table
