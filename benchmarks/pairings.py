"""Who plays whom: every pair of agents over the same duplicate deals, and what that says about each.

Partners are one agent's; where everyone plays for himself a team is a seat. One agent has one team among teams of the
other, and every deal is played once with it in each. With two teams that is the plain match. With more, both stories
are told: A alone among Bs and B alone among As; a table of halves would let an agent profit from its own copies. Cell
(row, column) is the row's score alone among the column's.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agents.match import Estimate, Match, Progress, estimate, play_match
from tantra_envs.core.game import Game
from tantra_envs.core.sight import Agent

Pairing = tuple[int, int]  # the agent alone, and the agent of all other teams
Cell = tuple[Match, int]  # a match, and the column of it that belongs to an agent


def pairings(agents: int, teams: int) -> list[Pairing]:
    """With two teams each pair once, else both ways."""
    pairs = itertools.combinations if teams == 2 else itertools.permutations
    return list(pairs(range(agents), 2))


def play(game: Game, pair: Sequence[Agent], deals: int, *, seed: int, progress: Progress) -> Match:
    """`pair` is the agent alone, column 0 of the match, and the agent of the other teams, column 1."""
    return play_match(game, pair, [0] + [1] * (len(game.teams) - 1), deals, seed=seed, progress=progress)


def cells(matches: Mapping[Pairing, Match], teams: int) -> dict[Pairing, Cell]:
    """What each agent reached alone among each other; with two teams a match says it of both."""
    table = {pairing: (match, 0) for pairing, match in matches.items()}
    if teams == 2:
        table |= {(b, a): (match, 1) for (a, b), match in matches.items()}
    return table


def standing(own: Sequence[Cell]) -> tuple[Estimate, Estimate]:
    """Score and reward of one agent over its cells. They share their deals, so one value for each deal counts."""
    scores = np.mean([match.scores[:, column] for match, column in own], axis=0)
    rewards = np.mean([match.rewards[:, column] for match, column in own], axis=0)
    least, most = min(match.least for match, _ in own), max(match.most for match, _ in own)
    return estimate(scores, 0.0, 1.0), estimate(rewards, least, most)


def to_json(match: Match) -> dict[str, Any]:
    """A match as numbers and lists, and its estimates for people who read the file."""
    found = {f"{name}_{what}": _ends(getattr(match, what)(column)) for column, name in enumerate(("alone", "field"))
             for what in ("score", "reward")}  # fmt: skip
    whole = {"least": match.least, "most": match.most, "plies": match.plies, "truncated": match.truncated}
    return {**found, **whole, "scores": match.scores.T.tolist(), "rewards": match.rewards.T.tolist()}


def from_json(kept: Mapping[str, Any]) -> Match:
    """The match that `to_json` wrote; KeyError if it is none."""
    scores, rewards = np.array(kept["scores"]).T, np.array(kept["rewards"]).T
    return Match(scores, rewards, kept["least"], kept["most"], kept["plies"], kept["truncated"])


def _ends(found: Estimate) -> list[float]:
    return [round(end, 6) for end in (found.mean, found.low, found.high)]
