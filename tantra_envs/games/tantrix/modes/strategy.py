"""Tantrix Strategy for 2 to 4: forced fills, one free move, forced fills; each placement drawn for at once.

The letters S and R are the rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.rng import shuffle
from ....core.state import Record
from ..board.bag import all_colours, draw, fill_bag, sort_colours
from ..board.hexes import FORCED, banned_sides, stays_sound
from ..board.lines import score_lines
from ..board.tiles import open_rotations
from ..encodings import NOWHERE, lay, mark, slot_of, window_place
from ..material import COLOURS, HAND, SIDES
from ..state import Deadlock, Encoding, Phase, Reward

CLOSED = -1  # a space that may not be filled now, whatever the tile

# [Set-up]


@kernel
def deal(s: Record) -> None:
    """Six tiles each; the highest number begins with the free move of the opening [S2, S3, S4]."""
    name_colours(s)
    fill_bag(s, 0)
    highest = 0
    for seat in range(s.seats):
        for slot in range(HAND):
            draw(s, seat, slot)
            if s.hands[seat, slot] > highest:
                highest = int(s.hands[seat, slot])
                s.seat = seat
    s.phase = Phase.FREE


@kernel
def name_colours(s: Record) -> None:
    """Colours by seat [S1]."""
    all_colours(s)
    if s.opt.colours[0] == 0:
        shuffle(s.rng, s.colours, len(COLOURS))
    else:
        for i in range(len(COLOURS)):
            s.colours[i] = s.opt.colours[i]
    sort_colours(s, s.seats, len(COLOURS))


# [Placements]


@kernel
def legal(s: Record, mask: Any) -> None:
    """Forced fills in FILL and REFILL, free moves in FREE [S7, S8]."""
    for f in range(s.border_n):
        banned = banned_at(s, f)
        if banned != CLOSED:
            for slot in range(HAND):
                tile = int(s.hands[s.seat, slot])
                if tile > 0:
                    mark(s, f, slot, tile, banned, 0, mask)


@kernel
def play(s: Record, action: int) -> None:
    """One tile on the table and one drawn; then on to the next decision."""
    slot = slot_of(s, action)
    seat, tile = int(s.seat), int(s.hands[s.seat, slot])
    lay(s, tile, action)
    score_lines(s, tile)
    draw(s, seat, slot)
    if s.phase == Phase.FREE:
        s.phase = Phase.REFILL
    run_on(s)


@kernel
def banned_at(s: Record, f: int) -> int:
    """The colours a tile in space `f` must not show by direction, CLOSED where nothing may go in this step.

    The restraints hold while the bag had a tile before the placement [S12]; fills go into gobbles only.
    """
    if s.phase != Phase.FREE and s.touch[f] < FORCED:
        return CLOSED
    if s.bag_n == 0:
        return 0
    cell = int(s.border[f])
    return banned_sides(s, cell) if stays_sound(s, cell) else CLOSED


@kernel
def can_place(s: Record) -> bool:
    """Is there a legal placement in this step?"""
    for f in range(s.border_n):
        banned = banned_at(s, f)
        if banned != CLOSED:
            for slot in range(HAND):
                tile = int(s.hands[s.seat, slot])
                if tile > 0 and open_rotations(tile, int(s.facing[f]), banned) != 0:
                    return True
    return False


@kernel
def count_outside_window(s: Record) -> None:
    """Count the placements outside the window; a game of which it shows nothing more is cut off [O4]."""
    shown = 0
    for f in range(s.border_n):
        banned = banned_at(s, f)
        inside = window_place(s, int(s.border[f])) != NOWHERE
        for slot in range(HAND if banned != CLOSED else 0):
            tile = int(s.hands[s.seat, slot])
            allowed = open_rotations(tile, int(s.facing[f]), banned) if tile > 0 else 0
            for rot in range(SIDES):
                if inside:
                    shown += (allowed >> rot) & 1
                else:
                    s.outside_window += (allowed >> rot) & 1
    if shown == 0:
        s.over = 1
        s.truncated = 1
        s.phase = Phase.OVER


# [The turn]


@kernel
def run_on(s: Record) -> None:
    """Pass over steps in which nothing can be done, to the next decision or the end [S7, S14].

    Without a free move the game is deadlocked: it ends, or the move is passed over until nobody has one [S15].
    """
    passes = 0
    while not s.over:
        if can_place(s):
            if s.opt.encoding == Encoding.WINDOW:
                count_outside_window(s)
            return
        if s.phase == Phase.FILL:
            s.phase = Phase.FREE if holds(s, int(s.seat)) else Phase.REFILL
        elif s.phase == Phase.FREE:
            passes += 1
            if s.opt.deadlock == Deadlock.PASS and passes <= s.seats:
                s.phase = Phase.REFILL
            else:
                s.deadlock = 1
                end(s)
        elif not _next_seat(s):
            end(s)


@kernel
def _next_seat(s: Record) -> bool:
    """On to the next player who has tiles; False if nobody has [S5, S14]."""
    for ahead in range(1, s.seats + 1):
        seat = (s.seat + ahead) % s.seats
        if holds(s, seat):
            s.seat = seat
            s.phase = Phase.FILL
            return True
    return False


@kernel
def holds(s: Record, seat: int) -> bool:
    """Has a seat any tiles?"""
    tiles = 0
    for slot in range(HAND):
        tiles += 1 if s.hands[seat, slot] > 0 else 0
    return tiles > 0


# [The end]


@kernel
def end(s: Record) -> None:
    """The game is over, and pays by place or by points; a drawn deadlock pays nothing [S15, S16, S17]."""
    s.over = 1
    s.phase = Phase.OVER
    if s.deadlock and s.opt.deadlock == Deadlock.DRAW:
        return
    for seat in range(s.seats):
        ahead, points = 0, 0
        own = int(s.best[s.colours[seat]])
        for other in range(s.seats):
            theirs = int(s.best[s.colours[other]])
            ahead += (own > theirs) - (own < theirs)
            points += own - theirs
        s.rewards[seat] = (ahead if s.opt.reward == Reward.PLACE else points) / (s.seats - 1)
