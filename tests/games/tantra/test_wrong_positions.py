"""Wrong positions, systematically: refused with a ValueError that names the field, or read and kept exactly."""

from __future__ import annotations

import pytest

import tantra_envs
from tantra_envs.testing import play

from ..fuzz_positions import check, wrong
from .contract import BASE

GAME = tantra_envs.game("tantra", **{**BASE, "max_turns_per_player": 8})
CUT_OFF = tantra_envs.game("tantra", players=3, max_moves=30)
PAIRS = tantra_envs.game("tantra", players=3, auto_forced=False)
LAY_OFF = {  # half done, beside a kind and a run
    **{"display": 35, "hands": ["3H 4C", "3D", "3S"], "phase": "PLACE", "laid_turn": [8, 0, -1]},
    "build": {"mode": "lay off", "on": "1.1 low", "placed": ["5H"]},
    "sets": [{"seat": 1, "slot": 1, "run": "H", "start": 5, "cards": "5H 6H 7H 8H"},
             {"seat": 1, "slot": 0, "kind": "K", "cards": "KC KD KH KS"}],
}  # fmt: skip


def good_positions():
    """The last table in every phase of a game, cut off or not, and one in the middle of a lay-off."""
    found = {"lay off": (PAIRS, PAIRS.position(PAIRS.from_position(LAY_OFF), full=True))}
    for name, game in (("", GAME), ("cut off ", CUT_OFF)):
        for state in play(game, 1):
            position = game.position(state, full=True)
            found[name + position["phase"]] = game, position
    return found


@pytest.mark.parametrize(("game", "position"), good_positions().values(), ids=good_positions())
def test_wrong_values_are_refused_by_name_or_kept(game, position):
    for field, value in wrong(position):
        check(game, position, field, value)
