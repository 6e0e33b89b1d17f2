"""Write the page of a study from its results: one HTML file that needs no other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from tantra_envs.english import listed
from tantra_envs.table.lobby import LEVELS

from ..harness.formatting import Row, digits, with_ends, write_page
from ..harness.lineups import TRAINED
from ..harness.themes import inline_svg, variables
from . import agency, plots
from .answers import Evidence, answers, heading, headline, title
from .results import Results, rows_of
from .tally import LENGTH, MEDIAN, SEAT, label_of

Cell = tuple[str, str, bool, bool]  # a value, its change from the base, and whether each of them is bold
NOTHING: Cell = ("-", "", False, False)
LONG = 8  # tables with more rows are folded away below their picture
WIDE = 4  # with more variants, only the base has detailed sections
TITLES = {
    "seats": "Who wins from which seat?",
    "skill": "How much is skill?",
    "length": "How long is a game?",
    "tension": "How tense is it?",
    "agency": "How much do decisions matter?",
    "worth": "What is it worth?",
    "ablations": "What is each option of an agent worth?",
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
    f"{agency.CANDIDATES} legal actions, the {agency.RATED} best rated ones are tried and others drawn at random.",
    "ablations": "An agent without one of its options plays alone among copies of itself that have it.",
    "behaviour": "Each agent plays one seat or team among copies of the same opponent, over the same deals. The second "
    "line of a cell is the paired difference from that opponent, or from the base variant.",
    "options": "Clear changes are bold; one in twenty is clear by chance. In the picture, lengths are relative to the "
    "base.",
}
JOINED = {  # by group: the measures that are split by it, and what they split
    group: {agency.grouped(measure.name, group): measure.name for measure in agency.COLUMNS.values()}
    for group in agency.GROUPS
}
# Measures that are only in results.json, or shown together with others.
HIDDEN = ("score by number", *(name for names in JOINED.values() for name in names))


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


def write_study_page(file: Path, results: Results) -> None:
    """Write the page of a study from its results."""
    every = rows_of(results)
    rows = [row for row in every if not row["lineup"].is_detail]
    results = {**results, "most_deals": max((row["deals"] for row in rows), default=0)}
    for row in rows:
        row["label"] = label_of(row["seat"], row["part"], results.get("first_seat", ""))
    shown = [{**row, "lineup": str(row["lineup"])} for row in rows]
    parts = [_part(results, shown, section) for section in TITLES]
    asked = [question for question, _ in answers(results, rows)]
    most = round(100 * results.get("most", 1.0))
    words = {agent: LEVELS.get(agent.partition(":")[0], ("", ""))[1] for agent in results["agents"]}
    words[TRAINED] = _learned(results.get("training"))
    write_page(
        file,
        "benchmarks.study",
        results=results,
        title=title(results),
        heading=heading(results),
        warnings=_warnings(results),
        headline=headline(results, every),
        notes=[(question["text"], question["note"].format(most=most)) for question in asked],
        picture=inline_svg(lambda: overview(results, rows), "overview") if asked else "",
        agents={agent: how for agent, how in words.items() if how},
        wide=len(results["variants"]) > WIDE,
        deals=_deals(shown),
        parts=[part for part in parts if part.exhibits],
        light=variables("light"),
        dark=variables("dark"),
    )


def _learned(facts: Mapping[str, float] | None) -> str:
    """Return how the trained agents of a study learned; "" without any."""
    if facts is None:
        return ""
    learned = f"{facts['agents']} agents that learned each version from nothing by playing against themselves"
    return f"the mean of {learned}, {facts['decisions']:,} decisions each"


def _warnings(results: Results) -> list[str]:
    """Return a sentence for each agent that plays with options that it was not trained with."""
    found: dict[str, dict[str, None]] = {}
    for agents in results.get("untrained", {}).values():
        for agent, options in agents.items():
            found.setdefault(agent, {}).update(dict.fromkeys(options))
    return [
        f"{agent} was not trained with {listed(list(options))}: it may play badly there."
        for agent, options in found.items()
    ]


def overview(results: Results, rows: Sequence[Row]) -> Figure:
    """Return one picture of all answers for the agents of the headline, with a series for each variant."""
    evidence = Evidence(results, rows)
    return plots.overview([_chart(question, evidence, rows) for question, _ in answers(results, rows)])


def _chart(question: Mapping[str, Any], evidence: Evidence, rows: Sequence[Row]) -> plots.Chart:
    """Return the figures that answer a question."""
    section, name, _ = question["measure"]
    results, lineup = evidence.results, evidence.head(question)
    variants = list(results["variants"])[: WIDE if len(results["variants"]) <= WIDE else 1]
    first = results.get("first_seat", "")
    of_measure = [row for row in rows if (row["section"], row["measure"]) == (section, name)]
    shown = [row for row in of_measure if row["variant"] in variants and row["lineup"] == lineup]
    shown = [{**row, "label": label_of(row["seat"], row["part"], first) or str(row["lineup"])} for row in shown]
    labels = list(dict.fromkeys(row["label"] for row in shown))
    series = {name: [row for row in shown if row["variant"] == name] for name in variants}
    (unit,) = (
        measure["unit"] for measure in results["measures"] if (measure["section"], measure["name"]) == (section, name)
    )
    return plots.Chart(question["text"], labels, series, unit, question.get("even"))


def _deals(rows: Sequence[Row]) -> dict[str, int]:
    """Return the largest number of deals of every line-up."""
    deals: dict[str, int] = {}
    for row in rows:
        deals[row["lineup"]] = max(row["deals"], deals.get(row["lineup"], 0))
    return deals


def _part(results: Results, rows: Sequence[Row], section: str) -> Part:
    part = [row for row in rows if row["section"] == section]
    if section == "options":
        exhibits = _options(results, part)
    else:
        if len(results["variants"]) > WIDE:
            part = [row for row in part if row["variant"] == results["variants"][0]]
        measures = [measure for measure in results["measures"] if measure["section"] == section]
        measures.sort(key=lambda measure: measure["name"] not in (SEAT.name, MEDIAN.name))
        exhibits = _exhibits(results, [measure for measure in measures if measure["name"] not in HIDDEN], part)
        if section == "agency":
            exhibits += [_agency(results, measures, part, group) for group in agency.GROUPS if part]
    return Part(TITLES[section], TEXTS.get(section, ""), exhibits)


def _exhibits(results: Results, measures: Sequence[Row], rows: Sequence[Row]) -> list[Exhibit]:
    """Return the single numbers of a section, then a block for each measure with parts or seats."""
    by_name = {measure["name"]: [row for row in rows if row["measure"] == measure["name"]] for measure in measures}
    single = [measure for measure in measures if by_name[measure["name"]] and _is_single(by_name[measure["name"]])]
    exhibits = []
    if single:
        numbers = [{**row, "label": row["measure"]} for measure in single for row in by_name[measure["name"]]]
        sentences = [
            (measure["name"], measure["sentence"] + _from(by_name[measure["name"]], results)) for measure in single
        ]
        even = {measure["name"]: measure["even"] for measure in single}
        exhibits.append(Exhibit("", sentences, "", _tables(results, numbers, even), folded=False))
    for measure in measures:
        part = by_name[measure["name"]]
        if part and measure not in single:
            exhibits.append(_exhibit(results, measure, part))
    return exhibits


def _is_single(rows: Sequence[Row]) -> bool:
    return {row["label"] for row in rows} == {""}


def _exhibit(results: Results, measure: Row, rows: Sequence[Row]) -> Exhibit:
    labels = _labels(measure, rows)
    drawn = _drawn_rows([row for row in rows if row["label"] in labels])
    style = measure["unit"], measure["even"], measure["by"]
    picture = inline_svg(lambda: plots.panels(labels, drawn, *style), measure["name"])
    even = dict.fromkeys(labels, measure["even"])
    sentences = [("", measure["sentence"] + _from(rows, results))]
    return Exhibit(measure["name"], sentences, picture, _tables(results, rows, even, labels), len(labels) > LONG)


def _from(rows: Sequence[Row], results: Results) -> str:
    """Return a sentence with the number of deals of a measure that rests on fewer than the study has."""
    deals = max((row["deals"] for row in rows), default=results["most_deals"])
    return f" From {deals:,} deals only." if deals < results["most_deals"] else ""


def _labels(measure: Row, rows: Sequence[Row]) -> list[str]:
    """Return the parts of a measure that have figures, in their order."""
    there = dict.fromkeys(row["label"] for row in rows)
    return [part for part in measure["parts"] if part in there] or list(there)


def _drawn_rows(rows: Sequence[Row]) -> plots.Panels:
    """Return the figures by panel and series: a panel for each line-up if there are several variants, else one."""
    panel, series = ("lineup", "variant") if len({row["variant"] for row in rows}) > 1 else ("variant", "lineup")
    panels: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        panels.setdefault(row[panel], {}).setdefault(row[series], []).append(row)
    return panels


def _tables(
    results: Results, rows: Sequence[Row], even: dict[str, float | None], order: Sequence[str] = ()
) -> list[Grid]:
    """Return one table with a column for each line-up; with several variants, one table for each line-up."""
    variants = [name for name in results["variants"] if any(row["variant"] == name for row in rows)]
    lineups = list(dict.fromkeys(row["lineup"] for row in rows))
    rows = sorted(rows, key=lambda row: order.index(row["label"]) if row["label"] in order else -1)
    if len(variants) <= 1:
        return [_table("", "lineup", lineups, rows, even)]
    return [_table(name, "variant", variants, [row for row in rows if row["lineup"] == name], even) for name in lineups]


def _table(caption: str, column: str, heads: Sequence[str], rows: Sequence[Row], even: dict[str, float | None]) -> Grid:
    cells = {(row["label"], row[column]): _cell(row, even.get(row["label"])) for row in rows}
    labels = list(dict.fromkeys(row["label"] for row in rows))
    return Grid(caption, heads, [(name, [cells.get((name, head), NOTHING) for head in heads]) for name in labels])


def _cell(row: Row, even: float | None) -> Cell:
    """Return a figure as a cell: its value bold where it is clearly not even, its change where it is clear."""
    places = digits(row["value"])
    differs = even is not None and row["differs"]
    value = with_ends(row["value"], row["low"], row["high"], places, signed=even == 0)
    if row["change"] is None:
        return value, "", differs, False
    return value, change(row), differs, row["changed"]


def change(row: Row) -> str:
    """Return the change of a figure from the base, with its interval."""
    return with_ends(row["change"], row["change_low"], row["change_high"], digits(row["value"]), signed=True)


def _agency(results: Results, measures: Sequence[Row], rows: Sequence[Row], group: str) -> Exhibit:
    """Return the figures of agency by one of its groups together, with both advantages in the picture."""
    alone = len({row["lineup"] for row in rows}) == 1
    drawn = [agency.grouped(measure.name, group) for measure in (agency.RANDOM, agency.SECOND)]
    whole = next(measure for measure in measures if measure["name"] == drawn[0])
    names = JOINED[group]
    part = [
        {**row, "lineup": names[row["measure"]] + f", {row['lineup']}" * (not alone)}
        for row in rows
        if row["measure"] in names
    ]
    labels = list(dict.fromkeys([*_labels(whole, part), *(row["label"] for row in part)]))  # variants differ in kinds
    shown = _drawn_rows([row for row in part if row["measure"] in drawn])
    picture = inline_svg(lambda: plots.panels(labels, shown, whole["unit"], whole["even"], whole["by"]), group)
    title = f"Agency {agency.GROUPS[group]}"
    return Exhibit(title, [], picture, _tables(results, part, dict.fromkeys(labels), labels), len(labels) > LONG)


def _options(results: Results, rows: Sequence[Row]) -> list[Exhibit]:
    """Return the changes of the headlines by variant, the variant with the largest change at the top."""
    base, *others = results["variants"]
    names = list(dict.fromkeys(row["measure"] for row in rows))
    if not others or not names:
        return []
    chosen = {name: _last_lineup(rows, name) for name in names}
    relative = {
        name: [_relative(row, part, base) for row in part if row["change"] is not None] for name, part in chosen.items()
    }
    sizes = dict.fromkeys(others, 0.0)
    for row in (row for part in relative.values() for row in part):
        sizes[row["variant"]] = max(sizes[row["variant"]], abs(row["value"]))
    order = sorted(others, key=lambda variant: -sizes[variant])
    cells = {(row["measure"], row["variant"]): row for part in chosen.values() for row in part}
    table = [(base, [_cell(cells[name, base], None) if (name, base) in cells else NOTHING for name in names])]
    table += [(variant, [_changed(cells.get((name, variant))) for name in names]) for variant in order]
    heads = [f"{name} ({chosen[name][0]['lineup']})" for name in names]
    picture = inline_svg(lambda: plots.changes(order, relative), "options")
    return [Exhibit("", [], picture, [Grid("", heads, table)], folded=False)]


def _last_lineup(rows: Sequence[Row], name: str) -> list[Row]:
    """Return the figures of a measure for the last line-up that has them, which has the strongest agents."""
    figures = [row for row in rows if row["measure"] == name]
    return [row for row in figures if row["lineup"] == figures[-1]["lineup"]]


def _relative(row: Row, rows: Sequence[Row], base: str) -> Row:
    """Return a change for the picture, where lengths are relative to the base."""
    before = next((other["value"] for other in rows if other["variant"] == base), 1.0)
    unit = before if row["measure"] in (LENGTH.name, MEDIAN.name) else 1.0
    ends = {"value": "change", "low": "change_low", "high": "change_high"}
    return {"variant": row["variant"], **{name: row[change] / unit for name, change in ends.items()}}


def _changed(row: Row | None) -> Cell:
    if row is None or row["change"] is None:
        return NOTHING
    return change(row), "", row["changed"], False
