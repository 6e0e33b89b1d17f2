"""Features of every legal action, for learned agents: a file for each mode; puzzles have none."""

from __future__ import annotations

from ....core.game import Features
from . import gobble, solitaire, strategy

BY_MODE: dict[str, Features] = {"strategy": strategy, "solitaire": solitaire, "gobble": gobble}
