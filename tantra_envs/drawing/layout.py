"""Layout of a table: boxes that are divided, and cards that are spread to fit into a box."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

CARD_W, CARD_H = 50.0, 70.0  # size of a card at scale 1
GAP = 0.06  # gap between cards that do not overlap, in card widths
GROUP_GAP = 0.35  # gap between groups, in card widths
BACKS = 0.28  # visible part of a card face down under others, in card widths
LEAST = 10.0  # smallest width of a card
STEPS = (1 + GAP, 0.8, 0.62, 0.5, 0.4)  # steps from card to card of a group, in card widths


class Spot(NamedTuple):
    """Upper left corner and scale of a card."""

    x: float
    y: float
    scale: float


class Box(NamedTuple):
    """A rectangle on the table."""

    x: float
    y: float
    w: float
    h: float

    def inset(self, margin: float) -> Box:
        """Return the box within a margin."""
        return Box(self.x + margin, self.y + margin, self.w - 2 * margin, self.h - 2 * margin)

    def top(self, h: float, gap: float = 0) -> tuple[Box, Box]:
        """Return the upper part and the rest."""
        return Box(self.x, self.y, self.w, h), Box(self.x, self.y + h + gap, self.w, self.h - h - gap)

    def left(self, w: float, gap: float = 0) -> tuple[Box, Box]:
        """Return the left part and the rest."""
        return Box(self.x, self.y, w, self.h), Box(self.x + w + gap, self.y, self.w - w - gap, self.h)

    def grid(self, n: int, columns: int, gap: float = 4) -> list[Box]:
        """Return n boxes, row by row. Boxes of a last row that is not full are wider and fill the row."""
        rows = ceil(n / columns)
        h = (self.h - gap * (rows - 1)) / rows
        boxes = []
        for i in range(n):
            row, column = divmod(i, columns)
            across = min(columns, n - row * columns)
            w = (self.w - gap * (across - 1)) / across
            boxes.append(Box(self.x + column * (w + gap), self.y + row * (h + gap), w, h))
        return boxes

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the box."""
        return self.x + self.w / 2, self.y + self.h / 2


def fan(box: Box, n: int, widest: float, seen: float = 0.5) -> list[Spot]:
    """Return the spots of n cards in rows that overlap where they must.

    Args:
        box: The box that the cards must fit into.
        n: Number of cards.
        widest: Largest width of a card.
        seen: Part of its width that a card under others should show. Rows may overlap as well.
    """
    if n == 0:
        return []
    w, rows = _fitted(box.w, box.h, n, widest, seen)
    across = ceil(n / rows)
    h = w * CARD_H / CARD_W
    step = min(w * (1 + GAP), (box.w - w) / (across - 1)) if across > 1 else 0
    pitch = min(h * (1 + GAP), (box.h - h) / (rows - 1)) if rows > 1 else 0
    top = box.y + (box.h - h - pitch * (rows - 1)) / 2
    start = box.x + (box.w - w - step * (across - 1)) / 2
    return [Spot(start + step * (i % across), top + pitch * (i // across), w / CARD_W) for i in range(n)]


@lru_cache(4096)
def _fitted(room: float, high: float, n: int, widest: float, seen: float) -> tuple[float, int]:
    """Return the best width of n cards and the number of rows that shows them best."""
    (_, _, w), rows = max((_visible(room, high, n, rows, widest, seen), rows) for rows in range(4, 0, -1))
    return w, rows


def _visible(room: float, high: float, n: int, rows: int, widest: float, seen: float) -> tuple[float, float, float]:
    """Rate a layout of n cards in rows: visible width up to `seen`, visible area, and width of a card."""
    across = ceil(n / rows)
    best = (0.0, 0.0, LEAST)
    for percent in range(100, 30, -6):
        w = max(LEAST, widest * percent / 100)
        h = w * CARD_H / CARD_W
        pitch = (high - h) / (rows - 1) if rows > 1 else h
        if w > room or h > high or pitch < 0.62 * h:
            continue
        step = min(w, (room - w) / (across - 1)) if across > 1 else w
        best = max(best, (min(step, seen * w), min(step, 0.8 * w) * min(pitch / h, 1) ** 0.5, w))
    return best


def spread(box: Box, sizes: Sequence[int], widest: float, shown: float = 1.0) -> list[list[Spot]]:
    """Return the spots of groups of cards, in as many rows as needed, with the widest cards that fit in the box.

    Args:
        box: The place for all groups.
        sizes: Cards of each group.
        widest: Largest width of a card.
        shown: Part of the height of a card that the next row leaves visible. The last row covers the rows above it.
    """
    w, high = widest, CARD_H / CARD_W
    while w > LEAST:
        for step in STEPS:
            rows = _rows(box.w, sizes, w, step)
            pitch = (high + GAP if shown == 1 else shown * high) * w
            if (len(rows) - 1) * pitch + high * w <= box.h:
                return _place(box, rows, sizes, w, step, pitch)
        w *= 0.94
    rows = _rows(box.w, sizes, LEAST, STEPS[-1])
    pitch = (box.h - CARD_H / CARD_W * LEAST) / max(1, len(rows) - 1)
    return _place(box, rows, sizes, LEAST, STEPS[-1], pitch)


def _rows(room: float, sizes: Sequence[int], w: float, step: float) -> list[list[int]]:
    """Return the groups of each row."""
    rows: list[list[int]] = [[]]
    used = 0.0
    for i, size in enumerate(sizes):
        width = min(room, w * (1 + step * (size - 1)) if size else 0)
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(i)
        used += width + GROUP_GAP * w
    return rows


def _place(
    box: Box, rows: list[list[int]], sizes: Sequence[int], w: float, step: float, pitch: float
) -> list[list[Spot]]:
    spots: list[list[Spot]] = [[] for _ in sizes]
    for row, groups in enumerate(rows):
        x, y = box.x, box.y + row * pitch
        for i in groups:
            size = sizes[i]
            apart = min(step * w, (box.w - w) / (size - 1)) if size > 1 else 0
            spots[i] = [Spot(x + k * apart, y, w / CARD_W) for k in range(size)]
            x += w + apart * (size - 1) + GROUP_GAP * w if size else 0
    return spots


def bounds(spots: Sequence[Spot], margin: float = 0) -> Box:
    """Return the box around cards."""
    x, y = min(spot.x for spot in spots), min(spot.y for spot in spots)
    right = max(spot.x + CARD_W * spot.scale for spot in spots)
    bottom = max(spot.y + CARD_H * spot.scale for spot in spots)
    return Box(x - margin, y - margin, right - x + 2 * margin, bottom - y + 2 * margin)
