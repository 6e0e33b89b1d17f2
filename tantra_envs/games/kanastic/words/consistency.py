"""The one check of Kanastic tables that come from outside: records that are loaded, and positions.

Positions may leave cards out. So cards are counted only where they can be drawn or held.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.starting import seldom
from ....core.consistency import Tables
from ....core.game import Game
from ..material import (
    FULL,
    GOLD,
    KINDS,
    MAX_SEATS,
    MOST_WILDS,
    NATURALS,
    NEW_SIZE,
    POT,
    RANKS,
    SMALLEST_POINTS,
    SPADES,
    STAGE_SCORES,
    VARIANTS,
    SuitRule,
)
from ..melds import team_of, turn_seat
from ..opening import possible, requirement_met
from ..state import SUIT, Phase
from .positions import DECKS, has_laid

LAYING = (Phase.MELD, Phase.ANSWER)


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless all cards are counted, all formations are legal, and the turn fits the phase."""
    _check_cards(game, tables)
    _check_ranks(game, tables)
    _check_suits(game, tables)
    _check_teams(game, tables)
    _check_taken(game, tables)
    _check_question(game, tables)
    tables.whole_decks(DECKS.ascending(game.blank[0]))
    _check_can_end(tables)


def _check_cards(game: Game, tables: Tables) -> None:
    stock, pile = (tables.counted(field, KINDS) for field in ("stock", "pile"))
    tables.require(pile[:, POT] == 0, "pile", "no TP: a pot is laid at once (KN-12)")
    held = tables["hand"].sum(2)
    total, most = held.sum(1) + stock.sum(1) + pile.sum(1), sum(DECKS.copies(game.blank[0]))
    tables.require(total <= most, "hand", f"at most {most} cards in hands, stock and pile together")
    tables.follows("hand_n", held)
    tables.require((tables["known"] <= tables["hand"]).all(axis=2), "known", "cards of that hand")
    if game.blank["opt"]["suit_rule"][0] == SuitRule.ANY:  # all plain cards of a rank are one kind
        kinds = np.arange(KINDS)
        plain = (kinds < NATURALS) & ~np.isin(kinds % VARIANTS, (0, GOLD))
        for field, counts in (("stock", stock), ("pile", pile), ("hand", tables["hand"].sum(1))):
            tables.require(
                counts[:, plain[: counts.shape[1]]] == 0, field, "plain cards as hearts with suit_rule 'any'"
            )


def _check_ranks(game: Game, tables: Tables) -> None:
    """Check the sizes, wild cards and beginnings of all rank formations (KN-03, KN-20)."""
    naturals = tables["nat"].reshape(tables.n, -1, RANKS, VARIANTS)
    tables.follows("n", naturals.sum(3))
    tables.follows("w", tables["sw"].astype(int) + tables["ar"])
    n, wilds = tables["n"].astype(int), tables["w"].astype(int)
    lies = n + wilds > 0
    right = ~lies | ((n >= NEW_SIZE) & (wilds <= MOST_WILDS) & (n + wilds <= FULL))
    allowed = f"formations of {NEW_SIZE}..{FULL} cards of the rank: at least {NEW_SIZE} naturals, at most {MOST_WILDS} "
    tables.require(right.all(axis=2), "nat", f"{allowed}SW or AR (KN-20)")
    if game.blank["opt"]["suit_rule"][0] == SuitRule.ANY:
        begins = naturals.sum(3) - naturals[..., GOLD] >= NEW_SIZE - 1
    else:
        suits = naturals[..., :GOLD] > 0
        suits[..., SPADES] |= naturals[..., GOLD] > 0  # gold cards are spades
        begins = suits.sum(3) >= NEW_SIZE
    allowed = "formations with naturals of three suits; with suit_rule 'any' two plain ones or more (KN-03)"
    tables.require((~lies | begins).all(axis=2), "nat", allowed)


def _check_suits(game: Game, tables: Tables) -> None:
    """Check the golden suits: consecutive ranks, three golds or more, at most three Artifacts (KN-30)."""
    low, high, artifacts = (tables[field].astype(int) for field in ("suit_lo", "suit_hi", "suit_art"))
    bits = artifacts[..., None] >> np.arange(RANKS) & 1
    spans = (np.arange(RANKS) >= low[..., None]) & (np.arange(RANKS) <= high[..., None])
    golds = (spans & (bits == 0)).sum(2)
    none = (low == -1) & (high == -1) & (artifacts == 0)
    fits = (low >= 0) & ((bits == 0) | spans).all(axis=2) & (bits.sum(2) <= MOST_WILDS) & (golds >= NEW_SIZE)
    allowed = f"golds of consecutive ranks, at most {MOST_WILDS} AR among them, {NEW_SIZE} or more golds (KN-30)"
    tables.require((none | fits)[:, : len(game.teams)], "suit_lo", allowed)


