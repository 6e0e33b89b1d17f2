"""Best results of games for one.

Results are ordered by the reward and then by the time. People read them as points or tiles.
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

from ..core.game import Game
from ..drawing.chart import Standing
from ..drawing.drawings import module
from ..programs.files import write_json
from . import ending
from .session import Session

KEPT = 5  # results per puzzle or game
_entering = threading.Lock()  # tables of one server can end at the same time


def enter(file: Path, session: Session) -> str:
    """Enter the finished game into the lists of best results. Return a message for the person.

    The message is "" for a puzzle that is not solved. It enters no list, and its last actions may be taken back.
    """
    score, seconds = float(session.history.totals.sum()), round(session.seconds, 1)
    words = _result(session)
    if not words:
        return ""
    if why := _why_not(session):
        return f"{words}. The game {why}, so it is not in the list of best results."
    session.is_listed = True
    new = {
        "score": score,
        "seconds": seconds,
        "result": words,
        "actions": len(session.history.moves),
        "when": time.strftime("%Y-%m-%d"),
    }
    with _entering:
        lists = read(file)
        entries = lists.setdefault(name(session.game), [])
        entries.append(new)
        entries.sort(key=lambda result: (-result["score"], result["seconds"]))
        place = entries.index(new) + 1
        del entries[KEPT:]
        write_json(file, lists)
    best = entries[0]
    top = best.get(
        "result", words if best["score"] == score else f"score {best['score']:g}"
    )  # older lists have no words
    return f"{words} in {seconds:g} s, place {place}. Best: {top} in {best['seconds']:g} s."


def _result(session: Session) -> str:
    """Return the result of a finished game for one: "Solved", "4 points", or "" for an unsolved puzzle."""
    game, state = session.game, session.history.state
    solved = ending.is_solved(game, state)
    if solved is not None:
        return "Solved" if solved else ""
    standing: Standing = module(game).standing(game, state)
    return ending.amount(standing.teams[0], standing.unit)


def _why_not(session: Session) -> str:
    """Return why a result enters no list, or ""."""
    if session.history.state["truncated"][0]:
        return "was truncated"
    if session.history.facts.hints:
        return "had hints"
    return "is in the list already" if session.is_listed else "" if session.fresh else "was resumed"


def read(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the lists of best results by game name. Raise ValueError if the file holds something else."""
    if not file.exists():
        return {}
    try:
        lists = json.loads(file.read_text(encoding="utf-8"))
        for entries in lists.values():
            for result in entries:
                float(result["score"]), float(result["seconds"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{file} holds no results: {error!r}; move it away") from None
    return lists  # type: ignore[no-any-return]


def name(game: Game) -> str:
    """Return the name of a game with its options that differ from the defaults."""
    fields = game.options.changed(game.config)
    return " ".join((game.name, *(f"{field}={value}" for field, value in sorted(fields.items()))))
