"""Players with numbers of deals of their own, in words: "search:64 over 200 deals"."""

from __future__ import annotations

import re
from typing import Any

from .args import MOST

OVER = r"(?: over (?P<deals>\d+) deals)?"
PLAYER = re.compile(rf"(?P<agent>\S+){OVER}")


def over_deals(option: str, words: str, deals: int) -> tuple[str, int]:
    """A player and its number of deals, `deals` if the words name none; ValueError for other words."""
    found = understood(PLAYER, option, words, "PLAYER or PLAYER over N deals")
    return found["agent"], deals_of(found["deals"], deals, words)


def understood(form: re.Pattern[str], option: str, words: str, allowed: str) -> dict[str, Any]:
    """The parts of words of a form; ValueError for others."""
    found = form.fullmatch(" ".join(words.split()))
    if found is None:
        raise ValueError(f"{option}={words!r} is not allowed; allowed: {allowed}")
    return found.groupdict()


def deals_of(given: str | None, usual: int, words: str) -> int:
    """The number that words give, or else the usual one; ValueError for one out of range."""
    if given is None:
        return usual
    if not 1 <= int(given) <= MOST:
        raise ValueError(f"deals={given} is not allowed in {words!r}; allowed: 1..{MOST}")
    return int(given)
