"""Show a study: its answers as a table with one sentence above it, and a page with all figures.

The page is one HTML file that needs no other files. It is made from the results alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tantra_envs.programs import results as files
from tantra_envs.table.session import LEVELS

from ..harness.judged import CANDIDATES
from ..harness.pages import PLAYERS, digits, finish, inline_svg, means_and_ends, theme_variables, with_ends, write_page
from ..study.answers import Answer, Answers
from ..study.results import LEFT_OUT, VIEW, FigureRow, measures_of

WIDTH, LOW = 9.0, 2.3  # inches
GREY = "#888888"
SIDE = 0.6  # share of the room of a part that its series use
LETTERS = 70  # with more letters in all labels of a panel of this width, the labels are slanted
POINT: dict[str, Any] = {"linestyle": "", "markersize": 4, "capsize": 2}
MARKERS = "osD^vPX*"  # of series
SHARES = ("score", "share")  # units of values from 0 to 1
NARROWEST = 0.2  # the smallest range of an axis: of shares, or relative to the values
ACROSS = 3  # panels side by side
WIDE = 4  # with more variants, only the base has detailed sections
TITLES = {
    "seats": "Who wins from which seat?",
    "skill": "How much is skill?",
    "length": "How long is a game?",
    "tension": "How tense is it?",
    "agency": "How much do decisions matter?",
    "worth": "What is it worth?",
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
}
TOGETHER = (
    "All rows are tested together (Holm): of twenty studies of a change that changes nothing, at most one is meant to "
    "call something clear. Brackets: 95 % intervals of single numbers. Last column: what could not be seen as clear "
    "here."
)


def load(folder: Path) -> pl.DataFrame:
    """Return the results in the folder of a study; raise ValueError if there are none."""
    return files.read(folder / files.RESULTS, VIEW)


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
    screen.print(answers.headline, markup=False, soft_wrap=True)


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
        picture=inline_svg(lambda: overview(answers)) if answers.firsts else "",
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
    cells = {}
    for row in rows:
        places = digits(row.value)
        change = with_ends(*row.change, places, signed=True) if row.change else ""
        cells[place(row)] = with_ends(row.value, row.low, row.high, places), change
    names, heads = (list(dict.fromkeys(key[side] for key in cells)) for side in (0, 1))
    lines = [(name, [cells.get((name, head), ("-", "")) for head in heads]) for name in names]
    return {"caption": caption, "heads": heads, "lines": lines}


def _label(row: FigureRow) -> str:
    return f"{row.measure}, {row.part}" if row.part else row.measure


def _heading(row: FigureRow) -> str:
    return " - ".join(filter(None, row.lineup))


def overview(answers: Answers) -> Figure:
    """Draw all answers for the agents of the headline side by side, each in its own unit, with a series by variant."""
    shown = [(head, _rows_of(head, answers)) for head in answers.firsts.values()]
    across = min(len(shown), ACROSS)
    down = -(-len(shown) // across)
    slanted = [sum(len(part) + 2 for part in _parts_of(rows)) * across > LETTERS for _, rows in shown]
    figure = Figure(figsize=(WIDTH, down * (LOW + 0.6 * any(slanted))), layout="constrained")
    every = figure.subplots(down, across, squeeze=False).ravel()
    for axes in every[len(shown) :]:
        axes.set_visible(False)
    variants = answers.variants[: 1 if _is_wide(answers) else None]
    for axes, (head, rows), slant in zip(every, shown, slanted, strict=False):
        parts = _parts_of(rows)
        _dots(axes, parts, rows, variants)
        turned: dict[str, Any] = {"rotation": 30, "ha": "right"} if slant else {"rotation": 0, "ha": "center"}
        axes.set_xticks(range(len(parts)), parts, **turned)
        if (even := head.question.get("even")) is not None:
            axes.axhline(even, color=GREY, linewidth=0.8)
        finish(axes)
        unit = measures_of(answers.game, head.row.section)[head.row.measure].unit
        (low, high), least = axes.get_ylim(), NARROWEST
        least *= 1 if unit in SHARES else max(abs(low), abs(high))
        more = max(0.0, least - (high - low)) / 2  # else a difference of nothing would look as large
        axes.set_ylim(low - more, high + more)
        axes.set_title(head.question["text"], fontsize=10)
        axes.set_ylabel(unit, fontsize=8)
    if len(variants) > 1:  # one legend for all panels
        handles = [pair for axes in figure.axes for pair in zip(*axes.get_legend_handles_labels(), strict=True)]
        named = {label: handle for handle, label in handles}
        legend = [named[name] for name in variants]
        figure.legend(legend, variants, frameon=False, fontsize=8, loc="outside lower left")
    return figure


def _rows_of(head: Answer, answers: Answers) -> list[FigureRow]:
    """Return the figures that answer a question, of which this is the first answer."""
    about = (*head.question["measure"][:2], head.row.lineup)
    return [row for row in answers.rows if (row.section, row.measure, row.lineup) == about]


def _parts_of(rows: Sequence[FigureRow]) -> list[str]:
    return list(dict.fromkeys(row.part or _heading(row) for row in rows))


def _dots(axes: Axes, parts: Sequence[str], rows: Sequence[FigureRow], variants: Sequence[str]) -> None:
    """Draw a group of dots with intervals for each part, and in it one for each variant."""
    for i, variant in enumerate(variants):
        own = [row for row in rows if row.variant == variant]
        side = SIDE * ((i + 0.5) / len(variants) - 0.5)
        at, look = [parts.index(row.part or _heading(row)) + side for row in own], MARKERS[i % len(MARKERS)]
        dots = [{"mean": row.value, "low": row.low, "high": row.high} for row in own]
        axes.errorbar(at, *means_and_ends(dots), label=variant, color=f"C{i % PLAYERS}", marker=look, **POINT)
    axes.set_xlim(-0.6, len(parts) - 0.4)


def _is_wide(answers: Answers) -> bool:
    return len(answers.variants) > WIDE
