"""The places of the repository's files in the site, and the navigation."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tantra_envs.games import SHIPPED

from . import api_page, command_page, gallery_page, game_page, links, results

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OWN = ("_site", "_static")  # folders of docs that hold no pages

# The groups of the front page: pages by name, in order; `*` matches any name. Pages without a group come last.
NAVIGATION = {
    "Start": ("start", "choose-a-game", "gallery"),
    "Games": ("games/*",),
    "Train": ("train-your-own", "environments", "frameworks", "many-machines*", "learning"),
    "Agents": ("agents", "search/index", "trained-agents", "baselines", "language-models"),
    "Compare and study": ("tournaments", "balance", "speed"),
    "Play and watch": ("playing", "watching"),
    "Extend": ("add-a-game", "contributing"),
    "Reference": ("api/index", "commands", "glossary"),
    "The project": ("changelog", "citing", "security"),
}
# Pages below another one.
BELOW = {
    "balance": ("findings/*", "tune/*"),
    "learning": ("notes/*",),
    "search/index": ("search/*",),
    "api/index": ("api/*",),
}
MORE = "More"


def lay_out(folder: Path) -> None:
    """Write all pages, and the files they show, into `folder`, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = {page: links.turned(text, file, page, places()) for file, page, text in _texts()}
    pages |= api_page.pages()
    pages |= {page: links.themed(text) for page, text in results.write_pages(folder, folder / "_extra").items()}
    pages["gallery.md"] = pages["gallery.md"].replace(
        gallery_page.MARK, gallery_page.write_pictures(folder / "gallery")
    )
    for page in _without_suffix(pages):
        pages[f"{page}.md"] += _below(page, _without_suffix(pages))
    pages["index.md"] += _navigation(_without_suffix(pages))
    for page, text in pages.items():
        _write(folder / page, text)
    links.copy_files(folder, places())
    game_page.play(folder / "_extra/replays")


def places() -> dict[Path, str]:
    """Return the path in the site of every Markdown file, by its path from the root of the repository."""
    docs = {file: _place(file.relative_to(DOCS)) for file in sorted(DOCS.rglob("*.md")) if _is_page(file)}
    games = {ROOT / f"tantra_envs/games/{name}/README.md": f"games/{name}.md" for name in SHIPPED}
    project = {ROOT / f"{name.upper()}.md": f"{name}.md" for name in ("contributing", "changelog", "security")}
    return {file.relative_to(ROOT): page for file, page in {**docs, **games, **project}.items()}


def _is_page(file: Path) -> bool:
    return not set(OWN) & set(file.relative_to(DOCS).parts)


def _place(file: Path) -> str:
    """Return the path of a file in the site; the README of a folder is its first page."""
    return PurePosixPath(file.with_name("index.md") if file.name == "README.md" else file).as_posix()


def _texts() -> Iterator[tuple[Path, str, str]]:
    """Yield every file, its page, and the text of the page."""
    for file, page in places().items():
        text = (ROOT / file).read_text(encoding="utf-8")
        yield file, page, game_page.page(Path(page).stem, text) if page.startswith("games/") else _filled(text)


def _filled(text: str) -> str:
    """Return a page with the generated parts in their places."""
    for part in (results, command_page):
        text = part.filled(text)
    return text


def _without_suffix(pages: dict[str, str]) -> list[str]:
    return [page.removesuffix(".md") for page in pages]


def _below(page: str, pages: list[str]) -> str:
    return _toctree([found for pattern in BELOW.get(page, ()) for found in _matching(pattern, pages, {page})])


def _navigation(pages: list[str]) -> str:
    """Return the groups of the front page. Every page is in one of them, or below a page that is."""
    below = [(pattern, page) for page, patterns in BELOW.items() for pattern in patterns]
    seen = {"index"}.union(*(_matching(pattern, pages, {page}) for pattern, page in below))
    groups = ""
    for caption, patterns in {**NAVIGATION, MORE: ("**",)}.items():
        group = [page for pattern in patterns for page in _matching(pattern, pages, seen)]
        seen |= set(group)
        groups += _toctree(group, caption)
    return groups


def _matching(pattern: str, pages: list[str], seen: set[str]) -> list[str]:
    def fits(page: str) -> bool:
        return pattern == "**" or (PurePosixPath(page).match(pattern) and page.count("/") == pattern.count("/"))

    return [page for page in pages if fits(page) and page not in seen]


def _toctree(pages: list[str], caption: str = "") -> str:
    if not pages:
        return ""
    head = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["", "```{toctree}", *head, "", *(f"/{page}" for page in pages), "```", ""])


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
