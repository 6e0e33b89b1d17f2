"""What a study notes about a game agrees with golden numbers.

The golden numbers were checked against positions, hand by hand. `python -m tests.benchmarks.study.golden` writes them
again.
"""

import numpy as np
import pytest

import tantra_envs
from benchmarks.study import tension
from tantra_envs.games import SHIPPED
from tantra_envs.measures import of_game

from . import golden


@pytest.mark.parametrize("name", golden.GAMES)
def test_notes_are_golden(name, tmp_path):
    """Every sum of every measure, by place."""
    known = golden.FILE.read_text(encoding="utf-8").splitlines()
    kept = [line for line in known if line.startswith(f"{name}, ")]
    assert len(kept) > 50 and golden.lines(name, tmp_path) == kept


def test_a_level_table_leaves_the_lead_where_it_was():
    standings = np.array([[[0, 0]], [[1, 0]], [[1, 1]], [[1, 2]], [[3, 2]], [[3, 2]]])
    holders = tension.holders(tension.sole_best(standing) for standing in standings)
    assert holders[:, 0].tolist() == [tension.NOBODY, 0, 0, 1, 0, 0]
    scores = np.array([[1.0, 0.0]])
    assert np.isnan(tension.score_of(holders[0], scores)[0])  # nobody has led at the deal
    assert [tension.score_of(holders[moment], scores)[0] for moment in (2, 3, 4)] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_has_measures_with_names_of_their_own(name):
    game = tantra_envs.game(name)
    names = [measure.name for measure in of_game(game).measures(game)]
    assert names and len(set(names)) == len(names)
