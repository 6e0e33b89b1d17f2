"""The greedy reply a second time, over the slow board of `reference.py`."""

from .reference import around, beside, fits, line, side


def best_placement(board, placements, colours, score, unplaced):
    """The first of the placements (tile, cell, rot) with the highest value."""
    return max(placements, key=lambda placement: _value(board, placement, colours, score, unplaced))


def ends_at(board, cell, colour):
    """The lengths of the lines of a colour that end in a space, and the score of a tile there; None for three."""
    met = [line(board, cell, d) for d, shown in around(board, cell).items() if shown == colour]
    if len(met) > 2:
        return None
    lengths = [length for length, _ in met]
    return lengths, 2 * (1 + lengths[0]) if met and met[0][1] else 1 + sum(lengths)


def tiles_that_fit(board, cell, tiles):
    return {tile for tile in tiles if any(fits(board, cell, tile, rot) for rot in range(6))}


def _value(board, placement, colours, score, unplaced):
    """Rise of the score, rise of the squares, and what one more tile at each open end would make."""
    tile, cell, rot = placement
    after, rise, squares, hope = {**board, cell: (tile, rot)}, 0, 0, 0
    for colour in colours:
        lengths, own = ends_at(board, cell, colour)
        loop = len(lengths) == 2 and own != 1 + sum(lengths)
        rise = max(rise, own - score)
        squares += own**2 - sum(length**2 for length in lengths[: 1 if loop else 2])
        for d in range(6):
            space = beside(cell, d)
            if side(tile, rot, d) == colour and space not in board and tiles_that_fit(after, space, unplaced):
                others = [line(board, space, e)[0] for e, shown in around(board, space).items() if shown == colour]
                hope += own + 1 + sum(others)
    return rise, squares, hope
