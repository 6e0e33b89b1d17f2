"""Golden playthroughs: whole games as text, replayed line by line. A new one, for a variant say:

python -m tantra_envs.testing.golden tests/games/tantrix/golden tantrix:points --seed 7
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
    played = [{**replay(file.read_text(encoding="utf-8")).config, "players": 0} for file in FILES]
    for name, variant in tantra_envs.variants("tantrix").items():
        rules = {**tantra_envs.game("tantrix", **variant).config, "players": 0}
        assert rules in played, f"the variant {name} has no golden playthrough"
