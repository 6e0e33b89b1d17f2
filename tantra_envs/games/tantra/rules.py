"""Tantra, after the sheet "The Rules of Tantra" (simplified rules, 44 Display Cards), for 3 to 9 players.

The kernels `deal`, `legal_actions` and `apply` work on one record. They use sets/search/ (can a hand lay down?),
card_moves.py (piles and hands), buying.py (the beginning of a turn), sets/building.py (laying down and off), dealing.py
and scoring.py. Numbers R-nn and D-n are the rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.rng import below, seed_stream, shuffle
from ...core.state import Record
from .actions import DISCARD, ENDS, LAY_DOWN, LAY_OFF
from .buying import ask, ask_legal, begin_turn, draw, draw_legal, peek, peek_legal, reply, reply_legal
from .card_moves import lose, push_discard
from .dealing import begin_round, clear_game, put_first
from .material import MAX_SETS, TYPES, SetType
from .options import DisplayOrder, RewardWhen, Shaping
from .scoring import pay_places, pay_potentials, pay_scores, score_round
from .sets.building import begin_lay_down, begin_lay_off, build, end_build, first_choice, is_choice, play_forced
from .sets.search.laying import can_lay_down
from .sets.tabled import end_takes_any
from .state import Phase


@kernel
def deal(s: Record, seed: int) -> None:
    """Deal a new game with the options `s.opt` and `s.seats` seats; every random number comes from `seed`.

    At a table whose game is over, numeric Display Cards continue with the next card if `display_carry` is set.
    """
    seed_stream(s.rng, seed)
    next_card = int(s.display_pile[s.display_at]) if s.over and s.opt.display_carry else 0
    clear_game(s)
    if s.opt.display_order == DisplayOrder.NUMERIC and next_card > 0:
        put_first(s.display_pile, s.opt.displays_n, next_card)
    s.dealer = s.opt.dealer if s.opt.dealer >= 0 else below(s.rng, s.seats)
    if s.opt.display_order == DisplayOrder.SHUFFLED:
        shuffle(s.rng, s.display_pile, s.opt.displays_n)
    shuffle(s.rng, s.wild_pile, s.opt.wilds_n)
    begin_round(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.phase == Phase.ASK:
        ask_legal(mask)
    elif s.phase == Phase.DRAW:
        draw_legal(s, mask)
    elif s.phase == Phase.REPLY:
        reply_legal(mask)
    elif s.phase == Phase.PEEK:
        peek_legal(mask)
    elif s.phase == Phase.MAIN:
        _main_legal(s, mask)
    elif s.phase != Phase.OVER:
        first = first_choice(s)
        for i in range(TYPES):
            mask[first + i] = is_choice(s, i)


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and go on to the next decision."""
    s.plies += 1
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    actor, phase, rounds = int(s.seat), int(s.phase), int(s.round)
    if s.opt.shaping != Shaping.NONE:
        pay_potentials(s, -1)
    if phase == Phase.ASK:
        ask(s, action)
    elif phase == Phase.DRAW:
        draw(s, action)
    elif phase == Phase.REPLY:
        reply(s, action)
    elif phase == Phase.PEEK:
        peek(s, action)
    elif phase == Phase.MAIN:
        _main(s, action)
    else:
        build(s, action)
    if s.phase == Phase.MAIN and phase < Phase.MAIN:  # a card came; until laying down the hand changes in no other way
        s.can_lay = can_lay_down(s, int(s.turn))
    elif s.phase in (Phase.TEMPLATE, Phase.PLACE):
        play_forced(s)
    if s.plies >= s.opt.max_moves and not s.over:
        _end_round(s, -1)
        _end_game(s, True)
        s.seat = actor
    if s.opt.shaping != Shaping.NONE and s.round == rounds:
        pay_potentials(s, 1)


# MAIN [The turn]: lay down, lay off, discard


@kernel
def _main_legal(s: Record, mask: Any) -> None:
    """Allow laying down, lay-offs and discards [R-28, R-31, R-37]."""
    seat = int(s.turn)
    hand = s.hands[seat]
    for card in range(TYPES):
        mask[DISCARD + card] = hand[card] > 0
    mask[LAY_DOWN] = s.can_lay
    if s.laid_turn[seat] >= 0 and s.hand_n[seat] > 1:
        _lay_off_legal(s, mask)


@kernel
def _lay_off_legal(s: Record, mask: Any) -> None:
    """Allow the lay-offs on every end and kind that accepts a card of the hand [R-32, R-34]."""
    for j in range(s.seats):
        owner = (s.turn + j) % s.seats
        for slot in range(MAX_SETS):
            lies = s.sets[owner * MAX_SETS + slot]
            if lies.kind != SetType.NONE:
                at = LAY_OFF + ENDS * (MAX_SETS * j + slot)
                mask[at] = end_takes_any(s, lies, -1)
                mask[at + 1] = end_takes_any(s, lies, 1)


@kernel
def _main(s: Record, action: int) -> None:
    if action == LAY_DOWN:
        begin_lay_down(s)
    elif action >= LAY_OFF:
        chosen = action - LAY_OFF
        owner = (s.turn + chosen // (ENDS * MAX_SETS)) % s.seats
        begin_lay_off(s, owner, chosen // ENDS % MAX_SETS, 1 if chosen % ENDS else -1)
    else:
        _discard(s, action - DISCARD)


@kernel
def _discard(s: Record, card: int) -> None:
    """Discard a card; a seat without cards goes out [R-37, R-38]."""
    seat = int(s.turn)
    lose(s, seat, card)
    push_discard(s, card)
    s.can_lay = 0
    s.game_turns += 1
    if s.hand_n[seat] == 0:
        _end_round(s, seat)
        _go_on(s, False)
        return
    s.turns += 1
    if s.turns >= s.opt.turn_limit:
        _end_round(s, -1)
        _go_on(s, True)
        return
    s.turn = (seat + 1) % s.seats
    begin_turn(s)


# The end of a round and of the game


@kernel
def _end_round(s: Record, out: int) -> None:
    """End the round [Going Out]; `out` = -1 means that the round is truncated [R-50]."""
    score_round(s, out)
    s.round += 1
    if s.opt.reward_when == RewardWhen.ROUND:
        pay_scores(s, s.last.scores)


@kernel
def _go_on(s: Record, cut_off: bool) -> None:
    """Begin the next round with the next dealer to the left, or end the game [R-06, R-54]."""
    last = s.round >= s.opt.n_rounds or s.game_turns >= s.opt.turn_budget
    if last or s.plies >= s.opt.max_moves:  # otherwise the next round would be scored without a turn
        _end_game(s, cut_off or not last)
    else:
        s.dealer = (s.dealer + 1) % s.seats
        begin_round(s)


@kernel
def _end_game(s: Record, cut_off: bool) -> None:
    s.phase = Phase.OVER
    s.over = 1
    s.truncated = cut_off
    s.seat = s.turn
    s.can_lay = 0
    end_build(s)
    if s.opt.reward_when == RewardWhen.GAME:
        pay_scores(s, s.scores)
    pay_places(s)
