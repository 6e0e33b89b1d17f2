"""The API reference: a page for each documented module, with a summary of its names and the docstrings."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType
from typing import Any

from .api_modules import GROUPS, MODULES, Documented, errors, missing, public


class MissingPageError(ValueError):
    """Raised for public names that are on no page of the reference."""


def pages() -> dict[str, str]:
    """Return a page for each module, and one that lists them.

    Raises:
        MissingPageError: A public name has no page.
    """
    if names := missing():
        raise MissingPageError(
            f"no page of the reference has {', '.join(names)}; add them to docs/_site/api_modules.py"
        )
    return {"api/index.md": _index(), **{f"api/{name}.md": _page(name) for name in MODULES}}


def _index() -> str:
    groups = "".join(
        f"\n## {group}\n\n| module | contents |\n|---|---|\n{_rows(rows)}" for group, rows in GROUPS.items()
    )
    raised = "".join(f"| [`{error.__name__}`]({name}.md) | {_first_line(error)} |\n" for name, error in errors())
    return (
        "# API reference\n\nThe classes and functions for users, for authors of agents and for authors of games. "
        "[Commands](../commands.md) lists the programs.\n"
        f"{groups}\n## Exceptions\n\nAll other errors are exceptions of Python, usually `ValueError`.\n\n"
        f"| exception | |\n|---|---|\n{raised}"
    )


def _rows(modules: dict[str, Documented]) -> str:
    return "".join(f"| [`{name}`]({name}.md) | {documented.title} |\n" for name, documented in modules.items())


def _first_line(value: Any) -> str:
    return (inspect.getdoc(value) or "").splitlines()[0]


def _page(name: str) -> str:
    module = importlib.import_module(name)
    members = public(module)
    own = [member for member, value in members.items() if not inspect.ismodule(value) and not _home(value, name)]
    described = [member for member in own if _has_docstring(members[member])]
    others = {member: home for member, value in members.items() if (home := _home(value, name))}
    elsewhere = "".join(f"- [`{member}`]({home}.md)\n" for member, home in others.items())
    parts = [
        f"# {name}\n\n{MODULES[name].title}.\n",
        f"```{{eval-rst}}\n.. automodule:: {name}\n```\n",
        _summary(name, described) if described else "",
        f"On other pages:\n\n{elsewhere}" if elsewhere else "",
        _environment_modules(members),
        *(_entry(f"{name}.{member}", members[member]) for member in own),
    ]
    return "\n".join(part for part in parts if part)


def _home(value: Any, name: str) -> str:
    """Return the documented module that has the entry of a value, if that is another module than `name`."""
    home = getattr(value, "__module__", name)
    return home if home != name and home in MODULES else ""


def _has_docstring(value: Any) -> bool:
    return inspect.isclass(value) or inspect.isroutine(value)


def _summary(name: str, members: list[str]) -> str:
    rows = "".join(f"   {member}\n" for member in members)
    return f"```{{eval-rst}}\n.. currentmodule:: {name}\n.. autosummary::\n   :nosignatures:\n\n{rows}```\n"


def _environment_modules(members: dict[str, Any]) -> str:
    """Return the modules that hold the environments of one game."""
    modules: dict[str, ModuleType] = {name: value for name, value in members.items() if inspect.ismodule(value)}
    rows = "".join(
        f"| `{name}` | {', '.join(f'`{_calls(module, of)}`' for of in ('env', 'raw_env', 'parallel_env'))} |\n"
        for name, module in modules.items()
    )
    return f"| module for PettingZoo | is short for |\n|---|---|\n{rows}" if rows else ""


def _calls(module: ModuleType, name: str) -> str:
    call = getattr(module, name)
    return f"{name}(..) = {call.func.__name__}({', '.join(map(repr, call.args))}, ..)"


def _entry(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return f"```{{eval-rst}}\n.. autoclass:: {name}\n   :members:\n```\n"
    if inspect.isroutine(value):
        return f"```{{eval-rst}}\n.. autofunction:: {name}\n```\n"
    text = f"Its keys: {', '.join(f'`{key}`' for key in value)}." if isinstance(value, dict) else "Described above."
    return f"```{{eval-rst}}\n.. py:data:: {name}\n\n   {text}\n```\n"
