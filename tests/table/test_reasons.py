"""Where points come from: the rows of a score sheet add up to the score, for every round and every variant of it."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.drawing import move
from tantra_envs.extras import module_of
from tantra_envs.games.kanastic.words.reasons import held_points
from tantra_envs.table import ending
from tantra_envs.testing.play import play as random_play
from tantra_envs.words.sentences import log_line

from .browser import needed
from .serving import DRAWN, opened, play, seated

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
    table = seated(name, ",".join(["me"] + ["scripted"] * (config["players"] - 1)), config=config, seed=7)
    rounds = 0
    while not table.is_over:
        play(table, lambda table: table._waiting or table.is_over)
        rounds += 1
        sheet = table.shown(table.people[0])["ending"]["sheet"]
        reasons = [[int(cell or 0) for cell in row[1:]] for row in sheet["reasons"]]
        if name == "tarot" or rounds > 1:  # the last row is the sum
            *reasons, total = reasons
        else:
            total = [int(cell) for cell in sheet["rows"][0][1:]]
        parts = sheet["parts"]
        assert len(reasons) > 0 and all(len(row) in (0, len(sheet["heads"])) for row in parts)
        for row, part in zip(sheet["reasons"], parts, strict=False):  # a cell without points has no parts
            assert not [words for cell, words in zip(row[1:], part[1:], strict=False) if words and not cell]
        assert np.sum(reasons, axis=0).tolist() == total
        if table._waiting:
            table.next(table.people[0], table.version)


def test_points_of_a_hand_that_was_begun_elsewhere_are_a_row_of_their_own():
    table = seated("tarot", "me,scripted", config={"players": 2, "episode": "hand"}, seed=7)
    play(table, lambda table: table.history.state["trick_no"][0] == 20)
    table.history.start = table.history.moves.pop().after
    table.history.moves.clear()
    earlier = table.history.start["points"][0, :2].tolist()
    play(table, lambda table: table.is_over)
    rows = {row[0]: row[1:] for row in table.shown(table.people[0])["ending"]["sheet"]["reasons"]}
    assert [int(cell or 0) for cell in rows["earlier"]] == earlier


def test_a_doubled_round_of_kanastic_has_a_row_for_it():
    table = seated("kanastic", "me,scripted", config={"players": 2, "episode": "round"}, seed=7)
    play(table, lambda table: table.is_over)
    end = table.history.state.copy()
    own, scores = module_of(table.game, "words.reasons"), end["last_scores"][0, :2].tolist()
    assert "doubled by the last discard" not in dict(own.reasons(table.game, (), end))
    end["last_scores"] *= 2
    assert dict(own.reasons(table.game, (), end))["doubled by the last discard"] == scores


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


def test_the_parts_of_points_are_named_in_the_score_sheet():
    game, names = tantra_envs.game("kanastic"), ["You", "Ann", "Partner", "Bob"]
    tables = [{"ranks": {"10": "10H 10D 10C 10H 10D SW SW", "J": "JH JD JC JH JD JS SW"}},
              {"ranks": {"8": "8H 8D 8C 8H 8D 8C 8S", "A": "AH AD AC AS AH AD SW"},
               "suit": ["4", "4G 5G 6G 7G 8G 9G AR"]}]  # fmt: skip
    hands = ["SW 4H", "4H SH", "AR AH KH 5C", "5H"]
    state = game.from_position({"hands": hands, "tables": tables, "pots": [3, 4], "phase": "MELD", "pile": "4C"})
    moves = [move(game, state, game.legal(state)[0])]
    sheet = ending.score_sheet(game, [[0, 0], [0, 0]], state, names, moves)
    parts = {row[0]: part[1:] for row, part in zip(sheet["reasons"], sheet["parts"], strict=False)}
    assert parts["canastas"] == [
        "tens with wild cards +300, jacks with wild cards +300",
        "eights without wild cards +600, aces with wild cards +500",
    ]
    assert parts["pots"] == ["three pots", "four pots"] and parts["golden suit"] == ["", "with Artifacts"]
    assert parts["cards in hand"] == ["You -30, Partner -85", "Ann -105, Bob -5"] and parts["cards laid"] == []


def test_a_table_of_kanastic_shows_what_is_laid_and_what_the_own_hand_costs():
    table = seated("kanastic", "me,scripted,scripted,scripted", config={"players": 4}, seed=7)
    play(table, lambda table: (table.history.state["n"][0, 0] + table.history.state["w"][0, 0]).max() >= 7)
    picture, s = table.shown(table.people[0])["svg"], table.history.state[0]
    assert f"hand -{held_points(s)[0]}<" in picture and picture.count("hand -") == 1
    assert "laid " in picture and "canastas " in picture
    assert "at the start 0 · stage I<" in picture and ">total 0<" not in picture
    play(table, lambda table: table._waiting)  # the new round has begun, and the page shows the end of the old one
    picture, totals = table.shown(table.people[0])["svg"], table.history.scores[-1]
    assert "stage" not in picture and all(f">total {total}<" in picture for total in totals)


@pytest.mark.parametrize(("answer", "words"), [(0, "rather not"), (1, "partner: yes")])
def test_the_answer_of_a_partner_binds_nobody_and_goes_at_the_end(answer, words):
    table = seated("kanastic", "me,scripted,scripted,scripted", config={"players": 4}, seed=7)
    state = table.history.state
    state["asked"], state["answer"] = 1, answer
    assert words in table.shown(table.people[0])["svg"]
    state["over"] = 1
    assert "partner" not in table.shown(table.people[0])["svg"].replace("Partner", "")


def test_the_question_of_kanastic_says_why_discards_cannot_be_taken():
    table = seated("kanastic", "me,me", config={"players": 2}, seed=3)
    draw, seen = table.game.actions["draw"].start, set()
    for _ in range(25):
        play(table, lambda table: table.game.phases[table.history.state["phase"][0]] == "DRAW" or table.is_over)
        if table.is_over:
            break
        s = table.history.state[0]
        person = table.chairs[s["seat"]]
        shown = table.shown(person)
        if table.game.legal(table.history.state) == [draw]:
            assert "You cannot take discards: " in shown["question"]
            assert "which you cannot take: " in shown["svg"]
            seen.add(shown["question"])
        else:
            assert "cannot take" not in shown["question"] + shown["svg"]
        table.play(person, table.version, draw)
    assert len(seen) > 2


@pytest.mark.parametrize(("fields", "fact"), [
    ({"block_left": 1}, "until Bob's turn"),
    ({"turn": 1}, "first discard"),
    ({"top": 55}, "Sword is on top"),
    ({"opened": 1}, "the player who opened"),
    ({"opened": 1, "unlocked": 1, "stock_n": 3}, "the stock has fewer than four cards"),
    ({"opened": 1, "unlocked": 1}, "you do not hold two fours"),
    ({"n": 3}, "your team has fours already"),
    ({"stage": 4, "held": 1}, "a canasta or a complete golden suit"),
])  # fmt: skip
def test_each_reason_why_discards_cannot_be_taken(fields, fact):
    why = module_of(game := tantra_envs.game("kanastic", players=2), "words.sentences").why_not_taken
    state = game.new(1)
    s = state[0]
    s["turn"], s["pile_n"], s["pile"][0], s["block_left"] = 5, 1, fields.get("top", 0), 0  # the 4 of hearts
    s["hand"][s["seat"], :5] = fields.get("held", 0)
    for name in ("block_left", "turn", "stock_n"):
        s[name] = fields.get(name, s[name])
    for name in ("opened", "unlocked"):
        s[name][:] = fields.get(name, 0)
    s["stage"][:] = fields.get("stage", 1)
    s["n"][:, 0] = fields.get("n", 0)
    names = ["You", "Bob"] if s["seat"] == 0 else ["Bob", "You"]
    assert fact in why(game, state, names)
    s["pile_n"] = 0
    assert why(game, state, names) == ""


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
    game = tantra_envs.game("kanastic", players=4)
    names, blocked = ["Ann", "Bob", "Cid", "Dan"], module_of(game, "words.sentences").blocked
    blocker, turn, seat, left, seen = -1, 0, 0, 0, set[tuple[int, str]]()
    for s in (state[0] for state in random_play(game, 3)):
        if s["block_left"] == 3 and s["turn"] > turn:
            blocker = seat
        if s["block_left"]:
            assert blocked(s, names) == f"blocked until {names[blocker]}'s turn"
            seen.add((int(s["block_left"]), game.phases[s["phase"]]))
        elif left and s["turn"] == turn + 1:
            assert s["seat"] == blocker
        turn, seat, left = int(s["turn"]), int(s["seat"]), int(s["block_left"])
    assert {(3, "DRAW"), (1, "MELD"), (2, "ANSWER")} <= seen, seen


def test_the_log_of_tantra_leaves_out_passes_and_names_the_sets_of_a_laying_once():
    table = seated("tantra", "me,scripted,scripted,scripted", config={"players": 4}, seed=3)
    play(
        table, lambda table: (table.history.state["laid_turn"][0, :4] >= 0).any() and not table.history.state["mode"][0]
    )
    log = table.shown(table.people[0])["log"]
    lines = [log_line(table.game, m.before, m.action, m.after, 0, table._names(0)) for m in table.history.moves[-40:]]
    assert sum(line.endswith("does not buy") for line in lines) > 3
    assert not any(line.endswith("does not buy.") for line in log)
    assert "laid down all sets: " in log[-1] and not any(" place" in line or "makes a" in line for line in log[:-1])
    assert table.shown(table.people[0])["last"][-1][1] == log[-1]


def test_a_call_of_tarot_says_who_gives_the_honour():
    for seed in range(40):
        table = seated("tarot", "me,scripted,scripted", config={"players": 3}, seed=seed)
        play(table, lambda table: table.game.phases[table.history.state["phase"][0]] == "PLAY")
        calls = [line for line in table.shown(table.people[0])["log"] if "for an honour and get" in line]
        if calls:
            assert all(" from " in line for line in calls)
            return
    raise AssertionError("nobody called")


@needed
def test_the_score_sheet_of_four_has_room_beside_the_table():
    table = seated("tantra", "me,scripted,scripted,scripted", config={"players": 4}, seed=7)
    play(table, lambda table: table.is_over)
    with opened(table, f"{DRAWN} && state.over", size=(1366, 768)) as page:
        assert page.run("$('ending').scrollWidth <= $('ending').clientWidth")
        assert page.run("$('sheet').tHead.rows[0].cells.length") == 5
        assert page.run("[...$('sheet').rows].every((row) => row.cells.length === 5)")
        assert page.run("$('reasons').rows.length") == len(
            ending.score_sheet(
                table.game, table.history.scores, table.history.state, table._names(0), table.history.last_round
            )["reasons"]
        )
