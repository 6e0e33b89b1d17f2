"""Can all sets be laid down, or a set that was begun be finished? The search is exact.

First a bound: no k kinds use more naturals than the k ranks held most, and no k runs of a size have fewer holes than
the best k in order that do not share, each with the next, a card held once. It refuses most hands. Then kinds, by the
most naturals that every group of them can use, rank after rank (never greedily); then runs, place by place, with the
choices of R-23 where identical cards count, and the bound once more after each run. The question and the stack of the
search are in `s.find`, which is zero again when it is answered.
"""

from __future__ import annotations

import numpy as np

from ...core.compiled.jit import kernel
from ...core.state import Record
from .material import (
    DISPLAY_CARDS,
    DISPLAYS,
    IDENTICAL,
    KINDS,
    MAX_OF_RANK,
    MAX_SETS,
    NATURALS,
    PLACES,
    RANKS,
    SUITS,
    TOTAL,
)
from .sets import card_at, has_flag, same_shape, sets_on_card, size_of, usable_wilds
from .state import MAX_PLACED

NEVER = -100  # naturals in kinds that cannot be filled
TAKE, LOWER, UPPER, FILL = range(4)  # what may be put in a place: natural, duplicate of a neighbour, wild card
NOTHING_YET = -1

# Groups of kinds are numbers: bit k is the kind of slot k.
GROUPS = 1 << MAX_SETS
ONES = np.array([bin(bits).count("1") for bits in range(64)], np.int64)  # also of the places of a run, at most 6
GROUP_CARDS = np.zeros((DISPLAYS + 1, GROUPS), np.int64)
ALIKE_AFTER = np.zeros((DISPLAYS + 1, MAX_SETS), np.int64)  # later kinds of the size of the one in this slot
RUNS_ALIKE = np.zeros((DISPLAYS + 1, MAX_SETS), np.int64)  # runs from this slot on that are of its size
for _display, (_sizes, _runs, _flags) in enumerate(DISPLAY_CARDS, start=1):
    for _group in range(GROUPS):
        GROUP_CARDS[_display, _group] = sum(size for k, size in enumerate(_sizes) if _group >> k & 1)
    for _slot, _size in enumerate(_sizes):
        ALIKE_AFTER[_display, _slot] = sum(1 << k for k in range(_slot + 1, len(_sizes)) if _sizes[k] == _size)
    for _slot, _size in enumerate(_runs):
        RUNS_ALIKE[_display, len(_sizes) + _slot] = _runs[_slot:].count(_size)


@kernel
def can_lay_down(s: Record, seat: int) -> bool:
    """Can the seat lay down all sets and keep a card for the discard? [R-28, R-29]"""
    if s.laid_turn[seat] >= 0 or s.hand_n[seat] < int(TOTAL[s.display]) + 1:
        return False
    ask(s, seat)
    return answer(s)


@kernel
def deficit(s: Record, seat: int) -> int:
    """Wild cards that a seat lacks for its sets, all cards of them if no number helps [R-19].

    The number of cards in hand does not enter.
    """
    lacking = max(0, _least_wilds(s, seat) - usable_wilds(s, seat))
    while lacking < int(TOTAL[s.display]):
        ask(s, seat)
        s.find.wilds += lacking
        if answer(s):
            return lacking
        lacking += 1
    return int(TOTAL[s.display])


@kernel
def _least_wilds(s: Record, seat: int) -> int:
    """With fewer wild cards the sets cannot be made of a hand."""
    find, kinds, last = s.find, int(KINDS[s.display]), sets_on_card(s)
    ask(s, seat)
    find.wilds = int(TOTAL[s.display])
    _bound(s, kinds, last)
    least = find.bound[kinds] - find.bound[last] + _wilds_for_kinds(s)
    _forget(s)
    return int(least)


@kernel
def ask(s: Record, seat: int) -> None:
    """Begin a question: can all sets be made of a hand? The caller may add how far they are made already."""
    for card in range(NATURALS):
        s.find.left[card] = s.hands[seat, card]
    s.find.wilds = usable_wilds(s, seat)
    s.find.rank = -1


@kernel
def answer(s: Record) -> bool:
    """The answer to the question in `s.find`, which is forgotten then."""
    find = s.find
    first_run, last = max(int(find.slot), int(KINDS[s.display])), sets_on_card(s)
    ahead = first_run + find.begun  # a run that was begun is not bounded
    found = _bound(s, ahead, last)
    if found:
        exactly = _wilds_for_kinds(s) - find.bound[last]
        found = find.bound[ahead] + exactly <= find.wilds
        if found and first_run < last:
            for i in range(ahead, last + 1):
                find.bound[i] += exactly
            found = _fill_runs(s, first_run)
    _forget(s)
    return bool(found)


