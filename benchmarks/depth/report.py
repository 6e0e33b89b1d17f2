"""The page on depth of skill, and its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tantra_envs import game
from tantra_envs.files import open_folder

from ..harness.formatting import score_in_words, with_ends, write_page
from ..harness.themes import write_both
from .plots import picture
from .reading import Depth


def write(page: Path, found: Sequence[Depth], command: str) -> None:
    """Draw, write, and say where."""
    open_folder(page.parent)
    pictures = write_both(page, page.stem, lambda: picture(found), "depth")
    names = {theme: file.name for theme, file in pictures.items()}
    values: dict[str, Any] = {"found": found, "command": command, "pictures": names, "partnered": partnered(found)}
    write_page(page, "benchmarks.depth", **values, score=score_in_words, rise=rise_in_words, gained=gained_in_words)
    print(f"kept: {page} and its pictures")


def partnered(found: Sequence[Depth]) -> list[str]:
    """The tables at which not one player but a team of partners meets scripted ones."""
    return [depth.table for depth in found if game(depth.table, players=depth.players).partners]


def rise_in_words(depth: Depth) -> str:
    """What a doubling of the worlds adds to the score; a dash where there is one search only."""
    rise = depth.rise()
    return with_ends(*rise, 3, signed=True) if rise else "-"


def gained_in_words(depth: Depth) -> str:
    """The part of the oracle's gain that needs no seeing; a dash without an oracle that gains."""
    gained = depth.gained()
    return "-" if gained is None else f"{100 * gained:.0f} %"
