"""Positions: written and read, defaults, settling, and what is refused."""

import pytest

import tantra_envs
from tantra_envs.core.admission import check_consistent
from tantra_envs.games.tantra.material import MAX_SETS
from tantra_envs.games.tantra.state import Role

from ..loop_bounds import bounded_while
from .table import DECK, Table

GOOD = {"display": 10, "wild": "A", "hands": ["2C", "3D", "4D"]}
LAID = {"seat": 0, "slot": 0, "kind": "4", "cards": "4C 4D 4H 4S"}
LAYING_DOWN = {"mode": "lay down", "slot": 1, "template": "kind 9", "placed": ["9C"]}
HALF_DONE = {
    **{"display": 10, "wild": "A", "hands": ["9D 9H 9S KC KD KH KS 2C", "3D", "3H"], "phase": "PLACE"},
    **{"sets": [LAID], "build": LAYING_DOWN, "laid_turn": [8, -1, -1]},
}


def test_defaults():
    table = Table(**GOOD)
    found = {
        name: table[name] for name in ("phase", "turn", "cur", "dealer", "turns", "laid_turn", "scores", "recycles")
    }
    assert found == {"phase": "MAIN", "turn": 0, "cur": 0, "dealer": 2, "turns": 8, "laid_turn": [-1, -1, -1],
                     "scores": [0, 0, 0], "recycles": 0}  # fmt: skip


def test_ask_passes_over_seats_that_may_not_buy():
    table = Table(**GOOD, phase="ASK", asked=None, stock="5D 6D", discard="2H", buys_used=[0, 3, 0])
    assert (table["phase"], table["cur"]) == ("ASK", 2)
    assert Table(**GOOD, phase="ASK", stock="5D", discard="2H")["phase"] == "DRAW"


def test_a_lay_down_half_done():
    table = Table(**HALF_DONE)
    assert (table["build"], table.legal) == (LAYING_DOWN, {"place 9D"})
    table.do("place 9D")
    assert (table["phase"], len(table["sets"])) == ("MAIN", 3)  # what is forced plays itself


def test_a_lay_off_half_done():
    build = {"mode": "lay off", "on": "1.0 low", "placed": ["5H"]}
    sets = [{"seat": 1, "slot": 0, "run": "H", "start": 5, "cards": "5H 6H 7H"}]
    table = Table(display=21, hands=["3H 4C", "3D", "3S"], phase="PLACE", sets=sets, build=build, laid_turn=[8, 0, -1])
    assert (table["build"], table["sets"][0]["cards"]) == (build, ["5H", "6H", "7H"])
    assert table.legal == {"place 3H"}


def test_full_positions_hold_the_decks_given_for_several_rounds():
    game = tantra_envs.game("tantra", players=3, n_rounds=3, max_turns_per_player=1)
    state, stocks = game.new(5, deck=[DECK, DECK[::-1]], display=23), {}
    for _ in bounded_while(lambda: not state["over"][0]):
        assert game.from_position(game.position(state, full=True)).tobytes() == state.tobytes()
        stocks.setdefault(int(state["round"][0]), game.position(state)["stock"])
        game.apply_action(state, game.legal(state)[-1])
    assert stocks[1][-1] == DECK[0]
    with pytest.raises(ValueError, match="at most 4"):
        game.new(5, deck=[DECK] * 5)
    with pytest.raises(ValueError, match="tantra_v0: deck"):
        game.new(5, deck=["2C"])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"display": 45}, "display=45"),
        ({"wild": "X"}, "wild='X'"),
        ({"display": 21}, "wild='A'"),
        ({"hands": ["2C 2C 2C", "3D", "4D"]}, "at most 2 of 2C"),
        ({"hands": ["", "3D", "4D"]}, "cur=0"),
        ({"phase": "PEEK"}, "requester=-1"),
        ({"phase": "OVER"}, "phase='OVER'"),
        ({"cur": 1}, "cur=1"),
        ({"turns": 120}, "turns=120"),
        ({"sets": [{"seat": 0, "slot": 0, "kind": "4", "cards": "5C"}]}, "5C"),
        ({"sets": [{"seat": 0, "slot": 0, "run": "H", "start": 5, "cards": "5H 7H"}]}, "pairs"),
        ({"buys_used": [4, 0, 0]}, "buys_used"),
        ({"known": [[[], ["4D"], []], [[], [], []], [[], [], []]]}, r"known\[0\]"),
        ({"config": {"players": 4}}, "contradicts"),
        ({"nothing": 1}, "unknown field"),
        ({"display_at": 44}, "display_at=44"),
        ({"display_pile": [1] * 44}, "display_pile="),
        ({"last_round": {"ending": 5}}, "ending=5"),
        ({"asked": 1}, "asked=1"),
        ({"requester": 1}, "requester=1"),
        ({"sets": [{"seat": {}, "slot": 0, "kind": "4", "cards": "4C"}]}, r"sets\[0\] seat={}"),
        ({"sets": [{"seat": 0, "slot": 0, "kind": "4", "cards": []}]}, r"sets\[0\] cards"),
        ({"sets": [{"seat": 0, "slot": 0, "run": "H", "start": 5}]}, r"sets\[0\] cards"),
        ({"sets": [{"seat": 0, "slot": 0, "run": "H", "start": 5, "cards": "5H 5H 7H"}]}, "sets=.*R-23"),
        ({"sets": [{"seat": 0, "slot": 0, "kind": "4", "cards": "4C"}], "laid_turn": [-1, -1, -1]}, r"laid_turn\[0\]="),
    ],
)
def test_what_is_refused(change, problem):
    game = tantra_envs.game("tantra", players=3)
    with pytest.raises(ValueError, match=problem):
        game.from_position({**GOOD, **change})


