"""Configuration fields: defaults, checks, and refusals that name field, value and what is allowed."""

import re

import numpy as np
import pytest

from tantra_envs.core.options import SWITCH, ListOf, OneOf, Option, Options

OPTIONS = Options(
    "toy",
    Option("players", 2, range(2, 5), "seats"),
    Option("blind", False, SWITCH, "cards are hidden"),
    Option("reward", "score", ("score", "place"), "what is paid"),
    Option("prize", 0.5, None, "for the winner"),
)


def test_the_record_holds_what_kernels_read_in_the_order_of_the_layout():
    options = Options(
        "toy",
        Option("players", 2, range(2, 5), "seats"),
        Option("blind", False, SWITCH, "cards are hidden"),
        Option("reward", "score", ("score", "place"), "what is paid"),
        Option("prizes", (), ListOf(range(9), (0, 2)), "by place", stored=(np.int16, 2)),
        Option("copies", 2, (2, 3), "of each card", stored=np.int8),
    )
    opt = options.record(("cards", np.int16), ("ends", np.int8, (3,)), order="copies ends")
    expected = [("cards", "<i2", ()), ("prizes", "<i2", (2,)), ("copies", "|i1", ()), ("ends", "|i1", (3,))]
    expected += [("blind", "|i1", ()), ("reward", "|i1", ())]
    assert [(name, opt[name].base.str, opt[name].shape) for name in opt.names] == expected
    values = np.zeros(1, opt)[0]
    options.store(options.resolve({"reward": "place", "prizes": [7, 8], "blind": True}), values)
    assert [np.array(values[name]).tolist() for name in opt.names] == [0, [7, 8], 2, [0, 0, 0], 1, 1]


def test_a_retired_option_is_read_in_old_files_and_is_no_option():
    options = Options(
        "toy",
        Option("blind", False, SWITCH, "cards are hidden"),
        Option("glow", False, (False,), "cards glowed", retired=True),
        Option("copies", 2, (2, 3), "of each card", stored=np.int8),
    )
    assert options.resolve({"glow": False, "blind": True}) == {"blind": True, "copies": 2}
    with pytest.raises(ValueError, match=re.escape("toy: glow=True is not allowed; allowed: False")):
        options.resolve({"glow": True})
    assert options.record().names == ("blind", "glow", "copies") and "glow" not in options.table()


def test_fields_left_out_have_their_defaults():
    assert OPTIONS.resolve({"players": 3}) == {"players": 3, "blind": False, "reward": "score", "prize": 0.5}


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("players", 5, "2..4"),
        ("players", 1, "2..4"),
        ("players", 2.0, "2..4"),
        ("players", True, "2..4"),
        ("players", "2", "2..4"),
        ("players", None, "2..4"),
        ("blind", 1, "False, True"),
        ("blind", "yes", "False, True"),
        ("reward", "money", "'score', 'place'"),
        ("prize", float("nan"), "any finite number"),
        ("prize", float("inf"), "any finite number"),
        ("prize", True, "any finite number"),
        ("prize", "1", "any finite number"),
        ("prize", np.bool_(True), "any finite number"),
        ("players", 10**100, "2..4"),
    ],
)
def test_a_refusal_names_field_value_and_what_is_allowed(field, value, allowed):
    shown = value.item() if isinstance(value, np.generic) else value
    words = re.escape(f"toy: {field}={shown!r} is not allowed; allowed: {allowed}")
    with pytest.raises(ValueError, match=f"^{words}$"):
        OPTIONS.resolve({field: value})


@pytest.mark.parametrize("value", [10**400, -(10**400), 10**5000], ids=["large", "negative", "unwritable"])
def test_an_integer_beyond_every_float_is_refused_in_a_line(value):
    """Python refuses to write integers of more than 4300 digits."""
    with pytest.raises(ValueError, match=r"^toy: prize=.* is not allowed; allowed: any finite number$") as refusal:
        OPTIONS.resolve({"prize": value})
    assert len(str(refusal.value)) < 400


def test_an_unknown_field_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="unknown field 'player'; fields: players, blind, reward, prize"):
        OPTIONS.resolve({"player": 2})


def test_numpy_values_and_whole_prizes_become_plain_python():
    config = OPTIONS.resolve({"players": np.int64(3), "blind": np.bool_(True), "prize": 2})
    assert [type(config[name]) for name in ("players", "blind", "prize")] == [int, bool, float]


def test_changed_keeps_what_differs_from_the_default():
    assert OPTIONS.changed(OPTIONS.resolve({"reward": "place", "players": 2})) == {"reward": "place"}


def test_lists_of_integers_become_tuples():
    totals = Options("toy", Option("totals", (), ListOf(range(0, 101, 5), (0, 2)), "points at the start"))
    assert totals.resolve({"totals": [5, 100]}) == {"totals": (5, 100)}
    for wrong in ((5,), (5, 7), (5, True), (5, 105), 5):
        with pytest.raises(ValueError, match=r"totals=.*0 or 2 integers in a list, each 0\.\.100 in steps of 5"):
            totals.resolve({"totals": wrong})


def test_a_choice_is_one_of_many_values_of_several_types():
    field = Option("puzzle", 3, OneOf((3, 4, "green"), "3, 4 or green"), "which")
    assert [field.check("toy", value) for value in (3, 4, "green")] == [3, 4, "green"]
    for value in (5, "3", 3.0, True, "red"):
        with pytest.raises(
            ValueError, match=re.escape(f"toy: puzzle={value!r} is not allowed; allowed: 3, 4 or green")
        ):
            field.check("toy", value)
