"""An exact search that decides whether all sets can be laid down, or an unfinished set completed.

A bound comes first (bound.py): k kinds use no more naturals than the k ranks held most. And k runs of a size
have at least the holes of the best k templates in order, where neighbours share no card that is held once. The bound
rejects most hands. Then the kinds are searched (kinds.py), then the runs (runs.py), with the bound again
after each run. The question and the stack of the search are in `find`, which is zero again after the answer.
"""

from __future__ import annotations

from typing import Any

from .....core.compiled.jit import kernel
from .....core.compiled.stack import local_zeros
from .....core.state import Record
from ...material import KINDS, NATURALS, TOTAL
from ...state import FIND
from ..tabled import sets_on_card, usable_wilds
from .bound import bound, note_holes
from .kinds import wilds_for_kinds
from .runs import fill_runs


@kernel
def can_lay_down(s: Record, seat: int) -> bool:
    """Return whether the seat can lay down all sets and keep a card for the discard [R-28, R-29]."""
    if s.laid_turn[seat] >= 0 or s.hand_n[seat] < int(TOTAL[s.display]) + 1:
        return False
    return _can_make_sets(s, seat, 0)


@kernel
def deficit(s: Record, seat: int) -> int:
    """Return the number of wild cards that a seat lacks for its sets, or the size of all sets if none helps [R-19].

    The number of cards in hand is ignored.
    """
    find = local_zeros(1, FIND)[0]
    lacking = max(0, -spare_wilds(s, find, seat, -1))
    while lacking < int(TOTAL[s.display]):
        if _can_make_sets(s, seat, lacking):
            return lacking
        lacking += 1
    return int(TOTAL[s.display])


@kernel
def _can_make_sets(s: Record, seat: int, more: int) -> bool:
    """Return whether a hand can make all sets with `more` wild cards."""
    find = local_zeros(1, FIND)[0]
    ask(s, find, seat)
    find.wilds += more
    return answer(s, find)


@kernel
def spare_wilds(s: Record, find: Any, seat: int, slot: int) -> int:
    """Return an upper bound of the wild cards that a seat can use in a slot, as later sets need theirs.

    Slot -1 stands before all sets. After this call the caller may use `holes_of` and `left_of_rank`.
    """
    first, last = max(slot + 1, int(KINDS[s.display])), sets_on_card(s)
    ask(s, find, seat)
    wilds = int(find.wilds)
    find.wilds = int(TOTAL[s.display])
    find.first_kind = slot + 1
    bound(s, find, first, last)
    note_holes(s, find)
    return int(wilds - find.bound[first])


@kernel
def ask(s: Record, find: Any, seat: int) -> None:
    """Write a question to an empty `find`: can all sets be made of a hand?

    The caller may add the progress of an unfinished set.
    """
    for card in range(NATURALS):
        find.left[card] = s.hands[seat, card]
    find.wilds = usable_wilds(s, seat)
    find.rank = -1


@kernel
def answer(s: Record, find: Any) -> bool:
    """Return the answer to the question in `find`; its other fields change."""
    first_run, last = max(int(find.slot), int(KINDS[s.display])), sets_on_card(s)
    ahead = first_run + find.begun  # an unfinished run has no bound
    if not bound(s, find, ahead, last):
        return False
    exactly = wilds_for_kinds(s, find) - find.bound[last]
    if find.bound[ahead] + exactly > find.wilds:
        return False
    for i in range(ahead, last + 1):
        find.bound[i] += exactly
    return first_run == last or fill_runs(s, find, first_run)
