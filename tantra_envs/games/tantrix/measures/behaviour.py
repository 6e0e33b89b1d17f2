"""Behaviour in Tantrix Strategy: the growth of lines, the effects of free moves, and forced fills."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.compiled.jit import entry_point, kernel
from tantra_envs.core.fields import Array
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantrix.board.bag import restrained
from tantra_envs.games.tantrix.board.hexes import FORCED, STEPS, banned_sides, facing_at
from tantra_envs.games.tantrix.board.lines import follow, link
from tantra_envs.games.tantrix.board.tiles import colour_at, fits, nth_rotation, open_rotations, shown
from tantra_envs.games.tantrix.material import COLOURS, HAND, MAX_SPACES, ROTATIONS, SIDES, TILES
from tantra_envs.games.tantrix.state import ROW, Phase
from tantra_envs.games.tantrix.words.events import events
from tantra_envs.measures import AgentTransitions, Counter, Ints, Kinds, Measure, Scale, Section, mean, per_game, share

ONLY = {"mode": "strategy", "encoding": "compact"}  # seats have no colours in the other modes
LAID = Scale("tiles on the table", (1, 7, 13, 19, 25, 31, 38, 45, 51), end=TILES + 1)
WHOSE = Kinds(("own colour", "others' colours"))
SOURCES = Kinds(("its free moves", "its fills", "others' free moves", "others' fills"))
RESTRAINTS = Kinds(("free, restrained", "fill, restrained", "free, unrestrained", "fill, unrestrained"))
EFFECTS = Kinds(("raise own points", "join own lines", "close an own loop", "raise others' points", "block others"))
RAISE_OWN, JOIN, CLOSE, RAISE_OTHERS, BLOCK = (1 << i for i in range(len(EFFECTS.names)))

OWN = mean(
    "points of the own colour", "The score of its colour after every placement, as if the game ended then.", LAID
)
AHEAD = mean("points ahead", "Points of its own colour minus those of the best other, after every placement.", LAID)
FINAL = mean("points at the end", "Points of its own colour, and of the best other.", Kinds(("own", "best other")))
OWN_FROM = per_game("points of the own colour, by source", "Points that each type of placement added.", SOURCES)
OTHERS_FROM = per_game(
    "points of the others, by source", "Points of all others that each type of placement added.", SOURCES
)
FREE_DO = share(
    "what its free moves do",
    "The share of them that raise the points of its colour, join two of its lines, close a loop of its colour, raise "
    "the points of another colour, or leave no fitting tile for the end of another's best line.",
    EFFECTS,
)
FREE_WHEN = share(
    "what its free moves do if they can",
    "The same effects, as a share of the free moves in which a legal placement has the effect.",
    EFFECTS,
)
FILLS_DO = share("what its fills do", "The same effects, as a share of its forced fills.", EFFECTS)
FILLS_WHEN = share(
    "what its fills do if they can",
    "The same effects, as a share of the forced fills in which a legal placement has the effect.",
    EFFECTS,
)
RAISES = share(
    "raises its points if it can",
    "The share of its free moves that raise its points, among those in which a legal placement does.",
    LAID,
)
CHOICE = mean("legal free moves", "Legal placements at its free move.", LAID)
MADE = per_game(
    "forced spaces made in a game",
    "Spaces that get a third neighbour by its placements, by who can fill them. Who can fill a space must do so.",
    Kinds(("it can fill", "only others can", "nobody can")),
)
FILLS = per_game(
    "forced fills in a game", "Forced fills by who made the space.", Kinds(("own spaces", "others' spaces"))
)
TILES_LAID = per_game(
    "tiles laid in a game",
    "Free moves and forced fills, while the bag has tiles (restrained) and afterwards.",
    RESTRAINTS,
)
LOOPS = per_game(
    "loops closed in a game", "Loops in its own colour and in those of the others, by any player's tile.", WHOSE
)
LOOP_TILES = mean("tiles in a loop", "Tiles in these loops.", WHOSE)
BY_LOOP = share(
    "scores by a loop",
    "The share of colours whose final points come from a loop: its own, and those of the others.",
    WHOSE,
)

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
        self._makers = np.zeros((len(seats), ROW * ROW), np.int8)  # forced by: 0 nobody yet, 1 the agent, 2 others

    def observe(self, t: AgentTransitions) -> None:
        """Count the effects of placements on lines and spaces, then the agent's choices."""
        event, own = events(t.before, t.actions, t.after), t.only(t.mine)
        self._lines(t, event)
        self._closed_loops(t, event)
        self._filled(own, event[t.mine])
        self._forced(t)
        self._chosen(own)

    def end(self, states: States) -> None:
        """Count the final points, and whether they come from a loop."""
        rows = np.arange(len(states))
        points, loops = self._by_seat(states["best"], states), self._by_seat(self._loops, states)
        own, best_other = self._own_and_best_other(points, self._seats)
        self._counter.add_kinds(FINAL, rows, np.stack([own, best_other], axis=1))
        by_loop = (loops > 0) & (loops == points)
        self._add_whose(BY_LOOP, rows, self._seats, by_loop, np.ones_like(by_loop))

    # Effects of placements

    def _lines(self, t: AgentTransitions, event: Array) -> None:
        """Count points before and after a placement."""
        own, best_other = self._own_and_best_other(self._by_seat(t.after["best"], t.before), t.seats[:, 0])
        laid = LAID.part(t.after["placed"])
        self._counter.add(OWN, t.rows, own, part=laid)
        self._counter.add(AHEAD, t.rows, own - best_other, part=laid)

        gained = event["gained"][:, : self._n]
        own = gained[t.k, t.seats[:, 0]]
        source = 2 * ~t.mine + (t.before["phase"] != Phase.FREE)
        self._counter.add(OWN_FROM, t.rows, own, part=source)
        self._counter.add(OTHERS_FROM, t.rows, gained.sum(axis=1) - own, part=source)

    def _closed_loops(self, t: AgentTransitions, event: Array) -> None:
        loops = np.zeros((len(t), len(COLOURS) + 1), np.int64)
        _loop_rows(t.after, event["tile"], loops)
        self._loops[t.rows] = np.maximum(self._loops[t.rows], t.after["opt"]["loop_factor"][:, None] * loops)
        tiles = self._by_seat(loops, t.before)
        self._add_whose(LOOPS, t.rows, t.seats[:, 0], tiles > 0, tiles > 0)
        self._add_whose(LOOP_TILES, t.rows, t.seats[:, 0], tiles, tiles > 0)

    def _filled(self, t: AgentTransitions, event: Array) -> None:
        """Count who had made the spaces that the agent fills."""
        fills = t.before["phase"] != Phase.FREE
        self._counter.add(FILLS, t.rows[fills], 1, part=self._makers[t.rows[fills], event["cell"][fills]] - 1)

    def _forced(self, t: AgentTransitions) -> None:
        """Count new forced spaces by who may fill them: the agent, only others, or nobody."""
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

    # Choices of the agent

    def _chosen(self, t: AgentTransitions) -> None:
        """Count the effects of the agent's placements, and of all legal ones."""
        could, did = np.zeros((2, len(t)), np.int64)
        _effect_rows(t.before, t.masks, t.actions, could, did)
        free, held_back = t.before["phase"] == Phase.FREE, t.before["bag_n"] > t.before["opt"]["unrestrained"]
        self._counter.add(TILES_LAID, t.rows, 1, part=~free + 2 * ~held_back)
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
        """Return values by colour (k, colours + 1) as values by seat (k, players)."""
        return np.take_along_axis(by_colour.astype(np.int64), states["colours"][:, : self._n].astype(np.int64), axis=1)

    def _own_and_best_other(self, points: Ints, seats: Ints) -> tuple[Ints, Ints]:
        own = seats[:, None] == np.arange(self._n)
        return points[own], np.where(own, -1, points).max(axis=1)

    def _add_whose(self, measure: Measure, rows: Ints, seats: Ints, over: Any, under: Any) -> None:
        """Add values by seat (k, players) to the kinds of WHOSE."""
        own = seats[:, None] == np.arange(self._n)
        for part, of in enumerate((own, ~own)):
            self._counter.add(measure, rows, (over * of).sum(axis=1), (under * of).sum(axis=1), part)


