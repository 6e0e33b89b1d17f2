"""Golden playthroughs: whole games as text, replayed line by line. A new one, for a variant say:

python -m tantra_envs.testing.golden tests/games/tantra/golden tantra:face --players 3 --seed 7
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
    for name, variant in tantra_envs.variants("tantra").items():
        rules = {**variant, "players": 4}
        found = [game for game in played if {**game, "players": 4} == {**tantra_envs.game("tantra", **rules).config}]
        assert found, f"the variant {name} has no golden playthrough"


def test_a_game_that_stops_early_is_noticed():
    lines = write(tantra_envs.game("tantra"), 3).splitlines()
    with pytest.raises(AssertionError, match="ends before the game"):
        replay("\n".join(lines[:30]))
