"""Action features of Gobble, compared with a slow count of what tiles could do after an action."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix.agents.features import gobble as own
from tantra_envs.games.tantrix.state import Phase

from ..features import action_features, positions
from .reference import around, beside, board_of, border, fits, gobbles

TABLES = [{"players": 1}, {"players": 2}, {"players": 3, "speeds": (1, 2, 1)}, {"players": 6, "free_discard": True}]
ALL_SPACES = 228  # placements of the tile in hand; behind them those of the penalty tile


@pytest.mark.parametrize("config", TABLES, ids=str)
def test_every_legal_action_is_described_once(config):
    game, kinds = tantra_envs.game("tantrix", mode="gobble", **config), set()
    for state, seat in positions(game, 6, share=0.3):
        _, features, _ = action_features(game, state, seat)
        assert (features[:, own.OF_ACTION["kind"].slice].sum(axis=1) == 1).all() and np.isfinite(features).all()
        kinds |= set(features[:, own.OF_ACTION["kind"].slice].argmax(axis=1).tolist())
    assert kinds >= ({0, 1, 7, 8, 9} if game.players == 1 else {0, 1, 2, 3, 5, 6})


@pytest.mark.parametrize("config", TABLES[:3], ids=str)
def test_what_unseen_tiles_could_do_is_what_the_table_offers(config):
    game, seen = tantra_envs.game("tantrix", mode="gobble", **config), 0
    for state, seat in positions(game, 2, every=11, share=0.3):
        actions, features, _ = action_features(game, state, seat)
        unseen = np.flatnonzero(game.observation(state, seat)[game.view["status"].slice] == 0) + 1
        for action, row in list(zip(actions, features, strict=True))[::7]:
            board = _after(game, state, action)
            assert row[own.A.gobbles : own.A.unseen] == pytest.approx(_spaces(board, unseen), abs=1e-5)
            shares = _chances(board, unseen, game.players == 1)
            assert row[own.A.unseen : own.A.next_tile] == pytest.approx(shares, abs=1e-5)
            seen += 1
    assert seen >= 12


def test_what_a_placement_touches_and_opens():
    game, opened = tantra_envs.game("tantrix", mode="gobble", players=2), set()
    for state, seat in positions(game, 3, every=5, share=0.3):
        before = board_of(game.position(state)["board"])
        actions, features, _ = action_features(game, state, seat)
        for action, row in zip(actions, features, strict=True):
            after = _after(game, state, action)
            for cell in set(after) - set(before):
                touched = len(around(before, cell))
                assert row[own.A.touch] == pytest.approx(touched / 6)
                assert row[own.A.opens] * 4 == len(set(gobbles(after)) - set(gobbles(before)))
                assert row[own.A.kind + own.FILL] + row[own.A.kind + own.FILL_WITH_PENALTY] == (touched >= 3)
                opened.add(float(row[own.A.opens]))
    assert len(opened) > 2


def test_how_seats_stand_after_an_action():
    """As the game itself has it when the action is done, except the tile that the next seat turns up."""
    game, given = tantra_envs.game("tantrix", mode="gobble", players=3), set()
    for state, seat in positions(game, 8, share=0.3):
        actions, features, _ = action_features(game, state, seat)
        for action, row in list(zip(actions, features, strict=True))[-4:]:
            after = state.copy()
            game.apply_action(after, action)
            owned = [_owned(after, (seat + i) % 3) for i in range(3)]
            still_in = [tiles for i, tiles in enumerate(owned[1:], 1) if not state["out"][0, (seat + i) % 3]]
            assert row[own.A.owned] == pytest.approx(owned[0] / 27)
            assert row[own.A.penalties] == pytest.approx(after["penalty_n"][0, seat] / 10)
            assert row[own.A.fewest_owned] == pytest.approx(min(still_in) / 27)
            assert row[own.A.lead] == pytest.approx(np.clip((min(still_in) - owned[0]) / 10, -2, 2))
            if state["phase"][0] == Phase.OFFLOAD:
                to = next(i for i in (1, 2) if owned[i] > _owned(state, (seat + i) % 3))
                assert row[own.A.receiver_owned] == pytest.approx((owned[to] - 1) / 27)
                next_in = next(i for i in (1, 2) if not state["out"][0, (seat + i) % 3])
                assert row[own.A.receiver_next] == (to == next_in)
                given.add((to, bool(row[own.A.kind + own.GIVES_PENALTY])))
    assert given == {(1, False), (1, True), (2, False), (2, True)}


def test_own_tiles_and_those_of_the_next_seat_are_asked_where_they_fit():
    game, checked = tantra_envs.game("tantrix", mode="gobble", players=2), set()
    for state, seat in positions(game, 8, every=3, share=0.3):
        stacks = [[int(t) for t in state["penalty"][0, s, : state["penalty_n"][0, s]]] for s in (seat, 1 - seat)]
        actions, features, _ = action_features(game, state, seat)
        for action, row in list(zip(actions, features, strict=True))[::5]:
            board, with_penalty = _after(game, state, action), ALL_SPACES <= action < 2 * ALL_SPACES
            if action >= 2 * ALL_SPACES:
                continue
            left = stacks[0][:-1] if with_penalty else stacks[0]
            share = np.mean([_fills(board, tile) for tile in left]) if left else 0
            assert row[own.A.stack_fits] == pytest.approx(share)
            known = left and not with_penalty
            assert row[own.A.top_fits] == pytest.approx(_fills(board, left[-1]) if known else share)
            assert row[own.A.next_top_fits] == (_fills(board, stacks[1][-1]) if stacks[1] else 0)
            if held := int(state["hands"][0, 1 - seat, 0]):
                assert row[own.A.next_tile + _chance(board, held)[0]] == 1
            elif state["piles_n"][0, 1 - seat] and not state["known"][0, state["piles"][0, 1 - seat]].any():
                assert (row[own.OF_ACTION["next_tile"].slice] == row[own.OF_ACTION["unseen"].slice]).all()
            kept = int(state["hands"][0, seat, 0]) if with_penalty else 0
            assert row[own.A.has_tile] == (kept > 0)
            if kept:
                assert row[own.A.own_tile + _chance(board, kept)[0]] == 1
            checked.add((with_penalty, bool(stacks[1]), bool(held)))
    assert len(checked) > 3


def _after(game, state, action):
    """The board after an action."""
    after = state.copy()
    game.apply_action(after, action)
    return board_of(game.position(after)["board"])


def _owned(state, seat):
    tiles = state["piles_n"][0, seat] + state["penalty_n"][0, seat] + (state["hands"][0, seat, 0] > 0)
    return int(tiles)


def _near(board):
    """Spaces that touch two tiles or more, in the order of the border."""
    return sorted((cell for cell in border(board) if len(around(board, cell)) >= 2), key=lambda cell: cell[::-1])


def _opens(board, cell):
    """How many spaces become gobbles when it is filled."""
    others = [beside(cell, d) for d in range(6)]
    return sum(other not in board and len(around(board, other)) == 2 for other in others)


def _rotation(board, cell, tile):
    """The first rotation in which a tile fits, None = it does not."""
    return next((rot for rot in range(6) if fits(board, cell, tile, rot)), None)


def _fills(board, tile):
    """1 if a tile fits a gobble, else 0."""
    return float(any(_rotation(board, cell, tile) is not None for cell in gobbles(board)))


def _chance(board, tile):
    """What a tile could do, the spaces for it, the fewest gobbles it opens there, and how many gobbles it fits."""
    possible = [cell for cell in _near(board) if _rotation(board, cell, tile) is not None]
    forced = [cell for cell in possible if len(around(board, cell)) >= 3]
    if not possible:
        return 3, [], 0, 0
    opened = min(_opens(board, cell) for cell in forced or possible)
    return 0 if forced else 1 if opened == 0 else 2, forced or possible, opened, len(forced)


def _reply(board, tile, spaces, others, alone):
    """How many other tiles fit a gobble after the reply with a tile, and the number of gobbles."""
    boards = [{**board, cell: (tile, rot)} for cell in spaces for rot in range(6) if fits(board, cell, tile, rot)] or [
        board
    ]
    filling = [sum(_fills(then, other) for other in others) for then in boards]
    best = filling.index((max if alone else min)(filling))
    return filling[best], len(gobbles(boards[best]))


def _spaces(board, unseen):
    """Gobbles, dead ones, spaces that touch two tiles and those that open nothing."""
    near = [cell for cell in _near(board) if len(around(board, cell)) == 2]
    dead = [cell for cell in gobbles(board) if all(_rotation(board, cell, tile) is None for tile in unseen)]
    safe = [cell for cell in near if _opens(board, cell) == 0]
    return [len(gobbles(board)) / 10, len(dead) / 10, len(near) / 20, len(safe) / 10]


def _chances(board, unseen, alone):
    """The block of features that begins with `unseen`."""
    tried = [_chance(board, tile) for tile in unseen]
    n, shares = max(1, len(unseen)), [sum(chance == i for chance, *_ in tried) for i in range(4)]
    opened = [sum(opened for chance, _, opened, _ in tried if chance == i) / 4 for i in (0, 2)]
    two = sum(forced > 1 for *_, forced in tried)
    fitting = [sum(_rotation(board, cell, tile) is not None for tile in unseen) for cell in gobbles(board)]
    replies, left = 0, 0
    for tile, (_, spaces, _, _) in zip(unseen, tried, strict=True):
        filling, there = _reply(board, tile, spaces, [other for other in unseen if other != tile], alone)
        replies += filling
        left += there
    means = [number / n for number in (*shares, *opened, two, max(fitting, default=0))]
    return [*means, replies / n / max(1, n - 1), left / n / 10]