@kernel
def _forget(s: Record) -> None:
    find = s.find
    for card in range(NATURALS):
        find.left[card] = 0
    for group in range(GROUPS):
        find.most[group] = 0
    for suit in range(SUITS):
        find.holes[suit] = 0
        find.single[suit] = 0
    for slot in range(MAX_SETS):
        find.bound[slot] = 0
        find.beyond[slot] = 0
        for template in range(NATURALS + 1):
            find.runs_at[slot, template] = 0
            find.runs_from[slot, template] = 0
    find.bound[MAX_SETS] = 0
    for i in range(MAX_PLACED + 1):
        step = find.steps[i]
        step.template = 0
        step.option = 0
        step.card = 0
        step.free = 0
        step.must = 0
        step.in_run = 0
        step.spent = 0
    find.wilds = 0
    find.slot = 0
    find.begun = 0
    find.placed = 0
    find.first_kind = 0
    find.rank = 0
    find.rest = 0
    find.suit = 0
    find.naturals = 0


# A bound


@kernel
def _bound(s: Record, first: int, last: int) -> bool:
    """`bound[i]`: wild cards that the kinds and the runs from slot i on need at least. Cards only get fewer.

    False, perhaps half done, if there are too few.
    """
    find = s.find
    find.bound[last] = _least_for_kinds(s)
    enough = find.bound[last] <= find.wilds
    if first < last and enough:
        _note_holes(s)
    for slot in range(last - 1, first - 1, -1):
        if enough and (slot == first or not same_shape(s, slot)):  # the first of its size
            alike = int(RUNS_ALIKE[s.display, slot])
            after = int(find.bound[slot + alike])
            enough = _note_runs(s, slot, 0, find.wilds - after)
            for i in range(alike):
                find.bound[slot + i] = after + _least_for_runs(s, slot + i, int(find.runs_from[slot + i, 0]))
    return bool(enough)


@kernel
def _least_for_runs(s: Record, slot: int, filled: int) -> int:
    """Wild cards for the runs of one size from a slot on, if so many of their places are filled."""
    return int(RUNS_ALIKE[s.display, slot]) * size_of(s, slot) - filled


@kernel
def _note_runs(s: Record, slot: int, lowest: int, spare: int) -> bool:
    """What the runs of one size from a slot on can fill, with templates in order from `lowest`.

    False, perhaps half done, if `spare` wild cards are too few: of n runs some k have at most k/n of the holes, which
    is asked after each.
    """
    find, alike, size = s.find, int(RUNS_ALIKE[s.display, slot]), size_of(s, slot)
    for runs in range(1, alike + 1):
        first = slot + alike - runs
        find.runs_from[first, NATURALS] = NEVER
        for template in range(NATURALS - 1, lowest - 1, -1):
            best = _most_with_first(s, first, template, size)
            find.runs_at[first, template] = best
            find.runs_from[first, template] = max(best, int(find.runs_from[first, template + 1]))
        if alike * (runs * size - find.runs_from[first, lowest]) > runs * spare:
            return False
    return True


@kernel
def _most_with_first(s: Record, slot: int, template: int, size: int) -> int:
    """Places that the runs of one size from a slot on can fill, the first being of this template.

    Whatever two runs of a size share with all between them, neighbours share: counting those pairs is enough.
    """
    find, suit, first = s.find, template // RANKS, template % RANKS + 1
    if first + size - 1 > PLACES:
        return NEVER
    filled = size - _holes_of(s, suit, first, size)
    if RUNS_ALIKE[s.display, slot] == 1:
        return filled
    apart = min(template + size, (suit + 1) * RANKS)  # templates from here on share nothing with it
    best = int(find.runs_from[slot + 1, apart])
    for later in range(template, apart):
        common = template + size - later
        shared = int(ONES[(find.single[suit] >> (later % RANKS)) & ((1 << common) - 1)])
        best = max(best, find.runs_at[slot + 1, later] - shared)
    return filled + best


@kernel
def _least_for_kinds(s: Record) -> int:
    """k kinds use at most the naturals of the k ranks of which most are left."""
    find = s.find
    kinds = max(0, int(KINDS[s.display]) - find.first_kind)
    needed, used = int(find.rest), 0
    if kinds == 0 and needed == 0:
        return 0
    if kinds > 0:
        needed += int(GROUP_CARDS[s.display, (GROUPS - 1) << find.first_kind & (GROUPS - 1)])
    for rank in range(RANKS):
        held = _left_of_rank(s, rank, 0)
        if rank == find.rank:
            used += min(held, int(find.rest))
        find.ranks[held] += 1
    for held in range(MAX_OF_RANK, 0, -1):
        taken = min(kinds, int(find.ranks[held]))
        used += taken * held
        kinds -= taken
    for held in range(MAX_OF_RANK + 1):
        find.ranks[held] = 0
    return max(0, needed - used)


