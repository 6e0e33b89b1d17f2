"""What findings say at several levels of skill stands on the pages that their commands wrote."""

from __future__ import annotations

import re

import pytest

import tantra_envs

from .pages import ROOT

LEVELS = "## At three levels of skill"
STUDIES = ("search", "restricted", "chances", "tune")


def told(game: str) -> list[str]:
    """The figures with intervals of a game's findings at several levels of skill."""
    text = (ROOT / f"docs/findings/{game}.md").read_text(encoding="utf-8").replace("\n", " ")
    _, _, section = text.partition(LEVELS)
    return re.findall(r"[+-]?\d+\.\d+ \[[^\]]+\]", section)


def pages(game: str) -> str:
    """All pages of studies of the game."""
    files = [ROOT / f"docs/{study}/{game}.md" for study in STUDIES] + [ROOT / f"docs/reports/{game}.html"]
    return " ".join(file.read_text(encoding="utf-8") for file in files if file.exists())


@pytest.mark.parametrize("game", tantra_envs.GAMES)
def test_every_figure_stands_on_a_page_of_a_study(game):
    figures, known = told(game), pages(game)
    assert figures
    assert not [figure for figure in figures if figure not in known]
