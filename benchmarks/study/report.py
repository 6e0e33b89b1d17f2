"""Report a study: its page, its figures as JSON and Parquet, and a short table and the headline on the screen.

The page is one HTML file that needs no other files. It is made from results alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tantra_envs.programs.files import write_parquet
from tantra_envs.table.lobby import LEVELS

from ..harness import pages
from ..harness.judged import CANDIDATES
from ..harness.lineups import TRAINED
from ..harness.pages import (
    Chart,
    Dot,
    digits,
    inline_svg,
    theme_variables,
    usage_table,
    with_ends,
    write_page,
    write_results,
)
from . import decisions
from .answers import Answers, Question, title
from .experiment import Counts, Study
from .results import FigureRow, Results, Topic, content, figures_of_study, is_map, rows_of, topics_of
from .tally import LENGTH, MEDIAN, SEAT

REDIRECTED = 200  # columns of the output if it is not a terminal
LONG = 8  # tables with more rows are folded away below their picture
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
    "behaviour": "Each agent plays one seat or team among copies of the same opponent, over the same deals. The second "
    "line of a cell is the paired difference from that opponent, or from the base variant.",
    "options": "Changes whose interval excludes 0 are bold; one in twenty does so by chance. In the picture, lengths "
    "are relative to the base.",
}
TEXT_OF_MAP = (
    "Every option of the game is changed on its own. Clear changes are bold: all changes of the table are tested "
    "together, by the method of Holm, so that one in twenty tables has a bold change by chance. In the picture, "
    "lengths are relative to the base."
)
TOGETHER = (
    "All rows are tested together (Holm): of twenty studies of a change that changes nothing, about one calls "
    "something clear. Brackets: 95 % intervals of single numbers. Last column: what could not be seen as clear here."
)
JOINED = {  # by group: the measures that are split by it, and what they split
    group: {decisions.grouped(measure.name, group): measure.name for measure in decisions.VALUES}
    for group in decisions.GROUPS
}
# Measures that are only in results.json, or shown together with others.
HIDDEN = ("score by number", *(name for names in JOINED.values() for name in names))


class Cell(NamedTuple):
    """A figure in a table: its value and its change from the base, and whether each of them is bold."""

    value: str
    change: str
    is_sure: bool
    is_changed: bool


NOTHING = Cell("-", "", False, False)


@dataclass(frozen=True)
class Grid:
    """Rows of cells, each cell under a heading."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]


@dataclass(frozen=True)
class Exhibit:
    """One measure, or all single numbers of a section."""

    title: str
    sentences: Sequence[tuple[str, str]]  # names ("" for the one of the title) and their sentences
    picture: str  # SVG, or ""
    tables: Sequence[Grid]
    folded: bool


@dataclass(frozen=True)
class Part:
    """A section of the page."""

    title: str
    text: str
    exhibits: Sequence[Exhibit]


def write(study: Study, counts: Counts, command: str) -> None:
    """Write all files and print the headlines."""
    every = figures_of_study(study, counts)
    results = content(study, every, command, counts)
    write_results(results, study.folder / "results.json", study.args.results)
    write_parquet(study.folder / "figures.parquet", every.table)
    page = study.folder / f"{study.games[study.base].id}.html"
    write_study_page(page, results)
    screen = Console()
    screen = screen if screen.is_terminal else Console(width=REDIRECTED)
    answers = Answers(results, rows_of(results))
    if answers.grouped:
        screen.print(_on_screen(answers))
    if answers.rows:
        screen.print(f"{answers.heading}: {answers.headline}", markup=False, soft_wrap=True)
    if counts.programs:
        screen.print(usage_table(counts.programs))
    screen.print(f"saved in {study.folder}: {page.name}, results.json, figures.parquet, records", soft_wrap=True)


def _on_screen(answers: Answers) -> Table:
    """Return the answers as a table, and below it the clear changes of several variants."""
    table = Table(*answers.heads, box=None, pad_edge=False, caption=TOGETHER, caption_justify="left")
    for text, rows in answers.grouped.items():
        table.add_row(Text(text, style="bold"))
        for own in rows:
            cells = [Text(cell) for cell in own.cells]
            table.add_row(Text("  ") + cells[0], *cells[1:], style="bold" if own.is_clear else "")
    return table


def write_study_page(file: Path, results: Results) -> None:
    """Write the page of a study from its results."""
    answers = Answers(results, rows_of(results))
    rows = [row for row in answers.rows if not row.lineup.is_detail]
    most = round(100 * results.get("most", 1.0))
    words = {agent: LEVELS.get(agent.partition(":")[0], ("", ""))[1] for agent in results["agents"]}
    words[TRAINED] = _learned(results.get("training"))
    parts = [_part(answers, topics_of(results), rows, section) for section in TITLES]
    write_page(
        file,
        "study.html",
        results=results,
        title=title(results),
        answers=answers,
        together=TOGETHER,
        notes=[(question.text, question.note.format(most=most)) for question in answers.questions],
        picture=inline_svg(lambda: overview(answers), "overview") if answers.table else "",
        agents={agent: how for agent, how in words.items() if how},
        wide=_is_wide(answers),
        deals=_deals(rows),
        parts=[part for part in parts if part.exhibits],
        light=theme_variables("light"),
        dark=theme_variables("dark"),
    )


