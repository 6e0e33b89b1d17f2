"""The pages as a site: `make docs`, or `python -m docs._site --out runs/site`. Nothing is fetched; a warning ends it.

The Markdown of the repository is laid out as the site has it, what can be made of the games and of the code is made,
links are turned to where their pages went, and Sphinx does the rest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sphinx.cmd.build import build_main

from .layout import DOCS, lay_out


def main(words: Sequence[str] | None = None) -> int:
    """Build the site: the exit code, not 0 if there was a warning."""
    parser = argparse.ArgumentParser("python -m docs._site", description="Build the pages as a site.")
    parser.add_argument("--out", type=Path, default=Path("runs/site"), help="its folder: html/index.html in it")
    asked = parser.parse_args(words)
    pages, html = asked.out / "pages", asked.out / "html"
    lay_out(pages)
    strict = ("--fail-on-warning", "--keep-going", "--quiet", "--fresh-env")
    replays = ("-D", f"html_extra_path={(pages / '_extra').resolve()}")
    code = build_main([*strict, *replays, "--conf-dir", str(DOCS), "--builder", "html", str(pages), str(html)])
    print(f"the site could not be built: see {pages}" if code else f"the site: {html / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
