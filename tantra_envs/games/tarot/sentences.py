"""Tarot in plain sentences: names of cards, questions, actions and their effects (see `tantra_envs.sentences`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.game import Game
from ...core.state import States
from ...english import capital, counted, listed, mentioned, number
from .actions import NO, YES
from .hand_scores import TAROT_SET
from .material import CALL_WORTH, CARDS, FOOL, FOOL_WORTH, IS_TAROT, RANK_NAMES, SUIT_CARDS, SUIT_OF, TALON_SIZE, TRUMPS
from .state import PHASES, Phase, Talon

SECRET = frozenset({"DISCARD", "ANSWER", "RETURN"})  # phases in which others do not see the action of a seat
TRUMP_NAMES = (
    *("The Foolish Man", "The Juggler", "The Female Pontiff", "The Empress", "The Emperor", "The Pontiff"),
    *("The Lovers", "The Chariot", "Justice", "The Hermit", "The Wheel of Fortune", "Strength", "The Hanged Man"),
    *("Death", "Temperance", "The Devil", "The Tower", "The Star", "The Moon", "The Sun", "The Last Judgment"),
    "The Universe",
)
SUIT_NAMES = ("Wands", "Cups", "Swords", "Pentacles")
COURT_NAMES = {"A": "Ace", "Kv": "Knave", "Kn": "Knight", "Q": "Queen", "K": "King"}
CLASS_NAMES = ("Greater Trumps", "Lesser Trumps", "ten or more trumps", "Tarot Trumps", "trumps in a row",
               *(f"{suit} in a row" for suit in SUIT_NAMES))  # fmt: skip
WAITS = {
    "DISCARD": "laying cards away",
    "DECLARE": "deciding what to show",
    "CALL": "deciding whether to call for a Tarot Trump",
    "ANSWER": "choosing a Tarot Trump to give up",
    "RETURN": "choosing a card to give in return",
    "PLAY": "playing a card to the trick",
}


def roman(value: int) -> str:
    """Return a number up to 39 in Roman numerals; "" for 0."""
    tens, ones = divmod(value, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def title(card: int) -> str:
    """Return the name of a card, as drawings show it: "The Hermit (IX)", "Queen of Cups"."""
    if card < TRUMPS:
        return f"{TRUMP_NAMES[card]} ({roman(card) or '0'})"
    suit, rank = divmod(card - TRUMPS, SUIT_CARDS)
    name = RANK_NAMES[rank]
    return f"{COURT_NAMES.get(name, name)} of {SUIT_NAMES[suit]}"


def the(card: int) -> str:
    """Return the name of a card inside a sentence."""
    return title(card) if card < TRUMPS else f"the {title(card)}"


# Questions


def question(game: Game, state: States, names: Sequence[str]) -> str:
    """Return what the seat to decide is asked."""
    s = state[0]
    phase = PHASES[s["phase"]]
    if phase == "PLAY":
        return _to_play(game, s, set(game.legal(state)))
    if phase == "DISCARD":
        left = TALON_SIZE - int(s["discards_n"])
        before = " before you take the talon unseen" if s["opt"]["talon"] == Talon.BLIND else ""
        rest = f": {number(left)} left" if left < TALON_SIZE else ""
        return f"Lay away {counted(TALON_SIZE, 'card')}{before}{rest}."
    if phase == "DECLARE":
        return f"Show {CLASS_NAMES[s['cls']]} for {_worth(game, state)} points?"
    if phase == "CALL":
        return _to_call(s)
    if phase == "ANSWER":
        return f"{_caller(s, names)} calls for a Tarot Trump: which one do you give up?"
    return f"Which card do you give {mentioned(names, int(s['replier']))} in return?"


def _worth(game: Game, state: States) -> int:
    """Return the points of the class in question: those that showing it brings at once."""
    shown = state.copy()
    game.drivers.apply_row(shown, 0, YES)
    seat = int(state["seat"][0])
    return int(shown["points"][0, seat]) - int(state["points"][0, seat])


def _to_call(s: Any) -> str:
    """Return the question of phase CALL, with the price: the cards that all will see."""
    cards = listed([the(card) for card in to_show(s)])
    giver = "the opponent" if s["seats"] == 2 else "an opponent"
    shows = f"You show {cards}; {giver}" if cards else f"{capital(giver)}"
    return f"Call for a Tarot Trump? {shows} gives you one for another card, or you score {CALL_WORTH} points."


def to_show(s: Any) -> list[int]:
    """Return the cards that a call shows, of those in the hand of the seat to decide [T-42]."""
    held = [card for card in range(CARDS) if IS_TAROT[card] and s["loc"][card] == s["seat"]]
    public = [card for card in held if s["exposed"][card]]
    others = s["tarots_shown"] == 1 and len(held) == TAROT_SET + 2  # three are shown already
    new = [card for card in held if card not in public][: max(0, (TAROT_SET + 2 if others else 2) - len(public))]
    return sorted(public + new) if len(public) + len(new) <= 2 else new


def _caller(s: Any, names: Sequence[str]) -> str:
    return names[_caller_seat(s)]


def _caller_seat(s: Any) -> int:
    return (int(s["dealer"]) + 1 + int(s["declarer_no"])) % int(s["seats"])


def _to_play(game: Game, s: Any, legal: set[int]) -> str:
    trick = s["trick"][: s["trick_n"]].tolist()
    if not trick:
        return f"Lead any card to trick {s['trick_no'] + 1}."
    led = next((card for card in trick if card != FOOL), None)
    if led is None:
        return "The Fool was led: play any card, and the next one decides the suit."
    suit = int(SUIT_OF[led])
    plural, one = ("trumps", "a trump") if suit == 0 else (SUIT_NAMES[suit - 1], f"a card of {SUIT_NAMES[suit - 1]}")
    if any(SUIT_OF[card] == suit for card in legal):
        return f"{plural[0].upper()}{plural[1:]} were led: play {one}{', or the Fool' if FOOL in legal else ''}."
    if s["opt"]["must_trump"] and any(SUIT_OF[card] == 0 for card in legal):
        return f"You have no {plural}: play a trump{', or the Fool' if FOOL in legal else ''}."
    return f"You have no {plural}: play any card."


# Actions


def action_words(game: Game, state: States, action: int, names: Sequence[str]) -> str:
    """Return an action as a phrase."""
    s = state[0]
    phase = Phase(int(s["phase"]))
    if action == YES:
        return "call for a Tarot Trump" if phase == Phase.CALL else f"show {CLASS_NAMES[s['cls']]}"
    if action == NO:
        return "do not call" if phase == Phase.CALL else f"keep {CLASS_NAMES[s['cls']]} hidden"
    if phase == Phase.PLAY:
        return f"{'play' if s['trick_n'] else 'lead'} {the(action)}"
    return f"{'lay away' if phase == Phase.DISCARD else 'give'} {the(action)}"


# Effects


def says_action(game: Game, action: int | None) -> bool:
    """Return whether the first effect says the action: a card given in secret, to a reader who sees it."""
    return action is None


def effects(
    game: Game, before: States, action: int | None, after: States, names: Sequence[str]
) -> list[tuple[int, str]]:
    """Return what came of an action: subjects and phrases."""
    was, s = before[0], after[0]
    phase, actor = Phase(int(was["phase"])), int(was["seat"])
    found = list[tuple[int, str]]()
    if phase in (Phase.DECLARE, Phase.CALL) and action == YES:
        found = _called(was, s, actor) if phase == Phase.CALL else _scored(was, s, actor)
    elif phase in (Phase.ANSWER, Phase.RETURN) and action is None:
        found = _given(was, s, actor, names)
    elif phase == Phase.PLAY and action is not None:
        found = _played(game, was, s, action)
    if s["hand_no"] > was["hand_no"]:
        found.extend(_hand(s, int(s["hand_no"]) - 1))
    if s["truncated"]:
        found.append((-1, "the game is stopped"))
    elif s["over"]:
        found.append((int(s["winner"]), "win the game") if s["winner"] >= 0 else (-1, "nobody wins the game"))
    return found


def _scored(was: Any, s: Any, seat: int) -> list[tuple[int, str]]:
    points = int(s["points"][seat]) - int(was["points"][seat])
    return [(seat, f"score {counted_points(points)}")] if points else []


def counted_points(points: int) -> str:
    """Return a number of points in digits: "1 point", "9 points"."""
    return f"{points} point{'' if points == 1 else 's'}"


def _called(was: Any, s: Any, caller: int) -> list[tuple[int, str]]:
    """Return who must give a Tarot Trump, or gave its only one at once, or that nobody has one."""
    if s["phase"] == Phase.ANSWER:
        return [(int(s["replier"]), "must give one")]
    if scored := _scored(was, s, caller):
        return [(-1, "nobody has one"), *scored]
    came = [card for card in range(CARDS) if s["exposed"][card] and s["loc"][card] == caller != was["loc"][card]]
    surely = [card for card in came if was["loc"][card] < was["seats"]] or came
    return [
        (caller, f"get {the(surely[0]) if len(surely) == 1 else 'one'}")
    ]  # else its own pair is as new to the reader


def _given(was: Any, s: Any, giver: int, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return the card that changed hands, if the reader sees it there: its taker does, and all see a Tarot Trump."""
    if s["hand_no"] > was["hand_no"]:
        return []
    taker = int(was["replier"]) if giver != was["replier"] else _caller_seat(was)
    came = [card for card in range(CARDS) if s["loc"][card] == taker != was["loc"][card]]
    return [(giver, f"give {mentioned(names, taker)} {the(came[0])}")] if len(came) == 1 else []


