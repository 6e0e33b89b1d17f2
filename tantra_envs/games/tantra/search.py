"""Can all sets be laid down, or a set that was begun be finished? The search is exact.

First a bound (search_bound.py): no k kinds use more naturals than the k ranks held most, and no k runs of a size have
fewer holes than the best k in order that do not share, each with the next, a card held once. It refuses most hands.
Then kinds (search_kinds.py), then runs (search_runs.py) with the bound once more after each. The question and the stack
of the search are in `s.find`, which is zero again when it is answered.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .material import KINDS, NATURALS, SUITS, TOTAL
from .search_bound import bound, note_holes
from .search_kinds import wilds_for_kinds
from .search_runs import fill_runs
from .sets import sets_on_card, usable_wilds
from .state import MAX_PLACED


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
    bound(s, kinds, last)
    least = find.bound[kinds] - find.bound[last] + wilds_for_kinds(s)
    forget(s)
    return int(least)


@kernel
def spare_wilds(s: Record, slot: int) -> int:
    """Wild cards that the seat in turn has for the set in a slot at most, as the later ones need theirs.

    The caller may ask for `holes_of` runs, and has to `forget`.
    """
    find, first, last = s.find, max(slot + 1, int(KINDS[s.display])), sets_on_card(s)
    ask(s, int(s.turn))
    wilds = int(find.wilds)
    find.wilds = int(TOTAL[s.display])
    find.first_kind = slot + 1
    bound(s, first, last)
    note_holes(s)
    return int(wilds - find.bound[first])


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
    found = bound(s, ahead, last)
    if found:
        exactly = wilds_for_kinds(s) - find.bound[last]
        found = find.bound[ahead] + exactly <= find.wilds
        if found and first_run < last:
            for i in range(ahead, last + 1):
                find.bound[i] += exactly
            found = fill_runs(s, first_run)
            for i in range(1, MAX_PLACED + 1):
                _forget_step(find.steps[i])
    forget(s)
    return bool(found)


@kernel
def forget(s: Record) -> None:
    """Leave nothing behind, after `fill_runs` only its first step."""
    _forget_question(s.find)
    _forget_bounds(s.find, int(KINDS[s.display]), sets_on_card(s))
    _forget_step(s.find.steps[0])


@kernel
def _forget_question(find: Any) -> None:
    for card in range(NATURALS):
        find.left[card] = 0
    find.wilds = 0
    find.slot = 0
    find.begun = 0
    find.placed = 0
    find.first_kind = 0
    find.rank = 0
    find.rest = 0
    find.suit = 0
    find.naturals = 0


@kernel
def _forget_bounds(find: Any, kinds: int, last: int) -> None:
    """Forget what was noted about the groups of kinds, and about the runs, whose slots are those before `last`."""
    for group in range(1 << kinds):
        find.most[group] = 0
    for suit in range(SUITS):
        find.holes[suit] = 0
        find.single[suit] = 0
    for slot in range(last + 1):
        find.bound[slot] = 0
    for slot in range(kinds, last):
        find.beyond[slot] = 0
        for template in range(NATURALS + 1):
            find.runs_at[slot, template] = 0
            find.runs_from[slot, template] = 0


@kernel
def _forget_step(step: Any) -> None:
    step.template = 0
    step.option = 0
    step.card = 0
    step.free = 0
    step.must = 0
    step.in_run = 0
    step.spent = 0
