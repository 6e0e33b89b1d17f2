"""The page of a table, which is the same for everybody, and what browsers may do with it."""

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
POLICY = _NOTHING + f"script-src 'sha256-{_HASH}'; connect-src 'self'"  # this one script, and nothing but this server
REPLAY_POLICY = _NOTHING + "script-src 'unsafe-inline'"  # a file of its own, which asks nobody
