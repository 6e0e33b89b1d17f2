"""The call for an honour and the card given in exchange (T-40 to T-46): the phases CALL, ANSWER and RETURN."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .actions import NO
from .cards import declarer
from .hand_scores import show_call, tarots_held
from .material import CARDS, IS_PIP, IS_TAROT, TRUMPS
from .reckoning import THE_CALL, reckon
from .state import CallScope, Phase, ReturnRule


@kernel
def call(s: Record, action: int) -> None:
    """Ask for an honour: the first seat that holds one must give one up [T-42, T-43, T-45]."""
    if action == NO:
        reckon(s, THE_CALL + 1)
        return
    caller = int(s.seat)
    show_call(s, caller)
    asked = s.seats - 1 if s.opt.call_scope == CallScope.ALL else 1
    for ahead in range(1, asked + 1):
        seat = (caller + ahead) % s.seats
        if tarots_held(s, seat) > 0:
            ask(s, seat)
            return
        s.no_tarot[seat] = 1
    s.points[caller] += s.opt.call_points
    reckon(s, THE_CALL + 1)


@kernel
def ask(s: Record, seat: int) -> None:
    """Call upon a seat that holds honours; with a single one it has no choice [T-46]."""
    s.replier = seat
    if tarots_held(s, seat) > 1:
        s.phase = Phase.ANSWER
        s.seat = seat
        return
    for card in range(CARDS):
        if IS_TAROT[card] == 1 and s.loc[card] == seat:
            answer(s, card)
            return


@kernel
def answer_legal(s: Record, mask: Any) -> None:
    """Mark the honours of the seat that was asked [T-46]."""
    for card in range(CARDS):
        mask[card] = 1 if IS_TAROT[card] == 1 and s.loc[card] == s.seat else 0


@kernel
def answer(s: Record, card: int) -> None:
    """Move the card to the caller, seen by all [T-46]."""
    _move(s, card, int(s.replier), declarer(s))
    s.exposed[card] = 1
    ask_return(s)


@kernel
def ask_return(s: Record) -> None:
    """Ask the caller for a card in return; if only one may be given, give it without asking [T-44]."""
    if legal_returns(s) > 1:
        s.phase = Phase.RETURN
        s.seat = declarer(s)
        return
    pips = _has_pip(s)
    for card in range(CARDS):
        if _may_return(s, card, pips):
            give_back(s, card)
            return


@kernel
def legal_returns(s: Record) -> int:
    """Return the number of cards that the caller may give back."""
    choices, pips = 0, _has_pip(s)
    for card in range(CARDS):
        choices += _may_return(s, card, pips)
    return choices


@kernel
def return_legal(s: Record, mask: Any) -> None:
    """Mark the cards that may be given back: pips, or cards other than honours [T-44]."""
    pips = _has_pip(s)
    for card in range(CARDS):
        mask[card] = 1 if _may_return(s, card, pips) else 0


@kernel
def give_back(s: Record, card: int) -> None:
    """Give a card back face down: it is no longer public, but its giver still knows where it is [T-44]."""
    caller = declarer(s)
    _move(s, card, caller, int(s.replier))
    s.exposed[card] = 0
    s.giver[card] = caller
    reckon(s, THE_CALL + 1)


@kernel
def _has_pip(s: Record) -> bool:
    """Return whether the caller must give a pip [T-44]."""
    if s.opt.return_rule != ReturnRule.SMALL:
        return False
    caller, pips = declarer(s), 0
    for card in range(TRUMPS, CARDS):
        pips += s.loc[card] == caller and IS_PIP[card] == 1
    return pips > 0


@kernel
def _may_return(s: Record, card: int, pips: bool) -> bool:
    return bool(s.loc[card] == declarer(s) and (IS_PIP[card] == 1 if pips else IS_TAROT[card] == 0))


@kernel
def _move(s: Record, card: int, giver: int, taker: int) -> None:
    s.loc[card] = taker
    s.giver[card] = -1
    s.hand_n[giver] -= 1
    s.hand_n[taker] += 1
