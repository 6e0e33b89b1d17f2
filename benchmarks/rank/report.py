"""Report a ranking: the place of the agent on the screen, and results.json and a picture in its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from tantra_envs.english import listed

from ..harness.formatting import Row, number, score_in_words, write_png, write_results
from ..harness.scores import usage_table
from ..harness.themes import finish, means_and_ends
from . import partners, suite
from .completeness import is_declared, missing
from .results import PROGRAM, content, contestant, exploited, ratings, references, truncated
from .statistics import NO_BOUNDS, over_seeds
from .study import Played, Ranking

DPI = 120
Place = tuple[str, Row, bool]  # label, rating, whether it is the agent that was ranked


def write(ranking: Ranking, played: Played, command: str) -> None:
    """Write all files and print the tables."""
    results = content(ranking, played, command)
    write_results(results, ranking.folder / "results.json", ranking.results)
    others = [row for row in references().values() if row["label"] != results["label"]]
    places = standing(results, others)
    write_png(ranking.folder / "standing.png", picture(places, _where(results)), DPI)
    screen = Console()
    screen.print(_scores(results, others))
    screen.print(_pairs(results))
    if programs := {table: row[PROGRAM] for table, row in results["tables"].items() if PROGRAM in row}:
        screen.print(usage_table(programs))
    place = next(i for i, row in enumerate(places, start=1) if row[2])
    screen.print(
        f"place {place} of {len(places)} by rating{_where(results)}: {_neighbours(places, place - 1)}", soft_wrap=True
    )
    if lacking := missing([results]):
        screen.print(f"incomplete under suite {suite.VERSION}: it lacks {'; '.join(lacking)}", soft_wrap=True)
    screen.print(citation(results), soft_wrap=True)
    screen.print(f"saved in {ranking.folder}: results.json, standing.png, records", soft_wrap=True)


def standing(results: Row, others: Sequence[Row]) -> list[Place]:
    """Return the agent among all published results, best rating first. Seeds of one label are averaged.

    Ratings come from one fit to all results, on the tables that the agent played.
    """
    tables = results["tables"].keys()
    known = [
        {**row, "tables": {table: row["tables"][table] for table in tables & row["tables"].keys()}} for row in others
    ]
    everything = [results, *(row for row in known if row["tables"])]
    rated = ratings(everything)
    labels: dict[str, set[str]] = {name: {name} for name in suite.PANEL if name in rated}
    for row in everything:
        labels.setdefault(_label(row), set()).add(contestant(row))
    rows = [
        (label, over_seeds([rated[name] for name in names], NO_BOUNDS), label == _label(results))
        for label, names in labels.items()
    ]
    return sorted(rows, key=lambda row: -row[1]["mean"])


def _label(row: Row) -> str:
    """Return the label of a row in a table of ratings. Agents of the panels have their own name."""
    return str(row["agent"] if row["agent"] in suite.PANEL else row["label"])


def citation(results: Row) -> str:
    """Return a sentence to cite: the scores, the suite, the version of the package, the deals and the training."""
    tables = results["tables"]
    if results["scores"]:
        score = f"{_both(results['scores'])} in"
    else:
        score = listed([f"{_both(row)} in {table}" for table, row in tables.items()]) + " of"
    counts = sorted({pair["n"] for row in tables.values() for pair in row["pairs"].values() if pair})
    deals = f"{counts[0]:,} to {counts[-1]:,} deals"
    training = [
        f"{results['training'][name]:,.{places}f} {unit}"
        for name, places, unit in (("decisions", 0, "decisions"), ("cpu_minutes", 2, "CPU minutes"))
        if results["training"][name] is not None
    ]
    words = f"trained for {listed(training)}" if training else "no training declared"
    if not training and is_declared(results):
        words = "not trained for it"
    where = f"tantra_envs suite {results['suite']}, version {results['version']}"
    kind = "To cite, as an incomplete result" if missing([results]) else "To cite"
    return f"{kind}: {results['label']} scores {score} {where} ({deals}; {words})."


def picture(places: Sequence[Place], where: str = "") -> Figure:
    """Draw all agents by their ratings `where`, the ranked agent in another colour."""
    figure = Figure(figsize=(6, 1.3 + 0.3 * len(places)), layout="constrained")
    axes = figure.subplots()
    for mine in (False, True):
        shown = [(i, rating) for i, (_, rating, own) in enumerate(places) if own == mine]
        means, ends = means_and_ends([rating for _, rating in shown])
        axes.errorbar(means, [i for i, _ in shown], xerr=ends, fmt="o", capsize=3, color="C1" if mine else "C0")
    axes.set_yticks(range(len(places)), [label for label, _, _ in places], fontsize=8)
    axes.set(xlabel=f"rating{where}, suite {suite.VERSION}")
    axes.invert_yaxis()
    finish(axes, "x")
    return figure


def _both(scores: Mapping[str, Row]) -> str:
    public, held_out = (score_in_words(scores[panel]) for panel in suite.PANELS)
    return f"{held_out} against held-out agents and {public} against public ones"


def _scores(results: Row, others: Sequence[Row]) -> Table:
    """Return the scores at every table, with their intervals."""
    heads = ("held-out", "public", "exploiter", "partners", "ms", "truncated")
    table = Table("", *heads, title=f"{results['label']}, suite {suite.VERSION}; 95 % intervals")
    for name, row in results["tables"].items():
        scores = [row["held_out"], row["public"], exploited(name, row), with_partners(name, results, others)]
        table.add_row(name, *map(score_in_words, scores), f"{row['milliseconds']:.2g}", truncated([row]))
    if results["scores"]:
        scores = [results["scores"][panel] for panel in ("held_out", "public")]
        table.add_row("suite", *map(score_in_words, scores), "", "", "", "")
    return table


def _pairs(results: Row) -> Table:
    """Return the mean scores against every opponent."""
    tables = results["tables"]
    counts = sorted({pair["n"] for row in tables.values() for pair in row["pairs"].values() if pair}, reverse=True)
    deals = ", ".join(f"{n:,}" for n in counts)
    table = Table(title="mean scores", caption=f"over {deals} deals; the intervals are in results.json")
    table.add_column("against", no_wrap=True)
    for name in tables:
        table.add_column(name, no_wrap=True)
    for opponent in suite.PANEL:
        pairs = [row["pairs"][opponent] for row in tables.values()]
        table.add_row(opponent, *(number(pair["mean"], 3) if pair else "-" for pair in pairs))
    return table


def with_partners(table: str, results: Row, others: Sequence[Row]) -> Row | None:
    """Return the share of the best known score with held-out partners; None at a table without partners."""
    rows = [row["tables"][table].get("partners") for row in (results, *others) if table in row["tables"]]
    return partners.shares(table, rows[0], [row for row in rows if row]) if rows[0] else None


def _where(results: Row) -> str:
    """Return how many tables the ratings are about, unless they are about the whole suite as those of the page."""
    played, every = len(results["tables"]), len(suite.TABLES)
    return "" if played == every else f" at {played} of {every} tables"


def _neighbours(rows: Sequence[Place], at: int) -> str:
    shown = rows[max(0, at - 1) : at + 2]
    return ", ".join(f"{label} {in_points(rating)}" for label, rating, _ in shown)


def in_points(rating: Row) -> str:
    """Return a rating with its interval in whole points."""
    return f"{rating['mean']:.0f} [{rating['low']:.0f}, {rating['high']:.0f}]"
