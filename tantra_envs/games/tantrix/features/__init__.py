"""Features of every legal action, for learned agents; puzzles have none."""

from __future__ import annotations

from ....core.game import Features
from . import gobble, solitaire, strategy
from .placements import Placements

BY_MODE: dict[str, Features] = {
    "strategy": Placements(strategy.OF_ACTION),
    "solitaire": Placements(solitaire.OF_ACTION),
    "gobble": gobble,
}
