"""Checks of Kanastic records that come from outside.

Positions may leave cards out. So cards are counted only where they can be drawn or held.
"""

from __future__ import annotations

import numpy as np

from ...core.consistency import Array, Tables
from ...core.game import Game
from .material import (
    CARDS,
    COPIES,
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
    SPECIALS,
    STAGE_SCORES,
    STAGES,
    VARIANTS,
)
from .state import MOST_DECKS, SUIT, Phase, SuitRule, Taken

SCORES = 10**9  # beyond any score; the sum of two still fits into 32 bits
MOST_OPENING = 1000  # most points that can be laid in one turn
LAYING = (Phase.MELD, Phase.ANSWER)


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless all cards are counted, all formations are legal, and the turn fits the phase."""
    _check_cards(game, tables)
    _check_ranks(game, tables)
    _check_suits(game, tables)
    _check_teams(game, tables)
    _check_clock(game, tables)
    _check_taken(game, tables)
    _check_question(game, tables)
    _check_decks(game, tables)


def _teams(game: Game) -> int:
    return int(game.blank["opt"]["teams"][0])


def _check_cards(game: Game, tables: Tables) -> None:
    for kept in ("hand", "known", "nat", "sw", "ar", "n", "w", "hand_n"):
        tables.within(kept, 0, CARDS)
    stock, pile = (tables.counted(field, f"{field}_n", KINDS) for field in ("stock", "pile"))
    tables.require(pile[:, POT] == 0, "a pot is in the pile (KN-12)")
    tables.require(tables["hand_n"] == tables["hand"].sum(2), "hand_n does not count the hands")
    tables.require(tables["known"] <= tables["hand"], "known cards are not in the hand")
    total = tables["hand_n"].sum(1) + stock.sum(1) + pile.sum(1)
    tables.require(total <= CARDS, f"hands, stock and pile have more than {CARDS} cards")
    tables.nobody(game.players, "hand", "hand_n", "known")
    if game.blank["opt"]["suit_rule"][0] == SuitRule.ANY:  # all plain cards of a rank are one kind
        kinds = np.arange(KINDS)
        plain = (kinds < NATURALS) & ~np.isin(kinds % VARIANTS, (0, GOLD))
        tables.require((stock + pile)[:, plain] == 0, "a plain card has a suit with suit_rule 'any'")
        tables.require(tables["hand"][:, :, plain[:POT]] == 0, "a plain card has a suit with suit_rule 'any'")


def _check_ranks(game: Game, tables: Tables) -> None:
    """Check the sizes, wild cards and beginnings of all rank formations (KN-03, KN-20)."""
    naturals = tables["nat"].reshape(tables.n, -1, RANKS, VARIANTS)
    n, wilds = tables["n"].astype(int), tables["w"].astype(int)
    tables.require(n == naturals.sum(3), "n does not count the naturals of a formation")
    tables.require(wilds == tables["sw"].astype(int) + tables["ar"], "w does not count the wild cards of a formation")
    lies = n + wilds > 0
    tables.require(~lies | ((n >= NEW_SIZE) & (wilds <= MOST_WILDS) & (n + wilds <= FULL)), "illegal formation (KN-20)")
    if game.blank["opt"]["suit_rule"][0] == SuitRule.ANY:
        begins = naturals.sum(3) - naturals[..., GOLD] >= NEW_SIZE - 1
    else:
        suits = naturals[..., :GOLD] > 0
        suits[..., SPADES] |= naturals[..., GOLD] > 0  # gold cards are spades
        begins = suits.sum(3) >= NEW_SIZE
    tables.require(~lies | begins, "a formation has no legal beginning (KN-03)")


def _check_suits(game: Game, tables: Tables) -> None:
    """Check the golden suits: consecutive ranks, three golds or more, at most three Artifacts (KN-30)."""
    teams = _teams(game)
    low, high, artifacts = (tables[field].astype(int) for field in ("suit_lo", "suit_hi", "suit_art"))
    tables.within("suit_lo", -1, RANKS - 1)
    tables.within("suit_hi", -1, RANKS - 1)
    tables.within("suit_art", 0, (1 << RANKS) - 1)
    bits = artifacts[..., None] >> np.arange(RANKS) & 1
    spans = (np.arange(RANKS) >= low[..., None]) & (np.arange(RANKS) <= high[..., None])
    golds = (spans & (bits == 0)).sum(2)
    none = (low == -1) & (high == -1) & (artifacts == 0)
    fits = (low >= 0) & ((bits == 0) | spans).all(axis=2) & (bits.sum(2) <= MOST_WILDS) & (golds >= NEW_SIZE)
    tables.require((none | fits)[:, :teams], "a golden suit is illegal (KN-30)")


def _laid(tables: Tables) -> Array:
    """Return whether each team has a formation on the table, shape (n, teams)."""
    found: Array = (tables["n"] > 0).any(axis=2) | (tables["suit_lo"] >= 0)
    return found


def _check_teams(game: Game, tables: Tables) -> None:
    teams, going = _teams(game), tables["over"] == 0
    by_team = ("score", "paid", "last_scores", "stage", "pots", "opened", "unlocked", "opener", "winner")
    tables.nobody(teams, *by_team, "suit_lo", "suit_hi", "suit_art", "nat", "sw", "ar")
    for field in ("score", "paid", "last_scores"):
        tables.within(field, -SCORES, SCORES)
        tables.require(tables[field] % SMALLEST_POINTS == 0, f"{field} is not a multiple of {SMALLEST_POINTS}")
    tables.require(tables["open_pts"] % SMALLEST_POINTS == 0, f"open_pts is not a multiple of {SMALLEST_POINTS}")
    tables.within("pots", 0, SPECIALS[-1])
    tables.flags("opened", "unlocked", "winner")
    tables.within("opener", -1, game.players - 1)
    laid, opened, opener = _laid(tables)[:, :teams], tables["opened"][:, :teams] == 1, tables["opener"][:, :teams]
    tables.require(laid | ~opened, "a team has opened without a formation")
    tables.require((opener >= 0) == opened, "opener and opened disagree")
    tables.require((opener < 0) | (opener % teams == np.arange(teams)), "opener is not in the team that it opened")
    tables.require(tables["unlocked"] <= tables["opened"], "a team is unlocked but has not opened")
    stages = 1 + (tables["score"][:, :teams, None] >= STAGE_SCORES).sum(2)
    tables.within("stage", 0, STAGES)
    tables.require(tables["stage"][:, :teams] >= 1, "a team has no stage")
    tables.require(~going[:, None] | (tables["stage"][:, :teams] == stages), "a stage does not fit the total")
    tables.require(tables["winner"].any(axis=1) == ~going, "winner and the end of the game disagree")
    acting = np.arange(teams) == (tables["seat"] % teams)[:, None]
    begins = acting & np.isin(tables["phase"], LAYING)[:, None]
    tables.require(~(going[:, None] & laid & ~opened) | begins, "an unopened team has formations")
    tables.within("open_pts", 0, MOST_OPENING)
    tables.within("open_wild", 0, sum(SPECIALS[:2]))


def _check_clock(game: Game, tables: Tables) -> None:
    n, opt, going = game.players, game.blank["opt"][0], tables["over"] == 0
    tables.within("dealer", 0, n - 1)
    tables.within("block_left", 0, n - 1)
    tables.within("reshuffles", 0, 2**15 - 1)
    for field, most in (("turn", opt["max_turns"]), ("round_no", opt["max_rounds"])):
        tables.within(field, 0, int(most))
        tables.require(~going | (tables[field] < most), f"the game goes on after its limit of {field}")
    if opt["max_moves"]:
        tables.require(~going | (tables["plies"] < opt["max_moves"]), "the game goes on after its limit of actions")
    tables.within("last_out", -2, n - 1)
    tables.within("last_turns", 0, int(opt["max_turns"]))
    nothing = (tables["last_turns"] == 0) & (tables["last_scores"] == 0).all(axis=1)
    tables.require((tables["last_out"] >= -1) | nothing, "there are figures of a last round, but no round has ended")


def _check_taken(game: Game, tables: Tables) -> None:
    """Check the card taken from the stack in this turn, and the formation started with it."""
    phase, taken, top, pick = (tables[field].astype(int) for field in ("phase", "taken", "top_taken", "pick"))
    tables.within("taken", Taken.NOTHING, Taken.STACK)
    tables.within("top_taken", -1, NATURALS - 1)
    tables.within("pick", -1, SUIT)
    tables.require((taken > 0) == (top >= 0), "taken and top_taken disagree")
    tables.require((taken == 0) | ~np.isin(phase, (Phase.FIRST, Phase.DRAW)), "cards are taken before the turn")
    picks = phase == Phase.PICKUP
    row, card = np.arange(tables.n), np.maximum(top, 0)
    held = tables["hand"][row, tables["seat"], card] > 0
    tables.require(~picks | ((taken > 0) & held), "the taken card is not in the hand in PICKUP")
    team, rank = tables["seat"] % _teams(game), card // VARIANTS
    in_rank = (pick == rank) & (tables["nat"][row, team, card] > 0)
    low, high = tables["suit_lo"][row, team], tables["suit_hi"][row, team]
    natural = tables["suit_art"][row, team].astype(int) >> rank & 1 == 0
    in_suit = (pick == SUIT) & (card % VARIANTS == GOLD) & (low <= rank) & (rank <= high) & natural
    begun = np.where((top < 0) | picks, pick == -1, in_rank | in_suit | ((tables["over"] == 1) & (pick == -1)))
    tables.require(begun, "pick is not the formation with the card taken")


def _check_question(game: Game, tables: Tables) -> None:
    """Check the question to the partner and its answer (KN-63)."""
    n, answers = game.players, tables["phase"] == Phase.ANSWER
    tables.flags("asked")
    tables.within("answer", -1, 1)
    tables.within("asker", -1, n - 1)
    partner = (tables["seat"] + _teams(game)) % n
    tables.require(tables["asker"] == np.where(answers, partner, -1), "asker and phase disagree")
    tables.require(~answers | (n == MAX_SEATS), "a partner answers in a game without partners")
    tables.require((tables["answer"] < 0) | ((tables["asked"] == 1) & ~answers), "an answer without a question")


def _check_decks(game: Game, tables: Tables) -> None:
    tables.within("decks_n", 0, MOST_DECKS)
    given = np.arange(MOST_DECKS) < tables["decks_n"][:, None]
    whole = np.repeat(np.arange(KINDS), COPIES[game.blank["opt"]["suit_rule"][0]])
    fits = np.sort(tables["decks"], axis=2) == whole
    tables.require(np.where(given[..., None], fits, tables["decks"] == 0), "a deck has missing or extra cards")
