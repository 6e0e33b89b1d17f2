"""`python -m tantra_envs doctor`: check that everything is installed correctly."""

from __future__ import annotations

import importlib.metadata
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass

from .. import __version__
from ..core.compiled.cache import CORE, cache_folder, cache_root
from ..core.compiled.jit import PURE_PYTHON
from ..envs.batch import BatchEnv
from ..extras import version_numbers
from ..games import GAMES, game
from ..programs import cli

OPTIONAL = ("torch", "stable-baselines3", "sb3-contrib", "polars", "matplotlib", "ray")
CHECKED_TABLES, CHECKED_SECONDS = 64, 1.0


@dataclass(frozen=True)
class Args:
    """Check versions, compiler and cache, and play each game for a second.

    Example: python -m tantra_envs doctor
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Print versions, the cache folder and the speed of each game. Return 0 if every check passes, otherwise 1."""
    with cli.user_errors("train"):
        cli.read(Args, "tantra_envs doctor", argv)
    print(f"python {platform.python_version()} on {platform.system()} {platform.machine()}")
    wrong = [name for name, allowed in _required().items() if not _shows_version(name, allowed)]
    for name in OPTIONAL:
        print(f"{name} {_version(name) or 'not installed'} (optional)")
    plain = "none: NUMBA_DISABLE_JIT is set, or Numba is missing, so kernels run as ordinary Python"
    print(f"compiler: {plain if PURE_PYTHON else 'numba.njit'}")
    print(f"cache: {_cache()}")
    wrong += [name for name in GAMES if not _plays(name)]
    print(f"something is wrong with {', '.join(wrong)}: see above" if wrong else "all is well")
    return 1 if wrong else 0


def _required() -> dict[str, str]:
    """Return the required packages and their allowed versions, from the metadata of `tantra_envs`."""
    versions = {}
    try:
        lines = importlib.metadata.requires("tantra_envs")
    except importlib.metadata.PackageNotFoundError:
        lines = [f"tantra_envs>={__version__}"]  # a folder on the path that was never installed
    for line in lines or ():
        package, _, condition = line.partition(";")
        name = package.strip().rstrip("0123456789.,<>=!~ *")
        if not condition:
            versions[name] = package.strip()[len(name) :]
    return versions


def _shows_version(name: str, allowed: str) -> bool:
    version = _version(name)
    right = version is not None and all(_meets(version, bound) for bound in allowed.split(","))
    print(f"{name} {version or 'not installed'} (required: {allowed})" + ("" if right else " <- not supported"))
    return right


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _meets(version: str, bound: str) -> bool:
    """Return whether a version satisfies a bound such as `>=2.0` or `<0.69`; other bounds always hold."""
    if bound.startswith(">="):
        return version_numbers(version) >= version_numbers(bound[2:])
    return not bound.startswith("<") or version_numbers(version) < version_numbers(bound[1:])


def _cache() -> str:
    root = cache_root()
    if root is None:
        return "none: there is no home folder, so every process compiles again; set NUMBA_CACHE_DIR to a folder"
    if cache_folder(CORE) is None:
        return f"{root} is not writable, so every process compiles again"
    files = [path for path in root.rglob("*") if path.is_file()]
    return f"{root}, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB in {len(files)} files"


def _plays(name: str) -> bool:
    """Play a game at random for a second and print the speed, or the error that stops it."""
    try:
        batch, steps = BatchEnv(game(name), CHECKED_TABLES), 0
        batch.step(batch.sample())  # compiles
        until = time.perf_counter() + CHECKED_SECONDS
        while time.perf_counter() < until:
            batch.step(batch.sample())
            steps += CHECKED_TABLES
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
        return False
    print(f"{name}: plays, {steps / CHECKED_SECONDS:,.0f} actions a second")
    return True
