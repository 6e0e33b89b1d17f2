"""Writes Kanastic tables as dicts; `reading.py` reads them."""

from __future__ import annotations

from typing import Any

from ...core.game import Game, Position
from ...core.notation import expand, named
from ...core.state import States
from .material import (
    CARD_NAMES,
    RANK_NAMES,
    RANKS,
    VARIANTS,
)
from .state import PHASES

PICKS = (*RANK_NAMES, "SUIT")
ANSWERS = ("NO", "YES")


def position(game: Game, state: States, full: bool) -> Position:
    """Return the table as a dict; `full` adds the random stream, later decks and rewarded points of this round."""
    s, seats, teams = state[0], range(game.players), range(int(state[0]["opt"]["teams"]))
    written: Position = {
        "config": {k: list(v) if isinstance(v, tuple) else v for k, v in game.options.changed(game.config).items()},
        "players": game.players,
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "turn": int(s["turn"]),
        "scores": [int(s["score"][team]) for team in teams],
        "hands": [expand(s["hand"][seat], CARD_NAMES) for seat in seats],
        "pile": named(s["pile"][: s["pile_n"]], CARD_NAMES),
        "stock": named(s["stock"][: s["stock_n"]], CARD_NAMES),
        "tables": [_table(s, team) for team in teams],
        "pots": [int(s["pots"][team]) for team in teams],
        "opened": [bool(s["opened"][team]) for team in teams],
        "opener": [int(s["opener"][team]) for team in teams],
        "unlocked": [bool(s["unlocked"][team]) for team in teams],
        "block_left": int(s["block_left"]),
        "dealer": int(s["dealer"]),
        "known": [expand(s["known"][seat], CARD_NAMES) for seat in seats],
        **_turn(s),
        **_game_so_far(s, seats, teams),
    }
    return {**written, **_future(s, teams)} if full else written


def _turn(s: Any) -> Position:
    """Return the fields of this turn: cards taken and laid, and the question."""
    return {
        "taken": int(s["taken"]),
        "top_taken": CARD_NAMES[s["top_taken"]] if s["top_taken"] >= 0 else None,
        "pick": PICKS[s["pick"]] if s["pick"] >= 0 else None,
        "asked": bool(s["asked"]),
        "answer": ANSWERS[s["answer"]] if s["answer"] >= 0 else None,
        "asker": int(s["asker"]) if s["asker"] >= 0 else None,
        "open_pts": int(s["open_pts"]),
        "open_wild": int(s["open_wild"]),
    }


def _game_so_far(s: Any, seats: range, teams: range) -> Position:
    return {
        "round_no": int(s["round_no"]),
        "reshuffles": int(s["reshuffles"]),
        "last_round": _last_round(s, teams),
        "moves": int(s["plies"]),
        "stage": [int(s["stage"][team]) for team in teams],
        "winners": [team for team in teams if s["winner"][team]],
        "rewards": [float(s["rewards"][seat]) for seat in seats],
        "truncated": bool(s["truncated"]),
    }


def _future(s: Any, teams: range) -> Position:
    """Return the fields that only a full position has."""
    return {
        "rng": [int(word) for word in s["rng"]],
        "decks": [named(s["decks"][i], CARD_NAMES) for i in range(s["decks_n"])],
        "paid": [int(s["paid"][team]) for team in teams],
    }


def formation(s: Any, team: int, r: int) -> list[str]:
    """Return the names of the cards in a rank formation: naturals, Swords, Artifacts."""
    cards = [CARD_NAMES[k] for k in range(VARIANTS * r, VARIANTS * (r + 1)) for _ in range(s["nat"][team][k])]
    return cards + ["SW"] * int(s["sw"][team][r]) + ["AR"] * int(s["ar"][team][r])


def golden_suit(s: Any, team: int) -> list[str]:
    """Return the names of the cards in the golden suit, lowest first; empty if there is no suit."""
    lo, hi, artifacts = int(s["suit_lo"][team]), int(s["suit_hi"][team]), int(s["suit_art"][team])
    return ["AR" if artifacts >> r & 1 else f"{RANK_NAMES[r]}G" for r in range(lo, hi + 1)] if lo >= 0 else []


def _table(s: Any, team: int) -> dict[str, Any]:
    ranks = {RANK_NAMES[r]: formation(s, team, r) for r in range(RANKS) if s["n"][team][r]}
    suit = golden_suit(s, team)
    return {"ranks": ranks, "suit": [RANK_NAMES[s["suit_lo"][team]], suit] if suit else None}


def _last_round(s: Any, teams: range) -> dict[str, Any] | None:
    if s["last_out"] < -1:
        return None
    scores = [int(s["last_scores"][team]) for team in teams]
    return {"scores": scores, "out": int(s["last_out"]), "turns": int(s["last_turns"])}
