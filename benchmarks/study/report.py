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
from ..harness.lineups import TRAINED, Lineup
from ..harness.pages import (
    Chart,
    Dot,
    digits,
    inline_svg,
    number,
    theme_variables,
    usage_table,
    with_ends,
    write_page,
    write_results,
)
from . import decisions
from .answers import Answer, Evidence, heading, headline, title
from .experiment import Counts, Study
from .results import FigureRow, Results, Topic, content, figures_of_study, is_map, label_of, rows_of, topics_of
from .sections import HEADLINES
from .tally import LENGTH, MEDIAN, SEAT

CAPTION = "All rows are tested together (Holm). A difference as large as in the last column may have been overlooked."
SHOWN = ("seats", "skill", "length", "tension", "agency")  # sections of the table on the screen
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
    "options": "Clear changes are bold; one in twenty is clear by chance. In the picture, lengths are relative to the "
    "base.",
}
TEXT_OF_MAP = (
    "Every option of the game is changed on its own. Clear changes are bold: all changes of the table are tested "
    "together, by the method of Holm, so that one in twenty tables has a bold change by chance. In the picture, "
    "lengths are relative to the base."
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
    evidence = Evidence(results, rows_of(results))
    table = _on_screen([row for row in evidence.rows if not row.lineup.is_detail])
    if table.row_count:
        screen.print(table)
    if counts.programs:
        screen.print(usage_table(counts.programs))
    if listed_answers := evidence.answers():
        screen.print(_answers(evidence, listed_answers))
    verdict = [f"{heading(results)}:", *(f"- {line}" for line in headline(evidence))]
    screen.print("", *verdict, sep="\n", markup=False, soft_wrap=not screen.is_terminal)
    screen.print(f"saved in {study.folder}: {page.name}, results.json, figures.parquet, records", soft_wrap=True)


def _on_screen(rows: list[FigureRow]) -> Table:
    """Return the headlines of every variant and line-up, with the changes from the first variant."""
    names = [measure.name for measure in HEADLINES]
    shown = [row for row in rows if row.section in SHOWN and row.measure in names]
    shown.sort(key=lambda row: names.index(row.measure))
    variants = list(dict.fromkeys(row.variant for row in shown))
    heads = [head for i, name in enumerate(variants) for head in ((name, "change, * = clear") if i else (name,))]
    table = Table("", *heads, box=None, pad_edge=False, caption="Brackets: 95 % intervals", caption_justify="left")
    measure = ""
    for key in dict.fromkeys(map(_key, shown)):
        by_variant = {row.variant: row for row in shown if _key(row) == key}
        if key[0] != measure:
            measure = key[0]
            table.add_row(Text(measure, style="bold"))
        cells: list[str | Text] = []
        for variant in variants:
            row = by_variant.get(variant)
            cells += [_value(row, len(variants) == 1)] + ([_change(row)] if variant != variants[0] else [])
        table.add_row("  " + _label(*key[1:]), *cells)
    return table


def _answers(evidence: Evidence, answers: Sequence[Answer]) -> Table:
    """Return the answers as a table for the screen."""
    several = len(evidence.others) > 1
    table = Table("question", *["with"] * several, "agents", "value", "", "clear", "overlooked", caption=CAPTION)
    for answer in answers:
        agents = answer.agents + " (not trained for it)" * answer.untrained
        cells = [answer.value, answer.interval, "yes" if answer.is_clear else "no", answer.limit]
        table.add_row(answer.question.text, *[answer.row.variant] * several, agents, *cells)
    return table


def _key(row: FigureRow) -> tuple[str, str, Lineup, int]:
    return row.measure, row.part, row.lineup, row.seat


def _label(part: str, lineup: Lineup, seat: int) -> str:
    return ", ".join(word for word in (str(lineup), label_of(seat, part)) if word)


def _value(row: FigureRow | None, alone: bool) -> str:
    """Return a figure, with its interval where there is room for it: without changes."""
    if row is None:
        return "-"
    places = digits(row.value)
    return with_ends(row.value, row.low, row.high, places) if alone else number(row.value, places)


def _change(row: FigureRow | None) -> Text:
    """Return the change of a figure from the first variant, bold and with a star if it is clear."""
    if row is None or not row.text_of_change:
        return Text("-")
    return Text(row.text_of_change + " *" * row.changed, style="bold" if row.changed else "")


def write_study_page(file: Path, results: Results) -> None:
    """Write the page of a study from its results."""
    evidence = Evidence(results, rows_of(results))
    rows = [row for row in evidence.rows if not row.lineup.is_detail]
    answered = evidence.answers()
    words = {agent: LEVELS.get(agent.partition(":")[0], ("", ""))[1] for agent in results["agents"]}
    words[TRAINED] = _learned(results.get("training"))
    parts = [_part(evidence, topics_of(results), rows, section) for section in TITLES]
    write_page(
        file,
        "study.html",
        results=results,
        title=title(results),
        heading=heading(results),
        headline=headline(evidence),
        answers=answered,
        several=len(evidence.others) > 1,
        notes={answer.question.text: answer.question.note for answer in answered},
        picture=inline_svg(lambda: overview(evidence), "overview") if answered else "",
        agents={agent: how for agent, how in words.items() if how},
        wide=_is_wide(evidence),
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


def overview(evidence: Evidence) -> Figure:
    """Return one picture of all answers for the agents of the headline, with a series for each variant."""
    units = {(topic.section, topic.name): topic.unit for topic in topics_of(evidence.results)}
    strongest: dict[str, Answer] = {}
    for answer in evidence.answers(every=True):
        strongest.setdefault(answer.question.text, answer)
    return pages.draw_charts([_chart(answer, evidence, units) for answer in strongest.values()])


def _chart(answer: Answer, evidence: Evidence, units: Mapping[tuple[str, str], str]) -> Chart:
    """Return the figures of the strongest agents that answer a question."""
    question, variants = answer.question, evidence.variants[: 1 if _is_wide(evidence) else None]
    key = answer.row.section, question.measure, answer.row.lineup
    of_measure = [row for row in evidence.rows if (row.section, row.measure, row.lineup) == key]
    shown = [replace(row, label=row.label or row.heading) for row in of_measure if row.variant in variants]
    labels = list(dict.fromkeys(row.label for row in shown))
    series = {name: _dots([row for row in shown if row.variant == name]) for name in variants}
    return Chart(question.text, labels, series, units[key[:2]], question.even)


def _is_wide(evidence: Evidence) -> bool:
    return len(evidence.variants) > WIDE


def _dots(rows: Sequence[FigureRow]) -> list[Dot]:
    return [Dot(row.label, row.value, row.low, row.high) for row in rows]


def _deals(rows: Sequence[FigureRow]) -> dict[str, int]:
    """Return the largest number of deals of every line-up."""
    deals: dict[str, int] = {}
    for row in rows:
        deals[row.heading] = max(row.deals, deals.get(row.heading, 0))
    return deals


def _part(evidence: Evidence, topics: Sequence[Topic], rows: Sequence[FigureRow], section: str) -> Part:
    rows = [row for row in rows if row.section == section]
    if section == "options":
        exhibits = _options(evidence, rows)
    else:
        if _is_wide(evidence):
            rows = [row for row in rows if row.variant == evidence.first]
        topics = [topic for topic in topics if topic.section == section]
        topics.sort(key=lambda topic: topic.name not in (SEAT.name, MEDIAN.name))
        exhibits = _exhibits(evidence, [topic for topic in topics if topic.name not in HIDDEN], rows)
        if section == "agency":
            exhibits += [_agency(evidence, topics, rows, group) for group in decisions.GROUPS if rows]
    text = TEXT_OF_MAP if section == "options" and is_map(evidence.results) else TEXTS.get(section, "")
    return Part(TITLES[section], text, exhibits)


def _exhibits(evidence: Evidence, topics: Sequence[Topic], rows: Sequence[FigureRow]) -> list[Exhibit]:
    """Return the single numbers of a section, then a block for each measure with parts or seats."""
    by_name = {topic.name: [row for row in rows if row.measure == topic.name] for topic in topics}
    single = [topic for topic in topics if {row.label for row in by_name[topic.name]} == {""}]
    exhibits = []
    if single:
        numbers = [replace(row, label=row.measure) for topic in single for row in by_name[topic.name]]
        sentences = [(topic.name, topic.sentence + _from(by_name[topic.name], evidence)) for topic in single]
        even = {topic.name: topic.even for topic in single}
        exhibits.append(Exhibit("", sentences, "", _tables(evidence, numbers, even), folded=False))
    others = [topic for topic in topics if by_name[topic.name] and topic not in single]
    return exhibits + [_exhibit(evidence, topic, by_name[topic.name]) for topic in others]


def _exhibit(evidence: Evidence, topic: Topic, rows: Sequence[FigureRow]) -> Exhibit:
    labels = _labels(topic, rows)
    series = _series([row for row in rows if row.label in labels])
    picture = inline_svg(lambda: pages.draw_panels(labels, series, topic.unit, topic.even, topic.by), topic.name)
    tables = _tables(evidence, rows, dict.fromkeys(labels, topic.even), labels)
    return Exhibit(topic.name, [("", topic.sentence + _from(rows, evidence))], picture, tables, len(labels) > LONG)


def _from(rows: Sequence[FigureRow], evidence: Evidence) -> str:
    """Return a sentence with the number of deals of a measure that rests on fewer than the study has."""
    deals = max((row.deals for row in rows), default=evidence.most_deals)
    return f" From {deals:,} deals only." if deals < evidence.most_deals else ""


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
    evidence: Evidence, rows: Sequence[FigureRow], even: Mapping[str, float | None], order: Sequence[str] = ()
) -> list[Grid]:
    """Return one table with a column for each line-up; with several variants, one table for each line-up."""
    variants = [name for name in evidence.variants if any(row.variant == name for row in rows)]
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


def _agency(evidence: Evidence, topics: Sequence[Topic], rows: Sequence[FigureRow], group: str) -> Exhibit:
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
    tables = _tables(evidence, part, dict.fromkeys(labels), labels)
    return Exhibit(f"Agency {decisions.GROUPS[group]}", [], picture, tables, len(labels) > LONG)


def _options(evidence: Evidence, rows: Sequence[FigureRow]) -> list[Exhibit]:
    """Return the changes of the headlines by variant, the variant with the largest change at the top."""
    base, *others = evidence.variants
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
