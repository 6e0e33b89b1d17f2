"""What a release says of itself: one version, in all places."""

from __future__ import annotations

import re
from pathlib import Path

import tantra_envs

ROOT = Path(__file__).resolve().parents[1]


def test_the_citation_names_this_version():
    (version,) = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert version == tantra_envs.__version__


def test_the_changelog_begins_with_this_version():
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == tantra_envs.__version__
