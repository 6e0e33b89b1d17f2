"""The results of an agent in the benchmark: from its games to two files, and back.

Results are a dictionary: `agent` (its name), `label`, `version`, `date`, `training` (declared facts), `exact` (its
exploitability by mini game), and by name of the suite `tables`. A table has

    pairs, partners     by the name of the other agent: `points` (a list for each line-up, with the half points of every
                        deal), `truncated` (share of games), and the score: `mean`, `low`, `high`, `n` (deals)
    exploiters          by kind: the score of an exploiter alone among copies of the agent
    public, held_out    the mean score against each panel
    milliseconds        CPU time of a decision
    digests             by name of an agent: the digest of what it was made from

The points are in a Parquet file, everything else is in a table of results. `lines` and `points` write them, and `read`
reads both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.programs import results as files
from tantra_envs.programs.files import Json
from tantra_envs.programs.results import estimate

from ..harness.figures import SCORE
from ..harness.plans import Row
from ..harness.played import Played
from ..harness.records import means_of_deals
from . import ranking, suite

FOLDER = Path(__file__).resolve().parents[2] / "docs/results/rank"  # results that are part of the project
POINTS = "results.parquet"  # beside the table of results
LABEL, TIME, EXACT = "label", "milliseconds", "exploitability"  # measures of results
POINT: dict[str, Any] = {
    **dict.fromkeys(("agent", "table", "part", "other"), pl.String),
    "truncated": pl.Float64,
    "points": pl.List(pl.List(pl.UInt8)),
}
TABLES = {f"{variant} players={players}": table for table, (variant, players) in suite.TABLES.items()}


def of_games(played: Played) -> Json:
    """Return the results of the agent whose games against the suite are in a folder."""
    tables: dict[str, Json] = {}
    scores = {row["match"]: row for row in played.scores.iter_rows(named=True)}
    for row in played.rows:
        table, part, side = row.tags
        own = tables.setdefault(table, {**{name: {} for name in suite.others(table)}, "exploiters": {}, "digests": {}})
        own["digests"] |= played.digests(row)
        agent, other = played.names(row)[:: 1 if side == suite.ALONE else -1]
        own["agent"] = agent
        if part in suite.EXPLOITERS:
            own["exploiters"][part] = asdict(estimate(scores[row.name]))
        else:
            games = played.games.filter(match=row.name)
            result = own[part].setdefault(other, {"points": [], "truncated": []})
            result["points"].insert(0 if side == suite.ALONE else 1, points_of(row, games))
            result["truncated"].append(games["truncated"].mean())
    for result in (row for table, own in tables.items() for part in suite.others(table) for row in own[part].values()):
        result["truncated"] = float(np.mean(result["truncated"]))
    tables = {table: scored(table, own) for table, own in tables.items()}
    for time in played.times:
        tables[time["part"]][TIME] = time["value"]
    agents = {own.pop("agent") for own in tables.values()}
    for program in played.programs.values():
        tables = {table: {TIME: 1000 * program["seconds"], **own} for table, own in tables.items()}
    return {
        "agent": agents.pop() if len(agents) == 1 else played.about["agent"],
        "version": played.labels[row.name]["package"],
        "tables": tables,
        **{name: played.about[name] for name in (LABEL, "training", "exact")},
    }


def points_of(row: Row, games: pl.DataFrame) -> list[int]:
    """Return the half points of an agent in every deal of a line-up, or those that the other agent leaves to it.

    With partners they are the half points of its team, summed over its seats.
    """
    table, part, side = row.tags
    lone = games.filter("alone")
    if part == suite.TOGETHER:
        of_team = lone.group_by("deal").agg((pl.col("score") * 2).round().sum()).sort("deal")
        return list(of_team["score"].cast(pl.Int64))
    units = suite.units(table)
    points = np.rint(means_of_deals(lone)["score"].to_numpy() * units).astype(np.int64)
    return list(map(int, points if side == suite.ALONE else units - points))


def scored(table: str, own: Json) -> Json:
    """Return the results of a table with the scores that follow from its points."""
    parts: Json = {}
    for part in suite.others(table):
        found = ranking.estimates(ranking.scores(own[part], suite.units(table, part)), table)
        parts[part] = {other: {**row, **found[other]} for other, row in own[part].items()}
    return {**own, **parts, **ranking.panel_scores(table, parts[suite.AGAINST])}


# Files


def lines(row: Json) -> Iterator[dict[str, Any]]:
    """Yield the lines of results: what is declared, and the scores and the time at every table."""
    dated = {"date": row["date"]} if "date" in row else {}
    facts = {"agent": row["agent"], "others": "", "seed": suite.SEED, "version": row["version"], **dated}
    for name, value in {LABEL: row["label"], **row["training"]}.items():
        text = "|".join(value) or suite.NOBODY if isinstance(value, list) else value if isinstance(value, str) else ""
        yield files.line(facts, name, {"value": value if isinstance(value, (int, float)) else None}, text)
    for game, value in row["exact"].items():
        yield files.line({**facts, "table": game}, EXACT, {"value": value})
    for panel, score in (ranking.suite_scores(row["tables"]) or {}).items():
        yield _score(facts, score, panel)
    for table, own in row["tables"].items():
        variant, players = suite.TABLES[table]
        digest = own["digests"][row["agent"]]
        at = {**facts, "game": suite.rules(table).name, "table": f"{variant} players={players}", "digest": digest}
        yield files.line(at, TIME, {"value": own[TIME]})
        for part, score in {**{panel: own[panel] for panel in suite.PANELS}, **own["exploiters"]}.items():
            yield _score(at, score, part)
        for part in suite.others(table):
            for other, score in own[part].items():
                yield _score({**at, "others": other, "digest": f"{digest} {own['digests'][other]}"}, score, part)


def _score(facts: Mapping[str, Any], score: Json, part: str) -> dict[str, Any]:
    return files.line(facts, SCORE.name, {**score, "value": score["mean"], "deals": score["n"]}, part)


def points(rows: Iterable[Json]) -> pl.DataFrame:
    """Return the points of results, with a row for every other agent at every table."""
    every = [
        {"agent": row["agent"], "table": table, "part": part, "other": other, **result}
        for row in rows
        for table, own in row["tables"].items()
        for part in suite.others(table)
        for other, result in own[part].items()
    ]
    return pl.DataFrame([{name: row[name] for name in POINT} for row in every], POINT)


def read(folder: Path = FOLDER) -> list[Json]:
    """Return the results in the two files of a folder, in the order of their agents.

    Raises:
        ValueError: A file is damaged, or not of this suite.
    """
    found, file = files.read(folder / files.RESULTS), folder / POINTS
    try:
        rows = of_lines(found.iter_rows(named=True))
        stored = pl.read_parquet(file).cast(POINT)  # type: ignore[arg-type]
        for line in stored.iter_rows(named=True):
            result = rows[line["agent"]]["tables"][line["table"]][line["part"]][line["other"]]
            result |= {"points": line["points"], "truncated": line["truncated"]}
    except (OSError, LookupError, ValueError, pl.exceptions.PolarsError) as error:
        raise ValueError(f"{folder} has no results of suite {suite.VERSION}: {error!r}") from None
    return list(rows.values())


def of_lines(every: Iterable[Mapping[str, Any]]) -> dict[str, Json]:
    """Return results without points by agent, from the lines of a table of results."""
    rows: dict[str, Json] = {}
    for line in every:
        facts = {"agent": line["agent"], "version": line["version"], "date": line["date"]}
        row = rows.setdefault(line["agent"], {**facts, "training": {}, "tables": {}, "exact": {}})
        if line["measure"] == EXACT:
            row["exact"][line["table"]] = line["value"]
        elif line["table"]:
            _add_to_table(row, line)
        elif line["measure"] == LABEL:
            row[LABEL] = line["part"]
        elif line["measure"] != SCORE.name:
            row["training"][line["measure"]] = _declared(line)
    return rows


def _add_to_table(row: Json, line: Mapping[str, Any]) -> None:
    table, part, other = TABLES[line["table"]], line["part"], line["others"]
    parts: Json = {name: {} for name in suite.others(table)}
    own = row["tables"].setdefault(table, {**parts, "exploiters": {}, "digests": {}})
    own["digests"] |= dict(zip((row["agent"], other), line["digest"].split(), strict=False))
    score = {"mean": line["value"], "low": line["low"], "high": line["high"], "n": line["deals"]}
    if line["measure"] == TIME:
        own[TIME] = line["value"]
    elif other:
        own[part][other] = score
    else:
        (own["exploiters"] if part in suite.EXPLOITERS else own)[part] = score


def _declared(line: Mapping[str, Any]) -> Any:
    """Return a fact about a training: a list of agents, a text, or a number."""
    if line["measure"] == "met":
        return [] if line["part"] == suite.NOBODY else line["part"].split("|")
    if line["part"]:
        return line["part"]
    return int(line["value"]) if line["measure"] in suite.WHOLE and line["value"] is not None else line["value"]


def merged(every: Iterable[Sequence[Json]]) -> list[Json]:
    """Return results with one entry for each agent: later tables take the place of earlier ones."""
    rows: dict[str, Json] = {}
    for row in (row for own in every for row in own):
        before = rows.get(row["agent"], {"tables": {}})
        rows[row["agent"]] = {**row, "tables": {**before["tables"], **row["tables"]}}
    return list(rows.values())
