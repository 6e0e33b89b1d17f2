"""Report a ranking: results.json and a picture in its folder, and the place of the agent on the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from agents import origin
from tantra_envs.adapters.programs import share_drawn
from tantra_envs.words.english import listed

from ..harness.pages import Row, number, provenance, score_in_words, usage_table, write_png, write_results
from . import suite
from .exploiters import EXPLOITERS
from .page import standings
from .ranking import (
    best_exploiter,
    by_label,
    estimates,
    in_points,
    label_of,
    panel_scores,
    rated,
    references,
    scores,
    shares,
    suite_scores,
    truncated,
)
from .study import Played, Ranking
from .submission import is_declared, missing

DPI = 120
PROGRAM = "program"  # key of the usage of an agent that is a program


def write(ranking: Ranking, played: Played, command: str) -> None:
    """Write all files and print the tables."""
    results = content(ranking, played, command)
    write_results(results, ranking.folder / "results.json", ranking.args.results)
    others = [row for row in references().values() if row["label"] != results["label"]]
    places, own, where = standing(results, others), label_of(results), _where(results)
    write_png(ranking.folder / "standing.png", standings(places, own, where), DPI)
    screen = Console()
    screen.print(_scores(results, others))
    screen.print(_pairs(results))
    if programs := {table: row[PROGRAM] for table, row in results["tables"].items() if PROGRAM in row}:
        screen.print(usage_table(programs))
    at, words = list(places).index(own), [f"{label} {in_points(rating)}" for label, rating in places.items()]
    neighbours = "; ".join(filter(None, (", ".join(words[max(0, at - 1) : at + 2]), drawn(results))))
    screen.print(f"place {at + 1} of {len(places)} by rating{where}: {neighbours}", soft_wrap=True)
    if lacking := missing([results]):
        screen.print(f"incomplete under suite {suite.VERSION}: it lacks {'; '.join(lacking)}", soft_wrap=True)
    screen.print(citation(results), soft_wrap=True)
    screen.print(f"saved in {ranking.folder}: results.json, standing.png, records", soft_wrap=True)


def content(ranking: Ranking, played: Played, command: str) -> Row:
    """Return the command, the declared training, and the results of every table and of the suite."""
    names = {agent.name for _, agent in ranking.agents.values()}
    name = names.pop() if len(names) == 1 else ranking.word  # one function can return an agent for each table
    tables = {table: _at_table(ranking, played, table) for table in ranking.agents}
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


def _at_table(ranking: Ranking, played: Played, table: str) -> Row:
    game, agent = ranking.agents[table]
    variant, players = suite.TABLES[table]
    pairs = _with_scores(table, played.pairs[table], suite.units(table))
    together = _with_scores(table, played.partners[table], suite.partner_units(table))
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
        "exploiters": {name: played.exploiters.get(table, {}).get(name) for name in EXPLOITERS},
        **panel_scores(table, pairs),
        **({PROGRAM: played.programs[table]} if table in played.programs else {}),
    }


def _with_scores(table: str, rows: Mapping[str, Row], units: int) -> dict[str, Row]:
    """Return results with the mean score of their points and its interval."""
    found = estimates(scores(rows, units), table)
    return {name: {**found[name], **row} for name, row in rows.items()}


def standing(results: Row, others: Sequence[Row]) -> dict[str, Row]:
    """Return the ratings of the agent and of all published results by label, best first.

    Ratings come from one fit to all results, on the tables that the agent played.
    """
    tables = results["tables"].keys()
    known = [
        {**row, "tables": {table: row["tables"][table] for table in tables & row["tables"].keys()}} for row in others
    ]
    return rated(by_label([results, *(row for row in known if row["tables"])]))


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
    facts = "; ".join(filter(None, (deals, words, drawn(results))))
    return f"{kind}: {results['label']} scores {score} {where} ({facts})."


def drawn(results: Row) -> str:
    """Return the share of the decisions of a program that were drawn at random as text; "" for other agents."""
    programs = [row[PROGRAM] for row in results["tables"].values() if PROGRAM in row]
    decisions = sum(used["decisions"] for used in programs)
    shares = sum(used["drawn"] * used["decisions"] for used in programs) / max(1, decisions)
    return f"{share_drawn(shares)} of its decisions drawn at random" if programs else ""


def _both(scores: Mapping[str, Row]) -> str:
    public, held_out = (score_in_words(scores[panel]) for panel in suite.PANELS)
    return f"{held_out} against held-out agents and {public} against public ones"


def _scores(results: Row, others: Sequence[Row]) -> Table:
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


def _pairs(results: Row) -> Table:
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


def with_partners(table: str, results: Row, others: Sequence[Row]) -> Row | None:
    """Return the share of the best known score with held-out partners; None at a table without partners."""
    rows = [row["tables"][table].get("partners") for row in (results, *others) if table in row["tables"]]
    return shares(table, rows[0], [row for row in rows if row]) if rows[0] else None


def _where(results: Row) -> str:
    """Return how many tables the ratings are about, unless they are about the whole suite as those of the page."""
    played, every = len(results["tables"]), len(suite.TABLES)
    return "" if played == every else f" at {played} of {every} tables"
