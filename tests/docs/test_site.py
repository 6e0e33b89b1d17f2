"""The site: built without a warning or a dead link, every page in its navigation, nothing from elsewhere."""

from __future__ import annotations

import html
import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.games import SHIPPED

pytest.importorskip("sphinx")
for needed in ("furo", "myst_parser", "sphinx_copybutton", "safetensors"):
    pytest.importorskip(needed)

from docs._site import command_page, gallery_page, links  # noqa: E402
from docs._site.check import dead_links  # noqa: E402
from docs._site.layout import places  # noqa: E402
from tests.table import browser  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
FETCHED = re.compile(
    r"<(?:link|script|img|iframe|source)\b[^>]*?\b(?:src|href)=\"(?:https?:)?//[^\"]*\"|@import|url\(['\"]?https?:"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The whole site, from a process of its own: Sphinx changes the signatures of the functions that it lists.

    A warning makes the exit code another than 0.
    """
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "docs._site", "--out", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder / "html"


def test_every_page_is_there_and_can_be_found(site):
    front = (site / "index.html").read_text(encoding="utf-8")
    for page in set(places().values()) - {"index.md"}:
        address = page.replace(".md", ".html")
        assert (site / address).is_file()
        assert f'href="{address}"' in front, f"{page} is not in the navigation"


def test_nothing_comes_from_elsewhere(site):
    files = [file for file in site.rglob("*") if file.suffix in (".html", ".css")]
    assert len(files) > 40
    assert not [(file.name, found[0]) for file in files if (found := FETCHED.search(file.read_text(encoding="utf-8")))]


def test_a_dead_link_or_anchor_ends_the_build(site, tmp_path):
    """The build of the fixture followed all links of the site."""
    (tmp_path / "there.html").write_text('<h1 id="top">x</h1><a href="https://elsewhere.org/page">x</a>')
    (tmp_path / "page.html").write_text(
        '<a href="there.html#top">x</a><a href="there.html#bottom">x</a><img src="lost.svg"><a href="#here">x</a>'
    )
    assert dead_links(tmp_path) == ["page.html: #here", "page.html: lost.svg", "page.html: there.html#bottom"]


def test_links_within_the_site_are_relative(site):
    absolute = re.compile(r"<(?:a|link|script|img|iframe|source)\b[^>]*?\s(?:src|href|srcset)=\"/")
    assert not [page.name for page in site.rglob("*.html") if absolute.search(page.read_text(encoding="utf-8"))]


def test_the_search_knows_pages_and_names(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "autoreset" in index and "SeatVectorEnv" in index and "api/tantra_envs.core.fields" in index
    assert (site / "search.html").is_file()


@browser.needed
def test_the_search_finds_pages_in_a_browser_without_a_server(site):
    with browser.Browser() as page:
        page.open(f"{(site / 'search.html').as_uri()}?q=autoreset")
        page.wait("document.querySelectorAll('#search-results li a').length >= 2")  # they appear one by one
        page.open(f"{(site / 'search.html').as_uri()}?q=SeatVectorEnv")
        page.wait("[...document.querySelectorAll('#search-results li a')].some(a => a.href.includes('api/'))")


@pytest.mark.parametrize("name", SHIPPED)
def test_the_gallery_has_every_game_and_mode_in_both_themes(site, name):
    page = (site / "gallery.html").read_text(encoding="utf-8")
    tables = gallery_page.tables(name)
    assert all(f">{words}<" in page for words in tables)
    shown = {game.config.get("mode") for game in tables.values()}
    assert shown == {tantra_envs.game(f"{name}:{variant}").config.get("mode") for variant in tantra_envs.variants(name)}
    pictures = [file.name for file in (site / "_images").glob(f"{name}*.svg")]
    assert sum(file.endswith("-light.svg") for file in pictures) == len(tables)
    assert sum(file.endswith("-dark.svg") for file in pictures) == len(tables)


def test_the_page_of_commands_has_the_help_of_all(site):
    page = html.unescape((site / "commands.html").read_text(encoding="utf-8"))
    for program, commands in command_page.PROGRAMS.items():
        assert all(f"{program} {name}" in page for name in commands)
    assert "--learning-rate" in page  # of `training learn --help-all`


def test_the_page_of_speed_has_every_game(site):
    page = (site / "speed.html").read_text(encoding="utf-8")
    assert all(f">{tantra_envs.game(name).title}<" in page for name in SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_has_its_tables_pictures_and_a_game_to_step_through(site, name):
    page = (site / f"games/{name}.html").read_text(encoding="utf-8")
    game = tantra_envs.game(name)
    blocks = [block.name for block in (*game.actions, *game.view)]
    assert all(f">{word}<" in page for word in (*blocks, *game.options.fields))
    assert all(f"{name}:{variant}" in page for variant in tantra_envs.variants(name))
    for theme, ending in itertools.product(("", "-dark"), ("svg", "gif")):  # numbered where others have their name
        assert re.search(rf"_images/{name}{theme}\d*\.{ending}", page)
    assert f"../replays/{name}.html" in page
    assert "{.only" not in page
    assert "moves" in (site / f"replays/{name}.html").read_text(encoding="utf-8")


def test_links_are_turned_to_where_pages_went():
    known = {Path("CONTRIBUTING.md"): "contributing.md", Path("docs/search/README.md"): "search/index.md"}
    told = (
        "[a](../CONTRIBUTING.md#a-new-game) [b](search/README.md) [c](../configs/games) `[d](x)`\n```\n[e](x)\n```\n"
        "[f](results/study/karma.json) [g](results/ladder/karma.json)"
    )
    turned = links.turned(told.replace("`[d](x)`", ""), Path("docs/page.md"), "deep/page.md", known)
    assert "[a](../contributing.md#a-new-game) [b](../search/index.md) c" in turned
    assert "[e](x)" in turned and '<a href="../studies/karma.html">f</a> [g](../search/karma.md)' in turned


def test_types_of_arrays_have_their_names(site):
    text = "".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    assert ">ArrayLike<" in text and ">NDArray<" in text
    assert "numpy._typing" not in text and ">ndarray<" not in text
