"""Build the pages as a site: `make docs`, or `python -m docs._site --out runs/site`.

The build fetches nothing. It fails on a warning, on a dead link and on a public name without a page. `layout.py` copies
the Markdown files of the repository to their places in the site, adds the generated pages and turns the links. Sphinx
builds the HTML, and `check.py` follows every link of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sphinx.cmd.build import build_main

from .api_page import MissingPageError
from .check import dead_links
from .layout import DOCS, lay_out


def main(words: Sequence[str] | None = None) -> int:
    """Build the site and return the exit code, which is 0 only without any warning, dead link or missing page."""
    parser = argparse.ArgumentParser("python -m docs._site", description="Build the pages as a site.")
    parser.add_argument(
        "--out", type=Path, default=Path("runs/site"), help="Folder of the site: html/index.html in it."
    )
    folder = parser.parse_args(words).out
    pages, html = folder / "pages", folder / "html"
    try:
        lay_out(pages)
    except MissingPageError as error:
        return _failed(str(error))
    if code := _build(pages, html):
        return _failed(f"the site could not be built; its pages are in {pages}", code)
    if dead := dead_links(html):
        return _failed("\n".join(["dead links:", *dead]))
    print(f"the site: {html / 'index.html'}")
    return 0


def _build(pages: Path, html: Path) -> int:
    strict = ("--fail-on-warning", "--keep-going", "--quiet", "--fresh-env")
    replays = ("-D", f"html_extra_path={(pages / '_extra').resolve()}")
    return build_main([*strict, *replays, "--conf-dir", str(DOCS), "--builder", "html", str(pages), str(html)])


def _failed(message: str, code: int = 1) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
