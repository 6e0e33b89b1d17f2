"""Reads Kanastic tables from dicts, to set up any position or to restore one exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game
from ...core.notation import named
from ...core.state import States
from .dealing import clear_round, stage_of
from .material import (
    ARTIFACT,
    ARTIFACT_POINTS,
    CARD_NAMES,
    CARDS,
    COPIES,
    FULL,
    GOLD,
    HAND_KINDS,
    KINDS,
    MAX_SEATS,
    MOST_WILDS,
    NATURALS,
    NEW_SIZE,
    POT,
    RANK_NAMES,
    RANK_POINTS,
    RANKS,
    SMALLEST_POINTS,
    SPADES,
    SPECIALS,
    STAGES,
    SWORD,
    SWORD_POINTS,
    VARIANTS,
)
from .melds import table_points
from .positions import ANSWERS, PICKS, golden_suit
from .state import MOST_DECKS, PHASES, SUIT, Phase, SuitRule, Taken

FIELDS = (
    *("config", "players", "phase", "cur", "turn", "scores", "hands", "pile", "stock", "tables", "pots", "opened"),
    *("opener", "unlocked", "block_left", "dealer", "known", "taken", "top_taken", "pick", "asked", "answer", "asker"),
    *("open_pts", "open_wild", "round_no", "reshuffles", "last_round", "moves", "stage", "winners", "rewards"),
    *("truncated", "rng", "decks", "paid"),
)
SCORES = range(-(10**9), 10**9 + 1)  # beyond any score; the sum of two still fits into 32 bits
DEFAULT_TURN = 8
DEFAULT_HAND = "4H 6D 8C JD KS"
DEFAULT_STOCK = "4*4H 4*5D 4*6C"
_REPEATED = re.compile(r"(\d+)\*(.+)")


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise ValueError with the field that is wrong."""
    read.check_fields(position, FIELDS)
    read.check_config(position.get("config", {}), game.config)
    read.read_int(position, "players", game.players, range(game.players, game.players + 1))
    state = game.blank.copy()
    s = state[0]
    s["score"][: s["opt"]["teams"]] = (
        read.read_integers(position, "scores", int(s["opt"]["teams"]), SCORES, SMALLEST_POINTS) or 0
    )
    _clear(state)
    _read_clock(position, s)
    _read_cards(position, s)
    _read_tables(position, s)
    _read_teams(position, s)
    _read_turn(position, s)
    _read_opening(position, s)
    _read_last_round(position, s)
    _read_end(position, s)
    if position.get("rng") is None:
        _pay_up(state)
    _read_future(game, position, s)
    if not s["over"]:
        _check_playable(game, position, state)
    return state


@entry_point
def _clear(states: Any) -> None:
    """Clear the round: remove all cards, and set the stages by the totals."""
    clear_round(states[0])


@entry_point
def _pay_up(states: Any) -> None:
    """With `dense`, count the points on the table as rewarded before play begins."""
    s = states[0]
    if s.opt.dense:
        for team in range(s.opt.teams):
            s.paid[team] = table_points(s, team)


def _read_clock(position: Mapping[str, Any], s: Any) -> None:
    n, opt = int(s["seats"]), s["opt"]
    s["phase"] = read.read_choice(position, "phase", "MELD", PHASES)
    read.read_end(position, s, Phase.OVER)
    s["seat"] = read.read_int(position, "cur", 0, range(n))
    last_turn = int(opt["max_turns"]) if s["over"] else int(opt["max_turns"]) - 1
    default = 0 if s["phase"] == Phase.FIRST else min(DEFAULT_TURN, last_turn)
    s["turn"] = read.read_int(position, "turn", default, range(last_turn + 1))
    s["dealer"] = read.read_int(position, "dealer", n - 1, range(n))
    s["block_left"] = read.read_int(position, "block_left", 0, range(n))
    s["round_no"] = read.read_int(position, "round_no", 0, range(int(opt["max_rounds"]) + int(s["over"])))
    s["reshuffles"] = read.read_int(position, "reshuffles", 0, range(2**15))
    most = int(opt["max_moves"]) or 2**31 - 2
    s["plies"] = read.read_int(position, "moves", 0, range(most + int(s["over"])))