@kernel
def _left_of_rank(s: Record, rank: int, suit: int) -> int:
    """Naturals of a rank, of the suits from `suit` on."""
    held = 0
    for card in range(suit * RANKS + rank, NATURALS, RANKS):
        held += s.find.left[card]
    return held


@kernel
def _note_holes(s: Record) -> None:
    """By suit, bit place - 1. `holes`: only a wild card can fill this place; a neighbour's duplicate may [R-23].
    `single`: only one run can.
    """
    find = s.find
    pairs = has_flag(s, IDENTICAL)
    for suit in range(SUITS):
        holes, single = 0, 0
        for place in range(1, PLACES + 1):
            held = int(find.left[card_at(suit, place)])
            filled = held > 0
            if pairs and not filled:
                below = place > 1 and find.left[card_at(suit, place - 1)] > 1
                filled = below or (place < PLACES and find.left[card_at(suit, place + 1)] > 1)
            holes |= int(not filled) << (place - 1)
            single |= int(held == 1 and not pairs) << (place - 1)
        find.holes[suit] = holes
        find.single[suit] = single


@kernel
def _fewest_holes(s: Record, size: int) -> int:
    """Of all runs of a size."""
    best = size
    for suit in range(SUITS):
        for first in range(1, PLACES + 2 - size):
            best = min(best, _holes_of(s, suit, first, size))
    return best


@kernel
def _holes_of(s: Record, suit: int, first: int, size: int) -> int:
    return int(ONES[(s.find.holes[suit] >> (first - 1)) & ((1 << size) - 1)])


# Kinds: the most naturals that every group of kinds can use, rank after rank


@kernel
def _wilds_for_kinds(s: Record) -> int:
    """The least wild cards with which the kinds still to fill can be filled from `find.left`; many = never."""
    find = s.find
    kinds = max(0, int(KINDS[s.display]) - find.first_kind)
    if kinds == 0 and find.rank < 0:
        return 0
    everything = (1 << kinds) - 1
    for group in range(1, everything + 1):
        find.most[group] = NEVER if s.opt.min_naturals_per_set > 0 else 0
    find.most[0] = 0
    for rank in range(RANKS):
        held = _left_of_rank(s, rank, 0)
        if rank == find.rank:
            _use_begun_rank(s, everything, held)
        elif held > 0:
            _use_rank(s, everything, rank, held)
    return int(find.rest + _cards_in(s, everything) - find.most[everything])


@kernel
def _cards_in(s: Record, group: int) -> int:
    """Cards in a group of the kinds still to fill."""
    return int(GROUP_CARDS[s.display, group << s.find.first_kind]) if group > 0 else 0


@kernel
def _use_rank(s: Record, everything: int, rank: int, held: int) -> None:
    """Let any kinds have this rank, of which `held` naturals are left."""
    find = s.find
    least = int(s.opt.min_naturals_per_set)
    late = 0
    if rank < find.rank:  # D-5
        late = int(ALIKE_AFTER[s.display, find.first_kind - 1]) >> find.first_kind
    for group in range(everything, 0, -1):
        best = int(find.most[group])
        part = group
        while part > 0:
            before = int(find.most[group ^ part])
            if before >= 0 and held >= least * int(ONES[part]) and part & late == 0:
                best = max(best, before + min(held, _cards_in(s, part)))
            part = (part - 1) & group
        find.most[group] = best


@kernel
def _use_begun_rank(s: Record, everything: int, held: int) -> None:
    """The same for the rank of the kind that was begun, which takes its share first."""
    find = s.find
    least = int(s.opt.min_naturals_per_set)
    fitting = _left_of_rank(s, int(find.rank), int(find.suit))
    for group in range(everything, -1, -1):
        best = NEVER
        part = group
        while part >= 0:
            before = int(find.most[group ^ part])
            for own in range(min(int(find.rest), fitting) + 1):
                others = held - own
                enough = own + find.naturals >= least and others >= least * int(ONES[part])
                if before >= 0 and enough:
                    best = max(best, before + own + min(others, _cards_in(s, part)))
            part = (part - 1) & group if part > 0 else -1
        find.most[group] = best


# Runs: every template, place by place


