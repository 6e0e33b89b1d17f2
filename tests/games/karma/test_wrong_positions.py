"""Wrong positions, systematically: refused with a ValueError that names the field, or read and kept exactly."""

from __future__ import annotations

import pytest

import tantra_envs
from tantra_envs.testing import play

from ..fuzz_positions import check, wrong

GAME = tantra_envs.game("karma", players=3)
CUT_OFF = tantra_envs.game("karma", players=3, max_moves=9)


def good_positions():
    """The last table in every phase of a game, cut off or not, and a plain one."""
    plain = GAME.position(GAME.from_position({"hands": ["7 GIVE", "3", "TABLE"], "pile": "5 6"}))
    found = {"plain": (GAME, plain)}
    for name, game in (("", GAME), ("cut off ", CUT_OFF)):
        for state in play(game, 1):
            position = game.position(state, full=True)
            found[name + position["phase"]] = game, position
    return found


@pytest.mark.parametrize(("game", "position"), good_positions().values(), ids=good_positions())
def test_wrong_values_are_refused_by_name_or_kept(game, position):
    for field, value in wrong(position):
        check(game, position, field, value)
