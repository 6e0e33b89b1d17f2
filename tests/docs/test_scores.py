"""Pages quote one score for one game, number of players, agent and opponent: that of docs/results."""

from __future__ import annotations

import json
import re

import pytest

from docs._site.results import RESULTS
from docs._site.scores import scores

from .pages import FENCE, GAMES, ROOT, name_of
from .pages import PAGES as EVERY_PAGE

NUMBERS = {"two": 2, "three": 3, "four": 4}
NAME = r"`(?:(?:panel:)?learned|search:\d+|scripted|greedy|uniform)`"
FORM = re.compile(
    rf"[Ii]n `(?P<game>[\w:]+)` for (?P<players>two|three|four) (?P<agent>{NAME})[^.|]*? scores (?P<score>0\.\d+)"
    rf"(?: \[[^\]]*\])?[^.|]*? against (?P<opponent>{NAME})"
)
QUOTED = re.compile(r"(?:`(?:panel:)?learned`|`search:\d+`|trained agent)[^.|]*? (?:scores|has) 0\.\d+")
INTERVAL = re.compile(r"([+-]?\d\.\d{3}) +\[([+-]?\d\.\d{3}), +([+-]?\d\.\d{3})\]")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *GAMES]


def quotes(text: str) -> list[re.Match[str]]:
    return list(FORM.finditer(text))


def is_wrong(quote: re.Match[str]) -> bool:
    agent, opponent = (quote[name].strip("`") for name in ("agent", "opponent"))
    score = scores()[quote["game"], NUMBERS[quote["players"]], agent, opponent]
    return f"{score.mean:.{len(quote['score']) - 2}f}" != quote["score"]


def text_of(page) -> str:
    return " ".join(FENCE.sub("", page.read_text(encoding="utf-8")).split())


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_quoted_scores_are_those_of_the_results(page):
    assert not [quote[0] for quote in quotes(text_of(page)) if is_wrong(quote)]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_scores_of_our_agents_name_game_players_and_opponent(page):
    text = text_of(page)
    known = [range(*quote.span()) for quote in quotes(text)]
    unnamed = [quote[0] for quote in QUOTED.finditer(text) if not any(quote.start() in span for span in known)]
    assert not unnamed, "write: in `karma` for two `learned` scores 0.660 against `scripted`"


def test_a_second_value_is_found():
    assert sum(len(quotes(text_of(page))) for page in PAGES) >= 3
    right = "In `karma` for two `search:64` scores 0.737 [0.720, 0.754] over 1,000 deals against `scripted`"
    assert [is_wrong(quote) for quote in quotes(right + ". " + right.replace("0.737", "0.730"))] == [False, True]


def minutes_of_configs() -> dict[str, float]:
    """The CPU minutes in the first line of the configs that name them."""
    found = {}
    for file in (ROOT / "configs/training").glob("*.toml"):
        if stated := re.match(r"# .* (\d[\d.]*) CPU minutes", file.read_text(encoding="utf-8")):
            found[file.stem] = float(stated[1])
    return found


def test_the_cpu_minutes_of_a_config_are_those_of_the_table_of_trained_agents():
    stated = minutes_of_configs()
    table = (ROOT / "docs/trained-agents.md").read_text(encoding="utf-8").partition("| weights | trained for")[2]
    rows = [[cell.strip() for cell in line.split("|")] for line in table.split("\n\n")[0].splitlines()]
    made = {row[1].strip("`"): float(row[4]) for row in rows if row[1:] and row[1].startswith("`")}
    both = made.keys() & stated.keys()
    assert len(both) > 5
    assert {name: made[name] for name in both} == {name: stated[name] for name in both}


def test_figures_with_equal_intervals_are_equal_on_all_pages():
    """Outside tables, where different figures may share an interval."""
    means: dict[tuple[str, str], set[str]] = {}
    for page in EVERY_PAGE:
        lines = FENCE.sub("", page.read_text(encoding="utf-8")).splitlines()
        prose = " ".join(line for line in lines if not line.startswith("|"))
        for mean, low, high in INTERVAL.findall(prose):
            means.setdefault((low, high), set()).add(mean)
    assert len(means) > 100
    assert not {ends: figures for ends, figures in means.items() if len(figures) > 1}


def test_readme_has_the_range_of_the_speeds():
    games = json.loads((ROOT / RESULTS / "speed.json").read_text(encoding="utf-8"))["games"].values()
    rates = [game["engines"]["BatchEnv(1024)"]["rate"] / 1e6 for game in games]
    assert f"{min(rates):.1f} to {max(rates):.0f} million moves a second" in text_of(ROOT / "README.md")
