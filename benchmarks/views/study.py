"""Show a study: its answers as a table with one sentence above it, and a page with all figures.

The page is one HTML file that needs no other files. It is made from the results alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tantra_envs.programs import results as files
from tantra_envs.table.session import LEVELS

from ..harness import pages
from ..harness.judged import CANDIDATES
from ..harness.pages import Chart, digits, inline_svg, theme_variables, with_ends, write_page
from ..study.answers import Answer, Answers
from ..study.results import LEFT_OUT, FigureRow
from ..study.sections import measures_of

RESULTS = "results.csv"  # in the folder of a study
WIDE = 4  # with more variants, only the base has detailed sections
TITLES = {
    "seats": "Who wins from which seat?",
    "skill": "How much is skill?",
    "length": "How long is a game?",
    "tension": "How tense is it?",
    "agency": "How much do decisions matter?",
    "worth": "What is it worth?",
    "behaviour": "How do agents play?",
    "options": "What does each change of the rules do?",
}
TEXTS = {
    "skill": 'Agent A plays alone among copies of agent B ("A - B"). It plays every deal from every seat.',
    "tension": "The leader is the team that stands best at that moment: with the most points, or the fewest cards "
    "left. Win probabilities come from playouts: everything hidden from a seat is sampled, and the scripted agent "
    "plays on in every seat.",
    "agency": "One decision is drawn in every tenth of a game. In sampled deals that fit what its seat knows, the "
    "legal actions are played, and then the agent plays on in every seat. One half of the deals chooses the best "
    "action, and the other half measures its advantage. Of more than "
    f"{CANDIDATES} legal actions, the {CANDIDATES // 2} best rated ones are tried and others drawn at random.",
    "behaviour": "Each agent plays one seat or team among copies of the same opponent, over the same deals. The names "
    "are those of show losses: a phase of the game and a kind of action.",
}
TOGETHER = (
    "All rows are tested together (Holm): of twenty studies of a change that changes nothing, at most one is meant to "
    "call something clear. Brackets: 95 % intervals of single numbers. Last column: what could not be seen as clear "
    "here."
)


def load(folder: Path) -> pl.DataFrame:
    """Return the results in the folder of a study; raise ValueError if there are none."""
    return files.read(folder / RESULTS)


def results(study: pl.DataFrame) -> pl.DataFrame:
    """Return the results of a study, which are read as they are."""
    return study


def show(results: pl.DataFrame, screen: Console) -> None:
    """Print the answers, and the headline below them; all figures of a study whose sections answer no question."""
    answers = Answers(results)
    if not answers.grouped:
        for part in _parts(answers):
            screen.print(Text(part["title"], style="bold"), *map(_as_table, part["tables"]))
        return
    table = Table(*answers.heads, box=None, pad_edge=False, caption=TOGETHER, caption_justify="left")
    for text, rows in answers.grouped.items():
        table.add_row(Text(text, style="bold"))
        for own in rows:
            cells = [Text(cell) for cell in own.cells]
            table.add_row(Text("  ") + cells[0], *cells[1:], style="bold" if own.is_clear else "")
    screen.print(table)
    screen.print(f"{answers.heading}: {answers.headline}", markup=False, soft_wrap=True)


def _as_table(grid: Mapping[str, Any]) -> Table:
    """Return a table of figures for the terminal."""
    table = Table("", *grid["heads"], box=None, pad_edge=False, title=grid["caption"])
    for name, cells in grid["lines"]:
        table.add_row(Text(name), *(Text(" ".join(filter(None, cell))) for cell in cells))
    return table


def write_pages(folder: Path, results: pl.DataFrame, command: str) -> list[Path]:
    """Write the page of a study, and return it."""
    page = folder / f"{Answers(results).game.id}.html"
    write_study_page(page, results, command)
    return [page]


def write_study_page(file: Path, results: pl.DataFrame, command: str) -> None:
    """Write the page of a study from its results."""
    answers = Answers(results)
    agents = list(dict.fromkeys(row.lineup.agent for row in answers.rows))
    levels = {agent: LEVELS.get(agent.partition(":")[0], ("", ""))[1] for agent in agents}
    write_page(
        file,
        "study.html",
        command=command,
        table=str(results["table"][0]).partition(", ")[0],
        origin=results.row(0, named=True),
        title=answers.title,
        answers=answers,
        together=TOGETHER,
        notes=[(text, own.question["note"]) for text, own in answers.firsts.items()],
        picture=inline_svg(lambda: overview(answers), "overview") if answers.table else "",
        agents={agent: level for agent, level in levels.items() if level},
        wide=_is_wide(answers),
        left_out=list(results.filter(measure=LEFT_OUT)["part"]),
        parts=list(_parts(answers)),
        light=theme_variables("light"),
        dark=theme_variables("dark"),
    )


def _parts(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the sections that have figures, as the page shows them."""
    for section, title in TITLES.items():
        rows = [row for row in answers.rows if row.section == section]
        if section != "options" and _is_wide(answers):
            rows = [row for row in rows if row.variant == answers.first]
        if rows:
            measures, names = measures_of(answers.game, section), {row.measure for row in rows}
            sentences = [(name, measure.sentence) for name, measure in measures.items() if name in names]
            text, tables = TEXTS.get(section, ""), list(_grids(rows, section))
            yield {"title": title, "text": text, "sentences": sentences, "tables": tables}


