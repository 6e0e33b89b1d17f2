"""The command that installs a missing library, which differs between a checkout and a wheel, and its version."""

from __future__ import annotations

import re
from pathlib import Path

_PARENT = Path(__file__).resolve().parents[1]
CHECKOUT = _PARENT if (_PARENT / "pyproject.toml").is_file() else None  # None = installed from a wheel


def install_command(extra: str, constraints: str = "constraints.txt") -> str:
    """Return the command that installs an extra of this package.

    Args:
        extra: One of `[project.optional-dependencies]`, or several with commas between them.
        constraints: The file of tested versions in a checkout.
    """
    return f"pip install -e '.[{extra}]' -c {constraints}" if CHECKOUT else f"pip install 'tantra_envs[{extra}]'"


def version_numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version or of a bound such as `>=2.0`, to be compared."""
    return tuple(int(number) for number in re.findall(r"\d+", version))
