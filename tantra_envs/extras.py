"""Optional parts: modules that the package of a game may have, and libraries that may be missing."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType

from .core.game import Game

_PARENT = Path(__file__).resolve().parents[1]
CHECKOUT = _PARENT if (_PARENT / "pyproject.toml").is_file() else None  # None = installed from a wheel


def module_of(game: Game, name: str) -> ModuleType | None:
    """Return a module in the package of a game, such as "words.drawing", or None if it does not exist."""
    return module_in(game.build.__module__, name)


def module_in(package: str, name: str) -> ModuleType | None:
    """Return a module in a package, with dots before modules of its folders, or None if it does not exist."""
    path = f"{package}.{name}"
    try:
        exists = importlib.util.find_spec(path) is not None
    except ModuleNotFoundError:  # the package before the last dot is missing, or is a single file
        return None
    return importlib.import_module(path) if exists else None


def folder_of(game: Game) -> Path:
    """Return the folder with the files of a game."""
    return Path(str(importlib.import_module(game.build.__module__).__file__)).parent


def install_command(extra: str, constraints: str = "constraints.txt") -> str:
    """Return the command that installs an extra of this package, with quotes that every shell understands.

    Args:
        extra: One of `[project.optional-dependencies]`, or several with commas between them.
        constraints: The file of tested versions, which the wheel holds too.
    """
    if CHECKOUT:
        return f'pip install -e ".[{extra}]" -c {constraints}'
    return f'pip install "tantra_envs[{extra}]" -c "{Path(__file__).parent / constraints}"'


def version_numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version or of a bound such as `>=2.0`, to be compared."""
    return tuple(int(number) for number in re.findall(r"\d+", version))
