"""A game of pure chance: seats in turn choose one of some doors, and a coin decides who wins whatever they chose."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from tantra_envs.core.actions import Action, ActionBlocks
from tantra_envs.core.blocks import Block, ViewBlocks
from tantra_envs.core.compiled.jit import kernel
from tantra_envs.core.fields import Field, Fields, header
from tantra_envs.core.game import Game
from tantra_envs.core.options import Option, Options
from tantra_envs.core.positions import Positions
from tantra_envs.core.rng import below, seed_stream
from tantra_envs.core.state import Record, States
from tantra_envs.games import game_of


class Phase(IntEnum):
    """The phases of a game."""

    CHOOSE = 0
    OVER = 1


MOST = 20  # doors
LENGTH = 10  # actions of a game
PHASES = tuple(Phase.__members__)
OPTIONS = Options(
    "coin_game",
    Option("players", 2, range(2, 3), "seats"),
    Option("doors", 4, range(1, MOST + 1), "doors to choose from", stored=np.int16),
    Option("max_moves", 100, range(1, 1000), "actions until the game is truncated", stored=np.int16),
)
FIELDS = Fields("coin_game", *header(2), Field("opt", OPTIONS.record(), seen_by="all", doc="the options of the game"))
clear = FIELDS.clear
VIEW_BLOCKS = ViewBlocks(Block("over", 1, "1 = over"))
DOORS = tuple(str(door + 1) for door in range(MOST))
ACTIONS = ActionBlocks(Action("open", "open {door}", "open a door", "CHOOSE"), door=DOORS)


@kernel
def deal(s: Record, seed: int) -> None:
    """Draw the seat that begins."""
    seed_stream(s.rng, seed)
    clear(s)
    s.seat = below(s.rng, 2)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Allow the doors; in every third action only the first one."""
    for action in range(len(mask)):
        mask[action] = s.over == 0 and action < s.opt.doors and (s.plies % 3 != 2 or action == 0)


@kernel
def apply(s: Record, action: int) -> None:
    """Draw a number for the door. So the coin at the end differs from door to door, but its probability does not."""
    s.plies += 1
    for _ in range(action + 1):
        coin = below(s.rng, 2)
    if s.plies == LENGTH:
        s.rewards[coin] = 1.0
        s.rewards[1 - coin] = -1.0
        s.over = 1
        s.phase = Phase.OVER
    s.seat = 1 - s.seat


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Write whether the game is over."""
    view[0] = s.over


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Replace the random stream."""
    seed_stream(s.rng, seed)


def picture(game: Game, state: States, seat: int | None) -> str:
    """Return the number of actions."""
    return f"Chance, move {state['plies'][0]}"


def from_position(game: Game, given: Mapping[str, Any]) -> States:
    """Return the table of a position."""
    state = game.blank.copy()
    NOTATION.read(game, given, state)
    return state


NOTATION = Positions(FIELDS, "config phase cur rewards truncated moves")
position = NOTATION.write
build = game_of(__name__)
