"""Checks of one table: its mask, words, position and views."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..core.game import Game
from ..core.state import States
from .play import where

NO_ACTIONS: tuple[Any, ...] = (-1, None, "play", 1.5, True)


def check_mask(game: Game, state: States) -> None:
    """0/1 in int8 for every action: some legal until the game is over, none after."""
    mask, at = game.mask(state), where(game, state)
    assert mask.dtype == np.int8 and mask.shape == (game.actions.size,), f"{at}: mask {mask.dtype} {mask.shape}"
    assert np.isin(mask, (0, 1)).all(), f"{at}: mask has {np.unique(mask)}"
    assert mask.any() != bool(state["over"][0]), f"{at}: {mask.sum()} legal actions, over={state['over'][0]}"
    assert 0 <= state["seat"][0] < game.players, f"{at}: seat {state['seat'][0]} to decide"
    assert state["over"][0] or not state["truncated"][0], f"{at}: cut off but not over"


def check_words(game: Game, state: States) -> None:
    """Every action id has words of its own, and any case and spacing of them leads back to it."""
    for action in range(game.actions.size):
        name = game.action_name(state, action)
        for text in (name, f" {name.upper()} ", name.lower().replace(" ", "   ")):
            parsed = game.parse_action(state, text)
            assert parsed == action, f"{where(game, state)}: action {action} is {name!r}, {text!r} is {parsed}"


def check_position(game: Game, state: States) -> None:
    """A full position makes the table again byte for byte, through JSON; a plain one says the same again."""
    before, at = state.tobytes(), where(game, state)
    full = json.loads(json.dumps(game.position(state, full=True)))
    assert game.from_position(full).tobytes() == before, f"{at}: the full position makes another table"
    if not state["over"][0]:
        plain = game.position(state)
        again = game.position(game.from_position(plain))
        for field, value in plain.items():
            if field != "rewards":  # paid by an action, and a position has none behind it
                assert again[field] == value, f"{at}: position {field}: {value} becomes {again[field]}"
    assert state.tobytes() == before, f"{at}: writing the position changed the table"


def check_views(game: Game, state: States) -> None:
    """What every seat sees is float32 of the promised size, and each block keeps to its range."""
    for seat in range(game.players):
        view, at = game.observation(state, seat), f"{where(game, state)}: view of seat {seat}"
        assert view.dtype == np.float32 and view.shape == (game.view.size,), f"{at}: {view.dtype} {view.shape}"
        for block in game.view:
            part = view[block.slice]
            inside = (part >= block.low) & (part <= block.high)  # nan is inside nothing
            assert inside.all(), f"{at}: {block.name} has {part[~inside]}, allowed {block.low}..{block.high}"


def check_illegal_actions(game: Game, state: States) -> None:
    """Whatever the mask forbids, and whatever is no action at all, is refused and changes nothing."""
    before, at = state.tobytes(), where(game, state)
    forbidden = np.flatnonzero(game.mask(state) == 0).tolist()
    for action in (*forbidden, game.actions.size, *NO_ACTIONS):
        try:
            game.apply_action(state, action)
        except ValueError:
            assert state.tobytes() == before, f"{at}: the refused action {action!r} changed the table"
        else:
            raise AssertionError(f"{at}: the illegal action {action!r} was played")
