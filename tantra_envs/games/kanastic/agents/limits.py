"""Bounds of returns and of the length of a game, for solvers that need them."""

from __future__ import annotations

from ....core.options import Config
from ..material import (
    ACE,
    COPIES,
    HAND_KINDS,
    HAND_POINTS,
    MOST_CARDS,
    NATURAL_ACES,
    NATURAL_CANASTA,
    POT_POINTS,
    ROYAL_SUIT,
    SHIELD,
    SPECIALS,
)
from ..state import teams_of

DOUBLED = 2  # KN-62
DRAW_ASK_ANSWER_DISCARD = 4  # actions of a turn that move no card to the table


def returns(config: Config) -> tuple[float, float]:
    """Return the lowest and the highest return of a seat (KN-70 to KN-78)."""
    teams = teams_of(config["players"])
    if config["reward"] == "win":
        return -1.0 / (teams - 1), 1.0
    least, most = _round_points(config)
    if config["reward"] == "score_diff":
        least, most = least - most, most - least
    rounds = 1 if config["episode"] == "round" else config["max_rounds"]
    ends = rounds * least / config["reward_scale"], rounds * most / config["reward_scale"]
    return min(ends), max(ends)


def _round_points(config: Config) -> tuple[int, int]:
    """Return bounds of a team's points in a round: all cards of the deck in its hands, or all on its side."""
    cards = int((COPIES[0][:HAND_KINDS] * HAND_POINTS).sum()) - SPECIALS[2] * int(HAND_POINTS[SHIELD])
    held = cards + config["shields"] * config["shield_penalty"]
    laid = cards + ACE * NATURAL_CANASTA + NATURAL_ACES + ROYAL_SUIT + int(POT_POINTS.max()) + config["go_out_bonus"]
    return -DOUBLED * held, DOUBLED * laid


def longest(config: Config) -> int:
    """Return the most actions of a game: in a round, every card is melded once at most (KN-76, KN-77, KN-79)."""
    each = DRAW_ASK_ANSWER_DISCARD * (config["max_turns"] + 1) + MOST_CARDS
    whole = each * (1 if config["episode"] == "round" else config["max_rounds"])
    return int(min(whole, config["max_moves"] or whole))
