"""Tantrix in the player's language: actions both ways, given draw orders, and the table as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game
from ...core.rng import seed_stream
from ...core.state import Record, States
from . import placements, rules
from .actions import BONUSES
from .hexes import FORCED
from .material import COLOURS, EDGES, TILES, turned, without
from .positions import colours_of, from_position, position
from .stacks import TILE_NAMES
from .state import DISCOVERY, GOBBLE, PHASES, RANDOM, SOLITAIRE

__all__ = ["action_name", "deal_given", "from_position", "parse_action", "picture", "position"]

_PLACEMENT = re.compile(r"(?:(penalty) )?([0-9]{1,2}):(-?[0-9]{1,2}),(-?[0-9]{1,2})/([0-5])")
_GIFT = re.compile(r"(give pile|give penalty) ([0-9])")
_NOTHING = re.compile(r"none ([0-9]{1,6})")


# Actions


def action_name(game: Game, state: States, action: int) -> str:
    """`7:1,-1/5`: tile 7 on the cell q = 1, r = -1 with rotation 5; `none 13` for an id that stands for nothing now."""
    block = game.actions.at(action)
    if block.name == "bonus":
        return BONUSES[action - block.start]
    if block.name in ("discard", "pass"):
        return block.name
    if block.name == "remove":
        return _removal(game, state, action - block.start)
    if block.name in ("give pile", "give penalty"):
        return f"{block.name} {(int(state['seat'][0]) + 1 + action - block.start) % game.players}"
    placement = placements.decode(game, state, action)
    if placement is None:
        return f"none {action}"
    tile, q, r, rot = placement
    return f"{'penalty ' if block.name == 'penalty' else ''}{tile}:{q},{r}/{rot}"


def _removal(game: Game, state: States, i: int) -> str:
    """`remove 1,-1`: the tile in that cell; `remove none 13`, the tile of the kit, if it does not lie."""
    s = state[0]
    tile = int(s["opt"]["kit"][i])
    if not s["cell"][tile]:
        return f"remove none {tile}"
    q, r = placements.place_of(int(s["cell"][tile]))
    return f"remove {q},{r}"


def parse_action(game: Game, state: States, text: str) -> int:
    """The id of an action in words; ValueError if no action of this table is called that."""
    names = [block.name for block in game.actions]
    if (words := _PLACEMENT.fullmatch(text)) and (words[1] is None or "penalty" in names):
        tile, q, r, rot = (int(number) for number in words.groups()[1:])
        return placements.encode(game, state, (tile, q, r, rot), words[1] or "place")
    if text.startswith("remove ") and "remove" in names:
        first = game.actions["remove"].start
        for i in range(game.actions["remove"].size):
            if _removal(game, state, i) == text:
                return first + i
    if text in BONUSES and "bonus" in names:
        return game.actions["bonus"].start + BONUSES.index(text)
    if text in ("discard", "pass") and text in names:
        return game.actions[text].start
    if (words := _GIFT.fullmatch(text)) and words[1] in names:
        ahead = (int(words[2]) - int(state["seat"][0])) % game.players
        if ahead and int(words[2]) < game.players:
            return game.actions[words[1]].start + ahead - 1
    if words := _NOTHING.fullmatch(text):
        action = int(words[1])
        if (
            action < game.actions.size
            and game.actions.at(action).name in ("place", "penalty")
            and placements.decode(game, state, action) is None
        ):
            return action
    raise ValueError(f"{game.name}: {text!r} names no action; actions: {', '.join(map(_example, names))}")


def _example(block: str) -> str:
    """How the actions of a block are called."""
    examples = {
        "bonus": ", ".join(BONUSES),
        "place": "TILE:Q,R/ROT, as 7:1,-1/5",
        "penalty": "penalty 7:1,-1/5",
        "remove": "remove Q,R",
    }
    return examples.get(block, f"{block} SEAT" if block.startswith("give") else block)


# Dealing what is given


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Deal with a given `deck`, all tiles in the order they are drawn; it uses no random number."""
    for name in given:
        if name not in game.deal_options:
            raise ValueError(f"{game.name}: unknown field {name!r}; what may be given: {', '.join(game.deal_options)}")
    decks = [given[name] for name in game.deal_options if given.get(name) is not None]
    if len(decks) > 1:
        raise ValueError(f"{game.name}: deck and draw_order are the same; give one of them")
    if not decks:
        game.drivers.deal_rows(state, np.zeros(1, np.int64), np.array([seed]))
        return
    deck = _read_deck(game, decks[0])
    _deal_given(state, seed, np.array(deck, np.int64))


def _read_deck(game: Game, deck: Any) -> list[int]:
    if isinstance(deck, (list, tuple)) and len(deck) == 1 and isinstance(deck[0], (list, tuple)):
        deck = deck[0]  # a list of one deck for each hand; this game has one hand
    tiles = read.read_cards("deck", deck, TILE_NAMES)
    if game.config["mode"] == "solitaire":
        missing, goal = game.config["missing"], game.config["goal"]
        colours = [c for c in COLOURS if missing in (RANDOM, c) and c != goal]
        if sorted(tiles) not in [without(colour) for colour in colours]:
            raise ValueError(f"{game.name}: deck is not the 14 tiles without one colour of {', '.join(colours)}")
    elif sorted(tiles) != list(range(1, TILES + 1)):
        raise ValueError(f"{game.name}: deck has {len(set(tiles))} different tiles; allowed: each of 1..{TILES} once")
    return tiles


