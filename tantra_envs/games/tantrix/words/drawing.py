"""Draw Tantrix: the table with its black tiles and coloured lines, and the hands at the side.

The reader first chooses a tile: an element with `data-choose`, the number of the tile. The places of the tile are the
elements with `data-for` and that number. Each is one rotation and has its `data-action`. The elements of one space
are in a group with `data-place`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ....core.game import Game
from ....core.state import States
from ....drawing.cards import badge, lock
from ....drawing.chart import Standing
from ....drawing.hexagons import SIDE, Cell, Grid, corner, curve, honeycomb, outline
from ....drawing.layout import Box
from ....drawing.sheet import ROOT, Sheet, num
from ....drawing.table import headline, others, panel, to_decide
from ....drawing.text import escape, width
from ....words.english import counted, in_digits, listed, owner
from ..agents.standing import owned, points
from ..board.hexes import FORCED
from ..material import COLOURS, DIRECTIONS, SIDES, turned
from . import boards, placements
from .events import events
from .sentences import COLOUR_NAMES

TASKS = ("one loop", "one line", "a full shape")
PUZZLES = ("discovery", "rainbow", "daily")
SIDEBAR = 128.0
STEP = 19.0  # from one tile to come to the next
ENLARGED = 12.3  # size of the letters on a small screen (`enlarge.js`): tiles stay clear of them
Board = dict[Cell, tuple[int, int]]  # tile and rotation
Options = dict[Cell, list[tuple[int, int, int]]]  # tile, rotation and action


def paint(sheet: Sheet, game: Game, state: States) -> None:
    """Draw the table on the left and the hands on the right."""
    s, mode = state[0], game.config["mode"]
    rest = headline(
        sheet, f"Tantrix {mode} · {in_digits(int(s['placed']), 'tile')} laid", to_decide(sheet, game, state)
    )
    sheet.height = rest.y + max(250, 82 * game.players if mode == "strategy" else 58 * game.players)
    area = Box(rest.x, rest.y, rest.w, sheet.height - rest.y)
    table, side = area.left(area.w - SIDEBAR, 4)
    sheet.box(table, "panel", "line")
    board = {(q, r): (tile, rot) for tile, q, r, rot in boards.listed(s)}
    options = _options(sheet, game, state)
    _table(sheet, game, s, table.inset(5), board, options)
    if mode in PUZZLES:
        _kit(sheet, s, side, options)
    else:
        _hands(sheet, game, state, side, options)


def result(game: Game, state: States, names: Sequence[str]) -> str:
    """Describe the end of the game in one line."""
    s = state[0]
    end = "Stopped at the limit" if s["truncated"] else "No tile can be laid" if s["deadlock"] else "The end"
    if game.config["mode"] in PUZZLES:
        return "Solved" if is_solved(game, state) else f"{end}: not solved"
    if game.config["mode"] == "gobble":
        return end
    scores = points(game, state)[0].tolist()
    return f"{end}: " + ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))


def is_solved(game: Game, state: States) -> bool | None:
    """Return whether a finished puzzle is solved; None in modes without puzzles."""
    return bool(state["rewards"][0, 0] == 1) if game.config["mode"] in PUZZLES else None  # unsolved pays less [W9]


def standing(game: Game, state: States) -> Standing:
    """Return the scores of the longest lines; in puzzles and Gobble the numbers of tiles."""
    mode, now = game.config["mode"], points(game, state)[0]
    if mode in ("strategy", "solitaire"):
        return Standing("points", now.tolist())
    if mode == "gobble":
        return Standing("tiles left", (-now).tolist(), low=True)
    return Standing("tiles laid", state["placed"].tolist())


def _options(sheet: Sheet, game: Game, state: States) -> Options:
    """Return the legal placements by space."""
    options: Options = {}
    for action in sorted(sheet.legal):
        if found := placements.decode(game, state, action):
            tile, q, r, rot = found
            options.setdefault((q, r), []).append((tile, rot, action))
    return options


# The table


def _table(sheet: Sheet, game: Game, s: Any, box: Box, board: Board, options: Options) -> None:
    forced = {} if game.config["mode"] in PUZZLES or s["over"] else _forced(s)
    form = [boards.place_of(cell) for cell in s["opt"]["cells"][: s["opt"]["cells_n"]].tolist()]
    room = 0 if game.config["mode"] in PUZZLES else 14  # for the bag
    grid = Grid(Box(box.x, box.y, box.w, box.h - room), {*board, *options, *forced, *form})
    for cell in form:
        if cell not in board:
            _outline(sheet, grid, cell, "line", "")
    last = _last(sheet, s)
    for cell, (tile, rot) in sorted(board.items(), key=lambda lies: lies[1][0] == last):
        _lay(sheet, game, s, grid, cell, tile, rot, tile == last)
    factor = int(s["opt"]["loop_factor"])
    for colour in _emphasised(game, s):
        _emphasise(sheet, grid, _longest(board, colour, factor), COLOUR_NAMES[colour])
    for cell, sides in forced.items():
        _gobble(sheet, grid, cell, sides, cell in options)
    for cell, choices in options.items():
        _offer(sheet, grid, cell, choices, cell in forced)
    _bag(sheet, game, s, box)


def _last(sheet: Sheet, s: Any) -> int:
    """Return the tile placed last, 0 = unknown."""
    last = sheet.last
    return int((last and events(last.before, last.action, last.after)[0]["tile"]) or s["last"])


def _lay(sheet: Sheet, game: Game, s: Any, grid: Grid, cell: Cell, tile: int, rot: int, last: bool) -> None:
    """Draw a tile on the table; mark the given tiles of a puzzle and make the others removable."""
    x, y = grid.at(cell)
    kit = s["opt"]["kit"].tolist()
    given = tile in kit and s["opt"]["given_cell"][kit.index(tile)] > 0
    remove = game.actions["remove"].start + kit.index(tile) if tile in kit and not given else None
    title = _title(tile, rot)
    spot = (x, y, grid.scale)
    sheet.use(_tile(sheet, tile), spot, title, action=remove, mark="last" if last else "rim", turn=60 * rot)
    if given:
        lock(sheet, x, y - 0.5, 9 * grid.scale, "card")


def _forced(s: Any) -> dict[Cell, int]:
    """Return the spaces with at least three tiles round them, and the sides shown to them."""
    n = int(s["border_n"])
    around = zip(s["border"][:n].tolist(), s["touch"][:n].tolist(), s["facing"][:n].tolist(), strict=True)
    return {boards.place_of(cell): sides for cell, touch, sides in around if touch >= FORCED}


def _gobble(sheet: Sheet, grid: Grid, cell: Cell, sides: int, offered: bool) -> None:
    """Draw a forced space with the colours that it must match, each on its side."""
    colours = {d: colour for d in range(SIDES) if (colour := sides >> 3 * d & 7)}  # clockwise from the upper right
    names = listed([COLOUR_NAMES[COLOURS[colour - 1]] for colour in colours.values()])
    _outline(sheet, grid, cell, "go" if offered else "last", f"gobble, between {names}")
    for d, colour in colours.items():
        bar = sheet.symbol(f"bar{colour}", partial(_bar, COLOURS[colour - 1]))
        sheet.use(bar, (*grid.at(cell), grid.scale), turn=60 * d)


def _outline(sheet: Sheet, grid: Grid, cell: Cell, colour: str, title: str) -> None:
    sheet.use(sheet.symbol(f"space_{colour}", partial(_space, colour)), (*grid.at(cell), grid.scale), title)


def _offer(sheet: Sheet, grid: Grid, cell: Cell, placements: list[tuple[int, int, int]], marked: bool) -> None:
    """Draw a space where tiles can be placed, with a hidden drawing of each tile for when it is chosen."""
    if not marked:
        _outline(sheet, grid, cell, "go", "a tile may be laid here")
    x, y = grid.at(cell)
    ghosts = "".join(
        f'<use class="for" href="#{ROOT}-{_tile(sheet, tile)}" transform="rotate({60 * rot})" data-for="{tile}"'
        f"{sheet.offer(action)}/>"
        for tile, rot, action in placements
    )
    where = f"translate({num(x)} {num(y)})scale({grid.scale:.3f})"
    sheet.add(f'<g transform="{where}" data-place="{cell[0]},{cell[1]}">{ghosts}</g>')


def _bag(sheet: Sheet, game: Game, s: Any, box: Box) -> None:
    """Write the number of tiles to come, and draw those that are face up."""
    if game.config["mode"] in PUZZLES or (game.config["mode"] == "gobble" and game.players > 1):
        return
    n = int(s["bag_n"])
    open_ = n if sheet.is_open else min(n, int(s["opt"]["lookahead"]))
    y, words = box.y + box.h, f"bag of {n}" + (" · next:" if open_ else "")
    sheet.text(box.x, y, words, 8.2, "soft")
    start = width(words, ENLARGED) + STEP / 2
    coming = s["bag"][max(0, n - open_) : n][::-1].tolist()
    for i, tile in enumerate(coming[: int((box.w - start) // STEP)]):
        spot = (box.x + start + STEP * i, y - 6, 0.46)
        sheet.use(_tile(sheet, tile), spot, f"{_title(tile)}, to come", mark="rim")


# Lines


def _emphasised(game: Game, s: Any) -> list[str]:
    """Return the colours whose longest line counts."""
    mode = game.config["mode"]
    if mode == "strategy":
        return [COLOURS[c - 1] for c in s["colours"][: game.players].tolist() if c]
    wanted = int(s["opt"]["goal"] if mode == "solitaire" else s["opt"]["colour"])
    if mode == "gobble" or (mode in PUZZLES and TASKS[s["opt"]["task"]] == "a full shape"):
        return []
    best = s["best"].tolist()
    colour = wanted or best.index(max(best))
    return [COLOURS[colour - 1]] if colour else []


def _longest(board: Board, colour: str, factor: int) -> list[tuple[Cell, int, int]]:
    """Return the links of the longest line or loop of a colour; a loop counts `factor` times."""
    links = {}
    for cell, (tile, rot) in board.items():
        sides = turned(tile, rot)
        if colour in sides:
            first = sides.index(colour)
            links[cell] = (first, sides.index(colour, first + 1))
    best: list[Cell] = []
    worth, seen = 0, set[Cell]()
    for cell, (one, other) in links.items():
        if cell not in seen:
            ahead, behind = _follow(links, cell, one), _follow(links, cell, other)
            loop = bool(ahead) and ahead == behind[::-1]
            line = [cell, *ahead, *([] if loop else behind)]
            seen.update(line)
            score = len(line) * (factor if loop else 1)
            if score > worth:
                best, worth = line, score
    return [(cell, *links[cell]) for cell in best]


def _follow(links: dict[Cell, tuple[int, int]], start: Cell, d: int) -> list[Cell]:
    """Return the cells on the line that leaves `start` in direction `d`, until it ends or comes back."""
    line: list[Cell] = []
    cell = _beside(start, d)
    while cell in links and cell != start:
        line.append(cell)
        one, other = links[cell]
        d = other if one == (d + 3) % SIDES else one
        cell = _beside(cell, d)
    return line


def _beside(cell: Cell, d: int) -> Cell:
    return cell[0] + DIRECTIONS[d][0], cell[1] + DIRECTIONS[d][1]


def _emphasise(sheet: Sheet, grid: Grid, line: list[tuple[Cell, int, int]], colour: str) -> None:
    if len(line) > 1:
        title = f"longest line in {colour}: {counted(len(line), 'tile')}"
        for cell, one, other in line:
            bend, first = min(((other - one) % SIDES, one), ((one - other) % SIDES, other))
            link = sheet.symbol(f"link{bend}", partial(_link, bend))
            sheet.use(link, (*grid.at(cell), grid.scale), title, turn=60 * first, above=True)


# Hands


def _hands(sheet: Sheet, game: Game, state: States, box: Box, options: Options) -> None:
    """Draw a panel for each seat, with the reader's at the bottom."""
    s, scores = state[0], points(game, state)[0].tolist()
    seats = [*others(sheet), sheet.front]
    high = min(100, (box.h - 4 * (len(seats) - 1)) / len(seats))
    for i, seat in enumerate(seats):
        own = Box(box.x, box.y + i * (high + 4), box.w, high)
        turn = seat == s["seat"] and not s["over"]
        gobble = game.config["mode"] == "gobble"
        out, counted = int(s["out"][seat]), owned(s) if gobble else scores
        facts = f"out, place {out}" if out else in_digits(int(counted[seat]), "tile" if gobble else "point")
        room = panel(sheet, own, sheet.names[seat], facts, turn=turn, seat=seat)
        if gobble:
            _gobble_hand(sheet, s, seat, room, options)
        else:
            _hand(sheet, game, s, seat, room, options)


