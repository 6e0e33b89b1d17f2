"""The pages of the lobby and of a table, which are equal for all people, and their Content-Security-Policies."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from pathlib import Path

from ..drawing.colours import felt_style

_HERE = Path(__file__).resolve().parent
_DRAWINGS = _HERE.parent / "drawing/page"


HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
"""
FOOT = "<script>{script}</script>\n</body>\n</html>\n"


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def head(title: str) -> str:
    """Return the beginning of a page, up to its body."""
    return HEAD.replace("{title}", escape(title)).replace("{style}", STYLE)


def _page(title: str, body: str, script: str) -> bytes:
    return (head(title) + _read(body) + FOOT.replace("{script}", script)).encode()


FELT = felt_style()
STYLE = _read("page.css") + FELT
_SHARED = _read("shared.js")
_PARTS = (_read("board.js"), _read("zoom.js"), _read("page.js"))
_SCRIPT = (_DRAWINGS / "enlarge.js").read_text(encoding="utf-8") + _SHARED + "".join(_PARTS)
_LOBBY_SCRIPT = _SHARED + _read("lobby.js")
PAGE = _page("table", "page.html", _SCRIPT)
LOBBY = _page("Games", "lobby.html", _LOBBY_SCRIPT)
_GONE_SCRIPT = _SHARED + _read("gone.js")
GONE = _page("This table is not open", "gone.html", _GONE_SCRIPT)
_NOTHING = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'; "
)
POLICY = _NOTHING + f"img-src data:; script-src 'sha256-{_hash(_SCRIPT)}'; connect-src 'self'"  # only this script
GONE_POLICY = _NOTHING + f"img-src data:; script-src 'sha256-{_hash(_GONE_SCRIPT)}'; connect-src 'self'"
LOBBY_POLICY = _NOTHING + f"img-src data: 'self'; script-src 'sha256-{_hash(_LOBBY_SCRIPT)}'; connect-src 'self'"
BOOK_POLICY = _NOTHING + "img-src data:"  # no script
REPLAY_POLICY = _NOTHING + "img-src data:; script-src 'unsafe-inline'"  # a replay is one file and loads nothing
