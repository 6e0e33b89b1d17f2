"""Tantra tables as dicts, written and read: to set up any position, and to keep one exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game, Position
from ...core.state import Record, States
from .actions import KIND, RUN
from .building import begin_lay_down, begin_lay_off, choose_template, look_at_build, place_card
from .buying import ask_from
from .dealing import clear_game, clear_round
from .material import (
    CARD_NAMES,
    DISPLAYS,
    FLAGS,
    JOKER,
    MAX_CARDS,
    MAX_SEATS,
    MAX_SETS,
    NATURALS,
    NO_WILD_CARDS,
    PLACES,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    TYPES,
    WILD,
)
from .search import can_lay_down
from .sets import max_buys
from .state import (
    A_KIND,
    A_RUN,
    ASK,
    ENDINGS,
    ENDLESS,
    LAYING_DOWN,
    LAYING_OFF,
    LOWER_MATE,
    MAIN,
    MAX_DECKS,
    NATURAL,
    OVER,
    PEEK,
    PHASES,
    PLACE_CARD,
    REPLY,
    TEMPLATE,
    UPPER_MATE,
)

PILES = {"display_pile": ("displays", "display_at", "displays_seen"), "wild_pile": ("wilds", "wild_at", "wilds_seen")}
COUNTED = range(2**15)
COUNTS = {"peek_public": range(2), "declined": range(2), "sales": COUNTED, "refusals": COUNTED, "plies": range(ENDLESS)}
EXACT = ("rng", *PILES, *(name for _, *names in PILES.values() for name in names), *COUNTS)  # what a full position adds
LAST = {  # and of the round that ended last: numbers, then by seat
    **{"display": range(DISPLAYS + 1), "wild": range(-1, RANKS), "out": range(-1, MAX_SEATS)},
    **{"ending": range(len(ENDINGS)), "turns": range(ENDLESS), "sales": COUNTED, "refusals": COUNTED},
}
LAST_BY_SEAT = {"scores": ENDLESS, "laid_turn": ENDLESS, "hand_points": 2**15 - 1}  # at most
FIELDS = (
    *("config", "phase", "cur", "turn", "display", "wild", "dealer", "hands", "stock", "discard", "sets", "turns"),
    *("laid_turn", "buys_used", "scores", "recycles", "round", "game_turns", "requester", "asked", "peeked", "build"),
    *("known", "public", "decks", "rewards", "truncated", "last_round", *EXACT),
)
MODES = ("lay down", "lay off")


# Writing


def position(game: Game, state: States, full: bool) -> Position:
    """The table as a dict; `full` adds the random stream, the piles to come and what everybody knows."""
    s, seats = state[0], range(game.players)
    phase = PHASES[s["phase"]]
    written: Position = {
        "config": game.options.changed(game.config),
        "phase": phase,
        "cur": int(s["seat"]),
        "turn": int(s["turn"]),
        "display": int(s["display"]),
        "wild": RANK_NAMES[s["wild"]] if s["wild"] >= 0 else None,
        "dealer": int(s["dealer"]),
        "hands": [expand(s["hands"][seat]) for seat in seats],
        "stock": named(s["stock"][: s["stock_n"]][::-1]),
        "discard": named(s["discard"][: s["discard_n"]]),
        "sets": [_written_set(s, seat, slot) for seat in seats for slot in range(MAX_SETS) if _is_done(s, seat, slot)],
        "turns": int(s["turns"]),
        "laid_turn": [int(s["laid_turn"][seat]) for seat in seats],
        "buys_used": [int(s["buys_used"][seat]) for seat in seats],
        "scores": [int(s["scores"][seat]) for seat in seats],
        "recycles": int(s["recycles"]),
        "round": int(s["round"]),
        "game_turns": int(s["game_turns"]),
        "known": [[expand(s["known"][observer, seat]) for seat in seats] for observer in seats],
        "rewards": [float(s["rewards"][seat]) for seat in seats],
        "truncated": bool(s["truncated"]),
    }
    if phase == "ASK":
        written["asked"] = int(s["seat"])
    if s["requester"] >= 0:
        written["requester"] = int(s["requester"])
    if s["peeked"] >= 0:
        written["peeked"] = CARD_NAMES[s["peeked"]]
    if s["mode"]:
        written["build"] = _written_build(s)
    if full:
        written.update({name: s[name].tolist() for name in EXACT})
        by_seat = {name: s["last"][name][: game.players].tolist() for name in LAST_BY_SEAT}
        written["last_round"] = {**{name: int(s["last"][name]) for name in LAST}, **by_seat}
        written["public"] = [expand(s["public"][seat]) for seat in seats]
        size = int(cards_in_packs(s))
        written["decks"] = [named(s["decks"][k][:size]) for k in range(s["decks_n"])]
    return written


def cards_in_packs(s: Any) -> int:
    """Cards in all packs of a table."""
    return int(s["opt"]["n_packs"]) * (NATURALS + int(s["opt"]["jokers_per_pack"]))


def expand(counts: Any) -> list[str]:
    """Names of the cards counted by type, ascending."""
    return [CARD_NAMES[card] for card, count in enumerate(counts) for _ in range(count)]


def named(cards: Any) -> list[str]:
    """Names of cards in their order."""
    return [CARD_NAMES[card] for card in cards]


def _is_done(s: Any, seat: int, slot: int) -> bool:
    building = s["mode"] == LAYING_DOWN and s["target"] == seat and s["slot"] == slot
    return bool(s["sets"][seat * MAX_SETS + slot]["kind"]) and not building


def _written_set(s: Any, seat: int, slot: int) -> Position:
    """A set without the cards that are being laid off on it."""
    lies = s["sets"][seat * MAX_SETS + slot]
    cards = cards_of(lies)
    if s["mode"] == LAYING_OFF and (s["target"], s["slot"]) == (seat, slot):
        placed = len(_placed_off(s))
        cards = cards[placed:] if s["direction"] < 0 else cards[: len(cards) - placed]
        start = int(lies["lo"]) + (placed if s["direction"] < 0 else 0)
    else:
        start = int(lies["lo"])
    head: Position = {"seat": seat, "slot": slot}
    if lies["kind"] == A_KIND:
        return {**head, "kind": RANK_NAMES[lies["rank"]], "cards": cards}
    return {**head, "run": SUIT_NAMES[lies["suit"]], "start": start, "cards": cards}


def cards_of(lies: Any) -> list[str]:
    """Names of the cards of a set, in their order."""
    fill = lies["fill"].tolist()
    if lies["kind"] == A_KIND:
        classes = [*(suit * RANKS + int(lies["rank"]) for suit in range(4)), WILD, JOKER]
        return [CARD_NAMES[card] for card, count in zip(classes, fill, strict=False) for _ in range(count)]
    return [CARD_NAMES[_card_in(lies, place)] for place in range(int(lies["lo"]), int(lies["hi"]) + 1)]


def _card_in(lies: Any, place: int) -> int:
    role, suit = int(lies["fill"][place - 1]), int(lies["suit"])
    if role in (NATURAL, LOWER_MATE, UPPER_MATE):
        place += {LOWER_MATE: -1, UPPER_MATE: 1}.get(role, 0)
        return suit * RANKS + (place - 1) % RANKS
    return JOKER if role == 2 else WILD


def _placed_off(s: Any) -> list[str]:
    """Cards already placed in the lay-off that goes on: the duplicates at the end, where no finished run has one."""
    lies, way = s["sets"][s["target"] * MAX_SETS + s["slot"]], int(s["direction"])
    placed: list[str] = []
    place = int(s["place"]) - way
    while way and lies["fill"][place - 1] in (LOWER_MATE, UPPER_MATE):
        placed.insert(0, CARD_NAMES[_card_in(lies, place)])
        place -= way
    return placed


def _written_build(s: Any) -> Position:
    if s["mode"] == LAYING_OFF:
        lies = s["sets"][s["target"] * MAX_SETS + s["slot"]]
        end = "" if lies["kind"] == A_KIND else " high" if s["direction"] > 0 else " low"
        return {"mode": "lay off", "on": f"{s['target']}.{s['slot']}{end}", "placed": _placed_off(s)}
    lies = s["sets"][s["turn"] * MAX_SETS + s["slot"]]
    template = None
    if lies["kind"] == A_KIND:
        template = f"kind {RANK_NAMES[lies['rank']]}"
    elif lies["kind"] == A_RUN:
        template = f"run {SUIT_NAMES[lies['suit']]} {lies['lo']}"
    placed = cards_of(lies) if template else []
    return {"mode": "lay down", "slot": int(s["slot"]), "template": template, "placed": placed}


# Reading


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """The table a position describes; ValueError naming the field that is wrong."""
    read.check_fields(position, FIELDS)
    read.check_config(position.get("config", {}), game.config)
    state = game.blank.copy()
    _clear(state)
    s = state[0]
    _read_round(game, position, s)
    _read_cards(position, s)
    _read_seats(position, s)
    _read_sets(position, s)
    _read_phase(position, s)
    _read_exact(position, s)
    _check_cards(s)
    if not s["over"]:
        _read_build(position, state)
    _read_knowledge(position, s)
    if not s["over"]:
        _settle(state)
        _check_playable(game, position, state)
    return state


@entry_point
def _clear(states: Any) -> None:
    s: Record = states[0]
    clear_game(s)
    clear_round(s)


def _read_round(game: Game, position: Mapping[str, Any], s: Any) -> None:
    n = game.players
    s["phase"] = read.read_choice(position, "phase", "MAIN", PHASES)
    s["turn"] = read.read_int(position, "turn", 0, range(n))
    s["dealer"] = read.read_int(position, "dealer", (int(s["turn"]) - 1) % n, range(n))
    if "display" not in position:
        raise read.refuse("display", None, f"1..{DISPLAYS}")
    s["display"] = read.read_int(position, "display", 0, range(1, DISPLAYS + 1))
    s["wild"] = _read_wild(position, s)
    s["turns"] = read.read_int(position, "turns", 8, range(int(s["opt"]["turn_limit"]) + 1))
    s["recycles"] = read.read_int(position, "recycles", 0, range(30000))
    s["round"] = read.read_int(position, "round", 0, range(int(s["opt"]["n_rounds"]) + 1))
    s["game_turns"] = read.read_int(position, "game_turns", int(s["turns"]), range(2**30))
    _put_first(s["display_pile"], int(s["opt"]["displays_n"]), int(s["display"]))
    if s["wild"] >= 0:
        _put_first(s["wild_pile"], int(s["opt"]["wilds_n"]), int(s["wild"]))
        s["wilds_seen"], s["wild_at"] = 1, 1 % int(s["opt"]["wilds_n"])
    s["displays_seen"], s["display_at"] = 1, 1 % int(s["opt"]["displays_n"])


def _put_first(pile: Any, n: int, card: int) -> None:
    """The card turned up is the first of its pile, which is cycled; one that is not in the pile takes no place."""
    cards = pile[:n].tolist()
    if card in cards:
        at = cards.index(card)
        pile[:n] = cards[at:] + cards[:at]


def _read_wild(position: Mapping[str, Any], s: Any) -> int:
    value = position.get("wild")
    if FLAGS[s["display"]] & NO_WILD_CARDS:
        if value is not None:
            raise read.refuse("wild", value, f"null: Display Card {s['display']} says No Wild Cards")
        return -1
    name = value.upper() if isinstance(value, str) else value
    if name in RANK_NAMES:
        return RANK_NAMES.index(name)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < RANKS:
        return value
    raise read.refuse("wild", value, f"a rank: {', '.join(RANK_NAMES)}")


def _is_wild(s: Any, card: int) -> bool:
    return card < NATURALS and card % RANKS == s["wild"]


def _read_list(s: Any, field: str, value: Any) -> list[int]:
    """Cards of a list; those of the wild rank are WILD (R-20)."""
    cards = [WILD if _is_wild(s, card) else card for card in read.read_cards(field, value, CARD_NAMES)]
    if WILD in cards and s["wild"] < 0:
        raise read.refuse(field, "WILD", "no WILD: there is no wild rank in this round")
    return cards


def _read_hands(position: Mapping[str, Any], s: Any, field: str) -> list[list[int]]:
    hands = read.read_cards_by_seat(position, field, int(s["seats"]), CARD_NAMES)
    return [_read_list(s, f"{field}[{seat}]", cards) for seat, cards in enumerate(hands)]


def _read_cards(position: Mapping[str, Any], s: Any) -> None:
    """Hands and piles."""
    for seat, cards in enumerate(_read_hands(position, s, "hands")):
        if len(cards) > 100:
            raise read.refuse(f"hands[{seat}]", f"{len(cards)} cards", "at most 100 cards")
        s["hands"][seat] = np.bincount(cards, minlength=TYPES) if cards else 0
        s["hand_n"][seat] = len(cards)
    for field in ("stock", "discard"):
        cards = _read_list(s, field, position.get(field, []))
        if len(cards) > MAX_CARDS:
            raise read.refuse(field, f"{len(cards)} cards", f"at most {MAX_CARDS} cards")
        s[field][: len(cards)] = cards[::-1] if field == "stock" else cards
        s[f"{field}_n"] = len(cards)
    s["discarded"] = np.bincount(s["discard"][: s["discard_n"]], minlength=TYPES)


def _read_knowledge(position: Mapping[str, Any], s: Any) -> None:
    """What is known of the hands; everybody knows what all others of a seat know."""
    n = int(s["seats"])
    known = position.get("known")
    if known is not None:
        if not isinstance(known, (list, tuple)) or len(known) != n:
            raise read.refuse("known", known, f"{n} lists, one for each observer")
        for observer, row in enumerate(known):
            _read_known(s, s["known"][observer], f"known[{observer}]", row, observer)
    others = [[o for o in range(n) if o != seat] for seat in range(n)]
    for seat in range(n):
        s["public"][seat] = s["known"][others[seat], seat].min(axis=0)
    if "public" in position:
        _read_known(s, s["public"], "public", position["public"], -1)


def _read_known(s: Any, rows: Any, field: str, given: Any, observer: int) -> None:
    for seat, cards in enumerate(_read_hands({field: given}, s, field)):
        counts = np.bincount(cards, minlength=TYPES) if cards else np.zeros(TYPES, int)
        if (counts > s["hands"][seat]).any() or (seat == observer and cards):
            raise read.refuse(f"{field}[{seat}]", named(cards), "cards of that hand, and none of the own")
        rows[seat] = counts


def _read_seats(position: Mapping[str, Any], s: Any) -> None:
    n = int(s["seats"])
    for field, low, high in (("buys_used", 0, 8), ("scores", -(2**30), 2**30)):
        s[field][:n] = _read_ints(position, field, n, low, high) or 0
    sets = position.get("sets", [])
    if not isinstance(sets, (list, tuple)) or not all(isinstance(given, Mapping) for given in sets):
        raise read.refuse("sets", sets, "a list of sets")
    owners = {given.get("seat") for given in sets}
    laid = _read_ints(position, "laid_turn", n, -1, int(s["turns"]))
    s["laid_turn"][:n] = laid or [0 if seat in owners else -1 for seat in range(n)]


def _read_ints(position: Mapping[str, Any], field: str, n: int, low: int, high: int) -> list[Any] | None:
    values = read.read_numbers(position, field, n)
    if values is None:
        return None
    if not all(isinstance(value, int) and low <= value <= high for value in values):
        raise read.refuse(field, values, f"{n} integers {low}..{high}")
    return values


# Tabled sets


def _read_sets(position: Mapping[str, Any], s: Any) -> None:
    for number, given in enumerate(position.get("sets", [])):
        field = f"sets[{number}]"
        read_keys = ("seat", "slot", "kind", "run", "start", "cards")
        if unknown := [key for key in given if key not in read_keys]:
            raise read.refuse(field, unknown[0], ", ".join(read_keys))
        seat = read.read_int(given, "seat", 0, range(int(s["seats"])))
        slot = read.read_int(given, "slot", 0, range(MAX_SETS))
        lies = s["sets"][seat * MAX_SETS + slot]
        if lies["kind"]:
            raise read.refuse(field, f"seat {seat}, slot {slot}", "each slot once")
        cards = _read_list(s, f"{field} cards", given.get("cards", []))
        if ("kind" in given) == ("run" in given):
            raise read.refuse(field, dict(given), "either kind or run")
        if "kind" in given:
            _read_kind(lies, field, given["kind"], cards)
        else:
            _read_run(lies, field, given, cards, s["phase"] == OVER)
        s["tabled"] += np.bincount(cards, minlength=TYPES).astype(np.int8)


def _read_kind(lies: Any, field: str, rank: Any, cards: list[int]) -> None:
    if not isinstance(rank, str) or rank.upper() not in RANK_NAMES:
        raise read.refuse(f"{field} kind", rank, ", ".join(RANK_NAMES))
    lies["kind"], lies["rank"], lies["size"] = A_KIND, RANK_NAMES.index(rank.upper()), len(cards)
    for card in cards:
        if card < NATURALS and card % RANKS != lies["rank"]:
            raise read.refuse(f"{field} cards", CARD_NAMES[card], f"cards of rank {rank}, WILD, JK")
        lies["fill"][card // RANKS if card < NATURALS else 4 if card == WILD else 5] += 1


def _read_run(lies: Any, field: str, given: Mapping[str, Any], cards: list[int], over: bool) -> None:
    suit = given["run"]
    if not isinstance(suit, str) or suit.upper() not in SUIT_NAMES:
        raise read.refuse(f"{field} run", suit, ", ".join(SUIT_NAMES))
    start = read.read_int(given, "start", 0, range(1, PLACES + 1))
    fewest = 0 if over else 1
    if not fewest <= len(cards) <= PLACES + 1 - start:
        raise read.refuse(f"{field} cards", named(cards), f"{fewest}..{PLACES + 1 - start} cards from place {start}")
    lies["kind"], lies["suit"], lies["size"] = A_RUN, SUIT_NAMES.index(suit.upper()), len(cards)
    lies["lo"], lies["hi"] = start, start + len(cards) - 1
    for place, card in enumerate(cards, start=start):
        lies["fill"][place - 1] = _role(int(lies["suit"]), place, card, field)
    problem = "" if over else _wrong_pair(lies)  # a game may be cut off while a set is built
    if problem:
        raise read.refuse(f"{field} cards", named(cards), problem)


def _role(suit: int, place: int, card: int, field: str) -> int:
    if card >= NATURALS:
        return 2 if card == JOKER else 3
    for role, away in ((NATURAL, 0), (LOWER_MATE, -1), (UPPER_MATE, 1)):
        if 1 <= place + away <= PLACES and card == suit * RANKS + (place + away - 1) % RANKS:
            return role
    raise read.refuse(f"{field} cards", CARD_NAMES[card], f"a card that fits place {place} of this run (R-23)")


def _wrong_pair(lies: Any) -> str:
    """What is wrong with the pairs of a run, if anything (R-23)."""
    fill, lo, hi = lies["fill"].tolist(), int(lies["lo"]), int(lies["hi"])
    mates: list[int] = []
    for place in range(lo, hi + 1):
        role = fill[place - 1]
        if role in (LOWER_MATE, UPPER_MATE):
            mate = place + (1 if role == UPPER_MATE else -1)
            if not lo < place < hi or fill[mate - 1] != NATURAL or mate in mates:
                return "pairs of two natural neighbours, the duplicate inside the run (R-23)"
            mates.append(mate)
    return ""


# Phase, and what full positions add


def _read_phase(position: Mapping[str, Any], s: Any) -> None:
    n, phase, turn = int(s["seats"]), int(s["phase"]), int(s["turn"])
    s["over"] = phase == OVER
    if s["over"] and "rng" not in position:
        raise read.refuse("phase", "OVER", "a game that goes on, or a full position with its rng")
    s["truncated"] = read.read_flag(position, "truncated", False)
    rewards = read.read_numbers(position, "rewards", n)  # paid by an action: only a full position has one behind it
    s["rewards"][:n] = rewards if rewards and "rng" in position else 0.0
    if s["truncated"] and not s["over"]:
        raise read.refuse("truncated", True, "false while the game goes on")
    s["requester"] = read.read_int(position, "requester", -1, range(-1, n))
    if phase in (REPLY, PEEK) and s["requester"] in (-1, turn):
        raise read.refuse("requester", int(s["requester"]), f"a seat other than {turn} in {PHASES[phase]}")
    s["peeked"] = -1
    if position.get("peeked") is not None:
        s["peeked"] = _read_list(s, "peeked", [position["peeked"]])[0]
        s["peek_public"] = s["recycles"] > 0
    if (phase == PEEK) != (s["peeked"] >= 0) and not s["over"]:
        raise read.refuse("peeked", position.get("peeked"), "a card in PEEK, and only there")
    asked = position.get("asked")
    default = turn if phase != ASK else asked if isinstance(asked, int) else (turn + 1) % n
    s["seat"] = read.read_int(position, "cur", default, range(n))
    if phase == ASK and asked is not None and asked != s["seat"]:
        raise read.refuse("asked", asked, f"cur, {s['seat']}")
    if not s["over"] and (phase == ASK) == (s["seat"] == turn):
        raise read.refuse("cur", int(s["seat"]), f"{'another seat than' if phase == ASK else 'turn,'} {turn}")


def _read_exact(position: Mapping[str, Any], s: Any) -> None:
    for name, allowed in COUNTS.items():
        s[name] = read.read_int(position, name, int(s[name]), allowed)
    s["rng"] = _read_ints(position, "rng", 4, 0, 2**32 - 1) or s["rng"]
    for pile, (cards, at, seen) in PILES.items():
        size, whole = int(s["opt"][f"{cards}_n"]), s["opt"][cards].tolist()
        given = read.read_numbers(position, pile, len(whole)) or s[pile].tolist()
        if [*sorted(given[:size]), *given[size:]] != [*sorted(whole[:size]), *whole[size:]]:
            raise read.refuse(pile, given, f"{whole}, the first {size} in any order")
        s[pile] = given
        s[at] = read.read_int(position, at, int(s[at]), range(size))
        s[seen] = read.read_int(position, seen, int(s[seen]), range(size + 1))
    _read_last_round(position.get("last_round", {}), s)
    _read_decks(position, s)


def _read_last_round(given: Any, s: Any) -> None:
    last, names = s["last"], (*LAST, *LAST_BY_SEAT)
    if not isinstance(given, Mapping) or not set(given) <= set(names):
        raise read.refuse("last_round", given, f"a dict with {', '.join(names)}")
    for name, allowed in LAST.items():
        last[name] = read.read_int(given, name, int(last[name]), allowed)
    for name, most in LAST_BY_SEAT.items():
        last[name][: s["seats"]] = _read_ints(given, name, int(s["seats"]), -most, most) or 0


def _read_decks(position: Mapping[str, Any], s: Any) -> None:
    decks = position.get("decks", [])
    if not isinstance(decks, (list, tuple)) or len(decks) > MAX_DECKS:
        raise read.refuse("decks", decks, f"at most {MAX_DECKS} decks")
    for k, deck in enumerate(decks):
        cards = read.read_cards(f"decks[{k}]", deck, CARD_NAMES)
        if len(cards) != cards_in_packs(s):
            raise read.refuse(f"decks[{k}]", f"{len(cards)} cards", f"{cards_in_packs(s)} cards")
        s["decks"][k][: len(cards)] = cards
    s["decks_n"] = len(decks)


def _check_cards(s: Any) -> None:
    """No card more often than the packs have it."""
    lists = np.concatenate([s["stock"][: s["stock_n"]], s["discard"][: s["discard_n"]]])
    used = s["hands"].sum(0) + s["tabled"] + np.bincount(lists, minlength=TYPES)
    if s["peeked"] >= 0:
        used[s["peeked"]] += 1
    packs = int(s["opt"]["n_packs"])
    for card in range(TYPES):
        held = packs * (4 if card == WILD else int(s["opt"]["jokers_per_pack"]) if card == JOKER else 1)
        if used[card] > held:
            places = f"hands, stock, discard and sets have {used[card]} of {CARD_NAMES[card]}"
            raise ValueError(f"position: {places}; the packs have {held}")


# A set being built


def _read_build(position: Mapping[str, Any], state: States) -> None:
    s, given = state[0], position.get("build")
    building = s["phase"] in (TEMPLATE, PLACE_CARD)
    if building != (given is not None):
        raise read.refuse("build", given, "what is being built in TEMPLATE and PLACE, and only there")
    if given is None:
        return
    if not isinstance(given, Mapping) or given.get("mode") not in MODES:
        raise read.refuse("build", given, "a dict with mode: lay down, lay off")
    placed = _read_list(s, "build placed", given.get("placed", []))
    for card in placed:  # given back to the hand, and placed once more
        s["hands"][s["turn"], card] += 1
        s["hand_n"][s["turn"]] += 1
    if given["mode"] == "lay off":
        _read_lay_off(given, state, placed)
    else:
        _read_lay_down(given, state, placed)
    _check_cards(s)


def _read_lay_off(given: Mapping[str, Any], state: States, placed: list[int]) -> None:
    s, on = state[0], str(given.get("on", "")).split()
    where = on[0].split(".") if on else []
    whole = len(where) == 2 and where[0].isdigit() and where[1].isdigit() and on[1:] in ([], ["low"], ["high"])
    if not whole or int(where[0]) >= s["seats"] or int(where[1]) >= MAX_SETS:
        raise read.refuse("build on", given.get("on"), "SEAT.SLOT with low or high for runs")
    owner, slot = int(where[0]), int(where[1])
    if not s["sets"][owner * MAX_SETS + slot]["kind"] or s["phase"] != PLACE_CARD:
        raise read.refuse("build on", given["on"], "a set on the table, in phase PLACE")
    _replay_lay_off(state, owner, slot, 1 if on[1:] == ["high"] else -1, np.array(placed, np.int64))
    if s["phase"] != PLACE_CARD:
        raise read.refuse("build placed", named(placed), "cards of a lay-off that goes on")


@entry_point
def _replay_lay_off(states: Any, owner: int, slot: int, way: int, placed: Any) -> None:
    s: Record = states[0]
    begin_lay_off(s, owner, slot, way)
    for i in range(len(placed)):
        place_card(s, placed[i])


def _read_lay_down(given: Mapping[str, Any], state: States, placed: list[int]) -> None:
    s, phase = state[0], int(state[0]["phase"])
    slot = read.read_int(given, "slot", 0, range(MAX_SETS))
    template = _read_template(given.get("template"))
    if (template < 0) != (phase == TEMPLATE) or (placed and template < 0):
        raise read.refuse(
            "build template", given.get("template"), "kind RANK or run SUIT START in PLACE, null in TEMPLATE"
        )
    _replay_lay_down(state, slot, template, np.array(placed, np.int64))
    if s["phase"] != phase or s["slot"] != slot:
        raise read.refuse("build placed", named(placed), "fewer cards than the set has")


def _read_template(words: Any) -> int:
    """The action of a template in words, -1 = none."""
    if words is None:
        return -1
    parts = str(words).upper().split()
    if len(parts) == 2 and parts[0] == "KIND" and parts[1] in RANK_NAMES:
        return KIND + RANK_NAMES.index(parts[1])
    if len(parts) == 3 and parts[0] == "RUN" and parts[1] in SUIT_NAMES and parts[2].isdigit():
        if 1 <= int(parts[2]) <= RANKS:
            return RUN + SUIT_NAMES.index(parts[1]) * RANKS + int(parts[2]) - 1
    raise read.refuse("build template", words, "kind RANK, run SUIT START or null")


@entry_point
def _replay_lay_down(states: Any, slot: int, template: int, placed: Any) -> None:
    s: Record = states[0]
    turns = int(s.laid_turn[s.turn])
    begin_lay_down(s)
    if turns >= 0:
        s.laid_turn[s.turn] = turns
    s.slot = slot
    if template >= 0:
        choose_template(s, template)
    for i in range(len(placed)):
        place_card(s, placed[i])


# Settling


@entry_point
def _settle(states: Any) -> None:
    """Take the steps that need no decision: ask only who may buy, and look what can be done."""
    s: Record = states[0]
    if s.phase == ASK:
        ask_from(s, (s.seat - s.turn + s.seats) % s.seats)
    elif s.phase == MAIN:
        s.can_lay = can_lay_down(s, int(s.turn))
    elif s.phase in (TEMPLATE, PLACE_CARD):
        look_at_build(s)


@entry_point
def _buys(states: Any, most: Any) -> None:
    most[0] = max_buys(states[0])


def _check_playable(game: Game, position: Mapping[str, Any], state: States) -> None:
    s, n = state[0], game.players
    most = np.zeros(1, np.int64)
    _buys(state, most)
    if (s["buys_used"][:n] > most[0]).any():
        raise read.refuse("buys_used", s["buys_used"][:n].tolist(), f"at most {most[0]} each")
    if s["turns"] >= s["opt"]["turn_limit"]:
        raise read.refuse("turns", int(s["turns"]), f"less than the cut-off {s['opt']['turn_limit']}")
    if s["round"] >= s["opt"]["n_rounds"]:
        raise read.refuse("round", int(s["round"]), f"less than n_rounds, {s['opt']['n_rounds']}")
    if s["phase"] in (REPLY, ASK) and not s["discard_n"]:
        raise read.refuse("discard", [], "a card to buy")
    if s["phase"] == PEEK and s["stock_n"] + s["discard_n"] - int(s["opt"]["recycle_keeps_top"]) < 1:
        raise read.refuse("stock", [], "a card for the buyer or the seat in turn in PEEK")
    if not game.mask(state).any():
        raise read.refuse("cur", int(s["seat"]), "a seat that can do something")
