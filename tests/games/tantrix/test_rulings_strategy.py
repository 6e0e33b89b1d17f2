"""S1 to S18: set-up, the turn, the endgame, the end."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.admission import check_consistent
from tantra_envs.core.rng import below
from tantra_envs.games.tantrix import decode, encode, legal_placements, score_board, scores, why_illegal
from tantra_envs.testing import play

from ..loop_bounds import bounded_while
from . import reference
from .table import Table
from .test_rulings_restraints import SHAPE, laid

DECK = [*range(1, 13), *range(56, 12, -1)]


def test_S1_a_colour_for_each_seat():
    assert Table(seed=0)["colours"] == "RY"
    assert Table({"colours": "BG"}, seed=0)["colours"] == "BG"
    drawn = {Table({"colours": "random", "players": 3}, seed=seed)["colours"] for seed in range(40)}
    assert len(drawn) > 12 and all(len(set(colours)) == 3 for colours in drawn)
    for colours in ("RR", "R", "XY"):
        with pytest.raises(ValueError, match=f"colours='{colours}'"):
            tantra_envs.game("tantrix", colours=colours)


def test_S2_six_tiles_each_in_the_order_of_the_deck():
    table = Table(seed=0, deck=DECK)
    assert table["hands"] == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]
    assert table["bag"] == DECK[12:]
    table = Table({"players": 4}, seed=0, draw_order=DECK)
    assert table["hands"][3] == DECK[18:24]


def test_S2_smaller_hands_by_option():
    table = Table({"hand_size": 4}, seed=0, deck=DECK)
    assert table["hands"] == [[1, 2, 3, 4, None, None], [5, 6, 7, 8, None, None]]
    assert table["bag"] == DECK[8:] and len(table.placements) == 24
    with pytest.raises(ValueError, match=r"hand_size=7 is not allowed; allowed: 1\.\.6"):
        tantra_envs.game("tantrix", hand_size=7)
    with pytest.raises(ValueError, match="at most 4 tiles"):
        Table({"hand_size": 4}, board=[[1, 0, 0, 0]], hands=[[2, 3, 4, 5, 6], [7]])


def test_S3_the_highest_number_begins():
    assert Table(seed=0, deck=DECK)["cur"] == 1
    assert Table({"players": 3}, seed=0, deck=DECK)["cur"] == 2
    for seed in range(10):
        table = Table({"players": 4}, seed=seed)
        assert max(table["hands"][table["cur"]]) == max(tile for hand in table["hands"] for tile in hand)


def test_S4_the_opening_is_the_free_move_of_that_turn():
    table = Table(seed=0, deck=DECK)
    assert (table["phase"], table.legal) == ("FREE", {f"{tile}:0,0/0" for tile in range(7, 13)})
    assert len(table.placements) == 36
    assert table.do("9:0,0/0")["cur"] == 0


def test_S5_seats_in_increasing_order():
    table = Table({"players": 3}, seed=0, deck=DECK)
    order = [table["cur"]]
    for _ in bounded_while(lambda: len(order) < 12):
        table.game.apply_action(table.state, table.game.legal(table.state)[0])
        if table["cur"] != order[-1]:
            order.append(table["cur"])
    assert order == [2, 0, 1] * 4


def test_S6_a_tile_is_drawn_into_the_same_slot_at_once():
    table = Table(seed=0, deck=DECK).do("9:0,0/0")
    assert table["hands"][1] == [7, 8, 56, 10, 11, 12] and table["bag"][0] == 55
    last = Table(board=[[1, 0, 0, 0]], hands=[[2, 3], [4]]).do("2:1,0/2")
    assert last["hands"][0] == [None, 3, None, None, None, None]


def test_S7_fills_then_one_free_move_then_fills():
    game = tantra_envs.game("tantrix")
    for seed in range(4):
        turn, seat = [], None
        for state in play(game, seed):
            position = game.position(state)
            if position["cur"] != seat or (turn and position["phase"] == "FILL" and turn[-1] != "FILL"):
                assert turn.count("FREE") <= 1 and turn == sorted(turn, key=["FILL", "FREE", "REFILL"].index)
                turn, seat = [], position["cur"]
            if position["phase"] != "OVER":
                turn.append(position["phase"])


def fillable():
    """The shape with the gobble (1, 0), and tiles that fit it."""
    board = laid(tuple(SHAPE))
    shown = reference.board_of(board)
    rest = [t for t in range(1, 57) if t not in [tile for tile, *_ in board]]
    fitting = [t for t in rest if any(reference.fits(shown, (1, 0), t, rot) for rot in range(6))]
    return board, fitting, [t for t in rest if t not in fitting]


def test_S8_any_tile_that_fits_and_nothing_else():
    board, fitting, others = fillable()
    table = Table(board=board, hands=[[fitting[0], others[0], fitting[1]], [others[1]]], phase="FILL")
    assert table["phase"] == "FILL"
    assert {(tile, q, r) for tile, q, r, _ in table.placements} == {(fitting[0], 1, 0), (fitting[1], 1, 0)}


def test_S9_a_fill_that_breaks_the_first_restraint_is_not_offered():
    game, blocked = tantra_envs.game("tantrix"), 0
    for seed in range(12):
        for state in play(game, seed):
            position = game.position(state)
            if not position["bag"] or position["phase"] != "FREE" or not position["board"]:
                continue
            board = reference.board_of(position["board"])
            for cell in reference.gobbles(board):
                for tile in position["hands"][position["cur"]]:
                    for rot in range(6):
                        if reference.fits(board, cell, tile, rot):
                            assert why_illegal(state, tile, *cell, rot) == "R1"
                            blocked += 1
    assert blocked


def test_S10_the_free_move_never_fills_a_gobble():
    game = tantra_envs.game("tantrix", players=3)
    for seed in range(4):
        for state in play(game, seed):
            position = game.position(state)
            if position["phase"] == "FREE" and position["board"]:
                board = reference.board_of(position["board"])
                assert not {(q, r) for _, q, r, _ in legal_placements(state)} & set(reference.gobbles(board))


def test_S11_there_is_no_pass():
    game = tantra_envs.game("tantrix")
    for state in play(game, 1):
        assert all(":" in game.action_name(state, action) for action in game.legal(state))


def test_S12_the_restraints_end_with_the_last_tile_of_the_bag():
    board, _, others = fillable()
    for bag, restrained in ((others[12:13], True), ([], False)):
        table = Table(board=board, hands=[others[:6], others[6:12]], bag=bag)
        controlled = [p for p in table.placements if p[1:3] in [(1, 1), (1, 2), (1, 3), (2, -1)]]
        assert (not controlled) == restrained
        assert table.seen(0, "restrained") == [float(restrained)]
    table = Table(board=[[1, 0, 0, 0]], hands=[[2, 3], [4]], bag=[5]).do("2:1,0/2")
    assert table["bag"] == [] and table.seen(0, "restrained") == [0.0]


def test_S12_the_restraints_end_earlier_by_option():
    board, _, others = fillable()
    for bag, restrained in ((others[12:15], True), (others[12:14], False)):
        table = Table({"unrestrained": 2}, board=board, hands=[others[:6], others[6:12]], bag=bag)
        controlled = [p for p in table.placements if p[1:3] in [(1, 1), (1, 2), (1, 3), (2, -1)]]
        assert (not controlled) == restrained
        assert table.seen(0, "restrained") == [float(restrained)]


def test_S13_in_the_endgame_larger_gobbles_must_be_filled():
    game, touched = tantra_envs.game("tantrix"), set()
    for seed in range(20):
        for state in play(game, seed):
            position = game.position(state)
            if position["phase"] in ("FILL", "REFILL") and not position["bag"]:
                board = reference.board_of(position["board"])
                touched |= {len(reference.around(board, (q, r))) for _, q, r, _ in legal_placements(state)}
    assert touched >= {3, 4} and min(touched) == 3


def test_S14_players_without_tiles_are_skipped_and_all_tiles_are_placed():
    for players in (2, 3, 4):
        game = tantra_envs.game("tantrix", players=players)
        *_, state = play(game, players)
        assert state["placed"][0] == 56 and not state["hands"].any()
    table = Table(board=[[1, 0, 0, 0]], hands=[[2], [], [3]])
    table.do(next(iter(table.legal)))
    assert table["cur"] == 2
    board, fitting, _ = fillable()
    table = Table(board=board, hands=[[fitting[0]], []], phase="FILL")
    table.do(next(iter(table.legal)))
    assert table["phase"] == "OVER"


def test_S16_the_score_is_that_of_the_longest_line_or_loop():
    game = tantra_envs.game("tantrix", players=4)
    *_, state = play(game, 3)
    board = game.position(state)["board"]
    assert scores(state) == [score_board(board, colour) for colour in "RYGB"] == game.position(state)["scores"]


def test_S17_places_and_points():
    for seed in range(6):
        for reward in ("place", "margin"):
            game = tantra_envs.game("tantrix", players=3, reward=reward)
            *_, state = play(game, seed)
            points = np.array(scores(state))
            gaps = points[:, None] - points[None, :]
            paid = (np.sign(gaps) if reward == "place" else gaps).sum(axis=1) / 2
            np.testing.assert_allclose(state["rewards"][0][:3], paid)
            assert game.position(state)["winners"] == np.flatnonzero(points == points.max()).tolist()


def test_S18_max_steps_cuts_a_game_off_without_a_result():
    table = Table({"max_steps": 5}, seed=1).play_on()
    assert (table["truncated"], table["winners"], table["rewards"], len(table["board"])) == (True, [], [0, 0], 5)
    assert table["phase"] == "OVER" and not table.legal


def test_Y2_a_game_is_its_settings_its_deck_and_its_placements():
    config = {"players": 3, "colours": "GRB"}
    game = tantra_envs.game("tantrix", **config)
    table, record = Table(config, seed=0, deck=DECK), []
    for _ in bounded_while(lambda: table["phase"] != "OVER"):
        action = game.legal(table.state)[-1]
        record.append((table["cur"], table["phase"], *decode(game, table.state, action)))
        game.apply_action(table.state, action)
    again = Table(config, seed=9, deck=DECK)
    for seat, phase, *placement in record:
        assert (again["cur"], again["phase"]) == (seat, phase)
        game.apply_action(again.state, encode(game, again.state, placement))
    assert again["scores"] == table["scores"] and again["board"] == table["board"]


DEADLOCKS = [24027, 38327, 86870]  # seeds of random games that run into one


def random_games(seeds, **config):
    game = tantra_envs.game("tantrix", **config)
    states = game.blanks(len(seeds))
    game.drivers.deal_rows(states, np.arange(len(seeds)), np.array(seeds))
    game.drivers.random_playouts(states, np.zeros(game.actions.size, np.int8), 0, len(seeds))
    return game, [states[k : k + 1] for k in range(len(seeds))]


def test_S15_without_a_free_move_the_game_is_drawn_or_scored():
    for deadlock in ("draw", "score"):
        game, ended = random_games(DEADLOCKS, deadlock=deadlock)
        for state in ended:
            position = game.position(state)
            board = reference.board_of(position["board"])
            hand = position["hands"][position["cur"]]
            assert position["deadlock"] and position["bag"] and None not in hand
            assert reference.placements(board, hand, position["bag"], "FREE") == []
            one, two = position["scores"]
            first = 0 if deadlock == "draw" else float(np.sign(one - two))
            assert position["rewards"] == [first, -first]
            assert (position["winners"] == []) == (deadlock == "draw")
            assert game.from_position(game.position(state, full=True)).tobytes() == state.tobytes()


def test_S15_the_table_says_so_when_it_ends():
    game = tantra_envs.game("tantrix")
    env, state = tantra_envs.make_raw("tantrix"), game.new(DEADLOCKS[0])
    env.reset(options={"position": game.position(state, full=True)})
    for _ in bounded_while(lambda: not state["over"][0]):
        mask = game.mask(state)
        action = int(np.flatnonzero(mask)[below(state["rng"][0], int(mask.sum()))])
        game.apply_action(state, action)
        assert env.infos["player_0"]["deadlock"] == 0
        env.step(action)
    assert env.infos["player_0"]["deadlock"] == env.infos["player_1"]["deadlock"] == 1


def test_S15_or_the_free_move_is_passed_over():
    _, ended = random_games(DEADLOCKS, deadlock="pass")
    placed = [int(state["placed"][0]) for state in ended]
    assert max(placed) == 56
    for state in ended:
        assert bool(state["deadlock"][0]) == (state["placed"][0] < 56)


def before_the_end(seed):
    """The table of a random game before its last placement, and that placement."""
    game = tantra_envs.game("tantrix")
    state = game.new(seed)
    for _ in range(game.players * 56):
        legal = game.legal(state)
        action, before = legal[below(state["rng"][0], len(legal))], state.copy()
        game.apply_action(state, action)
        if state["over"][0]:
            position = game.position(before)
            del position["config"]
            return position, game.action_name(before, action)
    raise AssertionError(f"seed {seed}: the game does not end")


@pytest.mark.parametrize(("seed", "all_stuck"), list(zip(DEADLOCKS, (True, True, False), strict=True)))
def test_S15_the_pass_goes_round_and_the_game_ends_at_the_player_who_passed_first(seed, all_stuck):
    position, words = before_the_end(seed)
    stuck = 1 - position["cur"]
    for deadlock in ("draw", "score", "pass"):
        table = Table({"deadlock": deadlock}, **position).do(words)
        goes_on = deadlock == "pass" and not all_stuck
        assert (table["deadlock"], table["cur"]) == ((False, 1 - stuck) if goes_on else (True, stuck))


def test_S19_a_smaller_deck_has_five_tiles():
    game = tantra_envs.game("tantrix:mini")
    tiles = [3, 5, 14, 21, 23]
    assert game.words.deck(game) == [str(tile) for tile in tiles]
    for state in (game.new(2), game.new(2, deck=tiles)):
        bag, hands = state["bag"][0, : state["bag_n"][0]], state["hands"][0][state["hands"][0] > 0]
        assert sorted([*bag.tolist(), *hands.tolist()]) == tiles
        check_consistent(game, state)
    with pytest.raises(ValueError, match="deck has 4 different tiles"):
        game.new(2, deck=[3, 5, 14, 21])
    assert tantra_envs.game("tantrix", mode="gobble", deck_tiles="mini").new(1)["piles_n"][0].sum() > 20
