"""The results of a study as plain data, the content of docs/results/study, from which its page is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tantra_envs.measures import Measure, Scale
from tantra_envs.opponents.learned import LearnedAgent, other_options

from ..harness import shards
from ..harness.figures import holm, p_value
from ..harness.formatting import Row, digits, is_clear, provenance, rounded
from ..harness.lineups import Lineup
from .matchups import OPTIONS, TALLY
from .sections import SCHEMA, Figures
from .study import Counts, Study
from .tally import SEAT, first_seat

EVEN = 0.5
Results = dict[str, Any]
Test = tuple[str, str, Lineup, float]


def content(study: Study, every: Figures, command: str, counts: Counts) -> Results:
    """Return the command, the settings, the measures and all figures."""
    scores = [float(table["score"].max()) for own, table in counts.games.items() if own.counted in (TALLY, OPTIONS)]  # type: ignore[arg-type]
    game = study.games[study.base]
    return {
        **provenance(command, study.args.seed),
        "game": game.id,
        "title": game.title,
        "table": study.args.game,
        "players": game.players,
        "teams": len(game.teams),
        "first_seat": first_seat(game),
        "config": game.options.changed(game.config),
        "variants": list(study.games),
        "agents": study.agents,
        "samples": study.args.samples,
        "playouts": study.args.playouts,
        "most": rounded(max(scores, default=1.0)),
        "same_games": {variant: _total(same.values()) for variant, same in counts.same.items()},
        "same_by_lineup": {variant: {str(own): n for own, n in same.items()} for variant, same in counts.same.items()},
        "untrained": untrained(study),
        **({"training": study.training.facts} if study.training else {}),
        "measures": [{"section": section, **plain(measure)} for (section, _), measure in every.measures.items()],
        "columns": list(SCHEMA),
        "figures": rounded([list(row) for row in every.table.iter_rows()]),
    }


def _total(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    equal, games = zip(*counts, strict=True)
    return sum(equal), sum(games)


def untrained(study: Study) -> dict[str, dict[str, list[str]]]:
    """Return by variant and agent the options that a network plays with, but was not trained with."""
    found: dict[str, dict[str, list[str]]] = {}
    for own in (own for own in study.matchups if not own.lineup.is_trained):
        game, agents = shards.build(own.match)
        for agent in agents:
            if isinstance(agent, LearnedAgent) and (options := other_options(agent.card, game)):
                words = [f"{name}={value}" for name, value in options.items()]
                found.setdefault(own.variant, {})[agent.name] = words
    return found


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


def rows_of(results: Results) -> list[Row]:
    """Return the figures of results as dictionaries, the line-up as a Lineup, with two further entries.

    differs: whether the figure clearly differs from the even value of its measure
    changed: whether its change from the base is clear

    One in twenty tests is clear by chance. So all tests of seats that the page shows are judged together, by Holm's
    method.
    """
    rows = [dict(zip(results["columns"], row, strict=True)) for row in results["figures"]]
    for row in rows:
        row["lineup"] = Lineup.parse(row["lineup"])
    even = {(measure["section"], measure["name"]): measure["even"] for measure in results["measures"]}
    p_values: dict[Test, float] = {}
    for row in rows:
        at, places = even[row["section"], row["measure"]], digits(row["value"])
        row["differs"] = at is not None and is_clear(row["low"] - at, row["high"] - at, places)
        row["changed"] = row["change"] is not None and is_clear(row["change_low"], row["change_high"], places)
        if _is_tested(row):
            p_values |= {test: p_value(*difference) for test, difference in _tests(row).items()}
    clear = holm(p_values)
    for row in rows:
        if _is_tested(row):
            differs, *changed = _tests(row)
            row["differs"] &= differs in clear
            row["changed"] &= set(changed) <= clear
    return rows


def _is_tested(row: Row) -> bool:
    return row["measure"] == SEAT.name and not row["lineup"].is_detail


def _tests(row: Row) -> dict[Test, tuple[float, float, float]]:
    """Return the tests of a seat: a name, and the difference from even, or from the base, with its interval.

    With two seats, both are one test, because their scores add up to 1. They differ from even by the same amount.
    """
    of_seat = row["value"] - EVEN, row["low"] - EVEN, row["high"] - EVEN
    of_change = row["change"], row["change_low"], row["change_high"]
    tests = {"differs": of_seat} | ({"changed": of_change} if row["change"] is not None else {})
    return {(kind, row["variant"], row["lineup"], round(abs(it[0]), 5)): it for kind, it in tests.items()}
