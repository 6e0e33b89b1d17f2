"""Build the pages as a site: `make docs`, or `python -m docs._site --out runs/site`.

Sphinx reads a copy of the repository, so links between pages lead to the same places as in a clone. README.md is the
front page. Pages of results, games to step through on the pages of games, and a page to play on are added. A warning
ends the build, for example of a dead link or of a page that `contents.toml` does not list. Nothing is fetched.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sphinx.cmd.build import build_main

import tantra_envs
from benchmarks.harness.plans import scripted_games
from tantra_envs import drawing
from tantra_envs.games import SHIPPED
from tantra_envs.programs import cli

from . import commands, game_tables, play_page, results
from .results import ROOT

HERE = Path(__file__).parent
FOLDERS = ("benchmarks", "configs", "docs", "tantra_envs", "tests", "training")  # which pages lie in or link to
NOT_COPIED = shutil.ignore_patterns("__pycache__", "weights", "node_modules")
PICTURES = (".svg", ".png", ".gif")
LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]*)\]\((?P<path>[^()\s#:]+)\)")
# With the title before it, and the list after it.
FIRST_PARAGRAPH = re.compile(r"# .*\n\n(?:\{\.header\}\n.*\n\n)?(?:[^#\s].*\n)+\n(?:- .*\n(?:  .*\n)*)*\n?")
REFERENCE = """Modules
=======

All functions, classes and methods with their docstrings: for users, for authors of agents and for authors of games.
"""
PLAY = "## Play and look\n\n"  # of the front page
WITHOUT_HEADER = ("install.md", "glossary.md")
SEED = 3  # of the games to step through
NAMES = ("Ann", "Ben", "Cleo", "Dan")
SHORT = {"kanastic": "round", "tarot": "hand"}  # variants that are short enough to step through


@dataclass(frozen=True, kw_only=True)
class Args:
    """Build the pages as a site.

    Example: python -m docs._site --out runs/site
    """

    out: Path = Path("runs/site")
    """Folder of the site; its front page is html/index.html."""


def main(words: Sequence[str] | None = None) -> int:
    """Build the site and return the exit code, which is 0 only without any warning."""
    with cli.user_errors("docs"):
        folder = cli.read(Args, "docs._site", words).out
    pages, html = folder / "pages", folder / "html"
    for old in (pages, html):
        shutil.rmtree(old, ignore_errors=True)
    lay_out(pages)
    strict = ("--fail-on-warning", "--keep-going", "--quiet", "--conf-dir", str(HERE.parent))
    if code := build_main([*strict, "--builder", "html", str(pages), str(html)]):
        print(f"error: the site could not be built; its pages are in {pages}", file=sys.stderr)
        return code
    add_files(pages, html)
    print(f"the site: {html / 'index.html'}")
    return 0


def lay_out(pages: Path) -> None:
    """Write all pages, and the files they link to, into `pages`, each at its place in the repository."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, pages / name, ignore=NOT_COPIED)
    for file in ROOT.iterdir():
        if file.is_file() and not file.name.startswith("."):
            shutil.copyfile(file, pages / file.name)
    results.write_pages(pages)
    (pages / "commands.md").write_text(commands.page(), encoding="utf-8")
    for file in pages.rglob("*.md"):
        text = with_header(file.read_text(encoding="utf-8"), file.relative_to(pages))
        file.write_text(with_site_links(text, file.parent), encoding="utf-8")
    front = (pages / "README.md").read_text(encoding="utf-8").replace(PLAY, f"{PLAY}{play_page.link('.')}", 1)
    contents = results.contents()
    (pages / "README.md").write_text(front + navigation(contents["pages"]), encoding="utf-8")
    (pages / "reference.rst").write_text(reference(contents["modules"]), encoding="utf-8")
    for name in SHIPPED:
        page = pages / f"tantra_envs/games/{name}/README.md"
        text = game_tables.with_tables(tantra_envs.game(name), page.read_text(encoding="utf-8"), whole=True)
        page.write_text(with_replay(text, name), encoding="utf-8")


def navigation(pages: Mapping[str, Sequence[str]]) -> str:
    """Return the lists of pages by caption, which only the navigation shows."""
    lists = (f":caption: {caption}\n\n" + "\n".join(names) for caption, names in pages.items())
    return "".join(f"\n```{{toctree}}\n:hidden:\n:glob:\n{text}\n```\n" for text in lists)


def reference(modules: Mapping[str, Sequence[str]]) -> str:
    """Return the page that lists the modules by section."""
    text = REFERENCE
    for title, names in modules.items():
        listed = "".join(f"   {name}\n" for name in names)
        text += f"\n{title}\n{'-' * len(title)}\n\n.. autosummary::\n   :toctree: reference\n\n{listed}"
    return text


def with_header(text: str, path: Path) -> str:
    """Return a page below docs or of a game with a line under its title: what holds on all pages."""
    title, _, rest = text.partition("\n")
    if path.parts[0] not in ("docs", "tantra_envs") or path.name in WITHOUT_HEADER or not title.startswith("# "):
        return text
    install, glossary = (os.path.relpath(f"docs/{name}.md", path.parent) for name in ("install", "glossary"))
    return (
        f"{title}\n\n{{.header}}\nCommands run in [a copy of the repository]({install}). 0.5 is even, brackets are "
        f"95 % intervals. [Glossary]({glossary})\n{rest}"
    )


def with_replay(text: str, name: str) -> str:
    """Return the page of a game with a game to step through under its first paragraph, or with one to play."""
    end = FIRST_PARAGRAPH.match(text)
    assert end, f"the page of {name} does not begin with a title and a paragraph"
    frame = (
        f'```{{raw}} html\n<iframe class="replay" src="replay.html" title="A game of {tantra_envs.game(name).title}" '
        'loading="lazy"></iframe>\n<p><a href="replay.html">A game to step through</a>, on a page of its own</p>\n'
        "```\n\n"
    )
    part = play_page.link("../../..") if name == play_page.GAME else frame
    return f"{text[: end.end()]}{part}{text[end.end() :]}"


def with_site_links(text: str, folder: Path) -> str:
    """Return a page of `folder` with links to the pages of results, and with plain text for links to other folders."""

    def turn(link: re.Match[str]) -> str:
        target = folder / link["path"]
        if target.is_dir():
            return str(link["text"])
        return results.link(link["text"], link["path"]) if target.suffix in (".csv", ".json", ".html") else link[0]

    return LINK.sub(turn, text)


def add_files(pages: Path, html: Path) -> None:
    """Write what Sphinx does not: the front page by its usual name, pictures inside HTML, and what has scripts."""
    shutil.copyfile(html / "README.html", html / "index.html")
    (html / ".nojekyll").touch()  # GitHub Pages leaves out folders such as _static without it
    for file in pages.rglob("*"):
        if file.suffix in PICTURES:
            copy = html / file.relative_to(pages)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    results.write_studies(html)
    play_page.write(html)
    for name in SHIPPED:
        if name != play_page.GAME:
            replay(name).save(html / f"tantra_envs/games/{name}/replay.html")


def replay(name: str) -> drawing.Replay:
    """Return a game between scripted agents to step through."""
    game = tantra_envs.game(name, SHORT.get(name))
    actions = scripted_games(game, SEED, 1).games["actions"][0].to_list()
    return drawing.replay(game, game.new(SEED), actions, NAMES[: game.players])


if __name__ == "__main__":
    sys.exit(main())