def _hand(sheet: Sheet, game: Game, s: Any, seat: int, box: Box, options: Options) -> None:
    if game.config["mode"] == "strategy":
        colour = COLOURS[int(s["colours"][seat]) - 1]
        bar, box = box.left(7, 4)
        title = f"<title>{escape(owner(sheet.names, seat))} colour: {COLOUR_NAMES[colour]}</title>"
        sheet.add(
            f'<rect x="{num(bar.x)}" y="{num(bar.y + 1)}" width="6" height="{num(bar.h - 2)}" rx="3" '
            f'fill="var(--t{colour})" stroke="var(--tile)" stroke-width=".8">{title}</rect>'
        )
    elif game.config["mode"] == "solitaire":
        missing = COLOUR_NAMES[COLOURS[int(s["colours"][3]) - 1]]
        sheet.text(box.x, box.y + box.h - 2, f"without {missing}", 8.2, "soft", box.w)
        box = Box(box.x, box.y, box.w, box.h - 12)
    tiles = [tile for tile in s["hands"][seat].tolist() if tile]
    _tiles(sheet, box, tiles, options if seat == s["seat"] else {})


def _tiles(sheet: Sheet, box: Box, tiles: Sequence[int], options: Options) -> None:
    """Draw tiles that are not placed; those with a legal placement can be chosen."""
    able = {tile for choices in options.values() for tile, _, _ in choices}
    for tile, spot in zip(tiles, honeycomb(box, len(tiles)), strict=True):
        choose = str(tile) if tile in able else ""
        sheet.use(_tile(sheet, tile), spot, _title(tile), choose=choose, mark="" if choose else "rim")


