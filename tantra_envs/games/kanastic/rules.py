"""The rules of Kanastic, after the publisher's rules. Classic Canasta with the same cards is not included.

The kernels `deal`, `legal_actions` and `apply` work on one record. Then come the phases in playing order, as pairs
`_x_legal` / `_x`, and the automatic steps. Numbers KN-nn are the rulings in README.md. The deal and the stock are in
`dealing.py`, the end of a round is in `scoring.py`.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.rng import below, seed_stream
from ...core.state import Record
from .actions import (
    ADD,
    ADD_ARTIFACT,
    ADD_SWORD,
    ASK,
    DISCARD,
    DRAW,
    NEW,
    NEW_SUIT,
    NO,
    SUIT_GOLD,
    TAKE_STACK,
    TAKE_TOP,
    TEMPLATES,
    TRIPLES,
    YES,
)
from .dealing import begin_round, clear_game, clear_turn, draw_card
from .material import ARTIFACT, FULL, HAND_KINDS, MAX_SEATS, NEW_SIZE, RANKS, SHIELD, SWORD, VARIANTS
from .melds import aside, bits, finishable, golds_held, has_laid, is_natural, of_rank, size_of, team_of
from .opening import feasible, legal_placement, next_pickup, requirement_met
from .placements import lay, placeable
from .scoring import end_round, moves_used, pay_table
from .state import SUIT, Phase, Reward, Taken


@kernel
def deal(s: Record, seed: int) -> None:
    """Deal a new game with the options `s.opt` and `s.seats` seats; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear_game(s)
    s.dealer = s.opt.dealer if s.opt.dealer >= 0 else below(s.rng, s.seats)
    begin_round(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.phase == Phase.DRAW:
        _draw_legal(s, mask)
    elif s.phase == Phase.PICKUP:
        _pickup_legal(s, mask)
    elif s.phase in (Phase.FIRST, Phase.MELD):
        _meld_legal(s, mask)
    elif s.phase == Phase.ANSWER:
        mask[YES] = 1
        mask[NO] = 1


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and go on to the next decision."""
    s.plies += 1
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    actor, rounds = int(s.seat), s.round_no
    if s.phase == Phase.DRAW:
        _draw(s, action)
    elif s.phase == Phase.ANSWER:
        _answer(s, action)
    elif action == ASK:
        _ask(s)
    elif action >= DISCARD:
        _discard(s, action - DISCARD)
    else:
        _place(s, action)
    _cut_off_game(s, actor)
    if s.opt.dense and s.opt.reward != Reward.WIN and s.round_no == rounds:
        pay_table(s)


# [Draw, or take from the discard stack]


@kernel
def _draw_legal(s: Record, mask: Any) -> None:
    mask[DRAW] = 1
    way = _to_take(s)
    mask[TAKE_TOP] = way == Taken.TOP
    mask[TAKE_STACK] = way == Taken.STACK


@kernel
def _to_take(s: Record) -> int:
    """Return what the seat may take: TOP before its team opens [KN-52], STACK after [KN-53], or NOTHING."""
    seat = int(s.seat)
    team = team_of(s, seat)
    if s.pile_n == 0 or s.block_left > 0 or s.turn == 1:  # KN-50, KN-51
        return Taken.NOTHING
    if not is_natural(int(s.pile[s.pile_n - 1])):
        return Taken.NOTHING
    way = Taken.STACK if s.opened[team] else Taken.TOP
    if way == Taken.STACK and (s.unlocked[team] == 0 or min(s.hand_n[seat], s.stock_n) < s.opt.stack_minimum):
        return Taken.NOTHING
    _take(s, way)
    useful = next_pickup(s, seat, -1) >= 0
    _put_back(s)
    return way if useful else Taken.NOTHING


@kernel
def _take(s: Record, way: int) -> None:
    """Move the top card to the hand; the rest of a taken stack waits in the pile [KN-54]."""
    s.pile_n -= 1
    card = s.pile[s.pile_n]
    s.pile[s.pile_n] = 0
    s.hand[s.seat, card] += 1
    s.hand_n[s.seat] += 1
    s.taken = way
    s.top_taken = card


@kernel
def _put_back(s: Record) -> None:
    """Undo `_take`."""
    s.hand[s.seat, s.top_taken] -= 1
    s.hand_n[s.seat] -= 1
    s.pile[s.pile_n] = s.top_taken
    s.pile_n += 1
    s.taken = Taken.NOTHING
    s.top_taken = -1


@kernel
def _draw(s: Record, action: int) -> None:
    """Draw a card, or take from the stack; a taken card must be used."""
    if action == DRAW:
        draw_card(s, int(s.seat))
        s.phase = Phase.MELD
    else:
        _take(s, Taken.TOP if action == TAKE_TOP else Taken.STACK)
        s.phase = Phase.PICKUP


# [Meld], first with a taken card (PICKUP, KN-54). The first turn of a round (FIRST) begins here.


@kernel
def _pickup_legal(s: Record, mask: Any) -> None:
    action = next_pickup(s, int(s.seat), -1)
    while action >= 0:
        mask[action] = 1
        action = next_pickup(s, int(s.seat), action)


@kernel
def _meld_legal(s: Record, mask: Any) -> None:
    """Allow placements, discards and the question; the first turn has only discards [KN-13].

    With `first_turn_meld` the first turn has placements too.
    """
    if s.phase == Phase.MELD or s.opt.first_turn_meld:
        _placements_legal(s, mask)
    _discards_legal(s, mask)
    mask[ASK] = _may_ask(s)


@kernel
def _placements_legal(s: Record, mask: Any) -> None:
    """Allow every placement that leaves a legal finish; none if the team cannot open in this turn [KN-42]."""
    seat = int(s.seat)
    team = team_of(s, seat)
    if not (s.opened[team] or has_laid(s, team) or feasible(s, seat)):
        return
    for r in range(RANKS):
        _rank_legal(s, mask, seat, r, size_of(s, team, r))
    if s.suit_lo[team] >= 0:
        for action in range(SUIT_GOLD, DISCARD):
            _try(s, mask, seat, action)
    elif bits(golds_held(s, seat)) >= NEW_SIZE:
        for action in range(NEW_SUIT, NEW_SUIT + len(TRIPLES)):
            _try(s, mask, seat, action)


@kernel
def _rank_legal(s: Record, mask: Any, seat: int, r: int, size: int) -> None:
    if size == 0 and of_rank(s.hand[seat], r) >= NEW_SIZE:
        for t in range(len(TEMPLATES)):
            _try(s, mask, seat, NEW + len(TEMPLATES) * r + t)
    elif 0 < size < FULL:
        for j in range(VARIANTS):
            _try(s, mask, seat, ADD + VARIANTS * r + j)
        _try(s, mask, seat, ADD_SWORD + r)
        _try(s, mask, seat, ADD_ARTIFACT + r)


@kernel
def _try(s: Record, mask: Any, seat: int, action: int) -> None:
    mask[action] = placeable(s, seat, action) and legal_placement(s, seat, action)


@kernel
def _place(s: Record, action: int) -> None:
    """Lay a placement. The one that meets the requirement opens the team [KN-42]."""
    seat = int(s.seat)
    team = team_of(s, seat)
    if s.phase == Phase.PICKUP:
        s.pick = SUIT if action >= NEW_SUIT else (action - NEW) // len(TEMPLATES)
        s.known[seat, s.top_taken] += 1  # all saw it come, so no other known card leaves the hand
    for kind in range(HAND_KINDS):
        s.known[seat, kind] -= s.hand[seat, kind]  # minus the hidden cards, until the others are laid
    lay(s, seat, action, 1)
    for kind in range(HAND_KINDS):
        s.known[seat, kind] = max(0, s.known[seat, kind] + s.hand[seat, kind])  # known cards leave first [KN-17]
    if s.opened[team] == 0 and requirement_met(s, team):
        s.opened[team] = 1
        s.opener[team] = seat
    if s.opened[team]:
        s.open_pts = 0
        s.open_wild = 0
    s.phase = Phase.MELD


# [May I go out?]


@kernel
def _may_ask(s: Record) -> bool:
    """Return whether the seat may ask its partner: once a turn, if the team may go out [KN-63]."""
    if s.phase != Phase.MELD or s.seats < MAX_SEATS or s.opt.ask_partner == 0 or s.asked or aside(s):
        return False
    return finishable(s, team_of(s, int(s.seat)))


@kernel
def _ask(s: Record) -> None:
    s.asked = 1
    s.asker = s.seat
    s.seat = (s.seat + s.opt.teams) % s.seats
    s.phase = Phase.ANSWER


@kernel
def _answer(s: Record, action: int) -> None:
    """Record the answer, which is not binding; the asker goes on."""
    s.answer = action == YES
    s.seat = s.asker
    s.asker = -1
    s.phase = Phase.MELD


# [Discard]


@kernel
def _discards_legal(s: Record, mask: Any) -> None:
    """Allow every card of the hand as a discard.

    A team that is opening cannot discard [KN-42]. The last card needs a canasta or a complete suit [KN-61], or an old
    stack that refills the hand [KN-54].
    """
    seat = int(s.seat)
    team = team_of(s, seat)
    if s.opened[team] == 0 and has_laid(s, team):
        return
    if s.hand_n[seat] < 2 and not (aside(s) or finishable(s, team)):
        return
    hand = s.hand[seat]
    for kind in range(HAND_KINDS):
        mask[DISCARD + kind] = hand[kind] > 0


@kernel
def _discard(s: Record, kind: int) -> None:
    """Discard a card and end the turn.

    An old stack goes into the hand. The last card ends the round [KN-14, KN-54, KN-61].
    """
    seat = int(s.seat)
    s.known[seat, kind] = max(0, s.known[seat, kind] - 1)
    s.hand[seat, kind] -= 1
    s.hand_n[seat] -= 1
    if s.taken == Taken.STACK:
        _take_old_stack(s, seat)
    s.pile[s.pile_n] = kind
    s.pile_n += 1
    s.turn += 1
    if SWORD <= kind <= SHIELD:
        s.block_left = s.seats - 1  # KN-50
    else:
        s.block_left = max(0, s.block_left - 1)
    if s.hand_n[seat] == 0:
        end_round(s, seat, seat, kind in (SWORD, ARTIFACT))
    elif s.turn >= s.opt.max_turns:
        end_round(s, seat, -1, False)  # KN-76
    else:
        _begin_turn(s, (seat + 1) % s.seats)


@kernel
def _take_old_stack(s: Record, seat: int) -> None:
    """Move the old stack into the hand; all seats have seen these cards [KN-17]."""
    for i in range(s.pile_n):
        kind = s.pile[i]
        s.hand[seat, kind] += 1
        s.known[seat, kind] += 1
        s.pile[i] = 0
    s.hand_n[seat] += s.pile_n
    s.pile_n = 0


# Automatic steps


@kernel
def _begin_turn(s: Record, seat: int) -> None:
    """Begin the turn of a seat. If it opened its team, the team may take the stack from now on [KN-56]."""
    clear_turn(s)
    s.seat = seat
    s.phase = Phase.DRAW
    team = team_of(s, seat)
    if s.opened[team] and s.opener[team] == seat:
        s.unlocked[team] = 1
    if s.opt.auto_draw and _to_take(s) == Taken.NOTHING:
        _draw(s, DRAW)


@kernel
def _cut_off_game(s: Record, actor: int) -> None:
    """Truncate a game at its limit of actions; the round is scored first [KN-79]."""
    if s.over == 0 and moves_used(s):
        end_round(s, actor, -1, False)
