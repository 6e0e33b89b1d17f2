"""The site: built without a warning, every page and picture in it, nothing from elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

from tantra_envs.games import SHIPPED

for needed in ("sphinx", "furo", "myst_parser", "sphinx_copybutton", "matplotlib", "polars"):
    pytest.importorskip(needed)

from docs._site.__main__ import with_site_links  # noqa: E402
from docs._site.play_page import GAME  # noqa: E402
from tests.table import browser  # noqa: E402

from .pages import PAGES, ROOT, name_of  # noqa: E402
from .test_api import MODULES  # noqa: E402

pytestmark = pytest.mark.whole
FETCHED = re.compile(
    r"<(?:link|script|img|iframe|source)\b[^>]*?\b(?:src|href)=\"(?:https?:)?//[^\"]*\"|@import|url\(['\"]?https?:"
)
LOCAL = re.compile(r"<(?:a|img|iframe|source)\b[^>]*?\s(?:src|href|srcset)=\"(?!\w+:|//)([^\"#?]+)")

# All charts are the first one, and games to step through have four moves: to draw them all takes most of the time.
BUILD = """
import sys
from benchmarks.harness import pages
from docs._site.__main__ import main
from tantra_envs import drawing

charts, draw, replay = [], pages._svg, drawing.replay

def first_chart(*arguments):
    charts.append(charts[0] if charts else draw(*arguments))
    return charts[-1]

pages._svg = first_chart
drawing.replay = lambda game, start, actions, names: replay(game, start, actions[:4], names)
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The whole site, from a process of its own: Sphinx changes the signatures of the functions that it lists."""
    folder = tmp_path_factory.mktemp("site") / "built"
    command = [sys.executable, "-c", BUILD, "--out", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder / "html"


PUBLISHED = [page for page in PAGES if page.name != "DESCRIPTION.md"]  # which is for the index of packages


def test_every_page_is_there_and_in_the_navigation(site):
    front = (site / "index.html").read_text(encoding="utf-8")
    for page in {name_of(page) for page in PUBLISHED} - {"README.md"}:
        address = page.replace(".md", ".html")
        assert (site / address).is_file()
        assert f'href="{address}"' in front, page
    assert 'href="./play.html"' in front and (site / "play/files.zip").stat().st_size < 500_000
    assert all((site / f"reference/{module}.html").is_file() for module in MODULES)
    assert (site / ".nojekyll").is_file()  # else some hosts leave out folders such as _static


def test_nothing_comes_from_elsewhere(site):
    files = [file for file in site.rglob("*") if file.suffix in (".html", ".css")]
    assert len(files) > 40
    assert not [(file.name, found[0]) for file in files if (found := FETCHED.search(file.read_text(encoding="utf-8")))]


def test_every_file_that_a_page_links_or_shows_is_there(site):
    """With those inside HTML, which Sphinx does not check."""
    targets = {(page, target) for page in site.rglob("*.html") for target in LOCAL.findall(page.read_text("utf-8"))}
    assert len(targets) > 1000
    assert not [(page.name, target) for page, target in targets if not (page.parent / unquote(target)).exists()]


def test_the_search_knows_pages_and_names(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "autoreset" in index and "SeatVectorEnv" in index and "reference/tantra_envs.core.fields" in index
    assert (site / "search.html").is_file()
    terms = json.loads(re.search(r'"?terms"?:(\{.*?\})', index)[1])
    pages = [set(np.atleast_1d(terms[word])) for word in ("invalid", "action", "mask")]
    names = json.loads(re.search(r'"?docnames"?:(\[.*?\])', index)[1])
    assert "docs/it-does-not-learn" in {names[page] for page in set.intersection(*pages)}


@browser.needed
def test_the_search_ranks_pages_before_attributes_and_code_can_be_scrolled_by_keyboard(site):
    with browser.Browser() as page:
        for word in ("hint", "elo"):
            page.open(f"{(site / 'search.html').as_uri()}?q={word}")
            page.wait("document.querySelectorAll('#search-results li a').length >= 1")
            page.wait("!document.querySelector('#search-results li a').href.includes('reference/')")
        page.open((site / "docs/install.html").as_uri())
        page.wait("[...document.querySelectorAll('.highlight pre')].every(box => box.tabIndex === 0)")


def test_links_to_a_page_have_a_description_and_a_picture(site):
    for name in ("index", "docs/install", "tantra_envs/games/karma/README"):
        file = site / f"{name}.html"
        found = re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)"', file.read_text(encoding="utf-8"))
        metas = dict(found)
        assert metas["description"] == metas["og:description"] and len(metas["description"]) > 60
        assert not metas["description"].startswith("Commands run in") and metas["og:title"]
        assert (file.parent / metas["og:image"]).is_file()


@browser.needed
def test_no_page_is_wider_than_the_window(site):
    names = ("index", "docs/speed", "tantra_envs/games/karma/README")
    with browser.Browser() as page:
        for name in names:
            page.open((site / f"{name}.html").as_uri())
            page.wait("document.readyState === 'complete' && document.querySelector('.content') !== null")
            for width in (360, 820, 1100, 1313, 1366, 1471, 1600):
                page.look(width, 860, False)
                assert page.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width


@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_has_one_to_play_or_to_step_through_under_its_first_paragraph(site, name):
    folder, file = site / f"tantra_envs/games/{name}", "../../../play.html" if name == GAME else "replay.html"
    before, _, after = (folder / "README.html").read_text(encoding="utf-8").partition(f'="{file}"')
    assert "moves" in (folder / file).read_text(encoding="utf-8") or name == GAME
    assert "<p>" in before.partition("<h1>")[2] and "<h2>" not in before and "<table" not in before
    assert "<h2>" in after


def test_links_lead_to_the_pages_of_results():
    text = (
        "[a](results/study/karma.csv) [b](results/ladder/karma.csv) [c](../configs/games) "
        "![d](pictures/karma.svg) [e](results/speed.json) [f](start.md#play)"
    )
    turned = with_site_links(text, ROOT / "docs")
    assert '<a href="results/study/karma.html">a</a> [b](results/ladder/karma.md) c ' in turned
    assert turned.endswith(text[text.index("![d]") :])
