"""What the results of ladders say about depth: scores against the scripted player, by worlds and by kind of player."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EVEN = 0.5  # the scripted player's score against itself
SCRIPTED = "scripted"
SEARCH = re.compile(r"search:(\d+)")
Score = dict[str, Any]  # mean, low, high, n as ladders keep them


@dataclass(frozen=True)
class Depth:
    """How far play goes in one game, by scores against the scripted player."""

    title: str
    table: str
    players: int
    searches: dict[int, Score]  # by their worlds, few first
    others: dict[str, Score]  # uniform, greedy, learned, oracle: what the ladder has of them

    @property
    def best(self) -> Score:
        """The highest score of a search that sees no more than its seat."""
        return self.searches[self.most]

    @property
    def most(self) -> int:
        """The worlds of the search that scores highest."""
        return max(self.searches, key=lambda worlds: float(self.searches[worlds]["mean"]))

    def rise(self) -> tuple[float, float, float] | None:
        """By how much the score rises each time the worlds double, with its interval; None with one search only."""
        (few, low), (many, high) = min(self.searches.items()), max(self.searches.items())
        if few == many:
            return None
        doublings = math.log2(many / few)
        risen = high["mean"] - low["mean"]
        down = math.hypot(high["mean"] - high["low"], low["high"] - low["mean"])
        up = math.hypot(high["high"] - high["mean"], low["mean"] - low["low"])
        return risen / doublings, (risen - down) / doublings, (risen + up) / doublings

    def gained(self) -> float | None:
        """The part of what the oracle gains over the scripted player that search gains without seeing."""
        oracle = self.others.get("oracle")
        if oracle is None or oracle["mean"] <= EVEN:
            return None
        return float((self.best["mean"] - EVEN) / (oracle["mean"] - EVEN))


def depths(folder: Path) -> list[Depth]:
    """All ladders of a folder with a search in them, the game first in which search gets furthest.

    ValueError if there is none, or a file is no ladder's.
    """
    found = [depth for file in sorted(folder.glob("*.json")) if (depth := _depth(file)).searches]
    if not found:
        raise ValueError(f"results={folder} is not allowed; allowed: a folder with results of benchmarks.ladder")
    return sorted(found, key=lambda depth: -float(depth.best["mean"]))


def _depth(file: Path) -> Depth:
    """One ladder; of who played the scripted player twice at its table, the score of more deals."""
    try:
        ladder = json.loads(file.read_text(encoding="utf-8"))
        met = [own for own in ladder["rungs"] if own["score"]]
        table = ladder["table"], ladder["players"]
        met += [
            own for own in ladder["comparisons"]
            if own["against"] == SCRIPTED and (own["game"], own["players"]) == table
        ]  # fmt: skip
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{file} is no result of benchmarks.ladder") from None
    scores: dict[str, Score] = {}
    for own in met:
        if own["agent"] not in scores or scores[own["agent"]]["n"] < own["score"]["n"]:
            scores[own["agent"]] = own["score"]
    worlds = {agent: int(found[1]) for agent in scores if (found := SEARCH.fullmatch(agent))}
    searches = {worlds[agent]: scores[agent] for agent in sorted(worlds, key=lambda agent: worlds[agent])}
    others = {agent.partition(":")[0]: score for agent, score in scores.items() if not agent.startswith("search")}
    return Depth(ladder["title"], ladder["table"], ladder["players"], searches, others)
