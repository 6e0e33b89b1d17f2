"""U1 to U6: Gobble for one. V1 to V10: the race."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.rng import shuffle
from tantra_envs.games.tantrix import why_illegal
from tantra_envs.testing import play

from ..loop_bounds import bounded_while
from . import reference
from .table import Table

ONE = {"mode": "gobble", "players": 1}
ALL = list(range(1, 57))


def race(players=2, **config):
    return {"mode": "gobble", "players": players, **config}


def told(state):
    """The position of a table of Gobble."""
    return tantra_envs.game("tantrix", **race(int(state["seats"][0]))).position(state)


def cells_of(words):
    """The spaces that the names of placements contain."""
    return {tuple(map(int, text.split(":")[1].split("/")[0].split(","))) for text in words if ":" in text}


def test_U1_two_tiles_lie_together():
    table = Table(ONE, seed=0, deck=[5, 9, *[tile for tile in ALL if tile not in (5, 9)]])
    board = reference.board_of(table["board"])
    assert board[0, 0] == (5, 0) and len(board) == 2
    sides = [
        (reference.STEPS[d], rot)
        for d in range(6)
        for rot in range(6)
        if reference.fits({(0, 0): (5, 0)}, reference.STEPS[d], 9, rot)
    ]
    assert board[sides[0][0]] == (9, sides[0][1])


def test_U2_a_tile_must_touch_two():
    for state in play(tantra_envs.game("tantrix", **ONE), 3):
        position = told(state)
        if position["phase"] == "PLACE":
            board = reference.board_of(position["board"])
            found = {
                (q, r, rot)
                for q, r in reference.border(board)
                for rot in range(6)
                if len(reference.around(board, (q, r))) >= 2 and reference.fits(board, (q, r), position["hand"], rot)
            }
            words = {f"{position['hand']}:{q},{r}/{rot}" for q, r, rot in found}
            game = tantra_envs.game("tantrix", **ONE)
            assert {game.action_name(state, action) for action in game.legal(state)} == words
            lonely = next(cell for cell in reference.border(board) if len(reference.around(board, cell)) == 1)
            assert why_illegal(state, position["hand"], *lonely, 0) == "touch"


def test_U3_a_tile_that_cannot_join_is_a_penalty():
    stacks = 0
    for seed in range(4):
        before = None
        for state in play(tantra_envs.game("tantrix", **ONE), seed):
            position = told(state)
            if before and before["phase"] == "PLACE" and position["phase"] == "PLACE":
                for tile in position["penalty"][len(before["penalty"]) :]:
                    board = reference.board_of(position["board"])
                    stacks += 1
                    assert not any(
                        reference.fits(board, cell, tile, rot)
                        for cell in reference.border(board)
                        if len(reference.around(board, cell)) >= 2
                        for rot in range(6)
                    )
            before = position
    assert stacks


def bonus_table():
    """One player who has just filled a gobble."""
    for seed in range(20):
        for state in play(tantra_envs.game("tantrix", **ONE), seed):
            if told(state)["phase"] == "BONUS":
                table = Table(ONE, seed=0)
                table.state = state
                return table
    raise AssertionError("no bonus in twenty games")


def test_U4_a_gobble_frees_one_penalty_tile():
    table = bonus_table()
    before = {**table.game.position(table.state, full=True)}
    del before["config"]
    top = before["penalty"][-1]
    assert {"keep", "bag"} <= table.legal <= {"keep", "bag", "play"}
    kept = Table(ONE, **before).do("keep")
    assert kept["penalty"][: len(before["penalty"])] == before["penalty"] and kept["hand"] == before["bag"][0]
    back = Table(ONE, **before).do("bag")
    stream, bag = np.array(before["rng"], np.int64), np.array([*before["bag"], top], np.int64)
    shuffle(stream, bag, len(bag))  # behind the last tile to come, then all are shuffled
    drawn = [*back["penalty"][len(before["penalty"]) - 1 :], back["hand"], *back["bag"]]
    assert drawn == bag.tolist()
    if "play" in table.legal:
        played = Table(ONE, **before).do("play")
        assert (played["hand"], played["penalty"]) == (top, before["penalty"][:-1])
        assert played["bag"] == before["bag"]


def test_U5_minus_the_penalty_tiles():
    for seed in range(6):
        *_, state = play(tantra_envs.game("tantrix", **ONE), seed)
        position = told(state)
        assert position["bag"] == [] and position["hand"] is None
        assert position["rewards"] == [-len(position["penalty"])] == position["scores"]
        assert len(position["board"]) + len(position["penalty"]) == 56


def test_U6_random_play_mostly_succeeds():
    game, tables = tantra_envs.game("tantrix", **ONE), 40
    wins = sum(bool(list(play(game, seed))[-1]["rewards"][0, 0] == 0) for seed in range(tables))
    assert wins > tables / 2


def test_V1_the_deal():
    table = Table(race(4, handicap=[0, 3, 0, 1]), seed=3, deck=ALL)
    piles, hands = table["piles"], table["hand"]
    sizes = [len(pile) + (hand is not None) for pile, hand in zip(piles, hands, strict=True)]
    assert sizes == [12, 15, 12, 13] and len(table["bag"]) == 54 - sum(sizes)
    first = [tile for pile, hand in zip(piles, hands, strict=True) for tile in [hand, *pile] if tile]
    assert first == ALL[2 : 2 + sum(sizes)]
    assert len({Table(race(4), seed=seed)["cur"] for seed in range(30)}) == 4
    with pytest.raises(ValueError, match="at most 52 tiles"):
        tantra_envs.game("tantrix", **race(handicap=[50, 50]))
    with pytest.raises(ValueError, match="2 entries"):
        tantra_envs.game("tantrix", **race(speeds=[1, 1, 1]))


def test_V1_rounds_may_begin_one_seat_further():
    for rotate in (False, True):
        table = Table(race(3, rotate_start=rotate), seed=1)
        first, seats = table["cur"], []
        for _ in bounded_while(lambda: len(seats) < 6):
            if table["phase"] == "PLACE":
                seats.append((table["cur"] - first) % 3)
            table.game.apply_action(table.state, table.game.legal(table.state)[0])
        assert seats == [0, 1, 2, *([1, 2, 0] if rotate else [0, 1, 2])]


def test_V2_a_seat_without_a_tile_turns_one_up():
    for state in play(tantra_envs.game("tantrix", **race()), 5):
        position = told(state)
        if position["phase"] == "PLACE":
            assert position["hand"][position["cur"]] or not position["piles"][position["cur"]]


def test_V2_piles_and_stacks_hold_every_tile_once_and_nothing_behind_their_end():
    for state in play(tantra_envs.game("tantrix", **race(3)), 4):
        tiles = [tile for tile, *_ in told(state)["board"]] + told(state)["bag"]
        tiles += [tile for tile in told(state)["hand"] if tile]
        for name in ("piles", "penalty"):
            for pile, n in zip(state[0][name], state[0][f"{name}_n"], strict=True):
                tiles += pile[:n].tolist()
                assert not pile[n:].any()
        assert sorted(tiles) == ALL


def test_V3_place_or_discard_or_pass():
    free, discards = tantra_envs.game("tantrix", **race(free_discard=True)), 0
    game = tantra_envs.game("tantrix", **race())
    for seed in range(4):
        for state in play(game, seed):
            position, words = told(state), {game.action_name(state, action) for action in game.legal(state)}
            if position["phase"] != "PLACE":
                continue
            held = position["hand"][position["cur"]]
            placed = any(text[0].isdigit() for text in words)
            assert ("discard" in words) == (held is not None and not placed)
            assert ("pass" in words) == (words == {"pass"}) and not (held and "pass" in words)
            freely = free.from_position({**position, "config": {}, "rewards": [0.0, 0.0]})
            assert held is None or free.actions["discard"].start in free.legal(freely)
            discards += "discard" in words
    assert discards
    stuck = {"board": [[1, 0, 0, 0], [2, 1, 0, 2]], "hand": [None, 5], "penalty": [[7], []]}
    assert Table(race(), **stuck).legal == {"pass"}


NOTHING_FITS = [[1, 0, 0, 0], [2, 1, 0, 2]]  # a board of two tiles has no gobble


def test_V3_a_pass_ends_the_turn_whatever_actions_are_left():
    table = Table(race(speeds=[3, 1]), board=NOTHING_FITS, hand=[None, None], piles=[[], [5]], penalty=[[7], []])
    assert (table["acts"], table.legal) == (3, {"pass"})
    table.do("pass")
    assert (table["cur"], table["passes"], table["acts"], table["hand"]) == (1, 1, 1, [None, 5])


def test_V4_penalty_tiles_fill_gobbles_only():
    game, filled = tantra_envs.game("tantrix", **race()), 0
    for seed in range(4):
        for state in play(game, seed):
            position = told(state)
            if position["phase"] == "PLACE":
                board = reference.board_of(position["board"])
                words = {game.action_name(state, action) for action in game.legal(state)}
                spaces = cells_of({text for text in words if text.startswith("penalty")})
                top = position["penalty"][position["cur"]][-1:]
                assert spaces == {
                    cell
                    for cell in reference.gobbles(board)
                    for tile in top
                    if any(reference.fits(board, cell, tile, rot) for rot in range(6))
                }
                filled += len(spaces)
    assert filled


def gifts(players=3):
    """(before, after) each gift of a few games."""
    game = tantra_envs.game("tantrix", **race(players))
    for seed in range(4):
        before = None
        for state in play(game, seed):
            position = told(state)
            if before and before["phase"] == "OFFLOAD":
                yield before, position
            before = position


def test_V5_a_gobble_gives_a_tile_away():
    known = 0
    for before, after in gifts():
        seat = before["cur"]
        assert before["piles"][seat] or before["penalty"][seat] or before["hand"][seat]
        whole = [len(before["piles"][i]) + len(before["penalty"][i]) + bool(before["hand"][i]) for i in range(3)]
        now = [len(after["piles"][i]) + len(after["penalty"][i]) + bool(after["hand"][i]) for i in range(3)]
        change = [b - a for a, b in zip(whole, now, strict=True)]
        assert sorted(change) == [-1, 0, 1] and change[seat] == -1
        to = change.index(1)
        assert to not in before["out"]
        given = (after["piles"][to] or [after["hand"][to]])[-1]
        assert given in [*before["piles"][seat][:1], *before["penalty"][seat][-1:], before["hand"][seat]]
        if given not in before["piles"][seat] and given in after["piles"][to]:
            assert given in after["known"]
            known += 1
    assert known


def test_V5_the_tile_goes_to_whom_the_words_name():
    game, given = tantra_envs.game("tantrix", **race(4)), set()
    for state in play(game, 1):
        if told(state)["phase"] == "OFFLOAD":
            before, giver = told(state)["scores"], told(state)["cur"]
            for action in game.legal(state):
                after, to = state.copy(), int(game.action_name(state, action)[-1])
                game.apply_action(after, action)
                change = [old - new for old, new in zip(before, told(after)["scores"], strict=True)]
                assert change == [(seat == to) - (seat == giver) for seat in range(4)]
                given.add((to - giver) % 4)
    assert given == {1, 2, 3}


def test_V6_out_in_order():
    game = tantra_envs.game("tantrix", **race(4))
    for seed in range(4):
        out = []
        for state in play(game, seed):
            position = told(state)
            assert position["out"][: len(out)] == out
            out = position["out"]
            assert all(not position["piles"][i] and not position["penalty"][i] and not position["hand"][i] for i in out)
            if position["phase"] == "OFFLOAD":
                targets = {int(game.action_name(state, a)[-1]) for a in game.legal(state)}
                assert targets == set(range(4)) - set(out) - {position["cur"]}


def test_V7_the_last_ones_are_ranked_by_tiles():
    game, stuck = tantra_envs.game("tantrix", **race(3)), 0
    for seed in range(10):
        *_, state = play(game, seed)
        position = told(state)
        left = [seat for seat in range(3) if seat not in position["out"]]
        assert len(left) == 1 or position["passes"] >= len(left)
        stuck += len(left) > 1
    assert stuck


def test_V7_whoever_acts_ends_the_row_of_passes():
    position = {"board": NOTHING_FITS, "hand": [None, 5, None], "piles": [[], [8], []], "penalty": [[7], [], [9]]}
    table = Table(race(3), **position).do("pass")
    assert (table["cur"], table["passes"]) == (1, 1)
    table.do(next(iter(table.legal)))
    assert (table["cur"], table["passes"]) == (2, 0)
    table.do("pass")
    assert (table["cur"], table["passes"], table["phase"]) == (0, 1, "PLACE")


def test_V7_when_all_have_passed_fewer_tiles_are_better_and_equal_numbers_tie():
    position = {"board": NOTHING_FITS, "hand": [None] * 3, "piles": [[]] * 3, "penalty": [[7], [8, 10], [9]]}
    table = Table(race(3), **position).do("pass", "pass")
    assert (table["phase"], table["passes"]) == ("PLACE", 2)
    table.do("pass")
    assert (table["phase"], table["winners"], table["rewards"]) == ("OVER", [0, 2], [0.5, -1.0, 0.5])


def test_V8_pay_by_rank():
    for seed in range(8):
        *_, state = play(tantra_envs.game("tantrix", **race(3)), seed)
        position = told(state)
        ranks = [
            position["out"].index(seat) if seat in position["out"] else 10 - position["scores"][seat]
            for seat in range(3)
        ]
        assert position["rewards"] == [sum((own < other) - (own > other) for other in ranks) / 2 for own in ranks]
        assert position["winners"] == [seat for seat in range(3) if ranks[seat] == min(ranks)]
        *_, points = play(tantra_envs.game("tantrix", **race(3, reward="margin")), seed)
        owned = [-score for score in told(points)["scores"]]
        assert told(points)["rewards"] == [sum(other - own for other in owned) / 2 for own in owned]


def test_V9_no_restraints():
    double, alike = 0, 0
    for seed in range(3):
        for state in play(tantra_envs.game("tantrix", **race(2)), seed):
            shown = reference.gobbles(reference.board_of(told(state)["board"])).values()
            double += any(len(colours) > 3 for colours in shown)
            alike += any(list(colours.values()).count(c) > 2 for colours in shown for c in "RYGB")
    assert double and alike


def test_V10_several_actions_in_a_turn():
    table, turns = Table(race(2, speeds=[1, 3]), seed=0), ""
    for _ in bounded_while(lambda: len(turns) < 12):
        turns += str(table["cur"]) if table["phase"] == "PLACE" else ""
        table.game.apply_action(table.state, table.game.legal(table.state)[0])
    assert turns in "01110111011101110"
