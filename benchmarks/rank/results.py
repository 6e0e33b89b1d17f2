"""The results of a ranking as plain numbers: the content of its JSON file, from which the page is made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from agents import origin
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches import intervals
from tantra_envs.matches.intervals import Estimate
from tantra_envs.matches.match import Match

from ..harness.formatting import Row, provenance
from . import suite
from .study import Played, Ranking

FOLDER = Path(__file__).resolve().parents[2] / "docs/results/rank"  # results that are part of the project


def content(ranking: Ranking, played: Played, command: str) -> Row:
    """Return the command, the declared training, and the scores of every game and of the suite."""
    args = ranking.args
    agent = next(iter(ranking.agents.values()))[1]
    drawn = {name: _drawn(name, matches) for name, matches in played.matches.items()}
    games = {name: _game(ranking, played, name, drawn[name]) for name in ranking.agents}
    return {
        **provenance(command, suite.SEED),
        "suite": suite.VERSION,
        "agent": agent.name,
        "label": args.label or agent.name,
        "training": ranking.training,
        "games": games,
        "score": _suite_score(games, drawn) if set(games) == set(BENCHMARKS) else None,
    }


def references(folder: Path = FOLDER) -> dict[str, Row]:
    """Return the results in a folder by the names of their files."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def _game(ranking: Ranking, played: Played, name: str, drawn: Any) -> Row:
    game, agent = ranking.agents[name]
    matches = played.matches[name]
    panel = {opponent: _score(matches[opponent]) if opponent in matches else None for opponent in suite.PANEL}
    return {
        "variant": BENCHMARKS[name][0],
        "players": game.players,
        "game": game.name,
        "config": game.options.changed(game.config),
        "origin": origin(agent),
        "panel": panel,
        "panel_origins": ranking.origins[name],
        "deals_digests": {
            str(count): suite.deals_digest(game, count) for count in sorted({len(m.scores) for m in matches.values()})
        },
        "milliseconds": played.milliseconds[name],
        "score": asdict(_mean([score for score in panel.values() if score], drawn)),
    }


def _mean(scores: Sequence[Row], drawn: Any) -> Estimate:
    """Return the mean over the panel. Its interval is widened by what the deals of each agent can miss."""
    count = len(suite.PANEL)
    mean = float(sum(score["mean"] for score in scores) + suite.EVEN * (count - len(scores))) / count
    below = sum(intervals.unseen(score["n"]) * score["mean"] for score in scores) / count
    above = sum(intervals.unseen(score["n"]) * (1 - score["mean"]) for score in scores) / count
    low, high = intervals.interval(drawn)
    return Estimate(mean, min(low, mean - below), max(high, mean + above), min(score["n"] for score in scores))


def _score(match: Match) -> Row:
    return {**asdict(match.score(0)), "truncated": match.truncated}


def _drawn(name: str, matches: Mapping[str, Match]) -> Any:
    """Return resampled means over the panel, (draws,). Agents with equally many deals use the same resampled deals."""
    seed = list(BENCHMARKS).index(name)
    even = [np.full(intervals.DRAWS, suite.EVEN)] * (len(suite.PANEL) - len(matches))
    drawn = [intervals.resampled(match.scores[:, :1], seed)[:, 0] for match in matches.values()]
    return np.mean([*drawn, *even], axis=0)


def _suite_score(games: Mapping[str, Row], drawn: Mapping[str, Any]) -> Row:
    """Return the mean over the games, whose deals are independent, with an interval at least as wide as theirs give."""
    scores = [row["score"] for row in games.values()]
    mean = float(np.mean([score["mean"] for score in scores]))
    below = np.linalg.norm([score["mean"] - score["low"] for score in scores]) / len(scores)
    above = np.linalg.norm([score["high"] - score["mean"] for score in scores]) / len(scores)
    low, high = intervals.interval(np.mean(list(drawn.values()), axis=0))
    ends = min(low, mean - float(below)), max(high, mean + float(above))
    return asdict(Estimate(mean, *ends, min(score["n"] for score in scores)))