# [Lines]


@entry_point
def _loop_rows(states: Any, tiles: Any, loops: Any) -> None:
    """Fill in the number of tiles in each loop through a new tile, 0 = no loop; shape (k, colours + 1)."""
    for i in range(len(tiles)):
        s, tile = states[i], int(tiles[i])
        for d in range(SIDES):
            ahead = follow(s, int(s.cell[tile]), d)
            if ahead < 0:  # it comes back
                loops[i, colour_at(shown(tile, int(s.rot[tile])), d)] = 1 - ahead


# [Choices]


@entry_point
def _effect_rows(states: Any, masks: Any, played: Any, could: Any, did: Any) -> None:
    """Fill in the effects of all legal placements and of the one played, as bits of EFFECTS, shape (k,)."""
    for i in range(len(played)):
        for action in range(masks.shape[1]):
            if masks[i, action]:
                could[i] |= _effects(states[i], action)
        did[i] = _effects(states[i], int(played[i]))


@kernel
def _effects(s: Any, action: int) -> int:
    """Return the effects of one placement. Its tile is placed meanwhile, but the space on the board stays open."""
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
    """Return the effects of the link at side `d` on the lines that it meets."""
    colour = colour_at(shown(tile, int(s.rot[tile])), d)
    own = colour == s.colours[s.seat]
    cell = int(s.cell[tile])
    ahead, behind = follow(s, cell, d), follow(s, cell, link(s, tile, d))
    loop = ahead < 0
    points = int(s.opt.loop_factor) * (1 - ahead) if loop else 1 + ahead + behind
    raised = points > s.best[colour]
    if own:
        joined = ahead > 0 and behind > 0
        return RAISE_OWN * int(raised) + JOIN * int(joined) + CLOSE * int(loop)
    return RAISE_OTHERS * int(raised and _is_played(s, colour))


