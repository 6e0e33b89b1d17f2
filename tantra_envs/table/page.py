"""The pages of the lobby and of a table, which are equal for all people, and their Content-Security-Policies."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


STYLE = _read("page.css")
_SCRIPT = _read("board.js") + _read("page.js")
_LOBBY_SCRIPT = _read("lobby.js")
PAGE = _read("page.html").replace("{style}", STYLE).replace("{script}", _SCRIPT).encode()
LOBBY = _read("lobby.html").replace("{style}", STYLE).replace("{script}", _LOBBY_SCRIPT).encode()
_NOTHING = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'; "
)
POLICY = _NOTHING + f"img-src data:; script-src 'sha256-{_hash(_SCRIPT)}'; connect-src 'self'"  # only this script
LOBBY_POLICY = _NOTHING + f"img-src data: 'self'; script-src 'sha256-{_hash(_LOBBY_SCRIPT)}'; connect-src 'self'"
BOOK_POLICY = _NOTHING + "img-src data:"  # no script
REPLAY_POLICY = _NOTHING + "img-src data:; script-src 'unsafe-inline'"  # a replay is one file and loads nothing
