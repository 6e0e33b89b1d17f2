"""Kanastic in plain sentences: names of cards, questions, actions and their effects, see `words.sentences`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....words.english import PLURALS, counted, listed, mentioned, owner, playing_card, rank_name
from ..actions import ADD, ASK, DISCARD, NEEDS, NEW, NEW_SUIT, TEMPLATES, TRIPLES
from ..material import (
    CANASTA_STAGE,
    CARD_NAMES,
    GOLD,
    NATURALS,
    RANK_NAMES,
    REQUIRED_POINTS,
    SMALLEST_POINTS,
    UNLIMITED,
    VARIANTS,
    WILD_CAPS,
    SuitRule,
)
from ..state import PHASES
from .events import events

SECRET: frozenset[str] = frozenset()  # phases in which others do not see the action of a seat
SPECIALS = {"SW": "Sword", "AR": "Artifact", "SH": "Shield", "TP": "Treasure Pot"}
VARIANT_NAMES = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs", "G": "gold"}
PLAIN_TEMPLATES = {"HDG": "two plain cards and the golden one", "HDC": "three plain cards"}  # with suit_rule "any"
WAITS = {
    "FIRST": "beginning the round",
    "DRAW": "drawing a card or taking discards",
    "PICKUP": "beginning a formation with the card taken",
    "MELD": "laying cards and discarding",
    "ANSWER": "answering the partner",
}
THUMB = "open early, lay what scores, and discard what no team can use"  # of the scripted agent


def title(card: int) -> str:
    """Return the name of a card, as drawings show it: "7 of hearts", "golden queen", "Sword"."""
    name = CARD_NAMES[card]
    if name in SPECIALS:
        return SPECIALS[name]
    return f"golden {rank_name(name[:-1])}" if name[-1] == "G" else playing_card(name[:-1], name[-1])


def the(card: int) -> str:
    """Return the name of a card inside a sentence: special cards exist several times."""
    return f"the {title(card)}" if card < NATURALS else f"a{'n' if title(card)[0] in 'AEIO' else ''} {title(card)}"


# Questions


def question(game: Game, state: States, names: Sequence[str]) -> str:
    """Return what the seat to decide is asked."""
    s = state[0]
    phase, legal = PHASES[s["phase"]], game.legal(state)
    if phase == "ANSWER":
        return f"{names[s['asker']]} asks: may I go out?"
    if phase == "DRAW":
        return _to_draw(game, state, set(legal), names)
    if phase == "PICKUP":
        return f"Begin a new formation with {the(int(s['top_taken']))}: which one?"
    return _to_lay(s, any(a < DISCARD for a in legal), any(DISCARD <= a < ASK for a in legal))


def _to_draw(game: Game, state: States, legal: set[int], names: Sequence[str]) -> str:
    s = state[0]
    if game.actions["take_top"].start in legal:
        return f"Draw a card, or take {the(int(s['pile'][s['pile_n'] - 1]))} and open with it?"
    if game.actions["take_stack"].start in legal:
        return f"Draw a card, or {_take_stack(s)}?"
    why = why_not_taken(game, state, names)
    return f"Draw a card from the stock.{f' You cannot take discards: {why}.' if why else ''}"


def blocked(s: Any, names: Sequence[str]) -> str:
    """Return until when the stack is blocked: "blocked until your turn" [KN-50]."""
    seat = s["asker"] if PHASES[s["phase"]] == "ANSWER" else s["seat"]
    return f"blocked until {owner(names, int(seat + s['block_left']) % len(names))} turn"


def why_not_taken(game: Game, state: States, names: Sequence[str]) -> str:
    """Return why the seat to decide cannot take discards, if no action does; "" without any [KN-50 to KN-54]."""
    s = state[0]
    seat, n = int(s["seat"]), int(s["pile_n"])
    if not n:
        return ""
    team, top = seat % int(s["opt"]["teams"]), int(s["pile"][n - 1])
    if s["block_left"]:
        return f"they are {blocked(s, names)}"
    if s["turn"] == 1:
        return "nobody takes the first discard of a round"
    if top >= NATURALS:
        return f"{the(top)} is on top"
    if s["opened"][team] and not s["unlocked"][team]:
        return "your team can from the next turn of the player who opened"
    fewest = int(s["opt"]["stack_minimum"])
    if s["opened"][team] and min(s["hand_n"][seat], s["stock_n"]) < fewest:
        which = "your hand" if s["hand_n"][seat] < fewest else "the stock"
        return f"{which} has fewer than {counted(fewest, 'card')}"
    return _useless(game, state, team, top)


def _useless(game: Game, state: States, team: int, top: int) -> str:
    """Return why the hand cannot use the top discard, which must begin a formation."""
    s = state[0]
    seat = int(s["seat"])
    r, hand = top // VARIANTS, s["hand"][seat].astype(int)
    plural = PLURALS[RANK_NAMES[r]]
    golds = top % VARIANTS == GOLD and s["suit_lo"][team] < 0
    if s["n"][team][r] + s["w"][team][r] and not golds:
        return f"your team has {plural} already, and the top card must begin a new formation"
    hand[top] += 1
    cards, needs = hand[VARIANTS * r : VARIANTS * (r + 1)], NEEDS[s["opt"]["suit_rule"]]
    if not any(need[top % VARIANTS] and (cards >= need).all() for need in needs):
        suits = " of other suits" if s["opt"]["suit_rule"] == SuitRule.THREE_SUITS else ""
        return f"you do not hold two {plural}{suits} that begin a formation with {the(top)}"
    return "you could not end your turn" if s["opened"][team] else _too_little(game, state, team)


def _too_little(game: Game, state: States, team: int) -> str:
    """Return what a team that has not opened could lay with the top discard, and what it needs [KN-41, KN-52]."""
    stage = int(state["stage"][0, team])
    need = _requirement(stage, bool(state["opt"]["partial_suit_opens"][0]))
    if stage == CANASTA_STAGE:
        return f"with it your cards do not make {need}, which your team needs"
    most = _most_laid(game, state, int(REQUIRED_POINTS[stage]))
    made = f"with it you could lay {most} points, and your team needs {need}"
    return made if most else "you could not end your turn"


def _most_laid(game: Game, state: States, required: int) -> int:
    """Return the most points that the hand can lay with the top discard in this turn, if they do not suffice.

    The rules decide: the discard may be taken if the points that are missing can be laid.
    """
    trial, take = state.copy(), game.actions["take_top"].start
    for points in range(required - SMALLEST_POINTS, 0, -SMALLEST_POINTS):
        trial["open_pts"] = required - points
        if take in game.legal(trial):
            return points
    return 0


def _take_stack(s: Any) -> str:
    rest = int(s["pile_n"]) - 1
    others = counted(rest, "card") if rest > 1 else "card"
    more = f", and after your turn the other {others} of the stack" if rest else ""
    return f"take {the(int(s['pile'][s['pile_n'] - 1]))}{more}"


def _to_lay(s: Any, lays: bool, discards: bool) -> str:
    """Return the question of the phases FIRST and MELD."""
    team = int(s["seat"]) % int(s["opt"]["teams"])
    if not lays:
        return "Discard a card to end your turn."
    if s["opened"][team]:
        return "Lay cards, or discard one to end your turn." if discards else "Lay more cards."
    need = _requirement(int(s["stage"][team]), bool(s["opt"]["partial_suit_opens"]))
    if s["open_pts"]:
        return f"Go on opening: {s['open_pts']} points are laid, and your team needs {need}."
    return f"Open your team with {need}, or discard a card to end your turn." if discards else f"Open with {need}."


def _requirement(stage: int, any_suit: bool) -> str:
    """Return the cards that open; if any golden suit does, it is named, because it is the easiest way [KN-34]."""
    if stage == CANASTA_STAGE:
        return f"a canasta or a {'' if any_suit else 'complete '}golden suit"
    most = int(WILD_CAPS[stage])
    wilds = f" with at most {counted(most, 'wild card')}" if most < UNLIMITED else ""
    return f"{'a golden suit or ' if any_suit else ''}{REQUIRED_POINTS[stage]} points{wilds}"


# Actions


def action_words(game: Game, state: States, action: int, names: Sequence[str]) -> str:
    """Return an action as a phrase, "" if its description is one."""
    s, block = state[0], game.actions.at(action)
    if block.name in ("take_top", "take_stack"):
        card = the(int(s["pile"][s["pile_n"] - 1])) if s["pile_n"] else "the top card"
        return f"take {card}{' with the stack' if block.name == 'take_stack' else ''}"
    if NEW <= action < NEW_SUIT:
        return _new(s, (action - NEW) // len(TEMPLATES), TEMPLATES[(action - NEW) % len(TEMPLATES)])
    if NEW_SUIT <= action < ADD:
        return _new_suit(TRIPLES[action - NEW_SUIT])
    if ADD <= action < DISCARD:
        return _adding(block.name, action - block.start)
    if DISCARD <= action < ASK:
        return f"discard {the(action - DISCARD)}"
    partner = mentioned(names, (int(s["seat"]) + int(s["opt"]["teams"])) % game.players)
    return f"ask {partner}: may I go out?" if action == ASK else ""


def _new(s: Any, rank: int, template: str) -> str:
    if s["opt"]["suit_rule"] == SuitRule.ANY:
        suits = PLAIN_TEMPLATES.get(template, template)
    else:
        suits = listed([VARIANT_NAMES[letter] for letter in template])
    return f"begin a formation of {PLURALS[RANK_NAMES[rank]]}: {suits}"


def _new_suit(golds: tuple[int, ...]) -> str:
    gap = golds[-1] - golds[0] + 1 - len(golds)
    filled = f", with {counted(gap, 'Artifact')} between them" if gap else ""
    return f"begin the golden suit: {listed([rank_name(RANK_NAMES[r]) for r in golds])}{filled}"


def _adding(block: str, k: int) -> str:
    if block == "add":
        return f"add {the(k)} to the {PLURALS[RANK_NAMES[k // VARIANTS]]}"
    if block in ("add_sword", "add_artifact"):
        return f"add {'a Sword' if block == 'add_sword' else 'an Artifact'} to the {PLURALS[RANK_NAMES[k]]}"
    if block == "suit_gold":
        return f"add the golden {rank_name(RANK_NAMES[k])} to the golden suit"
    return ""


# Effects


def effects(
    game: Game, before: States, action: int | None, after: States, names: Sequence[str]
) -> list[tuple[int, str]]:
    """Return the effects of an action as subjects and phrases."""
    was, s = before[0], after[0]
    assert action is not None  # this game has no secret phase
    actor, event = int(was["seat"]), events(before, action, after)[0]
    if event["ended"]:
        return _round(game, s, names)
    found = _laid(event, actor)
    if event["stack"]:
        found.append((actor, f"take {counted(int(event['stack']), 'card')} of the old stack"))
    if event["blocks"]:
        found.append((-1, "the stack is blocked for the others"))
    if s["reshuffles"] > was["reshuffles"]:
        found.append((-1, "the discards are shuffled and become the stock"))
    return found


def _laid(event: Any, actor: int) -> list[tuple[int, str]]:
    """Return the pots laid out, whether the team opened, and whether a canasta or the golden suit is complete."""
    pots = int(event["pots"])
    found = [(actor, f"lay out {counted(pots, 'Treasure Pot')}")] if pots else []
    found += [(actor, "open the team")] if event["opened"] else []
    for r in np.flatnonzero(event["canastas"]):
        found.append((actor, f"complete a canasta of {PLURALS[RANK_NAMES[r]]}"))
    return [*found, *([(actor, "complete the golden suit")] if event["suit"] else [])]


def _round(game: Game, s: Any, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return who went out, the scores of the round, and who won the game."""
    found = [(int(s["last_out"]), "go out")] if s["last_out"] >= 0 else [(-1, "the round is stopped")]
    teams = [listed([mentioned(names, seat) for seat in team]) for team in game.teams]
    scores = ", ".join(f"{name} {s['last_scores'][team]}" for team, name in enumerate(teams))
    found.append((-1, f"scores of the round: {scores}"))
    if s["over"]:
        winners = listed([name for team, name in enumerate(teams) if s["winner"][team]])
        found.append((-1, f"{winners or 'nobody'} won the game"))
    return found
