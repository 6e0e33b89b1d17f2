"""How games end: by seats, and how far apart."""

from __future__ import annotations

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import mean
from ..games import load
from ..question import Question, places


def seats(game: Game) -> Question:
    """The score of each place."""
    who = "team" if game.partners else "seat"
    scores = places("score", len(game.teams))
    return Question(
        "Who wins from which seat?",
        f"The score of each {who} by who acts first: the share of the others that it beats, 0.5 is even.",
        "score",
        [mean(f"{who} {place}", score, bounds=(0.0, 1.0)) for place, score in enumerate(scores, start=1)],
        even=0.5,
    )


def spread(game: Game) -> Question:
    """From the best to the last, and from the best to the second."""
    finals = pl.concat_list(places("final", len(game.teams))).list.sort(descending=True)
    best, second, last = finals.list.get(0), finals.list.get(1), finals.list.get(-1)
    return Question(
        "How far apart do they end?",
        f"What stands between them at the end, in {load(game).UNIT}.",
        load(game).UNIT,
        [mean("best to last", best - last)] + [mean("best to second", best - second)] * (len(game.teams) > 2),
    )
