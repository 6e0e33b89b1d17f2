"""Golden playthroughs: whole games as text, replayed line by line. A new one, for a variant say:

python -m tantra_envs.testing.golden tests/games/kanastic/golden kanastic:duel --seed 7
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.testing.golden import replay

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_goes_as_it_is_written(file):
    replay(file.read_text(encoding="utf-8"))


def test_every_variant_has_a_playthrough():
    played = [replay(file.read_text(encoding="utf-8")).config for file in FILES]
    for name, variant in tantra_envs.variants("kanastic").items():
        rules = {**variant, "players": 2}
        found = [game for game in played if {**game, "players": 2} == {**tantra_envs.game("kanastic", **rules).config}]
        assert found, f"the variant {name} has no golden playthrough"
