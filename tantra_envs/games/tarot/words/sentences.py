"""Tarot in plain sentences: names of cards, questions, actions and their effects, see `words.sentences`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core.game import Game
from ....core.state import States
from ....words.english import ORDINALS, capital, counted, in_digits, listed, mentioned, number
from ..actions import NO, YES
from ..hand_scores import FIRST_GREATER, FIRST_LESSER, LAST_GREATER, LAST_LESSER, PIECES, TAROT_SET
from ..material import CARDS, FOOL, IS_TAROT, RANK_NAMES, SUIT_CARDS, SUIT_OF, TALON_SIZE, TRUMPS
from ..state import PHASES, CallScope, HandClass, Phase, Talon
from .events import Source, came, events
from .positions import declarer_of

SECRET = frozenset({"DISCARD", "ANSWER", "RETURN"})  # phases in which others do not see the action of a seat
TRUMP_NAMES = (
    *("The Fool", "The Juggler", "The Female Pontiff", "The Empress", "The Emperor", "The Pontiff"),
    *("The Lovers", "The Chariot", "Justice", "The Hermit", "The Wheel of Fortune", "Strength", "The Hanged Man"),
    *("Death", "Temperance", "The Devil", "The Tower", "The Star", "The Moon", "The Sun", "The Last Judgment"),
    "The Universe",
)
SUIT_NAMES = ("Wands", "Cups", "Swords", "Pentacles")
COURT_NAMES = {"A": "Ace", "Kv": "Knave", "Kn": "Knight", "Q": "Queen", "K": "King"}
CLASS_NAMES = ("Greater Trumps", "Lesser Trumps", "ten or more trumps", "honours", "trumps in a row",
               *(f"{suit} in a row" for suit in SUIT_NAMES))  # fmt: skip
FREE_TO_GO = (  # by `DiscardRule`: cards that may be laid away, and those that are usually kept
    "any card may go, but honours, trumps and cards in a row are usually kept.",
    "no honours while you have other cards. Trumps and cards in a row are usually kept.",
    "no trumps or kings while you have other cards. Queens and cards in a row are usually kept.",
)
WAITS = {
    "DISCARD": "laying cards away",
    "DECLARE": "deciding what to show",
    "CALL": "deciding whether to call for an honour",
    "ANSWER": "choosing an honour to give up",
    "RETURN": "choosing a card to give in return",
    "PLAY": "playing a card to the trick",
}
THUMB = "take tricks with points while no higher card is likely, and keep kings from the trumps"


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


def in_short(cards: Sequence[int]) -> str:
    """Return cards as a list with trumps by their Roman numbers: "0, XXI, Queen and King of Cups"."""
    parts = [roman(card) or "0" for card in cards if card < TRUMPS]
    for suit, suit_name in enumerate(SUIT_NAMES, 1):
        ranks = [RANK_NAMES[(card - TRUMPS) % SUIT_CARDS] for card in cards if SUIT_OF[card] == suit]
        parts += [f"{listed([COURT_NAMES.get(rank, rank) for rank in ranks])} of {suit_name}"] if ranks else []
    return ", ".join(parts)


# Questions


def question(game: Game, state: States, names: Sequence[str]) -> str:
    """Return what the seat to decide is asked."""
    s = state[0]
    phase = PHASES[s["phase"]]
    if phase == "PLAY":
        return _to_play(game, s, set(game.legal(state)))
    if phase == "DISCARD":
        before = " before you see the talon" if s["opt"]["talon"] == Talon.BLIND else ""
        which = f"the {ORDINALS[int(s['discards_n'])]} of {counted(TALON_SIZE, 'card')}{before}"
        return f"Lay away {which}: {FREE_TO_GO[int(s['opt']['discard_rule'])]}"
    if phase == "DECLARE":
        return _to_show_class(game, state)
    if phase == "CALL":
        return _to_call(s)
    if phase == "ANSWER":
        return f"{names[declarer_of(s)]} calls for an honour: which one do you give up?"
    return f"Which card do you give {mentioned(names, int(s['replier']))} in return?"


def _to_show_class(game: Game, state: States) -> str:
    """Return the question of phase DECLARE, with the points that showing brings at once and its price: the cards."""
    shown = state.copy()
    game.drivers.apply_row(shown, 0, YES)
    seat, cls = int(state["seat"][0]), int(state["cls"][0])
    points = int(shown["points"][0, seat]) - int(state["points"][0, seat])
    return f"Show {CLASS_NAMES[cls]} ({in_short(shown_for(shown[0], seat, cls))}) for {points} points? All see them."


def shown_for(s: Any, seat: int, cls: int) -> list[int]:
    """Return the cards of a class that a seat holds and has shown [T-34]."""
    cards = [card for card in range(CARDS) if s["loc"][card] == seat and s["exposed"][card]]
    if cls == HandClass.GREATER:
        return [card for card in cards if FIRST_GREATER <= card <= LAST_GREATER]
    if cls == HandClass.LESSER:
        return [card for card in cards if FIRST_LESSER <= card <= LAST_LESSER]
    if cls == HandClass.TRUMPS:
        return [card for card in cards if card < TRUMPS]
    if cls == HandClass.TAROTS:
        return [card for card in cards if IS_TAROT[card]]
    suit = cls - HandClass.SEQ_TRUMPS
    fool_joins = suit == 0 and s["opt"]["fool_in_sequences"]
    return _rows([card for card in cards if SUIT_OF[card] == suit or (fool_joins and card == FOOL)])


def _rows(cards: Sequence[int]) -> list[int]:
    """Return the cards that lie in rows long enough to score."""
    rows: list[list[int]] = []
    for card in cards:
        if rows and rows[-1][-1] == card - 1:
            rows[-1].append(card)
        else:
            rows.append([card])
    return [card for row in rows if len(row) >= PIECES[0][0] for card in row]


def _to_call(s: Any) -> str:
    """Return the question of phase CALL, with the price: the cards that all will see."""
    cards = listed([the(card) for card in to_show(s)])
    giver = "the opponent" if s["seats"] == 2 else "an opponent"
    shows = f"You show {cards}; {giver}" if cards else f"{capital(giver)}"
    points = in_digits(int(s["opt"]["call_points"]), "point")
    return f"Call for an honour? {shows} gives you one for another card, or you score {points}."


def to_show(s: Any) -> list[int]:
    """Return the cards that a call shows, of those in the hand of the seat to decide [T-42]."""
    held = [card for card in range(CARDS) if IS_TAROT[card] and s["loc"][card] == s["seat"]]
    public = [card for card in held if s["exposed"][card]]
    others = s["tarots_shown"] == 1 and len(held) == TAROT_SET + 2  # three are shown already
    new = [card for card in held if card not in public][: max(0, (TAROT_SET + 2 if others else 2) - len(public))]
    return sorted(public + new) if len(public) + len(new) <= 2 else new


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
        return "call for an honour" if phase == Phase.CALL else f"show {CLASS_NAMES[s['cls']]}"
    if action == NO:
        return "do not call" if phase == Phase.CALL else f"keep {CLASS_NAMES[s['cls']]} hidden"
    if phase == Phase.PLAY:
        return f"{'play' if s['trick_n'] else 'lead'} {the(action)}"
    return f"{'lay away' if phase == Phase.DISCARD else 'give'} {the(action)}"


# Effects


def secretly(game: Game, state: States) -> str:
    """Return an action as a phrase for a reader who must not learn which one it is."""
    phase = Phase(int(state[0]["phase"]))
    if phase == Phase.DISCARD:
        return _laying_away(TALON_SIZE - 1 - int(state[0]["discards_n"]))
    return "give up an honour" if phase == Phase.ANSWER else "give a card in return"


def _laying_away(left: int) -> str:
    """Return that a dealer lays cards away, with the number that is left after this one."""
    return f"lay away {counted(TALON_SIZE, 'card')}{f': {number(left)} left' if left else ''}"


def says_action(game: Game, action: int | None) -> bool:
    """Return whether the first effect says the action: a card given in secret to the reader, or what is shown."""
    return action is None or action == YES


def effects(
    game: Game, before: States, action: int | None, after: States, names: Sequence[str]
) -> list[tuple[int, str]]:
    """Return the effects of an action as subjects and phrases."""
    was, s = before[0], after[0]
    phase, actor = Phase(int(was["phase"])), int(was["seat"])
    event, found = events(before, -1 if action is None else action, after)[0], list[tuple[int, str]]()
    if phase in (Phase.DECLARE, Phase.CALL) and action == YES:
        if phase == Phase.CALL:
            found = [(actor, "call for an honour"), *_called(was, s, event, actor, names)]
        else:
            cards = in_short(shown_for(s, actor, int(was["cls"])))
            found = [(actor, f"show {CLASS_NAMES[was['cls']]}: {cards}"), *_scored(event, actor)]
    elif phase == Phase.DISCARD:
        found = _took_talon(was, s, actor, action is None)
    elif phase in (Phase.ANSWER, Phase.RETURN) and action is None:
        found = _given(was, s, actor, names)
    elif phase == Phase.PLAY:
        found = _played(was, s, event)
    if s["hand_no"] > was["hand_no"]:
        found.extend(_hand(s, int(s["hand_no"]) - 1))
    if s["truncated"]:
        found.append((-1, "the game is stopped"))
    elif s["over"]:
        found.append((int(s["winner"]), "win the game") if s["winner"] >= 0 else (-1, "nobody wins the game"))
    return found


def _took_talon(was: Any, s: Any, dealer: int, secret: bool) -> list[tuple[int, str]]:
    """Return that the dealer takes the talon after laying away the last card, with its cards for a reader who sees."""
    if was["discards_n"] + 1 < TALON_SIZE or was["opt"]["talon"] != Talon.BLIND:
        return []
    cards = came(was, s, dealer)
    which = f": {listed([the(card) for card in cards])}" if cards else ""
    return [*([(dealer, _laying_away(0))] if secret else []), (dealer, f"take the talon{which}")]


def _scored(event: Any, seat: int) -> list[tuple[int, str]]:
    points = int(event["points"][:, seat].sum())
    return [(seat, f"score {in_digits(points, 'point')}")] if points else []


def _called(was: Any, s: Any, event: Any, caller: int, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return who must give an honour, or gave its only one at once, or that nobody has one."""
    if s["phase"] == Phase.ANSWER:
        return [(int(s["replier"]), "must give one")]
    asked = int(s["seats"]) if s["opt"]["call_scope"] == CallScope.ALL else 2
    if all(s["no_tarot"][(caller + ahead) % s["seats"]] for ahead in range(1, asked)):
        return [(-1, "nobody has one"), *_scored(event, caller)]
    if s["truncated"]:  # perhaps before the answer
        return []
    cards = [card for card in came(was, s, caller) if s["exposed"][card]]
    surely = [card for card in cards if was["loc"][card] < was["seats"]] or cards
    giver = int(s["replier"]) if s["replier"] >= 0 else 1 - caller if s["seats"] == 2 else -1
    whence = f" from {mentioned(names, giver)}" if giver >= 0 else ""
    card = the(surely[0]) if len(surely) == 1 else "one"  # its own pair may be as new to the reader
    return [(caller, f"get {card}{whence}")]


