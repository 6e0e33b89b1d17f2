"""Reading Tantra tables from dicts, to set up any position. Every error is a ValueError that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game
from ...core.notation import named
from ...core.state import Record, States
from .building import look_at_build
from .buying import ask_from, may_buy
from .dealing import clear_game, clear_round
from .material import CARD_NAMES, DISPLAYS, FLAGS, JOKER, MAX_CARDS, MAX_SETS, NO_WILD_CARDS, SUITS, TYPES, WILD
from .positions import COUNTS, EXACT, LAST, LAST_BY_SEAT, PILES, cards_in_packs
from .reading_build import read_build
from .reading_sets import count, read_list, read_rank, read_sets
from .search import can_lay_down
from .state import ENDLESS, MAX_DECKS, PHASES, Phase, SetType, buys_allowed

FIELDS = (
    *("config", "phase", "cur", "turn", "display", "wild", "dealer", "hands", "stock", "discard", "sets", "turns"),
    *("laid_turn", "buys_used", "scores", "recycles", "round", "game_turns", "requester", "asked", "peeked", "build"),
    *("known", "public", "decks", "rewards", "truncated", "last_round", *EXACT),
)
MOST_IN_HAND = 100  # cards
TURNED_OVER = range(30000)  # times
SELLING = (Phase.REPLY, Phase.PEEK)
BUILDING = (Phase.TEMPLATE, Phase.PLACE)


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise a ValueError that names the field that is wrong."""
    read.check_fields(position, FIELDS)
    read.check_config(position.get("config", {}), game.config)
    state = game.blank.copy()
    _clear(state)
    s = state[0]
    _read_round(position, s)
    _turn_up(s)
    _read_hands(position, s)
    _read_piles(position, s)
    read_sets(position, s)
    _read_seats(game, position, s)
    _read_end(position, s)
    _read_sale(position, s)
    _read_turn(position, s)
    _read_exact(position, s)
    _read_last_round(position.get("last_round", {}), s)
    _read_decks(position, s)
    _check_cards(s)
    _read_build(position, state)
    _read_knowledge(position, s)
    if not s["over"]:
        _check_goes_on(s)
        _check_sale(s, _may_buy(state))
        _settle(state)
        if not game.mask(state).any():
            raise read.refuse("cur", int(s["seat"]), "a seat with a legal action")
    return state


@entry_point
def _clear(states: Any) -> None:
    s: Record = states[0]
    clear_game(s)
    clear_round(s)


# The round


def _read_round(position: Mapping[str, Any], s: Any) -> None:
    n, opt = int(s["seats"]), s["opt"]
    s["phase"] = read.read_choice(position, "phase", "MAIN", PHASES)
    s["turn"] = read.read_int(position, "turn", 0, range(n))
    s["dealer"] = read.read_int(position, "dealer", (int(s["turn"]) - 1) % n, range(n))
    s["display"] = read.read_int(position, "display", 0, range(1, DISPLAYS + 1))
    s["wild"] = _read_wild(position.get("wild"), int(s["display"]))
    s["turns"] = read.read_int(position, "turns", 8, range(int(opt["turn_limit"]) + 1))
    s["recycles"] = read.read_int(position, "recycles", 0, TURNED_OVER)
    s["round"] = read.read_int(position, "round", 0, range(int(opt["n_rounds"]) + 1))
    s["game_turns"] = read.read_int(position, "game_turns", int(s["turns"]), range(ENDLESS))


def _read_wild(value: Any, display: int) -> int:
    if FLAGS[display] & NO_WILD_CARDS == 0:
        return read_rank("wild", value)
    if value is not None:
        raise read.refuse("wild", value, f"null: Display Card {display} has the rule No Wild Cards")
    return -1


def _turn_up(s: Any) -> None:
    """Rotate both piles so that the card turned up comes first."""
    _put_first(s["display_pile"], int(s["opt"]["displays_n"]), int(s["display"]))
    s["displays_seen"], s["display_at"] = 1, 1 % int(s["opt"]["displays_n"])
    if s["wild"] >= 0:
        _put_first(s["wild_pile"], int(s["opt"]["wilds_n"]), int(s["wild"]))
        s["wilds_seen"], s["wild_at"] = 1, 1 % int(s["opt"]["wilds_n"])


