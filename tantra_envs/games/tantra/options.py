"""The options of Tantra: what they may be, what follows from them, and which the rules refuse together."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.options import SWITCH, Config, ListOf, Option, Options, words_of
from .material import (
    CARD_POINTS,
    DISPLAYS,
    FLAGS,
    GOING_OUT,
    GOING_OUT_ORIGINAL,
    MAX_JOKERS,
    MAX_PACKS,
    MAX_SEATS,
    MIN_SEATS,
    NATURALS,
    NINETEEN,
    NO_BUYING,
    RANK_NAMES,
    RANKS,
    SMALL_DECKS,
    SMALL_DISPLAY,
    TOTAL,
)


class BuyOrder(IntEnum):
    """The order of decisions about the discard (R-47)."""

    REQUESTS_FIRST = 0
    TURN_PLAYER_FIRST = 1


class CutoffScoring(IntEnum):
    """The scoring of a truncated round (R-50)."""

    PENALTY = 0
    VOID = 1


class DisplayOrder(IntEnum):
    """The order of the display pile (R-03)."""

    SHUFFLED = 0
    NUMERIC = 1


class FillMode(IntEnum):
    """The choice of the cards of a lay-down: by the agent, or automatic (D-7)."""

    EXPLICIT = 0
    AUTO = 1


class Reward(IntEnum):
    """The meaning of rewards."""

    ZERO_SUM = 0
    SCORE = 1
    RANK = 2
    WIN = 3


class RewardWhen(IntEnum):
    """The time of rewards."""

    ROUND = 0
    GAME = 1


class Shaping(IntEnum):
    """The additional rewards."""

    NONE = 0
    DEFICIT = 1


DECK_CARDS = ("all", "mini")
ENDLESS = 2**30

OPTIONS = Options(
    "tantra",
    Option("players", 4, range(2, MAX_SEATS + 1), "seats at the table; two only with a smaller deck (R-01)"),
    Option("n_packs", 0, range(MAX_PACKS + 1), "packs; 0 = 2, 3 or 4 by the number of players (R-02)", stored=np.int8),
    Option("jokers_per_pack", 2, range(MAX_JOKERS + 1), "jokers in each pack (R-02)", stored=np.int8),
    Option("hand_size", 11, range(1, 21), "cards dealt to each seat (R-05)", stored=np.int8),
    Option("max_buys", 3, range(9), "buys of a player in a round (R-40)", stored=np.int8),
    Option("max_buys_19", 4, range(9), "the same on 19 CARDS ALLOWED (R-40)", stored=np.int8),
    Option("n_rounds", 1, range(1, 10001), "rounds of a game; 44 = one full cycle (R-54)", stored=np.int32),
    Option("turn_budget", 0, range(1_000_001), "turns after which the round in progress is the last; 0 = none (R-54)",
           stored=np.int32),
    Option("max_turns_per_player", 40, range(1, 1001), "turns of each player until a round is truncated (R-50)"),
    Option("max_moves", 0, range(ENDLESS), "actions until the whole game is truncated; 0 = no limit (R-50)",
           stored=np.int32),
    Option("cutoff_scoring", "penalty", words_of(CutoffScoring),
           "in a truncated round cards in hand count, or nothing does (R-50)"),
    Option("display_order", "shuffled", words_of(DisplayOrder),
           "Display Cards shuffled, or by number: variation 4 (R-03)"),
    Option("display_start", 1, range(1, DISPLAYS + 1), "the first card by number (R-03)"),
    Option("display_carry", True, SWITCH,
           "by number, a finished table that is dealt anew in place goes on with the next card; a new table and "
           "`reset(seed)` begin with `display_start` (R-03)"),
    Option("display_cards", (), ListOf(range(1, DISPLAYS + 1), tuple(range(DISPLAYS + 1))), "only these (R-03)"),
    Option("wild_ranks", (), ListOf(range(RANKS), tuple(range(RANKS + 1))), "only these, A = 0 (R-03)"),
    Option("dealer", -1, range(-1, MAX_SEATS), "seat of the first dealer, -1 = drawn (R-06)", stored=np.int8),
    Option("buy_opening_card", True, SWITCH, "the card turned up after the deal may be bought (R-41)"),
    Option("buy_order", "requests_first", words_of(BuyOrder), "who speaks first about the discard (R-47)"),
    Option("min_naturals_per_set", 0, range(3), "natural cards each set needs when it is laid down (R-19)",
           stored=np.int8),
    Option("two_aces_in_run", True, SWITCH, "a run may grow to an ace at both ends (R-14)"),
    Option("identical_layoff", True, SWITCH, "identical pairs may be laid off (R-33)"),
    Option("recycle_keeps_top", True, SWITCH, "the last discard stays when the pile is turned over (R-48)"),
    Option("variation", 0, (0, 1, 2, 3), "0 standard, 1 original, 2 canasta points, 3 face points (R-56)"),
    Option("going_out_points", (), ListOf(range(-10000, 10001), (0, 3)),
           "later, at once, Grand Slam; () = by `low_score_wins`; none may cost the player who goes out (R-51)",
           stored=(np.int32, 3)),
    Option("card_points", None, (None, *CARD_POINTS), "points of cards in hand; None = by variation (R-53)",
           stored=np.int8),
    Option("low_score_wins", None, (None, *SWITCH),
           "the lowest total wins: cards in hand add points; None = by variation (R-55)", stored=np.int8),
    Option("reward", "zero_sum", words_of(Reward),
           "kind of reward: own score against the others', own score, place, or winning"),
    Option("reward_when", "round", words_of(RewardWhen), "rewards come after each round or at the end of the game"),
    Option("reward_scale", 100.0, None, "points worth a reward of 1", stored=np.float64),
    Option("shaping", "none", words_of(Shaping), "potential-based extra reward for coming nearer to laying down"),
    Option("shaping_coef", 0.05, None, "what one missing card is worth in it", stored=np.float64),
    Option("fill_mode", "explicit", words_of(FillMode), "cards of a lay-down are chosen one by one, or by the table"),
    Option("auto_forced", True, SWITCH, "templates and places with one choice are played by the table"),
    Option("track_known", True, SWITCH, "observations show known cards of others and a public pick-up pile"),
    Option("aux_deficit", False, (False,), "observations showed how many cards a lay-down still lacks", retired=True),
    Option("deck_cards", "all", DECK_CARDS, "all cards, or a smaller deck for exact play (R-07)"),
)  # fmt: skip

OPT = OPTIONS.record(
    ("turn_limit", np.int32),  # of a round
    ("displays", np.int8, (DISPLAYS,)),  # the display pile, ascending; from display_start if numeric
    ("displays_n", np.int8),
    ("wilds", np.int8, (RANKS,)),  # the wild pile, ascending
    ("wilds_n", np.int8),
    order="turn_budget max_moves n_rounds turn_limit displays displays_n wilds wilds_n card_points low_score_wins "
    "n_packs jokers_per_pack hand_size max_buys max_buys_19 dealer min_naturals_per_set buy_order cutoff_scoring "
    "display_order fill_mode reward reward_when shaping",
)


def resolve(given: Mapping[str, Any]) -> Config:
    """Return the value of every option; raise ValueError for values that the rules refuse. `None` means the default."""
    wanted = {name: value for name, value in given.items() if value is not None}
    if isinstance(wanted.get("wild_ranks"), (list, tuple)):
        names = [rank.upper() if isinstance(rank, str) else rank for rank in wanted["wild_ranks"]]
        wanted["wild_ranks"] = tuple(RANK_NAMES.index(rank) if rank in RANK_NAMES else rank for rank in names)
    config = OPTIONS.resolve(wanted)
    for name in ("display_cards", "wild_ranks"):
        if len(set(config[name])) < len(config[name]):
            raise ValueError(f"tantra: {name}={config[name]!r} is not allowed; allowed: each value at most once")
        config[name] = tuple(sorted(config[name]))
    if config["reward_scale"] <= 0:
        raise ValueError(f"tantra: reward_scale={config['reward_scale']} is not allowed; allowed: more than 0")
    _check_going_out(config)
    _check_start(config)
    _check_cards(config)
    return config


def _check_going_out(config: Config) -> None:
    """Raise ValueError if going out costs points: then the player who goes out could lose by it (R-51, R-55)."""
    low, points = low_wins(config), config["going_out_points"]
    if any(score > 0 if low else score < 0 for score in points):
        side, allowed = ("low", "0 or less") if low else ("high", "0 or more")
        raise ValueError(
            f"tantra: going_out_points={points} is not allowed where {side} totals win; allowed: {allowed}"
        )


def low_wins(config: Config) -> bool:
    """Return whether the lowest total wins (R-55)."""
    low = config["low_score_wins"]
    return bool(config["variation"] == 1 if low is None else low)


def _check_start(config: Config) -> None:
    start, pile = config["display_start"], config["display_cards"]
    if config["display_order"] == "numeric" and pile and start not in pile and start != 1:
        raise ValueError(f"tantra: display_start={start} is not allowed; allowed: {', '.join(map(str, pile))}")


def _check_cards(config: Config) -> None:
    """Raise ValueError if cards are too few, or buys too few for a Display Card in the pile (R-49)."""
    most = 0
    for number in displays(config):
        buys = buys_allowed(config, number)
        most = max(most, buys)
        held, wanted = config["hand_size"] + 1 + 2 * buys, int(TOTAL[number]) + 1
        if wanted > held:
            raise ValueError(
                f"tantra: hand_size={config['hand_size']} is not allowed with Display Card {number}, which "
                f"needs {wanted} cards in turn; allowed: at least {wanted - 1 - 2 * buys} with {buys} buys"
            )
    cards, wanted = deck_size(config), config["players"] * (config["hand_size"] + 2 * most) + 5
    if config["deck_cards"] != "all":
        _check_small_deck(config, cards)
    elif config["players"] < MIN_SEATS:
        raise ValueError(f"tantra: players={config['players']} is not allowed; allowed: {MIN_SEATS}..{MAX_SEATS}")
    elif cards < wanted:
        raise ValueError(
            f"tantra: n_packs={config['n_packs']} is not allowed, because it gives {cards} cards; allowed: "
            f"packs with at least {wanted} cards for {config['players']} players and {most} buys"
        )


def _check_small_deck(config: Config, cards: int) -> None:
    """Raise ValueError unless a smaller deck suffices for the deal, the first discard and two more cards (R-07)."""
    if config["players"] * config["hand_size"] + 3 > cards:
        size, most = config["hand_size"], (cards - 3) // config["players"]
        raise ValueError(f"tantra: hand_size={size} is not allowed with {cards} cards; allowed: at most {most}")
    if config["n_packs"] != MAX_PACKS:
        packs = config["n_packs"]
        raise ValueError(f"tantra: n_packs={packs} is not allowed with a smaller deck; allowed: {MAX_PACKS}")


def displays(config: Config) -> tuple[int, ...]:
    """Return the display pile before it is shuffled (R-03, R-07)."""
    if config["deck_cards"] != "all":
        return (SMALL_DISPLAY,)
    pile = config["display_cards"] or tuple(range(1, DISPLAYS + 1))
    if config["display_order"] == "numeric" and config["display_start"] in pile:
        first = pile.index(config["display_start"])
        pile = pile[first:] + pile[:first]
    return pile


def buys_allowed(config: Config, display: int) -> int:
    """Return the number of buys of each seat in a round under a Display Card (R-40)."""
    if FLAGS[display] & NO_BUYING:
        return 0
    return int(config["max_buys_19"] if FLAGS[display] & NINETEEN else config["max_buys"])


def deck_size(config: Config) -> int:
    """Return the number of cards in all packs (R-02, R-07)."""
    if config["deck_cards"] != "all":
        return int(SMALL_DECKS[DECK_CARDS.index(config["deck_cards"])].sum())
    return packs(config) * (NATURALS + int(config["jokers_per_pack"]))


def packs(config: Config) -> int:
    """Return the number of packs (R-02)."""
    by_players = 2 if config["players"] <= 5 else 3 if config["players"] <= 7 else 4
    return int(config["n_packs"]) or by_players


def going_out_points(config: Config) -> tuple[int, int, int]:
    """Return the points for going out later, at once and with a Grand Slam: good ones on either side (R-51, R-55)."""
    later, at_once, slam = config["going_out_points"] or (GOING_OUT_ORIGINAL if low_wins(config) else GOING_OUT)
    return later, at_once, slam
