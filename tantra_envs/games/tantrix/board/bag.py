"""Fill, shuffle and draw from the bag. The next tile is the last one in `s.bag`."""

from __future__ import annotations

from ....core.compiled.jit import kernel, leaf
from ....core.rng import reverse, shuffle, sort
from ....core.state import Record
from ..material import COLOURS, SIDES, SMALL_DECKS, TILES
from ..state import Mode
from .tiles import colour_at, shown


@kernel
def fill_bag(s: Record, missing: int) -> None:
    """Fill an empty bag with all tiles without the colour `missing` (0 = all tiles), shuffled; keep a fixed deck.

    A smaller deck has only its own tiles [S19].
    """
    if s.bag_n == 0:
        for tile in range(1, TILES + 1):
            if not carries(tile, missing) and (s.opt.deck_tiles == 0 or SMALL_DECKS[s.opt.deck_tiles, tile] == 1):
                s.bag[s.bag_n] = tile
                s.bag_n += 1
        shuffle_bag(s)


@kernel
def carries(tile: int, colour: int) -> bool:
    """Return whether a tile has a colour."""
    sides = shown(tile, 0)
    found = False
    for d in range(SIDES):
        found = found or colour_at(sides, d) == colour
    return found


@kernel
def shuffle_bag(s: Record) -> None:
    """Sort and shuffle the tiles, so that their old order has no effect."""
    sort(s.bag, s.bag_n)
    shuffle(s.rng, s.bag, s.bag_n)
    reverse(s.bag, s.bag_n)  # the first tile of the shuffle is drawn first


@leaf
def restrained(s: Record) -> bool:
    """Return whether placements are restrained: in Strategy, while the bag has more than a number of tiles [S12]."""
    return bool(s.opt.mode == Mode.STRATEGY and s.bag_n > s.opt.unrestrained)


@kernel
def put_back(s: Record, tile: int) -> None:
    """Add a tile after the last one to come and shuffle the bag in that order [U4]."""
    reverse(s.bag, s.bag_n)
    s.bag[s.bag_n] = tile
    s.bag_n += 1
    shuffle(s.rng, s.bag, s.bag_n)
    reverse(s.bag, s.bag_n)


@kernel
def draw(s: Record, seat: int, slot: int) -> None:
    """Draw the next tile into a slot; if the bag is empty the slot stays empty [S6, T2]."""
    s.hands[seat, slot] = 0
    if s.bag_n > 0:
        s.bag_n -= 1
        s.hands[seat, slot] = s.bag[s.bag_n]
        s.bag[s.bag_n] = 0


@kernel
def all_colours(s: Record) -> None:
    """Put the four colours in their standard order."""
    for i in range(len(COLOURS)):
        s.colours[i] = i + 1
