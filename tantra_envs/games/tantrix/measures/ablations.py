"""Tantrix: loops in the own colour."""

from __future__ import annotations

import numpy as np

from tantra_envs.ablations import Ablation, Bools
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.games.tantrix.loops import longest_loops


def ablations(game: Game) -> dict[str, Ablation]:
    """Return the ablations by name. Only in Strategy a seat has a colour of its own."""
    if game.config["mode"] != "strategy":
        return {}
    return {"loops": Ablation("never closes or lengthens a loop in its colour", _lengthening)}


def _lengthening(obs: Observation) -> Bools:
    """The placements after which the longest loop in the own colour is longer than before; all lies open."""
    tables, actions = np.nonzero(obs.action_mask)
    now = obs.determinize(1, np.random.default_rng(0))
    after, every = now[tables], np.arange(len(tables))
    obs.game.drivers.apply_rows(after, every, np.ascontiguousarray(actions))
    before, seats = longest_loops(now), obs.seat
    longer = longest_loops(after)[every, seats[tables]] > before[tables, seats[tables]]
    found = np.zeros(obs.action_mask.shape, bool)
    found[tables, actions] = longer
    return found