def _put_first(pile: Any, n: int, card: int) -> None:
    """Rotate a pile so that a card comes first; leave a pile without the card as it is."""
    cards = pile[:n].tolist()
    if card in cards:
        at = cards.index(card)
        pile[:n] = cards[at:] + cards[:at]


# Cards


def _read_hands(position: Mapping[str, Any], s: Any) -> None:
    for seat, cards in enumerate(_cards_by_seat(position, "hands", s)):
        if len(cards) > MOST_IN_HAND:
            raise read.refuse(f"hands[{seat}]", f"{len(cards)} cards", f"at most {MOST_IN_HAND} cards")
        s["hands"][seat] = count(cards)
        s["hand_n"][seat] = len(cards)


def _cards_by_seat(position: Mapping[str, Any], field: str, s: Any) -> list[list[int]]:
    hands = read.read_cards_by_seat(position, field, int(s["seats"]), CARD_NAMES)
    return [read_list(s, f"{field}[{seat}]", cards) for seat, cards in enumerate(hands)]


def _read_piles(position: Mapping[str, Any], s: Any) -> None:
    for field in ("stock", "discard"):
        cards = read_list(s, field, position.get(field, []))
        if len(cards) > MAX_CARDS:
            raise read.refuse(field, f"{len(cards)} cards", f"at most {MAX_CARDS} cards")
        s[field][: len(cards)] = cards[::-1] if field == "stock" else cards
        s[f"{field}_n"] = len(cards)
    s["discarded"] = np.minimum(count(s["discard"][: s["discard_n"]]), np.iinfo(np.int8).max)


def _check_cards(s: Any) -> None:
    """Raise ValueError if a card occurs more often than in the packs."""
    used = s["hands"].sum(0) + s["tabled"] + count(s["stock"][: s["stock_n"]]) + s["discarded"]
    if s["peeked"] >= 0:
        used[s["peeked"]] += 1
    packs = int(s["opt"]["n_packs"])
    for card in range(TYPES):
        held = packs * (SUITS if card == WILD else int(s["opt"]["jokers_per_pack"]) if card == JOKER else 1)
        if used[card] > held:
            places = f"hands, stock, discard, sets, peeked and build have {used[card]} of {CARD_NAMES[card]}"
            raise ValueError(f"position: {places}; the packs have {held}")


# Seats


def _read_seats(game: Game, position: Mapping[str, Any], s: Any) -> None:
    n, most = int(s["seats"]), buys_allowed(game.config, int(s["display"]))
    s["buys_used"][:n] = read.read_integers(position, "buys_used", n, range(most + 1)) or 0
    s["scores"][:n] = read.read_integers(position, "scores", n, range(-ENDLESS, ENDLESS)) or 0
    owns = (s["sets"]["kind"] != SetType.NONE).reshape(-1, MAX_SETS).any(axis=1)[:n]
    laid = read.read_integers(position, "laid_turn", n, range(-1, int(s["turns"]) + 1))
    s["laid_turn"][:n] = laid or [0 if owner else -1 for owner in owns]
    if (owns & (s["laid_turn"][:n] < 0)).any():
        raise read.refuse("laid_turn", laid, "a turn of 0 or more for every seat with sets on the table")


def _read_knowledge(position: Mapping[str, Any], s: Any) -> None:
    """Read the known cards of each hand; cards of a seat that all others know become public."""
    n = int(s["seats"])
    known = position.get("known", [None] * n)
    if not isinstance(known, (list, tuple)) or len(known) != n:
        raise read.refuse("known", known, f"{n} lists, one for each observer")
    for observer, row in enumerate(known):
        _read_known(s, s["known"][observer], f"known[{observer}]", row, observer)
    for seat in range(n):
        others = [observer for observer in range(n) if observer != seat]
        s["public"][seat] = s["known"][others, seat].min(axis=0)
    if "public" in position:
        known_to_all = s["public"].copy()
        _read_known(s, s["public"], "public", position["public"], -1)
        if (s["public"] > known_to_all).any():
            raise read.refuse("public", position["public"], "cards that all other seats know")


