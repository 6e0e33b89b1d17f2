"""The page shows the figures of the results, and has everything inside."""

import html
import re

import polars as pl
import pytest

from benchmarks.__main__ import main
from benchmarks.harness.pages import digits, with_ends
from benchmarks.study.results import rows_of
from benchmarks.study.tally import tally
from benchmarks.views.study import write_study_page
from tantra_envs.programs import results as files

WORDS = (
    *("study", "karma", "--vary", "copies=2,3", "--deals", "8", "--shard", "4", "--agents", "uniform", "scripted"),
    *("--sampled", "scripted@4", "--samples", "2", "--weighed", "scripted@4", "--playouts", "16"),
    *("--name", "mine"),
)


@pytest.fixture(scope="module", autouse=True)
def no_pictures():
    """Pictures are drawn: the page has them inside."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    results = runs / "elsewhere.csv"
    assert main([*WORDS, "--runs", str(runs), "--results", str(results)]) == 0
    assert results.read_bytes() == (runs / "mine/results.csv").read_bytes()
    return runs / "mine"


@pytest.fixture(scope="module")
def page(folder):
    return (folder / "karma.html").read_text(encoding="utf-8")


def test_every_cell_below_the_answers_is_a_figure(folder, page):
    rows, known = rows_of(files.read(folder / "results.csv")), {"-"}
    for row in rows:
        known.add(with_ends(row.value, row.low, row.high, digits(row.value)))
        known |= {with_ends(*row.change, digits(row.value), signed=True)} if row.change else set()
    below = page[page.index("<nav>") :]
    shown = [html.unescape(cell) for pair in re.findall(r"<td>([^<]+)|<small>([^<]+)", below) for cell in pair if cell]
    assert len(shown) > 200 and not [cell for cell in shown if cell not in known]
    sections = ("seats", "skill", "length", "tension", "agency", "worth", "options")
    assert tuple(dict.fromkeys(row.section for row in rows)) == sections


def test_everything_is_inside_and_made_from_the_results_alone(folder, page, tmp_path):
    assert not re.search(r'(src|href)="(?!#)', page.replace("xlink:href", ""))
    table = folder / "results.csv"
    write_study_page(tmp_path / "again.html", files.read(table), files.command_of(table))
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page
    assert main(["show", "study", str(folder)]) == 0
    assert "<pre>python -m benchmarks show study" in (folder / "karma.html").read_text(encoding="utf-8")


def test_the_terminal_shows_the_table_and_the_headline_of_the_page(folder, page, capsys):
    assert main([*WORDS, "--runs", str(folder.parent)]) == 0
    words = " ".join(capsys.readouterr().out.split())
    (headline,) = re.findall(r'<p class="verdict">(.*?)</p>', page)
    assert html.unescape(headline) in words and headline.startswith("Karma with copies=3 instead of copies=2: ")
    cells = re.findall(r"<td.*?>(.*?)</td>", page.partition('<div class="note">')[0].partition("<svg")[0])
    assert len(cells) % 5 == 0 and len(cells) >= 50
    assert all(" ".join(html.unescape(cell).split()) in words for cell in cells)


def test_figures_are_those_of_the_records(folder):
    rows = [row for row in rows_of(files.read(folder / "results.csv")) if row.lineup == ("scripted", "")]
    rows = {(row.section, row.measure, row.part, row.variant): row for row in rows}
    games = pl.concat(tally(file) for file in sorted((folder / "records").glob("1_scripted_*.parquet")))
    for place, seat in enumerate(("1st to act", "2nd to act"), 1):
        own = rows["seats", "score by seat", seat, "copies=3"]
        assert own.value == pytest.approx(games.filter(place=place)["score"].mean(), rel=1e-5)
    base, other = (rows["length", "length", "", variant] for variant in ("copies=2", "copies=3"))
    assert base.change is None and other.change[0] == pytest.approx(other.value - base.value, rel=1e-4)
