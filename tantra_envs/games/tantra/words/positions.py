"""Tantra tables as dicts: the notation of known cards and rounds, and what follows from other fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.consistency import Tables
from ....core.decks import Decks
from ....core.game import Game, Position
from ....core.notation import expand, named, read_cards_by_seat, read_int, read_integers, refuse
from ....core.positions import Entry, Positions, fill_in
from ....core.state import States
from ..material import CARD_NAMES, JOKER, MAX_SETS, SMALL_DECKS, WILD
from ..options import ENDLESS
from ..sets.card_counts import check_cards
from ..state import FIELDS, LAST, LAST_BY_SEAT, Phase, read_list
from .position_build import read_build, write_build
from .position_sets import count, read_sets, write_sets

BUILDING = (Phase.TEMPLATE, Phase.PLACE)
PILES = {"display_pile": ("display", "displays"), "wild_pile": ("wild", "wilds")}


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise ValueError with the field that is wrong."""
    state, n = game.blank.copy(), game.players
    s = state[0]
    s["phase"], s["turns"] = Phase.MAIN, 8
    if "display" not in position:
        raise refuse("display", None, "the number of a Display Card")
    NOTATION.read(game, position, state)
    s["hand_n"] = np.minimum(s["hands"].sum(1), np.iinfo(np.int8).max)  # too many cards are refused afterwards
    s["discarded"] = np.minimum(count(s["discard"][: s["discard_n"]].tolist()), np.iinfo(np.int8).max)
    if position.get("rng") is None:
        s["rewards"] = 0.0
    _turn_up(position, s)
    _find_turn(position, s)
    fill_in(position, s, laid_turn=np.where(s["sets"]["kind"].reshape(-1, MAX_SETS).any(axis=1)[:n], 0, -1))
    _read_building(game, position.get("build"), state)
    _read_known(position.get("known"), s)  # placing the cards of an unfinished set has changed what is known
    _read_public(position.get("public"), s)
    NOTATION.compare(position, state)
    return state


def _turn_up(position: Mapping[str, Any], s: Any) -> None:
    """Rotate both piles so that the card turned up comes first, unless the position gives them."""
    for pile, (card, cards) in PILES.items():
        size, order = int(s["opt"][f"{cards}_n"]), s["opt"][cards][: int(s["opt"][f"{cards}_n"])].tolist()
        if pile not in position and s[card] in order:
            at = order.index(s[card])
            s[pile][:size] = order[at:] + order[:at]
        if s[card] >= 0:
            fill_in(position, s, **{f"{card}_at": 1 % size, f"{cards}_seen": 1})


def _find_turn(position: Mapping[str, Any], s: Any) -> None:
    """Fill in dealer, seat to decide and card looked at, where the position leaves them out."""
    n, turn, asks = int(s["seats"]), int(s["turn"]), s["phase"] == Phase.ASK
    fill_in(position, s, dealer=(turn - 1) % n, game_turns=s["turns"])
    asked = position.get("asked")
    if "cur" not in position and asked is None:
        s["seat"] = (turn + 1) % n if asks else turn
    elif asked is not None and (not asks or s["seat"] != asked):
        raise refuse("asked", asked, "cur in ASK, null in other phases")
    if s["peeked"] >= 0:
        (s["peeked"],) = read_list("peeked", [int(s["peeked"])], s)
        fill_in(position, s, peek_public=s["recycles"] > 0)


def _read_asked(value: Any, s: Any) -> None:
    if value is not None:
        s["seat"] = read_int({"asked": value}, "asked", 0, range(int(s["seats"])))


def _read_building(game: Game, build: Any, state: States) -> None:
    """Start the unfinished set again, at a table whose cards are counted."""
    if (state[0]["phase"] in BUILDING) != (build is not None):
        raise refuse("build", build, "a dict in TEMPLATE and PLACE, null in other phases")
    if build is not None:
        check_cards(game, Tables(game.name, state, FIELDS))
        read_build(build, state)


# Known cards


