"""Where points come from: the rows of a score sheet add up to the score, for every round and every variant of it."""

import itertools

import numpy as np
import pytest

import tantra_envs
from tantra_envs.extras import module_of
from tantra_envs.testing.play import play as random_play

from .serving import play, seated, shown

GAMES = [
    ("kanastic", {"players": 2, "target_score": 3000, "go_out_bonus": 100, "shield_penalty": 50}),
    ("kanastic", {"players": 4, "episode": "round"}),
    ("tantra", {"players": 3, "n_rounds": 2}),
    ("tantra", {"players": 4, "variation": 1, "jokers_per_pack": 4}),
    ("tarot", {"players": 3, "episode": "hand", "trick_points": "cards", "king_cut": "any"}),
    ("tarot", {"players": 2, "target": 40}),
    ("tarot", {"players": 3, "target": 20, "auto_declare": True}),
]


@pytest.mark.parametrize(("name", "config"), GAMES, ids=[f"{name}-{i}" for i, (name, _) in enumerate(GAMES)])
def test_the_reasons_add_up_to_the_score_of_every_round(name, config):
    session = seated(name, config=config, seed=7)
    for rounds in itertools.count(1):
        play(session, lambda session: session.waiting or session.history.is_over)
        sheet = shown(session).ending.sheet
        reasons = [[int(cell or 0) for cell in row[1:]] for row in sheet.reasons]
        # The last row is the sum, where the only row of the rounds does not have it.
        total = reasons.pop() if name == "tarot" or rounds > 1 else [int(cell) for cell in sheet.rows[0][1:]]
        assert np.sum(reasons, axis=0).tolist() == total
        assert all(len(row) in (0, len(sheet.heads)) for row in sheet.parts)
        for row, part in zip(sheet.reasons, sheet.parts, strict=False):  # a cell without points has no parts
            assert not [words for cell, words in zip(row[1:], part[1:], strict=False) if words and not cell]
        if session.history.is_over:
            return
        session.next(session.people[0], session.version)


def test_points_of_a_hand_that_was_begun_elsewhere_are_a_row_of_their_own():
    session = seated("tarot", "me,scripted", config={"players": 2, "episode": "hand"}, seed=7)
    play(session, lambda session: session.history.state["trick_no"][0] == 20)
    session.history.start = session.history.moves.pop().after
    session.history.moves.clear()
    earlier = session.history.start["points"][0, :2].tolist()
    play(session)
    rows = {row[0]: row[1:] for row in shown(session).ending.sheet.reasons}
    assert [int(cell or 0) for cell in rows["earlier"]] == earlier


def test_a_doubled_round_of_kanastic_has_a_row_for_it():
    session = seated("kanastic", "me,scripted", config={"players": 2, "episode": "round"}, seed=7)
    play(session)
    end = session.history.state.copy()
    own, scores = module_of(session.game, "words.reasons"), end["last_scores"][0, :2].tolist()
    assert "doubled by the last discard" not in dict(own.reasons(session.game, (), end))
    end["last_scores"] *= 2
    assert dict(own.reasons(session.game, (), end))["doubled by the last discard"] == scores


def test_the_parts_of_points_add_up_to_the_rows_of_every_round():
    game, seen = tantra_envs.game("kanastic", episode="round", shield_penalty=50), set()
    names, own = ["You", "Ann", "Partner", "Bob"], module_of(game, "words.reasons")
    for seed in range(3):
        end = [state.copy() for state in random_play(game, seed)][-1]
        rows = dict(own.reasons(game, (), end))
        for name, teams in own.parts(game, end, names).items():
            sums = [sum(points for _, points in team) for team in teams]
            assert rows.get(name, [0, 0]) == sums
            seen |= {name for team in teams if team}
    assert {"canastas", "pots", "cards in hand"} <= seen


@pytest.mark.parametrize(("fields", "fact"), [
    ({"block_left": 1}, "until Bob's turn"),
    ({"turn": 1}, "first discard"),
    ({"pile": 55}, "Sword is on top"),
    ({"opened": 1}, "the player who opened"),
    ({"opened": 1, "unlocked": 1, "stock_n": 3}, "the stock has fewer than four cards"),
    ({"opened": 1, "unlocked": 1}, "you do not hold two fours"),
    ({"n": 3}, "your team has fours already"),
    ({"stage": 4, "hand": 1}, "a canasta or a complete golden suit"),
    ({"pile_n": 0}, ""),
])  # fmt: skip
def test_each_reason_why_discards_cannot_be_taken(fields, fact):
    why = module_of(game := tantra_envs.game("kanastic", players=2), "words.sentences").why_not_taken
    state = game.new(1)
    usual = {"turn": 5, "block_left": 0, "pile": 0, "pile_n": 1, "hand": 0, "stock_n": 20}  # 0 is the 4 of hearts
    for name, value in {**usual, "opened": 0, "unlocked": 0, "stage": 1, "n": 0, **fields}.items():
        state[name] = value
    told = why(game, state, ["You", "Bob"] if state["seat"][0] == 0 else ["Bob", "You"])
    assert fact in told and bool(fact) == bool(told)


@pytest.mark.parametrize(("hand", "top", "score", "points", "need"), [
    ("4D 4S 9H 10D KC", "4H", 0, "15 points", "45 points"),
    ("KD KS QH QS QC SW SW 4H 5D 9C", "KH", 2000, "85 points", "90 points with at most one wild card"),
    ("KD KS SW SW AR 4H 5D 9C", "KH", 2000, "30 points", "90 points"),  # no wild card joins the kings [KN-55]
    ("4D 4S 9H", "4H", 0, "", "end your turn"),  # one card would be left [KN-43]
])  # fmt: skip
def test_a_discard_that_does_not_open_is_refused_with_the_points_of_the_cards_and_those_needed(
    hand, top, score, points, need
):
    game = tantra_envs.game("kanastic", players=2)
    position = {"players": 2, "hands": [hand, "4C"], "pile": f"6C {top}", "phase": "DRAW", "scores": [score, 0]}
    state = game.from_position(position)
    kept = state.tobytes()
    why = module_of(game, "words.sentences").why_not_taken(game, state, ["You", "Bob"])
    assert points in why and need in why, why
    assert state.tobytes() == kept
    raised = game.from_position(position | {"hands": [f"{hand} AH AD AC AS", "4C"]})
    assert game.actions["take_top"].start in game.legal(raised)


def test_a_stack_is_blocked_until_the_turn_of_the_player_who_discarded_the_card():
    game, (seat, turn, left), seen = tantra_envs.game("kanastic", players=4), (0, 0, 0), set[tuple[int, str]]()
    names, blocked = ["Ann", "Bob", "Cid", "Dan"], module_of(game, "words.sentences").blocked
    for s in (state[0] for state in random_play(game, 3)):
        if s["block_left"] == 3 and s["turn"] > turn:
            blocker = seat
        if s["block_left"]:
            assert blocked(s, names) == f"blocked until {names[blocker]}'s turn"
            seen.add((int(s["block_left"]), game.phases[s["phase"]]))
        elif left and s["turn"] == turn + 1:
            assert s["seat"] == blocker
        seat, turn, left = int(s["seat"]), int(s["turn"]), int(s["block_left"])
    assert {(3, "DRAW"), (1, "MELD"), (2, "ANSWER")} <= seen, seen
