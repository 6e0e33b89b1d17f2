"""The rules of Tarot, after S. L. MacGregor Mathers, "The Tarot" (1888): the game for two and three.

The kernels `deal`, `legal_actions` and `apply` work on one record. The phases are pairs `x_legal` / `x` in playing
order: exchange.py, reckoning.py, calling.py and tricks.py. They use dealing.py and result.py. Numbers T-nn are the
rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.rng import below, seed_stream
from ...core.state import Record
from .actions import NO, YES
from .calling import answer, answer_legal, ask, ask_return, call, give_back, return_legal
from .dealing import deal_hand
from .exchange import discard, discard_legal
from .reckoning import THE_CALL, close_reckoning, declare, reckon
from .result import end_game
from .state import Phase, clear
from .tricks import play, play_legal


@kernel
def deal(s: Record, seed: int) -> None:
    """Deal a new game with the options `s.opt` and `s.seats` seats; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear(s)
    s.dealer = s.opt.dealer if s.opt.dealer >= 0 else below(s.rng, s.seats)  # T-10
    deal_hand(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.phase == Phase.PLAY:
        play_legal(s, mask)
    elif s.phase == Phase.DISCARD:
        discard_legal(s, mask)
    elif s.phase in (Phase.DECLARE, Phase.CALL):
        mask[YES] = 1
        mask[NO] = 1
    elif s.phase == Phase.ANSWER:
        answer_legal(s, mask)
    elif s.phase == Phase.RETURN:
        return_legal(s, mask)


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and go on to the next decision."""
    actor = int(s.seat)
    s.plies += 1
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    if s.phase == Phase.PLAY:
        play(s, action)
    elif s.phase == Phase.DISCARD:
        discard(s, action)
    elif s.phase == Phase.DECLARE:
        declare(s, action)
    elif s.phase == Phase.CALL:
        call(s, action)
    elif s.phase == Phase.ANSWER:
        answer(s, action)
    else:
        give_back(s, action)
    _cut_off(s, actor)


@kernel
def _cut_off(s: Record, actor: int) -> None:
    """Truncate a game that is still running after `max_moves`; nobody wins [T-73]."""
    if s.over == 0 and 0 < s.opt.max_moves <= s.plies:
        close_reckoning(s)
        end_game(s, -1)
        s.truncated = 1
    if s.over == 1:
        s.seat = actor


@kernel
def settle(s: Record) -> None:
    """Take the forced steps of a set-up table at once, up to a decision of the declarations."""
    if s.phase == Phase.DECLARE:
        reckon(s, max(0, int(s.cls)))
    elif s.phase == Phase.CALL:
        reckon(s, THE_CALL)
    elif s.phase == Phase.ANSWER:
        ask(s, int(s.replier))
    elif s.phase == Phase.RETURN:
        ask_return(s)