def _gobble_hand(sheet: Sheet, s: Any, seat: int, box: Box, options: Options) -> None:
    """Draw the tile in hand, the pile with its number of tiles, and the penalty stack from its top."""
    hand, rest = box.left(36)
    tile = int(s["hands"][seat, 0])
    own = options if seat == s["seat"] else {}
    _tiles(sheet, hand, [tile] if tile else [], own)
    n = int(s["piles_n"][seat])
    if n:
        known = [t for t in s["piles"][seat][:n].tolist() if s["known"][t]]
        among = f", among them {listed([f'tile {tile}' for tile in sorted(known)])}" if known else ""
        told = f"pile of {counted(n, 'tile')}, face down{among}"
        x, y = rest.x + 12, rest.y + rest.h / 2
        sheet.use(sheet.symbol("tile", _blank), (x, y, 0.55), told, mark="rim")
        badge(sheet, x, y, str(n))
    _penalty(sheet, s, seat, rest.left(26)[1] if n else rest, own)


def _penalty(sheet: Sheet, s: Any, seat: int, box: Box, options: Options) -> None:
    stack = s["penalty"][seat][: s["penalty_n"][seat]][::-1].tolist()
    if not stack:
        return
    _tiles(sheet, Box(box.x, box.y, 26, box.h), stack[:1], options)
    for i, tile in enumerate(stack[1:4]):
        spot = (box.x + 30 + 8 * i, box.y + box.h / 2, 0.3)
        sheet.use(_tile(sheet, tile), spot, f"{_title(tile)}, in the penalty stack", mark="rim")
    badge(sheet, box.x + 22, box.y + 3, str(len(stack)), "last")


