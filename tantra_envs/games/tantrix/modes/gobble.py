"""Play Gobble: a tile must touch two others, and filling a gobble gets rid of one more tile.

One player plays alone [U1 to U5], or 2 to 6 players race and act in turn [V1 to V10]. The letters are the rulings in
README.md.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.rng import below
from ....core.state import Record
from ..board.bag import all_colours, draw, fill_bag, put_back
from ..board.hexes import FORCED, START, STEPS, find, joins, put
from ..board.tiles import nth_rotation
from ..encodings import lay, mark
from ..material import MAX_SEATS, SIDES
from ..state import PILED, Phase, Reward

JOINED = 2  # number of tiles that a new tile must touch [U2]
KEEP, BAG, PLAY = 0, 1, 2  # one player: actions after the placements
DISCARD, PASS, GIVE = 0, 1, 2  # race: actions after the placements of the tile in hand and of the penalty tile

# [Set-up]


@kernel
def deal(s: Record) -> None:
    """Place the first two tiles, then draw one tile, or in a race deal the piles and draw the first seat [V1]."""
    all_colours(s)
    if s.seats > 1:
        s.first = below(s.rng, s.seats)
    fill_bag(s, 0)
    _lay_first_two(s)
    if s.seats == 1:
        _next_tile(s)
    else:
        _deal_piles(s)
        s.seat = s.first
        s.acts = s.opt.speeds[s.seat]
        _take_tile(s)


@kernel
def _lay_first_two(s: Record) -> None:
    """Place two tiles; the second goes to the first side clockwise from NE that it matches [U1]."""
    put(s, _take(s), START, 0)
    tile = _take(s)
    for d in range(SIDES):
        cell = START + STEPS[d]
        rot = nth_rotation(tile, int(s.facing[find(s, cell)]), 0)
        if rot >= 0:
            put(s, tile, cell, rot)
            return


@kernel
def _take(s: Record) -> int:
    """Take the next tile out of the bag and return it."""
    draw(s, 0, 0)
    tile = int(s.hands[0, 0])
    s.hands[0, 0] = 0
    return tile


@kernel
def _deal_piles(s: Record) -> None:
    """Deal equal piles, with extra tiles by handicap; the remaining tiles stay in the bag, unseen [V1]."""
    extra = 0
    for seat in range(s.seats):
        extra += int(s.opt.handicap[seat])
    for seat in range(s.seats):
        for i in range((PILED - extra) // s.seats + s.opt.handicap[seat] - 1, -1, -1):
            s.piles[seat, i] = _take(s)
            s.piles_n[seat] += 1


# [Placements]


@kernel
def legal(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for the legal actions of the seat to decide in PLACE, BONUS or OFFLOAD."""
    seat = int(s.seat)
    if s.phase == Phase.OFFLOAD:
        _mark_gifts(s, seat, mask)
        return
    placements = int(s.opt.placements)
    if s.phase == Phase.BONUS:
        mask[placements + KEEP] = 1
        mask[placements + BAG] = 1
        mask[placements + PLAY] = joins(s, penalty_top(s, 0), JOINED)  # [U4]
        return
    tile = int(s.hands[seat, 0])
    placed = _mark(s, tile, JOINED, 0, mask)
    if s.seats > 1:
        filled = _mark(s, penalty_top(s, seat), FORCED, placements, mask)
        if tile > 0 and (placed == 0 or s.opt.free_discard):
            mask[2 * placements + DISCARD] = 1
        elif tile == 0 and filled == 0:
            mask[2 * placements + PASS] = 1  # [V3]


@kernel
def _mark(s: Record, tile: int, least: int, first: int, mask: Any) -> int:
    """Mark the placements of a tile (0 = none) that touch at least `least` tiles; return the number of such spaces."""
    spaces = 0
    for f in range(s.border_n if tile > 0 else 0):
        if s.touch[f] >= least:
            spaces += int(mark(s, f, 0, tile, first, mask))
    return spaces


