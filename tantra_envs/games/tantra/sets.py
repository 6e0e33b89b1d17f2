"""Questions about sets: can a hand lay down, can a set that was begun be finished, what fits on a tabled set.

The search is exact. Kinds are decided by the most natural cards that sets of kinds can use (never greedily), runs
place by place, with the choices of R-23 where identical cards count; it keeps its own stack in `s.find`.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.state import Record
from .material import (
    FLAGS,
    IDENTICAL,
    JOKER,
    KINDS,
    MAX_SETS,
    NATURALS,
    NINETEEN,
    NO_BUYING,
    NO_JOKERS,
    PLACES,
    POINTS,
    RANKS,
    SETS,
    SIZES,
    SUITS,
    TOTAL,
    TYPES,
    WILD,
)
from .state import A_KIND, LOWER_MATE, MAX_PLACED, NATURAL, UPPER_MATE

NEVER = -100  # naturals in kinds that cannot be filled
TOO_MANY = 100  # wild cards nobody has
TAKE, LOWER, UPPER, FILL = range(4)  # what may be put in a place: natural, duplicate of a neighbour, wild card
NOTHING_YET = -1


# The round's rules


@kernel
def has_flag(s: Record, flag: int) -> bool:
    """Does the Display Card show this special rule?"""
    return (int(FLAGS[s.display]) & flag) != 0


@kernel
def max_buys(s: Record) -> int:
    """Buys of a player in this round [R-40]."""
    if has_flag(s, NO_BUYING):
        return 0
    return int(s.opt.max_buys_19) if has_flag(s, NINETEEN) else int(s.opt.max_buys)


@kernel
def sets_on_card(s: Record) -> int:
    """Sets of the Display Card."""
    return int(SETS[s.display])


@kernel
def is_kind_slot(s: Record, slot: int) -> bool:
    """Is the set of this slot a kind? Kinds come before runs."""
    return slot < int(KINDS[s.display])


@kernel
def size_of(s: Record, slot: int) -> int:
    """Cards in the set of this slot."""
    return int(SIZES[s.display, slot])


@kernel
def same_shape(s: Record, slot: int) -> bool:
    """Is the set of this slot of the same type and size as the one before it?"""
    return slot > 0 and is_kind_slot(s, slot) == is_kind_slot(s, slot - 1) and size_of(s, slot) == size_of(s, slot - 1)


@kernel
def card_at(suit: int, place: int) -> int:
    """The natural card of a place, 1 .. 14 [R-11]."""
    return suit * RANKS + (place - 1) % RANKS


@kernel
def usable_jokers(s: Record, seat: int) -> int:
    """Jokers in hand that are wild [R-18, R-22]."""
    return 0 if has_flag(s, NO_JOKERS) else int(s.hands[seat, JOKER])


@kernel
def usable_wilds(s: Record, seat: int) -> int:
    """Wild cards in hand, jokers among them [R-16]."""
    return usable_jokers(s, seat) + int(s.hands[seat, WILD])


@kernel
def hand_points(s: Record, seat: int) -> int:
    """Points of the cards in hand [R-53]."""
    table = int(s.opt.card_points)
    points = s.hands[seat, JOKER] * int(POINTS[table, RANKS]) + s.hands[seat, WILD] * int(POINTS[table, RANKS + 1])
    for card in range(NATURALS):
        points += s.hands[seat, card] * int(POINTS[table, card % RANKS])
    return int(points)


# [Laying Down]: can it be done?


@kernel
def can_lay_down(s: Record, seat: int) -> bool:
    """Can the seat lay down all sets and keep a card for the discard? [R-28, R-29]"""
    if s.laid_turn[seat] >= 0 or s.hand_n[seat] < int(TOTAL[s.display]) + 1:
        return False
    return can_finish(s, seat, usable_wilds(s, seat))


@kernel
def deficit(s: Record, seat: int) -> int:
    """Wild cards that a seat lacks for its sets; the number of cards in hand does not enter."""
    held = usable_wilds(s, seat)
    wilds = held
    while not can_finish(s, seat, wilds):
        wilds += 1
    return wilds - held


@kernel
def can_finish(s: Record, seat: int, wilds: int) -> bool:
    """Can all sets be made of the hand's naturals and so many wild cards?"""
    ask(s, seat, wilds)
    return answer(s, 0, NOTHING_YET, 0, False, False, 0)