def _kit(sheet: Sheet, s: Any, box: Box, options: Options) -> None:
    """Write the goal of a puzzle and draw the remaining tiles."""
    sheet.box(box, "panel", "line" if s["over"] else "turn", 1 if s["over"] else 2)
    kit = [tile for tile in s["opt"]["kit"].tolist() if tile and not s["cell"][tile]]
    colour = [f"in {COLOUR_NAMES[COLOURS[int(s['opt']['colour']) - 1]]}"] if s["opt"]["colour"] else []
    lines = [TASKS[s["opt"]["task"]], *colour, f"{len(kit)} of {s['opt']['kit_n']} to lay"]
    for i, line in enumerate(lines):
        sheet.text(box.x + 6, box.y + 12 + 12.5 * i, line, 8.2, "soft" if i == len(lines) - 1 else "b", box.w - 12)
    above = 5 + 12.5 * len(lines)
    _tiles(sheet, Box(box.x + 5, box.y + above, box.w - 10, box.h - above - 5), kit, options)


# Tiles


def _title(tile: int, rot: int = 0) -> str:
    """Return the name of a tile with its colours, clockwise from the side at the upper right."""
    return f"tile {tile}: {', '.join(COLOUR_NAMES[letter] for letter in turned(tile, rot))}"


def _tile(sheet: Sheet, tile: int) -> str:
    return sheet.symbol(f"t{tile}", partial(_print, tile))


