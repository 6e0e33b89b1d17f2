"""A drawing under construction: what the reader may see and do, the symbols in use, and the parts so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from zlib import crc32

from ..core.state import States
from . import colours
from .layout import CARD_H, CARD_W, Box, Spot
from .text import escape, fit

ROOT = "\x01"  # placeholder in ids until the drawing is finished; words cannot contain it
WIDTH = 400.0  # width of a table for four, in units


@dataclass(frozen=True, eq=False)
class Move:
    """An action that was taken: see `drawing.move`.

    Attributes:
        seat: The seat that took it.
        action: Its id.
        words: Its name.
        before: The whole table before it, shape (1,).
        after: The whole table after it, shape (1,).
        stays: What earlier actions left for show, such as the last trick: the module `drawing` of the game defines it.
    """

    seat: int
    action: int
    words: str
    before: States
    after: States
    stays: Any = None


@lru_cache(1 << 14)
def num(value: float) -> str:
    """Return a coordinate as short text."""
    return f"{value:.1f}".removesuffix(".0")


class Sheet:
    """A drawing for one seat, or with all cards open (None).

    Args:
        seat: The reader.
        names: Names of all seats.
        last: The last action.
        legal: Legal actions that the reader can choose in the drawing.
        phrase: Returns a legal action in words.
        bare: Draw no words and buttons that a page shows beside the drawing: the phase, the last action, other actions.
        order: What the cards of a hand are sorted by: suit, rank, or "" for the usual order of the game.
    """

    def __init__(
        self,
        seat: int | None,
        names: Sequence[str],
        last: Move | None = None,
        legal: Iterable[int] = (),
        phrase: Callable[[int], str] = str,
        bare: bool = False,
        order: str = "",
    ) -> None:
        self.seat = seat
        self.names = list(names)
        self.last = last
        self.legal = set(legal)
        self.phrase = phrase
        self.bare = bare
        self.order = order
        self.offered: set[int] = set()
        self.chooses = False  # whether something can be picked up
        self.width = WIDTH
        self.height = 0.0
        self.symbols: dict[str, str] = {}
        self.parts: list[str] = []
        self.above: list[str] = []
        self.caption = ""

    @property
    def is_open(self) -> bool:
        """Return whether the reader sees all cards, also those that no seat may see."""
        return self.seat is None

    @property
    def front(self) -> int:
        """Return the seat in front: that of the reader, or seat 0 for a reader without a seat."""
        return self.seat or 0

    # Parts

    def add(self, *parts: str) -> None:
        """Add finished SVG. Its ids begin with ROOT."""
        self.parts.extend(parts)

    def box(
        self, box: Box, fill: str = "panel", line: str = "line", stroke: float = 1, round_: float = 5, mark: str = ""
    ) -> None:
        """Draw a rounded rectangle in the named colours. An empty name omits the fill or the line.

        Args:
            box: Its place.
            fill: Name of the colour inside.
            line: Name of the colour of the edge.
            stroke: Width of the edge.
            round_: Radius of the corners.
            mark: Further attributes as text.
        """
        edge = f' stroke="var(--{line})" stroke-width="{num(stroke)}"' if line else ""
        colour = f"var(--{fill})" if fill else "none"
        self.parts.append(f'<rect {_at(box)} rx="{num(round_)}" fill="{colour}"{edge}{mark}/>')

    def text(self, x: float, y: float, words: str, size: float = 9, style: str = "", room: float | None = None) -> None:
        """Write a line of words, which shrinks to fit into `room`. Styles: b bold, m middle, e end, soft."""
        if room is not None:
            words, size = fit(words, size, room)
        kind = f' class="{style}"' if style else ""
        self.above.append(f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{kind}>{escape(words)}</text>')

    def symbol(self, name: str, make: Callable[[], str]) -> str:
        """Return the name of a symbol. `make` draws it at the first use."""
        if name not in self.symbols:
            self.symbols[name] = make()
        return name

    def use(
        self,
        symbol: str,
        spot: Spot | tuple[float, float, float],
        title: str = "",
        *,
        action: int | None = None,
        choose: str = "",
        mark: str = "",
        turn: float = 0,
        above: bool = False,
    ) -> None:
        """Draw a card or tile.

        Args:
            symbol: Name of the symbol.
            spot: Upper left corner and scale.
            title: Words that the browser shows over the card.
            action: Action of a click, if it is legal.
            choose: Name of the thing that a click picks up.
            mark: Class of the card, such as `last`.
            turn: Rotation in degrees.
            above: Draw it above all cards, in the layer of the words.
        """
        x, y, scale = spot
        how = f"translate({num(x)} {num(y)})" + (f"rotate({num(turn)})" if turn else "")
        how += f"scale({scale:.3f})" if scale != 1 else ""
        attributes = self.offer(action) if action is not None else ""
        if choose:
            self.chooses = True
            attributes += f' data-choose="{escape(choose)}"'
        kinds = " ".join(kind for kind in ("go" if attributes else "", mark) if kind)
        kind = f' class="{kinds}"' if kinds else ""
        inside = f"><title>{escape(title)}</title></use>" if title else "/>"
        layer = self.above if above else self.parts
        layer.append(f'<use href="#{ROOT}-{symbol}" transform="{how}"{kind}{attributes}{inside}')

    def offer(self, action: int) -> str:
        """Return the attribute that makes a click play `action`, or "" if it is illegal."""
        if action not in self.legal:
            return ""
        self.offered.add(action)
        return f' data-action="{action}"'

    def spot(self, box: Box, *, action: int, choose: str = "") -> None:
        """Draw a place whose click plays `action`. With `choose` it shows only after that thing has been picked up."""
        attributes = self.offer(action)
        if attributes:
            kind, needs = ("for", f' data-for="{escape(choose)}"') if choose else ("hit", "")
            tint, title = 0.2 if choose else 0.05, escape(self.phrase(action))
            self.above.append(
                f'<rect class="{kind}" {_at(box)} rx="4" fill="var(--go)" fill-opacity="{tint}" '
                f'stroke="var(--go)" stroke-width="1.5"{needs}{attributes}><title>{title}</title></rect>'
            )

    # The whole

    @property
    def role(self) -> str:
        """Return the role of the drawing for screen readers: an image would hide the parts that can be chosen."""
        return "group" if self.offered or self.chooses else "img"

    def svg(self, theme: str = "auto", palette: str = "plain", root: str | None = None) -> str:
        """Return the drawing as text.

        All its ids begin with `root`, which by default depends on the content, so that no two drawings clash.
        """
        symbols = (f'<g id="{ROOT}-{name}">{shape}</g>' for name, shape in self.symbols.items())
        body = f"<defs>{''.join(symbols)}</defs>{self.body()}"
        root = root or f"te{crc32(f'{palette}{body}'.encode()):08x}"
        kind = "te" if theme == "auto" else f"te {theme}"
        size = f"{num(self.width)} {num(self.height)}"
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{root}" class="{kind}" viewBox="0 0 {size}" '
            f'role="{self.role}" aria-label="{escape(self.caption)}">'
        )
        look = f"<style>{colours.style(root, colours.PALETTES[palette])}</style>"
        felt = f'<rect width="{num(self.width)}" height="{num(self.height)}" rx="8" fill="var(--felt)"/>'
        return f"{opening}{look}{felt}{body.replace(ROOT, root)}</svg>"

    def body(self) -> str:
        """Return the parts without their symbols."""
        return f'{"".join(self.parts)}<g class="above">{"".join(self.above)}</g>'


def _at(box: Box) -> str:
    return f'x="{num(box.x)}" y="{num(box.y)}" width="{num(max(0, box.w))}" height="{num(max(0, box.h))}"'


def card_box(spot: Spot) -> Box:
    """Return the box of a card."""
    return Box(spot.x, spot.y, CARD_W * spot.scale, CARD_H * spot.scale)