@kernel
def _on_space(s: Any, tile: int, d: int) -> int:
    """Return BLOCK if no remaining tile fits the space next to side `d` any more and another's best line ends there."""
    space = int(s.cell[tile]) + STEPS[d]
    before = facing_at(s, space)
    if before == 0 or not _ends_best_line(s, space, before):
        return 0
    after = before | colour_at(shown(tile, int(s.rot[tile])), d) << 3 * ((d + 3) % SIDES)
    return BLOCK * int(_tiles_for(s, before) > 0 and _tiles_for(s, after) == 0)


@kernel
def _ends_best_line(s: Any, space: int, facing: int) -> bool:
    """Return whether the scoring line of another seat ends at this space."""
    for d in range(SIDES):
        colour = colour_at(facing, d)
        if colour > 0 and colour != s.colours[s.seat] and _is_played(s, colour):
            if abs(follow(s, space, d)) == s.best[colour]:
                return True
    return False


@kernel
def _tiles_for(s: Any, facing: int) -> int:
    """Return the number of tiles in the hands and the bag that fit a space."""
    found = 0
    for tile in range(1, TILES + 1):
        found += int(s.cell[tile] == 0 and fits(tile, facing))
    return found


@kernel
def _is_played(s: Any, colour: int) -> bool:
    """Return whether it is the colour of a seat."""
    found = 0
    for seat in range(s.seats):
        found += int(s.colours[seat] == colour)
    return found > 0


# [Forced spaces]


@entry_point
def _holder_rows(states: Any, holders: Any) -> None:
    """Fill in the seats that may fill each forced space of the border, a bit for each seat; shape (k, MAX_SPACES)."""
    for i in range(len(states)):
        s = states[i]
        for f in range(s.border_n):
            if s.touch[f] >= FORCED:
                for seat in range(s.seats):
                    holders[i, f] |= int(_may_fill(s, seat, f)) << seat


@kernel
def _may_fill(s: Any, seat: int, f: int) -> bool:
    """Return whether a seat holds a tile for a space, as far as the first restraint allows it."""
    banned = banned_sides(s, int(s.border[f])) if restrained(s) else 0
    for slot in range(HAND):
        tile = int(s.hands[seat, slot])
        if tile > 0 and open_rotations(tile, int(s.facing[f]), banned) != 0:
            return True
    return False