def _known(s: Any) -> list[list[list[str]]]:
    seats = range(s["seats"])
    return [[expand(s["known"][observer, seat], CARD_NAMES) for seat in seats] for observer in seats]


def _read_known(value: Any, s: Any) -> None:
    n = int(s["seats"])
    value = [None] * n if value is None else value
    if not isinstance(value, (list, tuple)) or len(value) != n:
        raise refuse("known", value, f"{n} lists, one for each observer")
    for observer, row in enumerate(value):
        s["known"][observer] = _counted(f"known[{observer}]", row, s)


def _counted(label: str, value: Any, s: Any) -> Any:
    """Return the known cards of each hand, counted by type."""
    counts = np.zeros(s["hands"].shape, np.int64)
    for seat, cards in enumerate(read_cards_by_seat({label: value}, label, int(s["seats"]), CARD_NAMES)):
        counts[seat] = count(read_list(f"{label}[{seat}]", cards, s))
        if (counts[seat] > s["hands"][seat]).any():
            raise refuse(f"{label}[{seat}]", named(cards, CARD_NAMES), "cards of that hand")
    return counts


def _read_public(given: Any, s: Any) -> None:
    """Cards of a seat that all others know are public, unless the position says which are."""
    seats = range(s["seats"])
    for seat in seats:
        s["public"][seat] = s["known"][[observer for observer in seats if observer != seat], seat].min(axis=0)
    if given is not None:
        s["public"] = _counted("public", given, s)


# Rounds


def _last_round(s: Any) -> Position:
    last: Position = {name: int(s["last"][name]) for name in LAST}
    return {**last, **{name: s["last"][name][: s["seats"]].tolist() for name in LAST_BY_SEAT}}


def _read_last_round(value: Any, s: Any) -> None:
    names, last, n = (*LAST, *LAST_BY_SEAT), s["last"], int(s["seats"])
    if not isinstance(value, Mapping) or any(name not in names for name in value):
        raise refuse("last_round", value, f"a dict with {', '.join(names)}")
    entries = {f"last_round {name}": entry for name, entry in value.items()}
    for name, allowed in LAST.items():
        last[name] = read_int(entries, f"last_round {name}", int(last[name]), allowed)
    for name, allowed in LAST_BY_SEAT.items():
        last[name][:n] = read_integers(entries, f"last_round {name}", n, allowed) or 0


def _ignored(value: Any, s: Any) -> None:
    """Read nothing: `from_position` reads the entry after all others."""


def _read_plies(value: Any, s: Any) -> None:
    s["plies"] = read_int({"plies": value}, "plies", 0, range(ENDLESS))


# Decks


def copies(s: Any) -> list[int]:
    """Return the number of cards of each type in all packs, before a wild rank is turned up."""
    if small := int(s["opt"]["deck_cards"]):
        return [*SMALL_DECKS[small].tolist(), 0]
    packs, jokers = int(s["opt"]["n_packs"]), int(s["opt"]["jokers_per_pack"])
    return [0 if card == WILD else packs * jokers if card == JOKER else packs for card in range(len(CARD_NAMES))]


DECKS = Decks(CARD_NAMES, copies)
NOTATION = Positions(
    FIELDS,
    "config phase cur turn display wild dealer hands stock discard sets turns laid_turn buys_used scores recycles "
    "round game_turns known rewards truncated asked requester peeked build",
    Entry("sets", write_sets, read_sets),
    Entry("known", _known, _ignored),
    Entry("asked", lambda s: int(s["seat"]) if s["phase"] == Phase.ASK else None, _read_asked, omit=True),
    Entry("build", write_build, _ignored, omit=True),
    Entry("plies", lambda s: int(s["plies"]), _read_plies),
    Entry("last_round", _last_round, _read_last_round),
    Entry("public", lambda s: [expand(counts, CARD_NAMES) for counts in s["public"][: s["seats"]]], _ignored),
    DECKS.entry,
    full="rng display_pile wild_pile display_at displays_seen wild_at wilds_seen peek_public declined sales refusals "
    "plies last_round public decks",
)
position = NOTATION.write
