"""Play the rows of a plan into a folder, time agents, and read what was played.

The folder has the records, and `plan.json` with the rows and the times. A view reads both. All agents are timed at the
same positions of scripted play.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import tantra_envs
from tantra_envs import Agent, Game, Observation
from tantra_envs.core.asking import answer_of
from tantra_envs.core.past import Past
from tantra_envs.measures import Transitions
from tantra_envs.programs.files import write_json
from tantra_envs.programs.progress import progress
from tantra_envs.programs.workers import Run

from . import plans, records, trainer
from .figures import SCORE, average, figures
from .oracle import OpenObservation, Oracle
from .plans import MatchSpec, Plan, Row, Usage, build_with_opponents, new_plan, outcomes, scripted_games, usage
from .records import means_of_deals
from .rows import Request
from .trainer import Job

PLAN, TIMES = "plan.json", "milliseconds.json"  # in the folder of a run
DECISIONS = 40  # positions at which an agent is timed, at most
DEALS = 4  # deals that these positions come from


@dataclass(frozen=True)
class Played:
    """The games of a folder."""

    rows: Sequence[Row]
    labels: Mapping[str, records.Label]  # of the records, by the name of a row
    games: pl.DataFrame  # outcomes, with the name of the row as `match`
    times: Sequence[Mapping[str, Any]]  # of agents: columns of results, with milliseconds as `value`
    programs: Usage  # what agents that are programs were asked
    about: Mapping[str, Any]  # facts for the view

    @cached_property
    def scores(self) -> pl.DataFrame:
        """The score of the first agent of every row, by `match`."""
        alone = means_of_deals(self.games.filter("alone"), "match")
        return figures(alone, [average(SCORE, pl.col("score"))], ["match"])

    def names(self, row: Row) -> list[str]:
        """Return the names of the agents of a row, the one that may be alone first."""
        label = self.labels[row.name]
        return [label["agents"][number] for number in dict.fromkeys(label["lineup"])]

    def digests(self, row: Row) -> dict[str, str]:
        """Return the digests of the agents of a row by their names."""
        origins = self.labels[row.name]["origins"]
        return {name: digest(name, origins.get(name, {})) for name in self.names(row)}

    def facts(self, row: Row) -> dict[str, Any]:
        """Return the columns of results that all figures of a row share."""
        label, digests = self.labels[row.name], self.digests(row)
        first, *others = digests
        return {
            "game": label["game"],
            "table": row.table,
            "agent": first,
            "others": " ".join(others),
            "seed": label["seed"],
            "version": label["package"],
            "digest": " ".join(digests.values()),
        }


def digest(name: str, origin: Mapping[str, Any]) -> str:
    """Return the digest of an agent: of its name, and of the options or weights that it was made from."""
    return hashlib.blake2b(json.dumps([name, origin], sort_keys=True).encode(), digest_size=4).hexdigest()


def prepare(args: Any, request: Request) -> Plan:
    """Return the plan of checked rows; raise ValueError or OSError with a message for the user."""
    if not request.rows:
        raise ValueError("the plan has no row, so there is nothing to play")
    rows = [row for row in request.rows if not row.make]
    for row in rows:
        build_with_opponents(row.match)
    return new_plan(args, request.folder, rows)


def play(plan: Plan, request: Request, run: Run) -> Played:
    """Play the missing deals, and time agents."""
    folder = plan.folder.parent
    plans.play_plan(plan, run)
    if made := [row for row in request.rows if row.make]:
        trainer.make((Job(Path(row.match.agents[0].partition(":")[2]).parent, row.make) for row in made), run)
        plan = replace(plan, rows=made)
        plan.check()
        plans.play_plan(plan, run)
    times, rows = _times(request.timed, folder / TIMES), [asdict(row) for row in request.rows]
    facts = {"view": request.view, "shard": plan.shard, "about": request.about, "rows": rows, "times": times}
    write_json(folder / PLAN, facts)
    return read_folder(folder)


def _times(rows: Sequence[Row], file: Path) -> list[dict[str, Any]]:
    """Return the milliseconds of the agents to be timed, as columns of results. Each is saved in `file`."""
    if not rows:
        return []
    times: dict[str, float] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    lines = []
    with progress("times measured", len(rows)) as advance:
        for row in rows:
            game, (agent,) = plans.build(row.match)
            if row.name not in times:
                times[row.name] = _milliseconds(game, agent)
                write_json(file, times)
            advance(1)
            facts = {
                "game": game.name,
                "table": row.table,
                "agent": agent.name,
                "others": "",
                "part": " ".join(row.tags),
            }
            own = digest(agent.name, plans.origins([agent]).get(agent.name, {}))
            made = {"seed": row.match.seed, "version": tantra_envs.__version__, "digest": own}
            lines.append({**facts, "value": times[row.name], **made})
    return lines


def _milliseconds(game: Game, agent: Agent) -> float:
    """Return the milliseconds of CPU time per decision, the mean over the positions.

    The first call is not counted because it may compile or load.
    """
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    kind = OpenObservation if isinstance(agent, Oracle) else Observation
    observations, rng = _positions(game, kind), np.random.default_rng(0)
    answer_of(agent, observations[0], rng)
    began = time.process_time()
    for obs in observations:
        answer_of(agent, obs, rng)
    return 1000 * (time.process_time() - began) / len(observations)


def _positions(game: Game, kind: type[Observation]) -> list[Observation]:
    """Return observations spread evenly over some deals of scripted play: one table each, two legal actions or more."""
    observations: list[Observation] = []
    past, tables = Past(game, DEALS), game.blanks(DEALS)

    def observe(t: Transitions) -> None:
        for i in np.flatnonzero(Observation(game, t.before).action_mask.sum(axis=1) > 1):
            observations.append(kind(game, t.before[i : i + 1].copy(), np.arange(1), past.at([t.rows[i]])))
        tables[t.rows] = t.before
        past.note(tables, t.rows, t.actions)

    records.replay(scripted_games(game, 0, DEALS), observe)
    places = np.linspace(0, len(observations) - 1, min(DECISIONS, len(observations)))
    return [observations[place] for place in places.astype(np.int64)]


def read_folder(folder: Path) -> Played:
    """Return the games of a folder; raise ValueError if it has no plan, or if a file is damaged."""
    file = folder / PLAN
    if not file.is_file():
        raise ValueError(f"folder={str(folder)!r} is not allowed: it has no {PLAN}; allowed: a folder of a run")
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        rows = [Row(own["name"], _match(own["match"]), own["deals"], tuple(own["tags"])) for own in content["rows"]]
        shard, times, about = int(content["shard"]), list(content["times"]), dict(content.get("about", {}))
    except (ValueError, TypeError, LookupError) as error:
        raise ValueError(f"{file} is damaged, or not a plan: {error}; play it again") from None
    plan = Plan(folder / "records", rows, shard)
    labels = {name: records.read_label(files[0]) for name, files in plan.files.items()}
    return Played(rows, labels, outcomes(plan), times, usage(plan), about)


def _match(facts: Mapping[str, Any]) -> MatchSpec:
    """Return a match from its fields in JSON types."""
    options = tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in facts["options"])
    return MatchSpec(
        **{**facts, "options": options, "agents": tuple(facts["agents"]), "lineup": tuple(facts["lineup"])}
    )
