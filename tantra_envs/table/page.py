"""The page of a table, which is equal for all people, and its Content-Security-Policy."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SCRIPT = (_HERE / "page.js").read_text(encoding="utf-8")
PAGE = (_HERE / "page.html").read_text(encoding="utf-8").replace("{script}", _SCRIPT).encode()
_HASH = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
_NOTHING = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; "
    "style-src 'unsafe-inline'; "
)
POLICY = _NOTHING + f"script-src 'sha256-{_HASH}'; connect-src 'self'"  # allow only this script and this server
REPLAY_POLICY = _NOTHING + "script-src 'unsafe-inline'"  # a replay is one file and loads nothing
