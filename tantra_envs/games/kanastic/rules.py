"""Kanastic, after the publisher's rules. Classic Canasta with the same cards is not in it.

Kernels over one record: `deal`, `legal_actions`, `apply`; then the phases in playing order as pairs
`_x_legal` / `_x`; then what follows by itself. Numbers KN-nn are the rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel, leaf
from ...core.rng import below, seed_stream, shuffle
from ...core.state import Record
from .actions import (
    ADD,
    ADD_ARTIFACT,
    ADD_SWORD,
    ASK,
    DISCARD,
    NEEDS,
    NEW,
    NEW_SUIT,
    NO,
    SUIT_GOLD,
    SUIT_HIGH,
    SUIT_LOW,
    TAKE_STACK,
    TAKE_TOP,
    TEMPLATES,
    TRIPLE,
    TRIPLES,
    YES,
)
from .actions import DRAW as DRAW_CARD
from .material import (
    ARTIFACT,
    CARDS,
    COPIES,
    DEALT,
    DEALT_FIRST,
    FULL,
    GOLD,
    HAND_KINDS,
    HAND_POINTS,
    KINDS,
    MAX_SEATS,
    NATURALS,
    NEW_SIZE,
    POT,
    RANKS,
    SHIELD,
    STACK_MINIMUM,
    STAGE_SCORES,
    SWORD,
    VARIANTS,
)
from .melds import (
    aside,
    bits,
    feasible,
    finishable,
    golds_held,
    has_laid,
    is_natural,
    lay,
    legal_placement,
    naturals,
    next_pickup,
    placeable,
    requirement_met,
    size_of,
    table_points,
    team_of,
)
from .state import ANSWER, DRAW, FIRST, MELD, MOST_DECKS, NOTHING, OVER, PICKUP, ROUND, SCORE, STACK, SUIT, TOP, WIN


@kernel
def deal(s: Record, seed: int) -> None:
    """A new game under `s.opt` with `s.seats` players; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear_game(s)
    s.dealer = s.opt.dealer if s.opt.dealer >= 0 else below(s.rng, s.seats)
    begin_round(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.phase == DRAW:
        _draw_legal(s, mask)
    elif s.phase == PICKUP:
        _pickup_legal(s, mask)
    elif s.phase in (FIRST, MELD):
        _meld_legal(s, mask)
    elif s.phase == ANSWER:
        mask[YES] = 1
        mask[NO] = 1


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and run on to the next decision."""
    s.plies += 1
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    actor, rounds = int(s.seat), s.round_no
    if s.phase == DRAW:
        _draw(s, action)
    elif s.phase == ANSWER:
        _answer(s, action)
    elif action == ASK:
        _ask(s)
    elif action >= DISCARD:
        _discard(s, action - DISCARD)
    else:
        _place(s, action)
    _cut_off_game(s, actor)
    if s.opt.dense and s.opt.reward != WIN and s.round_no == rounds:
        _pay_table(s)


# [The Deal]


@kernel
def clear_game(s: Record) -> None:
    """The totals and decks of a new game; `opt`, `seats` and the random stream stay."""
    for team in range(s.opt.teams):
        s.score[team] = s.opt.start_scores[team]
        s.last_scores[team] = 0
        s.winner[team] = 0
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    s.last_turns = 0
    s.last_out = -2
    s.round_no = 0
    s.plies = 0
    s.over = 0
    s.truncated = 0
    s.decks_n = 0
    for i in range(MOST_DECKS):
        for k in range(CARDS):
            s.decks[i, k] = 0


@kernel
def begin_round(s: Record) -> None:
    """Gather, shuffle and deal; the pots dealt are laid [KN-11, KN-12]."""
    clear_round(s)
    if s.decks_n > 0:
        _next_deck(s)
    else:
        fill_stock(s)
        shuffle(s.rng, s.stock, CARDS)
    hand_out(s)


@kernel
def clear_round(s: Record) -> None:
    """Nothing dealt and nothing laid; the stages follow from the totals [KN-40]."""
    for i in range(CARDS):
        s.stock[i] = 0
        s.pile[i] = 0
    s.stock_n = 0
    s.pile_n = 0
    for seat in range(s.seats):
        s.hand_n[seat] = 0
        for kind in range(HAND_KINDS):
            s.hand[seat, kind] = 0
            s.known[seat, kind] = 0
    for team in range(s.opt.teams):
        _clear_team(s, team)
    s.turn = 0
    s.reshuffles = 0
    s.block_left = 0
    clear_turn(s)


@kernel
def _clear_team(s: Record, team: int) -> None:
    for kind in range(NATURALS):
        s.nat[team, kind] = 0
    for r in range(RANKS):
        s.sw[team, r] = 0
        s.ar[team, r] = 0
        s.n[team, r] = 0
        s.w[team, r] = 0
    s.suit_lo[team] = -1
    s.suit_hi[team] = -1
    s.suit_art[team] = 0
    s.pots[team] = 0
    s.opened[team] = 0
    s.unlocked[team] = 0
    s.opener[team] = -1
    s.paid[team] = 0
    s.stage[team] = stage_of(int(s.score[team]))


@leaf
def stage_of(score: int) -> int:
    """Stage 1..4 of a total [KN-40]."""
    return 1 + int(score >= STAGE_SCORES[0]) + int(score >= STAGE_SCORES[1]) + int(score >= STAGE_SCORES[2])


@kernel
def clear_turn(s: Record) -> None:
    """Nothing taken, laid or asked in this turn yet."""
    s.taken = NOTHING
    s.top_taken = -1
    s.pick = -1
    s.asked = 0
    s.answer = -1
    s.asker = -1
    s.open_pts = 0
    s.open_wild = 0


@kernel
def fill_stock(s: Record) -> None:
    """All cards, ascending [KN-90]."""
    n = 0
    for kind in range(KINDS):
        for _ in range(COPIES[s.opt.suit_rule, kind]):
            s.stock[n] = kind
            n += 1
    s.stock_n = n


@kernel
def _next_deck(s: Record) -> None:
    """The stock is the first of the decks that were given; the others move up."""
    for k in range(CARDS):
        s.stock[k] = s.decks[0, k]
        for i in range(1, MOST_DECKS):
            s.decks[i - 1, k] = s.decks[i, k]
        s.decks[MOST_DECKS - 1, k] = 0
    s.stock_n = CARDS
    s.decks_n -= 1


@kernel
def hand_out(s: Record) -> None:
    """Fifteen cards to the seat left of the dealer, fourteen to the others; then pots are replaced [KN-11, KN-12]."""
    first = (s.dealer + 1) % s.seats
    for i in range(s.seats):
        seat = (first + i) % s.seats
        for _ in range(DEALT_FIRST if i == 0 else DEALT):
            s.stock_n -= 1
            _receive(s, seat, int(s.stock[s.stock_n]))
            s.stock[s.stock_n] = 0
    for i in range(s.seats):
        seat = (first + i) % s.seats
        while s.hand_n[seat] < (DEALT_FIRST if i == 0 else DEALT):
            _draw_card(s, seat)
    s.phase = FIRST
    s.seat = first


@leaf
def _receive(s: Record, seat: int, kind: int) -> None:
    """A card goes to the hand, a pot at once to the table [KN-12]."""
    if kind == POT:
        s.pots[team_of(s, seat)] += 1
    else:
        s.hand[seat, kind] += 1
        s.hand_n[seat] += 1


# [Draw, or take from the discard stack]


@kernel
def _draw_legal(s: Record, mask: Any) -> None:
    mask[DRAW_CARD] = 1
    way = _to_take(s)
    mask[TAKE_TOP] = way == TOP
    mask[TAKE_STACK] = way == STACK


@kernel
def _to_take(s: Record) -> int:
    """The TOP card for a team that has not opened [KN-52], the STACK for one that has [KN-53], or NOTHING."""
    seat = int(s.seat)
    team = team_of(s, seat)
    if s.pile_n == 0 or s.block_left > 0 or s.turn == 1:  # KN-50, KN-51
        return NOTHING
    if not is_natural(int(s.pile[s.pile_n - 1])):
        return NOTHING
    way = STACK if s.opened[team] else TOP
    if way == STACK and (s.unlocked[team] == 0 or min(s.hand_n[seat], s.stock_n) < STACK_MINIMUM):
        return NOTHING
    _take(s, way)
    useful = next_pickup(s, seat, -1) >= 0
    _put_back(s)
    return way if useful else NOTHING


@kernel
def _take(s: Record, way: int) -> None:
    """The top card goes to the hand; of a stack the rest waits in the pile [KN-54]."""
    s.pile_n -= 1
    card = s.pile[s.pile_n]
    s.pile[s.pile_n] = 0
    s.hand[s.seat, card] += 1
    s.hand_n[s.seat] += 1
    s.taken = way
    s.top_taken = card


@kernel
def _put_back(s: Record) -> None:
    """The reverse of `_take`."""
    s.hand[s.seat, s.top_taken] -= 1
    s.hand_n[s.seat] -= 1
    s.pile[s.pile_n] = s.top_taken
    s.pile_n += 1
    s.taken = NOTHING
    s.top_taken = -1


@kernel
def _draw(s: Record, action: int) -> None:
    """Draw a card, or take from the stack and be held to use it."""
    if action == DRAW_CARD:
        _draw_card(s, int(s.seat))
        s.phase = MELD
    else:
        _take(s, TOP if action == TAKE_TOP else STACK)
        s.phase = PICKUP


@kernel
def _draw_card(s: Record, seat: int) -> None:
    """One card from the stock; pots are laid and replaced [KN-12]."""
    kind = POT
    while kind == POT:
        if s.stock_n == 0:
            _turn_over(s)
        if s.stock_n == 0:
            return
        s.stock_n -= 1
        kind = int(s.stock[s.stock_n])
        s.stock[s.stock_n] = 0
        _receive(s, seat, kind)
        if s.stock_n == 0:
            _turn_over(s)


@kernel
def _turn_over(s: Record) -> None:
    """The discard stack, shuffled, becomes the stock [KN-16]."""
    if s.pile_n == 0:
        return
    shuffle(s.rng, s.pile, s.pile_n)
    for i in range(s.pile_n):
        s.stock[i] = s.pile[i]
        s.pile[i] = 0
    s.stock_n = s.pile_n
    s.pile_n = 0
    s.reshuffles += 1


# [Meld], with a taken card first of all (PICKUP, KN-54); the first turn of a round (FIRST) begins here


@kernel
def _pickup_legal(s: Record, mask: Any) -> None:
    action = next_pickup(s, int(s.seat), -1)
    while action >= 0:
        mask[action] = 1
        action = next_pickup(s, int(s.seat), action)


@kernel
def _meld_legal(s: Record, mask: Any) -> None:
    """In the first turn of a round the player only discards, unless `first_turn_meld` [KN-13]."""
    if s.phase == MELD or s.opt.first_turn_meld:
        _placements_legal(s, mask)
    _discards_legal(s, mask)
    mask[ASK] = _may_ask(s)


@kernel
def _placements_legal(s: Record, mask: Any) -> None:
    """Every placement that leaves a legal finish; for a team that cannot open this turn there is none [KN-42]."""
    seat = int(s.seat)
    team = team_of(s, seat)
    if not (s.opened[team] or has_laid(s, team) or feasible(s, seat)):
        return
    for r in range(RANKS):
        _rank_legal(s, mask, seat, r, size_of(s, team, r))
    if s.suit_lo[team] >= 0:
        _suit_legal(s, mask, seat, team)
    elif bits(golds_held(s, seat)) >= NEW_SIZE:
        for action in range(NEW_SUIT, NEW_SUIT + len(TRIPLES)):
            _try(s, mask, seat, action)


@kernel
def _rank_legal(s: Record, mask: Any, seat: int, r: int, size: int) -> None:
    if size == 0 and naturals(s, seat, r) >= NEW_SIZE:
        for t in range(len(TEMPLATES)):
            _try(s, mask, seat, NEW + len(TEMPLATES) * r + t)
    elif 0 < size < FULL:
        for j in range(VARIANTS):
            _try(s, mask, seat, ADD + VARIANTS * r + j)
        _try(s, mask, seat, ADD_SWORD + r)
        _try(s, mask, seat, ADD_ARTIFACT + r)


@kernel
def _suit_legal(s: Record, mask: Any, seat: int, team: int) -> None:
    if s.suit_lo[team] > 0:
        _try(s, mask, seat, SUIT_GOLD + int(s.suit_lo[team]) - 1)
    if s.suit_hi[team] < RANKS - 1:
        _try(s, mask, seat, SUIT_GOLD + int(s.suit_hi[team]) + 1)
    _try(s, mask, seat, SUIT_LOW)
    _try(s, mask, seat, SUIT_HIGH)


@kernel
def _try(s: Record, mask: Any, seat: int, action: int) -> None:
    mask[action] = placeable(s, seat, action) and legal_placement(s, seat, action)


@kernel
def _place(s: Record, action: int) -> None:
    """Lay a placement; the one that meets the requirement opens the team [KN-42]."""
    seat = int(s.seat)
    team = team_of(s, seat)
    if s.phase == PICKUP:
        s.pick = SUIT if action >= NEW_SUIT else (action - NEW) // len(TEMPLATES)
        s.known[seat, s.top_taken] += 1  # all saw it come, so none of those known before goes
    _forget(s, seat, action)
    lay(s, seat, action, 1)
    if s.opened[team] == 0 and requirement_met(s, team):
        s.opened[team] = 1
        s.opener[team] = seat
    if s.opened[team]:
        s.open_pts = 0
        s.open_wild = 0
    s.phase = MELD


@kernel
def _forget(s: Record, seat: int, action: int) -> None:
    """Cards that are laid are no longer known to be in the hand [KN-17]."""
    if action < NEW_SUIT:
        r, t = (action - NEW) // len(TEMPLATES), (action - NEW) % len(TEMPLATES)
        for j in range(VARIANTS):
            _forget_kind(s, seat, VARIANTS * r + j, int(NEEDS[s.opt.suit_rule, t, j]))
    elif action < ADD:
        for i in range(NEW_SIZE):
            _forget_kind(s, seat, VARIANTS * int(TRIPLE[action - NEW_SUIT, i]) + GOLD, 1)
        span = int(TRIPLE[action - NEW_SUIT, 2] - TRIPLE[action - NEW_SUIT, 0]) + 1
        _forget_kind(s, seat, ARTIFACT, span - NEW_SIZE)
    elif action < ADD_SWORD:
        _forget_kind(s, seat, action - ADD, 1)
    elif action < SUIT_GOLD:
        _forget_kind(s, seat, SWORD if action < ADD_ARTIFACT else ARTIFACT, 1)
    elif action < SUIT_LOW:
        _forget_kind(s, seat, VARIANTS * (action - SUIT_GOLD) + GOLD, 1)
    else:
        _forget_kind(s, seat, ARTIFACT, 1)


@leaf
def _forget_kind(s: Record, seat: int, kind: int, count: int) -> None:
    s.known[seat, kind] -= min(count, int(s.known[seat, kind]))


# [May I go out?]


@kernel
def _may_ask(s: Record) -> bool:
    """Once a turn, by a player whose team could go out [KN-63]."""
    if s.phase != MELD or s.seats < MAX_SEATS or s.opt.ask_partner == 0 or s.asked or aside(s):
        return False
    return finishable(s, team_of(s, int(s.seat)))


@kernel
def _ask(s: Record) -> None:
    s.asked = 1
    s.asker = s.seat
    s.seat = (s.seat + s.opt.teams) % s.seats
    s.phase = ANSWER


@kernel
def _answer(s: Record, action: int) -> None:
    """The answer binds nobody; the asker goes on."""
    s.answer = action == YES
    s.seat = s.asker
    s.asker = -1
    s.phase = MELD


# [Discard]


@kernel
def _discards_legal(s: Record, mask: Any) -> None:
    """Any card of the hand, but no discard in the middle of opening [KN-42], and no last card without a canasta
    [KN-61] unless an old stack refills the hand [KN-54]."""
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
    """Ends the turn; an old stack goes into the hand; the last card ends the round [KN-14, KN-54, KN-61]."""
    seat = int(s.seat)
    _forget_kind(s, seat, kind, 1)
    s.hand[seat, kind] -= 1
    s.hand_n[seat] -= 1
    if s.taken == STACK:
        _take_old_stack(s, seat)
    s.pile[s.pile_n] = kind
    s.pile_n += 1
    s.turn += 1
    if SWORD <= kind <= SHIELD:
        s.block_left = s.seats - 1  # KN-50
    else:
        s.block_left = max(0, s.block_left - 1)
    if s.hand_n[seat] == 0:
        _end_round(s, seat, seat, kind in (SWORD, ARTIFACT))
    elif s.turn >= s.opt.max_turns:
        _end_round(s, seat, -1, False)  # KN-76
    else:
        _begin_turn(s, (seat + 1) % s.seats)


@kernel
def _take_old_stack(s: Record, seat: int) -> None:
    """Everybody saw these cards [KN-17]."""
    for i in range(s.pile_n):
        kind = s.pile[i]
        s.hand[seat, kind] += 1
        s.known[seat, kind] += 1
        s.pile[i] = 0
    s.hand_n[seat] += s.pile_n
    s.pile_n = 0


# What follows by itself


@kernel
def _begin_turn(s: Record, seat: int) -> None:
    """The next seat draws; whoever opened may from now on take the stack [KN-56]."""
    clear_turn(s)
    s.seat = seat
    s.phase = DRAW
    team = team_of(s, seat)
    if s.opened[team] and s.opener[team] == seat:
        s.unlocked[team] = 1
    if s.opt.auto_draw and _to_take(s) == NOTHING:
        _draw(s, DRAW_CARD)


@kernel
def _cut_off_game(s: Record, actor: int) -> None:
    """At the limit of actions the round is scored as it stands, and that is the end [KN-79]."""
    if s.over == 0 and _moves_used(s):
        _end_round(s, actor, -1, False)


@leaf
def _moves_used(s: Record) -> bool:
    return bool(s.opt.max_moves > 0 and s.plies >= s.opt.max_moves)


# [Scoring]


@kernel
def _end_round(s: Record, actor: int, out: int, doubled: bool) -> None:
    """Score the round, pay, and end the game or deal again; `out` is the seat that went out, -1 if nobody did."""
    for team in range(s.opt.teams):
        s.last_scores[team] = _round_score(s, team, out, doubled)
        s.score[team] += s.last_scores[team]
    s.last_out = out
    s.last_turns = s.turn
    s.round_no += 1
    if s.opt.reward != WIN:
        _pay_round(s)
    if s.opt.episode == ROUND:
        _end_game(s, actor, out < 0)
    elif _sole_leader(s) or s.round_no >= s.opt.max_rounds or _moves_used(s):
        _end_game(s, actor, not _sole_leader(s))
    else:
        s.dealer = (s.dealer + 1) % s.seats  # KN-74
        begin_round(s)


@kernel
def _round_score(s: Record, team: int, out: int, doubled: bool) -> int:
    """Table points less what is left in the hands of the team [KN-62, KN-70, KN-71, KN-73]."""
    points = table_points(s, team)
    for seat in range(team, s.seats, s.opt.teams):
        for kind in range(HAND_KINDS):
            points -= int(s.hand[seat, kind]) * int(HAND_POINTS[kind])
    if out >= 0 and team_of(s, out) == team:
        points += int(s.opt.go_out_bonus)
    return 2 * points if doubled else points


@leaf
def _highest(s: Record, scores: Any) -> int:
    """The highest score of a team."""
    best = int(scores[0])
    for team in range(1, s.opt.teams):
        best = max(best, int(scores[team]))
    return best


@kernel
def _sole_leader(s: Record) -> bool:
    """Has one team alone the highest total, and is it the target or more? [KN-75]"""
    best, leaders = _highest(s, s.score), 0
    for team in range(s.opt.teams):
        leaders += s.score[team] == best
    return bool(best >= s.opt.target_score and leaders == 1)


@kernel
def _end_game(s: Record, actor: int, truncated: bool) -> None:
    """The highest total wins, in a single round the highest score of the round; ties are shared [KN-75 to KN-78]."""
    s.over = 1
    s.truncated = truncated
    s.phase = OVER
    s.seat = actor
    s.asker = -1
    scores = s.last_scores if s.opt.episode == ROUND else s.score
    best, winners = _highest(s, scores), 0
    for team in range(s.opt.teams):
        s.winner[team] = scores[team] == best
        winners += int(s.winner[team])
    if s.opt.reward == WIN:
        teams = int(s.opt.teams)
        for seat in range(s.seats):
            share = s.winner[team_of(s, seat)] / winners
            s.rewards[seat] = (share - 1.0 / teams) * teams / (teams - 1)


# [Rewards]


@kernel
def _pay_round(s: Record) -> None:
    """What of the round's score has not been paid yet."""
    total = 0
    for team in range(s.opt.teams):
        total += s.last_scores[team] - s.paid[team]
    for team in range(s.opt.teams):
        _pay(s, team, int(s.last_scores[team] - s.paid[team]), total)


@kernel
def _pay_table(s: Record) -> None:
    """With `dense`: the change of the points on the table in this step."""
    total = 0
    for team in range(s.opt.teams):
        total += table_points(s, team) - s.paid[team]
    for team in range(s.opt.teams):
        points = table_points(s, team)
        _pay(s, team, points - int(s.paid[team]), total)
        s.paid[team] = points


@kernel
def _pay(s: Record, team: int, own: int, total: int) -> None:
    """Points of a team as a reward of its members; `total` is the sum over all teams."""
    value = float(own)
    if s.opt.reward != SCORE:
        value -= (total - own) / (s.opt.teams - 1)
    for seat in range(team, s.seats, s.opt.teams):
        s.rewards[seat] += value / s.opt.reward_scale
