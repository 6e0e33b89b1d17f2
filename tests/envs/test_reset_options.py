"""Keys of `reset(options=...)`: a misspelt one gets a warning in every environment, a foreign one does not."""

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


def test_a_foreign_key_leaves_the_series_of_deals_as_it_is():
    """Tantra takes its Display Cards in order, also where a wrapper passes a key of its own."""
    for options in (None, {"episode_length": 3}):
        tables = tantra_envs.make_batch("tantra", 1, max_moves=1, display_order="numeric")
        seat = tantra_envs.make_seat_vector("tantra", 1, max_moves=1, display_order="numeric")
        seat.reset(seed=1)
        seat.step(seat.action_masks().argmax(axis=1))
        seat.reset(options=options)
        assert seat._states["display"][0] == tables.states["display"][0] + 1
