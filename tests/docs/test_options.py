"""Options on the pages are those of the code."""

from __future__ import annotations

import re

import pytest

import tantra_envs
from docs._site import commands
from tantra_envs.games import SHIPPED
from tantra_envs.opponents.search import Budget

from .pages import PAGES, ROOT, name_of

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
THEIRS = {  # by page: options of other programs
    "docs/baselines.md": {"--diff-filter", "--name-only"},
    "docs/course.md": {"--exclude"},
    "docs/for-designers.md": {"--version"},
    "docs/learning.md": {"--logdir"},
    "docs/install.md": {"--no-deps", "--no-index", "--find-links"},
    "docs/puzzles.md": {"--env", "--select", "--no-push", "--model", "--url"},
    "docs/language-models.md": {"--env", "--select", "--no-push", "--model", "--client"},
}
CHANGES = ROOT / "CHANGELOG.md"  # lists options that are gone


@pytest.fixture(scope="module")
def ours() -> set[str]:
    """Return the options of all commands, as their help lists them."""
    return set(OPTION.findall(commands.page()))


@pytest.mark.parametrize("page", [page for page in PAGES if page != CHANGES], ids=name_of)
def test_an_option_named_on_a_page_exists(page, ours):
    named = set(OPTION.findall(page.read_text(encoding="utf-8")))
    theirs = THEIRS.get(name_of(page), set())
    assert named - ours == theirs, "an option of no command, or one of another program that THEIRS does not list"


def test_the_search_page_lists_the_defaults_of_every_game():
    page = (ROOT / "docs/search.md").read_text(encoding="utf-8")
    for name in SHIPPED:
        game = tantra_envs.game(name)
        usual = Budget(**game.scripted.SEARCH)
        figures = (usual.samples, usual.candidates, f"{usual.margin:g}", usual.horizon, usual.belief)
        assert f"| {game.title} | {' | '.join(map(str, figures))} |" in page
