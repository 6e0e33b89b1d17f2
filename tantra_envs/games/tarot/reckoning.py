"""The declarations before the play: each seat in turn shows classes for their points, and may call (T-37): DECLARE."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.state import Record
from .actions import YES
from .cards import declarer
from .hand_scores import can_call, class_points, show_class
from .state import CLASSES, HandClass, Phase

THE_CALL = len(CLASSES)  # the step of a declarer after the last class (T-37)


@kernel
def declare(s: Record, action: int) -> None:
    """Show the class under decision for its points, or keep it hidden [T-32]."""
    cls = int(s.cls)
    if action == YES:
        _score_class(s, cls)
    reckon(s, cls + 1)


@kernel
def _score_class(s: Record, cls: int) -> None:
    s.points[s.seat] += class_points(s, int(s.seat), cls)
    show_class(s, int(s.seat), cls)
    if cls == HandClass.TAROTS:
        s.tarots_shown = 1


@kernel
def reckon(s: Record, first: int) -> None:
    """Go on from class `first` of the declarer to the next question, or to the first lead [T-37]."""
    while s.declarer_no < s.seats:
        s.seat = declarer(s)
        s.replier = -1
        if _ask_class(s, first) or (first <= THE_CALL and _ask_call(s)):
            return
        s.declarer_no += 1
        s.tarots_shown = 0
        first = 0
    close_reckoning(s)
    s.phase = Phase.PLAY
    s.seat = s.leader


@kernel
def _ask_class(s: Record, first: int) -> bool:
    """Stop at the next class worth points; with `auto_declare` score them all instead [T-32]."""
    for cls in range(first, THE_CALL):
        if class_points(s, int(s.seat), cls) > 0:
            if s.opt.auto_declare == 1:
                _score_class(s, cls)
            else:
                s.phase = Phase.DECLARE
                s.cls = cls
                return True
    return False


@kernel
def _ask_call(s: Record) -> bool:
    """Stop at the call if the declarer can make it [T-40]."""
    s.cls = -1
    if can_call(s, int(s.seat)):
        s.phase = Phase.CALL
        return True
    return False


@kernel
def close_reckoning(s: Record) -> None:
    """Reset the fields of the reckoning."""
    s.declarer_no = 0
    s.cls = -1
    s.tarots_shown = 0
    s.replier = -1
