"""Kanastic tables as dicts, written and read: to set up any position, and to keep one exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game, Position
from ...core.state import States
from .material import (
    ARTIFACT,
    ARTIFACT_POINTS,
    CARD_NAMES,
    CARDS,
    COPIES,
    FULL,
    GOLD,
    MAX_SEATS,
    MOST_WILDS,
    NATURALS,
    NEW_SIZE,
    POT,
    RANK_NAMES,
    RANK_POINTS,
    RANKS,
    STAGES,
    SWORD,
    SWORD_POINTS,
    VARIANTS,
)
from .melds import table_points
from .rules import clear_round, stage_of
from .state import ANSWER, ANY, FIRST, MELD, MOST_DECKS, OVER, PHASES, PICKUP, STACK, TOP

FIELDS = (
    *("config", "players", "phase", "cur", "turn", "scores", "hands", "pile", "stock", "tables", "pots", "opened"),
    *("opener", "unlocked", "block_left", "dealer", "known", "taken", "top_taken", "pick", "asked", "answer", "asker"),
    *("open_pts", "open_wild", "round_no", "reshuffles", "last_round", "moves", "stage", "winners", "rewards"),
    *("truncated", "rng", "decks", "paid"),
)
PICKS = (*RANK_NAMES, "SUIT")
ANSWERS = ("NO", "YES")
DEFAULT_TURN = 8
DEFAULT_HAND = "4H 6D 8C JD KS"
DEFAULT_STOCK = "4*4H 4*5D 4*6C"
_REPEATED = re.compile(r"(\d+)\*(.+)")


# Writing


def position(game: Game, state: States, full: bool) -> Position:
    """The table as a dict; `full` adds the random stream, decks to come and what has been paid of this round."""
    s, seats, teams = state[0], range(game.players), range(int(state[0]["opt"]["teams"]))
    written: Position = {
        "config": {k: list(v) if isinstance(v, tuple) else v for k, v in game.options.changed(game.config).items()},
        "players": game.players,
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "turn": int(s["turn"]),
        "scores": [int(s["score"][team]) for team in teams],
        "hands": [expand(s["hand"][seat]) for seat in seats],
        "pile": named(s["pile"][: s["pile_n"]]),
        "stock": named(s["stock"][: s["stock_n"]]),
        "tables": [_table(s, team) for team in teams],
        "pots": [int(s["pots"][team]) for team in teams],
        "opened": [bool(s["opened"][team]) for team in teams],
        "opener": [int(s["opener"][team]) for team in teams],
        "unlocked": [bool(s["unlocked"][team]) for team in teams],
        "block_left": int(s["block_left"]),
        "dealer": int(s["dealer"]),
        "known": [expand(s["known"][seat]) for seat in seats],
        "taken": int(s["taken"]),
        "top_taken": CARD_NAMES[s["top_taken"]] if s["top_taken"] >= 0 else None,
        "pick": PICKS[s["pick"]] if s["pick"] >= 0 else None,
        "asked": bool(s["asked"]),
        "answer": ANSWERS[s["answer"]] if s["answer"] >= 0 else None,
        "asker": int(s["asker"]) if s["asker"] >= 0 else None,
        "open_pts": int(s["open_pts"]),
        "open_wild": int(s["open_wild"]),
        "round_no": int(s["round_no"]),
        "reshuffles": int(s["reshuffles"]),
        "last_round": _last_round(s, teams),
        "moves": int(s["plies"]),
        "stage": [int(s["stage"][team]) for team in teams],
        "winners": [team for team in teams if s["winner"][team]],
        "rewards": [float(s["rewards"][seat]) for seat in seats],
        "truncated": bool(s["truncated"]),
    }
    if full:
        written["rng"] = [int(word) for word in s["rng"]]
        written["decks"] = [named(s["decks"][i]) for i in range(s["decks_n"])]
        written["paid"] = [int(s["paid"][team]) for team in teams]
    return written


def expand(counts: Any) -> list[str]:
    """Names of the cards counted by kind, ascending."""
    return [CARD_NAMES[kind] for kind, count in enumerate(counts) for _ in range(count)]


def named(cards: Any) -> list[str]:
    """Names of cards in their order."""
    return [CARD_NAMES[kind] for kind in cards]


def formation(s: Any, team: int, r: int) -> list[str]:
    """The cards of a rank formation: naturals, Swords, Artifacts."""
    cards = [CARD_NAMES[k] for k in range(VARIANTS * r, VARIANTS * (r + 1)) for _ in range(s["nat"][team][k])]
    return cards + ["SW"] * int(s["sw"][team][r]) + ["AR"] * int(s["ar"][team][r])


def golden_suit(s: Any, team: int) -> list[str]:
    """The cards of the golden suit, lowest first; none if there is no suit."""
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


# Reading


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """The table a position describes; ValueError naming the field that is wrong."""
    read.check_fields(position, FIELDS)
    read.check_config(position.get("config", {}), game.config)
    if position.get("players", game.players) != game.players:
        raise read.refuse("players", position["players"], f"{game.players}, as in the game")
    state = game.blank.copy()
    s = state[0]
    s["score"][: s["opt"]["teams"]] = _numbers(position, "scores", int(s["opt"]["teams"]), None, 5) or 0
    _clear(state)
    _read_clock(position, s)
    _read_cards(position, s)
    _read_tables(position, s)
    _read_teams(position, s)
    _read_turn(position, s)
    _read_opening(position, s)
    _read_last_round(position, s)
    _read_end(position, s)
    if "rng" not in position:
        _pay_up(state)
    _read_future(game, position, s)
    if not s["over"]:
        _check_playable(game, position, state)
    return state


@entry_point
def _clear(states: Any) -> None:
    """An empty round: no cards anywhere, stages from the totals."""
    clear_round(states[0])


@entry_point
def _pay_up(states: Any) -> None:
    """With `dense`: what lies on the table when play begins has been paid."""
    s = states[0]
    if s.opt.dense:
        for team in range(s.opt.teams):
            s.paid[team] = table_points(s, team)


def _read_clock(position: Mapping[str, Any], s: Any) -> None:
    n, opt = int(s["seats"]), s["opt"]
    s["phase"] = read.read_choice(position, "phase", "MELD", PHASES)
    read.read_end(position, s, OVER)
    s["seat"] = read.read_int(position, "cur", 0, range(n))
    last_turn = int(opt["max_turns"]) if s["over"] else int(opt["max_turns"]) - 1
    default = 0 if s["phase"] == FIRST else min(DEFAULT_TURN, last_turn)
    s["turn"] = read.read_int(position, "turn", default, range(last_turn + 1))
    s["dealer"] = read.read_int(position, "dealer", n - 1, range(n))
    s["block_left"] = read.read_int(position, "block_left", 0, range(n))
    s["round_no"] = read.read_int(position, "round_no", 0, range(int(opt["max_rounds"]) + int(s["over"])))
    s["reshuffles"] = read.read_int(position, "reshuffles", 0, range(2**15))
    most = int(opt["max_moves"]) or 2**31 - 2
    s["plies"] = read.read_int(position, "moves", 0, range(most + int(s["over"])))


def _read_cards(position: Mapping[str, Any], s: Any) -> None:
    """Hands, known cards, stack and stock."""
    n, rule = int(s["seats"]), int(s["opt"]["suit_rule"])
    hands = _lists(position, "hands", n, DEFAULT_HAND, rule)
    for seat, hand in enumerate(hands):
        if POT in hand:
            raise read.refuse(f"hands[{seat}]", named(hand), "no TP: a pot is laid at once (KN-12)")
        s["hand"][seat] = np.bincount(np.array(hand, np.int64), minlength=POT)
        s["hand_n"][seat] = len(hand)
    for seat, known in enumerate(_lists(position, "known", n, "", rule)):
        s["known"][seat] = np.bincount(np.array(known, np.int64), minlength=POT)[:POT]
        if POT in known or (s["known"][seat] > s["hand"][seat]).any():
            raise read.refuse(f"known[{seat}]", named(known), "cards of that hand")
    stock = cards_of("stock", position.get("stock", DEFAULT_STOCK), rule)
    pile = cards_of("pile", position.get("pile", []), rule)
    if POT in pile:
        raise read.refuse("pile", named(pile), "no TP: pots are never discarded (KN-12)")
    total = len(stock) + len(pile) + sum(map(len, hands))
    if total > CARDS:
        raise read.refuse("hands, stock and pile", f"{total} cards", f"at most {CARDS} together")
    s["stock"][: len(stock)], s["stock_n"] = stock, len(stock)
    s["pile"][: len(pile)], s["pile_n"] = pile, len(pile)


def cards_of(field: str, value: Any, rule: int) -> list[int]:
    """Cards in a list or a string; `6*8S` stands for six of them. With suit rule "any" plain cards are alike."""
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)):
        raise read.refuse(field, value, "a list of cards or a string with blanks")
    cards: list[int] = []
    for word in words:
        repeated = _REPEATED.fullmatch(word) if isinstance(word, str) else None
        count, name = (int(repeated[1]), repeated[2]) if repeated else (1, word)
        kind = read.read_card(field, name, CARD_NAMES)
        if rule == ANY and kind < NATURALS and kind % VARIANTS != GOLD:
            kind -= kind % VARIANTS
        if count > CARDS:
            raise read.refuse(field, word, f"at most {CARDS} cards")
        cards += [kind] * count
    return cards


def _lists(position: Mapping[str, Any], field: str, n: int, default: str, rule: int) -> list[list[int]]:
    value = position.get(field, [])
    if not isinstance(value, (list, tuple)) or len(value) > n:
        raise read.refuse(field, value, f"a list of at most {n} lists of cards, one for each seat")
    given = [*value, *[default] * (n - len(value))]
    return [cards_of(f"{field}[{seat}]", cards, rule) for seat, cards in enumerate(given)]


def _read_tables(position: Mapping[str, Any], s: Any) -> None:
    """The formations of every team."""
    teams, rule = int(s["opt"]["teams"]), int(s["opt"]["suit_rule"])
    tables = position.get("tables", [])
    if not isinstance(tables, (list, tuple)) or len(tables) > teams:
        raise read.refuse("tables", tables, f"a list of at most {teams} tables, one for each team")
    for team, table in enumerate(tables):
        field = f"tables[{team}]"
        if not isinstance(table, Mapping) or not set(table) <= {"ranks", "suit"}:
            raise read.refuse(field, table, 'a dict {"ranks": {rank: cards}, "suit": [lowest rank, cards]}')
        ranks = table.get("ranks") or {}
        if not isinstance(ranks, Mapping):
            raise read.refuse(f"{field}.ranks", ranks, "a dict of rank: cards")
        for rank, cards in ranks.items():
            r = read.read_card(f"{field}.ranks", rank, RANK_NAMES)
            _read_formation(s, team, r, cards_of(f"{field}.ranks[{rank}]", cards, rule), f"{field}.ranks[{rank}]")
        if table.get("suit"):
            _read_suit(s, team, table["suit"], f"{field}.suit")


def _read_formation(s: Any, team: int, r: int, cards: list[int], field: str) -> None:
    naturals = [kind for kind in cards if kind // VARIANTS == r and kind < NATURALS]
    wilds = [kind for kind in cards if kind in (SWORD, ARTIFACT)]
    fits = len(naturals) + len(wilds) == len(cards) <= FULL
    if not fits or len(naturals) < NEW_SIZE or len(wilds) > MOST_WILDS:
        allowed = f"3..8 cards of the rank, at most {MOST_WILDS} of them SW or AR, 3 or more natural (KN-20)"
        raise read.refuse(field, named(cards), allowed)
    for kind in naturals:
        s["nat"][team][kind] += 1
    s["n"][team][r], s["w"][team][r] = len(naturals), len(wilds)
    s["sw"][team][r], s["ar"][team][r] = wilds.count(SWORD), wilds.count(ARTIFACT)


def _read_suit(s: Any, team: int, value: Any, field: str) -> None:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise read.refuse(field, value, "[lowest rank, cards from low to high]")
    lo, cards = read.read_card(field, value[0], RANK_NAMES), cards_of(field, value[1], 0)
    fits = [kind in (ARTIFACT, VARIANTS * (lo + i) + GOLD) for i, kind in enumerate(cards)]
    artifacts = cards.count(ARTIFACT)
    if not all(fits) or lo + len(cards) > RANKS or artifacts > MOST_WILDS or len(cards) - artifacts < NEW_SIZE:
        allowed = f"golds of consecutive ranks, at most {MOST_WILDS} AR among them, 3 or more golds (KN-30)"
        raise read.refuse(field, value, allowed)
    s["suit_lo"][team], s["suit_hi"][team] = lo, lo + len(cards) - 1
    s["suit_art"][team] = sum(1 << lo + i for i, kind in enumerate(cards) if kind == ARTIFACT)


def _read_teams(position: Mapping[str, Any], s: Any) -> None:
    """Pots, and who has opened: by default whoever has a formation, first seat of the team first."""
    teams, n = int(s["opt"]["teams"]), int(s["seats"])
    s["pots"][:teams] = _numbers(position, "pots", teams, range(5)) or 0
    laid = [bool(s["n"][team].any() or s["suit_lo"][team] >= 0) for team in range(teams)]
    opened = _flags(position, "opened", laid)
    s["opened"][:teams] = opened
    openers = [team if opened[team] else -1 for team in range(teams)]
    s["opener"][:teams] = _numbers(position, "opener", teams, range(-1, n)) or openers
    s["unlocked"][:teams] = _flags(position, "unlocked", opened)
    for team in range(teams):
        opener = int(s["opener"][team])
        if (opener >= 0) != opened[team] or (opener >= 0 and opener % teams != team):
            raise read.refuse("opener", position.get("opener"), "a seat of every opened team, -1 for the others")
        if opened[team] and not laid[team]:
            raise read.refuse("opened", position["opened"], "true only with a formation on the table")
        if s["unlocked"][team] and not opened[team]:
            raise read.refuse("unlocked", position["unlocked"], "true only for a team that has opened")


def _read_turn(position: Mapping[str, Any], s: Any) -> None:
    """What was taken and asked in this turn."""
    n, teams, phase = int(s["seats"]), int(s["opt"]["teams"]), int(s["phase"])
    partner = (int(s["seat"]) + teams) % n
    default = int(STACK if s["opened"][int(s["seat"]) % teams] else TOP) if phase == PICKUP else 0
    s["taken"] = read.read_int(position, "taken", default, range(1, 3) if phase == PICKUP else range(3))
    top = position.get("top_taken")
    s["top_taken"] = -1 if top is None else cards_of("top_taken", [top], int(s["opt"]["suit_rule"]))[0]
    pick = position.get("pick")
    s["pick"] = -1 if pick is None else read.read_card("pick", pick, PICKS)
    s["asked"] = read.read_flag(position, "asked", phase == ANSWER)
    answer = position.get("answer")
    s["answer"] = -1 if answer is None else read.read_choice(position, "answer", "NO", ANSWERS)
    asker = position.get("asker")
    if phase == ANSWER:
        s["asker"] = (
            partner if asker is None else read.read_int(position, "asker", partner, range(partner, partner + 1))
        )
    elif asker is not None:
        raise read.refuse("asker", asker, "null but in ANSWER")
    if phase == PICKUP and (not 0 <= s["top_taken"] < NATURALS or not s["hand"][s["seat"]][s["top_taken"]]):
        raise read.refuse("top_taken", top, "the natural that was taken, now in the hand of cur, in PICKUP")
    if phase == PICKUP and s["pick"] >= 0:
        raise read.refuse("pick", pick, "null in PICKUP")


def _read_opening(position: Mapping[str, Any], s: Any) -> None:
    """An unopened team with formations is in the middle of its initial meld, and has laid all of them this turn."""
    teams, phase = int(s["opt"]["teams"]), int(s["phase"])
    acting = int(s["seat"]) % teams
    points = wilds = 0
    for team in range(teams):
        laid = s["n"][team].any() or s["suit_lo"][team] >= 0
        if laid and not s["opened"][team]:
            if not s["over"] and (team != acting or phase not in (MELD, ANSWER)):
                raise read.refuse("opened", position["opened"], "false with formations only for the team that melds")
            points, wilds = _laid(s, team)
    s["open_pts"] = read.read_int(position, "open_pts", points, range(0, 1001, 5))
    s["open_wild"] = read.read_int(position, "open_wild", wilds, range(13))


def _laid(s: Any, team: int) -> tuple[int, int]:
    """Card points and wild cards on the table of a team."""
    suit = golden_suit(s, team)
    golds = [RANK_NAMES.index(card[:-1]) for card in suit if card != "AR"]
    artifacts = int(s["ar"][team].sum()) + suit.count("AR")
    points = int(s["n"][team] @ RANK_POINTS) + int(RANK_POINTS[golds].sum()) + ARTIFACT_POINTS * artifacts
    swords = int(s["sw"][team].sum())
    return points + SWORD_POINTS * swords, artifacts + swords


def _read_last_round(position: Mapping[str, Any], s: Any) -> None:
    last, teams = position.get("last_round"), int(s["opt"]["teams"])
    s["last_out"] = -2
    if last is None:
        return
    if not isinstance(last, Mapping) or set(last) != {"scores", "out", "turns"}:
        raise read.refuse("last_round", last, 'null or a dict {"scores", "out", "turns"}')
    s["last_scores"][:teams] = _numbers(last, "scores", teams, None, 5) or 0
    s["last_out"] = read.read_int(last, "out", -1, range(-1, int(s["seats"])))
    s["last_turns"] = read.read_int(last, "turns", 0, range(int(s["opt"]["max_turns"]) + 1))


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """Who won, and the stages of the teams."""
    teams = int(s["opt"]["teams"])
    winners = read.read_seats(position, "winners", [], teams)
    if bool(winners) != bool(s["over"]):
        raise read.refuse("winners", winners, "teams at the end of a game, none before")
    s["winner"][winners] = 1
    stages = _numbers(position, "stage", teams, range(1, STAGES + 1))
    by_score = [int(stage_of(int(score))) for score in s["score"][:teams]]
    if stages is not None and stages != by_score and not s["over"]:
        raise read.refuse("stage", stages, f"{by_score}, by the totals")
    s["stage"][:teams] = stages or by_score


def _read_future(game: Game, position: Mapping[str, Any], s: Any) -> None:
    """The random stream, decks to come and what was paid: parts of a full position only."""
    n, teams = game.players, int(s["opt"]["teams"])
    rewards = read.read_numbers(position, "rewards", n)
    decks = position.get("decks", [])
    if not isinstance(decks, (list, tuple)) or len(decks) > MOST_DECKS:
        raise read.refuse("decks", decks, f"a list of at most {MOST_DECKS} decks")
    for i, deck in enumerate(decks):
        s["decks"][i] = whole_deck(game, deck)
    s["decks_n"] = len(decks)
    read.read_stream(position, s)
    if position.get("rng") is None:
        return
    s["rewards"][:n] = rewards or 0.0
    s["paid"][:teams] = _numbers(position, "paid", teams, None, 5) or 0


def whole_deck(game: Game, deck: Any) -> list[int]:
    """A deck of all cards, bottom to top; ValueError if one is missing."""
    rule = int(game.blank["opt"]["suit_rule"][0])
    cards = cards_of("deck", deck, rule)
    counts = np.bincount(np.array(cards, np.int64), minlength=len(CARD_NAMES))
    for kind, copies in enumerate(COPIES[rule]):
        if counts[kind] != copies:
            raise ValueError(f"{game.name}: deck has {counts[kind]} of {CARD_NAMES[kind]}; allowed: {copies}")
    return cards


def _check_playable(game: Game, position: Mapping[str, Any], state: States) -> None:
    """Refuse tables where the seat to decide, or who waits for its answer, can do nothing."""
    s = state[0]
    if s["phase"] == ANSWER and game.players < MAX_SEATS:
        raise read.refuse("phase", "ANSWER", "this phase with four players only")
    if not game.mask(state).any() or not _can_open(game, state):
        raise read.refuse("cur", position.get("cur", 0), "a seat that can go on: its hand leaves it nothing to do")


def _can_open(game: Game, state: States) -> bool:
    """Whose turn it is can end what he began: in the middle of an initial meld there is a card to lay [KN-42]."""
    turn = state.copy()
    s = turn[0]
    if s["phase"] == ANSWER:
        s["seat"] = s["asker"]
    team = s["seat"] % s["opt"]["teams"]
    laid = s["n"][team].any() or s["suit_lo"][team] >= 0
    if s["phase"] == PICKUP or s["opened"][team] or not laid:
        return True
    s["phase"], s["asked"] = MELD, 1  # so that nothing but placements can be legal
    return bool(game.mask(turn).any())


def _numbers(
    position: Mapping[str, Any], field: str, size: int, allowed: range | None, step: int = 1
) -> list[int] | None:
    """A list of `size` integers, each in `allowed` and a multiple of `step`; None where the field is left out."""
    value = position.get(field)
    if value is None:
        return None
    fits = isinstance(value, (list, tuple)) and len(value) == size
    if not fits or not all(type(v) is int and v % step == 0 and (allowed is None or v in allowed) for v in value):
        words = f"{allowed[0]}..{allowed[-1]}" if allowed else f"a multiple of {step}"
        raise read.refuse(field, value, f"a list of {size} integers, each {words}")
    return list(value)


def _flags(position: Mapping[str, Any], field: str, default: list[bool]) -> list[bool]:
    """One true or false for each team."""
    value = position.get(field, default)
    fits = isinstance(value, (list, tuple)) and len(value) == len(default)
    if not fits or not all(isinstance(flag, bool) for flag in value):
        raise read.refuse(field, value, f"a list of {len(default)} of true or false, one for each team")
    return list(value)
