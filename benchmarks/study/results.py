"""The results of a study as plain data, the content of docs/results/study, from which its page is made."""

from __future__ import annotations

from typing import Any

from tantra_envs.measures import Measure, Scale

from ..harness.formatting import provenance, rounded
from .figures import SCHEMA, Figures
from .study import Study

Results = dict[str, Any]
Row = dict[str, Any]


def content(study: Study, every: Figures, command: str, most: float) -> Results:
    """Return the command, the settings, the measures and all figures; `most` is the highest score of a game."""
    game = study.games[study.base]
    return {
        **provenance(command, study.seed),
        "game": game.id,
        "title": game.title,
        "table": study.game_name,
        "players": game.players,
        "teams": len(game.teams),
        "config": game.options.changed(game.config),
        "variants": list(study.games),
        "agents": study.agents,
        "samples": study.samples,
        "most": rounded(most),
        "measures": [{"section": section, **plain(measure)} for (section, _), measure in every.measures.items()],
        "columns": list(SCHEMA),
        "figures": rounded([[row[column] for column in SCHEMA] for row in every.rows]),
    }


def plain(measure: Measure) -> Results:
    """Return the facts about a measure that a page shows."""
    return {
        "name": measure.name,
        "sentence": measure.sentence,
        "unit": measure.unit,
        "even": measure.even,
        "parts": list(measure.names) if measure.parts else [],
        "by": measure.by if isinstance(measure.parts, Scale) else "",
    }


def rows_of(results: Results) -> list[Results]:
    """Return the figures of results as dictionaries."""
    return [dict(zip(results["columns"], row, strict=True)) for row in results["figures"]]
