"""Kanastic tables as dicts: the notation of formations and finished rounds, and what follows from other fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.compiled.starting import seldom
from ....core.decks import Decks
from ....core.game import Game, Position
from ....core.notation import named, read_card, read_int, read_integers, read_seats, refuse
from ....core.positions import Entry, Positions, fill_in
from ....core.state import States
from ..cards import cards_of, kind_of, on_table
from ..dealing import stage_of
from ..material import (
    ARTIFACT,
    CARD_NAMES,
    FULL,
    GOLD,
    HAND_KINDS,
    HAND_POINTS,
    MOST_CARDS,
    MOST_WILDS,
    NATURALS,
    NEW_SIZE,
    RANK_NAMES,
    RANKS,
    SMALLEST_POINTS,
    SWORD,
    VARIANTS,
    deck,
)
from ..melds import table_points
from ..state import FIELDS, SCORES, Phase, Taken

DEFAULT_TURN = 8
DEFAULT_HAND = "4H 6D 8C JD KS"
DEFAULT_STOCK = "4*4H 4*5D 4*6C"
DECK_OPTIONS = "suit_rule", "shields", "deck_cards"
DECKS = Decks(CARD_NAMES, lambda s: deck(*(int(s["opt"][name]) for name in DECK_OPTIONS)), cards_of)


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise ValueError with the field that is wrong."""
    state, teams = game.blank.copy(), len(game.teams)
    s = state[0]
    s["phase"], s["dealer"] = Phase.MELD, game.players - 1
    NOTATION.read(game, {"stock": DEFAULT_STOCK, **position, **_whole_lists(position, game.players)}, state)
    s["hand_n"] = np.minimum(s["hand"].sum(1), MOST_CARDS)  # too many cards are refused afterwards
    s["n"] = s["nat"].reshape(-1, RANKS, VARIANTS).sum(2)
    s["w"] = s["sw"] + s["ar"]
    s["top_taken"] = kind_of(int(s["top_taken"]), s)
    fill_in(position, s, stage=[stage_of(int(score)) for score in s["score"][:teams]])
    _find_turn(position, s)
    _find_openings(position, s, teams)
    if position.get("rng") is None:
        s["paid"], s["rewards"] = 0, 0.0
        _pay_up(state)
    NOTATION.compare(position, state)
    return state


@seldom
def _pay_up(states: Any) -> None:
    """With `dense`, count the points on the table as rewarded before play begins."""
    s = states[0]
    if s.opt.dense:
        for team in range(s.opt.teams):
            s.paid[team] = table_points(s, team)


def _whole_lists(position: Mapping[str, Any], players: int) -> Position:
    """Return the lists by seat with the default for seats that they leave out."""
    found: Position = {}
    for field, default in (("hands", DEFAULT_HAND), ("known", "")):
        value = position.get(field, [])
        if not isinstance(value, (list, tuple)) or len(value) > players:
            raise refuse(field, value, f"a list of at most {players} lists of cards, one for each seat")
        found[field] = [*value, *[default] * (players - len(value))]
    return found


def _find_turn(position: Mapping[str, Any], s: Any) -> None:
    """Fill in the turn, the card taken and the question, where the position leaves them out."""
    n, phase, teams = int(s["seats"]), s["phase"], int(s["opt"]["teams"])
    last = int(s["opt"]["max_turns"]) - (0 if s["over"] else 1)
    turn = 0 if phase == Phase.FIRST else min(DEFAULT_TURN, last)
    fill_in(position, s, turn=turn, asked=phase == Phase.ANSWER)
    if phase == Phase.ANSWER:
        fill_in(position, s, asker=(int(s["seat"]) + teams) % n)


def _find_openings(position: Mapping[str, Any], s: Any, teams: int) -> None:
    """Fill in which teams have opened. By default a team with a formation has, by its first seat."""
    laid = has_laid(s)[:teams]
    fill_in(position, s, opened=laid)
    opened = s["opened"][:teams] == 1
    fill_in(position, s, opener=np.where(opened, np.arange(teams), -1), unlocked=opened)
    if s["phase"] == Phase.PICKUP:
        fill_in(position, s, taken=Taken.STACK if opened[int(s["seat"]) % teams] else Taken.TOP)
    points = wilds = 0
    for team in np.flatnonzero(laid & ~opened).tolist():
        cards = on_table(s)[team]
        points, wilds = int(cards[:HAND_KINDS] @ HAND_POINTS), int(cards[[SWORD, ARTIFACT]].sum())
    fill_in(position, s, open_pts=points, open_wild=wilds)


def has_laid(s: Any) -> Any:
    """Return whether each team has a formation on the table; `s` is a table, or many of them."""
    return (s["nat"] > 0).any(axis=-1) | (s["suit_lo"] >= 0)


# Formations


def formation(s: Any, team: int, r: int) -> list[int]:
    """Return the cards of a rank formation: naturals, Swords, Artifacts."""
    cards = [kind for kind in range(VARIANTS * r, VARIANTS * (r + 1)) for _ in range(s["nat"][team][kind])]
    return cards + [SWORD] * int(s["sw"][team][r]) + [ARTIFACT] * int(s["ar"][team][r])


def golden_suit(s: Any, team: int) -> list[int]:
    """Return the cards of the golden suit, lowest first; empty if there is no suit."""
    lo, hi, artifacts = int(s["suit_lo"][team]), int(s["suit_hi"][team]), int(s["suit_art"][team])
    return [ARTIFACT if artifacts >> r & 1 else VARIANTS * r + GOLD for r in range(lo, hi + 1)] if lo >= 0 else []