def _learned(facts: Mapping[str, float] | None) -> str:
    """Return how the trained agents of a study learned; "" without any."""
    if facts is None:
        return ""
    learned = f"{facts['agents']} agents that learned each version from nothing by playing against themselves"
    return f"the mean of {learned}, {facts['decisions']:,} decisions each"


def overview(answers: Answers) -> Figure:
    """Return one picture of all answers for the agents of the headline, with a series for each variant."""
    units = {(topic.section, topic.name): topic.unit for topic in topics_of(answers.results)}
    return pages.draw_charts([_chart(own, answers, units[own.measure[:2]]) for own in answers.questions])


def _chart(question: Question, answers: Answers, unit: str) -> Chart:
    """Return the figures that answer a question."""
    section, name, _ = question.measure
    lineup, variants = answers.head(question), answers.variants[: 1 if _is_wide(answers) else None]
    of_measure = [row for row in answers.rows if (row.section, row.measure, row.lineup) == (section, name, lineup)]
    shown = [replace(row, label=row.label or row.heading) for row in of_measure if row.variant in variants]
    labels = list(dict.fromkeys(row.label for row in shown))
    series = {name: _dots([row for row in shown if row.variant == name]) for name in variants}
    return Chart(question.text, labels, series, unit, question.even)


def _is_wide(answers: Answers) -> bool:
    return len(answers.variants) > WIDE


def _dots(rows: Sequence[FigureRow]) -> list[Dot]:
    return [Dot(row.label, row.value, row.low, row.high) for row in rows]


def _deals(rows: Sequence[FigureRow]) -> dict[str, int]:
    """Return the largest number of deals of every line-up."""
    deals: dict[str, int] = {}
    for row in rows:
        deals[row.heading] = max(row.deals, deals.get(row.heading, 0))
    return deals


def _part(answers: Answers, topics: Sequence[Topic], rows: Sequence[FigureRow], section: str) -> Part:
    rows = [row for row in rows if row.section == section]
    if section == "options":
        exhibits = _options(answers, rows)
    else:
        if _is_wide(answers):
            rows = [row for row in rows if row.variant == answers.first]
        topics = [topic for topic in topics if topic.section == section]
        topics.sort(key=lambda topic: topic.name not in (SEAT.name, MEDIAN.name))
        exhibits = _exhibits(answers, [topic for topic in topics if topic.name not in HIDDEN], rows)
        if section == "agency":
            exhibits += [_agency(answers, topics, rows, group) for group in decisions.GROUPS if rows]
    text = TEXT_OF_MAP if section == "options" and is_map(answers.results) else TEXTS.get(section, "")
    return Part(TITLES[section], text, exhibits)


def _exhibits(answers: Answers, topics: Sequence[Topic], rows: Sequence[FigureRow]) -> list[Exhibit]:
    """Return the single numbers of a section, then a block for each measure with parts or seats."""
    by_name = {topic.name: [row for row in rows if row.measure == topic.name] for topic in topics}
    single = [topic for topic in topics if {row.label for row in by_name[topic.name]} == {""}]
    exhibits = []
    if single:
        numbers = [replace(row, label=row.measure) for topic in single for row in by_name[topic.name]]
        sentences = [(topic.name, topic.sentence + _from(by_name[topic.name], answers)) for topic in single]
        even = {topic.name: topic.even for topic in single}
        exhibits.append(Exhibit("", sentences, "", _tables(answers, numbers, even), folded=False))
    others = [topic for topic in topics if by_name[topic.name] and topic not in single]
    return exhibits + [_exhibit(answers, topic, by_name[topic.name]) for topic in others]


def _exhibit(answers: Answers, topic: Topic, rows: Sequence[FigureRow]) -> Exhibit:
    labels = _labels(topic, rows)
    series = _series([row for row in rows if row.label in labels])
    picture = inline_svg(lambda: pages.draw_panels(labels, series, topic.unit, topic.even, topic.by), topic.name)
    tables = _tables(answers, rows, dict.fromkeys(labels, topic.even), labels)
    return Exhibit(topic.name, [("", topic.sentence + _from(rows, answers))], picture, tables, len(labels) > LONG)


def _from(rows: Sequence[FigureRow], answers: Answers) -> str:
    """Return a sentence with the number of deals of a measure that rests on fewer than the study has."""
    deals = max((row.deals for row in rows), default=answers.most_deals)
    return f" From {deals:,} deals only." if deals < answers.most_deals else ""


def _labels(topic: Topic, rows: Sequence[FigureRow]) -> list[str]:
    """Return the parts of a measure that have figures, in their order."""
    there = dict.fromkeys(row.label for row in rows)
    return [part for part in topic.parts if part in there] or list(there)


