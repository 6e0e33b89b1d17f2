"""Checks of many tables at once: they play exactly like single tables, and always have a legal action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.game import Game
from ..core.state import States
from ..envs.batch import BatchEnv
from .play import ENDLESS, choose, expect, where

GoesOn = Callable[[Game, States], dict[str, Any]]
WATCHED = 256  # tables that the search for dead ends plays


def check_batch(game: Game, seed: int, tables: int = 3, goes_on: GoesOn | None = None) -> None:
    """Check that `step_batch`, which deals again after an end, equals `apply_action` on single tables.

    It stops when every table has been dealt again at least once. `goes_on(game, ended)` returns the options of the next
    deal after `ended`, as arguments of `game.new`; by default there are none.
    """
    rng, actions = np.random.default_rng(seed), np.zeros(tables, np.int64)
    states, seeds = game.blanks(tables), seed + np.arange(tables)
    game.drivers.deal_rows(states, np.arange(tables), seeds)
    seeds += tables
    singles = [game.new(seed + i) for i in range(tables)]
    masks = np.stack([game.mask(single) for single in singles])
    mask_copies = masks.copy()
    narrow, no_floats = np.zeros((tables, game.view.size), game.view.dtype), np.zeros((0, game.view.size), np.float32)
    rewards, ended, truncated = np.zeros((tables, game.players)), np.zeros(tables, bool), np.zeros(tables, bool)
    deals = np.zeros(tables, int)
    for _ in range(ENDLESS):
        actions[:] = [choose(mask, rng) for mask in masks]
        floats = (game.view.factors, no_floats)
        arrays = (states, actions, seeds, narrow, *floats, masks, mask_copies, rewards, ended, truncated)
        illegal = game.drivers.step_batch(*arrays, 1, 0, tables)
        if illegal >= 0:
            at = where(game, singles[illegal])
            raise AssertionError(f"{at}: action {actions[illegal]} of its mask is illegal in the batch")
        views = game.view.to_float(narrow)
        for i, single in enumerate(singles):
            game.apply_action(single, int(actions[i]))
            _check_end(game, single, rewards[i], bool(ended[i]), bool(truncated[i]))
            if ended[i] or truncated[i]:
                deals[i] += 1
                deal_options = goes_on(game, single) if goes_on else {}
                singles[i] = game.new(seed + i + int(deals[i]) * tables, **deal_options)
            _check_row(game, singles[i], states[i : i + 1], views[i], masks[i])
        if deals.all():
            return


def _check_end(game: Game, single: States, rewards: np.ndarray, ended: bool, truncated: bool) -> None:
    s, at = single[0], where(game, single)
    expect(ended == (s["over"] and not s["truncated"]), f"{at}: terminated={ended} in the batch")
    expect(truncated == s["truncated"], f"{at}: truncated={truncated} in the batch")
    expect((rewards == s["rewards"][: game.players]).all(), f"{at}: rewards {rewards} in the batch")


def _check_row(game: Game, single: States, row: States, view: np.ndarray, mask: np.ndarray) -> None:
    at = f"{where(game, single)}, in the batch"
    expect(row.tobytes() == single.tobytes(), f"{at}: the table differs")
    expect(
        view.tobytes() == game.observation(single, int(single["seat"][0])).tobytes(), f"{at}: the observation differs"
    )
    expect(mask.tobytes() == game.mask(single).tobytes(), f"{at}: the mask differs")


def check_no_dead_end(game: Game, decisions: int, seed: int = 0) -> int:
    """Play at least `decisions` at random and return the number of ended games.

    Raises:
        AssertionError: A table has no legal action but its game is not over.
    """
    env, ended = BatchEnv(game, WATCHED, seed), 0
    for _ in range(-(-decisions // WATCHED)):
        stuck = np.flatnonzero(~env.action_masks.any(axis=1))
        if len(stuck):
            raise AssertionError(f"{where(game, env.states[stuck[:1]])}: no action is legal, but the game is not over")
        env.step(env.sample())
        ended += int(np.count_nonzero(env.terminations | env.truncations))
    return ended
