"""Pages quote one score for one game, number of players, agent and opponent: that of docs/results."""

from __future__ import annotations

import json
import re

import pytest

from docs._site.results import RESULTS
from docs._site.scores import scores

from .pages import FENCE, GAMES, ROOT, name_of

NUMBERS = {"two": 2, "three": 3, "four": 4}
NAME = r"`(?:(?:panel:)?learned|search:\d+|scripted|greedy|uniform)`"
FORM = re.compile(
    rf"[Ii]n `(?P<game>[\w:]+)` for (?P<players>two|three|four) (?P<agent>{NAME})[^.|]*? scores (?P<score>0\.\d+)"
    rf"(?: \[[^\]]*\])?[^.|]*? against (?P<opponent>{NAME})"
)
QUOTED = re.compile(r"(?:`(?:panel:)?learned`|`search:\d+`|trained agent)[^.|]*? (?:scores|has) 0\.\d+")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "docs/search/README.md", *GAMES]


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


def test_the_aims_repeat_the_scores_of_the_rows():
    page = (ROOT / "docs/notes/learning-log.md").read_text(encoding="utf-8").split("## Aims")[1]
    games = {
        "Karma": "karma",
        "Tarot, whole games": "tarot",
        "Kanastic": "kanastic",
        "Tantra": "tantra",
        "Tantrix": "tantrix",
    }
    rows, game = [line.strip("|").replace("*", "").split("|") for line in page.splitlines() if line.startswith("|")], ""
    for title, seats, _, reached, _, former, *_ in [[cell.strip() for cell in row] for row in rows[2:]]:
        game = games.get(title, game)
        for opponent, figure in (("scripted", reached), ("former", former)):
            assert figure == f"{scores()[game, int(seats), 'learned', opponent].mean:.3f}"


def test_readme_has_the_range_of_the_speeds():
    games = json.loads((ROOT / RESULTS / "speed.json").read_text(encoding="utf-8"))["games"].values()
    rates = [game["engines"]["BatchEnv(1024)"]["rate"] / 1e6 for game in games]
    assert f"{min(rates):.1f} to {max(rates):.0f} million moves a second" in text_of(ROOT / "README.md")
