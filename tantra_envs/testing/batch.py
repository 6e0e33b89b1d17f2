"""Checks over many tables at once: they play exactly as one by one, and never come to a dead end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.compiled.gate import new_gate
from ..core.game import Game
from ..core.state import States
from ..envs.batch import BatchEnv
from .play import ENDLESS, choose, where

GoesOn = Callable[[Game, States], dict[str, Any]]
WATCHED = 256  # tables that are watched for dead ends


def check_batch(game: Game, seed: int, tables: int = 3, goes_on: GoesOn | None = None) -> None:
    """`step_batch`, with ended tables dealt anew, against `apply_action` on tables of their own.

    Stops when every table was dealt anew at least once. `goes_on(game, ended)`: what the next deal at an ended table is
    given, as by `game.new`; nothing by default.
    """
    rng, actions = np.random.default_rng(seed), np.zeros(tables, np.int64)
    states, seeds = game.blanks(tables), seed + np.arange(tables)
    game.drivers.deal_rows(states, np.arange(tables), seeds)
    seeds += tables
    singles = [game.new(seed + i) for i in range(tables)]
    masks = np.stack([game.mask(single) for single in singles])
    shown = masks.copy()
    narrow, no_floats = np.zeros((tables, game.view.size), game.view.dtype), np.zeros((0, game.view.size), np.float32)
    rewards, ended, cut = np.zeros((tables, game.players)), np.zeros(tables, bool), np.zeros(tables, bool)
    dealt_anew = np.zeros(tables, int)
    for _ in range(ENDLESS):
        actions[:] = [choose(mask, rng) for mask in masks]
        floats = (game.view.factors, no_floats)
        arrays = (states, actions, seeds, narrow, *floats, masks, shown, rewards, ended, cut)
        assert game.drivers.step_batch(*arrays, 0, tables, new_gate(0), 1) < 0
        views = game.view.to_float(narrow)
        for i, single in enumerate(singles):
            game.apply_action(single, int(actions[i]))
            _check_end(game, single, rewards[i], bool(ended[i]), bool(cut[i]))
            if ended[i] or cut[i]:
                dealt_anew[i] += 1
                given = goes_on(game, single) if goes_on else {}
                singles[i] = game.new(seed + i + int(dealt_anew[i]) * tables, **given)
            _check_row(game, singles[i], states[i : i + 1], views[i], masks[i])
        if dealt_anew.all():
            return


def _check_end(game: Game, single: States, rewards: np.ndarray, ended: bool, cut: bool) -> None:
    s, at = single[0], where(game, single)
    assert ended == (s["over"] and not s["truncated"]), f"{at}: terminated={ended} in the batch"
    assert cut == s["truncated"], f"{at}: truncated={cut} in the batch"
    assert (rewards == s["rewards"][: game.players]).all(), f"{at}: rewards {rewards} in the batch"


def _check_row(game: Game, single: States, row: States, view: np.ndarray, mask: np.ndarray) -> None:
    at = f"{where(game, single)}, in the batch"
    assert row.tobytes() == single.tobytes(), f"{at}: another table"
    assert view.tobytes() == game.observation(single, int(single["seat"][0])).tobytes(), f"{at}: another view"
    assert mask.tobytes() == game.mask(single).tobytes(), f"{at}: another mask"


def check_no_dead_end(game: Game, decisions: int, seed: int = 0) -> int:
    """Play at least `decisions` at random; returns how many tables came to their ends. AssertionError at a dead end."""
    env, ended = BatchEnv(game, WATCHED, seed), 0
    for _ in range(-(-decisions // WATCHED)):
        stuck = np.flatnonzero(~env.action_masks.any(axis=1))
        assert not len(stuck), f"{where(game, env.states[stuck[:1]])}: no action is legal, but the game is not over"
        env.step(env.sample())
        ended += int(np.count_nonzero(env.terminations | env.truncations))
    return ended
