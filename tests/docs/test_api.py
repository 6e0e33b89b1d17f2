"""The reference leaves nothing unsaid: every public name tells what it is, its arrays' shapes and its errors."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from docs._site import api_page

SHAPE = re.compile(r"\((?:[\w.*+ ]+,)+[\w.*+ ,]*\)|shape|\d-d|array")
ARRAYS = re.compile(
    r"NDArray|ndarray|ArrayLike|\bFloats\b|\bInts\b|\bFlags\b|\bViews?\b|\bMasks?\b|\bActions\b|\bStates\b"
)


def callables() -> Iterator[tuple[str, Any, str]]:
    """Every public function, method and property: its name, itself, and the docstrings of what it belongs to."""
    for module in map(importlib.import_module, api_page.modules()):
        for name, value in api_page.public(module).items():
            if (
                getattr(value, "__module__", module.__name__) != module.__name__
                and value.__module__ in api_page.MODULES
            ):
                continue  # told there
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
    for module in map(importlib.import_module, api_page.modules()):
        yield from ((n, v) for n, v in api_page.public(module).items() if inspect.isclass(v))


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


def test_errors_are_told():
    """Its own, by name or by a class above; a game that has not begun is told of where environments are."""
    assert not [
        (name, error)
        for name, function, of in CALLABLES
        for error in raised(function)
        if error not in (told := f"{function.__doc__} {of}") and not (error.endswith("Error") and "ValueError" in told)
    ]


def test_shapes_of_arrays_are_told():
    missing = []
    for name, function, of in CALLABLES:
        kinds = {key: str(kind) for key, kind in function.__annotations__.items() if ARRAYS.search(str(kind))}
        if kinds and not SHAPE.search(f"{function.__doc__} {of}"):
            missing.append((name, kinds))
    assert not missing


@pytest.mark.parametrize("name", api_page.modules())
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
