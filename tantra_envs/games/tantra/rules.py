"""Tantra, after the sheet "The Rules of Tantra" (simplified rules, 44 Display Cards), for 3 to 9 players.

Kernels over one record: `deal`, `legal_actions`, `apply`; then the phases in playing order as pairs
`_x_legal` / `_x`; then what follows by itself, and scoring. Numbers R-nn and D-n are the rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.rng import below, seed_stream, shuffle
from ...core.state import Record
from .actions import (
    ALLOW,
    BUY,
    DISCARD,
    DRAW_STOCK,
    ENDS,
    HAND_OVER,
    KEEP,
    KIND,
    LAY_DOWN,
    LAY_OFF,
    PASS,
    PLACE,
    RUN,
    TAKE_DISCARD,
)
from .material import (
    IDENTICAL,
    JOKER,
    MAX_CARDS,
    MAX_SETS,
    NATURALS,
    NO_JOKERS,
    NO_WILD_CARDS,
    PLACES,
    RANKS,
    SUITS,
    TYPES,
    WILD,
)
from .sets import (
    can_finish_kind,
    can_finish_run,
    can_lay_down,
    card_at,
    deficit,
    end_takes_any,
    fits_end,
    fits_kind,
    hand_points,
    has_flag,
    high_end_free,
    is_kind_slot,
    low_end_free,
    max_buys,
    same_shape,
    sets_on_card,
    size_of,
)
from .state import (
    A_KIND,
    A_RUN,
    ASK,
    BY_JOKER,
    BY_SUIT,
    BY_WILD,
    DRAW,
    EMPTY,
    KIND_JOKER,
    KIND_WILD,
    LAYING_DOWN,
    LAYING_OFF,
    LOWER_MATE,
    MAIN,
    NATURAL,
    NO_SET,
    NOT_BUILDING,
    OVER,
    PEEK,
    PLACE_CARD,
    RANK,
    REPLY,
    SCORE,
    TEMPLATE,
    UPPER_MATE,
    WIN,
    ZERO_SUM,
)


@kernel
def deal(s: Record, seed: int) -> None:
    """A new game under `s.opt` with `s.seats` players; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear_game(s)
    s.dealer = s.opt.dealer if s.opt.dealer >= 0 else below(s.rng, s.seats)
    if s.opt.display_order == 0:
        shuffle(s.rng, s.display_pile, s.opt.displays_n)
    shuffle(s.rng, s.wild_pile, s.opt.wilds_n)
    begin_round(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.phase == ASK:
        _ask_legal(mask)
    elif s.phase == DRAW:
        _draw_legal(s, mask)
    elif s.phase == REPLY:
        _reply_legal(mask)
    elif s.phase == PEEK:
        _peek_legal(mask)
    elif s.phase == MAIN:
        _main_legal(s, mask)
    elif s.phase != OVER:
        for a in range(KIND, LAY_OFF):
            mask[a] = s.build_mask[a]


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and run on to the next decision."""
    s.plies += 1
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    actor, finished = int(s.seat), int(s.round)
    if s.opt.shaping:
        _note_potentials(s)
    if s.phase == ASK:
        _ask(s, action)
    elif s.phase == DRAW:
        _draw(s, action)
    elif s.phase == REPLY:
        _reply(s, action)
    elif s.phase == PEEK:
        _peek(s, action)
    elif s.phase == MAIN:
        _main(s, action)
    else:
        _build(s, action)
    if s.plies >= s.opt.max_moves and not s.over:
        _end_round(s, -1)
        _end_game(s, True)
        s.seat = actor
    if s.opt.shaping:
        _pay_potentials(s, s.round > finished)


# Setting up


@kernel
def clear_game(s: Record) -> None:
    """A game not begun; `opt`, `seats` and the random stream stay. Both piles lie unshuffled [R-03]."""
    for i in range(len(s.display_pile)):
        s.display_pile[i] = s.opt.displays[i]
    for i in range(len(s.wild_pile)):
        s.wild_pile[i] = s.opt.wilds[i]
    s.displays_seen = 0
    s.display_at = 0
    s.wilds_seen = 0
    s.wild_at = 0
    for seat in range(s.seats):
        s.scores[seat] = 0
        s.round_scores[seat] = 0
        s.rewards[seat] = 0.0
    s.plies = 0
    s.game_turns = 0
    s.round = 0
    s.over = 0
    s.truncated = 0
    s.out_seat = -1
    for k in range(s.decks_n):
        for i in range(MAX_CARDS):
            s.decks[k, i] = 0
    s.decks_n = 0


@kernel
def begin_round(s: Record) -> None:
    """Turn up a Display Card and, unless it says No Wild Cards, a Wild Card; shuffle; deal [R-03, R-05]."""
    turn_up(s)
    clear_round(s)
    size = fill_deck(s)
    if s.decks_n > 0:
        _take_given_deck(s, size)
    else:
        shuffle(s.rng, s.stock, size)
    for i in range(size):
        if s.stock[i] < NATURALS and s.stock[i] % RANKS == s.wild:
            s.stock[i] = WILD
    _hand_out(s, size)
    s.turn = (s.dealer + 1) % s.seats
    begin_turn(s)


@kernel
def turn_up(s: Record) -> None:
    """The next cards of both piles, which are cycled and not reshuffled [R-03]."""
    s.display = s.display_pile[s.display_at]
    s.display_at = (s.display_at + 1) % s.opt.displays_n
    s.displays_seen = min(int(s.displays_seen) + 1, int(s.opt.displays_n))
    s.wild = -1
    if not has_flag(s, NO_WILD_CARDS):
        s.wild = s.wild_pile[s.wild_at]
        s.wild_at = (s.wild_at + 1) % s.opt.wilds_n
        s.wilds_seen = min(int(s.wilds_seen) + 1, int(s.opt.wilds_n))


@kernel
def clear_round(s: Record) -> None:
    """Nothing dealt, nothing on the table."""
    for i in range(MAX_CARDS):
        s.stock[i] = 0
        s.discard[i] = 0
    for card in range(TYPES):
        s.tabled[card] = 0
        s.discarded[card] = 0
    for seat in range(s.seats):
        for card in range(TYPES):
            s.hands[seat, card] = 0
            s.public[seat, card] = 0
            for observer in range(s.seats):
                s.known[observer, seat, card] = 0
        s.hand_n[seat] = 0
        s.buys_used[seat] = 0
        s.laid_turn[seat] = -1
        for slot in range(MAX_SETS):
            _clear_set(s.sets[seat * MAX_SETS + slot])
    s.stock_n = 0
    s.discard_n = 0
    s.turns = 0
    s.recycles = 0
    s.declined = 0
    s.requester = -1
    s.peeked = -1
    s.peek_public = 0
    s.can_lay = 0
    end_build(s)


@kernel
def _clear_set(lies: Any) -> None:
    if lies.kind != NO_SET:
        for i in range(PLACES):
            lies.fill[i] = EMPTY
        lies.kind = NO_SET
        lies.rank = 0
        lies.suit = 0
        lies.lo = 0
        lies.hi = 0
        lies.size = 0


@kernel
def fill_deck(s: Record) -> int:
    """All cards in ascending order in `s.stock`; how many [R-02]."""
    n = 0
    for card in range(NATURALS + 1):
        copies = s.opt.n_packs * (s.opt.jokers_per_pack if card == JOKER else 1)
        for _ in range(copies):
            s.stock[n] = card
            n += 1
    return n


@kernel
def _take_given_deck(s: Record, size: int) -> None:
    """The next of the decks that were given; the others move up."""
    for i in range(size):
        s.stock[i] = s.decks[0, i]
        for k in range(s.decks_n - 1):
            s.decks[k, i] = s.decks[k + 1, i]
        s.decks[s.decks_n - 1, i] = 0
    s.decks_n -= 1


@kernel
def _hand_out(s: Record, size: int) -> None:
    """Deal one at a time from the front of `s.stock`, turn up the first discard, turn the rest round [R-05]."""
    dealt = s.opt.hand_size * s.seats
    for i in range(dealt):
        seat = (s.dealer + 1 + i) % s.seats
        s.hands[seat, s.stock[i]] += 1
        s.hand_n[seat] += 1
    push_discard(s, int(s.stock[dealt]))
    rest = size - dealt - 1
    for i in range(size):  # `discard` has room for the rest while it is turned round
        if i < rest:
            s.discard[1 + i] = s.stock[size - 1 - i]
    for i in range(size):
        s.stock[i] = s.discard[1 + i] if i < rest else 0
    for i in range(rest):
        s.discard[1 + i] = 0
    s.stock_n = rest


@kernel
def begin_turn(s: Record) -> None:
    """The others may ask for the fresh discard first, or the seat in turn speaks first [R-41, R-47]."""
    s.declined = 0
    if s.opt.buy_order == 0:
        ask_from(s, 1)
    else:
        _go_to(s, DRAW)


@kernel
def _go_to(s: Record, phase: int) -> None:
    """The seat in turn decides next."""
    s.phase = phase
    s.seat = s.turn


# [Buying]: the others, nearest to the left first


@kernel
def ask_from(s: Record, ahead: int) -> None:
    """Ask the next seat that may buy, from `ahead` seats to the left on; with none the seat in turn draws [R-42]."""
    for j in range(ahead, s.seats):
        seat = (s.turn + j) % s.seats
        if may_buy(s, seat):
            s.phase = ASK
            s.seat = seat
            return
    if s.declined:
        _draw_unseen(s, int(s.turn))
        _begin_main(s)
    else:
        _go_to(s, DRAW)


@kernel
def may_buy(s: Record, seat: int) -> bool:
    """[R-40, R-41, R-49]"""
    if s.laid_turn[seat] >= 0 or s.buys_used[seat] >= max_buys(s) or s.discard_n == 0:
        return False
    if s.turns == 0 and s.opt.buy_opening_card == 0:
        return False
    return bool(s.stock_n >= 2 or s.stock_n + s.discard_n - 1 - s.opt.recycle_keeps_top >= 2)


@kernel
def _ask_legal(mask: Any) -> None:
    mask[PASS] = 1
    mask[BUY] = 1


@kernel
def _ask(s: Record, action: int) -> None:
    if action == PASS:
        ask_from(s, (s.seat - s.turn + s.seats) % s.seats + 1)
        return
    s.requester = s.seat
    if s.declined:
        _sell(s)
    else:
        _go_to(s, REPLY)


# [The turn]: take one card


@kernel
def _draw_legal(s: Record, mask: Any) -> None:
    mask[DRAW_STOCK] = s.stock_n >= 1 or s.discard_n - s.opt.recycle_keeps_top >= 1
    mask[TAKE_DISCARD] = s.discard_n > 0


@kernel
def _draw(s: Record, action: int) -> None:
    if action == TAKE_DISCARD:
        _take_discard(s, int(s.turn))
        _begin_main(s)
    else:
        s.declined = 1
        ask_from(s, 1 if s.opt.buy_order == 1 else int(s.seats))


# [Buying]: "choice 1, 2, 3" of the seat in turn


@kernel
def _reply_legal(mask: Any) -> None:
    mask[TAKE_DISCARD] = 1  # No is taking the card
    mask[ALLOW] = 1


@kernel
def _reply(s: Record, action: int) -> None:
    if action == ALLOW:
        _sell(s)
    else:
        s.requester = -1
        _take_discard(s, int(s.turn))
        _begin_main(s)


@kernel
def _sell(s: Record) -> None:
    """The buyer gets the discard; the seat in turn looks at the top of the pick-up pile [R-44]."""
    s.buys_used[s.requester] += 1
    _take_discard(s, int(s.requester))
    s.peeked = _pop_stock(s)
    s.peek_public = s.recycles > 0
    _go_to(s, PEEK)


@kernel
def _peek_legal(mask: Any) -> None:
    mask[KEEP] = 1
    mask[HAND_OVER] = 1


@kernel
def _peek(s: Record, action: int) -> None:
    """The card looked at goes to one of the two, the next one unseen to the other [R-44]."""
    buyer, turn, card = int(s.requester), int(s.turn), int(s.peeked)
    looked_at = turn if action == KEEP else buyer
    _gain(s, looked_at, card)
    if s.peek_public:
        _learn(s, looked_at, card)
    elif looked_at == buyer:
        s.known[turn, buyer, card] += 1
    s.peeked = -1
    s.peek_public = 0
    s.requester = -1
    _draw_unseen(s, buyer if action == KEEP else turn)
    _begin_main(s)


# [The turn]: lay down, lay off, discard


@kernel
def _begin_main(s: Record) -> None:
    s.declined = 0
    s.can_lay = can_lay_down(s, int(s.turn))
    _go_to(s, MAIN)


@kernel
def _main_legal(s: Record, mask: Any) -> None:
    """[R-28, R-31, R-37]"""
    seat = int(s.turn)
    hand = s.hands[seat]
    for card in range(TYPES):
        mask[DISCARD + card] = hand[card] > 0
    mask[LAY_DOWN] = s.can_lay
    if s.laid_turn[seat] >= 0 and s.hand_n[seat] > 1:
        _lay_off_legal(s, mask)


@kernel
def _lay_off_legal(s: Record, mask: Any) -> None:
    """[R-32, R-34]"""
    for j in range(s.seats):
        owner = (s.turn + j) % s.seats
        for slot in range(MAX_SETS):
            lies = s.sets[owner * MAX_SETS + slot]
            if lies.kind != NO_SET:
                at = LAY_OFF + ENDS * (MAX_SETS * j + slot)
                mask[at] = end_takes_any(s, lies, -1)
                mask[at + 1] = end_takes_any(s, lies, 1)


@kernel
def _main(s: Record, action: int) -> None:
    if action == LAY_DOWN:
        begin_lay_down(s)
        _fill_forced(s)
    elif action >= LAY_OFF:
        chosen = action - LAY_OFF
        owner = (s.turn + chosen // (ENDS * MAX_SETS)) % s.seats
        begin_lay_off(s, owner, chosen // ENDS % MAX_SETS, 1 if chosen % ENDS else -1)
        _fill_forced(s)
    else:
        _discard(s, action - DISCARD)


# [Laying Down] and [Laying Off]: set by set, card by card (D-1)


@kernel
def begin_lay_down(s: Record) -> None:
    """[R-28]"""
    s.laid_turn[s.turn] = s.turns
    s.can_lay = 0
    s.mode = LAYING_DOWN
    s.slot = 0
    s.target = s.turn
    _go_to(s, TEMPLATE)


@kernel
def begin_lay_off(s: Record, owner: int, slot: int, way: int) -> None:
    """[R-31]"""
    lies = s.sets[owner * MAX_SETS + slot]
    s.mode = LAYING_OFF
    s.slot = slot
    s.target = owner
    s.rest = 1
    if lies.kind == A_RUN:
        s.direction = way
        s.place = lies.hi + 1 if way > 0 else lies.lo - 1
        s.free = high_end_free(lies) if way > 0 else low_end_free(lies)
    _go_to(s, PLACE_CARD)


@kernel
def _build(s: Record, action: int) -> None:
    if s.phase == TEMPLATE:
        choose_template(s, action)
    else:
        place_card(s, action - PLACE)
    _fill_forced(s)


@kernel
def _fill_forced(s: Record) -> None:
    """Play templates and places on while there is one choice [D-2], or all places of a lay-down [D-7]."""
    while s.phase in (TEMPLATE, PLACE_CARD):
        look_at_build(s)
        choices, only = 0, -1
        for a in range(KIND, LAY_OFF):
            if s.build_mask[a]:
                choices += 1
                only = a
        fills = s.opt.fill_mode == 1 and s.mode == LAYING_DOWN and s.phase == PLACE_CARD
        if fills:
            only = PLACE + _plainest(s)
        elif choices > 1 or s.opt.auto_forced == 0:
            return
        if s.phase == TEMPLATE:
            choose_template(s, only)
        else:
            place_card(s, only - PLACE)


@kernel
def _plainest(s: Record) -> int:
    """Natural cards first, then pairs with a lower mate, with an upper one, then WILD and JOKER [D-7]."""
    if not is_kind_slot(s, int(s.slot)):
        suit = int(s.sets[s.target * MAX_SETS + s.slot].suit)
        for away in (0, -1, 1):
            place = s.place + away
            if 1 <= place <= PLACES and s.build_mask[PLACE + card_at(suit, place)]:
                return card_at(suit, place)
    for card in range(NATURALS):
        if s.build_mask[PLACE + card]:
            return card
    return WILD if s.build_mask[PLACE + WILD] else JOKER


@kernel
def look_at_build(s: Record) -> None:
    """Work out the legal actions of TEMPLATE and PLACE."""
    for a in range(KIND, LAY_OFF):
        s.build_mask[a] = 0
    if s.phase == TEMPLATE:
        _template_legal(s)
    elif s.mode == LAYING_OFF:
        _place_off_legal(s)
    elif is_kind_slot(s, int(s.slot)):
        _place_in_kind_legal(s)
    else:
        _place_in_run_legal(s)


@kernel
def lowest_template(s: Record) -> int:
    """Sets of equal type and size come in ascending order [D-5]."""
    if s.slot == 0 or not same_shape(s, int(s.slot)):
        return 0
    before = s.sets[s.turn * MAX_SETS + s.slot - 1]
    return int(before.rank) if before.kind == A_KIND else before.suit * RANKS + before.lo - 1


@kernel
def _template_legal(s: Record) -> None:
    """Every rank, or suit and start, with which this set and all later ones can be filled."""
    slot = int(s.slot)
    size = size_of(s, slot)
    if is_kind_slot(s, slot):
        for rank in range(lowest_template(s), RANKS):
            s.build_mask[KIND + rank] = can_finish_kind(s, slot, rank, size, 0, 0, -1)
    else:
        for template in range(lowest_template(s), NATURALS):
            if template % RANKS + size <= PLACES:
                s.build_mask[RUN + template] = can_finish_run(s, slot, template, 0, False, False, 0, -1)


@kernel
def choose_template(s: Record, action: int) -> None:
    """Name the rank of the kind, or suit and first place of the run, that comes next."""
    lies = s.sets[s.turn * MAX_SETS + s.slot]
    if action < RUN:
        lies.kind = A_KIND
        lies.rank = action - KIND
    else:
        lies.kind = A_RUN
        lies.suit = (action - RUN) // RANKS
        lies.lo = (action - RUN) % RANKS + 1
        lies.hi = lies.lo - 1
        s.place = lies.lo
    s.rest = size_of(s, int(s.slot))
    _go_to(s, PLACE_CARD)


@kernel
def _place_in_kind_legal(s: Record) -> None:
    """Suits ascending, then WILD, then JOKER [D-6]."""
    slot, rest, naturals = int(s.slot), int(s.rest) - 1, int(s.naturals)
    hand = s.hands[s.turn]
    rank = int(s.sets[s.turn * MAX_SETS + slot].rank)
    for suit in range(s.first_class, SUITS):
        card = suit * RANKS + rank
        if hand[card] > 0:
            s.build_mask[PLACE + card] = can_finish_kind(s, slot, rank, rest, suit, naturals + 1, card)
    if hand[WILD] > 0 and s.first_class <= KIND_WILD:
        s.build_mask[PLACE + WILD] = can_finish_kind(s, slot, rank, rest, SUITS, naturals, WILD)
    if hand[JOKER] > rest and not has_flag(s, NO_JOKERS):
        s.build_mask[PLACE + JOKER] = can_finish_kind(s, slot, rank, rest, SUITS, naturals, JOKER)


@kernel
def _place_in_run_legal(s: Record) -> None:
    """Natural, duplicate of a neighbour, WILD, JOKER [R-16, R-23]."""
    slot = int(s.slot)
    suit = int(s.sets[s.turn * MAX_SETS + slot].suit)
    placed, size = size_of(s, slot) - s.rest, size_of(s, slot)
    _try_in_run(s, card_at(suit, int(s.place)))
    if s.must:
        return
    if 0 < placed < size - 1 and has_flag(s, IDENTICAL):
        if s.free:
            _try_in_run(s, card_at(suit, s.place - 1))
        if s.hands[s.turn, card_at(suit, s.place + 1)] > 1:
            _try_in_run(s, card_at(suit, s.place + 1))
    _try_in_run(s, WILD)
    if not has_flag(s, NO_JOKERS):
        _try_in_run(s, JOKER)


@kernel
def _try_in_run(s: Record, card: int) -> None:
    """Allow a card held for the next place, if all sets can be finished after it."""
    if s.hands[s.turn, card] == 0:
        return
    slot = int(s.slot)
    lies = s.sets[s.turn * MAX_SETS + slot]
    template = lies.suit * RANKS + lies.lo - 1
    role = role_of(s, card)
    placed = size_of(s, slot) - s.rest + 1
    free = role == NATURAL and s.must == 0
    naturals = s.naturals + (card < NATURALS)
    s.build_mask[PLACE + card] = can_finish_run(s, slot, template, placed, free, role == UPPER_MATE, naturals, card)


@kernel
def role_of(s: Record, card: int) -> int:
    """What a card is in the next place of the run being built [R-23]."""
    if card >= NATURALS:
        return BY_JOKER if card == JOKER else BY_WILD
    suit = int(s.sets[s.target * MAX_SETS + s.slot].suit)
    if card == card_at(suit, int(s.place)):
        return NATURAL
    return LOWER_MATE if card == card_at(suit, s.place - 1) else UPPER_MATE


@kernel
def _place_off_legal(s: Record) -> None:
    """[R-32, R-33]"""
    lies = s.sets[s.target * MAX_SETS + s.slot]
    for card in range(TYPES):
        if lies.kind == A_KIND:
            s.build_mask[PLACE + card] = fits_kind(s, lies, card)
        elif s.hands[s.turn, card] > 0:
            fits = fits_end(s, lies, card, int(s.place), int(s.direction), s.free == 1, s.must == 1)
            s.build_mask[PLACE + card] = fits


@kernel
def place_card(s: Record, card: int) -> None:
    """The next card of the set being built leaves the hand for the table [R-21]."""
    lies = s.sets[s.target * MAX_SETS + s.slot]
    _lose(s, int(s.turn), card)
    s.tabled[card] += 1
    lies.size += 1
    if lies.kind == A_KIND:
        s.first_class = card // RANKS if card < NATURALS else KIND_WILD if card == WILD else KIND_JOKER
        lies.fill[s.first_class] += 1
        s.rest -= 1
    else:
        _place_in_run(s, lies, card)
    s.naturals += card < NATURALS
    if s.rest == 0:
        _end_set(s)


@kernel
def _place_in_run(s: Record, lies: Any, card: int) -> None:
    """A lay-off goes on after a duplicate; a lay-down goes on until the run has its size."""
    role = role_of(s, card)
    lies.fill[s.place - 1] = role
    lies.lo = min(int(lies.lo), int(s.place))
    lies.hi = max(int(lies.hi), int(s.place))
    upwards = s.direction >= 0
    s.free = role == NATURAL and s.must == 0
    s.must = role == (UPPER_MATE if upwards else LOWER_MATE)
    s.place += 1 if upwards else -1
    if s.mode == LAYING_DOWN or role not in (LOWER_MATE, UPPER_MATE):
        s.rest -= 1


@kernel
def _end_set(s: Record) -> None:
    mode, slot = int(s.mode), int(s.slot)
    end_build(s)
    if mode == LAYING_DOWN and slot + 1 < sets_on_card(s):
        s.mode = LAYING_DOWN
        s.slot = slot + 1
        s.target = s.turn
        _go_to(s, TEMPLATE)
    else:
        _go_to(s, MAIN)


@kernel
def end_build(s: Record) -> None:
    """Nothing is being laid down or off."""
    s.mode = NOT_BUILDING
    s.slot = 0
    s.target = 0
    s.direction = 0
    s.place = 0
    s.rest = 0
    s.must = 0
    s.free = 0
    s.naturals = 0
    s.first_class = BY_SUIT
    for a in range(KIND, LAY_OFF):
        s.build_mask[a] = 0


# [The turn]: discard one card; who has none left goes out [Going Out]


@kernel
def _discard(s: Record, card: int) -> None:
    """[R-37, R-38]"""
    seat = int(s.turn)
    _lose(s, seat, card)
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


# What moves cards, and who learns of it


@kernel
def push_discard(s: Record, card: int) -> None:
    """A card goes on top of the discard pile."""
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.discarded[card] += 1


@kernel
def _take_discard(s: Record, seat: int) -> None:
    """The top discard goes to a hand, seen by all."""
    s.discard_n -= 1
    card = int(s.discard[s.discard_n])
    s.discard[s.discard_n] = 0
    s.discarded[card] -= 1
    _gain(s, seat, card)
    _learn(s, seat, card)


@kernel
def _draw_unseen(s: Record, seat: int) -> None:
    """The top of the pick-up pile goes to a hand; everybody knows it if the pile was turned over [R-48]."""
    card = _pop_stock(s)
    _gain(s, seat, card)
    if s.recycles > 0:
        _learn(s, seat, card)


@kernel
def _pop_stock(s: Record) -> int:
    """The next card of the pick-up pile."""
    if s.stock_n == 0:
        _turn_over(s)
    s.stock_n -= 1
    card = int(s.stock[s.stock_n])
    s.stock[s.stock_n] = 0
    return card


@kernel
def _turn_over(s: Record) -> None:
    """The discard pile becomes the pick-up pile, oldest discard first, without shuffling [R-48]."""
    size = s.discard_n - s.opt.recycle_keeps_top
    for i in range(size):
        card = s.discard[size - 1 - i]
        s.stock[i] = card
        s.discarded[card] -= 1
    kept = s.discard[s.discard_n - 1]
    for i in range(s.discard_n):
        s.discard[i] = 0
    if s.opt.recycle_keeps_top:
        s.discard[0] = kept
    s.stock_n = size
    s.discard_n = s.opt.recycle_keeps_top
    s.recycles += 1


@kernel
def _gain(s: Record, seat: int, card: int) -> None:
    s.hands[seat, card] += 1
    s.hand_n[seat] += 1


@kernel
def _learn(s: Record, seat: int, card: int) -> None:
    """Everybody knows that a card came to this hand."""
    s.public[seat, card] += 1
    for observer in range(s.seats):
        if observer != seat:
            s.known[observer, seat, card] += 1


@kernel
def _lose(s: Record, seat: int, card: int) -> None:
    """A card leaves the hand for all to see."""
    s.hands[seat, card] -= 1
    s.hand_n[seat] -= 1
    s.public[seat, card] = max(0, s.public[seat, card] - 1)
    for observer in range(s.seats):
        s.known[observer, seat, card] = max(0, s.known[observer, seat, card] - 1)


# [Scoring]


@kernel
def _end_round(s: Record, out: int) -> None:
    """Score the round; `out` went out, -1 = it was cut off [R-50 to R-52]."""
    s.out_seat = out
    for seat in range(s.seats):
        points = hand_points(s, seat)
        score = points if s.opt.low_score_wins else -points
        if seat == out:
            score = _going_out_score(s, seat)
        elif out < 0 and s.opt.cutoff_scoring == 1:
            score = 0
        s.round_scores[seat] = score
        s.scores[seat] += score
    s.round += 1
    if s.opt.reward_when == 0:
        _pay_scores(s, s.round_scores)


@kernel
def _going_out_score(s: Record, out: int) -> int:
    """Later, at once, or Grand Slam [R-51]."""
    if s.laid_turn[out] < s.turns:
        return int(s.opt.going_out_points[0])
    for seat in range(s.seats):
        if seat != out and s.laid_turn[seat] >= 0:
            return int(s.opt.going_out_points[1])
    return int(s.opt.going_out_points[2])


@kernel
def _go_on(s: Record, cut_off: bool) -> None:
    """The next round, or the end of the game; the deal passes to the left [R-06, R-54]."""
    if s.round >= s.opt.n_rounds or s.game_turns >= s.opt.turn_budget:
        _end_game(s, cut_off)
    else:
        s.dealer = (s.dealer + 1) % s.seats
        begin_round(s)


@kernel
def _end_game(s: Record, cut_off: bool) -> None:
    s.phase = OVER
    s.over = 1
    s.truncated = cut_off
    s.seat = s.turn
    s.can_lay = 0
    end_build(s)
    if s.opt.reward_when == 1:
        _pay_scores(s, s.scores)
    _pay_places(s)


@kernel
def _pay_scores(s: Record, scores: Any) -> None:
    """Own score, or what it is above the mean of the others."""
    if s.opt.reward not in (SCORE, ZERO_SUM):
        return
    total = 0
    for seat in range(s.seats):
        total += scores[seat]
    for seat in range(s.seats):
        value = float(scores[seat])
        if s.opt.reward == ZERO_SUM:
            value -= (total - scores[seat]) / (s.seats - 1)
        s.rewards[seat] += (-value if s.opt.low_score_wins else value) / s.opt.reward_scale


@kernel
def _pay_places(s: Record) -> None:
    """The place in the game, or whether it was won; ties are shared [R-55]."""
    if s.opt.reward not in (RANK, WIN):
        return
    winners = 0
    for seat in range(s.seats):
        winners += better_than(s, seat) == 0
    for seat in range(s.seats):
        better = better_than(s, seat)
        if s.opt.reward == WIN:
            s.rewards[seat] = (1.0 / winners if better == 0 else 0.0) - 1.0 / s.seats
        else:
            s.rewards[seat] = float(_worse_than(s, seat) - better) / (s.seats - 1)


@kernel
def better_than(s: Record, seat: int) -> int:
    """How many players have a better total."""
    better = 0
    for other in range(s.seats):
        ahead = s.scores[other] - s.scores[seat]
        better += ahead < 0 if s.opt.low_score_wins else ahead > 0
    return better


@kernel
def _worse_than(s: Record, seat: int) -> int:
    worse = 0
    for other in range(s.seats):
        ahead = s.scores[other] - s.scores[seat]
        worse += ahead > 0 if s.opt.low_score_wins else ahead < 0
    return worse


# Shaping: minus the cards lacking, as a potential


@kernel
def _potential(s: Record, seat: int) -> float:
    return -s.opt.shaping_coef * deficit(s, seat) if s.laid_turn[seat] < 0 else 0.0


@kernel
def _note_potentials(s: Record) -> None:
    for seat in range(s.seats):
        s.potential[seat] = _potential(s, seat)


@kernel
def _pay_potentials(s: Record, ended: bool) -> None:
    """What every seat's potential gained; it is zero at the end of a round."""
    for seat in range(s.seats):
        after = 0.0 if ended else _potential(s, seat)
        s.rewards[seat] += after - s.potential[seat]
        s.potential[seat] = 0.0
