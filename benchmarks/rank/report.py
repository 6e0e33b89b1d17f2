"""Report a ranking: the place of the agent on the screen, and results.json and a picture in its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from tantra_envs.english import listed
from tantra_envs.games import BENCHMARKS

from ..harness.formatting import Row, score_in_words, write_png, write_results
from ..harness.scores import usage_table
from ..harness.themes import finish, means_and_ends
from . import suite
from .results import PROGRAM, content, references
from .statistics import over_seeds
from .study import Played, Ranking

DPI = 120
Place = tuple[str, Row, bool]  # label, score, whether it is the agent that was ranked


def write(ranking: Ranking, played: Played, command: str) -> None:
    """Write all files and print the tables."""
    results = content(ranking, played, command)
    write_results(results, ranking.folder / "results.json", ranking.results)
    others = references()
    places = {name: standing(results, others, name) for name in results["games"]}
    write_png(ranking.folder / "standing.png", picture(places), DPI)
    screen = Console()
    screen.print(_scores(results))
    if programs := {name: row[PROGRAM] for name, row in results["games"].items() if PROGRAM in row}:
        screen.print(usage_table(programs))
    for name, rows in places.items():
        place = next(i for i, row in enumerate(rows, start=1) if row[2])
        screen.print(f"{name}: place {place} of {len(rows)}: {_neighbours(rows, place - 1)}", soft_wrap=True)
    screen.print("A place ignores intervals and training budgets: compare both in docs/baselines.md", soft_wrap=True)
    if is_preliminary(results):
        screen.print(f"preliminary: suite {suite.VERSION} demands {suite.DEALS:,} deals against every agent")
    screen.print(citation(results), soft_wrap=True)
    screen.print(f"saved in {ranking.folder}: results.json, standing.png, records", soft_wrap=True)


def is_preliminary(results: Row) -> bool:
    """Return whether fewer deals were played than the suite demands."""
    return any(cell and cell["n"] < suite.DEALS for row in results["games"].values() for cell in row["panel"].values())


def citation(results: Row) -> str:
    """Return a sentence to cite: the score, the suite, the version of the package, the deals and the training."""
    games = [f"{score_in_words(row['score'])} in {row['variant']}" for row in results["games"].values()]
    score = f"{score_in_words(results['score'])} in" if results["score"] else f"{listed(games)} of"
    cells = [cell for row in results["games"].values() for cell in row["panel"].values() if cell]
    most, *fewer = sorted({cell["n"] for cell in cells}, reverse=True)
    deals = f"{most:,} deals" + "".join(f", {n:,} against {suite.SLOW}" for n in fewer)
    training = [
        f"{results['training'][name]:,.{places}f} {unit}"
        for name, places, unit in (("decisions", 0, "decisions"), ("cpu_minutes", 2, "CPU minutes"))
        if results["training"][name] is not None
    ]
    words = f"trained for {listed(training)}" if training else "no training declared"
    where = f"tantra_envs suite {results['suite']}, version {results['version']}"
    kind = "To cite, as a preliminary result" if is_preliminary(results) else "To cite"
    return f"{kind}: {results['label']} scores {score} {where} ({deals}; {words})."


def standing(results: Row, others: Mapping[str, Row], game: str) -> list[Place]:
    """Return the agent among all published results of a game, best first. Runs with the same label are averaged."""
    rows = [row for row in others.values() if game in row["games"]]
    labels = [label for label in dict.fromkeys(row["label"] for row in rows) if label != results["label"]]
    places = [(label, over_seeds([r["games"][game]["score"] for r in rows if r["label"] == label])) for label in labels]
    whole = [*((*place, False) for place in places), (results["label"], results["games"][game]["score"], True)]
    return sorted(whole, key=lambda place: -place[1]["mean"])


def picture(places: Mapping[str, list[Place]]) -> Figure:
    """Draw one panel for each game: all agents by their scores, the ranked agent in another colour."""
    longest = max(map(len, places.values()))
    figure = Figure(figsize=(3.6 * len(places) + 0.6, 1.3 + 0.3 * longest), layout="constrained")
    for axes, (name, rows) in zip(figure.subplots(1, len(places), squeeze=False)[0], places.items(), strict=True):
        for mine in (False, True):
            shown = [(i, score) for i, (_, score, own) in enumerate(rows) if own == mine]
            means, ends = means_and_ends([score for _, score in shown])
            axes.errorbar(means, [i for i, _ in shown], xerr=ends, fmt="o", capsize=3, color="C1" if mine else "C0")
        axes.set_yticks(range(len(rows)), [label for label, _, _ in rows], fontsize=8)
        axes.set(title=BENCHMARKS[name][0], xlabel="score against the panel", xlim=(0, 1))
        axes.invert_yaxis()
        finish(axes, "x")
    return figure


def _scores(results: Row) -> Table:
    title = f"{results['label']}, suite {suite.VERSION}; 95 % intervals"
    table = Table("", *(f"{BENCHMARKS[name][0]}" for name in results["games"]), title=title)
    for opponent in suite.PANEL:
        cells = [row["panel"][opponent] for row in results["games"].values()]
        table.add_row(opponent, *(f"{score_in_words(cell)}\n{cell['n']} deals" if cell else "itself" for cell in cells))
    table.add_row("score", *(score_in_words(row["score"]) for row in results["games"].values()))
    table.add_row("ms per decision", *(f"{row['milliseconds']:.2g}" for row in results["games"].values()))
    table.add_row("truncated", *(_truncated(row) for row in results["games"].values()))
    if results["score"]:
        table.caption = f"score of the suite: {score_in_words(results['score'])}"
    return table


def _truncated(row: Mapping[str, Any]) -> str:
    shares = [score["truncated"] for score in row["panel"].values() if score]
    return f"{100 * sum(shares) / len(shares):.0f} %"


def _neighbours(rows: Sequence[Place], at: int) -> str:
    shown = rows[max(0, at - 1) : at + 2]
    return ", ".join(f"{label} {score_in_words(score)}" for label, score, _ in shown)
