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

from .....core.blocks import Block, Blocks
from .....core.compiled.jit import kernel
from .....core.game import Game
from .....core.state import Record, States, record
from ...board.hexes import FORCED, STEPS, find, opens, spot
from ...board.tiles import colour_at, opposite, rotations, shown
from ...encodings import lay
from ...material import MAX_SEATS, MAX_SPACES, SIDES, TILES
from ...modes.gobble import BAG, DISCARD, GIVE, JOINED, KEEP, PASS, PLAY, owned, penalty_top
from ...state import Phase
from .sets import matching, set_of, size

LAY, FILL, FILL_WITH_PENALTY, DISCARDS, PASSES, GIVES_PILE, GIVES_PENALTY, KEEPS, BAGS, PLAYS = range(10)  # kinds
CASES = 4  # of a tile: it fills a gobble, joins without opening one, joins with opening one, or fits nowhere

OF_ACTION = Blocks(
    Block("kind", PLAYS + 1, "one-hot: 0 place the tile in hand elsewhere than in a gobble, 1 fill a gobble with it, 2 "
          "fill a gobble with the top penalty tile, 3 discard, 4 pass, 5 give a tile of the pile, 6 give the top "
          "penalty tile, 7 keep the penalty tile, 8 put it into the bag, 9 play it"),
    Block("touch", 1, "tiles that the placed tile touches / 6; zero if none is placed"),
    Block("opens", 1, "gobbles that the placement opens / 4; zero if no tile is placed", high=MAX_SPACES / 4),
    Block("gobbles", 1, "gobbles after the action / 10", high=MAX_SPACES / 10),
    Block("dead", 1, "gobbles that no unseen tile fits / 10", high=MAX_SPACES / 10),
    Block("near", 1, "spaces that touch two tiles / 20", high=MAX_SPACES / 20),
    Block("safe", 1, "spaces that touch two tiles, and whose filling opens no gobble / 10", high=MAX_SPACES / 10),
    Block("unseen", CASES, "share of the unseen tiles in case i: 0 the tile fits a gobble, 1 it joins two tiles or "
          "more and opens no gobble, 2 it joins them only with opening one, 3 it can do neither"),
    Block("filling_opens", 1, "gobbles that unseen tiles of case 0 open, at fewest, on average over all unseen tiles / "
          "4", high=MAX_SPACES / 4),
    Block("joining_opens", 1, "gobbles that unseen tiles of case 2 open, at fewest, on average over all unseen tiles / "
          "4", high=MAX_SPACES / 4),
    Block("two_gobbles", 1, "share of the unseen tiles that fit two gobbles or more"),
    Block("most_fitting", 1, "share of the unseen tiles that fit the gobble which most of them fit"),
    Block("reply_fitting", 1, "share of the unseen tiles that fit a gobble after another unseen tile was placed by the "
          "reply, on average over this tile"),
    Block("reply_gobbles", 1, "gobbles after an unseen tile was placed by the reply, on average over this tile / 10",
          high=MAX_SPACES / 10),
    Block("next_tile", CASES, "probability that the next tile of the next seat is in case i of `unseen`: 0, 1, 2, 3; "
          "zero with one seat"),
    Block("next_top_fits", 1, "1 = the top penalty tile of the next seat is known and fits a gobble"),
    Block("next_penalties", 1, "penalty tiles of the next seat / 10", high=TILES / 10),
    Block("next_owned", 1, "tiles that the next seat owns / 27", high=TILES / 27),
    Block("tops_fit", 1, "other seats whose top penalty tile is known and fits a gobble / 3", high=MAX_SEATS / 3),
    Block("own_tile", CASES, "one-hot: case i of `unseen` of the own tile in hand after the action, or of the penalty "
          "tile brought back: 0, 1, 2, 3; zero without a tile"),
    Block("has_tile", 1, "1 = there is such a tile"),
    Block("top_fits", 1, "1 = the own top penalty tile fits a gobble; if it is not known, as `stack_fits`"),
    Block("stack_fits", 1, "share of the own penalty tiles that fit a gobble; zero without any"),
    Block("penalties", 1, "own penalty tiles after the action / 10", high=TILES / 10),
    Block("owned", 1, "tiles that the own seat owns after the action / 27", high=TILES / 27),
    Block("fewest_owned", 1, "tiles of the other seat that owns fewest / 27; as the next three, of seats that are not "
          "out", high=TILES / 27),
    Block("lead", 1, "these tiles, less the own ones / 10; -2 at least and 2 at most, and zero without another seat",
          low=-2, high=2),
    Block("goes_out", 1, "1 = the own seat is left without a tile, or with one that it may give away for a filled "
          "gobble"),
    Block("receiver_owned", 1, "tiles of the seat that is given a tile, before it / 27; zero for other actions, as the "
          "next two", high=TILES / 27),
    Block("receiver_more", 1, "these tiles, less those of the other seat that owns fewest / 10",
          low=-TILES / 10, high=TILES / 10),
    Block("receiver_next", 1, "1 = the next seat is given the tile"),
)  # fmt: skip

