"""The fields of dataclasses and named tuples in the API reference, from the comments behind them in the source."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from typing import Any

COMMENT = re.compile(r"  # (.+)$")


def field_comments(kind: type) -> dict[str, str]:
    """Return the comment of every field of a class that has one, by the name of the field."""
    source = textwrap.dedent(inspect.getsource(kind))
    lines = source.splitlines()
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    fields = [node for node in definition.body if isinstance(node, ast.AnnAssign)]
    comments = {ast.unparse(field.target): COMMENT.search(lines[(field.end_lineno or 1) - 1]) for field in fields}
    return {name: comment[1] for name, comment in comments.items() if comment}


def on_docstring(app: Any, what: str, name: str, member: Any, options: Any, lines: list[str]) -> None:
    """Handle Sphinx's event `autodoc-process-docstring`: add the fields to the docstring of a class."""
    if what == "class" and (dataclasses.is_dataclass(member) or hasattr(member, "_fields")):
        comments = {f: text for f, text in field_comments(member).items() if not f.startswith("_")}
        lines += ["", *(f"- ``{field}``: {_markup(text)}" for field, text in comments.items()), ""] if comments else []


def _markup(comment: str) -> str:
    """Return a comment as reStructuredText, where only code has marks."""
    parts = comment.split("`")
    return "`".join(part if i % 2 else re.sub(r"([*_|\\])", r"\\\1", part) for i, part in enumerate(parts))


def setup(app: Any) -> None:
    """Add this to Sphinx."""
    app.connect("autodoc-process-docstring", on_docstring)
