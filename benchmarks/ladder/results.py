"""The results of a ladder as plain numbers: the content of its JSON file, from which pages and tables are made."""

from __future__ import annotations

from dataclasses import asdict

from agents import Agent
from tantra_envs.matches.intervals import estimate
from tantra_envs.opponents.search import Search

from ..harness.formatting import Row, provenance
from ..harness.oracle import ORACLE
from ..harness.pairings import Pairing
from .study import Climb, Ladder, Rung, climbs, seat_of

DIFFERENCE = (-1.0, 1.0)  # bounds of the difference of two scores


def content(ladder: Ladder, climb: Climb, command: str) -> Row:
    """Return the command, the settings, the rungs, the comparisons, and the lead of the open-card search."""
    return {
        **provenance(command, ladder.args.seed),
        "title": ladder.game.title,
        "table": ladder.args.game,
        "players": ladder.game.players,
        "teams": len(ladder.game.teams),
        "settings": ladder.settings,
        "rungs": [_rung(ladder, rung, climb) for rung in ladder.rungs],
        "comparisons": [_comparison(pairing, climb) for pairing in ladder.comparisons],
        "ceiling": _ceiling(ladder, climb),
    }


def _rung(ladder: Ladder, rung: Rung, climb: Climb) -> Row:
    return {
        "agent": rung.agent.name,
        "samples": _samples(rung.agent),
        "milliseconds": climb.milliseconds[seat_of(ladder.game, ladder.args.game, rung.agent)],
        "score": rung.scripted and _score(rung.scripted, climb),
        "below": rung.below and {"against": rung.below.other.name, **_score(rung.below, climb)},
        "exploited": rung.exploited and {"by": rung.exploited.agent.name, **_score(rung.exploited, climb)},
    }


def _samples(agent: Agent) -> int | None:
    """Return the samples of a search agent; None for other agents and for the open-card search."""
    return agent.budget.samples if isinstance(agent, Search) and agent.name != ORACLE else None


def _comparison(pairing: Pairing, climb: Climb) -> Row:
    return {
        "agent": pairing.agent.name,
        "against": pairing.other.name,
        "game": pairing.match.game,
        "players": pairing.game.players,
        "milliseconds": climb.milliseconds[seat_of(pairing.game, pairing.match.game, pairing.agent)],
        "score": _score(pairing, climb),
    }


def _score(pairing: Pairing, climb: Climb) -> Row:
    """Return the score of a pairing and the share of its games that were truncated."""
    match = climb.matches[pairing.records]
    return {**asdict(match.score(0)), "truncated": match.truncated}


def _ceiling(ladder: Ladder, climb: Climb) -> Row | None:
    """Return the score of the open-card search minus that of the highest rung, over the deals that both played."""
    oracle = next((rung.scripted for rung in ladder.rungs if rung.agent.name == ORACLE), None)
    highest = next((rung for rung in reversed(ladder.rungs) if climbs(rung.agent.name)), None)
    if oracle is None or highest is None or highest.scripted is None:
        return None
    above, below = (climb.matches[pairing.records].scores[:, 0] for pairing in (oracle, highest.scripted))
    n = min(len(above), len(below))
    return {"above": highest.agent.name, **asdict(estimate(above[:n] - below[:n], *DIFFERENCE))}
