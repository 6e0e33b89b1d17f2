"""Rows of a plan: who plays whom at which table over how many deals, from Python, a preset, or a TOML file.

A plan in TOML has values for all rows at its top, and a table for every row or group of rows:

    game = "karma:sixty"
    players = 4
    deals = 200

    [[rows]]
    agent = "greedy"
    against = ["uniform", "scripted", "search:16"]

`agent` plays one team and copies of `against` play the others. A list of agents stands for one row each. `lineup` names
the agents of all teams in their place. The names of records depend on the rows alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from tantra_envs.core.options import require
from tantra_envs.programs.files import read_toml

from .command import MOST, deals_by_agent, without_limits
from .plans import MatchSpec, Row, build_with_opponents, one_vs_rest, slug

FORM = "AGENT OTHER, AGENT OTHER GAME or AGENT OTHER GAME PLAYERS"  # of a row as text
WORDS: dict[str, tuple[type, ...]] = {  # keys of a row in TOML, and the types of their values
    "game": (str,),
    "players": (int,),
    "options": (dict,),
    "deals": (int,),
    "seed": (int,),
    "tag": (str,),
    "agent": (str, list),
    "against": (str, list),
    "lineup": (list,),
}
ABOUT = {"view": (str,), "times": (bool,), "rows": (list,)}  # keys of the plan itself


@dataclass(frozen=True)
class Request:
    """What to play, and the view that shows it."""

    rows: Sequence[Row]
    view: str = "scores"
    timed: Sequence[Row] = ()  # tables with one agent each, which is timed and plays no deal
    about: Mapping[str, Any] = field(default_factory=dict)  # facts for the view, in JSON types
    folder: Sequence[object] = ()  # words of the name of its folder, unless --name has one

    def __post_init__(self) -> None:
        for name in ("rows", "timed"):
            object.__setattr__(self, name, merged(getattr(self, name)))


def pair(base: MatchSpec, agent: str, other: str, deals: int, *tags: str) -> Row:
    """Return the row of an agent alone among copies of another; raise ValueError if both have one name."""
    seated = replace(base, agents=(agent, other), ceiling=True)
    game, (one, rest) = build_with_opponents(seated)
    if one.name == rest.name:
        raise ValueError(f"against={other!r} is not allowed: it has the name of the agent; allowed: another agent")
    match = replace(seated, lineup=one_vs_rest(0, 1, len(game.teams)))
    return Row(_name(match, [agent, other]), match, deals, tags)


def timed(match: MatchSpec, *tags: str) -> Row:
    """Return the row that times the first agent of a match at its table."""
    own = replace(match, agents=match.agents[:1], lineup=(), ceiling=True)
    row = Row("", own, 0, tags)
    return replace(row, name=f"{own.agents[0]} in {row.table}")


def from_text(words: str, base: MatchSpec, deals: int, *tags: str) -> Row:
    """Return the row that `words` of FORM describe, at the table of `base` or at another."""
    agent, other, game, players, *more = [*words.split(), "", "", "", ""]
    require("compare", words, other and not any(more) and (not players or players.isdigit()), FORM)
    table = replace(base, game=game, options=()) if game else base
    table = replace(table, options=(("players", int(players)),)) if players else table
    ((agent, limit),) = deals_by_agent([agent], deals, "compare").items()
    (other,) = without_limits([other], "compare")
    return pair(table, agent, other, limit, *tags)


def from_toml(file: Path, deals: int | None = None, seed: int | None = None) -> Request:
    """Return the plan in a TOML file; `deals` and `seed` replace those of all rows. Mistakes raise ValueError."""
    content = read_toml(file)
    try:
        _check(content, {**WORDS, **ABOUT})
        given = {"deals": deals, "seed": seed}
        forced = {name: value for name, value in given.items() if value is not None}
        common = {name: value for name, value in content.items() if name not in ABOUT}
        rows = [row for own in content.get("rows", [{}]) for row in _of_table({**common, **own, **forced})]
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    times = [timed(row.match, *row.tags) for row in rows if content.get("times")]
    return Request(rows, content.get("view", "scores"), times)


def _of_table(row: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows that a table of a plan describes; raise ValueError for values that are not allowed."""
    _check(row, WORDS)
    if "game" not in row or not ("lineup" in row or {"agent", "against"} <= row.keys()):
        raise ValueError("a row needs game, and agent with against, or lineup")
    if "lineup" in row and {"agent", "against"} & row.keys():
        raise ValueError("lineup is not allowed with agent or against; allowed: one of them")
    players = {"players": row["players"]} if "players" in row else {}
    options = tuple({**players, **row.get("options", {})}.items())
    base = MatchSpec(row["game"], options, (), (), row.get("seed", 0))
    deals, tags = row.get("deals", 1000), (row["tag"],) if "tag" in row else ()
    for name, value, least in (("deals", deals, 1), ("seed", base.seed, 0)):
        require(name, value, least <= value <= MOST, f"{least} or more")
    if "lineup" in row:
        yield _table_of_all(base, row["lineup"], deals, tags)
        return
    words = {name: [row[name]] if isinstance(row[name], str) else row[name] for name in ("agent", "against")}
    limits = (deals_by_agent(own, deals, option).items() for option, own in words.items())
    for (agent, most), (other, limit) in product(*limits):
        yield pair(base, agent, other, min(most, limit), *tags)


def _table_of_all(base: MatchSpec, lineup: Sequence[str], deals: int, tags: tuple[str, ...]) -> Row:
    """Return the row of a table at which several agents play, with the agent of every team."""
    words = without_limits(dict.fromkeys(lineup), "lineup")
    match = replace(base, agents=tuple(words), lineup=tuple(map(words.index, lineup)), ceiling=True)
    game, agents = build_with_opponents(match)
    names = {agent.name for agent in agents}
    fits = len(lineup) == len(game.teams) and len(names) >= max(2, len(words))
    require("lineup", " ".join(lineup), fits, f"agents with other names for {len(game.teams)} teams")
    return Row(_name(match, lineup), match, deals, tags)


def _name(match: MatchSpec, words: Sequence[str]) -> str:
    """Return the prefix of the records of a match: its table and its agents."""
    options = [f"{name}-{value}" for name, value in match.options if name != "players"]
    return slug("_".join([f"{match.game}-{match.rules.players}p", *options, *words]))


def _check(content: Mapping[str, Any], allowed: Mapping[str, tuple[type, ...]]) -> None:
    """Raise ValueError for a key that is unknown or has a value of another type."""
    for name, value in content.items():
        if name not in allowed:
            raise ValueError(f"unknown key {name!r}; keys: {', '.join(allowed)}")
        parts, kind = (value if isinstance(value, list) else []), (dict if name == "rows" else str)
        fits = type(value) in allowed[name] and all(isinstance(part, kind) for part in parts)
        require(name, value, fits, " or ".join(kind.__name__ for kind in allowed[name]))


def merged(rows: Iterable[Row]) -> list[Row]:
    """Return one row for each name, with all tags and the most deals; raise ValueError if their matches differ."""
    by_name: dict[str, Row] = {}
    for row in rows:
        known = by_name.setdefault(row.name, row)
        if row.match != known.match:
            raise ValueError(
                f"agents {' '.join(row.match.agents)!r} would share the records {row.name} with others; "
                "allowed: agents whose names differ in letters, digits or points"
            )
        tags = tuple(dict.fromkeys((*known.tags, *row.tags)))
        by_name[row.name] = replace(known, deals=max(known.deals, row.deals), tags=tags)
    return list(by_name.values())
