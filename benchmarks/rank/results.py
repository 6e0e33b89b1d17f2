"""The results of a ranking as plain numbers: the content of its JSON file, from which the page is made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from agents import origin
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.intervals import Estimate
from tantra_envs.matches.match import Match

from ..harness.formatting import Row, provenance
from . import suite
from .study import Played, Ranking

PROGRAM = "program"  # key of the usage of an agent that is a program
FOLDER = Path(__file__).resolve().parents[2] / "docs/results/rank"  # results that are part of the project


def content(ranking: Ranking, played: Played, command: str) -> Row:
    """Return the command, the declared training, and the scores of every game and of the suite."""
    args = ranking.args
    agent = next(iter(ranking.agents.values()))[1]
    games = {name: _game(ranking, played, name) for name in ranking.agents}
    return {
        **provenance(command, suite.SEED),
        "suite": suite.VERSION,
        "agent": agent.name,
        "label": args.label or agent.name,
        "training": ranking.training,
        "games": games,
        "score": _suite_score(games) if set(games) == set(BENCHMARKS) else None,
    }


def references(folder: Path = FOLDER) -> dict[str, Row]:
    """Return the results in a folder by the names of their files."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def _game(ranking: Ranking, played: Played, name: str) -> Row:
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
        "score": asdict(mean([score for score in panel.values() if score])),
        **({PROGRAM: played.programs[name]} if name in played.programs else {}),
    }


def mean(scores: Sequence[Row]) -> Estimate:
    """Return the mean over the panel, where the agent has 0.5 against itself.

    The ends of its interval are the means of the ends. The opponents meet the agent on the same deals, so their errors
    do not cancel out as those of independent deals would.
    """
    missing = suite.EVEN * (len(suite.PANEL) - len(scores))
    middle, low, high = (
        (sum(score[name] for score in scores) + missing) / len(suite.PANEL) for name in ("mean", "low", "high")
    )
    return Estimate(middle, low, high, min(score["n"] for score in scores))


def _score(match: Match) -> Row:
    return {**asdict(match.score(0)), "truncated": match.truncated}


def _suite_score(games: Mapping[str, Row]) -> Row:
    """Return the mean over the games, whose deals are independent."""
    scores = [row["score"] for row in games.values()]
    average = float(np.mean([score["mean"] for score in scores]))
    below = float(np.linalg.norm([score["mean"] - score["low"] for score in scores])) / len(scores)
    above = float(np.linalg.norm([score["high"] - score["mean"] for score in scores])) / len(scores)
    return asdict(Estimate(average, average - below, average + above, min(score["n"] for score in scores)))
