"""Ablations: named options that an agent can be denied. An ablation removes legal actions.

A game defines its ablations in `games/<game>/measures/ablations.py`; `of_game` loads them. A game without that file has
no ablations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .core.game import Game
from .core.observation import Observation
from .extras import module_of

Bools = npt.NDArray[np.bool_]
Taking = Callable[[Observation], Bools]  # (k, actions): the actions to remove at each of the k tables, legal or not


class Ablation(NamedTuple):
    """An option that an agent can be denied."""

    without: str  # how an agent plays without it: "never buys"
    taking: Taking


def of_game(game: Game) -> dict[str, Ablation]:
    """Return all ablations of a game by name."""
    own = module_of(game, "measures.ablations")
    ablations: dict[str, Ablation] = own.ablations(game) if own else {}
    return ablations


def blocks(game: Game, *names: str) -> Bools:
    """Return the actions of some blocks, shape (actions,)."""
    actions = np.zeros(game.actions.size, bool)
    for name in names:
        actions[game.actions[name].slice] = True
    return actions


def never(actions: Bools, *phases: str) -> Taking:
    """Remove these actions (actions,) in some phases; without phases, in all."""
    return lambda obs: actions & during(obs, phases)


def always(actions: Bools, *phases: str) -> Taking:
    """Remove all other actions wherever one of these (actions,) is legal, in some phases; without phases, in all."""

    def taking(obs: Observation) -> Bools:
        offered = (obs.action_mask.astype(bool) & actions).any(axis=1, keepdims=True)
        return np.asarray(~actions & offered & during(obs, phases))

    return taking


def during(obs: Observation, phases: tuple[str, ...]) -> Bools:
    """Return whether each table is in one of these phases, shape (k, 1); all True if no phase is named."""
    if not phases:
        return np.ones((len(obs), 1), bool)
    first = obs.game.view["phase"].start
    lit = obs.observation[:, [first + obs.game.phases.index(name) for name in phases]] > 0
    return np.asarray(lit.any(axis=1, keepdims=True))
