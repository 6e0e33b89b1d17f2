"""Golden playthroughs: whole games as text, replayed line by line. A new one, for a variant say:

python -m tantra_envs.testing.golden tests/games/karma/golden karma:sixty --players 3 --seed 7
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.testing.golden import replay, write

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_goes_as_it_is_written(file):
    replay(file.read_text(encoding="utf-8"))


def test_every_variant_has_a_playthrough():
    played = [replay(file.read_text(encoding="utf-8")).config for file in FILES]
    for name, variant in tantra_envs.variants("karma").items():
        rules = {**variant, "players": 2}
        found = [game for game in played if {**game, "players": 2} == {**tantra_envs.game("karma", **rules).config}]
        assert found, f"the variant {name} has no golden playthrough"


@pytest.mark.parametrize(
    ("said", "instead", "problem"),
    [
        ("seat 0: ", "seat 1: ", "is to decide"),
        (": place ", ": play ", None),
        ("hand (6)", "hand (7)", "but the table shows"),
        ("rewards [", "rewards [5", "the game says"),
        ("result:", "# ", "the game says"),
        ("| gone: nothing\n", "", "but the table shows"),
        ("  |  face down", "\n  |  face down", "but the table shows"),
    ],
)
def test_a_changed_line_is_noticed(said, instead, problem):
    text = write(tantra_envs.game("karma", auto_setup=said == "result:"), 3)
    assert said in text
    if problem is None:
        replay(text.replace(said, instead, 1))  # the same action in the words of another phase
        return
    with pytest.raises(AssertionError, match=problem):
        replay(text.replace(said, instead, 1))


def test_a_game_that_stops_early_is_noticed():
    lines = write(tantra_envs.game("karma"), 3).splitlines()
    with pytest.raises(AssertionError, match="ends before the game"):
        replay("\n".join(lines[:30]))
