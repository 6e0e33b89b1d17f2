"""The parts of pages in docs/ that are made from code and results: `python -m docs._site.pages`.

Each part is between two marks, such as `<!-- scores -->` and `<!-- /scores -->`. `figures.py` fills in single figures.
The pictures of the benchmark and of the learning curves are made with them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path

import polars as pl

import tantra_envs
from benchmarks.harness import results as files
from benchmarks.harness.oracle import ORACLE
from benchmarks.harness.pages import digits, score_in_words, with_ends
from benchmarks.rank import entries, suite
from benchmarks.rank.ranking import by_label
from benchmarks.study.answers import Answers
from benchmarks.study.results import FigureRow
from benchmarks.study.tally import SEAT
from benchmarks.views.ladder import deals_in_words, time_in_words
from benchmarks.views.rank import all_agents, write_picture
from tantra_envs import game
from tantra_envs.core.asking import AgentWarning
from tantra_envs.games import BENCHMARKS, SHIPPED
from tantra_envs.matches.intervals import Estimate
from training import strength

from . import curves, names, recipes, results, speed_page
from .figures import with_figures
from .markdown import table, with_marked
from .scores import scores

ROOT = Path(__file__).resolve().parents[2]
DOCS, NIM = ROOT / "docs", ROOT / "tests/new_game"


def with_parts(name: str) -> str:
    """Return the page `name` with its marked parts as the commands make them now; ValueError if a mark is missing."""
    parts = dict(PAGES[name]())
    for part, sources in MEASURED.get(name, {}).items():
        parts[part] += f"\n{results.measured(sources)}"
    return with_figures(with_marked((DOCS / name).read_text(encoding="utf-8"), parts, f"docs/{name}"))


def _nim() -> dict[str, str]:
    """Return the files of the page that adds a game."""
    files = [file for ending in ("py", "toml") for file in NIM.rglob(f"*.{ending}") if file != NIM / "__init__.py"]
    return {file.relative_to(NIM).as_posix(): _code(file) for file in sorted(files)}


def _code(file: Path) -> str:
    kind = file.suffix.removeprefix(".").replace("py", "python")
    return f"```{kind}\n{file.read_text(encoding='utf-8')}```\n"


def _scores() -> str:
    """Return the rows of the agents: how each scores against the scripted agent at the table of the benchmark."""
    rows = [[f"`{agent}`", *(_score(place, agent) for place in BENCHMARKS.values())] for agent in AGENTS]
    head = ["score against the scripted agent", "Karma", "Tarot, a hand", "Kanastic, a round", "Tantra", "Tantrix"]
    return table(head, rows, right=range(1, len(head)))


def _learning() -> str:
    """Return the scores against the scripted agent after some decisions of training, in every game."""
    runs = results.content("first-runs")["runs"]
    marks = (500_000, 1_000_000, 2_000_000, 4_000_000)
    head = ["game", "random", *(f"{mark / 1e6:g} M" for mark in marks), "CPU minutes per million"]
    rows = []
    for run in runs:
        name = run["game"].split(":", maxsplit=1)[0]
        history = {mark: row["scores"]["scripted"] for row in run["history"] for mark in marks if _near(row, mark)}
        first, *_, last, _ = run["history"]  # without compilation and the long measurement at the end
        minutes = (last["minutes"] - first["minutes"]) / (last["decisions"] - first["decisions"])
        cells = [f"`{run['game']}`, {run['players']} seats", _score(BENCHMARKS[name], "uniform")]
        cells += [_interval(history[mark]) if mark in history else "-" for mark in marks]
        rows.append([*cells, f"{1e6 * minutes:.1f}"])
    return table(head, rows)


def _recipes() -> str:
    """Return the scores of the programs of a page against the scripted agent, those of their worst seeds."""
    content = results.content("recipes")
    games: dict[str, dict[str, list[dict]]] = {}
    for row in content["rows"]:
        games.setdefault(row["game"], {}).setdefault(row["program"], []).append(row)
    programs = sorted({program for runs in games.values() for program in runs})
    rows = [[f"`{name}`", *(_worst(runs.get(program, [])) for program in programs)] for name, runs in games.items()]
    return table(["game", *(f"`{program}`" for program in programs)], rows)


def _learning_rates() -> str:
    """Return the decisions per CPU second of programs that learn: those of whole runs, of the slowest seed."""
    rates: dict[str, dict[str, float]] = {}
    for run in results.content("first-runs")["runs"]:
        rates.setdefault(run["game"], {})["training ppo"] = run["total_decisions"] / run["minutes"] / 60
    programs = recipes.printed(recipes.PAGE.read_text(encoding="utf-8"))
    printed = {name: found[2] for name, code in programs.items() if (found := recipes.SETTINGS.search(code))}
    for row in results.content("recipes")["rows"]:
        program = row["program"]
        rate = int(recipes.STEPS[program].get(row["game"], printed[program])) / row["cpu_minutes"] / 60
        own = rates.setdefault(row["game"], {})
        own[program] = min(rate, own.get(program, rate))
    names = ("training ppo", *recipes.AGENTS)
    rows = [
        [f"`{game}`", *(f"{own[name]:,.0f}" if name in own else "-" for name in names)] for game, own in rates.items()
    ]
    return table(["decisions a second", *(f"`{name}`" for name in names)], rows, right=range(1, 1 + len(names)))


def _worst(seeds: list[dict]) -> str:
    """Return the lowest score of some runs against the scripted agent, their number, and the CPU minutes of one."""
    if not seeds:
        return "-"
    worst = min((row["scores"]["scripted"] for row in seeds), key=itemgetter("mean"))
    runs = "1 seed" if len(seeds) == 1 else f"{len(seeds)} seeds"
    return f"{Estimate(**worst)}, {runs}, {max(row['cpu_minutes'] for row in seeds):.1f} min"


def _time_to_strength() -> str:
    """Return the CPU minutes of learners until scores against the scripted agent, and how they were measured."""
    content = results.content("strength")
    about = f"Measured with {results.label([content])}, {content['deals']} deals at a time."
    return f"{about}\n\n{table([*strength.HEAD], strength.rows(content['runs'], content['minutes']))}"


def _results_of(name: str) -> dict[str, str]:
    """Return the links to the results of a game at three levels of skill."""
    files = {"study": f"study/{name}", "ladder": f"ladder/{name}"}
    return {"results": results.listed({**files, "behaviour study": f"study/{name}-behaviour"}, "../")}


def _findings_of(name: str) -> dict[str, str]:
    """Return the parts of the page with the findings of a game: links to its results, and the map of its options."""
    return {
        **_results_of(name),
        "options": _map_of_options(files.read(ROOT / results.RESULTS / f"study/{name}-options.csv")),
    }


def _map_of_options(study: pl.DataFrame) -> str:
    """Return the clear changes of a map of options: a row for each such option, a column for each such measure."""
    answers = Answers(study)
    clear = [own.row for own in answers.changes]
    names = [name for name in dict.fromkeys(row.measure for row in answers.rows) if name in {r.measure for r in clear}]
    cells: dict[str, dict[str, list[str]]] = {}
    for row in clear:
        cells.setdefault(row.variant, {}).setdefault(row.measure, []).append(_change(row))
    changes = [[f"`{change}`", *("; ".join(own.get(name, "-")) for name in names)] for change, own in cells.items()]
    heads = (f"{name}, {_at_base(answers.rows, answers.first, name)} by default" for name in names)
    return table(["change", *heads], changes)


def _at_base(rows: Sequence[FigureRow], base: str, name: str) -> str:
    """Return the values of a measure without a change: one, or one for each seat."""
    values = [row.value for row in rows if (row.variant, row.measure) == (base, name)]
    return ", ".join(f"{value:.{digits(value)}f}" for value in values)


def _change(row: FigureRow) -> str:
    text = with_ends(*row.change, digits(row.value), signed=True) if row.change else "-"
    return f"{row.part} {text}" if row.measure == SEAT.name else text


def _near(row: dict, mark: int) -> bool:
    return 0 <= row["decisions"] - mark < 250_000


def _interval(score: list[float]) -> str:
    mean, low, high = score
    return f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def _strength() -> str:
    """Return the strength of the trained agents and of the strongest one, with the highest possible score."""
    head = ["game", "seats", "highest possible", "`learned` against `scripted`", "`strongest` against `learned`"]
    content = results.content("trained-agents")
    of_strongest = {
        (row["game"], row["players"]): row for row in content["exploited"] if row["exploiter"] == "`strongest`"
    }
    rows = []
    for title, name, players in STRENGTH:
        highest = players / (2 * (players - 1)) if name == "karma" else 1
        learned = _with_deals(scores()[name, players, "learned", "scripted"])
        row = of_strongest.get((name, players))
        over = _with_deals(Estimate(row["score"], row["low"], row["high"], row["deals"])) if row else "the same agent"
        rows.append([title, str(players), f"{highest:.3g}", learned, over])
    return table(head, rows)


def _with_deals(score: Estimate) -> str:
    """Return a score, with the number of deals if there are few."""
    return f"{score}, {score.n} deals" if score.n < 1000 else str(score)


PRECISE = 200  # deals of a match from which the page of the trained agents lists it
OUTCOME = ("deals", "seed", "score", "low", "high", "truncated")
AGENTS = ("uniform", "greedy", "scripted", "learned")
STRENGTH = (
    ("Karma", "karma", 2),
    ("Karma, one against three", "karma", 4),
    ("Tarot, one hand", "tarot:hand", 2),
    ("Kanastic, a round, two teams", "kanastic:round", 4),
    ("Tantra, one against three", "tantra", 4),
    ("Tantrix Strategy", "tantrix", 2),
)


def _score(place: tuple[str, int], agent: str) -> str:
    return "0.5" if agent == "scripted" else f"{scores()[*place, agent, 'scripted'].mean:.2f}"


def _trained_agents() -> dict[str, str]:
    """Return the tables of the trained agents: all their scores, and those against other opponents and exploiters."""
    content = results.content("trained-agents")
    rows = [
        [*_match({**row, "game": "`, `".join(names)}), f"{100 * row['truncated']:.0f} %", _trained_for(names, warned)]
        for row, names, warned in _merged(content["rows"])
        if row["deals"] >= PRECISE
    ]
    others = [
        [*_match(row)[:2], f"`{row['opponent']}`", str(row["seed"]), *_match(row)[2:]] for row in content["others"]
    ]
    exploited = [
        [*_match(row)[:2], f"`{row['agent']}`", row["exploiter"], f"{row.get('minutes', '-')}", *_match(row)[2:]]
        for row in content["exploited"]
    ]
    return {
        "rows": table(["game", "players", "deals", "score", "truncated", "trained for it"], rows),
        "others": table(["game", "players", "opponent", "seed", "deals", "score"], others),
        "exploited": table(
            ["game", "players", "agent", "exploiter", "CPU minutes", "deals", "score of the exploiter"], exploited
        ),
    }


def _merged(rows: list[dict]) -> list[tuple[dict, list[str], list[str]]]:
    """Return each different match with the names of its variants, and those in which the agent warned.

    Variants are one match if they have the same options, or if all their games over equally many deals were the same.
    """
    merged: dict[str, tuple[dict, list[str], list[str]]] = {}
    same: dict[str, str] = {}  # match by its options and by its games
    for row in sorted(rows, key=lambda row: -row["deals"]):
        rules = game(row["game"], players=row["players"])
        options = f"{rules.name} {rules.config}"
        games = f"{rules.name} {[row[name] for name in ('players', *OUTCOME)]}"
        match = same.get(options) or same.get(games) or options
        same[options] = match
        if match not in merged:
            same[games] = match
            merged[match] = row, [], []
        merged[match][1].append(row["game"])
        merged[match][2].extend([row["game"]] * row["warned"])
    order = {id(row): place for place, row in enumerate(rows)}
    return sorted(merged.values(), key=lambda match: order[id(match[0])])


def _trained_for(names: list[str], warned: list[str]) -> str:
    if names == warned or not warned:
        return "no" if warned else "yes"
    return f"yes, but not `{'`, `'.join(warned)}`"


def _match(row: dict) -> list[str]:
    score = Estimate(row["score"], row["low"], row["high"], row["deals"])
    return [f"`{row['game']}`", str(row["players"]), f"{row['deals']:,}", str(score)]


def _ladders() -> str:
    """Return the searches against the scripted agent, and the open-card search at the table of each ladder."""
    rows = []
    for name, ladder in results.read("ladder").items():
        open_cards = next((rung["score"] for rung in ladder["rungs"] if rung["agent"] == ORACLE), None)
        for row in ladder["comparisons"]:
            at_table = (row["game"], row["players"]) == (ladder["table"], ladder["players"])
            if row["against"] == "scripted":
                cells = [f"[`{row['game']}`](results/ladder/{name}.csv)", row["players"], f"`{row['agent']}`"]
                cells += [
                    time_in_words(row["milliseconds"]),
                    score_in_words(row["score"]),
                    deals_in_words(row["score"]),
                ]
                rows.append([*cells, score_in_words(open_cards if at_table else None)])
    head = ["game", "players", "agent", "ms per decision", "against scripted", "deals", "oracle"]
    return table(head, rows, right=(1, 3, 5))


def _exact() -> dict[str, str]:
    """Return the sizes of the mini games, and the figures of strategies in them."""
    games = results.content("exact")["games"]
    sizes, strategies = [], []
    for name, facts in games.items():
        counts = [*(f"{facts[part]:,}" for part in ("deals", "histories")), f"{sum(facts['sets']):,}"]
        value = f"{facts['value']:+.4f} ± {facts['within']:.4f}" if "value" in facts else "-"
        sizes.append([f"`{name}`", *counts, str(facts["longest"]), value])
        for row in facts["strategies"]:
            responses = ", ".join(f"{value:+.4f}" for value in row["responses"])
            strategies.append([f"`{name}`", row["name"], row["form"], responses, f"{row['exploitability']:.4f}"])
    head = ["game", "deals", "positions", "information sets", "longest game", "value for seat 0"]
    return {
        "games": table(head, sizes),
        "strategies": table(["game", "strategy", "plays", "best response by seat", "exploitability"], strategies),
    }


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
    "speed.md": lambda: {
        "speed": speed_page.tables(),
        "learning": _learning_rates(),
        "starts": speed_page.starts(),
        "strength": _time_to_strength(),
    },
    "comparison.md": lambda: {"speed": speed_page.peers()},
    "exact.md": _exact,
    "citing.md": lambda: {"suite": _suite()},
    "environments.md": lambda: {"names": names.table()},
    **{f"findings/{name}.md": partial(_findings_of, name) for name in SHIPPED},
    "benchmark.md": lambda: {"ranking": all_agents(by_label(entries.read())) + "\n"},
}
# By page and part: the files of its results, by what they measured. Other parts have such a line, or no results.
MEASURED: dict[str, dict[str, dict[str, list[str]]]] = {
    "../README.md": {"strength": {"": ["trained-agents"]}},
    "it-does-not-learn.md": {"scores": {"`training ppo`": ["first-runs"], "random": ["rank/*"]}},
    "train-your-own.md": {"recipes": {"": ["recipes"]}},
    "speed.md": {"learning": {"`training ppo`": ["first-runs"], "the other programs": ["recipes"]}},
    "trained-agents.md": {part: {"": ["trained-agents"]} for part in ("rows", "others", "exploited")},
    "choose-a-game.md": {"scores": {"`uniform` and `greedy`": ["rank/*"], "`learned`": ["trained-agents"]}},
    "search.md": {"strengths": {"": ["ladder/*"]}},
    "exact.md": {"games": {"": ["exact"]}, "strategies": {"": ["exact"]}},
    "benchmark.md": {"ranking": {"": ["rank/*"]}},
    **{f"findings/{name}.md": {"options": {"": [f"study/{name}-options"]}} for name in SHIPPED},
}


if __name__ == "__main__":
    for page in PAGES:
        (DOCS / page).write_text(with_parts(page), encoding="utf-8")
    for file in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("tantra_envs/games/*/README.md")):
        file.write_text(with_figures(file.read_text(encoding="utf-8")), encoding="utf-8")
    write_picture()
    curves.write()
