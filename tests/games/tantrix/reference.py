"""The rules of Tantrix a second time, on a dict {(q, r): (tile, rot)} and with no care for speed."""

from itertools import product

from tantra_envs.games.tantrix.material import EDGES

STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]


def board_of(tiles):
    """Return the board of [tile, q, r, rotation], as positions list them."""
    return {(q, r): (tile, rot) for tile, q, r, rot in tiles}


def side(tile, rot, d):
    """The colour a turned tile shows towards direction d."""
    return EDGES[tile - 1][(d - rot) % 6]


def around(board, cell):
    """{direction: colour shown to the cell} by the tiles beside it."""
    q, r = cell
    beside = {d: board.get((q + dq, r + dr)) for d, (dq, dr) in enumerate(STEPS)}
    return {d: side(*tile, (d + 3) % 6) for d, tile in beside.items() if tile}


def border(board):
    return {(q + dq, r + dr) for q, r in board for dq, dr in STEPS} - set(board)


def gobbles(board):
    """{empty cell with three or more neighbours: the colours shown to it}."""
    shown = {cell: around(board, cell) for cell in border(board)}
    return {cell: colours for cell, colours in shown.items() if len(colours) >= 3}


def fits(board, cell, tile, rot):
    return all(side(tile, rot, d) == colour for d, colour in around(board, cell).items())


def match(board):
    return all(fits(board, cell, *tile) for cell, tile in board.items())


def sound(board):
    """Does every line of cells meet the tiles in one unbroken run?"""
    for axis in (lambda q, r: (q, r), lambda q, r: (r, q), lambda q, r: (-q - r, q)):
        lines = {}
        for cell in board:
            line, place = axis(*cell)
            lines.setdefault(line, []).append(place)
        if any(max(places) - min(places) >= len(places) for places in lines.values()):
            return False
    return True


def three_alike(board, cell):
    """Has a neighbouring empty cell become a gobble that shows a colour three times [R1]?"""
    q, r = cell
    beside = [(q + dq, r + dr) for dq, dr in STEPS]
    shown = [list(around(board, space).values()) for space in beside if space not in board]
    return any(max(map(colours.count, colours)) >= 3 for colours in shown if len(colours) >= 3)


def ends_in_a_double_gobble(board):
    """Filling gobbles one after the other, whatever their colours, does a space with four neighbours arise [R3]?"""
    filled = dict(board)
    while True:
        touches = {cell: len(around(filled, cell)) for cell in border(filled)}
        if any(touch >= 4 for touch in touches.values()):
            return True
        forced = [cell for cell, touch in touches.items() if touch == 3]
        if not forced:
            return False
        filled[forced[0]] = (1, 0)


def restrained(board, cell, tile, rot):
    """Does a placement break a restraint, by the words of the booklet rather than by lines?"""
    after = {**board, cell: (tile, rot)}
    return three_alike(after, cell) or ends_in_a_double_gobble(after)


def placements(board, hand, bag, phase):
    """All legal placements of Strategy."""
    spaces = gobbles(board) if phase != "FREE" else border(board) or {(0, 0)}
    return sorted(
        (tile, *cell, rot)
        for tile, cell, rot in product(hand, spaces, range(6))
        if fits(board, cell, tile, rot) and not (bag and board and restrained(board, cell, tile, rot))
    )


def score(board, colour):
    """The longest line, or twice the longest loop [D8]."""
    nodes = {cell for cell, (tile, _) in board.items() if colour in EDGES[tile - 1]}
    best, seen = 0, set()
    for start in nodes:
        if start in seen:
            continue
        part, ahead, links = set(), [start], 0
        while ahead:
            cell = ahead.pop()
            if cell not in part:
                part.add(cell)
                joined = linked(board, cell, colour)
                links += len(joined)
                ahead += joined
        seen |= part
        best = max(best, len(part) * (2 if links == 2 * len(part) else 1))
    return best


def linked(board, cell, colour):
    """Tiles that the link of a colour leads to."""
    (tile, rot), (q, r) = board[cell], cell
    beside = [(q + dq, r + dr) for d, (dq, dr) in enumerate(STEPS) if side(tile, rot, d) == colour]
    return [neighbour for neighbour in beside if neighbour in board]
