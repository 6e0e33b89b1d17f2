"""Checks of one table: its mask, action names, position and observations."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..core.game import Game
from ..core.state import States
from .play import no_refusal, where

NO_ACTIONS: tuple[Any, ...] = (-1, None, "play", 1.5, True)


def check_mask(game: Game, state: States) -> None:
    """Check that the mask is 0 or 1 in int8, with legal actions until the game is over and none after."""
    mask, at = game.mask(state), where(game, state)
    if mask.dtype != np.int8 or mask.shape != (game.actions.size,):
        raise AssertionError(f"{at}: mask {mask.dtype} {mask.shape}")
    if not np.isin(mask, (0, 1)).all():
        raise AssertionError(f"{at}: mask has {np.unique(mask)}")
    if mask.any() == bool(state["over"][0]):
        raise AssertionError(f"{at}: {mask.sum()} legal actions, over={state['over'][0]}")
    if not 0 <= state["seat"][0] < game.players:
        raise AssertionError(f"{at}: seat {state['seat'][0]} to decide")
    if state["truncated"][0] and not state["over"][0]:
        raise AssertionError(f"{at}: truncated but not over")


def check_words(game: Game, state: States) -> None:
    """Check that every action id has a unique name, and that the name is parsed in any case and spacing."""
    for action in range(game.actions.size):
        name = game.action_name(state, action)
        for text in (name, f" {name.swapcase().replace(' ', '   ')} "):
            parsed = game.parse_action(state, text)
            if parsed != action:
                raise AssertionError(f"{where(game, state)}: action {action} is {name!r}, {text!r} is {parsed}")


def check_position(game: Game, state: States) -> None:
    """Check that a full position restores the table byte for byte through JSON, and that a plain position is stable."""
    before, at = state.tobytes(), where(game, state)
    full = json.loads(json.dumps(game.position(state, full=True)))
    with no_refusal(f"{at}: the full position is refused"):
        rebuilt = game.from_position(full)
    if rebuilt.tobytes() != before:
        raise AssertionError(f"{at}: the full position gives another table")
    if not state["over"][0]:
        plain = game.position(state)
        with no_refusal(f"{at}: the position is refused"):
            again = game.position(game.from_position(plain))
        for field, value in plain.items():
            if field != "rewards":  # an action gave them, and a position has no last action
                if again[field] != value:
                    raise AssertionError(f"{at}: position {field}: {value} becomes {again[field]}")
    if state.tobytes() != before:
        raise AssertionError(f"{at}: writing the position changed the table")


def check_views(game: Game, state: States) -> None:
    """Check that every seat's observation is float32 of the right size, and that each block is within its range."""
    for seat in range(game.players):
        view, at = game.observation(state, seat), f"{where(game, state)}: view of seat {seat}"
        if view.dtype != np.float32 or view.shape != (game.view.size,):
            raise AssertionError(f"{at}: {view.dtype} {view.shape}")
        for block in game.view:
            part = view[block.slice]
            inside = (part >= block.low) & (part <= block.high)  # nan fails both comparisons
            if not inside.all():
                raise AssertionError(f"{at}: {block.name} has {part[~inside]}, allowed {block.low}..{block.high}")


def check_illegal_actions(game: Game, state: States) -> None:
    """Check that illegal actions, and values that are not actions, raise ValueError and change nothing."""
    before, at = state.tobytes(), where(game, state)
    forbidden = np.flatnonzero(game.mask(state) == 0).tolist()
    for action in (*forbidden, game.actions.size, *NO_ACTIONS):
        try:
            game.apply_action(state, action)
        except ValueError:
            if state.tobytes() != before:
                raise AssertionError(f"{at}: the refused action {action!r} changed the table") from None
        else:
            raise AssertionError(f"{at}: the illegal action {action!r} was played")
