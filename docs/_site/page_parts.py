"""The parts of pages in docs/ that are made from code and results: `python -m docs._site.page_parts`.

Each part is between two marks, such as `<!-- scores -->` and `<!-- /scores -->`. `figures.py` fills in single figures.
The pictures of the benchmark and of the learning curves are made with them.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from functools import partial
from pkgutil import resolve_name
from typing import Any

import polars as pl

import tantra_envs
from benchmarks.exact.results import EXPLOITABILITY, RESPONSE, VALUE
from benchmarks.harness.oracle import ORACLE
from benchmarks.harness.pages import digits, line_with_ends, score_in_words, table, with_ends
from benchmarks.rank import entries, suite
from benchmarks.rank.ranking import by_label
from benchmarks.study.answers import Answers
from benchmarks.study.results import FigureRow
from benchmarks.study.tally import SEAT
from benchmarks.views.ladder import content, deals_in_words, time_in_words
from benchmarks.views.rank import all_agents, write_picture
from tantra_envs import game
from tantra_envs.core.asking import AgentWarning
from tantra_envs.games import BENCHMARKS, SHIPPED
from tantra_envs.programs import results as files
from tantra_envs.programs.results import SCORE, estimate
from training import strength

from . import curves, results, speed_page
from .figures import with_figures, with_marked
from .results import ROOT

DOCS, NIM = ROOT / "docs", ROOT / "tests/new_game"


def with_parts(name: str) -> str:
    """Return the page `name` with its marked parts as the commands make them now; ValueError if a mark is missing."""
    text = (DOCS / name).read_text(encoding="utf-8")
    return with_figures(with_marked(text, PAGES[name](), f"docs/{name}"))


def _nim() -> dict[str, str]:
    """Return the files of the page that adds a game."""
    kinds = {".py": "python", ".toml": "toml"}
    return {
        file.relative_to(NIM).as_posix(): f"```{kinds[file.suffix]}\n{file.read_text(encoding='utf-8')}```\n"
        for file in sorted(NIM.rglob("*.*"))
        if file.suffix in kinds and file != NIM / "__init__.py"
    }


def _scores() -> str:
    """Return the rows of the agents: how each scores against the scripted agent at the table of the benchmark."""
    rows = [[f"`{agent}`", *(_score(*place, agent) for place in BENCHMARKS.values())] for agent in AGENTS]
    head = ["score against the scripted agent", "Karma", "Tarot, a hand", "Kanastic, a round", "Tantra", "Tantrix"]
    sources = {"`uniform` and `greedy`": "rank/*", "`learned`": "trained-agents"}
    return results.measured(table(head, rows, right=range(1, len(head))), sources)


def _score(variant: str, players: int, agent: str) -> str:
    """Return the score of an agent against copies of the scripted agent, alone or in one team."""
    if agent == "scripted":
        return "0.5"
    if agent == "learned":
        return f"{_trained(variant, players)['value']:.2f}"
    place = entries.TABLES[f"{variant} players={players}"]
    (row,) = (row for row in entries.read() if row["agent"] == agent)
    points = row["tables"][place]["pairs"]["scripted"]["points"][0]
    return f"{sum(points) / len(points) / suite.units(place):.2f}"


def _trained(variant: str, players: int) -> dict[str, Any]:
    """Return the line with the score of the trained agent against copies of the scripted agent."""
    place = {"table": f"{variant} players={players}", "measure": SCORE}
    return results.lines("trained-agents", view="rows", **place).row(0, named=True)


def _learning() -> str:
    """Return the scores against the scripted agent after some decisions of training, in every game."""
    marks = (500_000, 1_000_000, 2_000_000, 4_000_000)
    head = ["game", "random", *(f"{mark / 1e6:g} M" for mark in marks), "CPU minutes per million"]
    rows = []
    for (place,), run in results.lines("first-runs", view="runs").group_by("table", maintain_order=True):
        name, players = str(place).split(" players=")
        scores = {int(row["part"]): row for row in run.filter(others="scripted").iter_rows(named=True)}
        history = {mark: row for after, row in scores.items() for mark in marks if 0 <= after - mark < 250_000}
        spent = run.filter(measure="CPU minutes").select(pl.col("part").cast(pl.Int64), "value").rows()
        (begin, first), *_, (end, last), _ = spent  # without compilation and the long measurement at the end
        cells = [f"`{name}`, {players} seats", _score(*BENCHMARKS[name.partition(":")[0]], "uniform")]
        rounded = {mark: line_with_ends(row, 2) for mark, row in history.items()}
        cells += [rounded.get(mark, "-") for mark in marks]
        rows.append([*cells, f"{1e6 * (last - first) / (end - begin):.1f}"])
    return results.measured(table(head, rows), {"`training ppo`": "first-runs", "random": "rank/*"})


def _recipes() -> str:
    """Return the scores of the programs of a page against the scripted agent, those of their worst seeds."""
    found = results.lines("train-your-own")
    programs = sorted(set(found["agent"]))
    names = found["table"].unique(maintain_order=True)
    rows = [[f"`{name}`", *(_worst(found.filter(table=name, agent=program)) for program in programs)] for name in names]
    whole = table(["game", *(f"`{program}`" for program in programs)], rows)
    return results.measured(whole, {"": "train-your-own"})


def _worst(runs: pl.DataFrame) -> str:
    """Return the lowest score of some runs against the scripted agent, their number, and the CPU minutes of one."""
    scores, minutes = runs.filter(others="scripted").sort("value"), runs.filter(measure="CPU minutes")["value"].max()
    if scores.is_empty():
        return "-"
    number = "1 seed" if len(scores) == 1 else f"{len(scores)} seeds"
    return f"{estimate(scores.row(0, named=True))}, {number}, {minutes:.1f} min"


def _time_to_strength() -> str:
    """Return the CPU minutes of learners until scores against the scripted agent, and how they were measured."""
    found = results.lines("time-to-strength")
    about = f"Measured with {results.label(found)}, {found['deals'].max()} deals at a time."
    return f"{about}\n\n{table([*strength.HEAD], strength.rows(found))}"


def _findings_of(name: str) -> dict[str, str]:
    """Return the parts of the page with the findings of a game: links to its results, and the map of its options."""
    return {
        "results": results.listed({"study": f"study/{name}", "ladder": f"ladder/{name}"}, "../"),
        "options": results.measured(_map_of_options(f"study/{name}-options"), {"": f"study/{name}-options"}),
    }


def _map_of_options(name: str) -> str:
    """Return the clear changes of a map of options: a row for each such option, a column for each such measure."""
    answers = Answers(results.lines(name))
    clear = [own.row for own in answers.changes]
    names = [name for name in dict.fromkeys(row.measure for row in answers.rows) if name in {r.measure for r in clear}]
    cells: dict[str, dict[str, list[str]]] = {}
    for row in clear:
        cells.setdefault(row.variant, {}).setdefault(row.measure, []).append(_change(row))
    changes = [[f"`{change}`", *("; ".join(own.get(name, "-")) for name in names)] for change, own in cells.items()]
    usual: dict[str, list[str]] = {}  # values without a change: one, or one for each seat
    for row in (row for row in answers.rows if row.variant == answers.first):
        usual.setdefault(row.measure, []).append(f"{row.value:.{digits(row.value)}f}")
    return table(["change", *(f"{name}, {', '.join(usual[name])} by default" for name in names)], changes)


def _change(row: FigureRow) -> str:
    text = with_ends(*row.change, digits(row.value), signed=True) if row.change else "-"
    return f"{row.part} {text}" if row.measure == SEAT.name else text


def _strength() -> str:
    """Return the strength of the trained agents and of the strongest one, with the highest possible score."""
    head = ["game", "seats", "highest possible", "`learned` against `scripted`", "`strongest` against `learned`"]
    exploited = results.lines("trained-agents", view="exploited", agent="strongest", measure=SCORE)
    of_strongest = {row["table"]: _with_deals(row) for row in exploited.iter_rows(named=True)}
    rows = []
    for title, name, players in STRENGTH:
        highest = players / (2 * (players - 1)) if name == "karma" else 1
        learned = _with_deals(_trained(name, players))
        over = of_strongest.get(f"{name} players={players}", "the same agent")
        rows.append([title, str(players), f"{highest:.3g}", learned, over])
    return results.measured(table(head, rows), {"": "trained-agents"})


def _with_deals(row: dict[str, Any]) -> str:
    return f"{estimate(row)}, {row['deals']} deals" if row["deals"] < 1000 else str(estimate(row))


PRECISE = 200  # deals of a match from which the page of the trained agents lists it
AGENTS = ("uniform", "greedy", "scripted", "learned")
STRENGTH = (
    ("Karma", "karma", 2),
    ("Karma, one against three", "karma", 4),
    ("Tarot, one hand", "tarot:hand", 2),
    ("Kanastic, a round, two teams", "kanastic:round", 4),
    ("Tantra, one against three", "tantra", 4),
    ("Tantrix Strategy", "tantrix", 2),
)


def _trained_agents() -> dict[str, str]:
    """Return the tables of the trained agents: all their scores, and those against other opponents and exploiters."""
    found = results.lines("trained-agents")
    facts = {(row["measure"], row["table"], row["part"]): row["value"] for row in found.iter_rows(named=True)}
    own, others, exploited = (
        found.filter(view=view, measure=SCORE).to_dicts() for view in ("rows", "others", "exploited")
    )
    for row in own:
        row["truncated"] = facts["truncated games", row["table"], ""]
        row["warned"] = ("not trained for it", row["table"], "") in facts
    rows = []
    for row in (row for row in _merged(own) if row["deals"] >= PRECISE):
        title = ", ".join(f"`{name}`" for name in row["variants"])
        truncated = f"{100 * row['truncated']:.0f} %"
        but = "`, `".join(row["warned_in"])
        fits = "no" if row["warned_in"] == row["variants"] else f"yes, but not `{but}`" if but else "yes"
        rows.append([title, *_match(row)[1:], truncated, fits])
    met = [[*_match(row)[:2], f"`{row['others']}`", str(row["seed"]), *_match(row)[2:]] for row in others]
    against = []
    for row in exploited:
        exploiter = row["agent"] if row["agent"].startswith("from ") else f"`{row['agent']}`"
        minutes = facts.get(("CPU minutes", row["table"], row["part"]), "-")
        against.append([*_match(row)[:2], f"`{row['others']}`", exploiter, f"{minutes}", *_match(row)[2:]])
    of_exploiters = ["game", "players", "agent", "exploiter", "CPU minutes", "deals", "score of the exploiter"]
    parts = {
        "rows": table(["game", "players", "deals", "score", "truncated", "trained for it"], rows),
        "others": table(["game", "players", "opponent", "seed", "deals", "score"], met),
        "exploited": table(of_exploiters, against),
    }
    return {name: results.measured(part, {"": "trained-agents"}) for name, part in parts.items()}


def _merged(rows: list[dict]) -> list[dict]:
    """Return each different match with its `variants`, those of equal options, and those in which the agent warned."""
    merged: dict[str, dict] = {}  # by the options
    for row in sorted(rows, key=lambda row: -row["deals"]):
        name, _, players = row["table"].partition(" players=")
        rules = game(name, players=int(players))
        match = merged.setdefault(f"{rules.name} {rules.config}", {**row, "variants": [], "warned_in": []})
        match["variants"].append(name)
        match["warned_in"] += [name] * row["warned"]
    tables = [row["table"] for row in rows]
    return sorted(merged.values(), key=lambda match: tables.index(match["table"]))


def _match(row: dict) -> list[str]:
    name, _, players = row["table"].partition(" players=")
    return [f"`{name}`", players, f"{row['deals']:,}", str(estimate(row))]


def _ladders() -> str:
    """Return the searches against the scripted agent, and the open-card search at the table of each ladder."""
    rows = []
    for file in results.files_of("ladder/*"):
        ladder = content(files.read(file))
        open_cards = next((rung["score"] for rung in ladder["rungs"] if rung["agent"] == ORACLE), None)
        for row in ladder["comparisons"]:
            at_table = (row["game"], row["players"]) == (ladder["table"], ladder["players"])
            if row["others"] == "scripted":
                cells = [f"[`{row['game']}`](results/ladder/{file.name})", row["players"], f"`{row['agent']}`"]
                cells += [time_in_words(row["milliseconds"]), score_in_words(row), deals_in_words(row)]
                rows.append([*cells, score_in_words(open_cards if at_table else None)])
    head = ["game", "players", "agent", "ms per decision", "against scripted", "deals", "oracle"]
    return results.measured(table(head, rows, right=(1, 3, 5)), {"": "ladder/*"})


def _exact() -> dict[str, str]:
    """Return the sizes of the mini games, and the figures of strategies in them."""
    found = results.lines("exact")
    sizes, strategies = [], []
    for (name,), own in found.group_by("table", maintain_order=True):
        facts = dict(own.filter(agent="").group_by("measure").agg(pl.col("value").sum()).iter_rows())
        numbers = [f"{facts[size]:,.0f}" for size in ("deals", "positions", "information sets", "longest game")]
        solved = own.filter(measure=VALUE).iter_rows(named=True)
        values = [f"{row['value']:+.4f} ± {(row['high'] - row['low']) / 2:.4f}" for row in solved]
        sizes.append([f"`{name}`", *numbers, *(values or "-")])
        for row in own.filter(measure=EXPLOITABILITY).iter_rows(named=True):
            responses = own.filter(agent=row["agent"], measure=RESPONSE)["value"]
            cells = [row["agent"], row["part"], ", ".join(f"{value:+.4f}" for value in responses)]
            strategies.append([f"`{name}`", *cells, f"{row['value']:.4f}"])
    head = ["game", "deals", "positions", "information sets", "longest game", "value for seat 0"]
    of_strategies = table(["game", "strategy", "plays", "best response by seat", "exploitability"], strategies)
    parts = {"games": table(head, sizes), "strategies": of_strategies}
    return {name: results.measured(part, {"": "exact"}) for name, part in parts.items()}


def _public_names() -> str:
    """Return a row for each name that users import, with the first sentence of its docstring."""
    names = results.contents()["names"]
    texts = {name: " ".join(str(inspect.getdoc(resolve_name(name))).split()) for name in names}
    return table(["name", ""], ((f"`{name}`", re.split(r"(?<=[.])\s", text)[0]) for name, text in texts.items()))


def _suite() -> str:
    """Return the version of the pages, and the version and the digest of the suite."""
    with warnings.catch_warnings(action="ignore", category=AgentWarning):  # of agents that the suite has chosen
        digest = suite.digest()
    state = "the version after " if results.unreleased() else "version "
    pages = f"These pages, and the agents with them, belong to {state}{tantra_envs.__version__}"
    return f"{pages}. The suite is {suite.VERSION} with the digest {digest}.\n"


# By page: the function that makes its parts.
PAGES: dict[str, Callable[[], dict[str, str]]] = {
    "../README.md": lambda: {"curves": curves.about(), "strength": _strength()},
    "it-does-not-learn.md": lambda: {"scores": _learning()},
    "train-your-own.md": lambda: {"recipes": _recipes()},
    "trained-agents.md": _trained_agents,
    "choose-a-game.md": lambda: {"scores": _scores()},
    "add-a-game.md": _nim,
    "search.md": lambda: {"strengths": _ladders()},
    "speed.md": lambda: {"speed": speed_page.tables(), "starts": speed_page.starts(), "strength": _time_to_strength()},
    "comparison.md": lambda: {"speed": speed_page.peers()},
    "exploitability.md": _exact,
    "citing.md": lambda: {"suite": _suite()},
    "environments.md": lambda: {"names": _public_names()},
    **{f"findings/{name}.md": partial(_findings_of, name) for name in SHIPPED},
    "benchmark.md": lambda: {"ranking": results.measured(all_agents(by_label(entries.read())), {"": "rank/*"})},
}


if __name__ == "__main__":
    for page in PAGES:
        (DOCS / page).write_text(with_parts(page), encoding="utf-8")
    for file in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("tantra_envs/games/*/README.md")):
        file.write_text(with_figures(file.read_text(encoding="utf-8")), encoding="utf-8")
    write_picture()
    curves.write()
