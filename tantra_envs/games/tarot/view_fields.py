"""What the view's numbers about a seat mean, by their place in the blocks `seat_0`, `seat_1` ..; five voids last."""

from __future__ import annotations

TOTAL, POINTS, TAKEN, HAND_SIZE, NO_TAROT, VOID = range(6)
