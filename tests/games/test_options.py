"""Values of options that do not go together, or are out of the range of their game, are refused by name."""

import pytest

import tantra_envs


@pytest.mark.parametrize(
    ("name", "config", "words"),
    [
        ("tantrix", {"players": 1}, r"players=1 is not allowed with mode='strategy'; allowed: 2\.\.4"),
        ("tantrix", {"mode": "solitaire", "players": 2}, "players=2 is not allowed with mode='solitaire'; allowed: 1"),
        ("tantrix", {"players": 5}, "players=5"),
        ("tantrix", {"mode": "chess"}, "mode='chess'"),
        ("tantrix", {"mode": ["gobble"]}, "mode="),
        ("tantrix", {"players": 4, "colours": "RYG"}, "colours='RYG'"),
        ("tantrix", {"encoding": "window", "window": 13}, r"15\.\.57 in steps of 2"),
        ("tantrix", {"encoding": "window", "window": 30}, "window=30"),
        ("tantrix", {"mode": "gobble", "encoding": "window", "window": 29}, r"31\.\.57"),
        ("tantrix", {"encoding": "walk"}, "encoding='walk'"),
        ("tarot", {"dealer": 2}, r"dealer=2 is not allowed; allowed: -1\.\.1"),
        ("tarot", {"max_hands": 101}, "max_hands=101"),  # the record has room for 100
    ],
    ids=str,
)
def test_options_are_refused_by_name(name, config, words):
    with pytest.raises(ValueError, match=words):
        tantra_envs.game(name, **config)
