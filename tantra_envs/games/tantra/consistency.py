"""Checks of Tantra records that come from outside: every condition that holds at a table of this game.

Positions may leave cards out. So a card may occur less often than the packs have it, but never more often. A table at
which a set is being built is compared with the table that its position reads back to: its legal actions need a search.
"""

from __future__ import annotations

import numpy as np

from ...core.compiled.jit import entry_point
from ...core.consistency import Array, Tables, bytes_of
from ...core.game import Game
from ...core.state import Record
from .buying import ask_from
from .material import (
    DISPLAYS,
    FLAGS,
    JOKER,
    MAX_SETS,
    NATURALS,
    NO_WILD_CARDS,
    PLACES,
    RANKS,
    SUITS,
    TYPES,
    WILD,
)
from .positions import COUNTED, LAST, LAST_BY_SEAT
from .search import can_lay_down
from .state import ENDLESS, KIND_CLASS, MAX_DECKS, KindClass, Mode, Phase, Role, SetType, buys_allowed

BUILDING = (Phase.TEMPLATE, Phase.PLACE)
MOST_RECYCLES = 29999
SELLING = (Phase.REPLY, Phase.PEEK)
PILES = (("display_pile", "displays", "display_at", "displays_seen"), ("wild_pile", "wilds", "wild_at", "wilds_seen"))


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless all cards are counted, the sets are possible, and the seat to decide has an action."""
    _check_round(game, tables)
    _check_piles_to_turn_up(game, tables)
    _check_sets(game, tables)
    _check_cards(game, tables)
    _check_hands(game, tables)
    _check_turn(game, tables)
    _check_last_round(game, tables)
    _check_decks(game, tables)
    _check_building(game, tables)


def _check_round(game: Game, tables: Tables) -> None:
    n, opt, going = game.players, game.blank["opt"][0], tables["over"] == 0
    for field in ("turn", "dealer"):
        tables.within(field, 0, n - 1)
    tables.within("display", 1, DISPLAYS)
    tables.within("wild", -1, RANKS - 1)
    no_wild = FLAGS[tables["display"]] & NO_WILD_CARDS > 0
    tables.require((tables["wild"] < 0) == no_wild, "wild and the Display Card disagree")
    for field, most in (("turns", opt["turn_limit"]), ("round", opt["n_rounds"])):
        tables.within(field, 0, int(most))
        tables.require(~going | (tables[field] < most), f"the game continues beyond the limit of {field}")
    tables.within("game_turns", 0, ENDLESS - 1)
    tables.within("recycles", 0, MOST_RECYCLES)
    for field in ("sales", "refusals"):
        tables.within(field, COUNTED[0], COUNTED[-1])
    most_buys = np.array([buys_allowed(game.config, display) for display in range(len(FLAGS))])
    tables.within("buys_used", 0, most_buys[tables["display"]])
    tables.within("scores", -ENDLESS, ENDLESS - 1)
    tables.require(tables["laid_turn"] <= tables["turns"][:, None], "laid_turn is later than turns")
    tables.within("laid_turn", -1, int(opt["turn_limit"]))


def _check_piles_to_turn_up(game: Game, tables: Tables) -> None:
    """Check that both piles hold the cards of the options, in any order."""
    opt = game.blank["opt"][0]
    for pile, cards, at, seen in PILES:
        size = int(opt[f"{cards}_n"])
        tables.require(
            np.sort(tables[pile][:, :size]) == np.sort(opt[cards][:size]),
            f"{pile} does not hold the cards of its options",
        )
        tables.require(tables[pile][:, size:] == opt[cards][size:], f"{pile} has cards after its end")
        tables.within(at, 0, size - 1)
        tables.within(seen, 0, size)


def _check_sets(game: Game, tables: Tables) -> None:
    """Check the sizes and places of all sets, and that each set belongs to a seat that has laid down."""
    sets, n = tables["sets"], game.players
    kind, fill = sets["kind"], sets["fill"].astype(int)
    tables.require((kind >= SetType.NONE) & (kind <= SetType.RUN), "a set is neither a kind nor a run")
    for part, most in (("rank", RANKS - 1), ("suit", SUITS - 1), ("lo", PLACES), ("hi", PLACES), ("size", 127)):
        tables.require((sets[part] >= 0) & (sets[part] <= most), f"{part} of a set is out of range")
    place = np.arange(1, PLACES + 1)
    runs = (kind == SetType.RUN)[..., None]
    inside = runs & (place >= sets["lo"][..., None]) & (place <= sets["hi"][..., None])
    role = (fill > Role.EMPTY) & (fill <= Role.UPPER_MATE)
    tables.require(~runs | np.where(inside, role, fill == Role.EMPTY), "a run has gaps, or cards outside its places")
    tables.require((kind != SetType.RUN) | (sets["size"] == inside.sum(2)), "size is not the number of cards of a run")
    tables.require((kind != SetType.RUN) | (sets["lo"] >= 1), "a run begins before place 1")
    kinds = (kind == SetType.KIND)[..., None]
    tables.require(
        ~kinds | ((fill >= 0) & ((place <= len(KindClass)) | (fill == 0))), "a kind has cards outside its classes"
    )
    tables.require((kind != SetType.KIND) | (sets["size"] == fill.sum(2)), "size is not the number of cards of a kind")
    tables.require((sets["rank"] == 0) | (kind == SetType.KIND), "a set that is not a kind has a rank")
    tables.require((sets["suit"] == 0) | (kind == SetType.RUN), "a set that is not a run has a suit")
    tables.require(
        ((sets["lo"] == 0) & (sets["hi"] == 0)) | (kind == SetType.RUN), "a set that is not a run has places"
    )
    nothing = (sets["size"] == 0) & (sets["lo"] == 0) & (sets["hi"] == 0) & (fill == 0).all(axis=2)
    tables.require((kind != SetType.NONE) | nothing, "a slot without a set has cards")
    tables.require(kind[:, n * MAX_SETS :] == SetType.NONE, "an unused seat has sets")
    owns = (kind != SetType.NONE).reshape(tables.n, -1, MAX_SETS).any(axis=2)
    tables.require(~owns | (tables["laid_turn"] >= 0), "a seat that has not laid down has sets")


def _in_sets(tables: Tables) -> Array:
    """Return the number of cards of each type in sets, shape (n, TYPES)."""
    sets, counts = tables["sets"], np.zeros(tables.n * TYPES)
    first = TYPES * np.arange(tables.n)[:, None]
    for card_class in KindClass:
        counted = np.where(sets["kind"] == SetType.KIND, sets["fill"][..., card_class], 0)
        natural = card_class < SUITS
        card = card_class * RANKS + sets["rank"] if natural else np.flatnonzero(card_class == KIND_CLASS)[0]
        counts += np.bincount((first + card + 0 * counted).ravel(), counted.ravel(), len(counts))
    runs = sets["kind"] == SetType.RUN
    for place in range(1, PLACES + 1):
        role = np.where(runs, sets["fill"][..., place - 1], Role.EMPTY)
        away = (role == Role.UPPER_MATE).astype(int) - (role == Role.LOWER_MATE)
        card = sets["suit"].astype(int) * RANKS + (place + away - 1) % RANKS
        card = np.where(role == Role.JOKER, JOKER, np.where(role == Role.WILD, WILD, card))
        counts += np.bincount((first + card).ravel(), (role != Role.EMPTY).ravel(), len(counts))
    return counts.reshape(tables.n, TYPES)


def _check_cards(game: Game, tables: Tables) -> None:
    """Check that every card is counted and that none occurs more often than in the packs."""
    opt, n = game.blank["opt"][0], game.players
    for field in ("hands", "public", "known", "tabled", "discarded"):
        tables.within(field, 0, 127)
    stock, discard = (tables.counted(pile, f"{pile}_n", TYPES) for pile in ("stock", "discard"))
    tables.require(tables["discarded"] == discard, "discarded differs from the discard pile")
    tables.require(tables["tabled"] == _in_sets(tables), "tabled differs from the cards of the sets")
    tables.within("peeked", -1, TYPES - 1)
    peeked = np.arange(TYPES) == tables["peeked"][:, None]
    used = tables["hands"].sum(1) + tables["tabled"] + stock + discard + peeked
    packs, wild = int(opt["n_packs"]), tables["wild"][:, None]
    most = np.where(np.arange(TYPES) == WILD, SUITS * packs * (wild >= 0), packs)
    most = np.where(np.arange(TYPES) == JOKER, packs * int(opt["jokers_per_pack"]), most)
    natural = np.arange(TYPES) < NATURALS
    most = np.where(natural & (np.arange(TYPES) % RANKS == wild), 0, most)
    tables.require(used <= most, "a card occurs more often than in the packs")
    tables.nobody(n, "hands", "hand_n", "public", "known", "buys_used", "scores", "laid_turn")


def _check_hands(game: Game, tables: Tables) -> None:
    n, known = game.players, tables["known"]
    tables.require(tables["hand_n"] == tables["hands"].sum(2), "hand_n differs from the number of cards in hands")
    tables.require(known <= tables["hands"][:, None], "known cards are missing from the hand")
    seats = np.arange(n)
    tables.require(known[:, seats, seats] == 0, "known holds cards of the observer's own hand")
    tables.require(known[:, :, n:] == 0, "cards of an unused seat are known")
    for seat in range(n):
        others = known[:, [observer for observer in range(n) if observer != seat], seat]
        tables.require(tables["public"][:, seat] <= others.min(axis=1), "a public card is unknown to a seat")


def _check_turn(game: Game, tables: Tables) -> None:
    """Check the seat to decide, the sale, and whether `can_lay` is right for the seat in turn."""
    n, opt, phase, going = game.players, game.blank["opt"][0], tables["phase"], tables["over"] == 0
    own = tables["seat"] == tables["turn"]
    tables.require(~going | (own != (phase == Phase.ASK)), "seat is not the seat to decide in this phase")
    tables.within("requester", -1, n - 1)
    tables.flags("declined", "peek_public", "can_lay")
    buyer = (tables["requester"] >= 0) & (tables["requester"] != tables["turn"])
    tables.require(
        ~going | np.where(np.isin(phase, SELLING), buyer, tables["requester"] < 0), "requester does not fit the phase"
    )
    tables.require(~going | ((phase == Phase.PEEK) == (tables["peeked"] >= 0)), "peeked and phase disagree")
    tables.require((tables["peek_public"] == 0) | ~going | (phase == Phase.PEEK), "peek_public is set outside PEEK")
    offered = np.isin(phase, (Phase.ASK, Phase.REPLY))
    tables.require(~offered | (tables["discard_n"] > 0), "the discard pile is empty during a sale")
    left = tables["stock_n"] + tables["discard_n"] - int(opt["recycle_keeps_top"])
    tables.require((phase != Phase.PEEK) | (left >= 1), "no second card is left in PEEK")
    tables.require((tables["declined"] == 0) | ~going | (phase == Phase.ASK), "declined is set outside ASK")
    tables.require((phase == Phase.MAIN) | (tables["can_lay"] == 0), "can_lay is set outside MAIN")
    settled = tables.states.repeat(1)
    _settle_all(settled)
    tables.require(bytes_of(settled) == bytes_of(tables.states), "can_lay is wrong, or the asked seat may not buy")


@entry_point
def _settle_all(states: Record) -> None:
    """Take the steps that need no decision: find the next possible buyer, and whether the seat in turn can lay down."""
    for i in range(len(states)):
        s = states[i]
        if s.phase == Phase.ASK:
            ask_from(s, (s.seat - s.turn + s.seats) % s.seats)
        elif s.phase == Phase.MAIN:
            s.can_lay = can_lay_down(s, int(s.turn))


def _check_last_round(game: Game, tables: Tables) -> None:
    last = tables["last"]
    for field in LAST_BY_SEAT:
        tables.require(last[field][:, game.players :] == 0, f"{field} is set for an unused seat")
    for field, allowed in {**LAST, **LAST_BY_SEAT}.items():
        fits = (last[field] >= allowed[0]) & (last[field] <= allowed[-1])
        tables.require(fits, f"{field} of the last round is out of range")


def _check_decks(game: Game, tables: Tables) -> None:
    opt = game.blank["opt"][0]
    packs, jokers = int(opt["n_packs"]), int(opt["jokers_per_pack"])
    whole = np.repeat(np.arange(JOKER + 1), [packs] * NATURALS + [packs * jokers])
    tables.within("decks_n", 0, MAX_DECKS)
    given = (np.arange(MAX_DECKS) < tables["decks_n"][:, None])[..., None]
    fits = np.sort(tables["decks"][:, :, : len(whole)], axis=2) == whole
    tables.require(
        np.where(given, fits, tables["decks"][:, :, : len(whole)] == 0), "decks do not hold all cards of the packs"
    )
    tables.require(tables["decks"][:, :, len(whole) :] == 0, "decks have cards after their end")


def _check_building(game: Game, tables: Tables) -> None:
    """Check that finished sets left no notes, and that tables with an unfinished set survive writing and reading."""
    builds = np.isin(tables["phase"], BUILDING)
    tables.within("mode", Mode.NOT_BUILDING, Mode.LAYING_OFF)
    tables.require(builds == (tables["mode"] != Mode.NOT_BUILDING), "mode and phase disagree")
    notes = ("slot", "target", "direction", "place", "rest", "must", "free", "naturals", "first_class", "choices")
    for field in notes:
        tables.require(
            builds.reshape(-1, *[1] * (tables[field].ndim - 1)) | (tables[field] == 0),
            f"{field} is set, but no set is being built",
        )
    tables.within("slot", 0, MAX_SETS - 1)
    tables.within("target", 0, game.players - 1)
    tables.within("direction", -1, 1)
    tables.within("place", 0, PLACES + 1)
    tables.read_back(np.flatnonzero(builds), lambda state: game.from_position(game.position(state, full=True)))
