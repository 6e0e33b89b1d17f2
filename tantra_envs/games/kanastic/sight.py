"""What a seat of Kanastic sees, in cards: counted from the shares that its view tells."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel, leaf
from .material import COPIES, FULL, MOST_WILDS, VARIANTS
from .view import T_ARTIFACTS, T_SWORDS


@leaf
def count(view: Any, block: int, rule: int, kind: int) -> int:
    """Cards of a kind in a block of the view, such as HAND."""
    return int(view[block + kind] * COPIES[rule, kind] + 0.5)


@kernel
def of_rank(view: Any, block: int, rule: int, r: int) -> int:
    """Naturals of a rank there."""
    cards = 0
    for j in range(VARIANTS):
        cards += count(view, block, rule, VARIANTS * r + j)
    return cards


@leaf
def wilds(view: Any, team: int, r: int) -> int:
    """Wild cards in the formation of a rank, of the team whose block begins at `team`."""
    return int((view[team + T_SWORDS + r] + view[team + T_ARTIFACTS + r]) * MOST_WILDS + 0.5)


@leaf
def size(view: Any, team: int, r: int) -> int:
    """Cards in that formation."""
    return int(view[team + r] * FULL + 0.5) + wilds(view, team, r)