@kernel
def can_finish_kind(s: Record, slot: int, rank: int, rest: int, suit: int, naturals: int, card: int) -> bool:
    """Can the seat in turn fill a kind begun in `slot`, and all later slots, after `card` leaves its hand? (-1 = none)

    It needs `rest` cards more, naturals only from `suit` on, and holds `naturals` [D-6, R-19].
    """
    _ask_without(s, card)
    s.find.first_kind = slot + 1
    s.find.rank = rank
    s.find.rest = rest
    s.find.suit = suit
    s.find.naturals = naturals
    return answer(s, max(slot + 1, int(KINDS[s.display])), NOTHING_YET, 0, False, False, 0)


@kernel
def can_finish_run(
    s: Record, slot: int, template: int, placed: int, free: bool, must: bool, naturals: int, card: int
) -> bool:
    """The same for a run of `template` = 13 suit + first place - 1, of which `placed` places are filled.

    `free`: the last one holds a natural without a mate; `must`: it holds a duplicate that waits for its mate.
    """
    _ask_without(s, card)
    s.find.first_kind = MAX_SETS
    if placed == size_of(s, slot):
        if naturals < s.opt.min_naturals_per_set:
            _forget(s)
            return False
        lowest = template if slot + 1 < sets_on_card(s) and same_shape(s, slot + 1) else 0
        s.find.template[0] = lowest
        return answer(s, slot + 1, NOTHING_YET, 0, False, False, 0)
    return answer(s, slot, template, placed, free, must, naturals)


@kernel
def ask(s: Record, seat: int, wilds: int) -> None:
    """Begin a question about a hand with so many wild cards."""
    for card in range(NATURALS):
        s.find.left[card] = s.hands[seat, card]
    s.find.wilds = wilds
    s.find.rank = -1


@kernel
def _ask_without(s: Record, card: int) -> None:
    seat = int(s.turn)
    ask(s, seat, usable_wilds(s, seat) - (card >= NATURALS))
    if 0 <= card < NATURALS:
        s.find.left[card] -= 1


@kernel
def answer(s: Record, slot: int, template: int, placed: int, free: bool, must: bool, naturals: int) -> bool:
    """The answer to the question in `s.find`, which is forgotten then."""
    kinds = _wilds_for_kinds(s)
    found = kinds <= s.find.wilds
    first_run = max(slot, int(KINDS[s.display]))
    if found and first_run < sets_on_card(s):
        _bound_runs(s, first_run, kinds)
        begun = template >= 0
        ahead = int(s.find.bound[first_run + 1 if begun else first_run])
        found = ahead <= s.find.wilds and _fill_runs(s, first_run, template, placed, free, must, naturals)
    _forget(s)
    return bool(found)


@kernel
def _forget(s: Record) -> None:
    find = s.find
    for card in range(NATURALS):
        find.left[card] = 0
    for kinds in range(1 << MAX_SETS):
        find.most[kinds] = 0
        find.total[kinds] = 0
        find.count[kinds] = 0
        find.late[kinds] = 0
    for slot in range(MAX_SETS + 1):
        find.bound[slot] = 0
    for step in range(MAX_PLACED + 1):
        find.template[step] = 0
        find.option[step] = 0
        find.card[step] = 0
        find.free[step] = 0
        find.must[step] = 0
        find.in_run[step] = 0
        find.spent[step] = 0
    find.wilds = 0
    find.first_kind = 0
    find.rank = 0
    find.rest = 0
    find.suit = 0
    find.naturals = 0


# Kinds: the most naturals that every set of kinds can use, rank after rank


