"""Bounds of returns and of the length of a game, for solvers that need them."""

from __future__ import annotations

import numpy as np

from ....core.options import Config
from ..material import CARD_POINTS, MAX_SETS, POINTS, RANKS, SUITS, TOTAL
from ..options import buys_allowed, deck_size, displays, going_out_points, packs
from ..state import MAX_PLACED

DRAW_REPLY_PEEK_DISCARD = 4  # actions of a turn besides requests, lay-downs and lay-offs


def returns(config: Config) -> tuple[float, float]:
    """Return the lowest and the highest return of a seat (R-50 to R-56)."""
    seats, rounds = config["players"], config["n_rounds"]
    if config["reward"] == "rank":
        least, most = -1.0, 1.0
    elif config["reward"] == "win":
        least, most = -1.0 / seats, 1.0 - 1.0 / seats
    else:
        held, out = _most_held(config), max(map(abs, going_out_points(config)))
        other_out, others_held = (out / (seats - 1), held) if config["reward"] == "zero_sum" else (0.0, 0)
        scale = rounds / config["reward_scale"]
        least, most = -scale * (held + other_out), scale * (out + others_held)
    if config["shaping"] != "none":  # what a round adds is the deficit at its start, or at a limit of actions
        shaped = rounds * abs(config["shaping_coef"]) * int(TOTAL[list(displays(config))].max())
        least, most = least - shaped, most + shaped
    return least, most


def _most_held(config: Config) -> int:
    """Return the points of the dearest hand that a seat can hold in its turn."""
    buys = max(buys_allowed(config, number) for number in displays(config))
    row = config["variation"] if config["card_points"] is None else CARD_POINTS.index(config["card_points"])
    each, jokers = packs(config), packs(config) * config["jokers_per_pack"]
    cards = np.sort([
        *np.repeat(POINTS[row][:RANKS], SUITS * each),
        *[POINTS[row][RANKS]] * jokers,
        *[POINTS[row][RANKS + 1]] * (SUITS * each),
    ])  # fmt: skip
    return int(cards[::-1][: config["hand_size"] + 2 * buys + 1].sum())


def longest(config: Config) -> int:
    """Return the most actions of a game: in a round, every card is tabled once at most (R-50, R-54)."""
    seats = config["players"]
    turns = seats * config["max_turns_per_player"]
    lay_downs = seats * (1 + MAX_SETS + MAX_PLACED + 1)
    each = turns * (seats + DRAW_REPLY_PEEK_DISCARD) + lay_downs + 2 * deck_size(config)
    whole = each * config["n_rounds"]
    return int(min(whole, config["max_moves"] or whole))
