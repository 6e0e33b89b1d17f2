"""Wrong seats, variants and moments are refused in one line, and integers of NumPy are integers."""

import pytest

import tantra_envs

GAME = tantra_envs.game("karma", players=3)


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