@kernel
def _fill_runs(s: Record, slot: int) -> bool:
    """Fill the runs from `slot` on; the first of them may have been begun.

    Step by step: every step fills one place; a step that finds nothing more to try goes back to the one before.
    """
    find = s.find
    step, place = 0, int(find.placed)
    begun = find.begun == 1
    find.steps[0].option = NOTHING_YET
    find.beyond[slot] = find.bound[slot + int(RUNS_ALIKE[s.display, slot])]
    while step >= 0:
        if _try_next(s, step, slot, place, begun and step == 0):
            ended = place + 1 == size_of(s, slot)
            if ended and slot + 1 == sets_on_card(s):
                if find.steps[step + 1].spent + _wilds_for_kinds(s) <= find.wilds:
                    return True
            elif not ended or _worth_going_on(s, step + 1, slot + 1):
                place = 0 if ended else place + 1
                slot += ended
                step += 1
                _begin_step(s, step, slot, place)
        else:
            step -= 1
            place -= 1
            if place < 0 and step >= 0:
                slot -= 1
                place = size_of(s, slot) - 1
    return False


@kernel
def _worth_going_on(s: Record, step: int, slot: int) -> bool:
    """The bound once more, with the cards that are left now."""
    before = s.find.steps[step - 1].template if same_shape(s, slot) else 0
    return _look_ahead(s, slot, int(before), int(s.find.steps[step].spent))


@kernel
def _look_ahead(s: Record, slot: int, lowest: int, spent: int) -> bool:
    """Can there be wild cards enough for the runs from a slot on, with templates from `lowest`, and all after them?"""
    find, after = s.find, slot + int(RUNS_ALIKE[s.display, slot])
    _note_holes(s)
    beyond = _least_for_kinds(s)
    for later in range(after, sets_on_card(s)):
        beyond += _fewest_holes(s, size_of(s, later))
    find.beyond[slot] = max(beyond, int(find.bound[after]))
    return _note_runs(s, slot, lowest, find.wilds - spent - find.beyond[slot])


@kernel
def _begin_step(s: Record, step: int, slot: int, place: int) -> None:
    now = s.find.steps[step]
    now.option = NOTHING_YET
    now.template = s.find.steps[step - 1].template
    if place == 0:
        now.free = False
        now.must = False
        now.in_run = 0
        if not same_shape(s, slot):
            now.template = 0  # else in order (D-5)


@kernel
def _try_next(s: Record, step: int, slot: int, place: int, fixed: bool) -> bool:
    """Put the next possible card in the place of `step`, of the next templates too if it is the first of its run."""
    now = s.find.steps[step]
    if now.card > 0:
        s.find.left[now.card - 1] += 1
        now.card = 0
    while True:
        suit, first = now.template // RANKS, now.template % RANKS + 1
        worth_trying = place > 0 or fixed or now.option >= 0 or _may_fit(s, step, slot)
        while worth_trying and now.option < FILL:
            now.option += 1
            if _put(s, step, slot, suit, first, place):
                return True
        if place > 0 or fixed or now.template == NATURALS - 1:
            return False
        now.template += 1
        now.option = NOTHING_YET


@kernel
def _may_fit(s: Record, step: int, slot: int) -> bool:
    """Is the step's template on the board, and are there wild cards for its holes and those of all that comes after?"""
    find, now = s.find, s.find.steps[step]
    filled = int(find.runs_at[slot, now.template])
    return bool(now.spent + find.beyond[slot] + _least_for_runs(s, slot, filled) <= find.wilds)


@kernel
def _put(s: Record, step: int, slot: int, suit: int, first: int, place: int) -> bool:
    """Put what the step's option says in a place, if R-23 allows; `place` counts from 0."""
    find = s.find
    now, then = find.steps[step], find.steps[step + 1]
    option, at = int(now.option), first + place
    inner = 0 < place < size_of(s, slot) - 1 and has_flag(s, IDENTICAL)
    must = now.must == 1
    card = card_at(suit, at)
    if option == TAKE:
        possible = find.left[card] > 0
    elif option == LOWER:
        card = card_at(suit, at - 1) if place > 0 else card
        possible = inner and not must and now.free == 1 and find.left[card] > 0
    elif option == UPPER:
        card = card_at(suit, at + 1) if inner else card
        possible = inner and not must and find.left[card] > 1
    else:  # with nothing else to save a natural for, it is used at once
        saving = has_flag(s, IDENTICAL) or s.opt.min_naturals_per_set > 0
        possible = not must and (saving or find.left[card] == 0)
        possible = possible and now.spent + 1 + find.bound[slot + 1] <= find.wilds
    natural = option != FILL
    in_run = now.in_run + natural
    if not possible or (place == size_of(s, slot) - 1 and in_run < s.opt.min_naturals_per_set):
        return False
    if natural:
        find.left[card] -= 1
        now.card = card + 1
    then.free = option == TAKE and not must
    then.must = option == UPPER
    then.in_run = in_run
    then.spent = now.spent + (not natural)
    return True
