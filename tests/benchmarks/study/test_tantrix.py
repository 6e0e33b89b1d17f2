"""Behaviour of Tantrix: the effects of placements, computed again from the tiles on the table."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tantra_envs.games.tantrix import decode, scores
from tantra_envs.games.tantrix.measures import behaviour as tantrix

from ...games.tantrix import model
from .test_behaviour import recorded


def line_through(board, cell, colour):
    """The cells of a line or loop of Tantrix, and whether it is a loop."""
    part, ahead = set(), [cell]
    while ahead:
        part.add(cell := ahead.pop())
        ahead += set(model.linked(board, cell, colour)) - part
    return part, all(len(model.linked(board, at, colour)) == 2 for at in part)


def blocks(board, laid, left, theirs):
    """Does no tile left fit a space any more at which the best line of a colour ends?"""
    best = model.score(board, theirs)
    for q, r in model.border(board) - set(laid):
        shown = model.around(board, (q, r)).items()
        beside = [(q + model.STEPS[d][0], r + model.STEPS[d][1]) for d, colour in shown if colour == theirs]
        turned = [(tile, rot) for tile in left for rot in range(6)]
        could, can = (any(model.fits(table, (q, r), *tile) for tile in turned) for table in (board, laid))
        if could and not can and any(len(line_through(board, cell, theirs)[0]) == best for cell in beside):
            return True
    return False


def fillable(board, space, hand, bag):
    tiles = [tile for tile in hand if tile]
    return any((q, r) == space for _, q, r, _ in model.placements(board, tiles, bag, "FILL"))


def outcomes(game, state):
    """The scores after each legal action."""
    found = []
    for action in game.legal(state):
        tried = state.copy()
        game.apply_action(tried, action)
        found.append(scores(tried))
    return np.array(found)


def placements_by_hand(record, row, found):
    """What placements of a game of Tantrix do, from the tiles on the table alone."""
    game, me = record.game, row % 2
    own, theirs = game.config["colours"][me], game.config["colours"][1 - me]
    state, makers = game.new(record.games["deal"][row]), {}
    for action in record.games["actions"][row]:
        before, (tile, q, r, rot) = game.position(state), decode(game, state, action)
        board, cell = {(q, r): (tile, rot) for tile, q, r, rot in before["board"]}, (q, r)
        laid = {**board, cell: (tile, rot)}
        was, now = ([model.score(table, colour) for colour in (own, theirs)] for table in (board, laid))
        mine, free = before["cur"] == me, before["phase"] == "FREE"
        loop = line_through(laid, cell, own)[1]
        found["own", free, mine] += now[0] - was[0]
        found["theirs", free, mine] += now[1] - was[1]
        found["loops"] += loop
        if mine:
            could = (outcomes(game, state)[:, [me, 1 - me]] > was).any(axis=0)
            left = set(range(1, 57)) - {tile for tile, _ in laid.values()}
            joins = len(model.linked(laid, cell, own)) == 2 and not loop
            does = [now[0] > was[0], joins, loop, now[1] > was[1], blocks(board, laid, left, theirs)]
            found["does", free] += np.array(does, int)
            found["could", free] += could
            found["fills", makers.get(cell)] += not free
        game.apply_action(state, action)
        after = game.position(state)
        for space in set(model.gobbles(laid)) - set(makers):
            makers[space] = mine
            able = [fillable(laid, space, after["hands"][seat], after["bag"]) for seat in (me, 1 - me)]
            found["made", able.index(True) if any(able) else 2] += mine


def test_placements_of_tantrix_are_those_of_a_direct_count(tmp_path):
    found = defaultdict(int)
    record, own = recorded("tantrix", {}, (0, 1), tmp_path, deals=1)
    for row in range(2):
        placements_by_hand(record, row, found)
    for whose, figure, part in (("own", tantrix.OWN_FROM, 0), ("theirs", tantrix.OTHERS_FROM, 1)):
        assert own[figure][:, 0].tolist() == [found[whose, free, mine] for mine in (1, 0) for free in (1, 0)]
        assert own[figure][:, 0].sum() == own[tantrix.FINAL][part, 0]
    assert own[tantrix.LOOPS][0, 0] == found["loops"] > 0
    for free, do, when in ((True, tantrix.FREE_DO, tantrix.FREE_WHEN), (False, tantrix.FILLS_DO, tantrix.FILLS_WHEN)):
        assert own[do][:, 0].tolist() == own[when][:, 0].tolist() == found["does", free].tolist()
        assert own[when][[0, 3], 1].tolist() == found["could", free].tolist()
    assert own[tantrix.RAISES].sum(axis=0).tolist() == own[tantrix.FREE_WHEN][0].tolist()
    assert own[tantrix.FILLS][:, 0].tolist() == [found["fills", True], found["fills", False]]
    assert own[tantrix.MADE][:, 0].tolist() == [found["made", who] for who in range(3)]
