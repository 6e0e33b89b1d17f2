"""Links as the repository has them, turned to where their pages are in the site."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from os.path import relpath
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
FENCED = re.compile(r"(^[ \t]*(`{3,}).*?^[ \t]*\2[ \t]*$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]+)\)")
DARK = "-dark"  # the ending of a picture's name in dark colours
Places = Mapping[Path, str]


def links(text: str) -> Iterator[re.Match[str]]:
    """All links and images of a page, those in blocks of code left out."""
    for part in _outside_code(text):
        yield from LINK.finditer(part)


def is_external(target: str) -> bool:
    """Does a link lead out of the repository?"""
    return "://" in target or target.startswith("mailto:")


def turned(text: str, file: Path, page: str, places: Places) -> str:
    """The text of `file` with its links as `page` needs them. Folders have no page: their name alone is left."""

    def turn(link: re.Match[str]) -> str:
        path, hash_, anchor = link["target"].partition("#")
        if is_external(link["target"]) or not path:
            return link[0]
        found = _resolved(file, path)
        if (ROOT / found).is_dir() and found / "README.md" not in places:
            return link["text"]
        target = _relative(_place(found, places), page)
        return _by_theme(link["text"], target) if _has_both(link) else _link(link, f"{target}{hash_}{anchor}")

    return _changed(text, lambda part: LINK.sub(turn, part))


def copy_files(folder: Path, places: Places) -> None:
    """Beside the pages in `folder`: all that they show or offer that is no page."""
    for file in places:
        for link in links((ROOT / file).read_text(encoding="utf-8")):
            path = link["target"].partition("#")[0]
            found = _resolved(file, path) if path and not is_external(link["target"]) else file
            if found not in places and (ROOT / found).is_file():
                target = folder / _place(found, places)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / found, target)


def _resolved(file: Path, path: str) -> Path:
    """What a link in `file` leads to, from the root of the repository."""
    return Path(relpath((ROOT / file).parent / path, ROOT))


def _place(found: Path, places: Places) -> str:
    """Where it lies in the site: pages in their places, files of docs where they were, others apart."""
    folder = found / "README.md"
    if found in places or folder in places:
        return places[found if found in places else folder]
    return PurePosixPath(found.relative_to("docs") if found.parts[0] == "docs" else Path("files") / found).as_posix()


def _relative(place: str, page: str) -> str:
    return PurePosixPath(relpath(place, PurePosixPath(page).parent)).as_posix()


def _link(link: re.Match[str], target: str) -> str:
    return f"{link['image']}[{link['text']}]({target})"


def _has_both(link: re.Match[str]) -> bool:
    """Tables of the games are drawn in light and in dark colours: see `game_page.draw`."""
    return bool(link["image"]) and re.search(r"(^|/)pictures/\w+\.svg$", link["target"]) is not None


def _by_theme(text: str, target: str) -> str:
    dark = PurePosixPath(target)
    dark = dark.with_stem(dark.stem + DARK)
    return f"![{text}]({target}){{.only-light}}![{text}]({dark}){{.only-dark}}"


def _outside_code(text: str) -> list[str]:
    return FENCED.split(text)[::3]


def _changed(text: str, change: Callable[[str], str]) -> str:
    """The text, what is outside of blocks of code changed."""
    parts = FENCED.split(text)
    return "".join(change(part) if i % 3 == 0 else part for i, part in enumerate(parts) if i % 3 != 2)
