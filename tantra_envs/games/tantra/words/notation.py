"""Tantra as text: given decks, and pictures of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core import notation as read
from ....core.compiled.starting import seldom
from ....core.decks import give_decks
from ....core.game import Game, RoundInfo
from ....core.notation import grouped, named
from ....core.options import Config
from ....core.rng import below, seed_stream, shuffle
from ....core.state import Record, States
from ..dealing import begin_round, clear_game, put_first
from ..material import (
    CARD_NAMES,
    CONTRACTS,
    DISPLAY_CARDS,
    FLAGS,
    MAX_SETS,
    NO_WILD_CARDS,
    RANK_NAMES,
    SUIT_NAMES,
    SetType,
)
from ..options import DisplayOrder
from ..redeal import redraw_order
from ..state import ENDINGS, LAST, LAST_BY_SEAT, MAX_DECKS, PHASES, Mode, Phase
from .position_sets import cards_of
from .positions import DECKS, from_position, position

__all__ = ["deal_given", "deck", "from_position", "picture", "position"]

_FLAG_WORDS = ("no buying", "no jokers", "no wild cards", "identical cards in runs", "19 cards allowed")


# Dealing given cards


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Deal with a given `deck` or list of decks (front first), `dealer`, `display` or `wild` of the first round.

    Given values use no random numbers. The cards below a given Display Card or Wild Card are shuffled.
    """
    dealer, decks = DECKS.read_deal(game, given, MAX_DECKS)
    wanted = {name: value for name, value in given.items() if value is not None}
    display = read.read_int(wanted, "display", 0, range(1, CONTRACTS + 1)) if "display" in wanted else 0
    wild = _given_wild(wanted.get("wild"), display)
    opt = state["opt"][0]
    _check_in_pile("display", opt["displays"][: opt["displays_n"]].tolist(), display or -1)
    _check_in_pile("wild", opt["wilds"][: opt["wilds_n"]].tolist(), wild)
    _deal_given(state, seed, dealer, display, wild, decks)


def _given_wild(value: Any, display: int) -> int:
    """Return the index of the given wild rank, or -1 if it is drawn."""
    if value is None:
        return -1
    if display and FLAGS[display] & NO_WILD_CARDS:
        raise read.refuse("wild", value, f"null: Display Card {display} has the rule No Wild Cards")
    return read.read_card("wild", value, RANK_NAMES)


def _check_in_pile(field: str, pile: list[int], card: int) -> None:
    """Raise ValueError unless `card` is in the pile; -1 means that no card is given."""
    if card >= 0 and card not in pile:
        raise read.refuse(field, RANK_NAMES[card] if field == "wild" else card, f"cards of the pile: {pile}")


def deck(game: Game) -> list[str]:
    """Return all cards of the deck, ascending."""
    return named(DECKS.ascending(game.blank[0]), CARD_NAMES)


@seldom
def _deal_given(states: Any, seed: int, dealer: int, display: int, wild: int, decks: Any) -> None:
    s: Record = states[0]
    seed_stream(s.rng, seed)
    clear_game(s)
    give_decks(s, decks)
    s.dealer = dealer if dealer >= 0 else below(s.rng, s.seats)
    if display > 0:
        put_first(s.display_pile, s.opt.displays_n, display)
        if s.opt.display_order == DisplayOrder.SHUFFLED:
            redraw_order(s, s.display_pile, 1, int(s.opt.displays_n))
    elif s.opt.display_order == DisplayOrder.SHUFFLED:
        shuffle(s.rng, s.display_pile, s.opt.displays_n)
    if wild >= 0:
        put_first(s.wild_pile, s.opt.wilds_n, wild)
        redraw_order(s, s.wild_pile, 1, int(s.opt.wilds_n))
    else:
        shuffle(s.rng, s.wild_pile, s.opt.wilds_n)
    begin_round(s)


# Rounds


def round_info(state: States) -> dict[str, Any]:
    """Return the figures of the last finished round: arrays are by seat, `laid_turn` -1 = never."""
    last, players = state["last"][0], int(state["seats"][0])
    by_seat = {name: last[name][:players].copy() for name in LAST_BY_SEAT}
    numbers = {name: int(last[name]) for name in ("display", "out", "turns", "sales", "refusals")}
    wild = RANK_NAMES[last["wild"]] if last["wild"] >= 0 else None
    return {**numbers, "wild": wild, "ending": ENDINGS[last["ending"]], **by_seat}