def _read_known(s: Any, rows: Any, field: str, given: Any, observer: int) -> None:
    for seat, cards in enumerate(_cards_by_seat({field: given}, field, s)):
        counts = count(cards)
        if (counts > s["hands"][seat]).any() or (seat == observer and cards):
            raise read.refuse(
                f"{field}[{seat}]", named(cards, CARD_NAMES), "cards of that hand, and none of the observer's own"
            )
        rows[seat] = counts


# The phase


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """Read the end of the game; only a full position keeps the rewards of the action before it."""
    n = int(s["seats"])
    read.read_end(position, s, Phase.OVER)
    rewards = read.read_numbers(position, "rewards", n)
    if position.get("rng") is not None:
        s["rewards"][:n] = rewards or 0.0


def _read_sale(position: Mapping[str, Any], s: Any) -> None:
    """Read the seat that wants to buy and the peeked card."""
    phase, turn = int(s["phase"]), int(s["turn"])
    s["requester"] = read.read_int(position, "requester", -1, range(-1, int(s["seats"])))
    if phase in SELLING and s["requester"] in (-1, turn):
        raise read.refuse("requester", int(s["requester"]), f"a seat other than {turn} in {PHASES[phase]}")
    if phase not in (*SELLING, Phase.OVER) and s["requester"] >= 0:
        raise read.refuse("requester", int(s["requester"]), f"-1 in {PHASES[phase]}")
    if position.get("peeked") is not None:
        (s["peeked"],) = read_list(s, "peeked", [position["peeked"]])
        s["peek_public"] = s["recycles"] > 0
    if (phase == Phase.PEEK) != (s["peeked"] >= 0) and not s["over"]:
        raise read.refuse("peeked", position.get("peeked"), "a card in PEEK, null in other phases")


def _read_turn(position: Mapping[str, Any], s: Any) -> None:
    """Read the seat to decide: the asked seat in ASK, else the seat in turn."""
    n, phase, turn = int(s["seats"]), int(s["phase"]), int(s["turn"])
    default = (turn + 1) % n if phase == Phase.ASK else turn
    if position.get("asked") is not None:
        if phase != Phase.ASK:
            raise read.refuse("asked", position["asked"], "null outside ASK")
        default = read.read_int(position, "asked", -1, range(n))
    s["seat"] = read.read_int(position, "cur", default, range(n))
    if position.get("asked") is not None and s["seat"] != default:
        raise read.refuse("asked", default, f"cur, {s['seat']}")
    if not s["over"] and (phase == Phase.ASK) == (s["seat"] == turn):
        raise read.refuse("cur", int(s["seat"]), f"{'a seat other than' if phase == Phase.ASK else 'turn,'} {turn}")


def _read_build(position: Mapping[str, Any], state: States) -> None:
    s, given = state[0], position.get("build")
    if (s["phase"] in BUILDING) != (given is not None):
        raise read.refuse("build", given, "a dict in TEMPLATE and PLACE, null in other phases")
    if given is not None:
        read_build(given, state)
        _check_cards(s)


# Additional fields of full positions


def _read_exact(position: Mapping[str, Any], s: Any) -> None:
    read.read_stream(position, s)
    for name, allowed in COUNTS.items():
        s[name] = read.read_int(position, name, int(s[name]), allowed)
    if s["peek_public"] and s["phase"] not in (Phase.PEEK, Phase.OVER):
        raise read.refuse("peek_public", 1, "0 outside PEEK")
    for pile, (cards, at, seen) in PILES.items():
        size, whole = int(s["opt"][f"{cards}_n"]), s["opt"][cards].tolist()
        given = read.read_integers(position, pile, len(whole)) or s[pile].tolist()
        if [*sorted(given[:size]), *given[size:]] != [*sorted(whole[:size]), *whole[size:]]:
            raise read.refuse(pile, given, f"{whole}, the first {size} in any order")
        s[pile] = given
        s[at] = read.read_int(position, at, int(s[at]), range(size))
        s[seen] = read.read_int(position, seen, int(s[seen]), range(size + 1))