RUN = {"seat": 1, "slot": 0, "run": "S", "start": 6}
WHOLE_RUN = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"


@pytest.mark.parametrize(
    ("config", "display", "lies", "ruling"),
    [
        ({}, 2, {"seat": 1, "slot": 0, "kind": "Q", "cards": "QS QH JK"}, "R-22"),
        ({}, 11, {**RUN, "cards": "6S JK 8S"}, "R-22"),
        ({}, 18, {**RUN, "cards": "6S 7S 7S 9S"}, "R-23"),
        ({"two_aces_in_run": False}, 21, {**RUN, "start": 1, "cards": WHOLE_RUN}, "R-14"),
    ],
)
def test_sets_that_the_display_card_or_an_option_forbids_are_refused(config, display, lies, ruling):
    position = {"display": display, "wild": None if display in (18, 21) else "2", "hands": ["4C", "3D", "4D"]}
    game = tantra_envs.game("tantra", players=3, **config)
    with pytest.raises(ValueError, match=f"sets=.*{ruling}"):
        game.from_position({**position, "sets": [lies]})


@pytest.mark.parametrize(
    ("display", "roles", "ruling"),
    [
        (11, {7: Role.JOKER}, "R-22"),
        (18, {7: Role.LOWER_MATE}, "R-23"),  # this Display Card does not allow pairs
        (21, {10: Role.LOWER_MATE}, "R-23"),  # at the end of the run
        (21, {7: Role.LOWER_MATE, 8: Role.LOWER_MATE}, "R-23"),  # the mate is a duplicate itself
        (21, {7: Role.UPPER_MATE, 9: Role.LOWER_MATE}, "R-23"),  # two duplicates of one card
    ],
)
def test_records_with_sets_that_the_display_card_forbids_are_refused(display, roles, ruling):
    game = tantra_envs.game("tantra", players=3)
    natural = {**RUN, "cards": ["6S", "7S", "8S", "9S", "10S"]}
    wild = "2" if display == 11 else None
    state = game.from_position({"display": display, "wild": wild, "hands": ["4C", "3D", "4D"], "sets": [natural]})
    for place, role in roles.items():
        state["sets"]["fill"][0, MAX_SETS, place - 1] = role  # the first set of seat 1
    with pytest.raises(ValueError, match=f"sets=.*{ruling}"):
        check_consistent(game, state)


def test_the_same_sets_are_read_where_they_are_allowed():
    hands = ["4C", "3D", "4D"]
    kind = {"seat": 1, "slot": 0, "kind": "Q", "cards": ["QH", "QS", "JK"]}
    assert Table(display=10, wild="2", hands=hands, sets=[kind])["sets"] == [kind]
    pairs = {**RUN, "cards": ["6S", "7S", "7S", "9S"]}
    assert Table(display=21, hands=hands, sets=[pairs])["sets"] == [pairs]
    aces = {**RUN, "start": 1, "cards": WHOLE_RUN.split()}
    assert Table(display=21, hands=hands, sets=[aces])["sets"] == [aces]


@pytest.mark.parametrize(
    ("change", "build", "problem"),
    [
        ({}, {"slot": 0}, "build slot=0"),
        ({}, {"slot": 2}, "build slot=2"),
        ({"sets": [{**LAID, "cards": "4C 4D 4H"}]}, {}, "build slot=1"),
        ({}, {"template": "kind 3"}, "build template='kind 3'"),
        ({}, {"template": "run H 5"}, "build template='run H 5'"),
        ({}, {"placed": ["9C", "2D"]}, "build placed"),
        ({}, {"placed": "9C 9D 9H 9S"}, "build placed"),
        ({}, {"on": "1.0"}, "build='on'"),
        ({"phase": "TEMPLATE"}, {}, "build template"),
        ({"phase": "OVER", "rng": [1, 2, 3, 4]}, {}, "build="),
        ({"laid_turn": [-1, 0, -1], "sets": [{**LAID, "seat": 1}], "hands": ["4C 5C", "3D", "3H"]},
         {"mode": "lay off", "on": "1.0", "placed": [], "slot": None, "template": None}, "R-31"),
    ],
)  # fmt: skip
def test_only_what_could_be_played_is_being_built(change, build, problem):
    game = tantra_envs.game("tantra", players=3)
    wanted = {name: value for name, value in {**LAYING_DOWN, **build}.items() if value is not None}
    with pytest.raises(ValueError, match=problem):
        game.from_position({**HALF_DONE, **change, "build": wanted})