def _series(rows: Sequence[FigureRow]) -> pages.Panels:
    """Return the figures by panel and series: a panel for each line-up if there are several variants, else one."""
    is_compared = len({row.variant for row in rows}) > 1
    panels: dict[str, dict[str, list[Dot]]] = {}
    for row in rows:
        panel, series = (row.heading, row.variant) if is_compared else (row.variant, row.heading)
        panels.setdefault(panel, {}).setdefault(series, []).extend(_dots([row]))
    return panels


def _tables(
    answers: Answers, rows: Sequence[FigureRow], even: Mapping[str, float | None], order: Sequence[str] = ()
) -> list[Grid]:
    """Return one table with a column for each line-up; with several variants, one table for each line-up."""
    variants = [name for name in answers.variants if any(row.variant == name for row in rows)]
    lineups = list(dict.fromkeys(row.heading for row in rows))
    rows = sorted(rows, key=lambda row: order.index(row.label) if row.label in order else -1)
    if len(variants) <= 1:
        return [_table("", lineups, {(row.label, row.heading): row for row in rows}, even)]
    return [
        _table(name, variants, {(row.label, row.variant): row for row in rows if row.heading == name}, even)
        for name in lineups
    ]


def _table(
    caption: str, heads: Sequence[str], rows: Mapping[tuple[str, str], FigureRow], even: Mapping[str, float | None]
) -> Grid:
    """Return a table of figures by their labels and headings."""
    cells = {key: _cell(row, even.get(row.label)) for key, row in rows.items()}
    labels = dict.fromkeys(label for label, _ in rows)
    return Grid(caption, heads, [(name, [cells.get((name, head), NOTHING) for head in heads]) for name in labels])


def _cell(row: FigureRow, even: float | None) -> Cell:
    """Return a figure as a cell: its value bold where it is clearly not even, its change where it is clear."""
    value = with_ends(row.value, row.low, row.high, digits(row.value), signed=even == 0)
    return Cell(value, row.text_of_change, even is not None and row.differs, row.changed)


def _agency(answers: Answers, topics: Sequence[Topic], rows: Sequence[FigureRow], group: str) -> Exhibit:
    """Return the figures of agency by one of its groups together, with both advantages in the picture."""
    alone = len({row.heading for row in rows}) == 1
    drawn = [decisions.grouped(measure.name, group) for measure in (decisions.RANDOM, decisions.SECOND)]
    whole = next(topic for topic in topics if topic.name == drawn[0])
    names = JOINED[group]
    part = [
        replace(row, heading=names[row.measure] + f", {row.heading}" * (not alone))
        for row in rows
        if row.measure in names
    ]
    labels = list(dict.fromkeys([*_labels(whole, part), *(row.label for row in part)]))  # variants differ in kinds
    series = _series([row for row in part if row.measure in drawn])
    picture = inline_svg(lambda: pages.draw_panels(labels, series, whole.unit, whole.even, whole.by), group)
    tables = _tables(answers, part, dict.fromkeys(labels), labels)
    return Exhibit(f"Agency {decisions.GROUPS[group]}", [], picture, tables, len(labels) > LONG)


def _options(answers: Answers, rows: Sequence[FigureRow]) -> list[Exhibit]:
    """Return the changes of the headlines by variant, the variant with the largest change at the top."""
    base, *others = answers.variants
    names = list(dict.fromkeys(row.measure for row in rows))
    if not others or not names:
        return []
    chosen = {name: _last_lineup(rows, name) for name in names}
    changes = {name: [dot for row in part if (dot := _relative(row, part, base))] for name, part in chosen.items()}
    sizes = dict.fromkeys(others, 0.0)
    for dot in (dot for part in changes.values() for dot in part):
        sizes[dot.part] = max(sizes[dot.part], abs(dot.value))
    order = sorted(others, key=lambda variant: -sizes[variant])
    cells = {(row.measure, row.variant): row for part in chosen.values() for row in part}
    table = [(base, [_cell(cells[name, base], None) if (name, base) in cells else NOTHING for name in names])]
    table += [(variant, [_changed(cells.get((name, variant))) for name in names]) for variant in order]
    heads = [f"{name} ({chosen[name][0].heading})" for name in names]
    picture = inline_svg(lambda: pages.draw_changes(order, changes), "options")
    return [Exhibit("", [], picture, [Grid("", heads, table)], folded=False)]


def _last_lineup(rows: Sequence[FigureRow], name: str) -> list[FigureRow]:
    """Return the figures of a measure for the last line-up that has them, which has the strongest agents."""
    figures = [row for row in rows if row.measure == name]
    return [row for row in figures if row.lineup == figures[-1].lineup]


def _relative(row: FigureRow, rows: Sequence[FigureRow], base: str) -> Dot | None:
    """Return a change for the picture, where lengths are relative to the base; None without a change."""
    before = next((other.value for other in rows if other.variant == base), 1.0)
    unit = before if row.measure in (LENGTH.name, MEDIAN.name) else 1.0
    ends = row.ends_of_change
    return Dot(row.variant, *(end / unit for end in ends)) if ends else None


def _changed(row: FigureRow | None) -> Cell:
    return Cell(row.text_of_change, "", row.changed, False) if row and row.ends_of_change else NOTHING
