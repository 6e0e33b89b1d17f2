"""Action ids: 0, 1, 2 take one token more than the id."""

from __future__ import annotations

from ...core.blocks import Block, Blocks
from .material import MOST

ACTIONS = Blocks(Block("take", MOST, "take i + 1 tokens", "TAKE"))
