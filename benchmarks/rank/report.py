"""Report a ranking: results.json, a picture and tables on the screen, and the tables of the pages of the benchmark.

A score begins as the points of every deal, which `experiment.play` returns. `ranking` turns points into scores with
their intervals, and scores into ratings. `content` adds them to the results for readers of the file. The tables of the
pages compute them from the points again. COLUMNS has the function of each column of the table of all agents.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from tantra_envs.adapters.programs import share_drawn
from tantra_envs.programs.files import Json

from ..harness.pages import (
    finish,
    means_and_ends,
    number,
    provenance,
    score_in_words,
    usage_table,
    write_both,
    write_png,
    write_results,
)
from . import suite
from .experiment import PROGRAM, Ranking
from .exploiters import MINIS, shares_of_uniform
from .ranking import (
    FOLDER,
    NO_BOUNDS,
    Rows,
    best_exploiter,
    by_label,
    contestant,
    in_points,
    label_of,
    over_seeds,
    panel_scores,
    rated,
    references,
    shares,
    suite_scores,
    truncated,
    with_scores,
)

PICTURE = FOLDER.parents[1] / "pictures" / "rank"


# A ranking


def write(ranking: Ranking, played: Mapping[str, Json], command: str) -> None:
    """Write all files and print the tables."""
    results = content(ranking, played, command)
    write_results(results, ranking.folder / "results.json", ranking.args.results)
    others = [row for row in references().values() if row["label"] != results["label"]]
    screen, files = Console(), ["results.json", "records"]
    screen.print(_scores(results, others))
    screen.print(_pairs(results))
    if programs := {table: row[PROGRAM] for table, row in results["tables"].items() if PROGRAM in row}:
        screen.print(usage_table(programs))
    rows = [results, *(row for row in references().values() if _continues(row, results))]
    if lacks := suite.missing(rows):
        words = f"incomplete under suite {suite.VERSION}, so without a place and a rating: it lacks {'; '.join(lacks)}"
        screen.print(words, soft_wrap=True)
    else:
        places, own = rated(by_label([*rows, *others])), label_of(results)
        write_png(ranking.folder / "standing.png", standings(places, own))
        files.append("standing.png")
        screen.print(_place(places, own, drawn(results)), soft_wrap=True)
    screen.print(citation(results), soft_wrap=True)
    screen.print(f"saved in {ranking.folder}: {', '.join(files)}", soft_wrap=True)
    losses = shlex.join(["python", "-m", "benchmarks", "show", "losses", str(ranking.folder)])
    screen.print(f"where it loses: {losses}", soft_wrap=True)


def _continues(row: Json, results: Json) -> bool:
    """Return whether a published row belongs to these results: another training seed of them, or other tables."""
    is_other = contestant(row) != contestant(results) or not row["tables"].keys() & results["tables"].keys()
    return label_of(row) == label_of(results) and is_other


def _place(places: Mapping[str, Json], own: str, note: str) -> str:
    """Return the place of an agent by its rating, with its neighbours."""
    at, words = list(places).index(own), [f"{label} {in_points(rating)}" for label, rating in places.items()]
    neighbours = "; ".join(filter(None, (", ".join(words[max(0, at - 1) : at + 2]), note)))
    return f"place {at + 1} of {len(places)} by rating: {neighbours}"


def content(ranking: Ranking, played: Mapping[str, Json], command: str) -> Json:
    """Return the command, the declared training, and the results of every table and of the suite."""
    names = set(ranking.names.values())
    name = names.pop() if len(names) == 1 else ranking.word  # one function can return an agent for each table
    tables = {table: _scored(table, row) for table, row in played.items()}
    return {
        **provenance(command, suite.SEED),
        "suite": suite.VERSION,
        "agent": name,
        "label": ranking.args.label or name,
        "training": ranking.training,
        "tables": tables,
        "scores": suite_scores(tables),
        "exact": ranking.exact,
    }


def _scored(table: str, row: Json) -> Json:
    """Return the row of a table with the scores that follow from its points."""
    facts = {name: value for name, value in row.items() if name != PROGRAM}
    parts = {part: with_scores(table, part, row[part]) for part in suite.others(table)}
    program = {PROGRAM: row[PROGRAM]} if PROGRAM in row else {}
    return {**facts, **parts, **panel_scores(table, parts[suite.AGAINST]), **program}


def citation(results: Json) -> str:
    """Return a sentence to cite: the scores, the suite, the version of the package, the deals and the training."""
    tables = results["tables"]
    if results["scores"]:
        score = f"{_both(results['scores'])} in"
    else:
        score = "; ".join(f"{_both(row)} in {table}" for table, row in tables.items()) + " of"
    counts = sorted({pair["n"] for row in tables.values() for pair in row["pairs"].values() if pair})
    deals = f"{counts[0]:,} to {counts[-1]:,} deals"
    training = [
        f"{results['training'][name]:,.{places}f} {unit}"
        for name, places, unit in (("decisions", 0, "decisions"), ("cpu_minutes", 2, "CPU minutes"))
        if results["training"][name] is not None
    ]
    words = f"trained for {' and '.join(training)}" if training else "no training declared"
    if not training and suite.is_declared(results):
        words = "not trained for it"
    where = f"tantra_envs suite {results['suite']}, version {results['version']}"
    kind = "To cite, as an incomplete result" if suite.missing([results]) else "To cite"
    facts = "; ".join(filter(None, (deals, words, drawn(results))))
    return f"{kind}: {results['label']} scores {score} {where} ({facts})."


def drawn(results: Json) -> str:
    """Return the share of the decisions of a program that were drawn at random as text; "" for other agents."""
    programs = [row[PROGRAM] for row in results["tables"].values() if PROGRAM in row]
    decisions = sum(used["decisions"] for used in programs)
    shares = sum(used["drawn"] * used["decisions"] for used in programs) / max(1, decisions)
    return f"{share_drawn(shares)} of its decisions drawn at random" if programs else ""


def _both(scores: Mapping[str, Json]) -> str:
    public, held_out = (score_in_words(scores[panel]) for panel in suite.PANELS)
    return f"{held_out} against held-out agents and {public} against public ones"


def _scores(results: Json, others: Sequence[Json]) -> Table:
    """Return the scores at every table, with their intervals."""
    heads = ("held-out", "public", "exploiter", "partners", "ms", "truncated")
    title = "; ".join(filter(None, (f"{results['label']}, suite {suite.VERSION}", drawn(results), "95 % intervals")))
    table = Table("", *heads, title=title)
    for name, row in results["tables"].items():
        scores = [row["held_out"], row["public"], best_exploiter(name, row), with_partners(name, results, others)]
        table.add_row(name, *map(score_in_words, scores), f"{row['milliseconds']:.2g}", truncated([row]))
    if results["scores"]:
        scores = [results["scores"][panel] for panel in ("held_out", "public")]
        table.add_row("suite", *map(score_in_words, scores), "", "", "", "")
    return table


def _pairs(results: Json) -> Table:
    """Return the mean scores against every opponent."""
    tables = results["tables"]
    counts = sorted({pair["n"] for row in tables.values() for pair in row["pairs"].values() if pair}, reverse=True)
    deals = ", ".join(f"{n:,}" for n in counts)
    title = "; ".join(filter(None, ("mean scores", drawn(results))))
    table = Table(title=title, caption=f"over {deals} deals; the intervals are in results.json")
    table.add_column("against", no_wrap=True)
    for name in tables:
        table.add_column(name, no_wrap=True)
    for opponent in suite.PANEL:
        pairs = [row["pairs"][opponent] for row in tables.values()]
        table.add_row(opponent, *(number(pair["mean"], 3) if pair else "-" for pair in pairs))
    return table


def with_partners(table: str, results: Json, others: Sequence[Json]) -> Json | None:
    """Return the share of the best known score with held-out partners; None at a table without partners."""
    rows = [row["tables"][table].get("partners") for row in (results, *others) if table in row["tables"]]
    return shares(table, rows[0], [row for row in rows if row]) if rows[0] else None


# Pages


def parts(page: str) -> dict[str, str]:
    """Return the generated parts of a page of the benchmark by the names of their marks; none of another page."""
    makers: dict[str, Callable[[Rows], str]] = PARTS.get(page, {})
    rows = by_label(references().values()) if makers else {}
    return {name: f"{make(rows)}\n" for name, make in makers.items()}


def write_picture() -> None:
    """Write the picture of the ratings."""
    write_both(PICTURE, PICTURE.name, lambda: standings(rated(by_label(references().values()))), "rank")


def all_agents(rows: Rows) -> str:
    """Return the table of all agents by their rating."""
    lines = [f"| agent | rating | {' | '.join(COLUMNS)} |"]
    lines.append(f"|---|---|{'|'.join('---:' if head in NUMBERS else '---' for head in COLUMNS)}|")
    for label, rating in rated(rows).items():
        own = rows.get(label)
        cells = (
            [cell(own, rows) for cell in COLUMNS.values()] if own else ["-"] * (len(COLUMNS) - 1) + ["opponent only"]
        )
        lines.append(f"| {_code(label)} | {in_points(rating)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def lacking(rows: Rows) -> str:
    """Return a list of what the incomplete rows lack."""
    lines = [f"- {_code(label)}: {'; '.join(words)}" for label, own in rows.items() if (words := suite.missing(own))]
    return "\n".join(lines) or "Every row is complete."


def tables(rows: Rows) -> str:
    """Return the scores against both panels at every table, and that of the exploiter."""
    lines = [f"| agent | {' | '.join(f'`{table}`' for table in suite.TABLES)} |", "|---|" + "---|" * len(suite.TABLES)]
    for label in rated(rows):
        if label in rows:
            cells = [_at_table(table, _of_table(rows[label], table)) for table in suite.TABLES]
            lines.append(f"| {_code(label)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def pairs(rows: Rows) -> str:
    """Return the score of every label against every agent of the panels, with intervals: means over the seeds."""
    lines = [f"| agent | table | {' | '.join(_code(name) for name in suite.PANEL)} | truncated |"]
    lines.append("|---|---|" + "---|" * len(suite.PANEL) + "---:|")
    for label in rated(rows):
        for table in suite.TABLES:
            if own := _of_table(rows.get(label, []), table):
                cells = [_pair([result["pairs"][name] for result in own]) for name in suite.PANEL]
                lines.append(f"| {_code(label)} | `{table}` | {' | '.join(cells)} | {truncated(own)} |")
    return "\n".join(lines)


def standings(places: Mapping[str, Json], own: str = "") -> Figure:
    """Draw the rating of every agent with its interval: held-out agents hollow, `own` in another colour."""
    figure = Figure(figsize=(7, 1.0 + 0.28 * max(len(places), 1)), layout="constrained")
    axes = figure.subplots()
    for i, (name, rating) in enumerate(places.items()):
        color = "C1" if name == own else "C0"
        inside = "none" if name in suite.HELD_OUT else color
        means, ends = means_and_ends([rating])
        axes.errorbar(means, [i], xerr=ends, fmt="o", capsize=3, color=color, markerfacecolor=inside)
    axes.set_yticks(range(len(places)), list(places), fontsize=8)
    axes.invert_yaxis()
    axes.set(xlabel=f"rating, suite {suite.VERSION}")
    finish(axes, "x")
    return figure


def _suite(group: Sequence[Json], panel: str) -> str:
    """Return the score of the suite against a panel, the mean over the seeds."""
    scores = [suite_scores(tables) for tables in _runs(group)]
    whole = [score[panel] for score in scores if score]
    return score_in_words(over_seeds(whole)) if whole else "-"


def _runs(group: Sequence[Json]) -> Iterable[dict[str, Json]]:
    """Return the tables of every training seed: an algorithm that learns games one by one has a file for each."""
    runs: dict[str, dict[str, Json]] = {}
    for row in group:
        runs.setdefault(contestant(row), {}).update(row["tables"])
    return runs.values()


def _exploited(group: Sequence[Json]) -> str:
    """Return the mean score of the exploiters over the games, if there is one at every table."""
    by_table = {table: _exploiters(table, _of_table(group, table)) for table in suite.TABLES}
    if not all(by_table.values()):
        return "-"
    means: dict[str, list[float]] = {}
    for table, found in by_table.items():
        means.setdefault(suite.game_of(table), []).append(over_seeds(found)["mean"])
    return number(float(np.mean([np.mean(scores) for scores in means.values()])), 3)


def _exact(group: Sequence[Json]) -> str:
    """Return the exploitability in the mini games as a share of that of random play, the mean over games and seeds."""
    runs = [list(shares_of_uniform(row["exact"]).values()) for row in group if row["exact"]]
    if not runs:
        return "-"
    fewest = min(map(len, runs))
    part = "" if fewest == len(MINIS) else f" ({fewest} of {len(MINIS)})"
    return f"{np.mean([np.mean(shares) for shares in runs]):.2f}{part}"


def _inputs(group: Sequence[Json]) -> str:
    """Return the inputs of an agent."""
    return _agreed([row["training"].get("inputs") for row in group])


def _met(group: Sequence[Json]) -> str:
    """Return the agents that an agent met in training."""
    every = [row["training"].get("met") for row in group]
    return _agreed([None if met is None else ", ".join(map(_code, met)) or suite.NOBODY for met in every])


def _agreed(words: Sequence[str | None]) -> str:
    """Return what all seeds declare; "-" where one of them differs, or declares nothing."""
    return words[0] or "-" if len(set(words)) == 1 else "-"


def _seeds(group: Sequence[Json]) -> str:
    return str(len({row["training"]["seed"] for row in group if "seed" in row["training"]}) or "-")


def _declared(group: Sequence[Json], name: str, places: int) -> str:
    """Return the mean of what the trainings declare under a name; "-" if one of them declares nothing."""
    values = [row["training"][name] for row in group]
    return "-" if None in values else f"{np.mean(values):,.{places}f}"


def _milliseconds(group: Sequence[Json]) -> str:
    return f"{np.mean([result['milliseconds'] for row in group for result in row['tables'].values()]):.2g}"


def _with_partners(group: Sequence[Json], rows: Rows) -> str:
    """Return the share of the best known score with held-out partners."""
    for table in [name for name in suite.TABLES if suite.TOGETHER in suite.others(name)]:
        known = [result["partners"] for own in rows.values() for result in _of_table(own, table)]
        found = [shares(table, result["partners"], known) for result in _of_table(group, table)]
        return score_in_words(over_seeds(found, NO_BOUNDS)) if any(found) else "-"
    return "-"


def _of_table(group: Sequence[Json], table: str) -> list[Json]:
    return [row["tables"][table] for row in group if table in row["tables"]]


def _at_table(table: str, results: Sequence[Json]) -> str:
    panels = ([result[name] for result in results] for name in ("held_out", "public"))
    scores = (*panels, _exploiters(table, results))
    return " / ".join(number(over_seeds(own)["mean"], 3) if own else "-" for own in scores)


def _exploiters(table: str, results: Sequence[Json]) -> list[Json]:
    """Return the score of the exploiter of the first training seed that has one."""
    return [score for result in results if (score := best_exploiter(table, result))][:1]


def _pair(scores: Sequence[Json | None]) -> str:
    played = [score for score in scores if score]
    return score_in_words(over_seeds(played)) if played else "itself"


def _code(label: str) -> str:
    return f"`{label}`" if label in suite.PANEL else label


# The columns of the table of all agents behind label and rating, from the results of a label and of all labels
COLUMNS: dict[str, Callable[[Sequence[Json], Rows], str]] = {
    "held-out": lambda own, _: _suite(own, "held_out"),
    "public": lambda own, _: _suite(own, "public"),
    "best exploiter": lambda own, _: _exploited(own),
    "exact": lambda own, _: _exact(own),
    "with partners": _with_partners,
    "inputs": lambda own, _: _inputs(own),
    "met": lambda own, _: _met(own),
    "seeds": lambda own, _: _seeds(own),
    "decisions": lambda own, _: _declared(own, "decisions", 0),
    "CPU minutes": lambda own, _: _declared(own, "cpu_minutes", 1),
    "ms": lambda own, _: _milliseconds(own),
    "complete": lambda own, _: "no" if suite.missing(own) else "yes",
}
NUMBERS = ("seeds", "decisions", "CPU minutes", "ms")  # columns aligned to the right
PARTS: dict[str, dict[str, Callable[[Rows], str]]] = {"benchmark.md": {"ranking": all_agents}}
