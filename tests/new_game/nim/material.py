"""Numbers that several files of Nim need."""

from __future__ import annotations

MOST = 3  # tokens that one action can take