def _grids(rows: Sequence[FigureRow], section: str) -> Iterator[dict[str, Any]]:
    """Yield one table with a column for each line-up; with several variants, a table for each line-up."""
    if len({row.variant for row in rows}) == 1:
        yield _grid("", rows, lambda row: (_label(row), _heading(row)))
        return
    for name in dict.fromkeys(map(_heading, rows)):
        own = [row for row in rows if _heading(row) == name]
        if section == "options":
            yield _grid(name, own, lambda row: (row.variant, _label(row)))
        else:
            yield _grid(name, own, lambda row: (_label(row), row.variant))


def _grid(caption: str, rows: Sequence[FigureRow], place: Callable[[FigureRow], tuple[str, str]]) -> dict[str, Any]:
    """Return a table with each figure at its `place`: the names of its row and of its column."""
    cells = {place(row): (_with_ends(row), _change(row)) for row in rows}
    names, heads = (list(dict.fromkeys(key[side] for key in cells)) for side in (0, 1))
    lines = [(name, [cells.get((name, head), ("-", "")) for head in heads]) for name in names]
    return {"caption": caption, "heads": heads, "lines": lines}


def _with_ends(row: FigureRow) -> str:
    return with_ends(row.value, row.low, row.high, digits(row.value))


def _change(row: FigureRow) -> str:
    return with_ends(*row.change, digits(row.value), signed=True) if row.change else ""


def _label(row: FigureRow) -> str:
    return f"{row.measure}, {row.part}" if row.part else row.measure


def _heading(row: FigureRow) -> str:
    return " - ".join(filter(None, row.lineup))


def overview(answers: Answers) -> Figure:
    """Return one picture of all answers for the agents of the headline, with a series for each variant."""
    return pages.draw_charts([_chart(head, answers) for head in answers.firsts.values()])


def _chart(head: Answer, answers: Answers) -> Chart:
    """Return the figures that answer a question, of which this is the first answer."""
    section, name, _ = head.question["measure"]
    variants = answers.variants[: 1 if _is_wide(answers) else None]
    shown = [row for row in answers.rows if (row.section, row.measure, row.lineup) == (section, name, head.row.lineup)]
    dots = [
        (row.variant, {"part": row.part or _heading(row), "mean": row.value, "low": row.low, "high": row.high})
        for row in shown
    ]
    series = {variant: [dot for own, dot in dots if own == variant] for variant in variants}
    unit = measures_of(answers.game, section)[name].unit
    parts = list(dict.fromkeys(row.part or _heading(row) for row in shown))
    return Chart(head.question["text"], parts, series, unit, head.question.get("even"))


def _is_wide(answers: Answers) -> bool:
    return len(answers.variants) > WIDE
