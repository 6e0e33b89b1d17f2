"""The names that users import, in Markdown, from signatures and docstrings: `docs/api.md`."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from docstring_parser import Docstring, parse_from_object

NAMES = {
    "Games": (
        "tantra_envs.game",
        "tantra_envs.variants",
        "tantra_envs.core.game.Game",
        "tantra_envs.core.game.IllegalActionError",
        "tantra_envs.core.blocks.Block",
        "tantra_envs.core.blocks.Blocks",
        "tantra_envs.core.blocks.ViewBlocks",
        "tantra_envs.core.actions.ActionBlocks",
        "tantra_envs.core.features.Features",
        "tantra_envs.core.features.Described",
    ),
    "Environments": (
        "tantra_envs.make",
        "tantra_envs.make_raw",
        "tantra_envs.make_parallel",
        "tantra_envs.make_batch",
        "tantra_envs.make_seat",
        "tantra_envs.make_seat_vector",
        "tantra_envs.envs.aec.TableEnv",
        "tantra_envs.envs.batch.BatchEnv",
        "tantra_envs.envs.seat.SeatEnv",
        "tantra_envs.envs.vector.SeatVectorEnv",
        "tantra_envs.envs.opponents.OpponentSampler",
    ),
    "Agents": (
        "tantra_envs.core.observation.Observation",
        "tantra_envs.core.observation.Agent",
        "tantra_envs.opponents.opponent",
        "tantra_envs.load_agents",
    ),
    "Matches": (
        "tantra_envs.play_match",
        "tantra_envs.matches.match.Match",
        "tantra_envs.matches.intervals.Estimate",
        "tantra_envs.core.opinions.opinions_on",
    ),
    "Pictures and replays": ("tantra_envs.drawing.draw", "tantra_envs.drawing.replay", "tantra_envs.drawing.Replay"),
    "Puzzles": (
        "tantra_envs.puzzles.make",
        "tantra_envs.puzzles.kinds",
        "tantra_envs.puzzles.Puzzle",
        "tantra_envs.adapters.episodes.Episodes",
        "tantra_envs.adapters.episodes.ToolEpisodes",
    ),
    "Adapters": (
        "tantra_envs.adapters.sb3",
        "tantra_envs.adapters.networks.RatingNetwork",
        "tantra_envs.adapters.networks.ValueNetwork",
        "tantra_envs.adapters.networks.RatingAgent",
        "tantra_envs.adapters.networks.log_softmax",
        "tantra_envs.adapters.networks.tensors",
        "tantra_envs.adapters.networks.save_network",
        "tantra_envs.adapters.tianshou",
        "tantra_envs.adapters.torchrl",
        "tantra_envs.adapters.rllib",
        "tantra_envs.adapters.jax",
        "tantra_envs.adapters.openspiel",
        "tantra_envs.adapters.rlcard",
        "tantra_envs.adapters.rlcard_env",
        "tantra_envs.adapters.player",
        "tantra_envs.adapters.spiel_bot",
        "tantra_envs.adapters.textarena",
        "tantra_envs.adapters.text.TextTable",
    ),
    "Checks": ("tantra_envs.testing.check_game", "tantra_envs.testing.check_env"),
}
COMMENT = re.compile(r"  # (.+)$")


class _Text(str):
    """An annotation that a signature shows as it is written."""

    __repr__ = str.__str__


def page() -> str:
    """Return a section for each group of names, with an entry for each name."""
    return "\n".join(
        f"## {group}\n\n" + "\n".join(_entry(name, value_of(name)) for name in names) for group, names in NAMES.items()
    )


def value_of(name: str) -> Any:
    """Return the class or function of a full name."""
    module, _, member = name.rpartition(".")
    return getattr(importlib.import_module(module), member)


def _entry(name: str, value: Any) -> str:
    call = f"{name}{_signature(value)}" if inspect.isfunction(value) or _is_constructed(value) else name
    parts = [f"### {name.rpartition('.')[2]}\n\n**`{call}`**\n", _text(value)]
    if inspect.isclass(value):
        parts += [_fields(value) if _is_record(value) else "", *_members(value)]
    return "\n".join(part for part in parts if part)


def _is_record(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")


def _is_constructed(kind: type) -> bool:
    """Return whether users construct instances of a class: not of a protocol, nor of one whose fields they read."""
    return "__init__" in vars(kind) and not _is_record(kind) and not getattr(kind, "_is_protocol", False)


def _signature(value: Any) -> str:
    """Return the signature of a function, or of the instances of a class, with its annotations as they are written."""
    found = inspect.signature(value)
    given = [p.replace(annotation=_Text(p.annotation)) for p in found.parameters.values() if p.name != "self"]
    returned = found.empty if found.return_annotation in ("None", found.empty) else _Text(found.return_annotation)
    return str(found.replace(parameters=given, return_annotation=returned))


def _text(value: Any) -> str:
    """Return the docstring, with its sections as lists."""
    doc = parse_from_object(value)
    lists = {
        "Arguments": _entries(doc, "param"),
        "Attributes": _entries(doc, "attribute"),
        "Returns": [_flat(doc.returns.description)] if doc.returns else [],
        "Raises": [f"`{error.type_name}`: {_flat(error.description)}" for error in doc.raises],
    }
    parts = [doc.short_description, doc.long_description]
    parts += [f"{head}:\n\n" + "\n".join(f"- {item}" for item in items) for head, items in lists.items() if items]
    return "\n\n".join(part for part in parts if part) + "\n"


def _entries(doc: Docstring, kind: str) -> list[str]:
    return [f"`{entry.arg_name}`: {_flat(entry.description)}" for entry in doc.params if entry.args[0] == kind]


def _flat(text: str | None) -> str:
    return " ".join((text or "").split())


def _fields(kind: type) -> str:
    """Return the fields of a class, with the comments behind them in the source."""
    source = textwrap.dedent(inspect.getsource(kind))
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    rows = []
    for field in definition.body:
        if isinstance(field, ast.AnnAssign):
            comment = COMMENT.search(source.splitlines()[(field.end_lineno or 1) - 1])
            row = f"- `{ast.unparse(field.target)}: {ast.unparse(field.annotation)}`"
            rows.append(f"{row}: {comment[1]}\n" if comment else f"{row}\n")
    return "Fields:\n\n" + "".join(rows)


def _members(kind: type) -> Iterator[str]:
    """Yield the public methods and properties that a class defines itself."""
    for name, value in vars(kind).items():
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(function):
            kept = f": {function.__annotations__['return']}" if isinstance(value, property) else _signature(function)
            yield f"**`{name}{kept}`**\n\n{_text(function)}"