def _read_cards(position: Mapping[str, Any], s: Any) -> None:
    """Read hands, known cards, stack and stock."""
    n, rule = int(s["seats"]), int(s["opt"]["suit_rule"])
    hands, knowns = _lists(position, "hands", n, DEFAULT_HAND, rule), _lists(position, "known", n, "", rule)
    stock = cards_of("stock", position.get("stock", DEFAULT_STOCK), rule)
    pile = cards_of("pile", position.get("pile", []), rule)
    for field, cards in {"pile": pile, **{f"hands[{seat}]": hand for seat, hand in enumerate(hands)}}.items():
        if POT in cards:
            raise read.refuse(field, named(cards, CARD_NAMES), "no TP: a pot is laid at once (KN-12)")
    total = len(stock) + len(pile) + sum(map(len, hands))
    if total > CARDS:
        raise read.refuse("hands, stock and pile", f"{total} cards", f"at most {CARDS} together")
    for seat, (hand, known) in enumerate(zip(hands, knowns, strict=True)):
        counts, seen = (np.bincount(np.array(cards, np.int64), minlength=KINDS) for cards in (hand, known))
        if (seen > counts).any():
            raise read.refuse(f"known[{seat}]", named(known, CARD_NAMES), "cards of that hand")
        s["hand"][seat], s["known"][seat], s["hand_n"][seat] = counts[:HAND_KINDS], seen[:HAND_KINDS], len(hand)
    s["stock"][: len(stock)], s["stock_n"] = stock, len(stock)
    s["pile"][: len(pile)], s["pile_n"] = pile, len(pile)


def cards_of(field: str, value: Any, rule: int) -> list[int]:
    """Return the kinds of cards in a list or a string, where `6*8S` is six cards.

    With suit rule "any" all plain cards of a rank are one kind.
    """
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)):
        raise read.refuse(field, value, "a list of cards or a string with blanks")
    cards: list[int] = []
    for word in words:
        repeated = _REPEATED.fullmatch(word) if isinstance(word, str) else None
        count, name = (int(repeated[1]), repeated[2]) if repeated else (1, word)
        kind = read.read_card(field, name, CARD_NAMES)
        if rule == SuitRule.ANY and kind < NATURALS and kind % VARIANTS != GOLD:
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
    """Read the formations of every team."""
    teams, rule = int(s["opt"]["teams"]), int(s["opt"]["suit_rule"])
    tables = position.get("tables", [])
    if not isinstance(tables, (list, tuple)) or len(tables) > teams:
        raise read.refuse("tables", tables, f"a list of at most {teams} tables, one for each team")
    for team, table in enumerate(tables):
        field = f"tables[{team}]"
        if not isinstance(table, Mapping) or not set(table) <= {"ranks", "suit"}:
            raise read.refuse(field, table, 'a dict {"ranks": {rank: cards}, "suit": [lowest rank, cards]}')
        ranks = table.get("ranks")
        if not isinstance(ranks, Mapping | None):
            raise read.refuse(f"{field}.ranks", ranks, "a dict of rank: cards")
        for rank, cards in (ranks or {}).items():
            r = read.read_card(f"{field}.ranks", rank, RANK_NAMES)
            _read_formation(s, team, r, cards_of(f"{field}.ranks[{rank}]", cards, rule), f"{field}.ranks[{rank}]")
        if table.get("suit") is not None:
            _read_suit(s, team, table["suit"], f"{field}.suit")


