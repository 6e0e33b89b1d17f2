"""A figure in a sentence is that of a result."""

from __future__ import annotations

import re

import pytest

from docs._site.figures import MARK, figure, with_figures
from docs._site.results import lines

from .pages import PAGES, name_of

SCORE = "trained-agents view=rows table=karma_players=2 estimate"
PART = re.compile(r"<!-- ([a-z-]+) -->.*?<!-- /\1 -->", re.DOTALL)
CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"(?<![\w.])[+-]?\d+\.\d{3}(?!\d)")


def typed(text):  # numbers with three decimals outside marks, generated parts and code
    for pattern in (MARK, PART, CODE):
        text = pattern.sub("", text)
    return TYPED.findall(text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_figures_are_those_of_the_results(page):
    text = page.read_text(encoding="utf-8")
    assert text == with_figures(text), "run: python -m docs._site.page_parts"
    assert not typed(text), "write <!-- figure: .. -->, a generated table, or a sentence without the figure"


def test_a_stale_figure_and_an_unmarked_one_are_found():
    page = f"It scores <!-- figure: {SCORE} -->{figure(SCORE)}<!-- /figure --> there, and `0.123` is code."
    assert with_figures(page) == page and not typed(page)
    assert with_figures(page.replace("[0.", "[1.")) == page
    assert typed(page + " Another scores 0.680.") == ["0.680"]
    assert not typed("<!-- rows -->\n| 0.680 |\n<!-- /rows -->\n```\n0.123\n```\nversion 0.3.0, 1.25 times")


def test_a_figure_is_the_lowest_row_or_that_of_weights():
    words = "trained-agents view=exploited table=karma_players=2 others=learned"
    every = lines("trained-agents", view="exploited", table="karma players=2", others="learned", measure="score")
    assert len(every) > 1 and figure(f"{words} least estimate").startswith(f"{every['value'].min():.3f} [")
    assert figure("weights karma decisions") == "60 million" and figure("weights karma minutes") == "20"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("trained-agents table=chess estimate", "0 lines of docs/results/trained-agents.csv; wanted: 1, or `least`"),
        ("trained-agents table=karma_players=2 estimate", r"\d+ lines of docs/results/trained-agents.csv; wanted: 1"),
        ("weights karma colour", "allowed: decisions, kilobytes, and minutes"),
    ],
)
def test_a_figure_that_is_none_is_refused(words, error):
    with pytest.raises(ValueError, match=error):
        figure(words)
