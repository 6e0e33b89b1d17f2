"""Our own shapes as paths, in a square of 20 units round (0, 0): suits, crowns, tools, and what games put on cards."""

from __future__ import annotations

from math import cos, pi, sin

PATHS = {
    # French suits
    "heart": "M0 9C-11.5 0-9.5-8.6-4.6-8.6-2-8.6-.6-6.8 0-5 .6-6.8 2-8.6 4.6-8.6 9.5-8.6 11.5 0 0 9Z",
    "diamond": "M0-10Q3-4.2 7.4 0 3 4.2 0 10-3 4.2-7.4 0-3-4.2 0-10Z",
    "spade": "M0-9.6C2-5 9-2.5 8.8 2.4 8.6 6.4 3.4 6.6 1.1 3.6 1.2 6.4 2 8.3 4.2 9.6H-4.2C-2 8.3-1.2 6.4-1.1 3.6"
    "-3.4 6.6-8.6 6.4-8.8 2.4-9-2.5-2-5 0-9.6Z",
    "club": "M0-9.6A4.4 4.4 0 0 1 3.1-2.1 4.5 4.5 0 1 1 1.1 3.8C1.2 6.6 2 8.4 4.2 9.6H-4.2C-2 8.4-1.2 6.6-1.1 3.8"
    "A4.5 4.5 0 1 1-3.1-2.1 4.4 4.4 0 0 1 0-9.6Z",
    # Tarot suits
    "wand": "M-1.4-9.8H1.4V9.8H-1.4ZM1.4-3C2.2-7 5-8.6 9-8.2 8.6-4.6 5.6-2 1.4-2.2ZM-1.4 3.4C-2.2-.6-5-2.2-9-1.8"
    "-8.6 1.8-5.6 4.4-1.4 4.2Z",
    "cup": "M-7.4-9H7.4C7.6-2.6 5.2 1.4 1.5 2.4V6C3.6 6.4 5 7.4 5.4 9.4H-5.4C-5 7.4-3.6 6.4-1.5 6V2.4"
    "-5.2 1.4-7.6-2.6-7.4-9Z",
    "sword": "M0-10 1.9-7V3.2H5.6V5.4H1.3V9.8H-1.3V5.4H-5.6V3.2H-1.9V-7Z",
    # Crowns and other heads
    "crown": "M-8.4 7V-4.6L-4 .2 0-8 4 .2 8.4-4.6V7Z",
    "tiara": "M-8 7C-8.6 2-8.4-1-6.6-3.4L-4 1.4-1.8-5.4A2 2 0 1 1 1.8-5.4L4 1.4 6.6-3.4C8.4-1 8.6 2 8 7Z",
    "helm": "M-6.4 8.6V-1.4A6.4 7.4 0 0 1 6.4-1.4H.4V1.4H6.4V4H3.6V8.6ZM-1.4-8.6C.6-11 5-10.6 7-8.4 4-8.4 2-8 .4-7Z",
    "hat": "M-8.6 5.6C-7-.4-3.4-3.4 1.6-3.8 2-7 4.6-9.4 8.6-9.4 8.4-6.4 7-4 4.6-2.6 6.6-.6 8 2.2 8.6 5.6Z",
    "jester": "M-4.6 8V4.6C-9 3.6-9.6-1.6-7-4.2-6-1.6-4-.8-3-1-3.6-5 1.6-9.6 5.4-7.4 2.6-6.4 2.4-3.4 3-1 4-.8 6-1.6"
    " 7-4.2 9.6-1.6 9 3.6 4.6 4.6V8ZM-7-7.4A1.7 1.7 0 1 0-7-4 1.7 1.7 0 1 0-7-7.4ZM7-7.4A1.7 1.7 0 1 0 7-4 1.7 1.7 0 "
    "1 0 7-7.4Z",
    # Kanastic
    "blade": "M0-10 2.6-6.4V3H7V5.6H1.6V8A1.8 1.8 0 1 1-1.6 8V5.6H-7V3H-2.6V-6.4Z",
    "gem": "M-5.6-7H5.6L9.4-1.6 0 9.4-9.4-1.6Z",
    "shield": "M0-9.8C2.6-8 5-7.2 8.2-7.2 8.6 1 5.6 6.8 0 9.8-5.6 6.8-8.6 1-8.2-7.2-5-7.2-2.6-8 0-9.8Z",
    "pot": "M-6.6-3.6H6.6V-1.4H5.6C9 1 9 6.6 4.6 9.4H-4.6C-9 6.6-9 1-5.6-1.4H-6.6ZM-3.4-4.6A2.2 2.2 0 1 1 .2-6.4 2.2 2.2"
    " 0 1 1 3.6-4.6Z",
    # Karma
    "gift": "M-8-2.6H8V.6H-8ZM-7 1.6H7V9H-7ZM-1.2-3C-6-3-7-9.4-3-9.2-.8-9 0-5.6 0-3.6 0-5.6.8-9 3-9.2 7-9.4 6-3 1.2-3Z",
    "table": "M-9.4-3.4H9.4V-.6H-9.4ZM-7.4.4H-5V8.6H-7.4ZM5 .4H7.4V8.6H5ZM-2.6-9H2.6V-4.4H-2.6Z",
    "flip": "M-8.6 1V-4.4H-11L-6.4-10-1.8-4.4H-4.2V1ZM8.6-1V4.4H11L6.4 10 1.8 4.4H4.2V-1Z",
    "down": "M-3.4-9H3.4V.6H8L0 9.4-8 .6H-3.4Z",
    # The table
    "arrow": "M-4-6 6 0-4 6Z",
    "lock": "M-6-1H6V8H-6ZM-3.6-1V-4A3.6 3.6 0 0 1 3.6-4V-1H1.6V-4A1.6 1.6 0 0 0-1.6-4V-1Z",
}


def star(points: int, outer: float = 9.6, inner: float = 4.0) -> str:
    """The path of a star."""
    corners = []
    for i in range(2 * points):
        radius, angle = (outer, inner)[i % 2], pi * i / points - pi / 2
        corners.append(f"{radius * cos(angle):.1f} {radius * sin(angle):.1f}")
    return "M" + "L".join(corners) + "Z"


PATHS["star"] = star(5)
PATHS["pentacle"] = (
    "M0-9.8A9.8 9.8 0 1 1 0 9.8 9.8 9.8 0 1 1 0-9.8ZM0-8.3A8.3 8.3 0 1 0 0 8.3 8.3 8.3 0 1 0 0-8.3Z"
    + star(5, 7.6, 3.0)
)
PATHS["lotus"] = "".join(
    f"M0 4Q{dx - 4} {-3 - dy} {dx} {-8 + dy}Q{dx + 4} {-3 - dy} 0 4Z" for dx, dy in ((-8, 5), (8, 5), (-4.5, 1.5), (4.5, 1.5), (0, 0))
)


def shape(name: str, x: float, y: float, size: float, colour: str) -> str:
    """A shape `size` units high round (x, y), in a colour of the palette."""
    return f'<path d="{PATHS[name]}" fill="var(--{colour})" transform="{at(x, y, size / 20)}"/>'


def at(x: float, y: float, scale: float) -> str:
    """The transform that puts (0, 0) there."""
    return f"translate({x:.4g} {y:.4g})" + (f"scale({scale:.3g})" if scale != 1 else "")
