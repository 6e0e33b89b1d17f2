"""One Kanastic table as a record, and the configuration fields.

Hands and melds are counts by kind; stock and stack are lists, bottom first, top last. Entries past a list's length are
zero. Melds, scores and pots belong to teams: seats 0 and 2 against 1 and 3 with four players, else each seat is a team.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.game import Teams
from ...core.options import SWITCH, Config, ListOf, Option, Options
from ...core.state import States, header, record
from .material import CARDS, GAME_SCORE, HAND_KINDS, MAX_SEATS, MAX_TEAMS, NATURALS, RANKS


class Phase(IntEnum):
    """What is to be decided."""

    FIRST = 0  # the first discard of a round
    DRAW = 1
    PICKUP = 2  # the formation of a taken card
    MELD = 3
    ANSWER = 4
    OVER = 5


class SuitRule(IntEnum):
    """What begins a rank formation (KN-03)."""

    THREE_SUITS = 0
    ANY = 1


class Episode(IntEnum):
    """When a game ends (KN-78)."""

    GAME = 0
    ROUND = 1


class Reward(IntEnum):
    """What is paid."""

    SCORE_DIFF = 0
    SCORE = 1
    WIN = 2


class Taken(IntEnum):
    """What was taken from the discard stack this turn."""

    NOTHING = 0
    TOP = 1
    STACK = 2


PHASES = tuple(Phase.__members__)
SUIT_RULES = tuple(name.lower() for name in SuitRule.__members__)
EPISODES = tuple(name.lower() for name in Episode.__members__)
REWARDS = tuple(name.lower() for name in Reward.__members__)
SUIT = RANKS  # `pick` when the formation begun with the taken card is the golden suit
MOST_DECKS = 4  # decks that may be given for the first rounds

OPTIONS = Options(
    "kanastic",
    Option("players", 4, (2, 3, 4), "seats at the table; four play two against two (KN-10)"),
    Option("suit_rule", "three_suits", SUIT_RULES, "what begins a rank formation: three suits, or any three (KN-03)"),
    Option("first_turn_meld", False, SWITCH, "the player who begins may meld before discarding (KN-13)"),
    Option("pickup_wilds", False, SWITCH, "wild cards may join the formation of a taken card at once (KN-55)"),
    Option("partial_suit_opens", False, SWITCH, "any begun golden suit is an initial meld (KN-34)"),
    Option("ask_partner", True, SWITCH, "four players: may I go out? (KN-63)"),
    Option("go_out_bonus", 0, range(0, 1001, 5), "points for going out (KN-73)"),
    Option("target_score", GAME_SCORE, range(5, 100_001, 5), "total that ends a game (KN-75)"),
    Option("dealer", -1, range(-1, MAX_SEATS), "seat of the first dealer, -1 = drawn (KN-11)"),
    Option("start_scores", (), ListOf(range(-100_000, 100_001, 5), (0, 2, 3)), "totals at the start, by team (KN-78)"),
    Option("episode", "game", EPISODES, "play to the target, or one round (KN-78)"),
    Option("max_turns", 300, range(1, 10_001), "discards after which a round is cut off (KN-76)"),
    Option("max_rounds", 40, range(1, 1001), "rounds after which a game is cut off (KN-77)"),
    Option("max_moves", 0, range(0, 10_000_001), "actions after which all is cut off, 0 = none (KN-79)"),
    Option("auto_draw", False, SWITCH, "draw at once where nothing else can be done"),
    Option("reward", "score_diff", REWARDS, "what is paid: score against the others, own score, or winning"),
    Option("reward_scale", 1000.0, None, "points that make a reward of 1"),
    Option("dense", False, SWITCH, "pay the change of the points on the table at every step"),
)

OPT = record(
    [
        ("reward_scale", np.float64),
        ("start_scores", np.int32, (MAX_TEAMS,)),
        ("target_score", np.int32),
        ("max_moves", np.int32),
        ("max_turns", np.int16),
        ("max_rounds", np.int16),
        ("go_out_bonus", np.int16),
        ("teams", np.int8),
        ("dealer", np.int8),  # -1 = drawn
        ("suit_rule", np.int8),  # a SuitRule
        ("episode", np.int8),  # an Episode
        ("reward", np.int8),  # a Reward
        *[(name, np.int8) for name, field in OPTIONS.fields.items() if field.allowed == SWITCH],
    ]
)

# `feasible` in opening.py notes here what can be reached; all zero outside of it.
REACH_CARDS, REACH_WILDS = 32, 13
REACH = REACH_CARDS * REACH_WILDS * 2

STATE = record(
    [
        *header(MAX_SEATS),
        ("opt", OPT),
        ("score", np.int32, (MAX_TEAMS,)),  # totals
        ("paid", np.int32, (MAX_TEAMS,)),  # table points of the round already paid as rewards (`dense`)
        ("last_scores", np.int32, (MAX_TEAMS,)),  # of the round before
        ("last_turns", np.int16),
        ("turn", np.int16),  # discards made in this round
        ("round_no", np.int16),
        ("reshuffles", np.int16),
        ("open_pts", np.int16),  # points laid in this turn by a team that is opening
        ("suit_art", np.int16, (MAX_TEAMS,)),  # bit r: an Artifact stands for rank r in the golden suit
        ("open_wild", np.int8),  # wild cards among them
        ("last_out", np.int8),  # seat that went out in the round before, -1 = nobody, -2 = there was none
        ("dealer", np.int8),
        ("asker", np.int8),  # seat whose turn it is while the partner answers, else -1
        ("block_left", np.int8),  # turns for which the stack is still blocked (KN-50)
        ("taken", np.int8),  # a Taken
        ("top_taken", np.int8),  # the card taken from the stack this turn, -1 = none
        ("pick", np.int8),  # formation begun with it: rank, SUIT, -1 = none
        ("asked", np.int8),
        ("answer", np.int8),  # 1 yes, 0 no, -1 none
        ("stage", np.int8, (MAX_TEAMS,)),  # 1..4 (KN-40)
        ("pots", np.int8, (MAX_TEAMS,)),
        ("opened", np.int8, (MAX_TEAMS,)),
        ("unlocked", np.int8, (MAX_TEAMS,)),  # may take the stack (KN-56)
        ("opener", np.int8, (MAX_TEAMS,)),  # seat that made the initial meld, -1 = nobody yet
        ("winner", np.int8, (MAX_TEAMS,)),  # 1 = won; when over
        ("suit_lo", np.int8, (MAX_TEAMS,)),  # lowest and highest rank of the golden suit, -1 = none
        ("suit_hi", np.int8, (MAX_TEAMS,)),
        ("hand_n", np.int8, (MAX_SEATS,)),
        ("hand", np.int8, (MAX_SEATS, HAND_KINDS)),
        ("known", np.int8, (MAX_SEATS, HAND_KINDS)),  # part of the hand that everybody saw
        ("nat", np.int8, (MAX_TEAMS, NATURALS)),  # naturals in rank formations
        ("sw", np.int8, (MAX_TEAMS, RANKS)),  # Swords in them
        ("ar", np.int8, (MAX_TEAMS, RANKS)),  # Artifacts in them
        ("n", np.int8, (MAX_TEAMS, RANKS)),  # cards of a formation that are natural
        ("w", np.int8, (MAX_TEAMS, RANKS)),  # and wild
        ("stock_n", np.int8),
        ("pile_n", np.int8),
        ("decks_n", np.int8),
        ("stock", np.int8, (CARDS,)),
        ("pile", np.int8, (CARDS,)),  # in a turn with the stack: the old stack, waiting (KN-54)
        ("decks", np.int8, (MOST_DECKS, CARDS)),  # given for the next rounds, the first one next
        ("reach", np.int8, (REACH,)),  # scratch
    ]
)


def resolve(given: Mapping[str, Any]) -> Config:
    """Every configuration field; ValueError for what the rules refuse."""
    config = OPTIONS.resolve(given)
    teams = teams_of(config["players"])
    if len(config["start_scores"]) not in (0, teams):
        shown = config["start_scores"]
        raise ValueError(f"kanastic: start_scores={shown} is not allowed; allowed: one total for each of {teams} teams")
    if config["dealer"] >= config["players"]:
        raise ValueError(f"kanastic: dealer={config['dealer']} is not allowed; allowed: -1..{config['players'] - 1}")
    if config["reward_scale"] <= 0:
        raise ValueError(f"kanastic: reward_scale={config['reward_scale']} is not allowed; allowed: more than 0")
    return config


def teams_of(players: int) -> int:
    """Teams at a table (KN-10); seat p belongs to team p % teams."""
    return 2 if players == MAX_SEATS else players


def partners(players: int) -> Teams:
    """The seats of each team (KN-10)."""
    teams = teams_of(players)
    return tuple(tuple(range(team, players, teams)) for team in range(teams))


def blank(config: Config) -> States:
    """One table under `config` with nothing dealt, shape (1,)."""
    states = np.zeros(1, STATE)
    states["seats"] = config["players"]
    opt = states["opt"]
    listed = {"suit_rule": SUIT_RULES, "episode": EPISODES, "reward": REWARDS}
    for name in OPT.names or ():
        if name in listed:
            opt[name] = listed[name].index(config[name])
        elif name == "start_scores":
            opt[name][0, : len(config[name])] = config[name]
        elif name in config:
            opt[name] = config[name]
    opt["teams"] = teams_of(config["players"])
    return states