def rounds(config: Config) -> RoundInfo:
    """Return how infos describe rounds: the key of each number of the last finished round, and its state field."""
    scores = {f"round_score_{seat}": f"last.scores.{seat}" for seat in range(config["players"])}
    return RoundInfo("round", {**{f"round_{name}": f"last.{name}" for name in LAST}, **scores}, round_info)


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """Return the table as text. `seat` sees its own hand and public cards; without a seat all cards are open."""
    s = state[0]
    deciding = "" if s["over"] else f", seat {s['seat']} to decide"
    wild = f", wild {RANK_NAMES[s['wild']]}" if s["wild"] >= 0 else ""
    round_number = s["round"] + (0 if s["over"] else 1)
    shown = seat is None or s["recycles"]
    stock = " ".join(named(s["stock"][: s["stock_n"]][::-1], CARD_NAMES)) if shown else ""
    discard = " ".join(named(s["discard"][: s["discard_n"]][::-1], CARD_NAMES))
    lines = [
        f"Tantra, round {round_number}, {s['turns']} turns done, {PHASES[s['phase']]}{deciding}",
        f"dealer {s['dealer']}, seat {s['turn']} in turn",
        f"display {s['display']}: {contract(int(s['display']))}{wild}",
        f"discard pile ({s['discard_n']}), top first: {discard or '-'}",
        f"pick-up pile ({s['stock_n']})" + (f", next card first: {stock}" if stock else ""),
    ]
    if s["phase"] == Phase.PEEK:
        lines.append(f"looked at: {CARD_NAMES[s['peeked']] if s['peeked'] >= 0 else '?'}, seat {s['requester']} buys")
    elif s["phase"] == Phase.REPLY:
        lines.append(f"seat {s['requester']} wants to buy")
    lines.extend(line for shown_seat in range(game.players) for line in _picture_of_seat(s, shown_seat))
    if s["over"]:
        lines.append("cut off" if s["truncated"] else f"seat {s['last']['out']} goes out")
    return "\n".join(lines)


def contract(display: int) -> str:
    """Return a Display Card as text: `4 4 kinds, 3 run, no buying`."""
    kinds, runs, flags = DISPLAY_CARDS[display - 1]
    parts = []
    for sizes, name in ((kinds, "kind"), (runs, "run")):
        if sizes:
            parts.append(f"{' '.join(map(str, sizes))} {name}{'s' if len(sizes) > 1 else ''}")
    return ", ".join([*parts, *[word for bit, word in enumerate(_FLAG_WORDS) if flags >> bit & 1]])


def _picture_of_seat(s: Any, seat: int) -> list[str]:
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    held = np.maximum(s["hands"][seat], s["known"][:, seat].max(axis=0))  # of other hands, cards known to the reader
    unknown = int(s["hand_n"][seat]) - int(held.sum())
    laid = ", laid down" if s["laid_turn"][seat] >= 0 else ""
    head = f"{mark} seat {seat}  score {s['scores'][seat]}, buys used {s['buys_used'][seat]}{laid}"
    lines = [f"{head}  |  hand ({s['hand_n'][seat]}): {grouped(held, CARD_NAMES, unknown) or '-'}"]
    for slot in range(MAX_SETS):
        lies = s["sets"][seat * MAX_SETS + slot]
        if lies["kind"]:
            lines.append(f"    {seat}.{slot} {_picture_of_set(lies)}")
    if s["mode"] != Mode.NOT_BUILDING and s["turn"] == seat:
        lines.append(f"    building {s['target']}.{s['slot']}")
    return lines


def _picture_of_set(lies: Any) -> str:
    cards = " ".join(named(cards_of(lies), CARD_NAMES)) or "-"
    if lies["kind"] == SetType.KIND:
        return f"kind {RANK_NAMES[lies['rank']]}: {cards}"
    return f"run {SUIT_NAMES[lies['suit']]} {lies['lo']}: {cards}"
