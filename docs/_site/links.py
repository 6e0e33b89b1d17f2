"""Links of the repository, changed to the places of their pages in the site."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from os.path import relpath
from pathlib import Path, PurePosixPath

from .results import page_of

ROOT = Path(__file__).resolve().parents[2]
FENCED = re.compile(r"(^[ \t]*(`{3,}).*?^[ \t]*\2[ \t]*$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]+)\)")
# A picture in light and dark colours, in the form of forges; a <p> may contain several.
PICTURE = re.compile(
    r'<picture>\s*<source [^>]*?srcset="(?P<dark>[^"]+)">\s*<img src="(?P<light>[^"]+)"(?: width="[^"]+")? '
    r'alt="(?P<text>[^"]*)">\s*</picture>'
)
BESIDE = re.compile(r"^<p>\n((?:<picture>.*</picture>\n)+)</p>$", re.MULTILINE)
Places = Mapping[Path, str]


def links(text: str) -> Iterator[re.Match[str]]:
    """Yield all links and images of a page, except those in blocks of code."""
    for part in _outside_code(text):
        yield from LINK.finditer(part)


def is_external(target: str) -> bool:
    """Return whether a link leads out of the repository."""
    return "://" in target or target.startswith("mailto:")


def turned(text: str, file: Path, page: str, places: Places) -> str:
    """Return the text of `file` with its links as `page` needs them. Of a folder only the name is left."""

    def turn(link: re.Match[str]) -> str:
        path, hash_, anchor = link["target"].partition("#")
        if is_external(link["target"]) or not path:
            return link[0]
        found = _resolved(file, path)
        if (ROOT / found).is_dir() and found / "README.md" not in places:
            return link["text"]
        if _is_whole(found):
            return f'<a href="{_relative(_place(found, places), page)}">{link["text"]}</a>'
        return f"{link['image']}[{link['text']}]({_relative(_place(found, places), page)}{hash_}{anchor})"

    return _changed(themed(text), lambda part: LINK.sub(turn, part))


def themed(text: str) -> str:
    """Return a page with one image for each theme in place of each `<picture>`; the site shows the reader's."""

    def show(picture: re.Match[str]) -> str:
        return "".join(f"![{picture['text']}]({picture[theme]}){{.only-{theme}}}" for theme in ("light", "dark"))

    return _changed(text, lambda part: PICTURE.sub(show, BESIDE.sub(r"\1", part)))


def copy_files(folder: Path, places: Places) -> None:
    """Copy into `folder` all files that the pages show or link to and that are not pages."""
    for file in places:
        for target in _targets((ROOT / file).read_text(encoding="utf-8")):
            path = target.partition("#")[0]
            found = _resolved(file, path) if path and not is_external(target) else file
            if found not in places and page_of(found) is None and (ROOT / found).is_file():
                copy = folder / ("_extra" if _is_whole(found) else "") / _place(found, places)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / found, copy)


def _is_whole(found: Path) -> bool:
    """Return whether a file is shown as a whole page."""
    return found.suffix == ".html" or str(page_of(found)).endswith(".html")


def _resolved(file: Path, path: str) -> Path:
    """Return the target of a link in `file`, from the root of the repository."""
    return Path(relpath((ROOT / file).parent / path, ROOT))


def _place(found: Path, places: Places) -> str:
    """Return the path of a target in the site: of a page, of a file of docs, or of another file."""
    folder, made = found / "README.md", page_of(found)
    if made is not None:
        return made
    if found in places or folder in places:
        return places[found if found in places else folder]
    return PurePosixPath(found.relative_to("docs") if found.parts[0] == "docs" else Path("files") / found).as_posix()


def _relative(place: str, page: str) -> str:
    return PurePosixPath(relpath(place, PurePosixPath(page).parent)).as_posix()


def _targets(text: str) -> Iterator[str]:
    """Yield the targets of all links and pictures of a page."""
    yield from (link["target"] for link in links(text))
    for picture in PICTURE.finditer(text):
        yield from (picture["light"], picture["dark"])


def _outside_code(text: str) -> list[str]:
    return FENCED.split(text)[::3]


def _changed(text: str, change: Callable[[str], str]) -> str:
    """Return the text, changed outside of blocks of code."""
    parts = FENCED.split(text)
    return "".join(change(part) if i % 3 == 0 else part for i, part in enumerate(parts) if i % 3 != 2)
