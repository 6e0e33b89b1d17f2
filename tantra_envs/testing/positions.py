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
    assert mask.dtype == np.int8 and mask.shape == (game.actions.size,), f"{at}: mask {mask.dtype} {mask.shape}"
    assert np.isin(mask, (0, 1)).all(), f"{at}: mask has {np.unique(mask)}"
    assert mask.any() != bool(state["over"][0]), f"{at}: {mask.sum()} legal actions, over={state['over'][0]}"
    assert 0 <= state["seat"][0] < game.players, f"{at}: seat {state['seat'][0]} to decide"
    assert state["over"][0] or not state["truncated"][0], f"{at}: truncated but not over"


def check_words(game: Game, state: States) -> None:
    """Check that every action id has a unique name, and that the name is parsed in any case and spacing."""
    for action in range(game.actions.size):
        name = game.action_name(state, action)
        for text in (name, f" {name.swapcase().replace(' ', '   ')} "):
            parsed = game.parse_action(state, text)
            assert parsed == action, f"{where(game, state)}: action {action} is {name!r}, {text!r} is {parsed}"


def check_position(game: Game, state: States) -> None:
    """Check that a full position restores the table byte for byte through JSON, and that a plain position is stable."""
    before, at = state.tobytes(), where(game, state)
    full = json.loads(json.dumps(game.position(state, full=True)))
    with no_refusal(f"{at}: the full position is refused"):
        rebuilt = game.from_position(full)
    assert rebuilt.tobytes() == before, f"{at}: the full position gives another table"
    if not state["over"][0]:
        plain = game.position(state)
        with no_refusal(f"{at}: the position is refused"):
            again = game.position(game.from_position(plain))
        for field, value in plain.items():
            if field != "rewards":  # an action gave them, and a position has no last action
                assert again[field] == value, f"{at}: position {field}: {value} becomes {again[field]}"
    assert state.tobytes() == before, f"{at}: writing the position changed the table"


def check_views(game: Game, state: States) -> None:
    """Check that every seat's observation is float32 of the right size, and that each block is within its range."""
    for seat in range(game.players):
        view, at = game.observation(state, seat), f"{where(game, state)}: view of seat {seat}"
        assert view.dtype == np.float32 and view.shape == (game.view.size,), f"{at}: {view.dtype} {view.shape}"
        for block in game.view:
            part = view[block.slice]
            inside = (part >= block.low) & (part <= block.high)  # nan fails both comparisons
            assert inside.all(), f"{at}: {block.name} has {part[~inside]}, allowed {block.low}..{block.high}"


def check_illegal_actions(game: Game, state: States) -> None:
    """Check that illegal actions, and values that are not actions, raise ValueError and change nothing."""
    before, at = state.tobytes(), where(game, state)
    forbidden = np.flatnonzero(game.mask(state) == 0).tolist()
    for action in (*forbidden, game.actions.size, *NO_ACTIONS):
        try:
            game.apply_action(state, action)
        except ValueError:
            assert state.tobytes() == before, f"{at}: the refused action {action!r} changed the table"
        else:
            raise AssertionError(f"{at}: the illegal action {action!r} was played")
