"""The search for runs: every template, place by place, with the choices of R-23, and the bound after each run."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.compiled.jit import kernel
from .....core.state import Record
from ...material import IDENTICAL, NATURALS, RANKS
from ..tabled import card_at, has_flag, same_shape, sets_on_card, size_of
from .bound import RUNS_ALIKE, fewest_holes, least_for_kinds, least_for_runs, note_holes, note_runs
from .kinds import wilds_for_kinds

TAKE, LOWER, UPPER, FILL = range(4)  # choices for a place: natural card, duplicate of a neighbour, wild card
CARD_AWAY = np.array([0, -1, 1, 0], np.int64)  # offset of the place whose card the choice uses, or saves (FILL)
NOTHING_YET = -1


@kernel
def fill_runs(s: Record, find: Any, slot: int) -> bool:
    """Fill the runs from `slot` on; the first of them may be unfinished. Return whether it is possible.

    Each step fills one place. A step without further choices returns to the step before it.
    """
    step, place = 0, int(find.placed)
    begun = find.begun == 1
    find.steps[0].option = NOTHING_YET
    find.beyond[slot] = find.bound[slot + int(RUNS_ALIKE[s.display, slot])]
    while step >= 0:
        if _try_next(s, find, step, slot, place, begun and step == 0):
            ended = place + 1 == size_of(s, slot)
            if ended and slot + 1 == sets_on_card(s):
                if find.steps[step + 1].spent + wilds_for_kinds(s, find) <= find.wilds:
                    return True
            elif not ended or _worth_going_on(s, find, step + 1, slot + 1):
                place = 0 if ended else place + 1
                slot += ended
                step += 1
                _begin_step(s, find, step, slot, place)
        else:
            step -= 1
            place -= 1
            if place < 0 and step >= 0:
                slot -= 1
                place = size_of(s, slot) - 1
    return False


@kernel
def _begin_step(s: Record, find: Any, step: int, slot: int, place: int) -> None:
    now = find.steps[step]
    now.option = NOTHING_YET
    now.template = find.steps[step - 1].template
    if place == 0:
        now.free = False
        now.must = False
        now.in_run = 0
        if not same_shape(s, slot):
            now.template = 0  # otherwise templates ascend (D-5)


@kernel
def _try_next(s: Record, find: Any, step: int, slot: int, place: int, fixed: bool) -> bool:
    """Put the next possible card in the place of `step`; the first place of a run also tries the next templates."""
    now = find.steps[step]
    if now.card > 0:
        find.left[now.card - 1] += 1
        now.card = 0
    while True:
        suit, first = now.template // RANKS, now.template % RANKS + 1
        worth_trying = place > 0 or fixed or now.option >= 0 or _may_fit(s, find, step, slot)
        while worth_trying and now.option < FILL:
            now.option += 1
            if _put(s, find, step, slot, suit, first, place):
                return True
        if place > 0 or fixed or now.template == NATURALS - 1:
            return False
        now.template += 1
        now.option = NOTHING_YET


@kernel
def _may_fit(s: Record, find: Any, step: int, slot: int) -> bool:
    """Return whether the step's template has the wild cards for its holes and for all sets after it."""
    now = find.steps[step]
    filled = int(find.runs_at[slot, now.template])
    return bool(now.spent + find.beyond[slot] + least_for_runs(s, slot, filled) <= find.wilds)


@kernel
def _put(s: Record, find: Any, step: int, slot: int, suit: int, first: int, place: int) -> bool:
    """Put the card of the step's choice in a place if it is legal; `place` counts from 0."""
    now, then = find.steps[step], find.steps[step + 1]
    option, last = int(now.option), size_of(s, slot) - 1
    inner = 0 < place < last and has_flag(s, IDENTICAL)
    card = card_at(suit, first + place + int(CARD_AWAY[option]))
    natural = option != FILL
    in_run = now.in_run + natural
    if not _may_put(s, find, now, slot, card, inner) or (place == last and in_run < s.opt.min_naturals_per_set):
        return False
    if natural:
        find.left[card] -= 1
        now.card = card + 1
    then.free = option == TAKE and now.must == 0
    then.must = option == UPPER
    then.in_run = in_run
    then.spent = now.spent + (not natural)
    return True


@kernel
def _may_put(s: Record, find: Any, now: Any, slot: int, card: int, inner: bool) -> bool:
    """Return whether the step's choice is legal [R-23]; a wild card replaces a natural only if saving it can help."""
    option, left = int(now.option), int(find.left[card])
    if option == TAKE:
        return left > 0
    if now.must == 1:
        return False
    if option == LOWER:
        return bool(inner and now.free == 1 and left > 0)
    if option == UPPER:
        return inner and left > 1
    saving = has_flag(s, IDENTICAL) or s.opt.min_naturals_per_set > 0
    return bool((saving or left == 0) and now.spent + 1 + find.bound[slot + 1] <= find.wilds)


@kernel
def _worth_going_on(s: Record, find: Any, step: int, slot: int) -> bool:
    """Check the bound again with the cards that are left now."""
    before = find.steps[step - 1].template if same_shape(s, slot) else 0
    return _look_ahead(s, find, slot, int(before), int(find.steps[step].spent))


@kernel
def _look_ahead(s: Record, find: Any, slot: int, lowest: int, spent: int) -> bool:
    """Return whether the wild cards can suffice for the runs from a slot on, from `lowest`, and all later sets."""
    after = slot + int(RUNS_ALIKE[s.display, slot])
    note_holes(s, find)
    beyond = least_for_kinds(s, find)
    for later in range(after, sets_on_card(s)):
        beyond += fewest_holes(find, size_of(s, later))
    find.beyond[slot] = max(beyond, int(find.bound[after]))
    return note_runs(s, find, slot, lowest, find.wilds - spent - find.beyond[slot])
