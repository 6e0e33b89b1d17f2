"""Compute the action features of Gobble: the places that the table offers to the next tiles after each action.

Every legal placement is played on a copy of the table. The features then count what the unseen tiles can do: fill a
gobble, join without opening a gobble, join only with opening one, or join nowhere. They count the same four cases for
the known tiles of the next seat and of the observer. A further count assumes that an unseen tile is placed first: in a
gobble if it fits one, and there where the fewest other unseen tiles then fit a gobble (for one player, the most). For
discards, gifts and bonuses the features describe the moved tile and the tiles of
the seats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.state import Record, States, record
from ..board.hexes import FORCED, STEPS, find, opens, spot
from ..board.tiles import colour_at, opposite, rotations, shown
from ..encodings import lay
from ..material import MAX_SPACES, SIDES, TILES
from ..modes.gobble import BAG, DISCARD, GIVE, JOINED, KEEP, PASS, PLAY, owned, penalty_top
from ..state import Phase
from .sets import matching, set_of, size

# One-hot: the kind of action.
LAY, FILL, FILL_WITH_PENALTY, DISCARDS, PASSES, GIVES_PILE, GIVES_PENALTY, KEEPS, BAGS, PLAYS = range(10)
# After the action: tiles that the placed one touches, gobbles it opens; gobbles, gobbles that
# no unseen tile fits, spaces that touch two tiles, and those of them that open no gobble.
TOUCH, OPENS, GOBBLES, DEAD, NEAR, SAFE = range(10, 16)
# Unseen tiles: shares of the four cases, gobbles opened by tiles that fill one and by tiles that must
# open one, the share that fits two or more gobbles, and the best-fitting gobble; after the placement of
# one of them the share that fits a gobble, and the number of gobbles.
CHANCES, FILL_OPENS, MUST_OPEN, TWO, MOST, REPLY, REPLY_GOBBLES = 16, 20, 21, 22, 23, 24, 25
# Next seat: the four cases for its possible tile, whether its penalty tile fits a gobble, penalty
# tiles, tiles owned; then the number of penalty tiles of all other seats that fit.
NEXT, NEXT_TOP, NEXT_PENALTIES, NEXT_OWNED, TOPS = 26, 30, 31, 32, 33
# Observer: the four cases for the tile in hand or brought back, whether there is one; whether the top
# penalty tile fits a gobble, and what share of the stack; penalty tiles, tiles owned, the fewest of another seat, the
# lead over that seat, and whether the action takes the observer out.
OWN, OWN_TILE, OWN_TOP, STACK, PENALTIES, OWNED, LEAST, LEAD, OUT = 34, 38, 39, 40, 41, 42, 43, 44, 45
# Receiver of a gift: tiles owned, tiles more than the seat with the fewest, whether it is the next seat.
GETS, GETS_MORE, GETS_NEXT = 46, 47, 48
FEATURES = 49
PHASES = 3
TABLE = PHASES + 9  # see _describe_table
MANY = 100  # gobbles
LOOK = record(
    [
        ("spaces", np.int16, (MAX_SPACES,)),  # spaces that touch two tiles or more
        ("opens", np.int16, (MAX_SPACES,)),  # number of gobbles opened by filling each space
        ("fitting", np.float64, (MAX_SPACES,)),  # share of the unseen tiles that fit
        ("apart", np.int64, (MAX_SPACES,)),  # tiles that fit a gobble other than each space and those beside it
        ("n", np.int16),
        ("gobbles", np.int16),
        ("filled", np.int16),  # for the tested tile: number of gobbles it fits,
        ("opened", np.int16),  # fewest gobbles it opens there, or elsewhere if it fits none; MANY = it fits nowhere
        ("forced", np.int32, (MAX_SPACES,)),  # sides shown to the gobbles of a table
        ("forced_n", np.int16),
        ("least", np.int16),  # other seats still in: fewest and most tiles owned, and the number of such seats
        ("most", np.int16),
        ("left", np.int16),
        ("hand", np.int8),  # after an action: the tile in hand, the top penalty tile if it is known
        ("top", np.int8),
        ("penalties", np.int8),
        ("owned", np.int8),
        ("given", np.int8),  # the seat that gets a tile, 0 = none
    ]
)


class Room(NamedTuple):
    """The arrays that `describe_legal` works in."""

    tables: States  # (2,): the table, and after the action
    look: npt.NDArray[np.void]  # (1,): LOOK


def prepare(game: Game) -> Room:
    """Return the arrays that `describe_legal` works in. Each thread needs its own."""
    return Room(game.blanks(2), np.zeros(1, LOOK))


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number."""
    tables, look, n = room.tables, room.look[0], 0
    unseen = set_of(known.bag)  # a concealed bag also has the unseen tiles of the piles
    tables[0] = known
    _describe_table(tables[0], look, unseen, table)
    for action in range(len(mask)):
        if mask[action] == 1:
            tables[1] = tables[0]
            _describe_action(tables[1], look, unseen, action, features[n])
            n += 1
    return n