def _played(game: Game, was: Any, s: Any, card: int) -> list[tuple[int, str]]:
    """Return who took the trick, with its points where they can be told: the last trick ends the hand."""
    actor = int(was["seat"])
    found = [(actor, f"score {FOOL_WORTH} points for the Fool")] if card == FOOL else []
    trick = finished_trick(game, was, card)
    if not trick:
        return found
    winner = winner_of(trick, int(was["leader"]), game.players)
    if s["hand_no"] > was["hand_no"] and not s["over"]:  # the points are those of the next hand
        return [*found, (winner, "win the last trick")]
    points = int(s["points"][winner]) - int(was["points"][winner]) - FOOL_WORTH * (card == FOOL and winner == actor)
    which = "last trick" if s["over"] else "trick"
    return [*found, (winner, f"win the {which}: {counted_points(points)}")]


def finished_trick(game: Game, was: Any, card: int) -> list[int]:
    """Return the cards of the trick that `card` ends, in order of play; [] if it goes on."""
    trick = [*was["trick"][: was["trick_n"]].tolist(), card]
    return trick if len(trick) == game.players else []


def winner_of(trick: Sequence[int], leader: int, players: int) -> int:
    """Return the seat that wins a trick [T-57, T-58]."""
    led = next(SUIT_OF[card] for card in trick if card != FOOL)

    def strength(card: int) -> int:
        return 0 if card == FOOL else CARDS + card if card < TRUMPS else card * (SUIT_OF[card] == led)

    return (leader + int(np.argmax([strength(card) for card in trick]))) % players


def _hand(s: Any, number_: int) -> list[tuple[int, str]]:
    """Return who scored in a finished hand."""
    points = int(s["scored"][number_])
    if not points:
        return [(-1, "nobody scores in this hand")]
    return [(int(s["scorer"][number_]), f"score {counted_points(points)} for the hand")]
