"""What a study of luck found: a table on the screen; the page, its pictures and the results beside it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from tantra_envs.files import write_json
from tantra_envs.matches.intervals import estimate
from tantra_envs.workers import Run

from ..harness.formatting import number, score_in_words, with_ends, write_page
from ..harness.luck import CHECKS, without
from ..harness.themes import write_both
from .plots import picture
from .study import Answer, Question, Study, play

Row = dict[str, Any]


def write(study: Study, run: Run, command: str) -> None:
    """Play, write all files, print the table."""
    answers = play(study, run)
    rows = [_row(question, answers[name]) for name, question in study.questions.items()]
    found = {"command": command, "worlds": study.worlds, "seed": study.seed, "rows": rows}
    write_json(study.page.with_suffix(".json"), found)
    pictures = write_both(study.page, study.page.stem, lambda: picture(rows), "luck")
    known, compared = ([row for row in rows if (row["against"] is None) == alone] for alone in (True, False))
    values: dict[str, Any] = {"found": found, "known": known, "compared": compared, "checks": CHECKS}
    values |= {"score": score_in_words, "taken": taken_in_words, "width": width_in_words, "deals": deals_in_words}
    values |= {"pictures": {theme: file.name for theme, file in pictures.items()}}
    write_page(study.page, "benchmarks.luck", **values)
    screen = Console()
    screen.print(_table(rows))
    screen.print(f"kept: {study.page}, its pictures and {study.page.stem}.json; {study.folder}", soft_wrap=True)


def _row(question: Question, answer: Answer) -> Row:
    """A score with and without luck, what that took from it on the average, and how much narrower it made it."""
    plain, told = answer.scores, without(answer.scores, answer.luck)
    taken = plain - told
    most = float(abs(taken).max(initial=0.0))
    return {
        **{"title": question.game.title, "table": question.table, "players": question.game.players},
        **{"agent": question.agent, "against": question.other, "plain": asdict(estimate(plain, 0.0, 1.0))},
        **{"without": asdict(estimate(told, 0.0, 1.0)), "taken": asdict(estimate(taken, -most, most))},
        **{"factor": float(told.std() / plain.std()) if plain.std() else 1.0},
    }


def taken_in_words(row: Row) -> str:
    """What was taken from the score on the average: nothing, as far as can be told, if all is right."""
    taken = row["taken"]
    return with_ends(taken["mean"], taken["low"], taken["high"], 4, signed=True)


def width_in_words(row: Row) -> str:
    """The width of the interval without luck, in widths of the other."""
    return number(row["factor"], 3)


def deals_in_words(row: Row) -> str:
    """How many times the deals would make the plain score as sure."""
    return number(row["factor"] ** -2, 2)


def _table(rows: list[Row]) -> Table:
    table = Table("table", "player", "against", "deals", "score", "without luck", "taken", "interval")
    for row in rows:
        scores = score_in_words(row["plain"]), score_in_words(row["without"])
        place = f"{row['table']} for {row['players']}"
        told = f"{row['plain']['n']:,}", *scores, taken_in_words(row), f"x {width_in_words(row)}"
        table.add_row(place, row["agent"], row["against"] or "itself", *told)
    return table
