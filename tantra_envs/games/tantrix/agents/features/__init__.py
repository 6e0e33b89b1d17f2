"""Features of every legal action, for learned agents. Puzzles have generic ones."""

from __future__ import annotations

from .....core.features import Describing
from . import gobble, solitaire, strategy
from .placements import Placements

BY_MODE: dict[str, Describing] = {
    "strategy": Placements(strategy.OF_ACTION),
    "solitaire": Placements(solitaire.OF_ACTION),
    "gobble": gobble,
}
