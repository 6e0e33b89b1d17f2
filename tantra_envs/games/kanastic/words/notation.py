"""The notation of Kanastic: given decks, and the text picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.compiled.starting import seldom
from ....core.decks import give_decks
from ....core.game import Game
from ....core.notation import expand, named
from ....core.rng import below, seed_stream
from ....core.state import Record, States
from ..dealing import begin_round, clear_game
from ..material import CARD_NAMES, RANKS
from ..state import MOST_DECKS, PHASES
from .positions import DECKS, formation, from_position, golden_suit, position

__all__ = ["deal_given", "deck", "from_position", "picture", "position"]


# Deals with given cards


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Deal with a fixed `deck` (all cards, bottom to top, or a list of decks for the first rounds) or `dealer`."""
    _deal_given(state, seed, *DECKS.read_deal(game, given, MOST_DECKS))


def deck(game: Game) -> list[str]:
    """Return all cards of the deck, ascending."""
    return named(DECKS.ascending(game.blank[0]), CARD_NAMES)


@seldom
def _deal_given(states: Any, seed: int, dealer: int, decks: Any) -> None:
    s: Record = states[0]
    seed_stream(s.rng, seed)
    clear_game(s)
    s.dealer = dealer if dealer >= 0 else below(s.rng, s.seats)
    give_decks(s, decks)
    begin_round(s)


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """Return the table as text. `seat` sees its own hand and public cards; without a seat everything is open."""
    s = state[0]
    deciding = "" if s["over"] else f", seat {s['seat']} to decide"
    stock = " ".join(named(s["stock"][: s["stock_n"]][::-1], CARD_NAMES)) if seat is None else ""
    pile = named(s["pile"][: s["pile_n"]], CARD_NAMES)
    blocked = f", blocked for {s['block_left']}" if s["block_left"] else ""
    reshuffled = f", reshuffles {s['reshuffles']}" if s["reshuffles"] else ""
    lines = [
        f"Kanastic, round {s['round_no'] + 1 - s['over']}, turn {s['turn']}, {PHASES[s['phase']]}{deciding}",
        f"stack ({len(pile)}{blocked}): {' '.join(pile) or 'empty'}",
        f"stock ({s['stock_n']}{reshuffled})" + (f", next card first: {stock}" if stock else ""),
        *_picture_of_turn(s),
        *[line for team in range(int(s["opt"]["teams"])) for line in _picture_of_team(s, team)],
        *[_picture_of_seat(s, shown) for shown in range(game.players)],
    ]
    if s["over"]:
        scores = ", ".join(str(score) for score in s["last_scores"][: s["opt"]["teams"]])
        winners = " and ".join(str(team) for team in np.flatnonzero(s["winner"]))
        lines.append(f"the last round: {scores}; {'cut off, ' if s['truncated'] else ''}won by team {winners}")
    return "\n".join(lines)


def _picture_of_turn(s: Any) -> list[str]:
    """Return the card taken in this turn and the question, in one line."""
    said = []
    if s["taken"]:
        said.append(f"taken: {CARD_NAMES[s['top_taken']]}" + (" with the stack" if s["taken"] == 2 else ""))
    if s["asked"]:
        said.append("may I go out? " + {-1: "..", 0: "no", 1: "yes"}[int(s["answer"])])
    return [", ".join(said)] if said else []


def _picture_of_team(s: Any, team: int) -> list[str]:
    facts = [f"{s['score'][team]} points", f"stage {('I', 'II', 'III', 'IV')[s['stage'][team] - 1]}"]
    if s["pots"][team]:
        facts.append(f"pots {s['pots'][team]}")
    if s["opened"][team]:
        facts.append("opened" + (", may take the stack" if s["unlocked"][team] else ""))
    laid = [" ".join(named(formation(s, team, r), CARD_NAMES)) for r in range(RANKS) if s["n"][team][r]]
    if suit := golden_suit(s, team):
        laid.append(f"golden suit {' '.join(named(suit, CARD_NAMES))}")
    return [f"  team {team}: {', '.join(facts)}", *[f"      {line}" for line in laid]]


def _picture_of_seat(s: Any, seat: int) -> str:
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    held, dealer = int(s["hand_n"][seat]), " (dealer)" if seat == s["dealer"] else ""
    seen = expand(np.maximum(s["hand"][seat], s["known"][seat]), CARD_NAMES)
    hand = " ".join([*seen, *([f"?x{held - len(seen)}"] if held > len(seen) else [])])
    return f"{mark} seat {seat}{dealer}  hand ({held}): {hand or '-'}"