OF_TABLE = Blocks(
    Block("phase", 3, "one-hot: PLACE, BONUS, OFFLOAD; zero when the game is over"),
    Block("seats", 1, "seats / 6"),
    Block("alone", 1, "1 = there is one seat"),
    Block("others", 1, "other seats that are not out / 6"),
    Block("unseen", 1, "unseen tiles: in the bag and in piles / 56"),
    Block("actions", 1, "actions left in this turn / 9", high=1),
    Block("pile", 1, "tiles in the own pile / 27", high=TILES / 27),
    Block("penalties", 1, "own penalty tiles / 10", high=TILES / 10),
    Block(
        "fewest",
        1,
        "tiles of the other seat that owns fewest, less the own ones / 10",
        low=-TILES / 10,
        high=TILES / 10,
    ),
    Block(
        "most", 1, "tiles of the other seat that owns most, less the own ones / 10", low=-TILES / 10, high=TILES / 10
    ),
)

A, T = OF_ACTION.starts, OF_TABLE.starts
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
        table[T.phase + s.phase - Phase.PLACE] = 1.0
    _look_at_others(s, look, 0)
    table[T.seats] = s.seats / 6.0
    table[T.alone] = s.seats == 1
    table[T.others] = look.left / 6.0
    table[T.unseen] = size(unseen) / TILES
    table[T.actions] = s.acts / 9.0
    table[T.pile] = s.piles_n[0] / 27.0
    table[T.penalties] = s.penalty_n[0] / 10.0
    table[T.fewest] = (look.least - owned(s, 0)) / 10.0
    table[T.most] = (look.most - owned(s, 0)) / 10.0


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
    kind = (LAY if touched < FORCED else FILL) if action < placements else FILL_WITH_PENALTY
    features[A.kind + kind] = 1.0
    features[A.touch] = touched / SIDES
    _survey(s, look)
    features[A.opens] = (look.gobbles - before + (touched >= FORCED)) / 4.0


@kernel
def _describe_other(s: Any, look: Any, action: int, features: Any) -> None:
    """Describe a bonus, a discard, a pass or a gift."""
    if s.seats == 1:
        _describe_bonus(look, action - int(s.opt.placements), features)
        return
    other, others = action - 2 * int(s.opt.placements), int(s.seats) - 1
    if other == DISCARD:
        features[A.kind + DISCARDS] = 1.0
        look.top, look.hand = look.hand, 0
        look.penalties += 1
    elif other == PASS:
        features[A.kind + PASSES] = 1.0
    else:
        look.given = 1 + (other - GIVE) % others
        _describe_gift(s, look, other - GIVE < others, features)


@kernel
def _describe_bonus(look: Any, bonus: int, features: Any) -> None:
    """Describe a bonus; the top penalty tile moves to the hand, and leaves the stack unless it is kept."""
    features[A.kind + KEEPS] = bonus == KEEP
    features[A.kind + BAGS] = bonus == BAG
    features[A.kind + PLAYS] = bonus == PLAY
    look.hand = look.top
    if bonus != KEEP:
        look.top = 0
        look.penalties -= 1


