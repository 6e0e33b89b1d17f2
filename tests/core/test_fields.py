"""The table of fields of a state: records, what is concealed, and faults in the table that checks find."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled import proxies
from tantra_envs.core.consistency import ImpossibleError, Tables
from tantra_envs.core.fields import Field, Fields, header
from tantra_envs.core.state import record

GAMES = list(tantra_envs.GAMES)
PAIR = record([("low", np.int8), ("list", np.int8, (2,))])


def concealed(fields: Fields, seats: int, observer: int, **values) -> np.ndarray:
    """The concealed record of a table of these values, in pure Python."""
    state, known = np.zeros(1, fields.dtype), np.zeros(1, fields.dtype)
    state["seats"] = seats
    for name, value in values.items():
        state[name] = value
    kernel = getattr(fields.conceal, "py_func", fields.conceal)
    kernel(proxies.wrap(state)[0], observer, observer, proxies.wrap(known)[0])
    return known[0]


def test_rows_by_seat_are_rotated_and_hidden_ones_are_zero():
    fields = Fields(
        "toy",
        *header(4),
        Field("hand", np.int8, (4, 2), by="seat", seen_by="owner", doc=""),
        Field("open", np.int8, (4,), by="seat", seen_by="all", doc=""),
        Field("deck", np.int8, (3,), seen_by="nobody", doc=""),
    )
    known = concealed(fields, 3, 1, hand=[[1, 2], [3, 4], [5, 6], [0, 0]], open=[7, 8, 9, 0], deck=[1, 2, 3], seat=0)
    assert known["hand"].tolist() == [[3, 4], [0, 0], [0, 0], [0, 0]]
    assert known["open"].tolist() == [8, 9, 7, 0]
    assert known["deck"].tolist() == [0, 0, 0]
    assert known["seat"] == 2


def test_numbers_of_seats_are_counted_from_the_observer():
    fields = Fields(
        "toy",
        *header(4),
        Field("dealer", np.int8, holds="seat", seen_by="all", doc=""),
        Field("loser", np.int8, holds="seat", seen_by="all", doc=""),
        Field("out_n", np.int8, seen_by="all", doc=""),
        Field("out", np.int8, (4,), holds="seat", length="out_n", seen_by="all", doc=""),
    )
    known = concealed(fields, 4, 3, dealer=0, loser=-1, out_n=2, out=[3, 2, 0, 0])
    assert (known["dealer"], known["loser"], known["out"].tolist()) == (1, -1, [0, 3, 0, 0])


def test_rows_of_records_and_of_teams_are_rotated():
    fields = Fields(
        "toy",
        *header(4),
        Field("sets", PAIR, (8,), by="seat", rows=2, seen_by="all", doc=""),
        Field("score", np.int32, (2,), by="team", seen_by="all", doc=""),
        Field("opt", record([("teams", np.int8)]), seen_by="all", doc=""),
    )
    sets = np.zeros(8, PAIR)
    sets["low"], sets["list"][:, 1] = np.arange(8), np.arange(8)
    known = concealed(fields, 4, 1, sets=sets, score=[10, 20], opt=(2,))
    assert known["sets"]["low"].tolist() == [2, 3, 4, 5, 6, 7, 0, 1] == known["sets"]["list"][:, 1].tolist()
    assert known["score"].tolist() == [20, 10]


def test_rows_by_team_need_a_number_of_teams():
    score = Field("score", np.int32, (2,), by="team", seen_by="all", doc="")
    opt = Field("opt", record([("players", np.int8)]), seen_by="all", doc="")
    for others in ([], [opt]):
        with pytest.raises(ValueError, match=r"^toy: score: by='team' is not allowed; allowed: if `opt` has 'teams'$"):
            Fields("toy", *header(4), *others, score)


def test_tables_are_emptied_for_a_game_and_for_a_round():
    fields = Fields(
        "toy",
        *header(4),
        Field("score", np.int32, (4,), by="seat", stays=True, seen_by="all", doc=""),
        Field("hand", np.int8, (4, 2), by="seat", empty=-1, seen_by="owner", doc=""),
        Field("sets", PAIR, (8,), by="seat", rows=2, seen_by="all", doc=""),
        Field("asker", np.int8, empty=-2, seen_by="all", doc=""),
    )
    state = np.zeros(1, fields.dtype)
    state["seats"], state["rng"], state["plies"], state["score"], state["hand"], state["asker"] = 3, 5, 6, 7, 8, 9
    state["sets"]["list"] = 1
    getattr(fields.clear_round, "py_func", fields.clear_round)(proxies.wrap(state)[0])
    s = state[0]
    assert (s["plies"], s["score"].tolist(), s["asker"]) == (6, [7, 7, 7, 7], -2)
    assert s["hand"].tolist() == [[-1, -1], [-1, -1], [-1, -1], [8, 8]], (
        "nobody has the last row, which is never filled"
    )
    assert s["sets"]["list"].tolist() == [[0, 0]] * 6 + [[1, 1]] * 2
    getattr(fields.clear, "py_func", fields.clear)(proxies.wrap(state)[0])
    assert (s["plies"], s["score"].tolist(), s["seats"], s["rng"].tolist()) == (0, [0, 0, 0, 7], 3, [5] * 4)


@pytest.mark.parametrize("name", GAMES)
def test_a_blank_table_is_empty(name):
    """All fields hold what the table of fields gives for nothing, except the piles and the last round of Tantra."""
    game = tantra_envs.game(name)
    for field in game.fields:
        value = game.blank[field.name][0]
        rows = value[: field.count(game.blank[0])] if field.by else value
        if field.name not in ("opt", "seats", "display_pile", "wild_pile", "last"):
            numbers = np.ascontiguousarray(rows).view(np.uint8) if np.dtype(field.dtype).names else rows
            assert (numbers == field.empty).all(), field.name


@pytest.mark.parametrize("seats", [2, -1, "0", 0.0, [0, 1]])
def test_what_is_no_seat_is_refused(seats):
    game = tantra_envs.game("karma")
    with pytest.raises(ValueError, match=r"karma_v0: seats=.* is not allowed; allowed: 0..1, one seat or 1 of them"):
        game.conceal(game.new(1), seats)


def zoned(*fields: Field) -> Fields:
    return Fields("toy", *header(2), *fields, cards=("A", "B", "C"))


ZONES = zoned(
    Field("hands", np.int8, (2, 2), by="seat", zone="counts", seen_by="owner", doc=""),  # C is never in a hand
    Field("pile_n", np.int8, (2,), by="seat", seen_by="all", doc=""),
    Field("pile", np.int8, (2, 3), by="seat", length="pile_n", zone="cards", seen_by="all", doc=""),
    Field("slots", np.int8, (2,), zone="cards", empty=-1, seen_by="all", doc=""),
    Field("card", np.int8, zone="cards", empty=-1, seen_by="all", doc=""),
    Field("place", np.int8, (3,), zone=lambda states: states["place"] == 7, seen_by="all", doc=""),
    Field("piled", np.int8, (3,), seen_by="all", doc=""),
)


def zoned_tables() -> np.ndarray:
    """Two tables: one with cards in all zones, and one without cards."""
    states = np.zeros(2, ZONES.dtype)
    states["slots"] = states["card"] = -1
    s = states[0]
    s["hands"], s["pile_n"], s["pile"] = [[1, 0], [2, 1]], [2, 1], [[2, 0, 0], [1, 2, 2]]
    s["slots"], s["card"], s["place"], s["piled"] = [0, -1], 2, [7, 7, 1], 5
    return states


def test_the_cards_of_every_zone_are_counted():
    zones = ZONES.zones(zoned_tables())
    assert {name: counts[0].tolist() for name, counts in zones.items()} == {
        "hands": [3, 1, 0],
        "pile": [1, 1, 1],
        "slots": [1, 0, 0],
        "card": [0, 0, 1],
        "place": [1, 1, 0],
    }
    assert not any(counts[1].any() for counts in zones.values())
    assert ZONES.cards(zoned_tables()).tolist() == [[6, 3, 2], [0, 0, 0]]


def test_too_many_of_a_card_are_refused_with_the_card_its_zone_and_all_zones():
    tables = Tables("toy", zoned_tables()[::-1], ZONES)
    assert tables.cards([6, 3, 2]).tolist() == [[0, 0, 0], [6, 3, 2]]
    with pytest.raises(ImpossibleError) as error:
        tables.cards([6, 3, 1])
    assert (error.value.field, error.value.value) == ("pile", [[2, 0, 0], [1, 2, 2]])
    assert error.value.allowed == "at most 1 of C in hands, pile, slots, card and place together"