def _read_formation(s: Any, team: int, r: int, cards: list[int], field: str) -> None:
    naturals = [kind for kind in cards if kind // VARIANTS == r and kind < NATURALS]
    wilds = [kind for kind in cards if kind in (SWORD, ARTIFACT)]
    fits = len(naturals) + len(wilds) == len(cards) <= FULL
    if not fits or len(naturals) < NEW_SIZE or len(wilds) > MOST_WILDS:
        allowed = f"3..8 cards of the rank: at least 3 naturals, at most {MOST_WILDS} SW or AR (KN-20)"
        raise read.refuse(field, named(cards, CARD_NAMES), allowed)
    if not _begins(naturals, int(s["opt"]["suit_rule"])):
        allowed = "naturals of three suits; with suit_rule 'any' two plain ones or more (KN-03)"
        raise read.refuse(field, named(cards, CARD_NAMES), allowed)
    if s["n"][team][r]:
        raise read.refuse(field, named(cards, CARD_NAMES), "one formation of a rank (KN-21)")
    for kind in naturals:
        s["nat"][team][kind] += 1
    s["n"][team][r], s["w"][team][r] = len(naturals), len(wilds)
    s["sw"][team][r], s["ar"][team][r] = wilds.count(SWORD), wilds.count(ARTIFACT)


def _begins(naturals: list[int], rule: int) -> bool:
    """Return whether three of these naturals can begin a formation. Gold cards are spades [KN-03]."""
    variants = [kind % VARIANTS for kind in naturals]
    if rule == SuitRule.ANY:
        return len(variants) - variants.count(GOLD) >= NEW_SIZE - 1
    return len({SPADES if variant == GOLD else variant for variant in variants}) >= NEW_SIZE


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
    """Read pots and openings. By default a team with a formation has opened, by its first seat."""
    teams, n = int(s["opt"]["teams"]), int(s["seats"])
    s["pots"][:teams] = read.read_integers(position, "pots", teams, range(SPECIALS[-1] + 1)) or 0
    laid = [bool(s["n"][team].any() or s["suit_lo"][team] >= 0) for team in range(teams)]
    opened = read.read_flags(position, "opened", teams) or laid
    s["opened"][:teams] = opened
    openers = [team if opened[team] else -1 for team in range(teams)]
    s["opener"][:teams] = read.read_integers(position, "opener", teams, range(-1, n)) or openers
    s["unlocked"][:teams] = read.read_flags(position, "unlocked", teams) or opened
    for team in range(teams):
        opener = int(s["opener"][team])
        if (opener >= 0) != opened[team] or (opener >= 0 and opener % teams != team):
            raise read.refuse("opener", position.get("opener"), "a seat of every opened team, -1 for the others")
        if opened[team] and not laid[team]:
            raise read.refuse("opened", position["opened"], "true only with a formation on the table")
        if s["unlocked"][team] and not opened[team]:
            raise read.refuse("unlocked", position["unlocked"], "true only for a team that has opened")


def _read_turn(position: Mapping[str, Any], s: Any) -> None:
    """Read the cards taken in this turn, and the question to the partner."""
    _read_taken(position, s)
    n, teams, phase = int(s["seats"]), int(s["opt"]["teams"]), int(s["phase"])
    s["asked"] = read.read_flag(position, "asked", phase == Phase.ANSWER)
    answer, asker = position.get("answer"), position.get("asker")
    s["answer"] = -1 if answer is None else read.read_choice(position, "answer", "NO", ANSWERS)
    if answer is not None and (not s["asked"] or phase == Phase.ANSWER):
        raise read.refuse("answer", answer, "null unless the partner was asked and has answered")
    if phase == Phase.ANSWER:
        partner = (int(s["seat"]) + teams) % n
        given = {"asker": partner if asker is None else asker}
        s["asker"] = read.read_int(given, "asker", partner, range(partner, partner + 1))
    elif asker is not None:
        raise read.refuse("asker", asker, "null outside the phase ANSWER")


def _read_taken(position: Mapping[str, Any], s: Any) -> None:
    """Read `taken`, `top_taken` and `pick`; they must agree."""
    phase, team = int(s["phase"]), int(s["seat"]) % int(s["opt"]["teams"])
    default = int(Taken.STACK if s["opened"][team] else Taken.TOP) if phase == Phase.PICKUP else 0
    s["taken"] = read.read_int(position, "taken", default, _taken_in(phase))
    top, pick = position.get("top_taken"), position.get("pick")
    s["top_taken"] = -1 if top is None else cards_of("top_taken", [top], int(s["opt"]["suit_rule"]))[0]
    s["pick"] = -1 if pick is None else read.read_card("pick", pick, PICKS)
    if (s["taken"] > 0) != (0 <= s["top_taken"] < NATURALS):
        raise read.refuse("top_taken", top, "the natural that was taken, with `taken` 1 or 2; null with 0")
    if phase == Phase.PICKUP and not s["hand"][s["seat"]][s["top_taken"]]:
        raise read.refuse("top_taken", top, "in PICKUP a card in the hand of cur")
    if s["pick"] not in _picks(s, phase, team):
        allowed = "the formation on the table with `top_taken`, its rank or SUIT; null before it is laid"
        raise read.refuse("pick", pick, allowed)


def _taken_in(phase: int) -> range:
    """Return the values of `taken` that a phase allows."""
    if phase in (Phase.FIRST, Phase.DRAW):
        return range(1)
    return range(1, 3) if phase == Phase.PICKUP else range(3)


def _picks(s: Any, phase: int, team: int) -> list[int]:
    """Return the formations that may contain the card taken in this turn; -1 means no formation."""
    card = int(s["top_taken"])
    if card < 0 or phase == Phase.PICKUP:
        return [-1]
    rank, lo, hi = card // VARIANTS, s["suit_lo"][team], s["suit_hi"][team]
    begun = [rank] if s["nat"][team][card] else []
    if card % VARIANTS == GOLD and lo <= rank <= hi and not s["suit_art"][team] >> rank & 1:
        begun.append(SUIT)
    return [-1, *begun] if phase == Phase.OVER else begun


def _read_opening(position: Mapping[str, Any], s: Any) -> None:
    """Read the points and wild cards of an initial meld in progress.

    An unopened team with formations is making its initial meld, and laid all of them in this turn.
    """
    teams, phase = int(s["opt"]["teams"]), int(s["phase"])
    acting = int(s["seat"]) % teams
    points = wilds = 0
    for team in range(teams):
        laid = s["n"][team].any() or s["suit_lo"][team] >= 0
        if laid and not s["opened"][team]:
            if not s["over"] and (team != acting or phase not in (Phase.MELD, Phase.ANSWER)):
                raise read.refuse(
                    "opened",
                    position["opened"],
                    "true for a team with formations, unless it is making its initial meld",
                )
            points, wilds = _laid(s, team)
    s["open_pts"] = read.read_int(position, "open_pts", points, range(0, 1001, 5))
    s["open_wild"] = read.read_int(position, "open_wild", wilds, range(13))


def _laid(s: Any, team: int) -> tuple[int, int]:
    """Return the card points and the number of wild cards on the table of a team."""
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
    given = {f"last_round {name}": value for name, value in last.items()}
    scores = read.read_integers(given, "last_round scores", teams, SCORES, SMALLEST_POINTS)
    if scores is None:
        raise read.refuse("last_round scores", None, f"a list of {teams} integers")
    s["last_scores"][:teams] = scores
    s["last_out"] = read.read_int(given, "last_round out", -1, range(-1, int(s["seats"])))
    s["last_turns"] = read.read_int(given, "last_round turns", 0, range(int(s["opt"]["max_turns"]) + 1))


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """Read the winners, and the stages of the teams."""
    teams = int(s["opt"]["teams"])
    winners = read.read_seats(position, "winners", [], teams)
    if bool(winners) != bool(s["over"]):
        raise read.refuse("winners", winners, "teams at the end of a game, none before")
    s["winner"][winners] = 1
    stages = read.read_integers(position, "stage", teams, range(1, STAGES + 1))
    by_score = [int(stage_of(int(score))) for score in s["score"][:teams]]
    if stages is not None and stages != by_score and not s["over"]:
        raise read.refuse("stage", stages, f"{by_score}, by the totals")
    s["stage"][:teams] = stages or by_score


def _read_future(game: Game, position: Mapping[str, Any], s: Any) -> None:
    """Read the fields of full positions: rewards, later decks, the random stream and rewarded points."""
    n, teams = game.players, int(s["opt"]["teams"])
    rewards = read.read_numbers(position, "rewards", n)
    decks = position.get("decks", [])
    if not isinstance(decks, (list, tuple)) or len(decks) > MOST_DECKS:
        raise read.refuse("decks", decks, f"a list of at most {MOST_DECKS} decks")
    for i, deck in enumerate(decks):
        s["decks"][i] = whole_deck(game, deck, f"decks[{i}]")
    s["decks_n"] = len(decks)
    read.read_stream(position, s)
    if position.get("rng") is None:
        return
    s["rewards"][:n] = rewards or 0.0
    s["paid"][:teams] = read.read_integers(position, "paid", teams, SCORES, SMALLEST_POINTS) or 0


def whole_deck(game: Game, deck: Any, field: str = "deck") -> list[int]:
    """Return a deck of all cards, bottom to top; raise ValueError if a card is missing."""
    rule = int(game.blank["opt"]["suit_rule"][0])
    cards = cards_of(field, deck, rule)
    read.check_deck(f"{game.name}: {field}", cards, COPIES[rule].tolist(), CARD_NAMES)
    return cards


def _check_playable(game: Game, position: Mapping[str, Any], state: States) -> None:
    """Refuse tables where the seat to decide, or the seat that asked it, has no legal action."""
    s = state[0]
    if s["phase"] == Phase.ANSWER and game.players < MAX_SEATS:
        raise read.refuse("phase", "ANSWER", "ANSWER only with four players")
    if not game.mask(state).any() or not _can_open(game, state):
        raise read.refuse("cur", position.get("cur", 0), "a seat with a legal action; this hand has none")


def _can_open(game: Game, state: States) -> bool:
    """Return whether the seat in turn can end its turn: during an initial meld it has a card to lay [KN-42]."""
    turn = state.copy()
    s = turn[0]
    if s["phase"] == Phase.ANSWER:
        s["seat"] = s["asker"]
    team = s["seat"] % s["opt"]["teams"]
    laid = s["n"][team].any() or s["suit_lo"][team] >= 0
    if s["phase"] == Phase.PICKUP or s["opened"][team] or not laid:
        return True
    s["phase"], s["asked"] = Phase.MELD, 1  # only placements can be legal then
    return bool(game.mask(turn).any())