@entry_point
def _deal_given(states: Any, seed: int, deck: Any) -> None:
    s: Record = states[0]
    seed_stream(s.rng, seed)
    rules.clear_table(s)
    s.bag_n = len(deck)
    for i in range(len(deck)):
        s.bag[i] = deck[len(deck) - 1 - i]
    rules.begin(s)


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """The Tantrix drawn with the colours of all sides, and the hands. Without a seat the tiles to come are told."""
    s = state[0]
    deciding = "" if s["over"] else f", seat {s['seat']} to decide"
    bag = s["bag"][: s["bag_n"]][::-1].tolist()
    told = bag if seat is None else bag[: s["opt"]["lookahead"]]
    come = f": {' '.join(map(str, told))}" if told else ""
    return "\n".join(
        [
            f"Tantrix {game.config['mode']}, {s['placed']} placed, {PHASES[s['phase']]}{deciding}",
            *([_task(s)] if s["opt"]["mode"] >= DISCOVERY else [f"to come ({len(bag)}){come}"]),
            *_drawn(s),
            *[_picture_of_seat(state, shown, all_told=seat is None) for shown in range(game.players)],
            *([_end(state)] if s["over"] else []),
        ]
    )


def _task(s: Any) -> str:
    """What the puzzle asks for."""
    colour = f" in {COLOURS[s['opt']['colour'] - 1]}" if s["opt"]["colour"] else ""
    task = ("one loop", "one line", "a full shape")[s["opt"]["task"]]
    return f"wanted: {task}{colour} of all {s['opt']['kit_n']} tiles"


def _picture_of_seat(state: States, seat: int, all_told: bool) -> str:
    s = state[0]
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    hand = "  ".join(f"{tile} {EDGES[tile - 1]}" for tile in s["hands"][seat].tolist() if tile)
    if s["opt"]["mode"] >= DISCOVERY:
        kit = [tile for tile in s["opt"]["kit"].tolist() if tile and not s["cell"][tile]]
        return f"to lay: {'  '.join(f'{tile} {EDGES[tile - 1]}' for tile in kit) or '-'}"
    if s["opt"]["mode"] == GOBBLE:
        return f"{mark} seat {seat}, hand: {hand or '-'}, {_stacks(s, seat, all_told)}"
    if s["opt"]["mode"] == SOLITAIRE:
        name = f"without {COLOURS[s['colours'][-1] - 1]}"
    else:
        name = colours_of(s)[seat]
    return f"{mark} seat {seat} {name}, score {placements.scores(state)[seat]}, hand: {hand or '-'}"


def _stacks(s: Any, seat: int, all_told: bool) -> str:
    """A pile as far as it is known, next first, and a penalty stack from the top."""
    pile = s["piles"][seat][: s["piles_n"][seat]][::-1].tolist()
    known = [str(tile) for tile in pile if all_told or s["known"][tile]]
    stack = s["penalty"][seat][: s["penalty_n"][seat]][::-1].tolist()
    told = f", of them known {' '.join(known)}" if known else ""
    out = f", out as number {s['out'][seat]}" if s["out"][seat] else ""
    return f"pile of {len(pile)}{told}, penalty: {' '.join(map(str, stack)) or '-'}{out}"


def _end(state: States) -> str:
    s = state[0]
    if s["truncated"]:
        return "cut off"
    if s["deadlock"]:
        return "deadlock"
    if s["opt"]["mode"] >= DISCOVERY:
        return "solved" if placements.is_solved(state) else "not solved"
    return f"final scores {placements.scores(state)}"


def _drawn(s: Any) -> list[str]:
    """Three lines a row: the sides of a tile round its number; forced spaces are marked with the tiles round them.

      R Y
    B 12  G        NW NE, W number E, SW SE
      G B
    """
    tiles = {placements.place_of(int(s["cell"][t])): t for t in range(1, TILES + 1) if s["cell"][t]}
    gobbles = {
        placements.place_of(int(s["border"][f])): int(s["touch"][f])
        for f in range(s["border_n"])
        if s["touch"][f] >= FORCED
    }
    cells = [*tiles, *gobbles]
    if not cells:
        return []
    left, top = min(2 * q + r for q, r in cells), min(r for _, r in cells)
    lines = [
        [" "] * (3 * (max(2 * q + r for q, r in cells) - left) + 6)
        for _ in range(3 * (max(r for _, r in cells) - top + 1))
    ]
    for (q, r), tile in tiles.items():
        ne, e, se, sw, w, nw = list(turned(tile, int(s["rot"][tile])))
        _write(lines, 3 * (2 * q + r - left), 3 * (r - top), (f" {nw} {ne}", f"{w} {tile:<2}{e}", f" {sw} {se}"))
    for (q, r), touch in gobbles.items():
        _write(lines, 3 * (2 * q + r - left), 3 * (r - top), ("", f" <{touch}>", ""))
    return ["".join(line).rstrip() for line in lines]


def _write(lines: list[list[str]], x: int, y: int, rows: tuple[str, str, str]) -> None:
    for dy, row in enumerate(rows):
        for dx, letter in enumerate(row):
            if letter != " ":
                lines[y + dy][x + dx] = letter
