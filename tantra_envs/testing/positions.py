"""Checks of one table: its mask, action names, position, observations and scripted agent."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..core.game import Game, Player
from ..core.playouts import Playouts, chosen, standings
from ..core.state import States
from .play import expect, no_refusal, where

NO_ACTIONS: tuple[Any, ...] = (-1, None, "play", 1.5, True)
HORIZON = 1  # of a playout, in units of the clock of the scripted agent


def check_mask(game: Game, state: States) -> None:
    """Check that the mask is 0 or 1 in int8, with legal actions until the game is over and none after."""
    mask, at = game.mask(state), where(game, state)
    expect(mask.dtype == np.int8 and mask.shape == (game.actions.size,), f"{at}: mask {mask.dtype} {mask.shape}")
    expect(np.isin(mask, (0, 1)).all(), f"{at}: mask has {np.unique(mask)}")
    expect(mask.any() != bool(state["over"][0]), f"{at}: {mask.sum()} legal actions, over={state['over'][0]}")
    expect(0 <= state["seat"][0] < game.players, f"{at}: seat {state['seat'][0]} to decide")
    expect(not state["truncated"][0] or state["over"][0], f"{at}: truncated but not over")


def check_words(game: Game, state: States) -> None:
    """Check that every action id has a unique name, and that the name is parsed in any case and spacing."""
    at = where(game, state)
    for action in range(game.actions.size):
        name = game.action_name(state, action)
        for text in (name, f" {name.swapcase().replace(' ', '   ')} "):
            parsed = game.parse_action(state, text)
            expect(parsed == action, f"{at}: action {action} is {name!r}, {text!r} is {parsed}")


def check_position(game: Game, state: States) -> None:
    """Check that a full position restores the table byte for byte through JSON, and that a plain position is stable."""
    before, at = state.tobytes(), where(game, state)
    full = json.loads(json.dumps(game.position(state, full=True)))
    with no_refusal(f"{at}: the full position is refused"):
        rebuilt = game.from_position(full)
    expect(rebuilt.tobytes() == before, f"{at}: the full position gives another table")
    if not state["over"][0]:
        plain = game.position(state)
        with no_refusal(f"{at}: the position is refused"):
            again = game.position(game.from_position(plain))
        for field, value in plain.items():
            if field != "rewards":  # an action gave them, and a position has no last action
                expect(again[field] == value, f"{at}: position {field}: {value} becomes {again[field]}")
    expect(state.tobytes() == before, f"{at}: writing the position changed the table")


def check_views(game: Game, state: States) -> None:
    """Check that every seat's observation is float32 of the right size, and that each block is within its range."""
    for seat in range(game.players):
        view, at = game.observation(state, seat), f"{where(game, state)}: view of seat {seat}"
        expect(view.dtype == np.float32 and view.shape == (game.view.size,), f"{at}: {view.dtype} {view.shape}")
        for block in game.view:
            part = view[block.slice]
            inside = (part >= block.low) & (part <= block.high)  # nan fails both comparisons
            expect(inside.all(), f"{at}: {block.name} has {part[~inside]}, allowed {block.low}..{block.high}")


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


def check_scripted(game: Game, state: States) -> None:
    """Check the scripted agent, if the game has one, at a table (1,) where a seat decides.

    Raises:
        AssertionError: Its action is illegal or is not the first one that it rates highest, or a rating, `worth` or
            `standing` is not a number.
    """
    if game.player is None or state["over"][0] or not _plays(game, game.player):
        return
    at = f"{where(game, state)}: the scripted agent"
    known, mask = game.conceal(state, int(state["seat"][0])), game.mask(state)
    action = int(chosen(game, known, mask[None])[0])
    expect(0 <= action < len(mask) and mask[action], f"{at} chooses {action}; legal: {game.legal(state)}")
    ratings = Playouts(game).rate(known, mask[None])[0]
    expect((np.isfinite(ratings) == (mask == 1)).all(), f"{at} must rate illegal actions, and only these, with -inf")
    expect(ratings.argmax() == action, f"{at} chooses {action} but rates {int(ratings.argmax())} highest")
    worth = np.asarray(game.player.worth(game, known))
    expect(worth.shape == (1,) and np.isfinite(worth).all(), f"{at}: `worth` returns {worth!r} for one table")
    values = standings(game, state)
    expect(np.isfinite(values).all(), f"{at}: `standing` returns {values[0]}")
    Playouts(game).run(state.copy(), horizon=HORIZON)


def _plays(game: Game, player: Player) -> bool:
    """Return whether the scripted agent plays with the options of the game: those of Tantrix refuse some encodings."""
    try:
        player.prepare(game)
    except ValueError:
        return False
    return True
