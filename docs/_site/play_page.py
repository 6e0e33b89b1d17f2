"""Write the page "Play in the browser" of the site: a table of Karma that needs neither a server nor an installation.

The page of `python -m tantra_envs play` talks to a worker in place of the server. After a click the worker loads
Pyodide, which is Python for browsers, and the files of the project that a table of Karma needs, as they are.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import tantra_envs
from tantra_envs.table.book import book
from tantra_envs.table.page import PAGE

HERE = Path(__file__).parent / "play"
PACKAGE = Path(tantra_envs.__file__).parent
GAME = "karma"
NEEDED = ("core", "drawing", f"games/{GAME}", "matches", "opponents", "programs", "table", "words")
ENDINGS = (".py", ".txt", ".html", ".css", ".js")
START = """<div id="start" role="main" class="panel"><h1>Play Karma in the browser</h1>
<p><picture><source media="(prefers-color-scheme: dark)" srcset="docs/pictures/karma-dark.svg">
<img src="docs/pictures/karma.svg" alt="A table of Karma: own cards open, those of the others face down"></picture></p>
<p>You play against two scripted agents. Nothing is installed, and your game stays in this browser.</p>
<p><button id="play" class="first">Play</button> It loads about 10 MB the first time, Python from cdn.jsdelivr.net.</p>
<p><a href="docs/playing.html">All games, opponents and hints</a></p></div>
"""
STYLE = "<style>#start{max-width:44rem;margin:1rem auto}#start img{width:100%}#replay{display:none}</style>\n"


def link(root: str) -> str:
    """Return a link to the page for a Markdown page; `root` leads from there to the folder of the site."""
    words = "Play Karma in this browser</a>, against two scripted agents, without an installation."
    return f'```{{raw}} html\n<p><a class="play" href="{root}/play.html">{words}</p>\n```\n\n'


def write(html: Path) -> None:
    """Write the page and what it loads into the folder of the site."""
    folder = html / "play"
    folder.mkdir(exist_ok=True)
    for name in ("python.js", "worker.js", "page.js"):
        shutil.copyfile(HERE / name, folder / name)
    (folder / "rules.html").write_text(book(tantra_envs.game(GAME)), encoding="utf-8")
    with zipfile.ZipFile(folder / "files.zip", "w", zipfile.ZIP_DEFLATED) as files:
        for file in sources():
            files.write(file, file.relative_to(PACKAGE.parent))
        files.write(HERE / "table.py", "table.py")
    page = PAGE.decode().replace("<title>table</title>", "<title>Play Karma in the browser</title>")
    page = page.replace("<body>\n", f"<body>\n{STYLE}{START}", 1)
    page = page.replace("<script>", '<script src="play/page.js"></script>\n<script>', 1)
    (html / "play.html").write_text(page, encoding="utf-8")


def sources() -> list[Path]:
    """Return the files of the package in the archive. Without its `__init__.py` it imports no environments."""
    parts = [file for part in NEEDED for file in (PACKAGE / part).rglob("*")]
    parts += [file for file in PACKAGE.glob("*.py") if file.name != "__init__.py"] + [PACKAGE / "games/__init__.py"]
    return [file for file in parts if file.suffix in ENDINGS]
