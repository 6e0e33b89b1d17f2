"""Who plays whom, from words: "search:64 over 200 deals", "search against greedy in karma:sixty for 4 players"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from agents import Agent
from tantra_envs.core.game import Game

from ..harness.formatting import slug
from ..harness.lineups import one_vs_rest
from ..harness.preparing import MOST, made
from ..harness.shards import MatchSpec

OVER = r"(?: over (?P<deals>\d+) deals)?"
RUNG = re.compile(rf"(?P<agent>\S+){OVER}")
COMPARISON = re.compile(
    rf"(?P<agent>\S+) against (?P<other>\S+)(?: in (?P<game>\S+))?(?: for (?P<players>\d+) players)?{OVER}"
)


@dataclass(frozen=True)
class Pairing:
    """A player, or a team of it, alone among copies of another, over so many deals."""

    match: MatchSpec
    deals: int
    game: Game
    agent: Agent
    other: Agent

    @property
    def records(self) -> str:
        """The beginning of the names of its records."""
        return slug(f"{self.match.game}-{self.game.players}p_{self.match.agents[0]}_{self.match.agents[1]}")


def rung(words: str, deals: int) -> tuple[str, int]:
    """A player and its number of deals, `deals` if the words name none; ValueError for other words."""
    found = _understood(RUNG, "rungs", words, "PLAYER or PLAYER over N deals")
    return found["agent"], _deals(found["deals"], deals, words)


def comparison(words: str, base: MatchSpec, deals: int) -> Pairing:
    """What the words compare, at the table of `base` or at another; ValueError for other words."""
    allowed = "PLAYER against PLAYER [in GAME:VARIANT] [for N players] [over N deals]"
    found = _understood(COMPARISON, "compare", words, allowed)
    table = replace(base, game=found["game"], options=()) if found["game"] else base
    if found["players"]:
        table = replace(table, options=(("players", int(found["players"])),))
    return pairing(table, found["agent"], found["other"], _deals(found["deals"], deals, words))


def pairing(base: MatchSpec, agent: str, other: str, deals: int) -> Pairing:
    """Two players at the table of `base`; ValueError for what there is not, or does not fit."""
    seated = replace(base, agents=(agent, other), ceiling=True)
    game, (one, rest) = made(seated)
    return Pairing(replace(seated, lineup=one_vs_rest(0, 1, len(game.teams))), deals, game, one, rest)


def once(pairings: Iterable[Pairing]) -> dict[str, Pairing]:
    """By their records; who meets twice plays the larger number of deals."""
    found: dict[str, Pairing] = {}
    for own in pairings:
        if own.records not in found or found[own.records].deals < own.deals:
            found[own.records] = own
    return found


def _understood(form: re.Pattern[str], field: str, words: str, allowed: str) -> dict[str, Any]:
    found = form.fullmatch(" ".join(words.split()))
    if found is None:
        raise ValueError(f"{field}={words!r} is not allowed; allowed: {allowed}")
    return found.groupdict()


def _deals(given: str | None, usual: int, words: str) -> int:
    if given is None:
        return usual
    if not 1 <= int(given) <= MOST:
        raise ValueError(f"deals={given} is not allowed in {words!r}; allowed: 1..{MOST}")
    return int(given)
