"""Ablations of Tantrix: loops in the seat's own colour."""

from __future__ import annotations

import numpy as np

from tantra_envs.ablations import Ablation, Bools
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.games.tantrix.measures.loops import longest_loops


def ablations(game: Game) -> dict[str, Ablation]:
    """Return the ablations by name. Only Strategy has any, because only there a seat has its own colour."""
    if game.config["mode"] != "strategy":
        return {}
    return {"loops": Ablation("never closes or lengthens a loop in its own colour", _lengthening)}


def _lengthening(obs: Observation) -> Bools:
    """Return which legal placements lengthen the longest loop in the seat's own colour, shape (k, actions)."""
    tables, actions = np.nonzero(obs.action_mask)
    now = obs.known  # the deciding seat is seat 0
    after, every = now.take(tables), np.arange(len(tables))
    obs.game.drivers.apply_rows(after, every, np.ascontiguousarray(actions))
    lengthening = np.zeros(obs.action_mask.shape, bool)
    if not len(tables):
        return lengthening
    lengthening[tables, actions] = longest_loops(after)[:, 0] > longest_loops(now)[tables, 0]
    return lengthening
