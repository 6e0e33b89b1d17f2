"""The notation of Karma: given decks, and the text picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.compiled.starting import seldom
from ....core.game import Game
from ....core.notation import grouped, named
from ....core.rng import below, seed_stream, shuffle
from ....core.state import Record, States
from ..dealing import fill_deck, hand_out
from ..material import CARD_NAMES
from ..state import PHASES, clear
from .positions import DECKS, from_position, position

__all__ = ["deal_given", "deck", "from_position", "picture", "position"]


# Fixed deals


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Deal with a fixed `deck` (all cards, front first) or `dealer`. What is fixed draws no random number."""
    dealer, decks = DECKS.read_deal(game, given)
    _deal_given(state, seed, dealer, decks.reshape(-1))


def deck(game: Game) -> list[str]:
    """Return all cards of the deck, ascending."""
    return named(DECKS.ascending(game.blank[0]), CARD_NAMES)


@seldom
def _deal_given(states: Any, seed: int, dealer: int, deck: Any) -> None:
    s: Record = states[0]
    seed_stream(s.rng, seed)
    clear(s)
    s.dealer = dealer if dealer >= 0 else below(s.rng, s.seats)
    fill_deck(s)
    if len(deck) == 0:
        shuffle(s.rng, s.draw, s.draw_n)
    for i in range(len(deck)):
        s.draw[i] = deck[i]
    hand_out(s)


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """Return the table as text. `seat` sees its own hand and public cards; without a seat everything is open."""
    s = state[0]
    deciding = "" if s["over"] else f", seat {s['seat']} to decide"
    pile = named(s["pile"][: s["pile_n"]], CARD_NAMES)
    draw = " ".join(named(s["draw"][: s["draw_n"]][::-1], CARD_NAMES)) if seat is None else ""
    lines = [
        f"Karma, move {s['plies']}, {PHASES[s['phase']]}{deciding}",
        f"pile ({len(pile)}, run {s['run']}): {' '.join(pile) or 'empty'}",
        f"draw pile ({s['draw_n']})" + (f": {draw}" if draw else ""),
        f"gone: {grouped(s['gone'], CARD_NAMES) or 'nothing'}",
        *[_picture_of_seat(s, shown, seat) for shown in range(game.players)],
    ]
    if s["over"]:
        lines.append("cut off: nobody wins" if s["truncated"] else f"seat {s['loser']} loses")
    return "\n".join(lines)


def _picture_of_seat(s: Any, seat: int, observer: int | None) -> str:
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    out = s["out"][: s["out_n"]].tolist()
    if seat in out:
        return f"{mark} seat {seat}  out, place {out.index(seat) + 1}"
    seen, held = np.maximum(s["hands"][seat], s["known"][seat]), int(s["hand_n"][seat])
    hand = grouped(seen, CARD_NAMES, held - int(seen.sum()))
    up = grouped(s["up"][seat], CARD_NAMES, int(s["up_n"][seat]) - int(s["up"][seat].sum()))
    down = named(s["down"][seat][: s["down_n"][seat]][::-1], CARD_NAMES)
    shown = " ".join(down if observer is None else "#" * len(down))
    return f"{mark} seat {seat}  hand ({held}): {hand or '-'}  |  face up: {up or '-'}  |  face down: {shown or '-'}"