@kernel
def _describe_gift(s: Any, look: Any, from_pile: bool, features: Any) -> None:
    features[A.kind + (GIVES_PILE if from_pile else GIVES_PENALTY)] = 1.0
    if not from_pile:
        look.top = 0
        look.penalties -= 1
    elif s.piles_n[0] == 0:
        look.hand = 0
    look.owned -= 1
    gets = int(look.given)
    _look_at_others(s, look, 0)
    features[A.receiver_owned] = owned(s, gets) / 27.0
    features[A.receiver_more] = (owned(s, gets) - look.least) / 10.0
    features[A.receiver_next] = gets == _next(s)


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
    features[A.gobbles] = look.gobbles / 10.0
    features[A.near] = (look.n - look.gobbles) / 20.0
    for i in range(look.n):
        features[A.safe] += 0.1 * (s.touch[look.spaces[i]] < FORCED and look.opens[i] == 0)


# [Tiles]


@kernel
def _try_tile(s: Any, look: Any, tile: int, share: float) -> int:
    """Return the case 0 .. 3 of a tile, as in `unseen`, and store the number of gobbles it fits and opens."""
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
            features[A.unseen + chance] += 1.0 / n
            features[A.filling_opens] += look.opened / (4.0 * n) if chance == 0 else 0.0
            features[A.joining_opens] += look.opened / (4.0 * n) if chance == 2 else 0.0
            features[A.two_gobbles] += (look.filled > 1) / n
            _describe_reply(s, look, unseen & ~(1 << (tile - 1)), tile, chance, features)
    for i in range(look.n):
        features[A.most_fitting] = max(features[A.most_fitting], np.float32(look.fitting[i]))
        features[A.dead] += 0.1 * (s.touch[look.spaces[i]] >= FORCED and look.fitting[i] == 0.0)
    features[A.reply_fitting] /= max(n, 1) * max(n - 1, 1)
    features[A.reply_gobbles] /= 10.0 * max(n, 1)


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
    features[A.reply_gobbles] += left
    features[A.reply_fitting] += sign * chosen if chosen < MANY else size(_fitting_now(s, look) & others)


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
    features[A.next_top_fits] = _fills(look, penalty_top(s, seat))
    features[A.next_penalties] = s.penalty_n[seat] / 10.0
    features[A.next_owned] = (owned(s, seat) + (look.given == seat)) / 27.0
    for other in range(1, s.seats):
        features[A.tops_fit] += _fills(look, penalty_top(s, other)) / 3.0


@kernel
def _describe_draw(s: Any, look: Any, seat: int, features: Any) -> None:
    """Describe the next tile of a seat: the tile in hand, an unseen tile of its pile, or a known one."""
    known = 0
    for i in range(s.piles_n[seat]):
        known += s.piles[seat, i] > 0
    if s.hands[seat, 0] > 0:
        features[A.next_tile + _try_tile(s, look, int(s.hands[seat, 0]), 0.0)] = 1.0
    elif known < s.piles_n[seat]:
        for i in range(4):
            features[A.next_tile + i] = features[A.unseen + i]
    else:
        for i in range(known):
            features[A.next_tile + _try_tile(s, look, int(s.piles[seat, i]), 0.0)] += 1.0 / known


@kernel
def _describe_own(s: Any, look: Any, features: Any) -> None:
    """Describe the tiles of the observer after the action."""
    if look.hand > 0:
        features[A.own_tile + _try_tile(s, look, int(look.hand), 0.0)] = 1.0
        features[A.has_tile] = 1.0
    features[A.stack_fits] = _fitting_stack(s, look)
    features[A.top_fits] = _fills(look, int(look.top)) if look.top > 0 else features[A.stack_fits]
    _look_at_others(s, look, int(look.given))
    features[A.penalties] = look.penalties / 10.0
    features[A.owned] = look.owned / 27.0
    features[A.fewest_owned] = look.least / 27.0
    features[A.lead] = max(-2.0, min(2.0, (look.least - look.owned) / 10.0)) if look.left > 0 else 0.0
    gives = features[A.kind + FILL] + features[A.kind + FILL_WITH_PENALTY]
    features[A.goes_out] = look.left > 0 and look.owned - gives <= 0


@kernel
def _fitting_stack(s: Any, look: Any) -> float:
    """Return the share of the remaining penalty tiles of the observer that fit a gobble."""
    left, found = min(int(look.penalties), int(s.penalty_n[0])), 0.0
    for i in range(left):
        found += _fills(look, int(s.penalty[0, i]))
    return found / left if left > 0 else 0.0
