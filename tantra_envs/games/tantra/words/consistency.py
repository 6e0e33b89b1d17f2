"""The one check of Tantra tables that come from outside: records that are loaded, and positions.

Positions may leave cards out. So a card may occur less often than the packs have it, but never more often. A table at
which a set is being built is compared with the table that its position reads back to: its legal actions need a search.
"""

from __future__ import annotations

import numpy as np

from ....core.compiled.starting import seldom
from ....core.consistency import Tables
from ....core.fields import Array
from ....core.game import Game
from ....core.state import Record
from ..buying import ask_from, may_buy
from ..material import (
    DISPLAYS,
    FLAGS,
    IDENTICAL,
    MAX_SETS,
    NO_JOKERS,
    NO_WILD_CARDS,
    PLACES,
    RANKS,
    SMALL_DISPLAY,
    SUITS,
    SetType,
)
from ..options import BuyOrder, buys_allowed
from ..sets.card_counts import check_cards
from ..sets.search.laying import can_lay_down
from ..state import LAST, LAST_BY_SEAT, KindClass, Mode, Phase, Role
from .positions import BUILDING, DECKS, PILES

MOST_IN_HAND = 100  # cards
SELLING = (Phase.REPLY, Phase.PEEK)


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless all cards are counted, the sets are possible, and the seat to decide has an action."""
    _check_round(game, tables)
    _check_piles_to_turn_up(game, tables)
    _check_sets(game, tables)
    _check_rules_of_sets(game, tables)
    check_cards(game, tables)
    _check_hands(game, tables)
    _check_turn(game, tables)
    _check_last_round(game, tables)
    tables.whole_decks(DECKS.ascending(game.blank[0]))
    _check_building(game, tables)


def _check_round(game: Game, tables: Tables) -> None:
    small = game.config["deck_cards"] != "all"
    allowed = f"{SMALL_DISPLAY}" if small else f"1..{DISPLAYS}"
    tables.require((tables["display"] == SMALL_DISPLAY) == small, "display", allowed)
    no_wild = FLAGS[tables["display"]] & NO_WILD_CARDS > 0
    allowed = "a rank, but null where the Display Card has the rule No Wild Cards"
    tables.require((tables["wild"] < 0) == no_wild, "wild", allowed)
    buys = np.array([buys_allowed(game.config, display) for display in range(len(FLAGS))])[tables["display"]]
    tables.require(tables["buys_used"] <= buys[:, None], "buys_used", "at most the buys of this Display Card (R-40)")
    tables.require(tables["laid_turn"] <= tables["turns"][:, None], "laid_turn", "at most `turns`")


def _check_piles_to_turn_up(game: Game, tables: Tables) -> None:
    """Check that both piles hold the cards of the options, in any order."""
    opt = game.blank["opt"][0]
    for pile, (card, cards) in PILES.items():
        size, whole = int(opt[f"{cards}_n"]), opt[cards]
        fits = np.sort(tables[pile][:, :size]) == np.sort(whole[:size])
        rest = tables[pile][:, size:] == whole[size:]
        tables.require(fits.all(axis=1) & rest.all(axis=1), pile, f"{whole.tolist()}, the first {size} in any order")
        tables.require(tables[f"{card}_at"] < size, f"{card}_at", f"less than {size}")


def _check_sets(game: Game, tables: Tables) -> None:
    """Check the sizes and places of all sets, and that each set belongs to a seat that has laid down."""
    sets = tables["sets"]
    kind, fill = sets["kind"], sets["fill"].astype(int)
    runs, kinds = kind == SetType.RUN, kind == SetType.KIND

    def require(fits: Array, allowed: str) -> None:
        tables.require(fits, "sets", allowed)

    require((kind >= SetType.NONE) & (kind <= SetType.RUN), "kinds and runs")
    for part, most in (("rank", RANKS - 1), ("suit", SUITS - 1), ("lo", PLACES), ("hi", PLACES), ("size", 127)):
        require((sets[part] >= 0) & (sets[part] <= most), f"sets with {part} 0..{most}")
    place = np.arange(1, PLACES + 1)
    inside = runs[..., None] & (place >= sets["lo"][..., None]) & (place <= sets["hi"][..., None])
    role = (fill > Role.EMPTY) & (fill <= Role.UPPER_MATE)
    require(~runs[..., None] | np.where(inside, role, fill == Role.EMPTY), "runs with a card on each place, no others")
    require(~runs | ((sets["size"] == inside.sum(2)) & (sets["lo"] >= 1)), "runs of `size` cards from place 1 on")
    classes = (fill >= 0) & ((place <= len(KindClass)) | (fill == 0))
    require(~kinds[..., None] | classes, "kinds with cards of their classes")
    require(~kinds | (sets["size"] == fill.sum(2)), "kinds of `size` cards")
    require((sets["rank"] == 0) | kinds, "a rank of kinds only")
    placeless = (sets["suit"] == 0) & (sets["lo"] == 0) & (sets["hi"] == 0)
    require(placeless | runs, "a suit and places of runs only")
    nothing = placeless & (sets["size"] == 0) & (fill == 0).all(axis=2)
    require((kind != SetType.NONE) | nothing, "no cards in a slot without a set")
    owns = (kind != SetType.NONE).reshape(tables.n, -1, MAX_SETS).any(axis=2)
    tables.require(~owns | (tables["laid_turn"] >= 0), "laid_turn", "0 or more for every seat with sets on the table")


def _check_rules_of_sets(game: Game, tables: Tables) -> None:
    """Check the rules of the Display Card and of the options for the cards of sets (R-14, R-22, R-23)."""
    sets, flags = tables["sets"], FLAGS[tables["display"]][:, None]
    fill, runs = sets["fill"], sets["kind"] == SetType.RUN
    jokers = np.where(runs, (fill == Role.JOKER).any(axis=2), fill[..., KindClass.JOKER] > 0)
    tables.require(~jokers | (flags & NO_JOKERS == 0), "sets", "no jokers where the Display Card has No Jokers (R-22)")
    both_aces = runs & (sets["lo"] == 1) & (sets["hi"] == PLACES)
    tables.require(~both_aces | game.config["two_aces_in_run"], "sets", "runs with an ace at one end only (R-14)")
    mates = runs[..., None] & ((fill == Role.LOWER_MATE) | (fill == Role.UPPER_MATE))
    allowed = "pairs of identical cards only where the Display Card allows them (R-23)"
    tables.require(~mates.any(axis=2) | (flags & IDENTICAL > 0), "sets", allowed)
    inside = _are_inside(sets)
    paired = np.where(inside, _are_paired(fill), _are_unfinished(tables)[..., None])  # a mate may be still to come
    allowed = "pairs of two natural neighbours, the duplicate inside the run (R-23)"
    tables.require((paired | ~mates).all(axis=2), "sets", allowed)


def _are_paired(fill: Array) -> Array:
    """Return by place of a run (n, sets, PLACES) whether a duplicate there has a natural neighbour of its own."""
    places = np.pad(fill, ((0, 0), (0, 0), (2, 2)))  # two empty places on both sides
    below, above = places[..., 1:-3] == Role.NATURAL, places[..., 3:-1] == Role.NATURAL
    own = places[..., :-4] != Role.UPPER_MATE  # otherwise two duplicates have the same mate
    return np.asarray(np.where(fill == Role.LOWER_MATE, below & own, above))


def _are_inside(sets: Array) -> Array:
    """Return by place of a run (n, sets, PLACES) whether it is between the ends of the run."""
    place = np.arange(1, PLACES + 1)
    return np.asarray((sets["lo"][..., None] < place) & (place < sets["hi"][..., None]))


def _are_unfinished(tables: Tables) -> Array:
    """Return by set (n, sets) whether it is being built, or was perhaps when the game was truncated."""
    built = MAX_SETS * tables["target"].astype(int) + tables["slot"]
    builds = (tables["mode"] != Mode.NOT_BUILDING)[:, None]
    over = (tables["phase"] == Phase.OVER)[:, None]
    return np.asarray(over | (builds & (np.arange(tables["sets"].shape[1]) == built[:, None])))


def _check_hands(game: Game, tables: Tables) -> None:
    n, known = game.players, tables["known"]
    held = tables["hands"].sum(2)
    tables.require(held <= MOST_IN_HAND, "hands", f"at most {MOST_IN_HAND} cards")
    tables.follows("hand_n", held)
    seats = np.arange(n)
    right = (known <= tables["hands"][:, None]).all(axis=(1, 2, 3)) & (known[:, seats, seats] == 0).all(axis=(1, 2))
    right &= (known[:, :, n:] == 0).all(axis=(1, 2, 3)) & (known[:, n:] == 0).all(axis=(1, 2, 3))
    tables.require(right, "known", "cards of the hands of other seats")
    for seat in range(n):
        others = known[:, [observer for observer in range(n) if observer != seat], seat]
        known_to_all = (tables["public"][:, seat] <= others.min(axis=1)).all(axis=1)
        tables.require(known_to_all, "public", "cards that all other seats know")


def _check_turn(game: Game, tables: Tables) -> None:
    """Check the seat to decide, the sale, and what is noted for the seat in turn."""
    opt, phase, going = game.blank["opt"][0], tables["phase"], tables["over"] == 0
    own = tables["seat"] == tables["turn"]
    tables.require(~going | (own != (phase == Phase.ASK)), "seat", "the seat in turn, in ASK another one")
    buyer = (tables["requester"] >= 0) & (tables["requester"] != tables["turn"])
    sells = np.where(np.isin(phase, SELLING), buyer, tables["requester"] < 0)
    tables.require(~going | sells, "requester", "another seat than the one in turn in REPLY and PEEK, else -1")
    peeks = phase == Phase.PEEK
    tables.require(~going | (peeks == (tables["peeked"] >= 0)), "peeked", "a card in PEEK, null in other phases")
    tables.require((tables["peek_public"] == 0) | ~going | peeks, "peek_public", "0 outside PEEK")
    offered = np.isin(phase, (Phase.ASK, Phase.REPLY))
    tables.require(~offered | (tables["discard_n"] > 0), "discard", "a card to buy in ASK and REPLY")
    left = np.maximum(tables["stock_n"], tables["discard_n"] - int(opt["recycle_keeps_top"]))
    tables.require(~peeks | (left >= 1), "stock", "a card for the buyer or the seat in turn in PEEK")
    tables.require((phase == Phase.MAIN) | (tables["can_lay"] == 0), "can_lay", "0 outside MAIN")
    may = np.zeros(tables.n, bool)
    _may_buy(tables.states, may)
    allowed = "1 only if a seat that may buy is asked, otherwise 0"
    tables.require((tables["declined"] == 0) | ~going | ((phase == Phase.ASK) & may), "declined", allowed)


@seldom
def _may_buy(states: Record, found: Array) -> None:
    """Find out at which tables the seat to decide may buy."""
    for i in range(len(states)):
        found[i] = may_buy(states[i], states[i].seat)


@seldom
def settle_all(states: Record) -> None:
    """Take the steps that need no decision: find the next possible buyer, and whether the seat in turn can lay down."""
    for i in range(len(states)):
        s = states[i]
        if s.phase == Phase.ASK:
            ask_from(s, (s.seat - s.turn + s.seats) % s.seats)
            # In this order the others are asked only after the seat in turn has declined.
            s.declined = s.phase == Phase.ASK and s.opt.buy_order == BuyOrder.TURN_PLAYER_FIRST
        elif s.phase == Phase.MAIN:
            s.can_lay = can_lay_down(s, int(s.turn))


def _check_last_round(game: Game, tables: Tables) -> None:
    last = tables["last"]
    for field, allowed in {**LAST, **LAST_BY_SEAT}.items():
        fits = (last[field] >= allowed[0]) & (last[field] <= allowed[-1])
        tables.require(fits, "last", f"{field} {allowed[0]}..{allowed[-1]}")
        if field in LAST_BY_SEAT:
            tables.require(last[field][:, game.players :] == 0, "last", f"{field} 0 of seats that nobody has")


def _check_building(game: Game, tables: Tables) -> None:
    """Check that finished sets left no notes, and that tables with an unfinished set survive writing and reading."""
    builds = np.isin(tables["phase"], BUILDING)
    tables.require(builds == (tables["mode"] != Mode.NOT_BUILDING), "mode", "a build in TEMPLATE and PLACE")
    notes = ("slot", "target", "direction", "place", "rest", "must", "free", "naturals", "first_class", "choices")
    for field in notes:
        noted = tables[field].reshape(tables.n, -1).any(axis=1)
        tables.require(builds | ~noted, field, "0 where no set is being built")
    again = game.words.from_position
    tables.read_back(np.flatnonzero(builds), "mode", lambda state: again(game, game.position(state, full=True)))
