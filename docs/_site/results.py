"""Pages made from the results in docs/results: ladders, tuning and studies, and the picture of all ladders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.ladder.overview import PICTURE, overview_picture, write_overview_picture
from benchmarks.ladder.report import write_ladder_page
from benchmarks.study.page import write_study_page
from benchmarks.tune.report import write_tune_page

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path("docs/results")
FOLDERS = {"ladder": "search", "tune": "tune", "study": "studies"}  # of the site, by those of the results


def page_of(file: Path) -> str | None:
    """Return the page of the site that is made from a file of results; None for other files."""
    if file.suffix != ".json" or file.parent.parent != RESULTS or file.parent.name not in FOLDERS:
        return None
    suffix = "html" if file.parent.name == "study" else "md"
    return f"{FOLDERS[file.parent.name]}/{file.stem}.{suffix}"


def write_pages(folder: Path, whole: Path) -> dict[str, str]:
    """Write pictures into `folder` and whole HTML pages into `whole`; return the texts of the other pages."""
    texts = {}
    for kind, write in (("ladder", write_ladder_page), ("tune", write_tune_page)):
        for name, results in read(kind).items():
            page = page_of(RESULTS / kind / f"{name}.json")
            assert page is not None
            (folder / page).parent.mkdir(parents=True, exist_ok=True)
            write(folder / page, results)
            texts[page] = (folder / page).read_text(encoding="utf-8")
    (whole / FOLDERS["study"]).mkdir(parents=True, exist_ok=True)
    for name, results in read("study").items():
        write_study_page(whole / FOLDERS["study"] / f"{name}.html", results)
    write_overview_picture(folder / FOLDERS["ladder"] / "index.md", read("ladder"))
    return texts


def filled(text: str) -> str:
    """Return a page with the picture of all ladders in the place for it."""
    return text.replace(PICTURE, overview_picture())


def read(kind: str) -> dict[str, dict[str, Any]]:
    """Return the results of one kind by name."""
    files = sorted((ROOT / RESULTS / kind).glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
