"""Show where an agent loses: the loss of its decisions by phase and kind of action, as a judge values them.

The loss of a decision is the value of the judge's action less that of the action that was played: see `harness.judged`.
It is 0 where both are the same. Some of the others are drawn uniformly from the games of a folder that ended by
themselves: a game that reached a limit repeats a few decisions. A group has the
decisions of one phase, one kind of action that was played, and one kind that the judge would play in its place.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from agents import load as agent_named
from tantra_envs import Agent, Game, Observation
from tantra_envs.core.options import Within, require
from tantra_envs.core.state import States
from tantra_envs.drawing import replay
from tantra_envs.drawing.drawings import is_drawn
from tantra_envs.extras import module_of
from tantra_envs.matches.match import Seed
from tantra_envs.measures import Ints, Transitions, mean, share
from tantra_envs.programs import cli
from tantra_envs.programs import results as files
from tantra_envs.programs.files import write_content

from ..harness import pages, records
from ..harness.command import ShowOptions
from ..harness.figures import EVEN, Figure, average, figures, ratio
from ..harness.judged import advices, tables_at, valued
from ..harness.pages import line_with_ends, number
from ..harness.records import Record

MOST = 4  # most actions to try at a decision: that of the agent, that of the judge, two others
SHOWN = 3  # most expensive decisions of a group that are shown
GROUPS_SHOWN = 12
FEWEST = 4  # deals of a group that are enough for an interval
SURE = 2.0  # standard errors by which the loss of an expensive decision is taken to be smaller
VIEW = "losses"  # also the name of the page, and of the folder of its replays
FILE = "losses.csv"  # beside the results of the run
LOSS = mean(
    "loss of a decision", "How much more the judge's action scores than the action that was played.", unit="score"
)
FREQUENCY = share("part of the decisions", "How often such decisions are made, of all with a choice.")
SHARE = mean("part of the loss", "How much of the whole loss such decisions have.", unit="share")
MISSED = mean("loss that the judge misses", "How much more the best action scores than the judge's.", unit="score")
DECISIONS, OTHER = "decisions in a game", "decisions in which the judge plays another action"
TOTAL, MATCH, EXPENSIVE = "loss in a game", "loss in the match", "expensive decision"
COLUMNS = ("phase", "played > judge", "% of decisions", "loss of a decision", "% of the loss")
KEY = "Rows: the kind of action played > the kind that the judge would play, in games that end without a limit."
TOO_MUCH = (
    f"No agent can lose more than {EVEN} in a game, so this sum is too high. Other opponents may give back some of "
    "what was lost. Compare the rows."
)
BLIND = (
    "The sum estimates how much more {judge} would score in the seat of {agent}, against copies of {judge}. The loss "
    "in the match is against other opponents. {judge} can be wrong, too: in these decisions the best action tried "
    "scores {missed} more than the one of {judge}."
)


@dataclass(frozen=True)
class Args(ShowOptions):
    """Show where an agent loses, by phase and kind of action, from the records of a folder.

    Example: python -m benchmarks show losses runs/my-tournament --agent uniform --judge scripted
    """

    agent: str = field(default="", kw_only=True)
    """Agent whose decisions are valued. [default: the one in most records, and of several the first]"""
    judge: str = field(default="learned", kw_only=True)
    """Agent that plays on after each action."""
    decisions: Annotated[int, Within(16, 1_000_000)] = field(default=1000, kw_only=True)
    """Decisions to value, drawn from those in which the judge plays another action."""
    samples: Annotated[int, Within(4, 4096)] = field(default=32, kw_only=True)
    """Sampled deals for each decision."""
    seed: Seed = field(default=0, kw_only=True)
    """Seed of the drawn decisions and of the sampled deals."""


def load(folder: Path) -> list[Record]:
    """Return the records of a folder; raise ValueError if it has none."""
    every = [records.read(file) for file in records.files_of(folder)]
    if not every:
        raise ValueError(f"folder={str(folder)!r} is not allowed: it has no records; allowed: a folder of a run")
    return every


def check(every: Sequence[Sequence[Record]], args: Args) -> None:
    """Raise ValueError unless the agent plays in each folder, and the judge can play its games."""
    for played in every:
        for record in _records_of(played, args.agent)[0]:
            agent_named(args.judge, record.game)


def results(played: Sequence[Record], args: Args) -> pl.DataFrame:
    """Return the losses of an agent by group, their sum beside the loss in the match, and expensive decisions.

    Each table, a game with its options, has lines of its own. There are none where the judge plays the same actions.
    """
    own, name = _records_of(played, args.agent)
    tables: dict[str, list[Record]] = {}
    for record in own:
        tables.setdefault(_table(record.game), []).append(record)
    lines = [line for every in tables.values() for line in _of_table(every, name, args)]
    if not lines:
        problem = f"{name} plays all actions of the judge {args.judge} in games that end"
        raise cli.UserError(f"{problem}; use --judge with another agent")
    return files.table(lines, VIEW)


def _table(game: Game) -> str:
    options = {"players": game.players, **game.options.changed(game.config)}
    return " ".join([game.id, *(f"{name}={value}" for name, value in options.items())])


def _of_table(own: Sequence[Record], name: str, args: Args) -> Iterator[dict[str, Any]]:
    """Yield the lines of a table, from the records of an agent there."""
    game = own[0].game
    judge = agent_named(args.judge, game)
    choices = pl.concat([_choices(record, number, name, judge) for number, record in enumerate(own)])
    other = choices.filter(pl.col("action") != pl.col("advised"))
    if not len(other):
        return
    drawn = other.sample(min(args.decisions, len(other)), seed=args.seed).sort("record", "game", "ply")
    parts = [
        _judged(own[number], rows, judge, args.samples, np.random.default_rng((args.seed, number)))
        for (number,), rows in drawn.group_by("record", maintain_order=True)
    ]
    played = [records.outcomes(record).filter(agent=name) for record in own]  # a row for each of its teams in a game
    in_game = len(choices) / sum(len(teams.filter(~pl.col("truncated"))) for teams in played)
    match = pl.concat(teams.group_by("deal", "rotation").agg(pl.col("score").mean()) for teams in played)
    label = own[0].label
    facts = {
        "game": label["game"],
        "table": _table(game),
        "agent": name,
        "others": f"judge {args.judge}",
        "seed": label["seed"],
        "version": label["package"],
    }
    yield from _lines(pl.concat(parts), facts, in_game, len(other) / len(choices), match)


def _records_of(every: Sequence[Record], agent: str) -> tuple[list[Record], str]:
    """Return the records with decisions of an agent, and its name; raise ValueError if there are none."""
    first = every[0].label
    seen = Counter(name for record in every for name in {*record.games["seats"].explode()})
    agent = agent or max(seen, key=lambda name: (seen[name], name == first["agents"][first["lineup"][0]]))
    own = [record for record in every if record.games["seats"].list.contains(agent).any()]
    require("agent", agent, own, ", ".join(sorted(seen)))
    return own, agent


def _choices(record: Record, number: int, agent: str, judge: Agent) -> pl.DataFrame:
    """Return the decisions with a choice of an agent in games that ended, with its action and that of the judge."""
    plays = np.array([[name == agent for name in seats] for seats in record.games["seats"].to_list()])
    plays &= ~record.games["truncated"].to_numpy()[:, None]
    found = [pl.DataFrame(schema=dict.fromkeys(("game", "ply", "action", "advised"), pl.Int64))]

    def observe(t: Transitions) -> None:
        own = plays[t.rows, t.before["seat"].astype(np.int64)]
        own[own] = Observation(t.game, t.before[own]).action_mask.sum(axis=1) > 1
        if own.any():
            advised = advices(t.game, judge, t.before[own])
            plies = t.before["plies"][own].astype(np.int64)
            columns = {"game": t.rows[own], "ply": plies, "action": t.actions[own], "advised": advised}
            found.append(pl.DataFrame(columns))

    records.replay(record, observe)
    return pl.concat(found).with_columns(pl.lit(number).alias("record"))


def _judged(record: Record, rows: pl.DataFrame, judge: Agent, samples: int, rng: np.random.Generator) -> pl.DataFrame:
    """Return a row of `valued` for each of these decisions, with its place and the kinds of its actions."""
    games, plies, actions, advised = (rows[name].to_numpy() for name in ("game", "ply", "action", "advised"))
    states, paid, _ = tables_at(record, games, plies)
    game = record.game
    table = valued(game, judge, states, paid, actions, samples, rng, MOST, advised)
    columns = {
        "file": [record.file.name] * len(rows),
        "game": games,
        "deal": record.deals[games],
        "ply": plies,
        "seat": states["seat"].astype(np.int64),
        "kind": kinds_of(game, states, actions),
        "advised_kind": kinds_of(game, states, advised),
        "words": [
            ", the judge ".join(game.action_name(states[i : i + 1], int(action)) for action in pair)
            for i, pair in enumerate(zip(actions, advised, strict=True))
        ],
        "loss": table["advised_value"] - table["played"],
    }
    return table.with_columns(pl.Series(name, column) for name, column in columns.items())


def kinds_of(game: Game, states: States, actions: Ints) -> list[str]:
    """Return the kind of one legal action at each of the tables (n,), by which decisions are grouped.

    The kind of an action is the name of its block in `game.actions`. A game in which a block has actions of several
    kinds, such as cards that lead or follow, names action features that tell them apart in ACTION_KINDS of its
    `measures`. The names of those that an action has follow that of its block: "card, follows".
    """
    names = [game.actions.at(int(action)).name for action in actions]
    flags: tuple[str, ...] = getattr(module_of(game, "measures"), "ACTION_KINDS", ())
    if not flags:
        return names
    described = game.describe(states)
    rows = np.repeat(np.arange(len(states)), described.counts)
    columns = [game.features.of_action[flag].slice.start for flag in flags]
    marks = described.features[described.actions == actions[rows]][:, columns] > 0
    return [", ".join([name, *compress(flags, own)]) for name, own in zip(names, marks, strict=True)]


def _lines(
    judged: pl.DataFrame, facts: Mapping[str, Any], in_game: float, other: float, match: pl.DataFrame
) -> Iterator[dict[str, Any]]:
    """Yield totals, groups by their part of the loss, and expensive decisions.

    A team has `in_game` decisions with a choice in a game. In a share `other` of them the judge plays another action.
    """
    group = ["phase", "kind", "advised_kind"]
    named = judged.with_columns(pl.format("{}: {} > {}", *group).alias("group"))
    missed = average(MISSED, pl.col("best") - pl.col("advised_value"))
    whole, miss = figures(named, [average(LOSS, pl.col("loss")), missed]).iter_rows(named=True)
    scaled = {name: whole[name] * in_game * other for name in ("value", "low", "high")}
    lost = average(mean(MATCH, "", unit="score"), EVEN - pl.col("score"))
    (in_match,) = figures(match, [lost]).iter_rows(named=True)
    deals = {"deals": whole["deals"]}
    yield files.line(facts, LOSS.name, whole)
    yield files.line(facts, DECISIONS, {"value": in_game, **deals})
    yield files.line(facts, OTHER, {"value": other, **deals})
    yield files.line(facts, TOTAL, {**scaled, **deals})
    yield files.line(facts, MATCH, in_match)
    yield files.line(facts, MISSED.name, miss)
    sums = named.group_by("group").agg(pl.col("loss").sum(), few=pl.col("deal").n_unique() < FEWEST)
    names = sums.sort("few", "loss", "group", descending=[False, True, False])["group"]
    few = set(sums.filter("few")["group"])
    wanted = [figure for name in names for figure in _of_group(name, other)]
    for row in figures(named, wanted).iter_rows(named=True):
        no_ends = dict.fromkeys(("low", "high")) if row["part"] in few else {}
        yield files.line(facts, row["measure"], {**row, **no_ends}, row["part"])
    for name in names[:GROUPS_SHOWN]:
        sure = pl.col("loss") - SURE * pl.col("error")
        worst = named.filter((pl.col("group") == name) & (sure > 0)).sort(sure, descending=True).head(SHOWN)
        for row in worst.iter_rows(named=True):
            place = f"{row['file']} {row['game']} {row['ply']} {row['seat']}"
            half = SURE * row["error"]
            ends = {"value": row["loss"], "low": row["loss"] - half, "high": row["loss"] + half, "deals": 1}
            yield files.line(facts, EXPENSIVE, ends, f"{place}: {row['words']} ({name})")


def _of_group(name: str, other: float) -> list[Figure]:
    """Return the loss of a group, how often it comes up, and its part of the whole loss."""
    own = pl.col("group") == name
    loss = pl.when(own).then(pl.col("loss"))
    often, part = average(FREQUENCY, own.cast(pl.Float64) * other, name), (loss.sum(), pl.col("loss").sum())
    return [average(LOSS, loss, name), often, Figure(SHARE, part, name, lambda own, whole: ratio(own, np.abs(whole)))]


def show(results: pl.DataFrame, screen: Console) -> None:
    """Print the groups with the largest parts of the loss, and the sum of all beside the loss in the match."""
    for (name,), own in results.group_by("table", maintain_order=True):
        table = Table(*COLUMNS, title=str(name), caption=KEY)
        for cells in _cells(own):
            table.add_row(*cells)
        screen.print(table)
        for line in _summary(own):
            screen.print(line, soft_wrap=True)


def _cells(results: pl.DataFrame) -> list[list[str]]:
    """Return the cells of the groups with the largest parts of the loss."""
    cells = []
    for name in results.filter(measure=SHARE.name)["part"][:GROUPS_SHOWN]:
        own = {row["measure"]: row for row in results.filter(part=name).iter_rows(named=True)}
        phase, _, kind = name.partition(": ")
        loss, (often, lost) = own[LOSS.name], (100 * own[measure.name]["value"] for measure in (FREQUENCY, SHARE))
        each = number(loss["value"], 3) if loss["low"] is None else line_with_ends(loss, 3)
        cells.append([phase, kind, number(often, 1), each, number(lost, 0)])
    return cells


def _summary(results: pl.DataFrame) -> list[str]:
    """Return the sentences about the sum of all losses, and what the judge cannot see."""
    rows = {row["measure"]: row for row in results.filter(part="").iter_rows(named=True)}
    total, match, missed = (line_with_ends(rows[name], 3) for name in (TOTAL, MATCH, MISSED.name))
    judge = rows[TOTAL]["others"].removeprefix("judge ")
    agent, decisions = rows[TOTAL]["agent"], f"{rows[DECISIONS]['value']:.1f} decisions with a choice in a game"
    other = f"{judge} would play another action in {rows[OTHER]['value']:.0%} of {decisions}"
    sums = f"Sum of the losses of {agent} in a game: {total}; loss in the match: {match}. {other}."
    high = [TOO_MUCH] if rows[TOTAL]["value"] > EVEN else []
    return [sums, *high, BLIND.format(agent=agent, judge=judge, missed=missed)]


def write_pages(folder: Path, results: pl.DataFrame, command: str) -> list[Path]:
    """Write the tables as a page, with links to the tables of expensive decisions in replays; return the page."""
    lines = [f"# Where {results['agent'][0]} loses", ""]
    for (name,), own in results.group_by("table", maintain_order=True):
        lines += [f"## {name}", "", *_summary(own), "", KEY, "", pages.table(COLUMNS, _cells(own), right=(2, 3, 4))]
        lines += ["Expensive decisions, whose losses are estimates from few sampled deals:", ""]
        lines += [_expensive(folder, row) for row in own.filter(measure=EXPENSIVE).iter_rows(named=True)] + [""]
    page = folder / f"{VIEW}.md"
    write_content(page, "\n".join([*lines, f"    {command}", ""]))
    return [page]


def _expensive(folder: Path, line: Mapping[str, Any]) -> str:
    """Write the replay of a game unless it exists, and return the item of its decision with a link to the table."""
    place, _, words = line["part"].partition(": ")
    name, game, ply, seat = place.rsplit(" ", 3)
    text, loss, row = f"game {game}, action {ply}, seat {seat}", f"loss {line_with_ends(line, 2)}", int(game)
    record = records.read(folder / "records" / name)
    if not is_drawn(record.game):
        return f"- {text} of {shlex.quote(name)}: {words}, {loss}"
    file = folder / VIEW / f"{Path(name).stem}-{row}.html"
    if not file.exists():
        one = replace(record, games=record.games.slice(row, 1))
        played = one.games.row(0, named=True)
        file.parent.mkdir(exist_ok=True)
        replay(record.game, records.dealt(one), played["actions"], played["seats"]).save(file)
    return f"- [{text}]({VIEW}/{file.name}#{ply}): {words}, {loss}"