@kernel
def _mark_gifts(s: Record, seat: int, mask: Any) -> None:
    """Mark the tiles that a seat can give to each opponent still in the race [V5].

    The tile comes from the pile (from the hand if the pile is empty) or from the penalty stack.
    """
    others, first = s.seats - 1, 2 * s.opt.placements + GIVE
    for ahead in range(1, s.seats):
        if s.out[(seat + ahead) % s.seats] == 0:
            mask[first + ahead - 1] = s.piles_n[seat] > 0 or s.hands[seat, 0] > 0
            mask[first + others + ahead - 1] = s.penalty_n[seat] > 0


@kernel
def play(s: Record, action: int) -> None:
    """Play a legal action and go on to the next decision."""
    if s.seats == 1:
        _play_alone(s, action)
    else:
        _race(s, action)


# [The penalty stack]


@kernel
def penalty_top(s: Record, seat: int) -> int:
    """Return the tile on top of a penalty stack, 0 = none."""
    return int(s.penalty[seat, s.penalty_n[seat] - 1]) if s.penalty_n[seat] > 0 else 0


@kernel
def _push_penalty(s: Record, seat: int) -> None:
    """Put the tile in hand on top of the penalty stack."""
    s.penalty[seat, s.penalty_n[seat]] = s.hands[seat, 0]
    s.penalty_n[seat] += 1
    s.hands[seat, 0] = 0


@kernel
def _pop_penalty(s: Record, seat: int) -> int:
    tile = penalty_top(s, seat)
    s.penalty_n[seat] -= 1
    s.penalty[seat, s.penalty_n[seat]] = 0
    return tile


# [One player]


@kernel
def _play_alone(s: Record, action: int) -> None:
    """Place a tile, or keep, return or play the top of the penalty stack [U4]."""
    if s.phase != Phase.BONUS:
        tile = int(s.hands[0, 0])
        s.hands[0, 0] = 0
        if lay(s, tile, action) >= FORCED and s.penalty_n[0] > 0:
            s.phase = Phase.BONUS
        else:
            _next_tile(s)
    elif action - s.opt.placements == PLAY:
        s.hands[0, 0] = _pop_penalty(s, 0)
        s.phase = Phase.PLACE
    else:
        if action - s.opt.placements == BAG:
            put_back(s, _pop_penalty(s, 0))
        _next_tile(s)


@kernel
def _next_tile(s: Record) -> None:
    """Draw until a tile can join; put the others on the penalty stack. Without tiles the game ends [U3, U5]."""
    s.phase = Phase.PLACE
    while True:
        draw(s, 0, 0)
        if s.hands[0, 0] == 0:
            end(s)
            return
        if joins(s, int(s.hands[0, 0]), JOINED):
            return
        _push_penalty(s, 0)


# [The race]


@kernel
def _race(s: Record, action: int) -> None:
    """Play one action of a turn [V3]; after filling a gobble the seat first gives a tile away [V5]."""
    seat, other = int(s.seat), action - 2 * s.opt.placements
    if s.phase == Phase.OFFLOAD:
        _give(s, seat, other - GIVE)
    elif other == PASS:
        s.passes += 1
        s.acts = 0
    elif other == DISCARD:
        _push_penalty(s, seat)
    elif _play_tile(s, seat, action) >= FORCED and owned(s, seat) > 0 and s.gone < s.seats - 1:
        s.phase = Phase.OFFLOAD
        return
    if other != PASS:
        s.passes = 0
    _end_action(s, seat)


@kernel
def _play_tile(s: Record, seat: int, action: int) -> int:
    """Place the tile in hand or the top of the penalty stack; return the number of tiles that it touches."""
    if action >= s.opt.placements:
        return lay(s, _pop_penalty(s, seat), action - s.opt.placements)
    tile = int(s.hands[seat, 0])
    s.hands[seat, 0] = 0
    return lay(s, tile, action)


@kernel
def _give(s: Record, seat: int, gift: int) -> None:
    """Put a tile face down under the pile of an opponent; a tile that was face up before stays known [V5]."""
    others = s.seats - 1
    to = (seat + 1 + gift % others) % s.seats
    tile = 0
    if gift >= others:
        tile = _pop_penalty(s, seat)
        s.known[tile] = 1
    elif s.piles_n[seat] > 0:
        tile = _pop_pile(s, seat)
    else:
        tile = int(s.hands[seat, 0])
        s.hands[seat, 0] = 0
        s.known[tile] = 1
    for i in range(s.piles_n[to], 0, -1):
        s.piles[to, i] = s.piles[to, i - 1]
    s.piles[to, 0] = tile
    s.piles_n[to] += 1


