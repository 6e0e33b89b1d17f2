"""Array types in the signatures of the API reference: `ArrayLike` and `NDArray[float32]`, not what they stand for."""

from __future__ import annotations

import re
from typing import Any

import numpy.typing as npt
from sphinx.addnodes import desc_signature
from sphinx.domains.python import PyAttribute, PyProperty
from sphinx.util.typing import stringify_annotation

_DTYPE = r"~?numpy\.dtype\[~?(?:numpy\.|typing\.)?(\w+)\]"
_NDARRAY = re.compile(rf"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], {_DTYPE}\]")
_ARRAY_LIKE = {stringify_annotation(npt.ArrayLike, mode) for mode in ("fully-qualified", "smart")}


def shorten_arrays(text: str | None) -> str | None:
    """Return a signature, or a part of one, with NumPy's names for types of arrays."""
    if text is None:
        return None
    for expansion in _ARRAY_LIKE:
        text = text.replace(expansion, "ArrayLike")
    return _NDARRAY.sub(r"NDArray[\1]", text)


def on_signature(
    app: Any, what: str, name: str, member: Any, options: Any, arguments: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Handle Sphinx's event `autodoc-process-signature`."""
    return shorten_arrays(arguments), shorten_arrays(returned)


class _ShortType:
    """Shortens the type of an attribute or property, which does not pass through the event."""

    def handle_signature(self, sig: str, signode: desc_signature) -> tuple[str, str]:
        self.options["type"] = shorten_arrays(self.options.get("type"))
        return super().handle_signature(sig, signode)


class ShortProperty(_ShortType, PyProperty):
    """A property whose type has NumPy's names."""


class ShortAttribute(_ShortType, PyAttribute):
    """An attribute whose type has NumPy's names."""


def setup(app: Any) -> None:
    """Add these to Sphinx."""
    app.connect("autodoc-process-signature", on_signature)
    app.add_directive_to_domain("py", "property", ShortProperty, override=True)
    app.add_directive_to_domain("py", "attribute", ShortAttribute, override=True)
