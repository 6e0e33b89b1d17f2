"""Play Tantrix Strategy for 2 to 4 players: forced fills, one free move, forced fills.

After each placement the player draws a tile at once. The letters S and R are the rulings in README.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel
from ....core.compiled.stack import local_zeros
from ....core.rng import shuffle, sort
from ....core.state import Record
from ..board.bag import all_colours, draw, fill_bag, restrained
from ..board.hexes import FORCED, banned_sides, stays_sound
from ..board.lines import score_lines
from ..board.tiles import BITS, COLOURED, fill_rings, fitting, without_banned
from ..encodings import NOWHERE, lay, mark_hand, slot_of, window_place
from ..material import COLOURS, HAND
from ..state import Deadlock, Encoding, Phase, Reward

CLOSED = -1  # no tile may be placed in this space now

# [Set-up]


@kernel
def deal(s: Record) -> None:
    """Deal `hand_size` tiles to each seat; the seat with the highest number makes the first free move [S2, S3, S4]."""
    name_colours(s)
    fill_bag(s, 0)
    highest = 0
    for seat in range(s.seats):
        for slot in range(s.opt.hand_size):
            draw(s, seat, slot)
            if s.hands[seat, slot] > highest:
                highest = int(s.hands[seat, slot])
                s.seat = seat
    s.phase = Phase.FREE


@kernel
def name_colours(s: Record) -> None:
    """Assign colours to the seats [S1]."""
    all_colours(s)
    if s.opt.colours[0] == 0:
        shuffle(s.rng, s.colours, len(COLOURS))
    else:
        for i in range(len(COLOURS)):
            s.colours[i] = s.opt.colours[i]
    sort(s.colours[s.seats :], len(COLOURS) - s.seats)  # those without a seat


# [Placements]


@kernel
def legal(s: Record, mask: Any) -> None:
    """Mark the forced fills in FILL and REFILL, and the free moves in FREE [S7, S8]."""
    rings = local_zeros(COLOURED, np.int64)
    fill_rings(rings, 0, s.hands[s.seat])
    for f in range(s.border_n):
        tiles = fitting_at(s, rings, f)
        if tiles != 0:
            allowed = allowed_at(s, rings, f, tiles)
            if allowed != 0:
                mark_hand(s, f, tiles, allowed, mask)


@kernel
def play(s: Record, action: int) -> None:
    """Place one tile, draw one, and go on to the next decision."""
    slot = slot_of(s, action)
    lay(s, int(s.hands[s.seat, slot]), action)
    go_on(s, slot)


@kernel
def go_on(s: Record, slot: int) -> None:
    """Go on to the next decision after the tile in a slot was placed: score it, and draw another one."""
    score_lines(s, int(s.hands[s.seat, slot]))
    draw(s, int(s.seat), slot)
    if s.phase == Phase.FREE:
        s.phase = Phase.REFILL
    run_on(s)


@kernel
def banned_at(s: Record, f: int) -> int:
    """Return the colours that a tile in space `f` must not show, by direction, or CLOSED for a closed space.

    The restraints hold as the bag was before the placement [S12]. Forced fills go into gobbles only.
    """
    if s.phase != Phase.FREE and s.touch[f] < FORCED:
        return CLOSED
    if not restrained(s):
        return 0
    cell = int(s.border[f])
    return banned_sides(s, cell) if stays_sound(s, cell, int(s.facing[f])) else CLOSED


@kernel
def fitting_at(s: Record, rings: Any, f: int) -> int:
    """Return the tiles of the hand with these rings that match space `f`, in which rotations: bit 6 * rot + slot.

    Forced fills go into gobbles only.
    """
    if s.phase != Phase.FREE and s.touch[f] < FORCED:
        return 0
    return fitting(rings, 0, int(s.facing[f]))


@kernel
def allowed_at(s: Record, rings: Any, f: int, tiles: int) -> int:
    """Return those of the matching `tiles` that the restraints allow in space `f`."""
    banned = banned_at(s, f)
    return 0 if banned == CLOSED else without_banned(rings, tiles, banned)


@kernel
def can_place(s: Record) -> bool:
    """Return whether a placement is legal in this step."""
    rings = local_zeros(COLOURED, np.int64)
    fill_rings(rings, 0, s.hands[s.seat])
    for f in range(s.border_n):
        tiles = fitting_at(s, rings, f)
        if tiles != 0 and allowed_at(s, rings, f, tiles) != 0:
            return True
    return False


@kernel
def count_outside_window(s: Record) -> None:
    """Count the legal placements outside the window; truncate the game if none is inside [O4]."""
    shown = 0
    rings = local_zeros(COLOURED, np.int64)
    fill_rings(rings, 0, s.hands[s.seat])
    for f in range(s.border_n):
        allowed = allowed_at(s, rings, f, fitting_at(s, rings, f))
        inside = window_place(s, int(s.border[f])) != NOWHERE
        for bit in range(BITS):
            if inside:
                shown += (allowed >> bit) & 1
            else:
                s.outside_window += (allowed >> bit) & 1
    if shown == 0:
        s.over = 1
        s.truncated = 1
        s.phase = Phase.OVER


# [The turn]


@kernel
def run_on(s: Record) -> None:
    """Skip the steps without a legal placement until the next decision or the end [S7, S14]."""
    passes = 0
    while not s.over:
        if can_place(s):
            if s.opt.encoding == Encoding.WINDOW:
                count_outside_window(s)
            return
        passes = skip_step(s, passes)


@kernel
def skip_step(s: Record, passes: int) -> int:
    """Skip a step without a legal placement; return the number of free moves skipped in a row, before it `passes`.

    Without a free move the game is deadlocked. It ends at once, or with `deadlock="pass"` the free move is
    skipped until no seat has one [S15].
    """
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
    return passes


@kernel
def _next_seat(s: Record) -> bool:
    """Move on to the next seat that has tiles; return False if no seat has any [S5, S14]."""
    for ahead in range(1, s.seats + 1):
        seat = (s.seat + ahead) % s.seats
        if holds(s, seat):
            s.seat = seat
            s.phase = Phase.FILL
            return True
    return False


@kernel
def holds(s: Record, seat: int) -> bool:
    """Return whether a seat has any tiles."""
    tiles = 0
    for slot in range(HAND):
        tiles += 1 if s.hands[seat, slot] > 0 else 0
    return tiles > 0


# [The end]


@kernel
def end(s: Record) -> None:
    """End the game with rewards by place or by points; in a drawn deadlock all rewards are 0 [S15, S16, S17]."""
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