def _read_last_round(given: Any, s: Any) -> None:
    names = (*LAST, *LAST_BY_SEAT)
    if not isinstance(given, Mapping) or any(name not in names for name in given):
        raise read.refuse("last_round", given, f"a dict with {', '.join(names)}")
    last, n = s["last"], int(s["seats"])
    entries = {f"last_round {name}": value for name, value in given.items()}
    for name, allowed in LAST.items():
        last[name] = read.read_int(entries, f"last_round {name}", int(last[name]), allowed)
    for name, allowed in LAST_BY_SEAT.items():
        last[name][:n] = read.read_integers(entries, f"last_round {name}", n, allowed) or 0


def _read_decks(position: Mapping[str, Any], s: Any) -> None:
    """Read the decks for the rounds to come: next deck first, each from its front."""
    decks, size = position.get("decks", []), cards_in_packs(s)
    if not isinstance(decks, (list, tuple)) or len(decks) > MAX_DECKS:
        raise read.refuse("decks", decks, f"a list of at most {MAX_DECKS} decks")
    for k, deck in enumerate(decks):
        cards = read.read_cards(f"decks[{k}]", deck, CARD_NAMES)
        if count(cards).tolist() != copies(s):
            raise read.refuse(f"decks[{k}]", f"{len(cards)} cards", f"all {size} cards of the packs")
        s["decks"][k][:size] = cards
    s["decks_n"] = len(decks)


def copies(s: Any) -> list[int]:
    """Return the number of cards of each type in all packs, before a wild rank is turned up."""
    packs, jokers = int(s["opt"]["n_packs"]), int(s["opt"]["jokers_per_pack"])
    return [0 if card == WILD else packs * jokers if card == JOKER else packs for card in range(TYPES)]


# Settling


def _check_goes_on(s: Any) -> None:
    """Raise ValueError if the round or the game is already finished."""
    if s["turns"] >= s["opt"]["turn_limit"]:
        raise read.refuse("turns", int(s["turns"]), f"less than the turn limit {s['opt']['turn_limit']}")
    if s["round"] >= s["opt"]["n_rounds"]:
        raise read.refuse("round", int(s["round"]), f"less than n_rounds, {s['opt']['n_rounds']}")


def _check_sale(s: Any, may_buy: bool) -> None:
    """Raise ValueError if there is no card to sell, or `declined` is set in a phase that excludes it."""
    if s["phase"] in (Phase.REPLY, Phase.ASK) and not s["discard_n"]:
        raise read.refuse("discard", [], "a card to buy")
    if s["phase"] == Phase.PEEK and s["stock_n"] + s["discard_n"] - int(s["opt"]["recycle_keeps_top"]) < 1:
        raise read.refuse("stock", [], "a card for the buyer or the seat in turn in PEEK")
    if s["declined"] and (s["phase"] != Phase.ASK or not may_buy):
        raise read.refuse("declined", 1, "1 only if a seat that may buy is asked, otherwise 0")


@entry_point
def _may_buy(states: Any) -> bool:
    """Return whether the seat to decide may buy."""
    return may_buy(states[0], states[0].seat)


@entry_point
def _settle(states: Any) -> None:
    """Take the steps that need no decision: find the next possible buyer, and the actions that need a search."""
    s: Record = states[0]
    if s.phase == Phase.ASK:
        ask_from(s, (s.seat - s.turn + s.seats) % s.seats)
    elif s.phase == Phase.MAIN:
        s.can_lay = can_lay_down(s, int(s.turn))
    elif s.phase in (Phase.TEMPLATE, Phase.PLACE):
        look_at_build(s)
