"""Karma in plain sentences: names of cards, questions, actions and their effects, see `words.sentences`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....words.english import counted, is_you, listed, mentioned, number
from ..actions import DECLINE, FLIP, GIVE_TO, PICKUP
from ..material import BOTTOMS, CARD_NAMES, FIRST_KARMA, FIVE, GIVE, TYPES
from ..state import PHASES, Phase, Reward
from .events import completes_set_rows, events

SECRET = frozenset({"SETUP"})  # phases in which others do not see the action of a seat
KARMA = {  # name, and the mark on the card
    "GIVE": ("Give The Pile To A Friend", "G"),
    "TABLE": ("Play A Table Card", "T"),
    "BOTTOMS": ("Bottoms Up", "B"),
    "FIVE": ("Five or Below", "≤5"),
}
CARDS = tuple("{} ({})".format(*KARMA[name]) if name in KARMA else name for name in CARD_NAMES)
SPOKEN = tuple("“{}” ({})".format(*KARMA[name]) if name in KARMA else name for name in CARD_NAMES)  # in sentences
ANY = "any card"
CLEARS = "clears the pile"
WAITS = {
    "SETUP": "choosing cards to lay face up",
    "PLAY": "playing a card",
    "FOLLOW": "choosing a card to add to “Play A Table Card”",
    "TARGET": "choosing who takes the pile",
}
THUMB = "low cards first, sets for another turn, and karma cards when they are needed"  # of the scripted agent


# Questions


def question(game: Game, state: States, names: Sequence[str]) -> str:
    """Return what the seat to decide is asked."""
    s = state[0]
    phase = PHASES[s["phase"]]
    if phase == "SETUP":
        wanted = int(s["opt"]["table_cards"])
        left = wanted - int(s["up_n"][s["seat"]])
        rest = f": {number(left)} left" if left < wanted else ""
        return f"Choose {counted(wanted, 'card')} to lay face up{rest}. You play them once your hand is empty."
    if phase == "TARGET":
        return f"Who takes {_pile(s)}?"
    legal = {action - game.actions["flip"].start for action in game.legal(state)}
    if phase == "FOLLOW":
        decline = ", or decline?" if DECLINE in legal else "."
        return f"You played “Play A Table Card”: {_to_add(s, legal)}{decline}"
    return _to_play(s, legal)


def _to_play(s: Any, legal: set[int]) -> str:
    """Return the question of phase PLAY. Actions are counted from the first that plays no card."""
    take = f", or take {_pile(s)}" if PICKUP in legal else ""
    if FLIP in legal:
        needed = _needed(s)
        must = "Any card fits" if needed == ANY else f"It fits if it is {needed}"
        return f"Turn over your next face-down card{take}. {must}."
    if all(action >= 0 for action in legal):
        return f"{_nothing_fits(s)}: take {_pile(s)}."
    up = "of your face-up cards" if not s["hand_n"][s["seat"]] else ""
    if _needed(s) == ANY:
        return f"Play any {'one ' + up if up else 'card of your hand'}{take}."
    return f"Play {'one ' + up + ': ' if up else ''}{_needed(s)}{take}."


def _nothing_fits(s: Any) -> str:
    seat = s["seat"]
    if not s["hand_n"][seat]:
        return "None of your face-up cards fits"
    return f"No card in your hand fits{', and face-up cards come later' if s['up_n'][seat] else ''}"


def _to_add(s: Any, legal: set[int]) -> str:
    if FLIP in legal:
        return "turn over a face-down card and add it"
    return "add one of your face-up cards" if s["up_n"][s["seat"]] else "add a card of your hand"


def _needed(s: Any) -> str:
    """Return the cards that may be played on the pile."""
    top = int(s["pile"][s["pile_n"] - 1]) if s["pile_n"] else 0
    if top == FIVE:
        return f"1 to {s['opt']['five_limit']} or a karma card"
    if top == 0 or top >= FIRST_KARMA:
        return ANY
    if top == FIRST_KARMA - 1:
        return f"a {CARDS[top]} or a karma card"
    return f"{CARDS[top]} or higher, or a karma card"


def _pile(s: Any) -> str:
    return f"the pile of {counted(int(s['pile_n']), 'card')}"


# Actions


def action_words(game: Game, state: States, action: int, names: Sequence[str]) -> str:
    """Return an action as a phrase, "" if its description is one."""
    s = state[0]
    choice = action - game.actions["flip"].start
    if choice < 0:
        return _cards_words(s, action % TYPES, action // TYPES + 1)
    if choice >= GIVE_TO:
        receiver = (int(s["seat"]) + 1 + choice - GIVE_TO) % game.players
        return f"give {_pile(s)} to {mentioned(names, receiver)}"
    return f"take {_pile(s)}" if choice == PICKUP else ""


def _cards_words(s: Any, card: int, count: int) -> str:
    named, seat = card >= FIRST_KARMA, s["seat"]
    the = "" if named else "the "
    if s["phase"] == Phase.SETUP:
        return f"lay {the}{SPOKEN[card]} face up"
    cards = f"{number(count)} {SPOKEN[card]}{'' if named else 's'}" if count > 1 else f"{the}{SPOKEN[card]}"
    from_table = s["up_n"][seat] and (s["phase"] == Phase.FOLLOW or not s["hand_n"][seat])
    return f"play {cards}{' from the table' if from_table else ''}"


def consequence(game: Game, state: States, action: int) -> str:
    """Return a certain effect of an action that its name omits: "clears the pile", or "" [K-40, K-41, K-56]."""
    plays = game.actions["flip"].start
    if action >= plays or state["phase"][0] == Phase.SETUP:
        return ""
    cleared = np.zeros((1, plays), np.int8)
    completes_set_rows(state, cleared)
    return CLEARS if cleared[0, action] else ""


def secretly(game: Game, state: States) -> str:
    """Return an action as a phrase for a reader who must not learn which one it is."""
    s = state[0]
    wanted = int(s["opt"]["table_cards"])
    left = wanted - 1 - int(s["up_n"][s["seat"]])
    return f"choose {counted(wanted, 'card')} to lay face up{f': {number(left)} left' if left else ''}"


# Effects


def says_action(game: Game, action: int | None) -> bool:
    """Return whether the first effect says the action: which card was turned over."""
    return action == game.actions["flip"].start


def effects(
    game: Game, before: States, action: int | None, after: States, names: Sequence[str]
) -> list[tuple[int, str]]:
    """Return the effects of an action as subjects and phrases."""
    was, s = before[0], after[0]
    actor, found = int(was["seat"]), list[tuple[int, str]]()
    if action is None or was["phase"] == Phase.SETUP:  # others do not see it
        return ([] if s["setup_left"] else _faces(game, s, names)) + _ended(game, was, s)
    event = events(before, action, after)[0]
    if action == game.actions["flip"].start:
        found.append((actor, f"turn over {_the(int(event['card']))}"))
        found.extend([] if event["count"] else [(-1, "it does not fit")])
    if event["cleared"]:
        found.append((-1, f"the pile of {counted(int(event['cleared']), 'card')} leaves the game"))
    elif event["card"] == BOTTOMS and was["pile_n"]:
        found.append((-1, f"{_the(int(was['pile'][0]))} comes up from the bottom"))
    if action != game.actions["pickup"].start:
        found.extend(_taken(was, event))
    if event["cleared"] and s["seat"] == actor and not s["over"]:
        found.append((actor, "play again"))
    return found + _ended(game, was, s)


def _faces(game: Game, s: Any, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return the face-up cards of the others, which all see once everybody has chosen."""
    faces = [[card for card in range(TYPES) for _ in range(s["up"][seat][card])] for seat in range(game.players)]
    return [
        (seat, f"show {listed([_the(card) for card in cards])}")
        for seat, cards in enumerate(faces)
        if cards and not is_you(names, seat)
    ]


