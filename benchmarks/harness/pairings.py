"""Who plays whom, from words: "search against greedy in karma:sixty for 4 players over 200 deals"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents import Agent
from tantra_envs.core.game import Game

from .formatting import slug
from .lineups import one_vs_rest
from .preparing import made
from .shards import MatchSpec
from .worded import OVER, deals_of, understood

PLACE = r"(?: in (?P<game>\S+))?(?: for (?P<players>\d+) players)?"
COMPARISON = re.compile(rf"(?P<agent>\S+) against (?P<other>\S+){PLACE}{OVER}")


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


def comparison(words: str, base: MatchSpec, deals: int) -> Pairing:
    """What the words compare, at the table of `base` or at another; ValueError for other words."""
    allowed = "PLAYER against PLAYER [in GAME:VARIANT] [for N players] [over N deals]"
    found = understood(COMPARISON, "compare", words, allowed)
    return pairing(placed(base, found), found["agent"], found["other"], deals_of(found["deals"], deals, words))


def placed(base: MatchSpec, found: Mapping[str, Any]) -> MatchSpec:
    """The table that words of the form `PLACE` name: that of `base`, or another."""
    table = replace(base, game=found["game"], options=()) if found["game"] else base
    return replace(table, options=(("players", int(found["players"])),)) if found["players"] else table


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