def _blank() -> str:
    """Draw the back of a tile."""
    return f'<path d="{outline(0.98 * SIDE)}" fill="var(--tile)" stroke-linejoin="round"/>'


def _space(colour: str) -> str:
    """Draw a place for a tile."""
    path = f'<path d="{outline(0.9 * SIDE)}" fill="var(--felt)" stroke="var(--{colour})" stroke-width="1.6"'
    return f'{path} stroke-dasharray="3.4 2.4"/>'


def _bar(colour: str) -> str:
    """Draw the colour that the north-east side of a space must have."""
    (x1, y1), (x2, y2) = corner(0, 0.8 * SIDE), corner(1, 0.8 * SIDE)
    line = "L".join(f"{num(x1 + (x2 - x1) * part)} {num(y1 + (y2 - y1) * part)}" for part in (0.2, 0.8))
    strokes = (("tile", 4.6), (f"t{colour}", 3.2))
    return "".join(
        f'<path d="M{line}" stroke="var(--{ink})" stroke-width="{width}" stroke-linecap="round"/>'
        for ink, width in strokes
    )


def _link(bend: int) -> str:
    """Draw the emphasis of a line from the north-east side of a tile to the side `bend` steps further."""
    return f'<path d="{curve(0, bend)}" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round"/>'


def _print(tile: int) -> str:
    """Draw the three lines of a tile, straight ones at the bottom, with dark edges where lines cross."""
    sides = turned(tile, 0)
    links = []
    for colour in dict.fromkeys(sides):
        first = sides.index(colour)
        links.append((first, sides.index(colour, first + 1), colour))
    links.sort(key=lambda link: abs(3 - (link[1] - link[0]) % SIDES))
    lines = "".join(
        f'<path d="{curve(a, b)}" stroke="var(--tile)" stroke-width="8.4"/>'
        f'<path d="{curve(a, b)}" stroke="var(--t{colour})" stroke-width="6.2"/>'
        for a, b, colour in links
    )
    return f'{_blank()}<g class="in" fill="none">{lines}</g>'
