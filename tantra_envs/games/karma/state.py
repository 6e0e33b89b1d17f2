"""The state of a Karma table, and the options.

Zones are counts by card type. Ordered zones are lists: the pile (bottom first), the draw pile and the face-down cards
(next card last, so that taking a card shortens the list). Entries after the end of a list are zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.compiled.jit import leaf
from ...core.fields import LAST_SEAT, Field, Fields, header
from ...core.notation import Cards, Counts, Number, Seats
from ...core.options import SWITCH, Config, Option, Options, words_of
from ...core.state import Record, States
from .material import (
    CARD_NAMES,
    FIRST_KARMA,
    FIVE_LIMIT,
    HAND,
    HAND_MINIMUM,
    MAX_CARDS,
    MAX_SEATS,
    MOST_HAND,
    SMALL_DECKS,
    TABLE_CARDS,
    TYPES,
)

MOVES_PER_CARD = 50  # limit of actions if none is set (K-83)


class Phase(IntEnum):
    """The kinds of decisions: see the diagram in README.md."""

    SETUP = 0
    PLAY = 1
    FOLLOW = 2
    TARGET = 3
    OVER = 4


class Reward(IntEnum):
    """The rewards at the end of a game."""

    WINLOSE = 0
    ZEROSUM = 1
    PLACEMENT = 2


PHASES = tuple(Phase.__members__)
DECK_CARDS = ("all", "mini", "tiny")

OPTIONS = Options(
    "karma",
    Option("players", 2, range(2, MAX_SEATS + 1), "seats at the table (K-02)"),
    Option("copies", 2, (2, 3), "cards of a type in one game: 2, or 3 in the 60-card edition (K-02)", stored=np.int8),
    Option("decks", 1, (1, 2), "games shuffled together (K-02)"),
    Option("clear_set", 0, (0, 2, 3), "identical cards that clear the pile; 0 = as copies (K-03)", stored=np.int8),
    Option(
        "table_cards",
        TABLE_CARDS,
        range(1, TABLE_CARDS + 1),
        "face-down cards of a seat, and as many face-up ones (K-05)",
        stored=np.int8,
    ),
    Option(
        "hand_size", HAND, range(1, MOST_HAND + 1), "cards of a seat besides those on the table (K-05)", stored=np.int8
    ),
    Option("refill", HAND_MINIMUM, range(7), "size up to which hands are filled after a play (K-12)", stored=np.int8),
    Option(
        "five_limit",
        FIVE_LIMIT,
        range(1, FIRST_KARMA + 1),
        "highest number that may be played on FIVE (K-21)",
        stored=np.int8,
    ),
    Option("dealer", -1, range(-1, MAX_SEATS), "seat of the dealer, -1 = drawn (K-04)", stored=np.int8),
    Option("auto_setup", False, SWITCH, "the highest types go face up automatically (K-11)"),
    Option("setup_hidden", True, SWITCH, "face-up cards are hidden until all have chosen (K-10)"),
    Option("voluntary_pickup", True, SWITCH, "the pile may be picked up instead of playing (K-31)"),
    Option("follow_optional", True, SWITCH, "the play after TABLE may be declined (K-51)"),
    Option("chain_clears", True, SWITCH, "TABLE played on TABLE counts towards a set (K-56)"),
    Option("karma_sets", True, SWITCH, "karma cards form sets (K-41)"),
    Option("surfaced_counts", True, SWITCH, "a card brought up by BOTTOMS counts towards a set (K-43)"),
    Option("give_to_out", True, SWITCH, "the pile may be given to a player who is out (K-64)"),
    Option("max_moves", 0, range(0, 30001), "actions until the game is truncated, 0 = 50 for each card (K-83)"),
    Option("reward", "winlose", words_of(Reward), "reward at the end: +1/-1, zero-sum, or by place"),
    Option("truncation_reward", 0.0, None, "reward of all seats when the game is truncated", stored=np.float64),
    Option("deck_cards", "all", DECK_CARDS, "all cards, or a smaller deck for exact play (K-06)"),
)

OPT = OPTIONS.record(
    ("move_limit", np.int32),
    ("deck_size", np.int16),  # D
    ("dealt", np.int8),  # cards of a seat: face down, face up and in hand
    order="copies clear_set dealer reward",  # the first ones in the record; a new option needs no entry
)


@leaf
def visible_up(s: Record, observer: int, seat: int) -> bool:
    """Return whether the face-up cards of `seat` are open to `observer`: not while they are chosen [K-10]."""
    return observer == seat or s.setup_left == 0 or s.opt.setup_hidden == 0


FIELDS = Fields(
    "karma",
    *header(MAX_SEATS, "move_limit"),
    Field("opt", OPT, seen_by="all", doc="the options of the game"),
    Field("dealer", np.int8, holds="seat", notation=Number(), seen_by="all", doc="the dealer"),
    Field("setup_left", np.int8, within=(0, MAX_SEATS), notation=Number(), seen_by="all",
          doc="seats still choosing face-up cards, with the one to act"),
    Field("run", np.int8, within=(0, MAX_CARDS), notation=Number(), seen_by="all",
          doc="identical cards on top of the pile, played in a row (K-40)"),
    Field("loser", np.int8, holds="seat", within=(-1, LAST_SEAT), notation=Number(), seen_by="all", empty=-1,
          doc="the loser, -1 = nobody yet"),
    Field("out_n", np.int8, seen_by="all", doc="seats without cards"),
    Field("out", np.int8, (MAX_SEATS,), holds="seat", length="out_n", notation=Seats(), seen_by="all",
          doc="seats without cards, in the order they went out"),
    Field("hand_n", np.int8, (MAX_SEATS,), by="seat", seen_by="all", doc="cards in hand"),
    Field("up_n", np.int8, (MAX_SEATS,), by="seat", seen_by="all", doc="cards face up"),
    Field("down_n", np.int8, (MAX_SEATS,), by="seat", seen_by="all", doc="cards face down"),
    Field("pile_n", np.int8, seen_by="all", doc="cards in the pile"),
    Field("draw_n", np.int8, seen_by="all", doc="cards in the draw pile"),
    Field("hands", np.int8, (MAX_SEATS, TYPES), by="seat", within=(0, "copies"), notation=Counts(CARD_NAMES),
          zone="counts", seen_by="owner", doc="hand by card type"),
    Field("up", np.int8, (MAX_SEATS, TYPES), by="seat", within=(0, "copies"), notation=Counts(CARD_NAMES),
          zone="counts", seen_by=visible_up, doc="face-up cards by type; hidden while they are chosen (K-10)"),
    Field("known", np.int8, (MAX_SEATS, TYPES), by="seat", within=(0, "copies"), notation=Counts(CARD_NAMES),
          seen_by="all", doc="part of the hand that everybody saw, by type"),
    Field("down", np.int8, (MAX_SEATS, TABLE_CARDS), by="seat", length="down_n", zone="cards", seen_by="nobody",
          notation=Cards(CARD_NAMES, reverse=True), doc="face-down cards, next to flip last"),
    Field("gone", np.int8, (TYPES,), within=(0, "copies"), zone="counts", seen_by="all",
          doc="cards that left the game, by type"),
    Field("pile", np.int8, (MAX_CARDS,), length="pile_n", notation=Cards(CARD_NAMES), zone="cards", seen_by="all",
          doc="the pile, bottom first"),
    Field("piled", np.int8, (TYPES,), seen_by="all", doc="the pile by type"),
    Field("draw", np.int8, (MAX_CARDS,), length="draw_n", notation=Cards(CARD_NAMES, reverse=True), zone="cards",
          seen_by="nobody", doc="the draw pile, next to draw last"),
    cards=CARD_NAMES,
)  # fmt: skip
STATE, clear = FIELDS.dtype, FIELDS.clear


def resolve(given: Mapping[str, Any]) -> Config:
    """Return the value of every option; raise ValueError for values that the rules refuse."""
    config = OPTIONS.resolve(given)
    cards, players = deck_size(config), config["players"]
    each = dealt(config)
    if each * players > cards:  # K-02
        most = f"2..{cards // each}" if each * 2 <= cards else "none"
        allowed = f"{most}; more cards (copies=3, decks=2) allow up to {MAX_SEATS}"
        raise ValueError(
            f"karma: players={players} is not allowed with {cards} cards, {each} for each seat; allowed: {allowed}"
        )
    return config


def deck_size(config: Config) -> int:
    """Return D, the number of cards of all games together (K-02)."""
    if config["deck_cards"] != "all":
        return int(SMALL_DECKS[DECK_CARDS.index(config["deck_cards"])].sum())
    return TYPES * int(config["copies"]) * int(config["decks"])


def dealt(config: Config) -> int:
    """Return the number of cards dealt to a seat: face down, face up and in hand (K-05)."""
    return 2 * int(config["table_cards"]) + int(config["hand_size"])


def clear_set(config: Config) -> int:
    """Return S, the number of identical cards that clear the pile (K-03)."""
    return int(config["clear_set"] or config["copies"])


def blank(config: Config) -> States:
    """Return one table with these options and nothing dealt, shape (1,)."""
    return FIELDS.blank(
        OPTIONS,
        config,
        deck_size=deck_size(config),
        dealt=dealt(config),
        copies=config["copies"] * config["decks"],  # C: in all decks together, unlike the option
        clear_set=clear_set(config),
        move_limit=config["max_moves"] or MOVES_PER_CARD * deck_size(config),
    )
