"""Keys of `reset(options=...)`: a misspelt one gets a warning in every environment, a foreign one does not."""

from __future__ import annotations

import warnings

import pytest

import tantra_envs

MAKERS = {
    "make_raw": lambda: tantra_envs.make_raw("karma"),
    "make": lambda: tantra_envs.make("karma"),
    "make_parallel": lambda: tantra_envs.make_parallel("karma"),
    "make_seat": lambda: tantra_envs.make_seat("karma"),
    "make_seat_vector": lambda: tantra_envs.make_seat_vector("karma", 2),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("key", "meant"), [("postion", "position"), ("Deck", "deck"), ("dealr", "dealer")])
def test_a_misspelt_key_gets_a_warning_that_names_the_right_one(maker, key, meant):
    with pytest.warns(UserWarning, match=rf"karma_v0: .* ignores '{key}'; did you mean '{meant}'\? Known keys: "):
        MAKERS[maker]().reset(seed=1, options={key: None})


@pytest.mark.parametrize("maker", MAKERS)
def test_known_and_foreign_keys_get_none(maker):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MAKERS[maker]().reset(seed=1, options={"position": None, "dealer": 0, "episode_length": 3, 7: "seven"})