@kernel
def _pop_pile(s: Record, seat: int) -> int:
    s.piles_n[seat] -= 1
    tile = int(s.piles[seat, s.piles_n[seat]])
    s.piles[seat, s.piles_n[seat]] = 0
    return tile


@kernel
def owned(s: Record, seat: int) -> int:
    """Return the number of tiles that a seat still has to get rid of."""
    return int(s.piles_n[seat]) + int(s.penalty_n[seat]) + (1 if s.hands[seat, 0] > 0 else 0)


@kernel
def _end_action(s: Record, seat: int) -> None:
    """Take a seat without tiles out [V6]; end the race when one seat is left or all pass in a row [V7]."""
    if owned(s, seat) == 0:
        s.gone += 1
        s.out[seat] = s.gone
    left = s.seats - s.gone
    if left <= 1 or s.passes >= left:
        end(s)
        return
    s.acts -= 1
    if s.acts <= 0 or s.out[seat] > 0:
        _next_seat(s)
    _take_tile(s)


@kernel
def _next_seat(s: Record) -> None:
    """Move on to the next seat still in the race, and start a new round after the last seat.

    With `rotate_start` each round begins with the next seat.
    """
    since = (s.seat - s.first) % s.seats + 1
    for ahead in range(since, 2 * s.seats):
        if ahead == s.seats and s.opt.rotate_start:
            s.first = (s.first + 1) % s.seats
        seat = (s.first + ahead) % s.seats
        if s.out[seat] == 0:
            s.seat = seat
            s.acts = s.opt.speeds[seat]
            return


@kernel
def _take_tile(s: Record) -> None:
    """Turn up the next tile of the pile if the seat has no tile in hand [V2]."""
    s.phase = Phase.PLACE
    seat = int(s.seat)
    if s.hands[seat, 0] == 0 and s.piles_n[seat] > 0:
        tile = _pop_pile(s, seat)
        s.hands[seat, 0] = tile
        s.known[tile] = 0


# [Hidden tiles]


@kernel
def gather_unknown(s: Record) -> None:
    """Move the unseen tiles of the piles to the bag; their places hold zeros."""
    for seat in range(s.seats):
        for i in range(s.piles_n[seat]):
            if not s.known[s.piles[seat, i]]:
                s.bag[s.bag_n] = s.piles[seat, i]
                s.bag_n += 1
                s.piles[seat, i] = 0


@kernel
def hand_back_unknown(s: Record) -> None:
    """Fill every empty place of the piles with a tile from the bag."""
    for seat in range(s.seats):
        for i in range(s.piles_n[seat]):
            if s.piles[seat, i] == 0:
                s.bag_n -= 1
                s.piles[seat, i] = s.bag[s.bag_n]
                s.bag[s.bag_n] = 0


# [The end]


@kernel
def end(s: Record) -> None:
    """End the game and set the rewards.

    A player alone gets minus the number of penalty tiles [U5]. In a race the reward depends on the rank or on the tiles
    owned [V7, V8].
    """
    s.over = 1
    s.phase = Phase.OVER
    if s.seats == 1:
        s.rewards[0] = -float(s.penalty_n[0])
        return
    for seat in range(s.seats):
        ahead, tiles = 0, 0
        for other in range(s.seats):
            ahead += (rank(s, seat) < rank(s, other)) - (rank(s, seat) > rank(s, other))
            tiles += owned(s, other) - owned(s, seat)
        s.rewards[seat] = (ahead if s.opt.reward == Reward.PLACE else tiles) / (s.seats - 1)


@kernel
def rank(s: Record, seat: int) -> int:
    """Return the rank of a seat, lower is better: the order of going out, then the number of tiles owned."""
    return int(s.out[seat]) if s.out[seat] > 0 else MAX_SEATS + owned(s, seat)
