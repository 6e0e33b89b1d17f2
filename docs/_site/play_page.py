"""Write the page "Play in the browser" of the site: a table of Karma that needs neither a server nor an installation.

The page of `python -m tantra_envs play` talks to a worker in place of the server. After a click the worker loads
Pyodide, which is Python for browsers, and the files of the project that a table of Karma needs, as they are.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

import tantra_envs
from tantra_envs.table.book import book
from tantra_envs.table.page import PAGE

HERE = Path(__file__).parent / "play"
PACKAGE = Path(tantra_envs.__file__).parent
PYTHON = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"  # where Pyodide publishes its builds
NEEDED = ("core", "drawing", "games/karma", "matches", "opponents", "programs", "table", "words")
ENDINGS = (".py", ".txt", ".html", ".css", ".js")
START = """<main id="start" class="panel"><h1>Play Karma in the browser</h1>
<p><picture><source media="(prefers-color-scheme: dark)" srcset="docs/pictures/karma-dark.svg">
<img src="docs/pictures/karma.svg" alt="A table of Karma: own cards open, those of the others face down"></picture></p>
<p>You play against two scripted agents. Nothing is installed, and your game stays in this browser.</p>
<p><button id="play" class="first">Play</button> It loads about 10 MB the first time.</p>
<p><a href="docs/playing.html">All games, opponents and hints</a></p></main>
"""
STYLE = "<style>#start{max-width:44rem;margin:1rem auto}#start img{width:100%}#replay{display:none}</style>\n"


def write(html: Path, python: str = PYTHON, packages: Sequence[str] = ("numpy",), more: Path | None = None) -> None:
    """Write the page and what it loads into the folder of the site.

    Args:
        html: The folder of the site.
        python: The address of a build of Pyodide.
        packages: Packages of this build that are loaded.
        more: A folder with Python files in place of packages.
    """
    folder = html / "play"
    folder.mkdir(exist_ok=True)
    for name in ("python.js", "worker.js", "page.js"):
        shutil.copyfile(HERE / name, folder / name)
    places = {"PYTHON": python, "PACKAGES": list(packages), "FILES": "files.zip"}
    lines = (f"export const {name} = {json.dumps(place)};\n" for name, place in places.items())
    (folder / "places.js").write_text("".join(lines), encoding="utf-8")
    (folder / "rules.html").write_text(book(tantra_envs.game("karma")), encoding="utf-8")
    with zipfile.ZipFile(folder / "files.zip", "w", zipfile.ZIP_DEFLATED) as files:
        for name, file in sources(more).items():
            files.write(file, name)
    page = PAGE.decode().replace("<title>table</title>", "<title>Play Karma in the browser</title>")
    page = page.replace("<body>\n", f"<body>\n{STYLE}{START}", 1)
    page = page.replace("<script>", '<script src="play/page.js"></script>\n<script>', 1)
    (html / "play.html").write_text(page, encoding="utf-8")


def sources(more: Path | None) -> dict[str, Path]:
    """Return the files in the archive by name. Without its `__init__.py` the package imports no environments."""
    parts = [file for part in NEEDED for file in (PACKAGE / part).rglob("*")]
    parts += [file for file in PACKAGE.glob("*.py") if file.name != "__init__.py"] + [PACKAGE / "games/__init__.py"]
    named = {f"tantra_envs/{file.relative_to(PACKAGE).as_posix()}": file for file in parts if file.suffix in ENDINGS}
    return {**named, "table.py": HERE / "table.py", **({file.name: file for file in more.iterdir()} if more else {})}
