"""Pair two agents: one of them, or one team of it, plays alone among copies of the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from agents import Agent
from tantra_envs.core.game import Game

from .formatting import slug
from .lineups import one_vs_rest
from .preparing import build, check_same, deals_by_agent, without_limits
from .shards import MatchSpec

FORM = "AGENT OTHER, AGENT OTHER GAME or AGENT OTHER GAME PLAYERS"


@dataclass(frozen=True)
class Pairing:
    """An agent, or one team of it, alone among copies of another, over some deals."""

    match: MatchSpec
    deals: int
    game: Game
    agent: Agent
    other: Agent

    @property
    def records(self) -> str:
        """The prefix of the names of its record files."""
        return slug(f"{self.match.game}-{self.game.players}p_{self.match.agents[0]}_{self.match.agents[1]}")


def comparison(words: str, base: MatchSpec, deals: int) -> Pairing:
    """Return the pairing that `words` describe, at the table of `base` or at another.

    Raises:
        ValueError: The words are not of the form FORM, or the other agent has a number of deals.
    """
    agent, other, game, players, *more = [*words.split(), "", "", "", ""]
    if not other or any(more) or (players and not players.isdigit()):
        raise ValueError(f"compare={words!r} is not allowed; allowed: {FORM}")
    table = replace(base, game=game, options=()) if game else base
    table = replace(table, options=(("players", int(players)),)) if players else table
    ((agent, limit),) = deals_by_agent([agent], deals, "compare").items()
    (other,) = without_limits([other], "compare")
    return pairing(table, agent, other, limit)


def pairing(base: MatchSpec, agent: str, other: str, deals: int) -> Pairing:
    """Return the pairing of two agents at the table of `base`.

    Raises:
        ValueError: An agent is unknown or does not fit the table.
    """
    seated = replace(base, agents=(agent, other), ceiling=True)
    game, (one, rest) = build(seated)
    return Pairing(replace(seated, lineup=one_vs_rest(0, 1, len(game.teams))), deals, game, one, rest)


def once(pairings: Iterable[Pairing]) -> dict[str, Pairing]:
    """Return pairings by the prefix of their records. If a pairing occurs twice, the one with more deals remains.

    Raises:
        ValueError: Two different pairings have the same prefix.
    """
    by_records: dict[str, Pairing] = {}
    for entry in pairings:
        known = by_records.setdefault(entry.records, entry)
        check_same(entry.records, known.match, entry.match)
        if known.deals < entry.deals:
            by_records[entry.records] = entry
    return by_records
