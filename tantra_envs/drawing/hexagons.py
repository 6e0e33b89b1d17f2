"""Hexagons with a corner at the top: positions of their cells, their outline, and curves that join two sides."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import cos, pi, sin, sqrt

from .layout import Box

SIDE = 20.0  # side of a hexagon at scale 1, which equals the radius of its corners
WIDE, HIGH = sqrt(3) * SIDE, 2 * SIDE
Cell = tuple[int, int]


def corner(k: int, radius: float = SIDE) -> tuple[float, float]:
    """Return the position of corner k, counted clockwise from the top.

    Side d, counted clockwise from the north-east, is between corners d and d + 1.
    """
    angle = pi * k / 3 - pi / 2
    return radius * cos(angle), radius * sin(angle)


def middle(d: int, radius: float = WIDE / 2) -> tuple[float, float]:
    """Return the middle of side d."""
    angle = pi * (d - 1) / 3
    return radius * cos(angle), radius * sin(angle)


@lru_cache(64)
def outline(radius: float = SIDE) -> str:
    """Return the path of a hexagon."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (corner(k, radius) for k in range(6))) + "Z"


@lru_cache(4096)
def curve(a: int, b: int, x: float = 0, y: float = 0, scale: float = 1) -> str:
    """Return the path from the middle of side a to that of side b of a hexagon at (x, y), at right angles to both."""
    if (b - a) % 6 > 3:
        a, b = b, a
    (x1, y1), (x2, y2) = middle(a, scale * WIDE / 2), middle(b, scale * WIDE / 2)
    start, end = f"M{x + x1:.1f} {y + y1:.1f}", f"{x + x2:.1f} {y + y2:.1f}"
    apart = (b - a) % 6
    if apart == 3:
        return f"{start}L{end}"
    radius = scale * SIDE * (0.5 if apart == 1 else 1.5)
    return f"{start}A{radius:.1f} {radius:.1f} 0 0 0 {end}"


class Grid:
    """Cells (q, r) fitted into a box: q counts to the east, r to the south-east."""

    def __init__(self, box: Box, cells: Iterable[Cell], largest: float = 1.3) -> None:
        centres = [self._flat(cell) for cell in cells] or [(0.0, 0.0)]
        left, right = min(x for x, _ in centres), max(x for x, _ in centres)
        top, bottom = min(y for _, y in centres), max(y for _, y in centres)
        self.scale = min(largest, box.w / (right - left + WIDE), box.h / (bottom - top + HIGH))
        x, y = box.middle
        self._x, self._y = x - self.scale * (left + right) / 2, y - self.scale * (top + bottom) / 2

    @staticmethod
    def _flat(cell: Cell) -> tuple[float, float]:
        q, r = cell
        return WIDE * (q + r / 2), 1.5 * SIDE * r

    def at(self, cell: Cell) -> tuple[float, float]:
        """Return the centre of a cell."""
        x, y = self._flat(cell)
        return self._x + self.scale * x, self._y + self.scale * y


def honeycomb(box: Box, n: int, largest: float = 0.9) -> list[tuple[float, float, float]]:
    """Return centres and scale of n hexagons in rows, as large as the box allows, from its upper left."""
    best = (0.0, 1)
    for across in range(1, n + 1):
        rows = -(-n // across)
        best = max(best, (min(largest, box.w / (across * (WIDE + 2)), box.h / (rows * (HIGH + 1))), across))
    scale, across = best
    w, h = (WIDE + 2) * scale, (HIGH + 1) * scale
    return [(box.x + w * (i % across + 0.5), box.y + h * (i // across + 0.5), scale) for i in range(n)]