@kernel
def _wilds_for_kinds(s: Record) -> int:
    """The least wild cards with which the kinds still to fill can be filled from `find.left`; TOO_MANY = never."""
    find = s.find
    kinds = max(0, int(KINDS[s.display]) - find.first_kind)
    if kinds == 0 and find.rank < 0:
        return 0
    _sum_kinds(s, kinds)
    for rank in range(RANKS):
        held = 0
        for suit in range(SUITS):
            held += find.left[suit * RANKS + rank]
        if rank == find.rank:
            _use_begun_rank(s, kinds, held)
        elif held > 0:
            _use_rank(s, kinds, rank, held)
    everything = (1 << kinds) - 1
    if find.most[everything] < 0:
        return TOO_MANY
    return int(find.rest + find.total[everything] - find.most[everything])


@kernel
def _sum_kinds(s: Record, kinds: int) -> None:
    find = s.find
    for chosen in range(1 << kinds):
        find.most[chosen] = NEVER if chosen > 0 and s.opt.min_naturals_per_set > 0 else 0
        for k in range(kinds):
            if chosen >> k & 1:
                slot = find.first_kind + k
                find.total[chosen] += size_of(s, slot)
                find.count[chosen] += 1
                if find.rank >= 0 and size_of(s, slot) == size_of(s, find.first_kind - 1):
                    find.late[chosen] = 1  # D-5


@kernel
def _use_rank(s: Record, kinds: int, rank: int, held: int) -> None:
    """Let any kinds have this rank, of which `held` naturals are left."""
    find = s.find
    least = int(s.opt.min_naturals_per_set)
    for chosen in range((1 << kinds) - 1, 0, -1):
        best = int(find.most[chosen])
        part = chosen
        while part > 0:
            before = int(find.most[chosen ^ part])
            if before >= 0 and held >= least * find.count[part] and not (find.late[part] and rank < find.rank):
                best = max(best, before + min(held, int(find.total[part])))
            part = (part - 1) & chosen
        find.most[chosen] = best


@kernel
def _use_begun_rank(s: Record, kinds: int, held: int) -> None:
    """The same for the rank of the kind that was begun, which takes its share first."""
    find = s.find
    least = int(s.opt.min_naturals_per_set)
    fitting = 0
    for suit in range(find.suit, SUITS):
        fitting += find.left[suit * RANKS + find.rank]
    for chosen in range((1 << kinds) - 1, -1, -1):
        best = NEVER
        part = chosen
        while part >= 0:
            before = int(find.most[chosen ^ part])
            for own in range(min(int(find.rest), fitting) + 1):
                others = held - own
                enough = own + find.naturals >= least and others >= least * find.count[part]
                if before >= 0 and enough:
                    best = max(best, before + own + min(others, int(find.total[part])))
            part = (part - 1) & chosen if part > 0 else -1
        find.most[chosen] = best


# Runs: every template, place by place


@kernel
def _bound_runs(s: Record, first: int, kinds: int) -> None:
    """`bound[i]`: wild cards that kinds and the runs from slot i on need at least. Cards only get fewer."""
    find = s.find
    last = sets_on_card(s)
    find.bound[last] = kinds
    for slot in range(last - 1, first - 1, -1):
        if slot + 1 < last and same_shape(s, slot + 1):
            least = find.bound[slot + 1] - find.bound[slot + 2]
        else:
            least = _fewest_holes(s, size_of(s, slot))
        find.bound[slot] = min(TOO_MANY, find.bound[slot + 1] + least)


@kernel
def _fewest_holes(s: Record, size: int) -> int:
    best = size
    for suit in range(SUITS):
        holes = 0
        for place in range(1, PLACES + 1):
            holes += _is_hole(s, suit, place)
            if place > size:
                holes -= _is_hole(s, suit, place - size)
            if place >= size:
                best = min(best, holes)
    return best


@kernel
def _is_hole(s: Record, suit: int, place: int) -> bool:
    """Does this place need a wild card for certain? A duplicate of a neighbour may fill it [R-23]."""
    left = s.find.left
    if left[card_at(suit, place)] > 0:
        return False
    if not has_flag(s, IDENTICAL):
        return True
    below = place > 1 and left[card_at(suit, place - 1)] > 1
    above = place < PLACES and left[card_at(suit, place + 1)] > 1
    return not (below or above)


