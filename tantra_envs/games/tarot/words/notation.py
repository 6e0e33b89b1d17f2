"""The notation of Tarot: given decks, and the text picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.compiled.starting import seldom
from ....core.decks import give_decks
from ....core.game import Game
from ....core.notation import named
from ....core.rng import below, seed_stream
from ....core.state import Record, States
from ..dealing import deal_hand
from ..material import CARD_NAMES, MAX_DECKS
from ..state import CLASSES, PHASES, Phase, Place, clear
from .positions import DECKS, cards_at, from_position, position, trick_names

__all__ = ["deal_given", "deck", "from_position", "picture", "position"]

VOIDS = ("trumps", *"WCSP")  # suits in the words of the rules


# Fixed deals


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Deal with a fixed `deck` (all cards, front first, or a list of decks) or `dealer`. They draw no random number."""
    _deal_given(state, seed, *DECKS.read_deal(game, given, MAX_DECKS))


def deck(game: Game) -> list[str]:
    """Return all cards of the deck, ascending."""
    return named(DECKS.ascending(game.blank[0]), CARD_NAMES)


@seldom
def _deal_given(states: Any, seed: int, dealer: int, decks: Any) -> None:
    s: Record = states[0]
    seed_stream(s.rng, seed)
    clear(s)
    s.dealer = dealer if dealer >= 0 else below(s.rng, s.seats)
    give_decks(s, decks)
    deal_hand(s)


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """Return the table as text. `seat` sees its own hand and public cards; without a seat everything is open."""
    s = state[0]
    deciding = "" if s["over"] else f", seat {s['seat']} to decide"
    question = f" {CLASSES[s['cls']]}" if s["phase"] == Phase.DECLARE else ""
    hand = s["hand_no"] + (not s["over"])
    led = f"led by {s['leader']}" + (", the winner of the last trick" if s["trick_no"] else "")
    lines = [
        f"Tarot, hand {hand}, {s['trick_no']} tricks finished, {PHASES[s['phase']]}{question}{deciding}",
        f"dealer {s['dealer']}, trick {led}: {' '.join(trick_names(s)) or '-'}",
        f"cards of finished tricks: {' '.join(cards_at(s, Place.PLAYED)) or '-'}",
        *[_picture_of_seat(s, shown) for shown in range(game.players)],
    ]
    if (s["exposed"] * (s["loc"] < game.players)).any():
        lines.append("all seats know the cards in [brackets]")
    if seat in (None, int(s["dealer"])):
        lines.append(f"laid away: {' '.join(cards_at(s, Place.DISCARDED)) or '-'}")
    if seat is None:
        lines.append(f"talon: {' '.join(cards_at(s, Place.TALON)) or '-'}")
        lines.append(f"third hand: {' '.join(cards_at(s, Place.THIRD)) or '-'}")
    if s["over"]:
        ended = "cut off" if s["truncated"] else f"seat {s['winner']} wins" if s["winner"] >= 0 else "nobody wins"
        lines.append(ended)
    return "\n".join(lines)


def _picture_of_seat(s: Any, seat: int) -> str:
    """Return a seat in one line: its points, what its play has shown, and its hand.

    Cards in brackets are public, `?` stands for cards unknown to the observer.
    """
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    held = np.flatnonzero(s["loc"] == seat)
    cards = [f"[{CARD_NAMES[card]}]" if s["exposed"][card] else CARD_NAMES[card] for card in held]
    hidden = int(s["hand_n"][seat]) - len(held)
    unknown = [f"?x{hidden}"] if hidden else []
    facts = [f"total {s['totals'][seat]}, points {s['points'][seat]}, tricks {s['taken'][seat]}"]
    if s["no_tarot"][seat]:
        facts.append("had no honour when asked")
    if s["void"][seat].any():
        facts.append(f"has no {' '.join(VOIDS[suit] for suit in np.flatnonzero(s['void'][seat]))}")
    held_words = f"hand ({s['hand_n'][seat]}): {' '.join(cards + unknown) or '-'}"
    return f"{mark} seat {seat}  {', '.join(facts)}  {held_words}"