def _given(was: Any, s: Any, giver: int, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return the card that changed hands, if the reader sees it there: its taker does, and all see an honour."""
    taker = int(was["replier"]) if giver != was["replier"] else int(declarer_of(was))
    cards = came(was, s, taker)
    return [(giver, f"give {mentioned(names, taker)} {the(cards[0])}")] if len(cards) == 1 else []


def _played(was: Any, s: Any, event: Any) -> list[tuple[int, str]]:
    """Return who took the trick, with its points where they are known: the last trick ends the hand."""
    actor, winner, points = int(was["seat"]), int(event["winner"]), event["points"]
    fool = int(points[Source.FOOL, actor])
    found = [(actor, f"score {in_digits(fool, 'point')} for the Fool")] if fool else []
    if winner < 0:
        return found
    if s["hand_no"] > was["hand_no"] and not s["over"]:  # the points are those of the next hand
        return [*found, (winner, "win the last trick")]
    which = "last trick" if s["over"] else "trick"
    return [*found, (winner, f"win the {which} for {in_digits(int(points[:, winner].sum()), 'point')}")]


def _hand(s: Any, number_: int) -> list[tuple[int, str]]:
    """Return who scored in a finished hand."""
    points = int(s["scored"][number_])
    if not points:
        return [(-1, "nobody scores in this hand")]
    return [(int(s["scorer"][number_]), f"score {in_digits(points, 'point')} for the hand")]