def _check_teams(game: Game, tables: Tables) -> None:
    teams, going = len(game.teams), tables["over"] == 0
    for field in ("score", "paid", "last_scores", "open_pts"):
        tables.require(tables[field] % SMALLEST_POINTS == 0, field, f"multiples of {SMALLEST_POINTS}")
    laid, opened = has_laid(tables.states)[:, :teams], tables["opened"][:, :teams] == 1
    opener, scores = tables["opener"][:, :teams], tables["score"][:, :teams, None]
    tables.require(laid | ~opened, "opened", "true only with a formation on the table")
    own = np.where(opened, (opener >= 0) & (opener % teams == np.arange(teams)), opener == -1)
    tables.require(own, "opener", "a seat of every team that has opened, -1 for the others")
    tables.require(tables["unlocked"] <= tables["opened"], "unlocked", "true only for a team that has opened")
    stage, stages = tables["stage"][:, :teams], 1 + (scores >= STAGE_SCORES).sum(2)
    fits = np.where(going[:, None], stage == stages, stage >= 1)
    tables.require(fits, "stage", "the stage of the total (KN-40)")
    ended = tables["winner"].any(axis=1) == ~going
    tables.require(ended, "winner", "teams at the end of a game, none before")
    acting = np.arange(teams) == (tables["seat"] % teams)[:, None]
    begins = acting & np.isin(tables["phase"], LAYING)[:, None]
    allowed = "true for a team with formations, unless it is making its initial meld"
    tables.require(~(going[:, None] & laid & ~opened) | begins, "opened", allowed)
    nothing = (tables["last_turns"] == 0) & (tables["last_scores"] == 0).all(axis=1)
    tables.require((tables["last_out"] >= -1) | nothing, "last_out", "a seat or -1, if a round has ended")


def _check_taken(game: Game, tables: Tables) -> None:
    """Check the card taken from the stack in this turn, and the formation started with it."""
    phase, taken, top, pick = (tables[field].astype(int) for field in ("phase", "taken", "top_taken", "pick"))
    tables.require((taken > 0) == (top >= 0), "top_taken", "the natural that was taken, with `taken` 1 or 2; else null")
    early, picks = np.isin(phase, (Phase.FIRST, Phase.DRAW)), phase == Phase.PICKUP
    tables.require(np.where(early, taken == 0, ~picks | (taken > 0)), "taken", "0 before the turn, 1 or 2 in PICKUP")
    row, card = np.arange(tables.n), np.maximum(top, 0)
    held = tables["hand"][row, tables["seat"], card] > 0
    tables.require(~picks | held, "top_taken", "in PICKUP a card in the hand of cur")
    team, rank = tables["seat"] % len(game.teams), card // VARIANTS
    in_rank = (pick == rank) & (tables["nat"][row, team, card] > 0)
    low, high = tables["suit_lo"][row, team], tables["suit_hi"][row, team]
    natural = tables["suit_art"][row, team].astype(int) >> rank & 1 == 0
    in_suit = (pick == SUIT) & (card % VARIANTS == GOLD) & (low <= rank) & (rank <= high) & natural
    begun = np.where((top < 0) | picks, pick == -1, in_rank | in_suit | ((tables["over"] == 1) & (pick == -1)))
    allowed = "the formation on the table with `top_taken`, its rank or SUIT; null before it is laid"
    tables.require(begun, "pick", allowed)


def _check_question(game: Game, tables: Tables) -> None:
    """Check the question to the partner and its answer (KN-63)."""
    n, answers = game.players, tables["phase"] == Phase.ANSWER
    tables.require(~answers | (n == MAX_SEATS), "phase", "ANSWER only with four players")
    partner = (tables["seat"] + len(game.teams)) % n
    tables.require(
        tables["asker"] == np.where(answers, partner, -1), "asker", "the partner of cur in ANSWER, else null"
    )
    asked = (tables["asked"] == 1) & ~answers
    tables.require((tables["answer"] < 0) | asked, "answer", "null unless the partner was asked and has answered")


def _check_can_end(tables: Tables) -> None:
    """Check that the seat in turn is still in its initial meld, and can finish what it began; `redeal` relies on it."""
    done, can = np.zeros((2, tables.n), np.int8)
    _ends_rows(tables.states.repeat(1), done, can)
    tables.require(done == 0, "opened", "true for a team whose cards make its initial meld (KN-42)")
    allowed = "a seat that can end its turn: with a card taken or in its initial meld it needs cards to lay (KN-42)"
    tables.require(can, "seat", allowed)


@seldom
def _ends_rows(states: Any, done: Any, can: Any) -> None:
    """Fill in whether an initial meld is done, but not marked so, and whether the turn can be ended, shape (n,)."""
    for i in range(len(states)):
        s = states[i]
        team = team_of(s, turn_seat(s))
        done[i] = s.over == 0 and s.opened[team] == 0 and requirement_met(s, team)
        can[i] = possible(s)
