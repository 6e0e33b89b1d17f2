"""Settings for the whole suite: Hypothesis draws the same examples every time and sets no time limit."""

from __future__ import annotations

import os

# Before anybody imports torch: threads that share a core with other tests wait for each other many times as long as
# they compute.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, database=None)
settings.load_profile("suite")
