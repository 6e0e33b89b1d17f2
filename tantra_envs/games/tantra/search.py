"""An exact search that decides whether all sets can be laid down, or an unfinished set completed.

A bound comes first (search_bound.py): k kinds use no more naturals than the k ranks held most. And k runs of a size
have at least the holes of the best k templates in order, where neighbours share no card that is held once. The bound
rejects most hands. Then the kinds are searched (search_kinds.py), then the runs (search_runs.py), with the bound again
after each run. The question and the stack of the search are in `s.find`, which is zero again after the answer.
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
    """Return whether the seat can lay down all sets and keep a card for the discard [R-28, R-29]."""
    if s.laid_turn[seat] >= 0 or s.hand_n[seat] < int(TOTAL[s.display]) + 1:
        return False
    ask(s, seat)
    return answer(s)


@kernel
def deficit(s: Record, seat: int) -> int:
    """Return the number of wild cards that a seat lacks for its sets, or the size of all sets if none helps [R-19].

    The number of cards in hand is ignored.
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
    """Return a lower bound of the wild cards with which the sets can be made of a hand."""
    find, kinds, last = s.find, int(KINDS[s.display]), sets_on_card(s)
    ask(s, seat)
    find.wilds = int(TOTAL[s.display])
    bound(s, kinds, last)
    least = find.bound[kinds] - find.bound[last] + wilds_for_kinds(s)
    forget(s)
    return int(least)


@kernel
def spare_wilds(s: Record, slot: int) -> int:
    """Return an upper bound of the wild cards that the seat in turn can use in a slot, as later sets need theirs.

    After this call the caller may use `holes_of`, and must call `forget`.
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
    """Begin a question: can all sets be made of a hand? The caller may add the progress of an unfinished set."""
    for card in range(NATURALS):
        s.find.left[card] = s.hands[seat, card]
    s.find.wilds = usable_wilds(s, seat)
    s.find.rank = -1


@kernel
def answer(s: Record) -> bool:
    """Return the answer to the question in `s.find`, and clear it."""
    find = s.find
    first_run, last = max(int(find.slot), int(KINDS[s.display])), sets_on_card(s)
    ahead = first_run + find.begun  # an unfinished run has no bound
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
    """Clear the question, its bounds and the first step; `answer` clears the other steps."""
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
    """Clear the notes about the groups of kinds and about the runs, whose slots are those before `last`."""
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
