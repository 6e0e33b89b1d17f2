"""Tantrix Strategy: how lines grow, what free moves are used for, and who is forced to fill what."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.compiled.jit import entry_point, kernel
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantrix.board.hexes import FORCED, STEPS, banned_sides, facing_at, spot
from tantra_envs.games.tantrix.board.lines import LOOP, comes_back, follow, link
from tantra_envs.games.tantrix.board.tiles import colour_at, fits, nth_rotation, open_rotations, shown
from tantra_envs.games.tantrix.material import COLOURS, HAND, MAX_SPACES, ROTATIONS, SIDES, TILES
from tantra_envs.games.tantrix.state import ROW, Phase
from tantra_envs.measures import AgentTransitions, Counter, Ints, Kinds, Measure, Scale, Section, mean, per_game, share

ONLY = {"mode": "strategy", "encoding": "compact"}  # the other modes have no colours of one's own
INTRODUCTION = """\
A colour scores its longest line, or twice its longest loop. A turn is one free move; before and after it a player
must fill every space with three neighbours or more that a tile in hand fits. So the questions are how fast the own
line grows, what the free moves are used for - longer lines, joining two, closing a loop, blocking another's - and
who is made to fill what. For two the three restraints hold until 44 tiles lie and the bag is empty.
"""

LAID = Scale("tiles on the table", (1, 7, 13, 19, 25, 31, 38, 45, 51), end=TILES + 1)
WHOSE = Kinds(("own colour", "others' colours"))
SOURCES = Kinds(("its free moves", "its fills", "others' free moves", "others' fills"))
RESTRAINTS = Kinds(("free, restrained", "fill, restrained", "free, unrestrained", "fill, unrestrained"))
EFFECTS = Kinds(("raise own points", "join own lines", "close an own loop", "raise others' points", "block others"))
RAISE_OWN, JOIN, CLOSE, RAISE_OTHERS, BLOCK = (1 << i for i in range(len(EFFECTS.names)))

OWN = mean("points of the own colour", "What it would score if the game ended, after every placement.", LAID)
AHEAD = mean("points ahead", "The same less the points of the best other.", LAID)
FINAL = mean("points at the end", "Of its own colour, and of the best other.", Kinds(("own", "best other")))
OWN_FROM = per_game("points of the own colour, by source", "Which placements raised its points by how much.", SOURCES)
OTHERS_FROM = per_game("points of the others, by source", "Which placements raised theirs.", SOURCES)
FREE_DO = share(
    "what its free moves do",
    "How many of them raise the points of its colour, join two of its lines, close a loop of it, raise the points of "
    "another's colour, or leave no tile that fits where the best line of another ends.",
    EFFECTS,
)
FREE_WHEN = share(
    "what its free moves do if they can", "The same, of those in which a legal placement would do it.", EFFECTS
)
FILLS_DO = share("what its fills do", "The same for forced fills.", EFFECTS)
FILLS_WHEN = share("what its fills do if they can", "Of the fills in which a legal one would do it.", EFFECTS)
RAISES = share(
    "raises its points if it can",
    "Of its free moves in which a legal placement would raise its points, how often it makes such a one.",
    LAID,
)
CHOICE = mean("legal free moves", "How many placements it may choose from at its free move.", LAID)
MADE = per_game(
    "forced spaces made in a game",
    "Spaces that its placements give a third neighbour, and who may fill them then: who can must.",
    Kinds(("it can fill", "only others can", "nobody can")),
)
FILLS = per_game(
    "forced fills in a game",
    "Whose placement had made the space that it fills.",
    Kinds(("own spaces", "others' spaces")),
)
TILES_LAID = per_game(
    "tiles laid in a game", "Free moves and fills, while the bag has tiles and afterwards.", RESTRAINTS
)
LOOPS = per_game(
    "loops closed in a game", "In its own colour and in those of the others, whoever lays the tile.", WHOSE
)
LOOP_TILES = mean("tiles in a loop", "How long these loops are.", WHOSE)
BY_LOOP = share("scores by a loop", "How often its points at the end are those of a loop, and those of others.", WHOSE)

SECTIONS = (
    Section("Growth", (OWN, AHEAD, FINAL, OWN_FROM, OTHERS_FROM)),
    Section("Free moves", (FREE_DO, FREE_WHEN, RAISES, CHOICE)),
    Section("Forced spaces", (MADE, FILLS, TILES_LAID, FILLS_DO, FILLS_WHEN)),
    Section("Loops", (LOOPS, LOOP_TILES, BY_LOOP)),
)


class Behaviour:
    """Counts from the positions before and after every placement."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        self._n, self._seats, self._counter = game.players, seats[:, 0], counter
        self._loops = np.zeros((len(seats), len(COLOURS) + 1), np.int64)  # points of each colour's best loop
        self._makers = np.zeros((len(seats), ROW * ROW), np.int8)  # who forced a cell: 0 nobody yet, 1 it, 2 others

    def observe(self, t: AgentTransitions) -> None:
        """What placements make of lines and spaces, then what the agent chose them from."""
        self._lines(t)
        self._closed_loops(t)
        own = t.only(t.mine)
        self._filled(own)
        self._forced(t)
        self._chosen(own)

    def end(self, states: States) -> None:
        """Points, and whether they are those of a loop."""
        rows = np.arange(len(states))
        points, loops = self._by_seat(states["best"], states), self._by_seat(self._loops, states)
        own, best_other = self._own_and_best_other(points, self._seats)
        self._counter.add_kinds(FINAL, rows, np.stack([own, best_other], axis=1))
        by_loop = (loops > 0) & (loops == points)
        self._add_whose(BY_LOOP, rows, self._seats, by_loop, np.ones_like(by_loop))

    # What placements do

    def _lines(self, t: AgentTransitions) -> None:
        """Points before and after."""
        before, after = self._by_seat(t.before["best"], t.before), self._by_seat(t.after["best"], t.before)
        own, best_other = self._own_and_best_other(after, t.seats[:, 0])
        laid = LAID.part(t.after["placed"])
        self._counter.add(OWN, t.rows, own, part=laid)
        self._counter.add(AHEAD, t.rows, own - best_other, part=laid)

        gained = after - before
        own = gained[t.k, t.seats[:, 0]]
        source = 2 * ~t.mine + (t.before["phase"] != Phase.FREE)
        self._counter.add(OWN_FROM, t.rows, own, part=source)
        self._counter.add(OTHERS_FROM, t.rows, gained.sum(axis=1) - own, part=source)

    def _closed_loops(self, t: AgentTransitions) -> None:
        loops = np.zeros((len(t), len(COLOURS) + 1), np.int64)
        slots = t.actions // ROTATIONS % HAND
        _loop_rows(t.after, t.before["hands"][t.k, t.before["seat"], slots].astype(np.int64), loops)
        self._loops[t.rows] = np.maximum(self._loops[t.rows], LOOP * loops)
        tiles = self._by_seat(loops, t.before)
        self._add_whose(LOOPS, t.rows, t.seats[:, 0], tiles > 0, tiles > 0)
        self._add_whose(LOOP_TILES, t.rows, t.seats[:, 0], tiles, tiles > 0)

    def _filled(self, t: AgentTransitions) -> None:
        """Who had made the spaces that the agent fills."""
        fills = t.only(t.before["phase"] != Phase.FREE)
        cells = fills.before["border"][fills.k, fills.actions // (HAND * ROTATIONS)]
        self._counter.add(FILLS, fills.rows, 1, part=self._makers[fills.rows, cells] - 1)

    def _forced(self, t: AgentTransitions) -> None:
        """Spaces that have become forced, and whether the agent, only others, or nobody may fill them."""
        cells = t.after["border"]
        new = (t.after["touch"] >= FORCED) & (self._makers[t.rows[:, None], cells] == 0)
        table, space = np.nonzero(new)
        self._makers[t.rows[table], cells[table, space]] = np.where(t.mine[table], 1, 2)

        holders = np.zeros((len(t), MAX_SPACES), np.int64)
        _holder_rows(t.after, holders)
        able = holders[table, space]
        which = np.select([able >> t.seats[table, 0] & 1 == 1, able > 0], [0, 1], 2)
        mine = t.mine[table]
        self._counter.add(MADE, t.rows[table[mine]], 1, part=which[mine])

    # What the agent chooses from

    def _chosen(self, t: AgentTransitions) -> None:
        """What its placements do, and what others would have done."""
        could, did = np.zeros((2, len(t)), np.int64)
        _effect_rows(t.before, t.masks, t.actions, could, did)
        free, restrained = t.before["phase"] == Phase.FREE, t.before["bag_n"] > 0
        self._counter.add(TILES_LAID, t.rows, 1, part=~free + 2 * ~restrained)
        laid = LAID.part(t.before["placed"] + 1)
        self._counter.add(CHOICE, t.rows[free], t.masks[free].sum(axis=1), part=laid[free])
        bits = np.arange(len(EFFECTS.names))
        could, did = could[:, None] >> bits & 1, did[:, None] >> bits & 1
        self._counter.add(RAISES, t.rows[free], did[free, 0], could[free, 0], laid[free])
        for which, do, when in ((free, FREE_DO, FREE_WHEN), (~free, FILLS_DO, FILLS_WHEN)):
            self._counter.add_kinds(do, t.rows[which], did[which])
            self._counter.add_kinds(when, t.rows[which], did[which], could[which])

    # Seats and colours

    def _by_seat(self, by_colour: npt.NDArray[Any], states: States) -> Ints:
        """From (k, colours + 1) to the colours of the seats, (k, players)."""
        return np.take_along_axis(by_colour.astype(np.int64), states["colours"][:, : self._n].astype(np.int64), axis=1)

    def _own_and_best_other(self, points: Ints, seats: Ints) -> tuple[Ints, Ints]:
        own = seats[:, None] == np.arange(self._n)
        return points[own], np.where(own, -1, points).max(axis=1)

    def _add_whose(self, measure: Measure, rows: Ints, seats: Ints, over: Any, under: Any) -> None:
        """Add what is told by seat (k, players) to the kinds of WHOSE."""
        own = seats[:, None] == np.arange(self._n)
        for part, of in enumerate((own, ~own)):
            self._counter.add(measure, rows, (over * of).sum(axis=1), (under * of).sum(axis=1), part)


# [Lines]


@entry_point
def _loop_rows(states: Any, tiles: Any, loops: Any) -> None:
    """How many tiles are in the loops through a tile just laid, 0 = no loop; shape (k, colours + 1)."""
    for i in range(len(tiles)):
        s, tile = states[i], int(tiles[i])
        for d in range(SIDES):
            ahead = follow(s, tile, d)
            if comes_back(s, tile, d, ahead):
                loops[i, colour_at(shown(tile, int(s.rot[tile])), d)] = 1 + ahead


# [Choices]


@entry_point
def _effect_rows(states: Any, masks: Any, played: Any, could: Any, did: Any) -> None:
    """What legal placements would do at k tables, and what those played do: bits of EFFECTS, shape (k,)."""
    for i in range(len(played)):
        for action in range(masks.shape[1]):
            if masks[i, action]:
                could[i] |= _effects(states[i], action)
        did[i] = _effects(states[i], int(played[i]))


@kernel
def _effects(s: Any, action: int) -> int:
    """Of one placement: its tile knows its place meanwhile, but the space on the board stays open."""
    f, slot = action // (HAND * ROTATIONS), action // ROTATIONS % HAND
    tile = int(s.hands[s.seat, slot])
    s.cell[tile] = s.border[f]
    s.rot[tile] = nth_rotation(tile, int(s.facing[f]), action % ROTATIONS)
    found = 0
    for d in range(SIDES):
        found |= _on_line(s, tile, d) | _on_space(s, tile, d)
    s.cell[tile] = 0
    s.rot[tile] = 0
    return found


@kernel
def _on_line(s: Any, tile: int, d: int) -> int:
    """What the link that reaches side `d` makes of the lines it meets."""
    colour = colour_at(shown(tile, int(s.rot[tile])), d)
    own = colour == s.colours[s.seat]
    ahead, behind = follow(s, tile, d), follow(s, tile, link(s, tile, d))
    loop = comes_back(s, tile, d, ahead)
    points = LOOP * (1 + ahead) if loop else 1 + ahead + behind
    raised = points > s.best[colour]
    if own:
        joined = ahead > 0 and behind > 0 and not loop
        return RAISE_OWN * int(raised) + JOIN * int(joined) + CLOSE * int(loop)
    return RAISE_OTHERS * int(raised and _is_played(s, colour))


@kernel
def _on_space(s: Any, tile: int, d: int) -> int:
    """Is the space beside side `d`, where another's best line ends, blocked: does no tile left fit it any more?"""
    space = int(s.cell[tile]) + STEPS[d]
    before = facing_at(s, space)
    if before == 0 or not _ends_best_line(s, space, before):
        return 0
    after = before | colour_at(shown(tile, int(s.rot[tile])), d) << 3 * ((d + 3) % SIDES)
    return BLOCK * int(_tiles_for(s, before) > 0 and _tiles_for(s, after) == 0)


@kernel
def _ends_best_line(s: Any, space: int, facing: int) -> bool:
    """Does the line that scores for a seat other than the one to play run into this space?"""
    for d in range(SIDES):
        colour = colour_at(facing, d)
        if colour > 0 and colour != s.colours[s.seat] and _is_played(s, colour):
            last = int(s.board[spot(space + STEPS[d])])
            if 1 + follow(s, last, link(s, last, (d + 3) % SIDES)) == s.best[colour]:
                return True
    return False


@kernel
def _tiles_for(s: Any, facing: int) -> int:
    """How many tiles of the hands and the bag match a space."""
    found = 0
    for tile in range(1, TILES + 1):
        found += int(s.cell[tile] == 0 and fits(tile, facing))
    return found


@kernel
def _is_played(s: Any, colour: int) -> bool:
    """Is it the colour of a seat?"""
    found = 0
    for seat in range(s.seats):
        found += int(s.colours[seat] == colour)
    return found > 0


# [Forced spaces]


@entry_point
def _holder_rows(states: Any, holders: Any) -> None:
    """Which seats may fill each forced space of the border: a bit for each seat, shape (k, MAX_SPACES)."""
    for i in range(len(states)):
        s = states[i]
        for f in range(s.border_n):
            if s.touch[f] >= FORCED:
                for seat in range(s.seats):
                    holders[i, f] |= int(_may_fill(s, seat, f)) << seat


@kernel
def _may_fill(s: Any, seat: int, f: int) -> bool:
    """Does a seat hold a tile for a space that the first restraint, while it holds, allows?"""
    banned = banned_sides(s, int(s.border[f])) if s.bag_n > 0 else 0
    for slot in range(HAND):
        tile = int(s.hands[seat, slot])
        if tile > 0 and open_rotations(tile, int(s.facing[f]), banned) != 0:
            return True
    return False
