"""Golden playthroughs: whole games as text, replayed line by line. A new one, for a variant say:

python -m tantra_envs.testing.golden tests/games/tarot/golden tarot:best --players 3 --seed 7
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


def test_every_variant_has_a_playthrough_and_both_numbers_of_players_have():
    configs = [replay(file.read_text(encoding="utf-8")).config for file in FILES]
    assert {config["players"] for config in configs} == {2, 3}
    for name in tantra_envs.variants("tarot"):
        wanted = {**tantra_envs.game("tarot", name).config, "players": 2}
        assert any({**config, "players": 2} == wanted for config in configs), f"{name} has no golden playthrough"
