"""Fill in the pages of the benchmark from docs/results/rank: their tables and their picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

import tantra_envs
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.intervals import Floats

from ..harness.pages import Row, finish, means_and_ends, number, score_in_words, write_both
from . import suite
from .declared import NOBODY
from .exploiters import MINIS, shares_of_uniform
from .ranking import (
    FOLDER,
    NO_BOUNDS,
    Rows,
    best_exploiter,
    by_label,
    contestant,
    in_points,
    over_seeds,
    rated,
    references,
    shares,
    suite_scores,
    truncated,
)
from .submission import missing

PICTURE = FOLDER.parents[1] / "pictures" / "rank"
DIFFICULTY = FOLDER.parent / "difficulty.json"
LEARNERS = {"ppo": "PPO", "learn": "Q-learning"}


def parts(page: str) -> dict[str, str]:
    """Return the generated parts of a page of the benchmark by the names of their marks; none of another page."""
    makers: dict[str, Callable[[Rows], str]] = PARTS.get(page, {})
    rows = by_label(references().values()) if makers else {}
    return {name: f"{make(rows)}\n" for name, make in makers.items()}


def write_picture() -> None:
    """Write the picture of the ratings."""
    write_both(PICTURE, PICTURE.name, lambda: standings(rated(by_label(references().values()))), "rank")


def ranking(rows: Rows) -> str:
    """Return the table of all agents by their rating."""
    heads = ["agent", "rating", "held-out", "public", "best exploiter", "exact", "with partners", "inputs", "met"]
    heads += ["seeds", "decisions", "CPU minutes", "ms", "complete"]
    lines = [f"| {' | '.join(heads)} |", "|---|---|---|---|---|---|---|---|---|---:|---:|---:|---:|---|"]
    for label, rating in rated(rows).items():
        cells = _cells(rows[label], rows) if label in rows else ["-"] * 11 + ["opponent only"]
        lines.append(f"| {_code(label)} | {in_points(rating)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def lacking(rows: Rows) -> str:
    """Return a list of what the incomplete rows lack."""
    lines = [f"- {_code(label)}: {'; '.join(words)}" for label, own in rows.items() if (words := missing(own))]
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


def standings(places: Mapping[str, Row], own: str = "", where: str = "") -> Figure:
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
    axes.set(xlabel=f"rating{where}, suite {suite.VERSION}")
    finish(axes, "x")
    return figure


def _cells(group: Sequence[Row], rows: Rows) -> list[str]:
    """Return the cells of a row of the ranking behind its rating."""
    facts = [row["training"] for row in group]
    seeds = {fact["seed"] for fact in facts if "seed" in fact}
    every = [result for row in group for result in row["tables"].values()]
    return [
        _suite(group, "held_out"),
        _suite(group, "public"),
        _exploited(group),
        _exact(group),
        _with_partners(group, rows),
        *_trained_on(facts),
        str(len(seeds) or "-"),
        _declared(facts, "decisions", 0),
        _declared(facts, "cpu_minutes", 1),
        f"{np.mean([result['milliseconds'] for result in every]):.2g}",
        "no" if missing(group) else "yes",
    ]


def _suite(group: Sequence[Row], panel: str) -> str:
    """Return the score of the suite against a panel, the mean over the seeds."""
    scores = [suite_scores(tables) for tables in _runs(group)]
    whole = [score[panel] for score in scores if score]
    return score_in_words(over_seeds(whole)) if whole else "-"


def _runs(group: Sequence[Row]) -> Iterable[dict[str, Row]]:
    """Return the tables of every training seed: an algorithm that learns games one by one has a file for each."""
    runs: dict[str, dict[str, Row]] = {}
    for row in group:
        runs.setdefault(contestant(row), {}).update(row["tables"])
    return runs.values()


def _exploited(group: Sequence[Row]) -> str:
    """Return the mean score of the exploiters over the games, if there is one at every table."""
    by_table = {table: _exploiters(table, _of_table(group, table)) for table in suite.TABLES}
    if not all(by_table.values()):
        return "-"
    means: dict[str, list[float]] = {}
    for table, found in by_table.items():
        means.setdefault(suite.game_of(table), []).append(over_seeds(found)["mean"])
    return number(float(np.mean([np.mean(scores) for scores in means.values()])), 3)


def _exact(group: Sequence[Row]) -> str:
    """Return the exploitability in the mini games as a share of that of random play, the mean over games and seeds."""
    runs = [list(shares_of_uniform(row["exact"]).values()) for row in group if row["exact"]]
    if not runs:
        return "-"
    fewest = min(map(len, runs))
    part = "" if fewest == len(MINIS) else f" ({fewest} of {len(MINIS)})"
    return f"{np.mean([np.mean(shares) for shares in runs]):.2f}{part}"


def _trained_on(facts: Sequence[Row]) -> tuple[str, str]:
    """Return the inputs of an agent, and the agents that it met in training; "-" where one of the seeds differs."""
    inputs = {fact.get("inputs") for fact in facts}
    met = {None if fact.get("met") is None else ", ".join(map(_code, fact["met"])) or NOBODY for fact in facts}
    return tuple(str(own.pop() or "-") if len(own) == 1 else "-" for own in (inputs, met))  # type: ignore[return-value]


def _with_partners(group: Sequence[Row], rows: Rows) -> str:
    """Return the share of the best known score with held-out partners."""
    for table in filter(suite.has_partners, suite.TABLES):
        known = [result["partners"] for own in rows.values() for result in _of_table(own, table)]
        found = [shares(table, result["partners"], known) for result in _of_table(group, table)]
        return score_in_words(over_seeds(found, NO_BOUNDS)) if any(found) else "-"
    return "-"


def _of_table(group: Sequence[Row], table: str) -> list[Row]:
    return [row["tables"][table] for row in group if table in row["tables"]]


def _at_table(table: str, results: Sequence[Row]) -> str:
    panels = ([result[name] for result in results] for name in ("held_out", "public"))
    scores = (*panels, _exploiters(table, results))
    return " / ".join(number(over_seeds(own)["mean"], 3) if own else "-" for own in scores)


def _exploiters(table: str, results: Sequence[Row]) -> list[Row]:
    """Return the score of the exploiter of the first training seed that has one."""
    return [score for result in results if (score := best_exploiter(table, result))][:1]


def _pair(scores: Sequence[Row | None]) -> str:
    played = [score for score in scores if score]
    return score_in_words(over_seeds(played)) if played else "itself"


def _declared(facts: Sequence[Row], name: str, places: int) -> str:
    """Return the mean of what the trainings declare under a name; "-" if one of them declares nothing."""
    if any(fact[name] is None for fact in facts):
        return "-"
    return f"{np.mean([fact[name] for fact in facts]):,.{places}f}"


def _code(label: str) -> str:
    return f"`{label}`" if label in suite.PANEL else label


def settings(rows: list[Row]) -> str:
    """Return two tables of what small budgets reach: in the settings of every game, and PPO with other options."""
    ppo = {"ppo": LEARNERS["ppo"]}
    return f"{_settings_table(rows, LEARNERS, named=True)}\n\n{_settings_table(rows, ppo, named=False)}"


def _settings_table(rows: list[Row], learners: Mapping[str, str], *, named: bool) -> str:
    """Return the table of the named settings, or of the other options."""
    heads = [
        f"{learner}{part}" for learner in learners.values() for part in ("", ", gain", ", in the standard setting")
    ]
    lines = [f"| setting | options that differ | random agent | {' | '.join(heads)} |"]
    lines.append("|---|---|" + "---:|" * (len(heads) + 1))
    for game, (variant, _) in BENCHMARKS.items():
        for name, options, group in _settings_of(game, [row for row in rows if row["game"] == game]):
            if bool(name) == named and any(row["learner"] in learners for row in group):
                (random,) = _means(group, "uniform", "scripted")
                cells = [cell for learner in learners for cell in _learned(group, learner, float(random))]
                lines.append(f"| `{name or variant}` | {options} | {random:.2f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _settings_of(game: str, rows: list[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    """Yield the name of every setting of a game ("" without one), the options that differ, and its rows."""
    variant, players = BENCHMARKS[game]
    standard = tantra_envs.game(variant, players=players).config
    easy, hard = (tantra_envs.game(game, name).config for name in ("easy", "hard"))
    names = {f"{game}:easy": easy, variant: standard, f"{game}:hard": hard}
    configs = [tantra_envs.game(game, **row["config"]).config for row in rows]
    every = [*names.values(), *configs]
    for config in (config for i, config in enumerate(every) if config not in every[:i]):
        group = [row for row, own in zip(rows, configs, strict=True) if own == config]
        name = next((name for name, own in names.items() if own == config), "")
        options = [f"`{key}={json.dumps(value)}`" for key, value in config.items() if value != standard[key]]
        yield name, ", ".join(options), group


def _learned(rows: list[Row], learner: str, random: float) -> list[str]:
    """Return the mean scores of a learner against `uniform` and `scripted`, their gain, and its standard score.

    The gain is the mean of the two scores, less that of a random agent with the score `random` against `scripted`.
    """
    against = {other: _means(rows, learner, other) for other in ("uniform", "scripted", "standard")}
    if not len(against["scripted"]):
        return ["-"] * 3
    gains = (against["uniform"] + against["scripted"] - suite.EVEN - random) / 2
    widest = f" ± {abs(gains - gains.mean()).max():.2f}" if len(gains) > 1 else ""
    standard = f"{against['standard'].mean():.2f}" if len(against["standard"]) else "-"
    scores = f"{against['uniform'].mean():.2f} / {against['scripted'].mean():.2f}"
    return [scores, number(float(gains.mean()), 2) + widest, standard]


def _means(rows: list[Row], learner: str, other: str) -> Floats:
    """Return the score of every seed of a learner against another agent."""
    scores = [row["scores"] for row in rows if row["learner"] == learner]
    return np.array([score[other]["mean"] for score in scores if other in score])


PARTS: dict[str, dict[str, Callable[[Rows], str]]] = {
    "benchmark.md": {"ranking": ranking},
    "benchmark-pairs.md": {"tables": tables, "pairs": pairs, "missing": lacking},
    "easy-and-hard.md": {"settings": lambda _: settings(json.loads(DIFFICULTY.read_text(encoding="utf-8"))["rows"])},
}