def _the(card: int) -> str:
    return SPOKEN[card] if card >= FIRST_KARMA else f"the {CARDS[card]}"


def _taken(was: Any, event: Any) -> list[tuple[int, str]]:
    """Return the seat that took the pile, perhaps back from those that are out, or that GIVE had nothing to give."""
    taker = int(event["taker"])
    if taker >= 0:
        back = [(taker, "be back in the game")] if taker in was["out"][: was["out_n"]] else []
        return [(taker, f"pick up {counted(int(event['taken']), 'card')}"), *back]
    return [(-1, "nobody takes anything")] if event["card"] == GIVE and not was["pile_n"] else []


def _ended(game: Game, was: Any, s: Any) -> list[tuple[int, str]]:
    """Return who went out, and who lost."""
    out, before = s["out"][: s["out_n"]].tolist(), was["out"][: was["out_n"]].tolist()
    ranked = s["opt"]["reward"] == Reward.PLACEMENT  # otherwise all who are out are equal
    found = [
        (seat, f"be out in place {place}" if ranked else "be out")
        for place, seat in enumerate(out, 1)
        if seat not in before
    ]
    if s["truncated"]:
        return [*found, (-1, "the game is stopped and nobody loses")]
    return [*found, (int(s["loser"]), "lose")] if s["over"] else found