def _tables(s: Any) -> list[dict[str, Any]]:
    tables = []
    for team in range(s["opt"]["teams"]):
        ranks = {RANK_NAMES[r]: named(formation(s, team, r), CARD_NAMES) for r in range(RANKS) if s["n"][team][r]}
        suit = named(golden_suit(s, team), CARD_NAMES)
        tables.append({"ranks": ranks, "suit": [RANK_NAMES[s["suit_lo"][team]], suit] if suit else None})
    return tables


def _read_tables(tables: Any, s: Any) -> None:
    """Read the formations of every team."""
    teams = int(s["opt"]["teams"])
    if not isinstance(tables, (list, tuple)) or len(tables) > teams:
        raise refuse("tables", tables, f"a list of at most {teams} tables, one for each team")
    for team, table in enumerate(tables):
        field = f"tables[{team}]"
        if not isinstance(table, Mapping) or not set(table) <= {"ranks", "suit"}:
            raise refuse(field, table, 'a dict {"ranks": {rank: cards}, "suit": [lowest rank, cards]}')
        ranks = table.get("ranks")
        if not isinstance(ranks, Mapping | None):
            raise refuse(f"{field}.ranks", ranks, "a dict of rank: cards")
        for rank, cards in (ranks or {}).items():
            r, label = read_card(f"{field}.ranks", rank, RANK_NAMES), f"{field}.ranks[{rank}]"
            _read_formation(s, team, r, cards_of(label, cards, s), label)
        if table.get("suit") is not None:
            _read_suit(s, team, table["suit"], f"{field}.suit")


def _read_formation(s: Any, team: int, r: int, cards: list[int], field: str) -> None:
    others = [kind for kind in cards if kind not in (SWORD, ARTIFACT) and (kind >= NATURALS or kind // VARIANTS != r)]
    if others or not 0 < len(cards) <= FULL:
        raise refuse(field, named(cards, CARD_NAMES), f"1..{FULL} cards: cards of the rank, SW and AR (KN-20)")
    if s["nat"][team][VARIANTS * r : VARIANTS * (r + 1)].any() or s["sw"][team][r] or s["ar"][team][r]:
        raise refuse(field, named(cards, CARD_NAMES), "one formation of a rank (KN-21)")
    for kind in cards:
        if kind < NATURALS:
            s["nat"][team][kind] += 1
    s["sw"][team][r], s["ar"][team][r] = cards.count(SWORD), cards.count(ARTIFACT)


def _read_suit(s: Any, team: int, value: Any, field: str) -> None:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise refuse(field, value, "[lowest rank, cards from low to high]")
    lo, cards = read_card(field, value[0], RANK_NAMES), cards_of(field, value[1], s)
    fits = [kind in (ARTIFACT, VARIANTS * (lo + i) + GOLD) for i, kind in enumerate(cards)]
    if not cards or not all(fits) or lo + len(cards) > RANKS:
        allowed = f"golds of consecutive ranks, at most {MOST_WILDS} AR among them, {NEW_SIZE} or more golds (KN-30)"
        raise refuse(field, value, allowed)
    s["suit_lo"][team], s["suit_hi"][team] = lo, lo + len(cards) - 1
    s["suit_art"][team] = sum(1 << lo + i for i, kind in enumerate(cards) if kind == ARTIFACT)


# Rounds and the end


def _last_round(s: Any) -> dict[str, Any] | None:
    if s["last_out"] < -1:
        return None
    scores = [int(score) for score in s["last_scores"][: s["opt"]["teams"]]]
    return {"scores": scores, "out": int(s["last_out"]), "turns": int(s["last_turns"])}


def _read_last_round(last: Any, s: Any) -> None:
    if last is None:
        return
    if not isinstance(last, Mapping) or set(last) != {"scores", "out", "turns"}:
        raise refuse("last_round", last, 'null or a dict {"scores", "out", "turns"}')
    teams, given = int(s["opt"]["teams"]), {f"last_round {name}": value for name, value in last.items()}
    scores = read_integers(given, "last_round scores", teams, range(SCORES[0], SCORES[1] + 1), SMALLEST_POINTS)
    if scores is None:
        raise refuse("last_round scores", None, f"a list of {teams} integers")
    s["last_scores"][:teams] = scores
    s["last_out"] = read_int(given, "last_round out", -1, range(-1, int(s["seats"])))
    s["last_turns"] = read_int(given, "last_round turns", 0, range(int(s["opt"]["max_turns"]) + 1))


def _read_winners(value: Any, s: Any) -> None:
    s["winner"][read_seats({"winners": value}, "winners", [], int(s["opt"]["teams"]))] = 1


NOTATION = Positions(
    FIELDS,
    "config players phase cur turn scores hands pile stock tables pots opened opener unlocked block_left dealer known "
    "taken top_taken pick asked answer asker open_pts open_wild round_no reshuffles last_round moves stage winners "
    "rewards truncated",
    Entry("players", lambda s: int(s["seats"])),
    Entry("tables", _tables, _read_tables),
    Entry("last_round", _last_round, _read_last_round),
    Entry("winners", lambda s: np.flatnonzero(s["winner"][: s["opt"]["teams"]]).tolist(), _read_winners),
    DECKS.entry,
    full="rng decks paid",
)
position = NOTATION.write
