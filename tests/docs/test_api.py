"""Every public name of the modules in the reference describes the shapes of its arrays and its errors."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("torch")

import tantra_envs
from docs._site import names as public_names

from .pages import PAGES, ROOT, blocks, name_of

REFERENCE = (ROOT / "docs/_site/reference.rst").read_text(encoding="utf-8")
MODULES = re.findall(r"^   (tantra_envs\S*)$", REFERENCE, re.MULTILINE)
SHAPE = re.compile(r"\((?:[\w.*+ ]+,)+[\w.*+ ,]*\)|shape|\d-d|array")
ARRAYS = re.compile(
    r"NDArray|ndarray|ArrayLike|\bFloats\b|\bInts\b|\bFlags\b|\bViews?\b|\bMasks?\b|\bActions\b|\bStates\b"
)
ALIASES = {"Actions", "Answer", "Array", "Config", "Mask", "Position", "Record", "Rows", "States", "Teams", "View"}
CONSTANTS = {"ALL_SEATS", "LAST_SEAT", "SWITCH"}


STACK = ("tantra_envs.core.compiled.stack", "local_zeros")  # what it is depends on whether kernels are compiled


def public(module: ModuleType) -> dict[str, Any]:
    """The public names of a module: `__all__`, or the names that it defines without an underscore."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    return {name: getattr(module, name) for name in names}


def callables() -> Iterator[tuple[str, Any, str]]:
    """Every public function, method and property: its name, itself, and the docstrings of what it belongs to."""
    for module in map(importlib.import_module, MODULES):
        for name, value in public(module).items():
            if getattr(value, "__module__", module.__name__) != module.__name__ and value.__module__ in MODULES:
                continue  # it has its entry there
            if inspect.isfunction(value):
                yield f"{module.__name__}.{name}", value, module.__doc__ or ""
            elif inspect.isclass(value):
                yield from (
                    (f"{module.__name__}.{name}.{n}", v, f"{value.__doc__} {module.__doc__}") for n, v in methods(value)
                )


def methods(kind: type) -> Iterator[tuple[str, Any]]:
    for name, value in vars(kind).items():
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(function):
            yield name, function


def imports(source: str) -> Iterator[tuple[str, str]]:
    """The names that Python imports from modules of this package that are in the reference or should be."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            home = f"tantra_envs.{node.module}" if node.level else node.module
            names = [name.name for name in node.names]
            yield from ((home, name) for name in names if f"{home}.{name}" not in MODULES)


CALLABLES = list(callables())


def tree(function: Any) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def raised(function: Any) -> set[str]:
    """The names of the errors that it raises itself; NotImplementedError belongs to nobody."""
    calls = [node.exc for node in ast.walk(tree(function)) if isinstance(node, ast.Raise) and node.exc]
    names = {ast.unparse(call.func if isinstance(call, ast.Call) else call) for call in calls}
    return {name for name in names if name[0].isupper()} - {"NotImplementedError"}


def test_the_table_of_public_names_has_what_users_import():
    names = public_names.NAMES
    assert len(names) == len(set(names)) >= 30
    home = {public_names.value_of(name) for name in names}
    exported = (getattr(tantra_envs, name) for name in tantra_envs.__all__)
    assert not [
        value for value in exported if (inspect.isclass(value) or inspect.isfunction(value)) and value not in home
    ]


def test_a_row_has_the_name_and_one_sentence():
    rows = public_names.table().splitlines()[2:]
    assert len(rows) == len(public_names.NAMES)
    assert "| `tantra_envs.make_batch` | Return `n` tables with arrays as input and output. |" in rows
    assert all(re.fullmatch(r"\| `[\w.]+` \| [A-Z`].+\. \|", row) for row in rows)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name_of)
def test_what_pages_import_is_in_the_reference(page):
    for source in blocks(page, "python"):
        used = [] if ">>>" in source else list(imports(source))
        assert not [(home, name) for home, name in used if home in MODULES and not _is_public(home, name)]
        assert not [home for home, name in used if home.startswith("tantra_envs.core") and home not in MODULES]


def test_what_games_import_from_the_core_is_in_the_reference():
    files = [*ROOT.glob("tantra_envs/games/*/*.py"), *ROOT.glob("tests/new_game/nim/*.py")]
    used = {pair for file in files for pair in imports(file.read_text(encoding="utf-8")) if ".core." in pair[0]}
    assert ("tantra_envs.core.fields", "Field") in used
    assert not [(home, name) for home, name in used if not _is_public(home, name)]


def _is_public(home: str, name: str) -> bool:
    """Whether a name is on a page: an entry, a module, an alias of a type, or a constant."""
    if f"{home}.{name}" in MODULES or name in ALIASES | CONSTANTS | set(tantra_envs.__all__):
        return True
    return home in MODULES and (name in public(importlib.import_module(home)) or (home, name) == STACK)


def test_errors_are_documented():
    """Its own, by name or by a class above; an environment that no game runs in raises the same error everywhere."""
    assert not [
        (name, error)
        for name, function, of in CALLABLES
        for error in raised(function)
        if error not in (text := f"{function.__doc__} {of}") and not (error.endswith("Error") and "ValueError" in text)
    ]


def test_shapes_of_arrays_are_documented():
    missing = []
    assert len(CALLABLES) > 80
    for name, function, of in CALLABLES:
        kinds = {key: str(kind) for key, kind in function.__annotations__.items() if ARRAYS.search(str(kind))}
        if kinds and not SHAPE.search(f"{function.__doc__} {of}"):
            missing.append((name, kinds))
    assert not missing


@pytest.mark.parametrize("name", MODULES)
def test_modules_say_what_they_are_for(name):
    assert importlib.import_module(name).__doc__
