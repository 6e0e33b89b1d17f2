"""Tantrix in plain sentences: questions, actions and their effects, in every mode, see `words.sentences`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....words.english import capital, counted, listed, mentioned, number
from ..actions import BONUSES
from ..material import COLOURS, DIRECTIONS, SIDES, turned
from ..state import Mode, Phase
from . import boards, placements
from .events import events

SECRET: frozenset[str] = frozenset()  # phases in which others do not see the action of a seat
COLOUR_NAMES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
WHERE = ("above right of", "right of", "below right of", "below left of", "left of", "above left of")
WAITS = {
    "FILL": "filling a gobble",
    "FREE": "laying a tile",
    "REFILL": "filling gobbles again",
    "PLACE": "laying a tile",
    "BONUS": "deciding about a penalty tile",
    "OFFLOAD": "giving a tile away",
}
THUMB = "fill gobbles, and lengthen your line more than those of the others"  # of the scripted agent


# Questions


def question(game: Game, state: States, names: Sequence[str]) -> str:
    """Return what the seat to decide is asked."""
    s, phase = state[0], Phase(int(state["phase"][0]))
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return _of_puzzle(game, state)
    if phase in (Phase.FILL, Phase.REFILL):
        return "One of your tiles fits a gobble: fill it."
    if phase == Phase.OFFLOAD:
        return "You filled a gobble: which tile do you give away, and to whom?"
    if phase == Phase.BONUS:
        return _of_bonus(game, state)
    if s["opt"]["mode"] == Mode.STRATEGY:
        return "Lay one of your tiles where it matches." if s["placed"] else "Lay the first tile in the middle."
    if s["opt"]["mode"] == Mode.GOBBLE and game.players > 1:
        return _of_race(game, state)
    return _of_tile(s, s["hands"][0, 0], s["opt"]["mode"] == Mode.GOBBLE)


def _of_puzzle(game: Game, state: States) -> str:
    s = state[0]
    blocks = {game.actions.at(action).name for action in game.legal(state)}
    if "place" not in blocks:
        return "No tile can be laid: take one up."
    left = int(s["opt"]["kit_n"]) - int(s["placed"])
    end = " at the open end of the loop" if s["opt"]["walk"] else ""
    return f"Lay a tile of the kit{end}{', or take one up' if 'remove' in blocks else ''}: {number(left)} left to lay."


def _of_bonus(game: Game, state: States) -> str:
    play = game.actions["bonus"].start + BONUSES.index("play") in game.legal(state)
    ways = [
        f"keep tile {_penalty(state[0])} on the penalty stack",
        "put it back among the tiles to come",
        *(["play it"] if play else []),
    ]
    return f"You filled a gobble: {listed(ways, 'or')}?"


def _of_race(game: Game, state: States) -> str:
    s = state[0]
    blocks = {game.actions.at(action).name for action in game.legal(state)}
    tile, penalty = int(s["hands"][s["seat"], 0]), _penalty(s)
    ways = {
        "place": f"lay tile {tile} beside two or more tiles",
        "penalty": f"lay tile {penalty} of the penalty stack into a gobble",
        "discard": f"discard tile {tile}",
        "pass": "pass, because no tile can be laid",
    }
    sentence = listed([way for block, way in ways.items() if block in blocks], "or")
    return f"{capital(sentence)}{'?' if len(blocks) > 1 else '.'}"


def _of_tile(s: Any, tile: int, joins: bool) -> str:
    """Return the question of a game for one, where every tile has to be laid."""
    if joins:
        return f"Lay tile {tile} beside two or more tiles."
    return (
        f"Lay tile {tile} where it matches; a gobble that it fits comes first." if s["placed"] else f"Lay tile {tile}."
    )


def _penalty(s: Any) -> int:
    """Return the top of the penalty stack of the seat to decide, 0 = none."""
    n = int(s["penalty_n"][s["seat"]])
    return int(s["penalty"][s["seat"], n - 1]) if n else 0


# Actions


def action_words(game: Game, state: States, action: int, names: Sequence[str]) -> str:
    """Return an action as a phrase."""
    s, block = state[0], game.actions.at(action)
    if block.name in ("place", "penalty"):
        placement = placements.decode(game, state, action)
        return _laying(s, *placement, of_stack=block.name == "penalty") if placement else "do nothing"
    k = action - block.start
    if block.name == "bonus":
        tile = _penalty(s)
        ways = (f"keep tile {tile} on the penalty stack", f"put tile {tile} back among the tiles to come")
        return (*ways, f"play tile {tile}")[k]
    if block.name == "remove":
        return f"take up tile {s['opt']['kit'][k]}"
    if block.name in ("give pile", "give penalty"):
        receiver = mentioned(names, (int(s["seat"]) + 1 + k) % game.players)
        return f"give {_gift(s, block.name)} to {receiver}"
    return "pass" if block.name == "pass" else f"discard tile {s['hands'][s['seat'], 0]} onto the penalty stack"


def _gift(s: Any, block: str) -> str:
    if block == "give penalty":
        return f"tile {_penalty(s)} of the penalty stack"
    return "the top tile of the pile" if s["piles_n"][s["seat"]] else f"tile {s['hands'][s['seat'], 0]}"


def _laying(s: Any, tile: int, q: int, r: int, rot: int, *, of_stack: bool) -> str:
    """Return a placement: where the tile lies beside others, which end it continues, and how it is turned."""
    which = f"tile {tile}{' of the penalty stack' if of_stack else ''}"
    turn = f", turned by {60 * rot}°" if rot else ""
    row, beside = _row(s, q, r), _beside(s, q, r)
    if row:
        return f"lay {which} in {row}{turn}"
    if not beside:
        return f"lay {which} in the middle{turn}"
    sides = turned(tile, rot)
    wanted = _wanted(s)
    d = next((d for d in beside if sides[d] == wanted), next(iter(beside)))
    where = f"{WHERE[(d + SIDES // 2) % SIDES]} tile {beside[d]} at its {COLOUR_NAMES[sides[d]]} end"
    others = [str(other) for e, other in beside.items() if e != d]
    more = f", beside tile{'s' if len(others) > 1 else ''} {listed(others)}" if others else ""
    return f"lay {which} {where}{more}{turn}"


def _beside(s: Any, q: int, r: int) -> dict[int, int]:
    """Return the tiles beside a cell, by direction."""
    laid = {boards.place_of(cell): tile for tile, cell in enumerate(s["cell"].tolist()) if tile and cell}
    around = {d: laid.get((q + dq, r + dr), 0) for d, (dq, dr) in enumerate(DIRECTIONS)}
    return {d: tile for d, tile in around.items() if tile}


def _row(s: Any, q: int, r: int) -> str:
    """Return a cell of a puzzle with a shape, counted from its upper left; "" in other modes."""
    cells = [boards.place_of(cell) for cell in s["opt"]["cells"][: s["opt"]["cells_n"]].tolist()]
    if not cells:
        return ""
    rows = sorted({row for _, row in cells})
    return f"row {rows.index(r) + 1}, place {sorted(col for col, row in cells if row == r).index(q) + 1}"


def _wanted(s: Any) -> str:
    """Return the letter of the colour that counts for the seat to decide; "" if every colour may count."""
    mode = int(s["opt"]["mode"])
    if mode == Mode.STRATEGY:
        return COLOURS[int(s["colours"][s["seat"]]) - 1]
    colour = int(s["opt"]["goal"] if mode == Mode.SOLITAIRE else s["opt"]["colour"])
    return COLOURS[colour - 1] if colour and mode != Mode.GOBBLE else ""


# Effects


def effects(
    game: Game, before: States, action: int | None, after: States, names: Sequence[str]
) -> list[tuple[int, str]]:
    """Return the effects of an action as subjects and phrases."""
    was, s = before[0], after[0]
    assert action is not None  # this game has no secret phase
    actor, mode = int(was["seat"]), int(was["opt"]["mode"])
    found = list[tuple[int, str]]()
    event = events(before, action, after)[0]
    if event["fills"]:
        found.append((actor, "fill a gobble"))
    if mode == Mode.STRATEGY:
        found.extend(_strategy(was, s, event))
        if s["seat"] == actor and not s["over"]:  # gobbles are filled before and after the tile of a turn
            found.append((actor, "must fill a gobble" if s["phase"] != Phase.FREE else "play again"))
    elif mode == Mode.SOLITAIRE and s["best"].max() > was["best"].max():
        found.append((-1, f"the best line scores {s['best'].max()}"))
    elif mode == Mode.GOBBLE:
        found.extend(_gobble(game, was, s))
    return [*found, *_ended(game, s, names)] if s["over"] else found


def _strategy(was: Any, s: Any, event: Any) -> list[tuple[int, str]]:
    """Return the tile that was drawn, and the scores that grew."""
    found, actor = list[tuple[int, str]](), int(was["seat"])
    drawn = [tile for tile, old in zip(s["hands"][actor].tolist(), was["hands"][actor].tolist(), strict=True)
             if tile and tile != old]  # fmt: skip
    if drawn and s["bag_n"] < was["bag_n"]:
        found.append((actor, f"draw tile {drawn[0]}"))
    for seat in np.flatnonzero(event["gained"]).tolist():
        colour = int(s["colours"][seat])
        found.append((seat, f"score {s['best'][colour]} in {COLOUR_NAMES[COLOURS[colour - 1]]}"))
    return found


def _gobble(game: Game, was: Any, s: Any) -> list[tuple[int, str]]:
    found = list[tuple[int, str]]()
    more = int(s["penalty_n"][0]) - int(was["penalty_n"][0])
    if game.players == 1 and more > 0:
        found.append((-1, f"{counted(more, 'tile')} could not be laid and went to the penalty stack"))
    out = s["out"][: game.players].tolist()
    return found + [
        (seat, f"be out in place {place}") for seat, place in enumerate(out) if place and not was["out"][seat]
    ]


def _ended(game: Game, s: Any, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return how the game ended."""
    if s["truncated"]:
        return [(-1, "the game is stopped")]
    if s["deadlock"]:
        return [(-1, "no tile can be laid, and the game ends")]
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return [(-1, f"the puzzle is {'solved' if s['rewards'][0] == 1 else 'not solved'}")]  # [W9]
    if s["opt"]["mode"] == Mode.GOBBLE and game.players == 1:
        return [(-1, f"the game ends with {counted(int(s['penalty_n'][0]), 'penalty tile')}")]
    if s["opt"]["mode"] == Mode.STRATEGY:
        scores = ", ".join(f"{names[seat]} {s['best'][s['colours'][seat]]}" for seat in range(game.players))
        return [(-1, f"the game ends: {scores}")]
    return [(-1, "the game ends")]
