"""The state of a Kanastic table, and the options.

Hands and formations are counts by kind. Stock and stack are lists, bottom first. Entries after the end of a list are
zero. Formations, scores and pots belong to teams. With four players seats 0 and 2 play against 1 and 3; otherwise each
seat is a team.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.fields import LAST_SEAT, Field, Fields, header
from ...core.game import Teams
from ...core.notation import Card, Cards, Choice, Counts, Flag, Number
from ...core.options import SWITCH, Config, ListOf, Option, Options, words_of
from ...core.state import States
from .cards import cards_in_hand, cards_of, on_table
from .material import (
    CARD_NAMES,
    CARDS,
    DEALT,
    GAME_SCORE,
    HAND_KINDS,
    MAX_SEATS,
    MAX_TEAMS,
    MOST_CARDS,
    MOST_SHIELDS,
    NATURALS,
    RANK_NAMES,
    RANKS,
    SHIELD_PENALTY,
    SMALL_SIZES,
    SPECIALS,
    STACK_MINIMUM,
    STAGES,
    SuitRule,
)


class Phase(IntEnum):
    """The kinds of decisions."""

    FIRST = 0  # the first discard of a round
    DRAW = 1
    PICKUP = 2  # begin a formation with the taken card
    MELD = 3
    ANSWER = 4
    OVER = 5


class Episode(IntEnum):
    """The length of an episode (KN-78)."""

    GAME = 0
    ROUND = 1


class Reward(IntEnum):
    """The kinds of rewards."""

    SCORE_DIFF = 0
    SCORE = 1
    WIN = 2


class Taken(IntEnum):
    """The cards taken from the discard stack in this turn."""

    NOTHING = 0
    TOP = 1
    STACK = 2


PHASES = tuple(Phase.__members__)
DECK_CARDS = ("all", "mini")
SUIT_RULES = words_of(SuitRule)
SUIT = RANKS  # value of `pick` when the taken card began the golden suit
MOST_DECKS = 4  # most decks that can be given for the first rounds

OPTIONS = Options(
    "kanastic",
    Option("players", 4, (2, 3, 4), "seats at the table; four play two against two (KN-10)"),
    Option("suit_rule", "three_suits", SUIT_RULES, "begin a rank formation with three suits, or any three (KN-03)"),
    Option("first_turn_meld", False, SWITCH, "the player who begins may meld before discarding (KN-13)"),
    Option("pickup_wilds", False, SWITCH, "wild cards may join the formation of a taken card at once (KN-55)"),
    Option("partial_suit_opens", False, SWITCH, "a golden suit of any length is an initial meld (KN-34)"),
    Option("ask_partner", True, SWITCH, "a player may ask the partner before going out; four players only (KN-63)"),
    Option("shields", SPECIALS[2], range(1, MOST_SHIELDS + 1), "Shields in the deck (KN-02)", stored=np.int8),
    Option("dealt", DEALT, range(3, 21), "cards dealt to a seat; the first one gets one more (KN-11)", stored=np.int8),
    Option("stack_minimum", STACK_MINIMUM, range(1, 15),
           "cards in the hand and in the stock that taking the stack needs (KN-53)", stored=np.int8),
    Option("shield_penalty", SHIELD_PENALTY, range(0, 501, 5), "points that a Shield in a hand costs (KN-71)",
           stored=np.int16),
    Option("go_out_bonus", 0, range(0, 1001, 5), "points for going out (KN-73)", stored=np.int16),
    Option("target_score", GAME_SCORE, range(5, 100_001, 5), "total that ends a game (KN-75)", stored=np.int32),
    Option("dealer", -1, range(-1, MAX_SEATS), "seat of the first dealer, -1 = drawn (KN-11)", stored=np.int8),
    Option("start_scores", (), ListOf(range(-100_000, 100_001, 5), (0, 2, 3)), "totals at the start, by team (KN-78)",
           stored=(np.int32, MAX_TEAMS)),
    Option("episode", "game", words_of(Episode), "play to the target, or one round (KN-78)"),
    Option("max_turns", 300, range(1, 10_001), "discards until a round is truncated (KN-76)", stored=np.int16),
    Option("max_rounds", 40, range(1, 1001), "rounds until a game is truncated (KN-77)", stored=np.int16),
    Option("max_moves", 0, range(0, 10_000_001), "actions until a game is truncated, 0 = no limit (KN-79)",
           stored=np.int32),
    Option("auto_draw", False, SWITCH, "draw automatically when drawing is the only legal action"),
    Option("reward", "score_diff", words_of(Reward), "kind of reward: score against the others, own score, or winning"),
    Option("reward_scale", 1000.0, None, "points per unit of reward", stored=np.float64),
    Option("dense", False, SWITCH, "reward the change of the points on the table after every action"),
    Option("deck_cards", "all", DECK_CARDS, "all cards, or a smaller deck for exact play (KN-04)"),
)  # fmt: skip

OPT = OPTIONS.record(
    ("teams", np.int8), order="start_scores max_turns max_rounds teams dealer suit_rule episode reward"
)


SCORES = -(10**9), 10**9  # beyond any score; the sum of two still fits into 32 bits
HANDS = Counts(CARD_NAMES[:HAND_KINDS], cards_in_hand, name="hands")
KNOWN = Counts(CARD_NAMES[:HAND_KINDS], cards_in_hand)

FIELDS = Fields(
    "kanastic",
    *header(MAX_SEATS, "max_moves"),
    Field("opt", OPT, seen_by="all", doc="the options of the game"),
    Field("score", np.int32, (MAX_TEAMS,), by="team", within=SCORES, notation=Number(name="scores"), seen_by="all",
          stays=True, doc="totals"),
    Field("paid", np.int32, (MAX_TEAMS,), by="team", within=SCORES, notation=Number(), seen_by="all",
          doc="points on the table that are already in rewards (`dense`)"),
    Field("last_scores", np.int32, (MAX_TEAMS,), by="team", within=SCORES, notation="last_round", seen_by="all",
          stays=True, doc="scores of the round before"),
    Field("last_turns", np.int16, within=(0, "max_turns"), notation="last_round", seen_by="all", stays=True,
          doc="discards made in the round before"),
    Field("turn", np.int16, limit="max_turns", notation=Number(), seen_by="all",
          doc="discards made in this round"),
    Field("round_no", np.int16, limit="max_rounds", notation=Number(), seen_by="all", stays=True,
          doc="rounds that are over"),
    Field("reshuffles", np.int16, within=(0, 2**15 - 1), notation=Number(), seen_by="all",
          doc="times the discard stack became the stock in this round"),
    Field("open_pts", np.int16, within=(0, 1000), notation=Number(), seen_by="all",
          doc="points laid in this turn by a team that is opening"),
    Field("suit_art", np.int16, (MAX_TEAMS,), by="team", within=(0, (1 << RANKS) - 1), notation="tables", seen_by="all",
          doc="bit r: an Artifact replaces the gold of rank r in the golden suit"),
    Field("open_wild", np.int8, within=(0, sum(SPECIALS[:2])), notation=Number(), seen_by="all",
          doc="wild cards laid in this turn by a team that is opening"),
    Field("last_out", np.int8, holds="seat", within=(-2, LAST_SEAT), notation="last_round", seen_by="all",
          empty=-2, stays=True,
          doc="seat that went out in the round before, -1 = nobody, -2 = there was no round before"),
    Field("dealer", np.int8, holds="seat", notation=Number(), seen_by="all", stays=True, doc="the dealer"),
    Field("asker", np.int8, holds="seat", within=(-1, LAST_SEAT), notation=Number(null=True), seen_by="all", empty=-1,
          doc="seat that asked, while its partner answers, else -1"),
    Field("block_left", np.int8, within=(0, LAST_SEAT), notation=Number(), seen_by="all",
          doc="turns for which the stack is still blocked (KN-50)"),
    Field("taken", np.int8, within=(Taken.NOTHING, Taken.STACK), notation=Number(), seen_by="all",
          doc="taken from the stack in this turn: 0 nothing, 1 the top card, 2 all"),
    Field("top_taken", np.int8, notation=Card(CARD_NAMES[:NATURALS], null=True), seen_by="all", empty=-1,
          doc="the top card if it was taken in this turn, -1 = none"),
    Field("pick", np.int8, notation=Card((*RANK_NAMES, "SUIT"), null=True), seen_by="all", empty=-1,
          doc="formation begun with that card: its rank, 11 = golden suit, -1 = none"),
    Field("asked", np.int8, notation=Flag(), seen_by="all", doc="1 = the partner was asked in this turn (KN-63)"),
    Field("answer", np.int8, notation=Choice(("NO", "YES"), null=True), seen_by="all", empty=-1,
          doc="the answer: 1 yes, 0 no, -1 none"),
    Field("stage", np.int8, (MAX_TEAMS,), by="team", within=(0, STAGES), notation=Number(), seen_by="all",
          doc="stage 1 to 4 (KN-40)"),
    Field("pots", np.int8, (MAX_TEAMS,), by="team", within=(0, SPECIALS[-1]), notation=Number(), seen_by="all",
          doc="Treasure Pots on the table"),
    Field("opened", np.int8, (MAX_TEAMS,), by="team", notation=Flag(), seen_by="all",
          doc="1 = has made the initial meld"),
    Field("unlocked", np.int8, (MAX_TEAMS,), by="team", notation=Flag(), seen_by="all",
          doc="1 = may take the stack (KN-56)"),
    Field("opener", np.int8, (MAX_TEAMS,), by="team", holds="seat", within=(-1, LAST_SEAT), notation=Number(),
          seen_by="all", empty=-1, doc="seat that made the initial meld, -1 = nobody yet"),
    Field("winner", np.int8, (MAX_TEAMS,), by="team", within=(0, 1), notation="winners", seen_by="all", stays=True,
          doc="1 = has won, when the game is over"),
    Field("suit_lo", np.int8, (MAX_TEAMS,), by="team", within=(-1, RANKS - 1), notation="tables", seen_by="all",
          empty=-1, doc="lowest rank of the golden suit, -1 = no suit"),
    Field("suit_hi", np.int8, (MAX_TEAMS,), by="team", within=(-1, RANKS - 1), notation="tables", seen_by="all",
          empty=-1, doc="highest rank of the golden suit, -1 = no suit"),
    Field("hand_n", np.int8, (MAX_SEATS,), by="seat", notation="hands", seen_by="all", doc="cards in hand"),
    Field("hand", np.int8, (MAX_SEATS, HAND_KINDS), by="seat", notation=HANDS, zone="counts", seen_by="owner",
          doc="hand by card kind"),
    Field("known", np.int8, (MAX_SEATS, HAND_KINDS), by="seat", notation=KNOWN, seen_by="all",
          doc="part of the hand that everybody saw, by card kind"),
    Field("nat", np.int8, (MAX_TEAMS, NATURALS), by="team", within=(0, CARDS), notation="tables", zone=on_table,
          seen_by="all", doc="natural cards in rank formations, by card kind"),
    Field("sw", np.int8, (MAX_TEAMS, RANKS), by="team", within=(0, CARDS), notation="tables", seen_by="all",
          doc="Swords in rank formations"),
    Field("ar", np.int8, (MAX_TEAMS, RANKS), by="team", within=(0, CARDS), notation="tables", seen_by="all",
          doc="Artifacts in rank formations"),
    Field("n", np.int8, (MAX_TEAMS, RANKS), by="team", seen_by="all", doc="natural cards in rank formations"),
    Field("w", np.int8, (MAX_TEAMS, RANKS), by="team", seen_by="all", doc="wild cards in rank formations"),
    Field("stock_n", np.int8, seen_by="all", doc="cards in the stock"),
    Field("pile_n", np.int8, seen_by="all", doc="cards in the discard stack"),
    Field("decks_n", np.int8, seen_by="nobody", stays=True, doc="number of decks given for the next rounds"),
    Field("stock", np.int8, (MOST_CARDS,), length="stock_n", notation=Cards(CARD_NAMES, cards_of), zone="cards",
          seen_by="nobody", doc="the stock, next card last"),
    Field("pile", np.int8, (MOST_CARDS,), length="pile_n", notation=Cards(CARD_NAMES, cards_of), zone="cards",
          seen_by="all",
          doc="the discard stack, top card last; in a turn with the stack the old one, which waits (KN-54)"),
    Field("decks", np.int8, (MOST_DECKS, MOST_CARDS), seen_by="nobody", stays=True,
          doc="the decks for the next rounds, first one next"),
    cards=CARD_NAMES,
)  # fmt: skip
STATE, clear, clear_round = FIELDS.dtype, FIELDS.clear, FIELDS.clear_round


def resolve(given: Mapping[str, Any]) -> Config:
    """Return all options; raise ValueError for those that the rules refuse."""
    config = OPTIONS.resolve(given)
    teams = teams_of(config["players"])
    if len(config["start_scores"]) not in (0, teams):
        shown = config["start_scores"]
        raise ValueError(f"kanastic: start_scores={shown} is not allowed; allowed: one total for each of {teams} teams")
    if config["reward_scale"] <= 0:
        raise ValueError(f"kanastic: reward_scale={config['reward_scale']} is not allowed; allowed: more than 0")
    _check_small_deck(config)
    return config


def _check_small_deck(config: Config) -> None:
    """Raise ValueError unless a smaller deck suffices for the deal and its plain cards are one kind (KN-04)."""
    if config["deck_cards"] == "all":
        return
    if config["suit_rule"] != "any":
        raise ValueError("kanastic: suit_rule='three_suits' is not allowed with a smaller deck; allowed: 'any'")
    size = int(SMALL_SIZES[DECK_CARDS.index(config["deck_cards"])])
    if config["players"] * config["dealt"] + 1 >= size:
        dealt, most = config["dealt"], (size - 2) // config["players"]
        raise ValueError(f"kanastic: dealt={dealt} is not allowed with {size} cards; allowed: at most {most}")


def teams_of(players: int) -> int:
    """Return the number of teams (KN-10); seat p is in team p % teams."""
    return 2 if players == MAX_SEATS else players


def partners(config: Config) -> Teams:
    """Return the seats of each team (KN-10)."""
    teams = teams_of(config["players"])
    return tuple(tuple(range(team, config["players"], teams)) for team in range(teams))


def blank(config: Config) -> States:
    """Return one table with these options and nothing dealt, shape (1,)."""
    return FIELDS.blank(OPTIONS, config, teams=teams_of(config["players"]))