@kernel
def _describe_table(s: Any, look: Any, unseen: int, table: Any) -> None:
    """Fill in the features of a table, which are equal for all its actions."""
    if s.phase >= Phase.PLACE:
        table[s.phase - Phase.PLACE] = 1.0
    _look_at_others(s, look, 0)
    table[PHASES] = s.seats / 6.0
    table[PHASES + 1] = s.seats == 1
    table[PHASES + 2] = look.left / 6.0
    table[PHASES + 3] = size(unseen) / TILES
    table[PHASES + 4] = s.acts / 9.0
    table[PHASES + 5] = s.piles_n[0] / 27.0
    table[PHASES + 6] = s.penalty_n[0] / 10.0
    table[PHASES + 7] = (look.least - owned(s, 0)) / 10.0
    table[PHASES + 8] = (look.most - owned(s, 0)) / 10.0


@kernel
def _look_at_others(s: Any, look: Any, given: int) -> None:
    """Store the fewest and most tiles of the other seats still in; seat `given` has one tile more."""
    least, most, left = TILES, 0, 0
    for seat in range(1, s.seats):
        if s.out[seat] == 0:
            tiles = int(owned(s, seat)) + (1 if seat == given else 0)
            least = min(least, tiles)
            most = max(most, tiles)
            left += 1
    look.least = least if left > 0 else 0
    look.most = most
    look.left = left


# [Actions]


@kernel
def _describe_action(s: Any, look: Any, unseen: int, action: int, features: Any) -> None:
    placements = int(s.opt.placements)
    _note_own(s, look)
    if s.phase == Phase.PLACE and action < (placements if s.seats == 1 else 2 * placements):
        _describe_placement(s, look, action, features)
    else:
        _survey(s, look)
        _describe_other(s, look, action, features)
    _describe_spaces(s, look, features)
    _describe_chances(s, look, unseen, features)
    _note_forced(s, look)
    _describe_next(s, look, features)
    _describe_own(s, look, features)


@kernel
def _note_own(s: Any, look: Any) -> None:
    """Store the tiles of the observer before the action."""
    look.hand, look.top, look.penalties, look.owned = s.hands[0, 0], penalty_top(s, 0), s.penalty_n[0], owned(s, 0)
    look.given = 0


@kernel
def _describe_placement(s: Any, look: Any, action: int, features: Any) -> None:
    """Place the tile and describe the change of the table."""
    placements = int(s.opt.placements)
    _note_forced(s, look)
    before = int(look.forced_n)
    tile = int(look.hand) if action < placements else int(look.top)
    touched = int(lay(s, tile, action % placements))
    if action < placements:
        look.hand = 0
    else:
        look.top = 0
        look.penalties -= 1
    look.owned -= 1
    features[(LAY if touched < FORCED else FILL) if action < placements else FILL_WITH_PENALTY] = 1.0
    features[TOUCH] = touched / SIDES
    _survey(s, look)
    features[OPENS] = (look.gobbles - before + (touched >= FORCED)) / 4.0


@kernel
def _describe_other(s: Any, look: Any, action: int, features: Any) -> None:
    """Describe a bonus, a discard, a pass or a gift."""
    if s.seats == 1:
        _describe_bonus(look, action - int(s.opt.placements), features)
        return
    other, others = action - 2 * int(s.opt.placements), int(s.seats) - 1
    if other == DISCARD:
        features[DISCARDS] = 1.0
        look.top, look.hand = look.hand, 0
        look.penalties += 1
    elif other == PASS:
        features[PASSES] = 1.0
    else:
        look.given = 1 + (other - GIVE) % others
        _describe_gift(s, look, other - GIVE < others, features)


@kernel
def _describe_bonus(look: Any, bonus: int, features: Any) -> None:
    """Describe a bonus; the top penalty tile moves to the hand, and leaves the stack unless it is kept."""
    features[KEEPS] = bonus == KEEP
    features[BAGS] = bonus == BAG
    features[PLAYS] = bonus == PLAY
    look.hand = look.top
    if bonus != KEEP:
        look.top = 0
        look.penalties -= 1


