"""The files of a package for OpenEnv: `python -m tantra_envs openenv FOLDER` writes them. They use this library.

The folder `openenv_template` has the files. In them `$name` and the other words of `files` are replaced.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from string import Template

from .. import __version__, puzzles
from ..core.options import require
from ..games import SHIPPED
from ..programs.files import write_content

NAME = "tantra_envs"
LIBRARY = "openenv"  # the library that the package needs
TEMPLATE = Path(__file__).parent / "openenv_template"
PROBE = "karma/win", 0  # the puzzle of `openenv validate`, one for training


def write(folder: Path, wheel: Path | None = None) -> list[Path]:
    """Write the package into a folder and return its files.

    Args:
        folder: The folder, new or empty.
        wheel: A wheel of this library to be copied into the folder.

    Raises:
        ValueError: The folder has files or the name of a library, or the wheel is not one of this library.
        OSError: A file cannot be read or written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"folder={folder} is not allowed: it is not empty; allowed: a new or empty folder")
    if is_library(name := folder.resolve().name):
        problem = f"beside it, Python would import the folder in place of the library {name}"
        raise ValueError(f"folder={folder} is not allowed: {problem}; allowed: another name, such as tantra-{LIBRARY}")
    fits = wheel is None or (wheel.name.startswith(f"{NAME}-") and wheel.suffix == ".whl")
    require("wheel", str(wheel), fits, f"a wheel of {NAME}, as `python -m build` makes it")
    contents: dict[str, str | bytes] = dict(files(wheel.name if wheel else None))
    if wheel is not None:
        contents[wheel.name] = wheel.read_bytes()
    written = []
    for name, content in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_content(file, content)
        written.append(file)
    return written


def is_library(name: str) -> bool:
    """Return whether a folder of this name, with modules in it, would hide a library."""
    if not name.isidentifier():
        return False
    library = importlib.util.find_spec(name)
    return name == LIBRARY or (library is not None and library.origin is not None)  # a folder alone has no origin


def files(wheel: str | None = None) -> dict[str, str]:
    """Return the contents of the files by their paths in the folder.

    Args:
        wheel: The name of a wheel of this library in the folder, which its image installs; None = by name and version.
    """
    kind, seed = PROBE
    plan = {
        "plan_schema_version": "1",
        "reset": {"episode_id": "probe", "seed": seed, "options": {"task": kind}},
        "actions": [{"reply": puzzles.make(kind, seed).solution}],
    }
    words = {
        "name": NAME,
        "version": __version__,
        "counts": json.dumps({name: len(seeds) for name, seeds in puzzles.SPLITS.items()}),
        "requirement": f"/app/env/{wheel}[openenv]" if wheel else f"{NAME}[openenv]=={__version__}",
        "games": " ".join(SHIPPED),
    }
    texts = {
        file.relative_to(TEMPLATE).with_suffix("").as_posix(): Template(file.read_text(encoding="utf-8"))
        for file in sorted(TEMPLATE.rglob("*.template"))
    }
    contents = {name: text.substitute(words) for name, text in texts.items()}
    return {**contents, "validation/runtime.json": json.dumps(plan, indent=2) + "\n"}
