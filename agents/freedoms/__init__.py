"""What a player of each game is free to do, by name, and the legal actions that go when it gives that up.

A game has its freedoms in a module of its name here, found by `freedoms_of`: `freedoms(game)` names them. A game
without such a module has none.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation

Bools = npt.NDArray[np.bool_]
Taking = Callable[[Observation], Bools]  # (k, actions): what is taken away at each of the k tables, legal there or not


class Freedom(NamedTuple):
    """Something a player may do or leave."""

    without: str  # what a player does that has given it up: "never buys"
    taking: Taking


def freedoms_of(game: Game) -> dict[str, Freedom]:
    """All freedoms of a game by name."""
    module = f"{__name__}.{game.id}"
    if importlib.util.find_spec(module) is None:
        return {}
    found: dict[str, Freedom] = importlib.import_module(module).freedoms(game)
    return found


def blocks(game: Game, *names: str) -> Bools:
    """The actions (actions,) of some blocks."""
    found = np.zeros(game.actions.size, bool)
    for name in names:
        found[game.actions[name].slice] = True
    return found


def never(actions: Bools, *phases: str) -> Taking:
    """These actions (actions,) go, in some phases or in all."""
    return lambda obs: actions & during(obs, phases)


def always(actions: Bools, *phases: str) -> Taking:
    """All others go wherever one of these actions (actions,) is legal, in some phases or in all."""

    def taking(obs: Observation) -> Bools:
        offered = (obs.action_mask.astype(bool) & actions).any(axis=1, keepdims=True)
        return np.asarray(~actions & offered & during(obs, phases))

    return taking


def during(obs: Observation, phases: tuple[str, ...]) -> Bools:
    """Which tables are in one of these phases of their game, (k, 1); in any without names."""
    if not phases:
        return np.ones((len(obs), 1), bool)
    first = obs.game.view["phase"].start
    lit = obs.observation[:, [first + obs.game.phases.index(name) for name in phases]] > 0
    return np.asarray(lit.any(axis=1, keepdims=True))
