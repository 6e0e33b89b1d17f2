"""Wrong positions, systematically: refused with a ValueError that names the field, or read and kept exactly."""

from __future__ import annotations

import pytest

import tantra_envs
from tantra_envs.testing import play

from ..fuzz_positions import check, wrong

GAME = tantra_envs.game("kanastic", episode="round", dense=True)
PLAIN = {
    "hands": ["KH QD 4C", "AH"],
    "known": ["KH"],
    "pile": "4H 5H",
    "stock": "3*7H AR",
    "tables": [{"ranks": {"8": "8H 8D 8C SW"}, "suit": ["6", "6G 7G AR 9G"]}],
    "taken": 2,
    "top_taken": "8C",
    "pick": "8",
}


def good_positions():
    """The last table in every phase of a round, and a plain one in the middle of a turn with the stack."""
    found = {"plain": PLAIN}
    for state in play(GAME, 3):
        position = GAME.position(state, full=True)
        found[position["phase"]] = position
    return found


@pytest.mark.parametrize("position", good_positions().values(), ids=good_positions())
def test_wrong_values_are_refused_by_name_or_kept(position):
    for field, value in wrong(position):
        check(GAME, position, field, value)
