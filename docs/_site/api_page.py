"""The reference: a page for each documented module, made from docstrings, and what counts as public in it."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from types import ModuleType
from typing import Any

# What each documented module is for. Public in it: `__all__`, else what is defined there without an underscore.
MODULES = {
    "tantra_envs": "Games and environments by name",
    "tantra_envs.core.game": "A game: positions, moves, what a seat sees",
    "tantra_envs.core.observation": "What an agent sees, and what an agent is",
    "tantra_envs.core.blocks": "Named ranges of actions and observations",
    "tantra_envs.envs.aec": "TableEnv: PettingZoo",
    "tantra_envs.envs.batch": "BatchEnv: arrays in, arrays out",
    "tantra_envs.envs.seat": "SeatEnv: Gymnasium",
    "tantra_envs.envs.vector": "SeatVectorEnv: many tables for Gymnasium",
    "tantra_envs.envs.opponents": "Who plays the other seats",
    "tantra_envs.matches.playing": "Agents at tables",
    "tantra_envs.matches.match": "Matches over duplicate deals",
    "tantra_envs.matches.intervals": "Intervals",
    "tantra_envs.drawing": "Pictures and replays",
    "tantra_envs.testing": "Checks for your own games and environments",
    "tantra_envs.adapters": "Other people's frameworks",
    "agents": "Players by name",
}


def modules() -> dict[str, str]:
    """Those of `MODULES` that are there."""
    return {name: title for name, title in MODULES.items() if importlib.util.find_spec(name)}


def public(module: ModuleType) -> dict[str, Any]:
    """The public names of a module and what they are."""

    def is_own(name: str, value: Any) -> bool:
        kind = inspect.isclass(value) or inspect.isfunction(value)
        return kind and not name.startswith("_") and value.__module__ == module.__name__

    names = getattr(module, "__all__", None) or [name for name, value in vars(module).items() if is_own(name, value)]
    return {name: getattr(module, name) for name in names}


def pages() -> dict[str, str]:
    """A page for each module, and one that lists them."""
    made = {f"api/{name}.md": _page(name, title) for name, title in modules().items()}
    rows = "".join(f"| [`{name}`]({name}.md) | {title} |\n" for name, title in modules().items())
    return {"api/index.md": f"# API reference\n\n| module | |\n|---|---|\n{rows}", **made}


def _page(name: str, title: str) -> str:
    module = importlib.import_module(name)
    elsewhere = {member: value.__module__ for member, value in public(module).items() if _is_elsewhere(value, name)}
    listed = "".join(f"- `{member}`: see [{home}]({home}.md)\n" for member, home in elsewhere.items())
    parts = [_entry(f"{name}.{member}", value) for member, value in public(module).items() if member not in elsewhere]
    return f"# {name}\n\n{title}.\n\n```{{eval-rst}}\n.. automodule:: {name}\n```\n\n{listed}\n" + "".join(parts)


def _is_elsewhere(value: Any, name: str) -> bool:
    return getattr(value, "__module__", name) != name and value.__module__ in MODULES


def _entry(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return f"```{{eval-rst}}\n.. autoclass:: {name}\n   :members:\n```\n"
    if inspect.isfunction(value):
        return f"```{{eval-rst}}\n.. autofunction:: {name}\n```\n"
    told = f"Its keys: {', '.join(f'`{key}`' for key in value)}." if isinstance(value, dict) else f"`{value}`"
    return f"```{{eval-rst}}\n.. py:data:: {name}\n\n   {told}\n```\n"
