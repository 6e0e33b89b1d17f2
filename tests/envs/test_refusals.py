"""Wrong arguments, seats and variants are refused in one line."""

import inspect
import re

import numpy as np
import pytest

import tantra_envs
from tantra_envs import puzzles
from tantra_envs.adapters.episodes import Episodes
from tantra_envs.adapters.text import TextTable
from tantra_envs.core.options import shown
from tantra_envs.matches.match import play_match
from tantra_envs.opponents import opponent

GAME = tantra_envs.game("karma")
CALLS = {
    tantra_envs.make_raw: {"name": "karma"},
    tantra_envs.make_batch: {"name": "karma", "n": 2},
    tantra_envs.make_seat: {"name": "karma"},
    tantra_envs.make_seat_vector: {"name": "karma"},
    TextTable: {"game": GAME},
    Episodes: {"task": "play karma"},
    puzzles.make: {"kind": "karma/win"},
    play_match: {"game": GAME, "agents": [opponent("uniform", GAME)] * 2, "lineup": [0, 1], "deals": 1},
}
SWITCHES = ("flat", "skip_forced", "score_reward", "team", "mask_in_observation")
WRONG = {
    **dict.fromkeys(("n", "num_envs", "threads", "deals"), (0, -1, 2.0, True, "1", None)),
    **dict.fromkeys(("seed", "retries"), (-1, 1.5, True, "1")),
    **dict.fromkeys(SWITCHES, (1, 0, None, "yes", np.True_)),
    "seat": (-1, 2, 0.0, True, "0", (0.5,)),
    "view": ("mine", None, ["observation"]),
    "observation_dtype": ("int8", None, np.float32),
    "illegal_reward": ("-1", True, np.True_, np.nan, np.float32("inf"), [0], 1j, 10**30, 1e30, 10**400, 10**5000),
}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_an_argument_that_is_not_allowed_is_refused_with_what_is(call):
    for name in inspect.signature(call).parameters.keys() & WRONG.keys():
        for value in WRONG[name]:
            with pytest.raises(ValueError, match=re.escape(f"{name}={shown(value)} is not allowed; allowed: ")):
                call(**{**CALLS[call], name: value})


@pytest.mark.parametrize(
    ("name", "config", "fitting"),
    [
        ("karma", {"players": 6}, ["decks=2", "karma:party", "karma:sixty"]),
        ("karma:booklet", {"players": 6}, ["karma:party"]),
        ("tantrix", {"players": 6}, ["tantrix:gobble"]),
        ("tantrix", {"players": 1}, ["tantrix:solitaire", "tantrix:daily"]),
    ],
)
def test_refused_seats_name_the_variants_that_allow_them(name, config, fitting):
    with pytest.raises(ValueError, match="players=") as refused:
        tantra_envs.game(name, **config)
    assert all(word in str(refused.value) for word in fitting) and "\n" not in str(refused.value)
    for words in fitting:
        if ":" in words:
            assert tantra_envs.game(words, **config).players == config["players"]


@pytest.mark.parametrize(
    ("name", "config"), [("tarot", {"players": 4}), ("karma", {"players": 6, "copies": 9}), ("karma", {"dealer": 7})]
)
def test_where_no_variant_helps_none_is_named(name, config):
    with pytest.raises(ValueError, match="is not allowed") as refused:
        tantra_envs.game(name, **config)
    assert f"{name}:" not in str(refused.value).removeprefix(f"{name}:")
