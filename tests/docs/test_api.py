"""The reference is complete: every public name has a page, and describes itself, its arrays' shapes and its errors."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch")

import tantra_envs
from docs._site import api_modules, api_page
from docs._site.api_modules import MODULES, Documented

from .pages import PAGES, ROOT, blocks, name_of

SHAPE = re.compile(r"\((?:[\w.*+ ]+,)+[\w.*+ ,]*\)|shape|\d-d|array")
ARRAYS = re.compile(
    r"NDArray|ndarray|ArrayLike|\bFloats\b|\bInts\b|\bFlags\b|\bViews?\b|\bMasks?\b|\bActions\b|\bStates\b"
)
ALIASES = {"Actions", "Array", "Config", "Judge", "Mask", "Position", "Record", "Rows", "States", "Teams", "View"}
CONSTANTS = {"ALL_SEATS", "SWITCH"}


def callables() -> Iterator[tuple[str, Any, str]]:
    """Every public function, method and property: its name, itself, and the docstrings of what it belongs to."""
    for module in map(importlib.import_module, MODULES):
        for name, value in api_modules.public(module).items():
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


def classes() -> Iterator[tuple[str, type]]:
    for module in map(importlib.import_module, MODULES):
        yield from ((n, v) for n, v in api_modules.public(module).items() if inspect.isclass(v))


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
    return {name for name in names if name[0].isupper()}


def test_every_name_has_a_docstring():
    missing = [name for name, function, _ in CALLABLES if not function.__doc__]
    missing += [name for name, kind in classes() if not kind.__doc__ or "ABCMeta" in kind.__doc__]
    assert not missing
    assert len(CALLABLES) > 80


def test_no_public_name_lacks_a_page(monkeypatch):
    assert api_modules.missing() == []
    without = Documented("A game", ("Game", "Words"), ("scratch", "is_whole", "as_seed", "draw_with"))
    monkeypatch.setitem(MODULES, "tantra_envs.core.game", without)
    assert "tantra_envs.core.game.Player" in api_modules.missing()
    assert "tantra_envs.core.game.IllegalActionError" in api_modules.missing()
    with pytest.raises(api_page.MissingPageError, match="Player"):
        api_page.pages()


def test_a_page_lists_its_names_on_top_and_no_internal_ones():
    page = api_page.pages()["api/tantra_envs.core.game.md"]
    summary, _, entries = page.partition("autosummary::")[2].partition("```")
    assert summary.split()[1:] == ["Game", "Words", "Player", "Features", "RoundInfo", "IllegalActionError"]
    assert "autoclass:: tantra_envs.core.game.Game" in entries and "as_seed" not in page


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
    return home in MODULES and name in api_modules.public(importlib.import_module(home))


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
    for name, function, of in CALLABLES:
        kinds = {key: str(kind) for key, kind in function.__annotations__.items() if ARRAYS.search(str(kind))}
        if kinds and not SHAPE.search(f"{function.__doc__} {of}"):
            missing.append((name, kinds))
    assert not missing


@pytest.mark.parametrize("name", MODULES)
def test_modules_say_what_they_are_for(name):
    assert importlib.import_module(name).__doc__


def test_types_of_arrays_are_shown_by_their_names():
    pytest.importorskip("sphinx")
    from sphinx.util.inspect import signature, stringify_signature

    from docs._site.signatures import shorten_arrays

    def example(a: npt.ArrayLike, b: npt.NDArray[np.float32], c: npt.ArrayLike | None) -> list[npt.NDArray[Any]]: ...

    for short in (True, False):
        shown = shorten_arrays(stringify_signature(signature(example), unqualified_typehints=short))
        plain = "(a: ArrayLike, b: NDArray[float32], c: ArrayLike | None) -> list[NDArray[Any]]"
        assert shown == plain
        for _, function, _ in CALLABLES:
            shown = shorten_arrays(stringify_signature(signature(function), unqualified_typehints=short))
            assert "numpy._typing" not in shown
            assert "numpy.ndarray" not in shown


def test_fields_are_described_by_their_comments():
    from docs._site.field_docs import field_comments, on_docstring
    from tantra_envs.opponents.ismcts import TreeBudget
    from tantra_envs.opponents.search import Budget

    for kind in (Budget, TreeBudget):
        assert set(field_comments(kind)) == {field.name for field in dataclasses.fields(kind)}
    lines: list[str] = []
    on_docstring(None, "class", "Budget", Budget, None, lines)
    assert any(line.startswith("- ``samples``: sampled deals") for line in lines)
