"""The reference, and the table of public names, have what users, pages and games import."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("torch")

import tantra_envs
from docs._site.results import contents

from .pages import PAGES, ROOT, blocks

MODULES = [name for names in contents()["modules"].values() for name in names]
ALIASES = {"Actions", "Answer", "Array", "Config", "Mask", "Position", "Record", "Rows", "States", "Teams", "View"}
CONSTANTS = {"ALL_SEATS", "LAST_SEAT", "SWITCH"}


STACK = ("tantra_envs.core.compiled.stack", "local_zeros")  # what it is depends on whether kernels are compiled


def public(module: ModuleType) -> dict[str, Any]:
    """The public names of a module: `__all__`, or the names that it defines without an underscore."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    return {name: getattr(module, name) for name in names}


def imports(source: str) -> Iterator[tuple[str, str]]:
    """The names that Python imports from modules of this package that are in the reference or should be."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            home = f"tantra_envs.{node.module}" if node.level else node.module
            names = [name.name for name in node.names]
            yield from ((home, name) for name in names if f"{home}.{name}" not in MODULES)


def test_the_table_of_public_names_has_what_users_import():
    names = contents()["names"]
    assert len(names) == len(set(names)) >= 30
    home = {pkgutil.resolve_name(name) for name in names}
    exported = (getattr(tantra_envs, name) for name in tantra_envs.__all__)
    assert not [
        value for value in exported if (inspect.isclass(value) or inspect.isfunction(value)) and value not in home
    ]


def test_what_pages_and_games_import_is_in_the_reference():
    files = [*ROOT.glob("tantra_envs/games/*/*.py"), *ROOT.glob("tests/new_game/nim/*.py")]
    of_games = {pair for file in files for pair in imports(file.read_text(encoding="utf-8"))}
    pieces = [piece for page in PAGES for piece in blocks(page, "python") if ">>>" not in piece]
    of_pages = {pair for piece in pieces for pair in imports(piece)}
    used = {pair for pair in of_games | of_pages if pair[0].startswith("tantra_envs.core")}
    used |= {pair for pair in of_pages if pair[0] in MODULES}
    assert ("tantra_envs.core.fields", "Field") in used
    assert not [(home, name) for home, name in used if not _is_public(home, name)]
    assert not [home for home, _ in of_pages if home.startswith("tantra_envs.core") and home not in MODULES]


def _is_public(home: str, name: str) -> bool:
    """Whether a name is on a page: an entry, a module, an alias of a type, or a constant."""
    if f"{home}.{name}" in MODULES or name in ALIASES | CONSTANTS | set(tantra_envs.__all__):
        return True
    return home in MODULES and (name in public(importlib.import_module(home)) or (home, name) == STACK)