@kernel
def _fill_runs(s: Record, slot: int, template: int, placed: int, free: bool, must: bool, naturals: int) -> bool:
    """Fill the runs from `slot` on, the first of them begun with `template` unless that is -1.

    Step by step: every step fills one place; a step that finds nothing more to try goes back to the one before.
    """
    find = s.find
    step, place = 0, placed
    begun = template >= 0
    if begun:
        find.template[0] = template
    find.option[0] = NOTHING_YET
    find.free[0] = free
    find.must[0] = must
    find.in_run[0] = naturals
    while step >= 0:
        size = size_of(s, slot)
        if not _try_next(s, step, slot, place, begun and step == 0):
            step -= 1
            place -= 1
            if place < 0 and step >= 0:
                slot -= 1
                place = size_of(s, slot) - 1
            continue
        place += 1
        if place == size:
            if slot + 1 == sets_on_card(s):
                if find.spent[step + 1] + _wilds_again(s) <= find.wilds:
                    return True
                place -= 1
                continue
            slot += 1
            place = 0
        _begin_step(s, step + 1, slot, place)
        step += 1
    return False


@kernel
def _wilds_again(s: Record) -> int:
    """What the kinds need of the cards the runs have left."""
    for chosen in range(1 << MAX_SETS):
        s.find.total[chosen] = 0
        s.find.count[chosen] = 0
        s.find.late[chosen] = 0
    return _wilds_for_kinds(s)


@kernel
def _begin_step(s: Record, step: int, slot: int, place: int) -> None:
    find = s.find
    find.option[step] = NOTHING_YET
    find.template[step] = find.template[step - 1]
    if place == 0:
        find.free[step] = False
        find.must[step] = False
        find.in_run[step] = 0
        if not same_shape(s, slot):
            find.template[step] = 0  # else in order (D-5)


@kernel
def _try_next(s: Record, step: int, slot: int, place: int, fixed: bool) -> bool:
    """Put the next possible card in the place of `step`, of the next templates too if it is the first of its run."""
    find = s.find
    if find.card[step] > 0:
        find.left[find.card[step] - 1] += 1
        find.card[step] = 0
    while True:
        suit, first = find.template[step] // RANKS, find.template[step] % RANKS + 1
        worth_trying = place > 0 or fixed or find.option[step] >= 0 or _may_fit(s, step, slot, suit, first)
        while worth_trying and find.option[step] < FILL:
            find.option[step] += 1
            if _put(s, step, slot, suit, first, place):
                return True
        if place > 0 or fixed or find.template[step] == NATURALS - 1:
            return False
        find.template[step] += 1
        find.option[step] = NOTHING_YET


@kernel
def _may_fit(s: Record, step: int, slot: int, suit: int, first: int) -> bool:
    """Is the template on the board, and are there wild cards for its holes?"""
    size = size_of(s, slot)
    if first + size - 1 > PLACES:
        return False
    needed = s.find.spent[step] + s.find.bound[slot + 1]
    for place in range(first, first + size):
        needed += _is_hole(s, suit, place)
    return bool(needed <= s.find.wilds)


@kernel
def _put(s: Record, step: int, slot: int, suit: int, first: int, place: int) -> bool:
    """Put what `option[step]` says in a place, if R-23 allows; `place` counts from 0."""
    find = s.find
    option, at = int(find.option[step]), first + place
    inner = 0 < place < size_of(s, slot) - 1 and has_flag(s, IDENTICAL)
    must = find.must[step] == 1
    exhaustive = has_flag(s, IDENTICAL) or s.opt.min_naturals_per_set > 0
    card = card_at(suit, at)
    if option == TAKE:
        possible = find.left[card] > 0
    elif option == LOWER:
        card = card_at(suit, at - 1) if place > 0 else card
        possible = inner and not must and find.free[step] == 1 and find.left[card] > 0
    elif option == UPPER:
        card = card_at(suit, at + 1) if inner else card
        possible = inner and not must and find.left[card] > 1
    else:  # with nothing else to save a natural for, it is used at once
        possible = not must and (exhaustive or find.left[card] == 0)
        possible = possible and find.spent[step] + 1 + find.bound[slot + 1] <= find.wilds
    natural = option != FILL
    in_run = find.in_run[step] + natural
    if not possible or (place == size_of(s, slot) - 1 and in_run < s.opt.min_naturals_per_set):
        return False
    if natural:
        find.left[card] -= 1
        find.card[step] = card + 1
    find.free[step + 1] = option == TAKE and not must
    find.must[step + 1] = option == UPPER
    find.in_run[step + 1] = in_run
    find.spent[step + 1] = find.spent[step] + (not natural)
    return True


