"""Settings for the whole suite: Hypothesis draws the same examples every time and sets no time limit."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, database=None)
settings.load_profile("suite")