@kernel
def _describe_gift(s: Any, look: Any, from_pile: bool, features: Any) -> None:
    features[GIVES_PILE if from_pile else GIVES_PENALTY] = 1.0
    if not from_pile:
        look.top = 0
        look.penalties -= 1
    elif s.piles_n[0] == 0:
        look.hand = 0
    look.owned -= 1
    gets = int(look.given)
    _look_at_others(s, look, 0)
    features[GETS] = owned(s, gets) / 27.0
    features[GETS_MORE] = (owned(s, gets) - look.least) / 10.0
    features[GETS_NEXT] = gets == _next(s)


@kernel
def _next(s: Any) -> int:
    """Return the next seat that is still in, 0 = none."""
    for seat in range(1, s.seats):
        if s.out[seat] == 0:
            return seat
    return 0


# [The table]


@kernel
def _survey(s: Any, look: Any) -> None:
    """Store the spaces that touch two tiles or more, and the number of gobbles that filling each opens."""
    look.n = 0
    look.gobbles = 0
    for f in range(s.border_n):
        if s.touch[f] >= JOINED:
            look.spaces[look.n] = f
            look.opens[look.n] = opens(s, int(s.border[f]))
            look.fitting[look.n] = 0.0
            look.gobbles += s.touch[f] >= FORCED
            look.n += 1


@kernel
def _describe_spaces(s: Any, look: Any, features: Any) -> None:
    features[GOBBLES] = look.gobbles / 10.0
    features[NEAR] = (look.n - look.gobbles) / 20.0
    for i in range(look.n):
        features[SAFE] += 0.1 * (s.touch[look.spaces[i]] < FORCED and look.opens[i] == 0)


# [Tiles]


@kernel
def _try_tile(s: Any, look: Any, tile: int, share: float) -> int:
    """Return the case 0 .. 3 of a tile, as in CHANCES, and store the number of gobbles it fits and opens."""
    look.filled, look.opened = 0, MANY
    for i in range(look.n):
        f = look.spaces[i]
        if rotations(tile, int(s.facing[f])) != 0:
            if s.touch[f] >= FORCED:
                look.opened = MANY if look.filled == 0 else look.opened
                look.filled += 1
                look.fitting[i] += share
            if look.filled == 0 or s.touch[f] >= FORCED:
                look.opened = min(look.opened, look.opens[i])
    if look.filled > 0:
        return 0
    return 1 if look.opened == 0 else 2 if look.opened < MANY else 3


@kernel
def _describe_chances(s: Any, look: Any, unseen: int, features: Any) -> None:
    """Describe all tiles that have not been seen."""
    n = size(unseen)
    _note_apart(s, look)
    for tile in range(1, TILES + 1):
        if unseen >> (tile - 1) & 1:
            chance = _try_tile(s, look, tile, 1.0 / n)
            features[CHANCES + chance] += 1.0 / n
            features[FILL_OPENS] += look.opened / (4.0 * n) if chance == 0 else 0.0
            features[MUST_OPEN] += look.opened / (4.0 * n) if chance == 2 else 0.0
            features[TWO] += (look.filled > 1) / n
            _describe_reply(s, look, unseen & ~(1 << (tile - 1)), tile, chance, features)
    for i in range(look.n):
        features[MOST] = max(features[MOST], np.float32(look.fitting[i]))
        features[DEAD] += 0.1 * (s.touch[look.spaces[i]] >= FORCED and look.fitting[i] == 0.0)
    features[REPLY] /= max(n, 1) * max(n - 1, 1)
    features[REPLY_GOBBLES] /= 10.0 * max(n, 1)


@kernel
def _note_apart(s: Any, look: Any) -> None:
    """Store for each space the tiles that fit a gobble which is neither this space nor beside it."""
    for i in range(look.n):
        look.apart[i] = 0
    for j in range(look.n):
        if s.touch[look.spaces[j]] >= FORCED:
            tiles = matching(int(s.facing[look.spaces[j]]))
            for i in range(look.n):
                if not _near(int(s.border[look.spaces[i]]), int(s.border[look.spaces[j]])):
                    look.apart[i] |= tiles


@kernel
def _near(cell: int, other: int) -> bool:
    """Return whether two cells are equal or neighbours."""
    near = cell == other
    for d in range(SIDES):
        near = near or cell + STEPS[d] == other
    return near


@kernel
def _describe_reply(s: Any, look: Any, others: int, tile: int, chance: int, features: Any) -> None:
    """Place a tile by the reply of the rules; add the number of `others` that then fit a gobble, and the gobbles."""
    chosen, left, sign = MANY, int(look.gobbles), -1 if s.seats == 1 else 1
    for i in range(look.n if chance < 3 else 0):
        f = int(look.spaces[i])
        turns = rotations(tile, int(s.facing[f])) if chance > 0 or s.touch[f] >= FORCED else 0
        while turns != 0:
            fitting = sign * size(_fitting_after(s, look, i, shown(tile, size((turns & -turns) - 1))) & others)
            turns &= turns - 1
            if fitting < chosen:
                chosen, left = fitting, look.gobbles + look.opens[i] - (s.touch[f] >= FORCED)
    features[REPLY_GOBBLES] += left
    features[REPLY] += sign * chosen if chosen < MANY else size(_fitting_now(s, look) & others)


