"""The results of a ranking as plain numbers: the content of its JSON file, from which the page is made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from agents import origin
from tantra_envs.matches.intervals import Floats

from ..harness.formatting import Row, provenance
from . import exploiters, partners, points, suite
from .rating import Pairs, rate
from .statistics import NO_BOUNDS, over_seeds

if TYPE_CHECKING:
    from .study import Played, Ranking

PROGRAM = "program"  # key of the usage of an agent that is a program
FOLDER = Path(__file__).resolve().parents[2] / "docs/results/rank"  # results that are part of the project
Rows = Mapping[str, list[Row]]  # the results of every label


def content(ranking: Ranking, played: Played, command: str) -> Row:
    """Return the command, the declared training, and the results of every table and of the suite."""
    names = {agent.name for _, agent in ranking.agents.values()}
    name = names.pop() if len(names) == 1 else ranking.word  # one function can return an agent for each table
    tables = {table: _table(ranking, played, table) for table in ranking.agents}
    return {
        **provenance(command, suite.SEED),
        "suite": suite.VERSION,
        "agent": name,
        "label": ranking.args.label or name,
        "training": ranking.training,
        "tables": tables,
        "scores": suite_scores(tables),
    }


def references(folder: Path = FOLDER) -> dict[str, Row]:
    """Return the results in a folder by the names of their files."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def _table(ranking: Ranking, played: Played, table: str) -> Row:
    game, agent = ranking.agents[table]
    variant, players = suite.TABLES[table]
    pairs = _with_scores(table, played.pairs[table], suite.units(table))
    together = _with_scores(table, played.partners[table], partners.units(table))
    counts = {row["n"] for row in (*pairs.values(), *together.values())}
    return {
        "variant": variant,
        "players": players,
        "game": game.name,
        "config": game.options.changed(game.config),
        "origin": origin(agent),
        "panel_origins": ranking.origins[table],
        "deals_digests": {str(n): suite.deals_digest(game, n) for n in sorted(counts)},
        "milliseconds": played.milliseconds[table],
        "pairs": {opponent: pairs.get(opponent) for opponent in suite.PANEL},
        **({"partners": {name: together.get(name) for name in suite.PARTNERS}} if together else {}),
        "exploited": played.exploited.get(table),
        **panel_scores(table, pairs),
        **({PROGRAM: played.programs[table]} if table in played.programs else {}),
    }


def exploited(table: str, row: Row) -> Row | None:
    """Return the score of the better of two opponents, each alone: the exploiter of an agent, and its start."""
    trained: Row | None = row["exploited"]
    return trained and max(trained, {**trained, **_start_alone(table, row)}, key=itemgetter("mean"))


def _start_alone(table: str, row: Row) -> Row:
    """Return the score of the start of an exploiter alone among copies of the agent."""
    pair = row["pairs"].get(exploiters.START)
    if pair is None:
        return dict.fromkeys(("mean", "low", "high"), suite.EVEN)
    alone = points.scores(pair["points"][-1:], suite.units(table), turned=True)
    return points.estimates({exploiters.START: alone}, table)[exploiters.START]


def truncated(rows: Sequence[Row]) -> str:
    """Return the share of truncated games at a table, the mean over the opponents of all results."""
    shares = [score["truncated"] for row in rows for score in row["pairs"].values() if score]
    return f"{100 * sum(shares) / len(shares):.0f} %"


def _with_scores(table: str, rows: Mapping[str, Row], units: int) -> dict[str, Row]:
    """Return results with the mean score of their points and its interval."""
    columns = {name: points.scores(row["points"], units) for name, row in rows.items()}
    scores = points.estimates(columns, table)
    return {name: {**scores[name], **row} for name, row in rows.items()}


def panel_scores(table: str, pairs: Mapping[str, Row | None]) -> dict[str, Row]:
    """Return the mean score against each panel at a table, where the agent has EVEN against itself."""
    return {panel: _panel_mean(table, pairs, panel).row() for panel in suite.PANELS}


def suite_scores(tables: Mapping[str, Row]) -> dict[str, Row] | None:
    """Return the mean scores against the panels over the games; None unless all tables were played.

    All games have the same weight, and so have the tables of a game.
    """
    if set(tables) != set(suite.TABLES):
        return None
    return {panel: _suite_score(tables, panel) for panel in suite.PANELS}


def _suite_score(tables: Mapping[str, Row], panel: str) -> Row:
    games = [suite.game_of(table) for table in tables]
    weights = [1 / len(suite.GAMES) / games.count(game) for game in games]
    return points.weighted([_panel_mean(table, row["pairs"], panel) for table, row in tables.items()], weights).row()


def _panel_mean(table: str, pairs: Mapping[str, Row | None], panel: str) -> points.Mean:
    opponents = suite.PANELS[panel]
    columns = [points.scores(row["points"], suite.units(table)) for name in opponents if (row := pairs.get(name))]
    return points.mean(columns, len(opponents), table)


def contestant(results: Row) -> str:
    """Return the name of an agent in the ratings: its own in the panels, else its label and its training seed."""
    if results["agent"] in suite.PANEL:
        return str(results["agent"])
    seed = results["training"].get("seed")
    return str(results["label"]) if seed is None else f"{results['label']}, seed {seed}"


def by_label(results: Iterable[Row]) -> Rows:
    """Return results by their label: those of several games and training seeds have one row together."""
    rows: dict[str, list[Row]] = {}
    for row in results:
        rows.setdefault(label_of(row), []).append(row)
    return rows


def label_of(row: Row) -> str:
    """Return the label of a row in a table. Agents of the panels have their own name."""
    return str(row["agent"] if row["agent"] in suite.PANEL else row["label"])


def rated(rows: Rows) -> dict[str, Row]:
    """Return the ratings of all labels and of the agents of the panels, best first. Seeds of one label are averaged."""
    if not rows:
        return {}
    found = rate(_pairs([row for group in rows.values() for row in group]))
    names = {name: [name] for name in suite.PANEL if name in found}
    names |= {label: list(dict.fromkeys(map(contestant, group))) for label, group in rows.items()}
    means = {label: over_seeds([found[name] for name in own], NO_BOUNDS) for label, own in names.items()}
    return dict(sorted(means.items(), key=lambda item: -item[1]["mean"]))


def in_points(rating: Row) -> str:
    """Return a rating with its interval in whole points."""
    return f"{rating['mean']:.0f} [{rating['low']:.0f}, {rating['high']:.0f}]"


def _pairs(results: Sequence[Row]) -> Pairs:
    """Return the scores of all pairs, each once and in an order that the files do not decide."""
    pairs: dict[str, dict[tuple[str, str], Floats]] = {}
    for row in results:
        own = contestant(row)
        for table, played in row["tables"].items():
            for other, score in played["pairs"].items():
                if score and other != own:
                    first, second = sorted((own, other))
                    scores = points.scores(score["points"], suite.units(table), turned=own != first)
                    pairs.setdefault(table, {}).setdefault((first, second), scores)
    return {table: dict(sorted(pairs[table].items())) for table in suite.TABLES if table in pairs}
