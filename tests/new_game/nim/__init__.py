"""Nim where nobody may take as many as were taken last: a whole game in one file."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.actions import Action, ActionBlocks
from ...core.blocks import Block, ViewBlocks
from ...core.compiled.jit import kernel
from ...core.fields import Field, Fields, header
from ...core.game import Game
from ...core.notation import Number
from ...core.options import Config, Option, Options
from ...core.positions import Positions
from ...core.rng import below, seed_stream
from ...core.state import Record, States
from .. import game_of

MOST = 3  # tokens that one action can take


class Phase(IntEnum):
    """The phases of a game."""

    TAKE = 0
    OVER = 1


# Options, the record of a table, actions, and the numbers of an observation

PHASES = tuple(Phase.__members__)
OPTIONS = Options(
    "nim",
    Option("players", 2, range(2, 3), "seats at the heap"),
    Option("heap", 12, range(1, 100), "tokens in the beginning", stored=np.int16),
    Option("max_moves", 100, range(1, 1000), "actions until the game is truncated", stored=np.int16),
)
FIELDS = Fields(
    "nim",
    *header(2),
    Field("opt", OPTIONS.record(), seen_by="all", doc="the options of the game"),
    Field("left", np.int16, within=(0, "heap"), notation=Number(), seen_by="all", doc="tokens left"),
    Field("last", np.int8, within=(1, MOST), notation=Number(), seen_by="all", doc="tokens taken last"),
)
clear = FIELDS.clear
ACTIONS = ActionBlocks(Action("take", "take {number}", "take i + 1 tokens", "TAKE"), number=("1", "2", "3"))


def view_blocks(config: Config) -> ViewBlocks:
    """Return the blocks of the observation under a configuration."""
    return ViewBlocks(
        Block("left", 1, "tokens left / heap", scale=config["heap"], of=lambda k: k["left"]),
        Block("last", 1, "taken last / 3", scale=MOST, of=lambda k: k["last"]),
        Block("turn", 1, "1 = to decide", of=lambda k: (k["over"] == 0) & (k["seat"] == 0)),
        Block("over", 1, "1 = over", of=lambda k: k["over"]),
    )


# Rules


@kernel
def deal(s: Record, seed: int) -> None:
    """Fill the heap and draw the seat that begins."""
    seed_stream(s.rng, seed)
    clear(s)
    s.left = s.opt.heap
    s.last = MOST  # so the first action may not take three
    s.seat = below(s.rng, 2)
    s.phase = Phase.TAKE


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Allow all numbers up to the heap, except the number taken last unless it takes the rest."""
    for action in range(len(mask)):
        mask[action] = s.over == 0 and (action + 1 == s.left or (action + 1 < s.left and action + 1 != s.last))


@kernel
def apply(s: Record, action: int) -> None:
    """Take tokens; the last token wins."""
    s.plies += 1
    s.left -= action + 1
    s.last = action + 1
    s.truncated = s.left > 0 and s.plies >= s.opt.max_moves
    if s.left == 0:
        s.rewards[s.seat] = 1.0
        s.rewards[1 - s.seat] = -1.0
    if s.left == 0 or s.truncated:
        s.over = 1
        s.phase = Phase.OVER
    else:
        s.seat = 1 - s.seat


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Write the observation of `seat` into `view`. `s` is the whole table: leave out what `seat` may not see."""
    view[0] = s.left
    view[1] = s.last
    view[2] = s.over == 0 and seat == s.seat
    view[3] = s.over


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Replace what `seat` cannot know, or with ALL_SEATS (-1) what no seat knows: in Nim only the random stream."""
    seed_stream(s.rng, seed)


# The scripted agent


SEARCH = {"samples": 8}


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the scratch record of `rate`, shape (1,). Nim needs none."""
    return np.zeros(1, np.dtype([("unused", np.int64)]))


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Write the value of every legal action, 1 for leaving a multiple of four; -inf for illegal ones."""
    for action in range(len(mask)):
        is_good = (known.left - action - 1) % (MOST + 1) == 0
        values[action] = -np.inf if mask[action] == 0 else 1.0 if is_good else 0.0


@kernel
def clock(s: Any) -> int:
    """Return the unit of horizons: actions so far."""
    return int(s.plies)


@kernel
def standing(s: Any, seat: int) -> float:
    """Return the expected reward of a seat in a stopped playout: always even."""
    return 0.0


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the reward of each table, or 0.5 where the other seat is left a multiple of four."""
    good = (known["over"] == 0) & (known["seat"] != 0) & (known["left"] % (MOST + 1) == 0)
    return np.asarray(known["rewards"][:, 0] + 0.5 * good)


# Words and positions


def picture(game: Game, state: States, seat: int | None) -> str:
    """Return the heap as text. `state` is what `seat` sees, and all of it if `seat` is None."""
    s = state[0]
    return f"Nim, move {s['plies']}, {PHASES[s['phase']]}, seat {s['seat']}: {'o' * int(s['left'])}"


def from_position(game: Game, given: Mapping[str, Any]) -> States:
    """Return the table of a position; raise ValueError with the field that is wrong."""
    state = game.blank.copy()
    state["left"], state["last"] = game.config["heap"], MOST
    NOTATION.read(game, given, state)
    return state


NOTATION = Positions(FIELDS, "config phase cur rewards truncated left last moves")
position = NOTATION.write
build = game_of(__name__)