@kernel
def _fitting_after(s: Any, look: Any, i: int, sides: int) -> int:
    """Return the tiles that fit a gobble once a tile with these sides fills the stored space `i`."""
    tiles, cell = int(look.apart[i]), int(s.border[look.spaces[i]])
    for d in range(SIDES):
        if s.board[spot(cell + int(STEPS[d]))] < 0:
            f = find(s, cell + int(STEPS[d]))
            if s.touch[f] >= FORCED - 1:
                tiles |= matching(int(s.facing[f]) | colour_at(sides, d) << (3 * opposite(d)))
    return tiles


@kernel
def _fitting_now(s: Any, look: Any) -> int:
    """Return the tiles that fit a gobble."""
    tiles = 0
    for i in range(look.n):
        if s.touch[look.spaces[i]] >= FORCED:
            tiles |= matching(int(s.facing[look.spaces[i]]))
    return tiles


@kernel
def _note_forced(s: Any, look: Any) -> None:
    """Store the sides shown to the gobbles of a table."""
    look.forced_n = 0
    for f in range(s.border_n):
        if s.touch[f] >= FORCED:
            look.forced[look.forced_n] = s.facing[f]
            look.forced_n += 1


@kernel
def _fills(look: Any, tile: int) -> float:
    """Return 1.0 if a tile (0 = none) fits one of the stored gobbles, else 0.0."""
    for i in range(look.forced_n if tile > 0 else 0):
        if rotations(tile, int(look.forced[i])) != 0:
            return 1.0
    return 0.0


# [Seats]


@kernel
def _describe_next(s: Any, look: Any, features: Any) -> None:
    """Describe the options of the next seat, and the penalty tiles of the others that fit."""
    seat = _next(s)
    if seat == 0:
        return
    _describe_draw(s, look, seat, features)
    features[NEXT_TOP] = _fills(look, penalty_top(s, seat))
    features[NEXT_PENALTIES] = s.penalty_n[seat] / 10.0
    features[NEXT_OWNED] = (owned(s, seat) + (look.given == seat)) / 27.0
    for other in range(1, s.seats):
        features[TOPS] += _fills(look, penalty_top(s, other)) / 3.0


@kernel
def _describe_draw(s: Any, look: Any, seat: int, features: Any) -> None:
    """Describe the next tile of a seat: the tile in hand, an unseen tile of its pile, or a known one."""
    known = 0
    for i in range(s.piles_n[seat]):
        known += s.piles[seat, i] > 0
    if s.hands[seat, 0] > 0:
        features[NEXT + _try_tile(s, look, int(s.hands[seat, 0]), 0.0)] = 1.0
    elif known < s.piles_n[seat]:
        for i in range(4):
            features[NEXT + i] = features[CHANCES + i]
    else:
        for i in range(known):
            features[NEXT + _try_tile(s, look, int(s.piles[seat, i]), 0.0)] += 1.0 / known


@kernel
def _describe_own(s: Any, look: Any, features: Any) -> None:
    """Describe the tiles of the observer after the action."""
    if look.hand > 0:
        features[OWN + _try_tile(s, look, int(look.hand), 0.0)] = 1.0
        features[OWN_TILE] = 1.0
    features[STACK] = _fitting_stack(s, look)
    features[OWN_TOP] = _fills(look, int(look.top)) if look.top > 0 else features[STACK]
    _look_at_others(s, look, int(look.given))
    features[PENALTIES] = look.penalties / 10.0
    features[OWNED] = look.owned / 27.0
    features[LEAST] = look.least / 27.0
    features[LEAD] = max(-2.0, min(2.0, (look.least - look.owned) / 10.0)) if look.left > 0 else 0.0
    features[OUT] = look.left > 0 and look.owned - (features[FILL] + features[FILL_WITH_PENALTY]) <= 0


@kernel
def _fitting_stack(s: Any, look: Any) -> float:
    """Return the share of the remaining penalty tiles of the observer that fit a gobble."""
    left, found = min(int(look.penalties), int(s.penalty_n[0])), 0.0
    for i in range(left):
        found += _fills(look, int(s.penalty[0, i]))
    return found / left if left > 0 else 0.0
