"""The rules of Karma, after the booklet of 2015 (Cannei / Set Enterprises) and, marked [60], the 60-card edition.

The kernels `deal`, `legal_actions` and `apply` work on one record. Then come the phases in playing order, as pairs
`_x_legal` / `_x` (`_play` serves PLAY and FOLLOW), and the effects of a play. Numbers K-nn are the rulings in
README.md. The deal is in `dealing.py`.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel, leaf
from ...core.rng import below, seed_stream, shuffle
from ...core.state import Record
from .actions import DECLINE, FLIP, GIVE_TO, PICKUP
from .dealing import fill_deck, hand_out, put_up
from .material import BOTTOMS, FIRST_KARMA, GIVE, TABLE, TYPES
from .queries import (
    DOWN,
    HAND,
    UP,
    action_base,
    around,
    completes_set,
    fits,
    highest_fitting,
    holds_cards,
    lowest_fitting,
    may_receive,
    next_seat,
    receivers,
    run_with,
    seat_of_give,
    source,
)
from .state import Phase, Reward, clear


@kernel
def deal(s: Record, seed: int) -> None:
    """Deal a new game with the options `s.opt` and `s.seats` seats; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear(s)
    s.dealer = s.opt.dealer if s.opt.dealer >= 0 else below(s.rng, s.seats)
    fill_deck(s)
    shuffle(s.rng, s.draw, s.draw_n)
    hand_out(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.phase == Phase.SETUP:
        _place_legal(s, mask)
    elif s.phase == Phase.PLAY:
        _play_legal(s, mask)
    elif s.phase == Phase.FOLLOW:
        _follow_legal(s, mask)
    elif s.phase == Phase.TARGET:
        _give_legal(s, mask)


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and go on to the next decision."""
    s.plies += 1
    if s.phase == Phase.SETUP:
        _place(s, action)
    elif s.phase in (Phase.PLAY, Phase.FOLLOW):
        _play(s, action)
    else:
        _give(s, seat_of_give(s, action))


# [Choose 3 cards from the 6], or `table_cards`


@kernel
def _place_legal(s: Record, mask: Any) -> None:
    for card in range(TYPES):
        if s.hands[s.seat, card] > 0:
            mask[card] = 1


@kernel
def _place(s: Record, card: int) -> None:
    """Put one card face up; the last one, by default the third, ends the choice [K-10]."""
    actor = int(s.seat)
    put_up(s, actor, card)
    if s.up_n[actor] == s.opt.table_cards:
        s.setup_left -= 1
        s.seat = around(actor + 1, s.seats)
        if s.setup_left == 0:
            s.phase = Phase.PLAY
    _cut_off(s, actor)


# [Play] and [Play A Table Card]: the same choices, but after TABLE nothing is compared (K-53).


@kernel
def _play_legal(s: Record, mask: Any) -> None:
    _cards_legal(s, mask)
    if s.pile_n > 0 and (s.opt.voluntary_pickup == 1 or not _any(mask)):
        mask[action_base(s) + PICKUP] = 1  # K-31


@kernel
def _follow_legal(s: Record, mask: Any) -> None:
    _cards_legal(s, mask)
    if s.opt.follow_optional:
        mask[action_base(s) + DECLINE] = 1  # K-51


@kernel
def _cards_legal(s: Record, mask: Any) -> None:
    """Allow every play from the source, one to S identical cards at once [K-30, K-44]."""
    zone = source(s, int(s.seat))
    if zone == DOWN:
        mask[action_base(s) + FLIP] = 1  # K-33
        return
    held = s.hands[s.seat] if zone == HAND else s.up[s.seat]
    lowest, highest = lowest_fitting(s), highest_fitting(s)
    for k in range(s.opt.clear_set):
        for card in range(FIRST_KARMA):
            mask[TYPES * k + card] = (held[card] > k) & (lowest <= card) & (card <= highest)
        if k == 0 or s.opt.karma_sets == 1:  # K-41
            for card in range(FIRST_KARMA, TYPES):
                mask[TYPES * k + card] = held[card] > k


@kernel
def _any(mask: Any) -> bool:
    for a in range(len(mask)):  # noqa: SIM110 (kernels have no generators)
        if mask[a] == 1:
            return True
    return False


@kernel
def _play(s: Record, action: int) -> None:
    """Play cards, flip one, pick up or decline, in PLAY and FOLLOW."""
    choice = action - action_base(s)
    if choice == PICKUP:
        _take_pile(s, int(s.seat))
        _end_play(s, False)
    elif choice == DECLINE:
        _end_play(s, False)  # TABLE stays on top, value zero (K-51)
    elif choice == FLIP:
        _flip(s)
    else:  # choice < 0: cards of one type
        _take_from_source(s, action % TYPES, action // TYPES + 1)
        _lay(s, action % TYPES, action // TYPES + 1)


@leaf
def _take_from_source(s: Record, card: int, count: int) -> None:
    seat = int(s.seat)
    if source(s, seat) == UP:
        s.up[seat, card] -= count
        s.up_n[seat] -= count
    else:
        s.hands[seat, card] -= count
        s.hand_n[seat] -= count
        s.known[seat, card] -= min(count, int(s.known[seat, card]))  # those that others have seen leave first


@kernel
def _flip(s: Record) -> None:
    """Flip the next face-down card: play it if it fits, else take it to the hand with the pile [K-33]."""
    seat = int(s.seat)
    s.down_n[seat] -= 1
    card = int(s.down[seat, s.down_n[seat]])
    s.down[seat, s.down_n[seat]] = 0
    if fits(s, card):
        _lay(s, card, 1)
    else:
        _push(s, card)
        _take_pile(s, seat)
        _end_play(s, False)


@kernel
def _lay(s: Record, card: int, count: int) -> None:
    """Lay identical cards on the pile, check for a set, apply the effect, and end the play."""
    was_empty = s.pile_n == 0
    s.run = run_with(s, card, count)
    for _ in range(count):
        _push(s, card)
    if completes_set(s, card, int(s.run)):
        _clear_pile(s)
        _end_play(s, True)
    elif card == GIVE:
        _give_away(s, count)
    elif card == TABLE and holds_cards(s, int(s.seat)):
        s.phase = Phase.FOLLOW
        _cut_off(s, int(s.seat))
    else:
        if card == BOTTOMS and not was_empty:
            _raise_bottom(s)
        _end_play(s, False)


# [Playing Doubles]


@kernel
def _clear_pile(s: Record) -> None:
    """Remove the whole pile from the game [K-40]."""
    for card in range(TYPES):
        s.gone[card] += s.piled[card]
    _empty_pile(s)


# [Bottoms Up]


@kernel
def _raise_bottom(s: Record) -> None:
    """Move the bottom card to the top for good [K-70]; it counts as one played card [K-43]."""
    card = s.pile[0]
    for i in range(s.pile_n - 1):
        s.pile[i] = s.pile[i + 1]
    s.pile[s.pile_n - 1] = card
    s.run = s.opt.surfaced_counts


# [Give The Pile To A Friend]


@kernel
def _give_away(s: Record, count: int) -> None:
    """Remove GIVE from the game and give the rest of the pile to a seat, asking if there is a choice [K-60 to K-62]."""
    for _ in range(count):
        s.pile_n -= 1
        s.pile[s.pile_n] = 0
    s.piled[GIVE] = 0
    s.gone[GIVE] += count
    s.run = 0
    if s.pile_n == 0:
        _end_play(s, False)
    elif receivers(s) == 1:
        seat = 0
        while not may_receive(s, seat):
            seat += 1
        _give(s, seat)
    else:
        s.phase = Phase.TARGET
        _cut_off(s, int(s.seat))


@kernel
def _give_legal(s: Record, mask: Any) -> None:
    first = action_base(s) + GIVE_TO
    for r in range(s.seats - 1):
        if may_receive(s, seat_of_give(s, first + r)):
            mask[first + r] = 1


@kernel
def _give(s: Record, receiver: int) -> None:
    """Hand the pile over; a seat that was out is back in the game [K-63]."""
    if not holds_cards(s, receiver):
        _bring_back(s, receiver)
    _take_pile(s, receiver)
    _end_play(s, False)


@kernel
def _bring_back(s: Record, seat: int) -> None:
    """Remove the seat from the finishing order."""
    place = 0
    while s.out[place] != seat:
        place += 1
    s.out_n -= 1
    for i in range(place, s.out_n):
        s.out[i] = s.out[i + 1]
    s.out[s.out_n] = 0


# Effects of a play


@leaf
def _push(s: Record, card: int) -> None:
    s.pile[s.pile_n] = card
    s.pile_n += 1
    s.piled[card] += 1


@kernel
def _take_pile(s: Record, seat: int) -> None:
    """Move the whole pile to a hand, seen by all [K-32]."""
    hand, known = s.hands[seat], s.known[seat]
    for card in range(TYPES):
        hand[card] += s.piled[card]
        known[card] += s.piled[card]
    s.hand_n[seat] += s.pile_n
    _empty_pile(s)


@kernel
def _empty_pile(s: Record) -> None:
    for i in range(s.pile_n):
        s.pile[i] = 0
    for card in range(TYPES):
        s.piled[card] = 0
    s.pile_n = 0
    s.run = 0


@kernel
def _end_play(s: Record, again: bool) -> None:
    """Draw, go out, end the game, or pass the turn, in this order [K-84]."""
    actor = int(s.seat)
    _draw_up(s, actor)
    s.phase = Phase.PLAY
    if not holds_cards(s, actor):
        s.out[s.out_n] = actor  # K-80
        s.out_n += 1
    if s.seats - s.out_n <= 1:
        _end_game(s)
        return
    if not (again and holds_cards(s, actor)):
        s.seat = next_seat(s, actor)
    _cut_off(s, actor)


@leaf
def _draw_up(s: Record, seat: int) -> None:
    """Draw until the hand has `refill` cards, three by default, or the draw pile is empty [K-12]."""
    while s.hand_n[seat] < s.opt.refill and s.draw_n > 0:
        s.draw_n -= 1
        s.hands[seat, s.draw[s.draw_n]] += 1
        s.hand_n[seat] += 1
        s.draw[s.draw_n] = 0


@leaf
def _cut_off(s: Record, actor: int) -> None:
    """Truncate a game that reached its limit of actions [K-83]."""
    if s.plies < s.opt.move_limit:
        return
    s.seat = actor
    s.phase = Phase.OVER
    s.over = 1
    s.truncated = 1
    for seat in range(s.seats):
        s.rewards[seat] = s.opt.truncation_reward


# [Last player with cards loses]


@kernel
def _end_game(s: Record) -> None:
    """End the game when at most one seat has cards: that seat loses [K-81]."""
    loser = 0
    while not holds_cards(s, loser):
        loser += 1
    s.loser = loser
    s.phase = Phase.OVER
    s.over = 1
    for place in range(s.out_n):
        s.rewards[s.out[place]] = _reward_of_place(s, place)
    s.rewards[loser] = -1.0


@kernel
def _reward_of_place(s: Record, place: int) -> float:
    """Return the reward of a winner; place 0 went out first [K-82]."""
    if s.opt.reward == Reward.WINLOSE:
        return 1.0
    if s.opt.reward == Reward.PLACEMENT:
        return float(1.0 - 2.0 * place / (s.seats - 1))
    return float(1.0 / (s.seats - 1))
