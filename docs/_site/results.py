"""Read the results in docs/results, and write the pages that are made from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

import tantra_envs
from benchmarks.views import ladder
from benchmarks.views.study import write_study_page
from tantra_envs.programs import results as files
from tantra_envs.programs.files import read_toml

BACK = '<p><a href="../../balance.html">Is my rule fair?</a> · <a href="../../../index.html">tantra_envs</a></p>'
ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path("docs/results")
CHANGES = ROOT / "CHANGELOG.md"


def contents() -> dict[str, Any]:
    """Return the lists of the site: its pages, the modules of its reference, and the names that users import."""
    return read_toml(Path(__file__).with_name("contents.toml"))


def link(text: str, path: str) -> str:
    """Return the link to a file of results as a link to its page, if it has one."""
    file = Path(path)
    if file.parent.name == "study":  # its page is no page of Sphinx
        return f'<a href="{file.with_suffix(".html").as_posix()}">{text}</a>'
    page = file.with_suffix(".md") if file.parent.name == "ladder" else file
    return f"[{text}]({page.as_posix()})"


def write_pages(folder: Path) -> None:
    """Write a page next to each file of ladders."""
    for file in files_of("ladder/*"):
        page = folder / RESULTS / f"ladder/{file.stem}.md"
        ladder.write_ladder_page(page, files.read(file), files.command_of(file))


def write_studies(html: Path) -> None:
    """Write the pages of all studies, which are whole HTML pages with a way back, into the folder of the site."""
    folder = html / RESULTS / "study"
    folder.mkdir(parents=True, exist_ok=True)
    for file in files_of("study/*"):
        page = folder / f"{file.stem}.html"
        write_study_page(page, files.read(file), files.command_of(file))
        page.write_text(page.read_text(encoding="utf-8").replace("<body>", f"<body>\n{BACK}", 1), encoding="utf-8")


def measured(table: str, parts: Mapping[str, str]) -> str:
    """Return a table with the versions and dates of its results below it, by what they measured ("" = all of it)."""
    words = "; ".join(f"{part} with {_origin(name)}".strip() for part, name in parts.items())
    return f"{table}\nMeasured{'' if '' in parts else ':'} {words}.\n"


def listed(names: Mapping[str, str], docs: str) -> str:
    """Return links from a page to files of results with their versions and dates; `docs` is the way to docs."""
    origins = {text: _origin(name) for text, name in names.items()}
    paths = {text: files_of(name)[0].relative_to(ROOT / "docs").as_posix() for text, name in names.items()}
    links = ", ".join(f"[{text}]({docs}{paths[text]}) ({origins[text]})" for text in names)
    is_old = any(f"numbered {tantra_envs.__version__}" not in origin for origin in origins.values())
    return f"Results: {links}.{' Agents of today may play differently.' if is_old else ''}\n"


def _origin(name: str) -> str:
    """Return the version that made the results in the files of a name, and their first and last date."""
    if not (found := files_of(name)):
        raise ValueError(f"docs/results has no {name}.csv")
    return label(pl.concat(map(files.read, found)))


def label(lines: pl.DataFrame) -> str:
    """Return the version that the code had which made some results, and their first and last date."""
    versions, dates = (sorted(lines[name].unique()) for name in ("version", "date"))
    return f"code numbered {' and '.join(versions)}, {' to '.join(dict.fromkeys((dates[0], dates[-1])))}"


def unreleased() -> list[str]:
    """Return the changes after the last release."""
    section = CHANGES.read_text(encoding="utf-8").partition("## [Unreleased]")[2].partition("\n## ")[0]
    return re.findall(r"^- (.*)", section, re.MULTILINE)


def check_release(version: str) -> None:
    """Raise ValueError if this version cannot name the pages: changes have no version, or results have a newer one."""
    if changes := unreleased():
        raise ValueError(f"CHANGELOG.md: {len(changes)} changes are unreleased; allowed: none, {version} has them")
    for file in (file for name in ("*", "*/*") for file in files_of(name)):
        for found in files.read(file)["version"].unique():
            if [int(part) for part in found.split(".")] > [int(part) for part in version.split(".")]:
                raise ValueError(f"{file.relative_to(ROOT)}: version {found}; allowed: up to {version}")


def files_of(name: str) -> list[Path]:
    """Return the files of results with a name without a suffix, or with a pattern such as `rank/*`."""
    return sorted((ROOT / RESULTS).glob(f"{name}.csv"))


def lines(name: str, **values: str) -> pl.DataFrame:
    """Return the lines of a file of results that have these values; its name has no suffix."""
    return files.read(ROOT / RESULTS / f"{name}.csv").filter(**values)