# [Laying Off]: what fits on a tabled set?


@kernel
def low_end_free(lies: Any) -> bool:
    """May the lowest card of a run become the mate of a duplicate? [R-33]"""
    return lies.fill[lies.lo - 1] == NATURAL and not (lies.lo < lies.hi and lies.fill[lies.lo] == LOWER_MATE)


@kernel
def high_end_free(lies: Any) -> bool:
    """The same for the highest."""
    return lies.fill[lies.hi - 1] == NATURAL and not (lies.lo < lies.hi and lies.fill[lies.hi - 2] == UPPER_MATE)


@kernel
def open_place(s: Record, lies: Any, place: int) -> bool:
    """May a run grow to this place? [R-12, R-14]"""
    if place < 1 or place > PLACES:
        return False
    if s.opt.two_aces_in_run == 1:
        return True
    return not ((place == 1 and lies.hi == PLACES) or (place == PLACES and lies.lo == 1))


@kernel
def fits_kind(s: Record, lies: Any, card: int) -> bool:
    """May the seat in turn put this card on a kind? [R-32, R-34]"""
    held = s.hands[s.turn, card] > 0 and s.hand_n[s.turn] > 1
    return held and (card == WILD or (card == JOKER and not has_flag(s, NO_JOKERS)) or card % RANKS == lies.rank)


@kernel
def fits_end(s: Record, lies: Any, card: int, place: int, way: int, free: bool, must: bool) -> bool:
    """May the seat in turn put this card in the next place of a run, going `way` = 1 up or -1 down? [R-32 to R-34]"""
    hand, cards = s.hands[s.turn], int(s.hand_n[s.turn])
    suit = int(lies.suit)
    if hand[card] == 0 or cards < 2 or not open_place(s, lies, place):
        return False
    if card == card_at(suit, place):
        return True
    if must:
        return False
    if card >= NATURALS:
        return card == WILD or not has_flag(s, NO_JOKERS)
    pairs = s.opt.identical_layoff == 1 and has_flag(s, IDENTICAL)
    beyond = place + way
    if not pairs or cards < 3 or not open_place(s, lies, beyond):
        return False
    if card == card_at(suit, beyond):
        return bool(hand[card] > 1)
    return free and card == card_at(suit, place - way) and _closes(s, lies, beyond, way, cards - 1)


@kernel
def _closes(s: Record, lies: Any, place: int, way: int, cards: int) -> bool:
    """After a duplicate, with so many cards in hand: does anything fit in the next place?"""
    hand = s.hands[s.turn]
    suit, beyond = int(lies.suit), place + way
    if hand[card_at(suit, place)] > 0 or usable_wilds(s, int(s.turn)) > 0:
        return True
    return cards > 2 and open_place(s, lies, beyond) and hand[card_at(suit, beyond)] > 1


@kernel
def end_takes_any(s: Record, lies: Any, way: int) -> bool:
    """Does any card of the seat in turn fit on this set? `way`: -1 low end or a kind, 1 high end."""
    if lies.kind == A_KIND:
        if way < 0:
            for card in range(TYPES):
                if fits_kind(s, lies, card):
                    return True
        return False
    place = int(lies.hi) + 1 if way > 0 else int(lies.lo) - 1
    if not open_place(s, lies, place):
        return False
    free = high_end_free(lies) if way > 0 else low_end_free(lies)
    if fits_end(s, lies, WILD, place, way, free, False) or fits_end(s, lies, JOKER, place, way, free, False):
        return True
    for at in range(max(1, place - 1), min(PLACES, place + 1) + 1):
        if fits_end(s, lies, card_at(int(lies.suit), at), place, way, free, False):
            return True
    return False
