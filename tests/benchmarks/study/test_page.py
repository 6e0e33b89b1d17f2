"""The page shows the figures of the results, has everything inside, and is read in light and dark and printed."""

from __future__ import annotations

import html
import json
import re

import polars as pl
import pytest

from benchmarks.__main__ import main
from benchmarks.harness import pages
from benchmarks.harness.pages import digits, with_ends
from benchmarks.study import report, sections
from benchmarks.study.answers import Answers
from benchmarks.study.report import write_study_page
from benchmarks.study.results import SCHEMA, rows_of, topics_of
from benchmarks.study.tally import tally

WORDS = (
    *("study", "karma", "--vary", "copies=2,3", "--deals", "8", "--shard", "4", "--agents", "uniform", "scripted"),
    *("--sampled", "scripted@4", "--samples", "2", "--weighed", "scripted@4", "--playouts", "16"),
    *("--name", "mine"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    results = runs / "elsewhere.json"
    assert main([*WORDS, "--runs", str(runs), "--results", str(results)]) == 0
    assert results.read_bytes() == (runs / "mine/results.json").read_bytes()
    return runs / "mine"


@pytest.fixture(scope="module")
def page(folder):
    return (folder / "karma.html").read_text(encoding="utf-8")


def cells(page):
    """The values and changes in all cells below the answers, which are in units of people."""
    page = re.sub(r'aria-label="answers".*?</div>', "", page, flags=re.DOTALL)
    return [
        html.unescape(cell)
        for cell in re.findall(r"<td[^>]*>([^<]*)|<small[^>]*>([^<]*)", page)
        for cell in cell
        if cell
    ]


def test_drawn_actions_of_a_program_are_shown(tmp_path, program, capsys):
    words = ["--agents", "uniform", program.word("nonsense"), "--deals", "2", "--sections", "skill"]
    assert main(["study", "karma", *words, "--runs", str(tmp_path), "--name", "mine"]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "actions drawn" in line]
    assert 0.3 < float(row.split("\u2502")[2]) < 0.4


def test_every_cell_is_a_figure(folder, page):
    rows, known = rows_of(json.loads((folder / "results.json").read_text())), {"-"}
    for row in rows:
        known |= {with_ends(row.value, row.low, row.high, digits(row.value), signed) for signed in (False, True)}
        if row.change is not None:
            known.add(with_ends(row.change, row.change_low, row.change_high, digits(row.value), signed=True))
    shown = cells(page)
    assert len(shown) > 200
    assert not [cell for cell in shown if cell not in known]
    assert {row.section for row in rows} == {
        *("seats", "skill", "length", "tension", "agency", "worth", "behaviour", "options")
    }


def test_everything_is_inside_and_it_is_read_in_light_and_dark_and_printed(page):
    assert not re.search(r'(src|href)="(?!#)', page.replace("xlink:href", ""))
    assert page.count("<svg") == page.count("<figure") > 20
    assert "prefers-color-scheme: dark" in page and "@media print" in page
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "var(--ink)" in drawn and "var(--c0)" in drawn and "#1f2328" not in drawn


def test_wide_parts_scroll_in_their_own_boxes_and_all_of_them_are_printed(page):
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert page.count('<div class="tables"') == page.count("<table") > 10
    assert page.count('<figure class="wide"') == page.count("<figure")
    phone, _, rest = page.partition("@media (max-width: 46rem)")[2].partition("@media print")
    assert ".wide { overflow-x: auto; }" in phone and ".tables { overflow-x: auto; }" in page
    assert "color-scheme: light;" in rest and "details::details-content { content-visibility: visible" in rest


def test_the_page_is_made_from_the_results_alone(folder, page, tmp_path):
    write_study_page(tmp_path / "again.html", json.loads((folder / "results.json").read_text()))
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page


@pytest.fixture(scope="module")
def blocks():
    """A block of a measure by tenths with two variants. The base has no figure of the first tenth."""
    columns = {"section": "tension", "measure": "score of the leader", "lineup": "scripted", "seat": 0, "deals": 50}
    base = [{**columns, "variant": "a", "part": part, "value": 1.0, "low": 0.9, "high": 1.0} for part in "23"]
    change = {"change": 0.0002, "change_low": 0.0001, "change_high": 0.0003}
    other = [
        {**columns, **(change if part != "1" else {}), "variant": "b", "part": part, "value": 0.6, "low": 0.4,
         "high": 0.8} for part in "123"
    ]  # fmt: skip
    many = {**columns, "measure": "another", "variant": "a", "part": "", "value": 1.0, "low": 1.0, "high": 1.0}
    figures = [[row.get(name) for name in SCHEMA] for row in (*other, *base, {**many, "deals": 1000})]
    measures = [
        {"section": "tension", "name": "score of the leader", "sentence": "A sentence.", "unit": "score", "even": 0.5,
         "parts": list("123"), "by": ""},
        {"section": "tension", "name": "another", "even": None},
    ]  # fmt: skip
    content = {"variants": ["a", "b"], "measures": measures, "columns": list(SCHEMA), "figures": figures}
    answers = Answers(content, rows_of(content))
    return report._exhibits(answers, topics_of(content)[:1], answers.rows)


def test_rows_are_in_the_order_of_the_parts_and_small_samples_are_mentioned(blocks):
    (block,) = blocks
    assert block.sentences == [("", "A sentence. From 50 deals only.")]
    assert [name for name, _ in block.tables[0].rows] == ["1", "2", "3"]


def test_values_and_changes_are_bold_on_their_own(blocks):
    ((_, (missing, new)), (_, (value, change)), _) = blocks[0].tables[0].rows
    assert missing == report.NOTHING
    assert new == ("0.600 [0.400, 0.800]", "", False, False)
    assert value == ("1.000 [0.900, 1.000]", "", True, False)
    assert change[1:] == ("+0.000 [+0.000, +0.000]", False, False)  # clear only with more decimals than are shown


def test_no_figure_has_a_change_without_a_base(folder):
    rows = rows_of(json.loads((folder / "results.json").read_text()))
    keys = ("section", "measure", "part", "lineup", "seat")
    base = {tuple(getattr(row, key) for key in keys) for row in rows if row.variant == "copies=2"}
    changed = {tuple(getattr(row, key) for key in keys) for row in rows if row.change is not None}
    assert changed and changed <= base


@pytest.mark.parametrize("by", ["", "tenths"])
@pytest.mark.parametrize(("variants", "shown"), [("23", "abc"), ("2", [""])])
def test_each_lineup_has_its_own_panel_if_there_are_several_variants(variants, shown, by):
    columns = ["section", "measure", "part", "lineup", "variant", "seat", "value", "low", "high", "deals"]
    columns += ["change", "change_low", "change_high"]
    figures = [
        ["tension", "lead", "all", agent, copies, 0, 0.5, 0.4, 0.6, 50, None, None, None]
        for agent in "abc"
        for copies in variants
    ]
    measures = [{"section": "tension", "name": "lead", "even": 0.5}]
    rows = rows_of({"columns": columns, "figures": figures, "measures": measures})
    figure = pages.draw_panels(["all"], report._series(rows), "score", 0.5, by)
    visible = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in visible] == list(shown)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == list(variants if len(variants) > 1 else "abc")


def test_every_variant_has_its_own_lengths(folder):
    rows = rows_of(json.loads((folder / "results.json").read_text()))
    lengths = [row for row in rows if row.measure == "lengths of games, scripted"]
    assert {row.variant for row in lengths} == {"copies=2", "copies=3"}


def test_measures_for_checks_are_in_the_results_only(folder, page):
    rows = rows_of(json.loads((folder / "results.json").read_text()))
    assert any(row.measure == "score by number" for row in rows) and "score by number" not in page


def test_the_terminal_shows_the_table_and_the_headline_of_the_page(folder, page, capsys):
    assert main([*WORDS, "--runs", str(folder.parent)]) == 0
    shown = capsys.readouterr().out
    (headline,) = re.findall(r'<p class="verdict">(.*?)</p>', page)
    assert html.unescape(headline) in shown and headline.startswith("Karma with copies=3 instead of copies=2: ")
    cells = re.findall(r"<td.*?>(.*?)</td>", page.partition('<div class="note">')[0].partition("<svg")[0])
    assert len(cells) % 5 == 0 and len(cells) >= 50
    words = " ".join(shown.split())
    assert all(" ".join(html.unescape(cell).split()) in words for cell in cells)
    assert re.findall(r"^(.*): [\d,]+ of ([\d,]+)$", shown, re.MULTILINE)[0] == ("games played", "96")


def test_the_parquet_has_the_same_figures(folder):
    rows = rows_of(json.loads((folder / "results.json").read_text()))
    table = pl.read_parquet(folder / "figures.parquet")
    assert dict(table.schema) == SCHEMA
    assert table["value"].to_list() == pytest.approx([row.value for row in rows], rel=1e-5)


def test_figures_are_those_of_the_records(folder):
    table = pl.read_parquet(folder / "figures.parquet")
    games = pl.concat(tally(file) for file in sorted((folder / "records").glob("1_scripted_*.parquet")))
    own = table.filter(pl.col("variant") == "copies=3", pl.col("lineup") == "scripted", pl.col("section") == "seats")
    for seat in (1, 2):
        (value,) = own.filter(pl.col("seat") == seat, pl.col("measure") == "score by seat")["value"]
        assert value == pytest.approx(games.filter(pl.col("place") == seat)["score"].mean())
    base, other = (
        table.filter(pl.col("variant") == variant, pl.col("lineup") == "scripted", pl.col("measure") == "length",
                     pl.col("section") == "length").row(0, named=True)
        for variant in ("copies=2", "copies=3")
    )  # fmt: skip
    assert base["change"] is None
    assert other["change"] == pytest.approx(other["value"] - base["value"])
    lengths = table.filter(pl.col("measure") == "lengths of games, uniform", pl.col("variant") == "copies=3")
    assert lengths["value"].sum() == pytest.approx(1)


def test_ranges_of_lengths_are_easy_and_cover_every_game():
    starts = sections._starts(pl.Series([103, 110, 180, 900]).to_numpy())
    assert starts[0] == 100 and starts[1] - starts[0] == 50 and starts[-1] <= 900
    assert sections._starts(pl.Series([7, 7]).to_numpy()) == [7]
