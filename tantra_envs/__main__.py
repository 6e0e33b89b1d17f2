"""`python -m tantra_envs`: which games there are and what can be done next; `doctor` looks whether all is well."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import time
from pathlib import Path

from . import warmup
from .configuration import variants
from .core.compiled.cache import CORE, cache_folder, cache_root
from .core.compiled.jit import PURE_PYTHON, linked
from .envs.batch import BatchEnv
from .games import GAMES, game

NEXT = """What next:
  python -m tantra_envs doctor         are versions, compiler and cache as they should be?
  python -m tantra_envs warmup karma   compile a game ahead (all games without a name)
  tantra_envs.make("karma", players=3)               a PettingZoo environment
  gymnasium.make("tantra_envs/Karma-v0")             one seat of it for Gymnasium
  tantra_envs.make_batch("karma", n=1024)            many tables at once
"""
OPTIONAL = ("torch", "stable-baselines3", "sb3-contrib", "safetensors", "cyclopts", "polars", "matplotlib", "ray")
CHECKED_TABLES, CHECKED_SECONDS = 64, 1.0


def main(arguments: list[str] | None = None) -> int:
    """List the games, or run a command."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["warmup"]:
        return warmup.main(words[1:])
    if words == ["doctor"]:
        return doctor()
    if words in ([], ["-h"], ["--help"]):
        _list()
        return 0
    print(f"python -m tantra_envs: unknown: {' '.join(words)}; allowed: nothing, doctor, warmup", file=sys.stderr)
    return 2


def _list() -> None:
    """Games, seats and variants."""
    print("usage: python -m tantra_envs [doctor | warmup [GAME ...]]\n")
    for name in GAMES:
        made = game(name)
        named = ", ".join(variants(name)) or "none"
        print(f"{name:10} {made.seats[0]} to {made.seats[-1]} seats; variants: {named}")
    print(f"\n{NEXT}", end="")


def doctor() -> int:
    """What is installed, where machine code is kept, and a second of play for each game: 0 if all is well."""
    print(f"python {platform.python_version()} on {platform.system()} {platform.machine()}")
    wrong = [name for name, wanted in _required().items() if not _shows_version(name, wanted)]
    for name in OPTIONAL:
        print(f"{name} {_version(name) or 'not installed'} (optional)")
    print(f"compiler: {_compiler()}")
    print(f"cache: {_cache()}")
    wrong += [name for name in GAMES if not _plays(name)]
    print(f"something is wrong with {', '.join(wrong)}: see above" if wrong else "all is well")
    return 1 if wrong else 0


def _required() -> dict[str, str]:
    """Packages the suite cannot do without, and which versions: what its own metadata say."""
    found = {}
    for line in importlib.metadata.requires("tantra_envs") or ():
        package, _, condition = line.partition(";")
        name = package.strip().rstrip("0123456789.,<>=!~ *")
        if not condition:
            found[name] = package.strip()[len(name) :]
    return found


def _shows_version(name: str, wanted: str) -> bool:
    version = _version(name)
    right = version is not None and all(_meets(version, bound) for bound in wanted.split(","))
    print(f"{name} {version or 'not installed'} (wanted: {wanted})" + ("" if right else " <- not supported"))
    return right


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _meets(version: str, bound: str) -> bool:
    """Does a version keep to a bound such as `>=2.0` or `<0.69`? Others hold."""
    if bound.startswith(">="):
        return _numbers(version) >= _numbers(bound[2:])
    return not bound.startswith("<") or _numbers(version) < _numbers(bound[1:])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _compiler() -> str:
    if PURE_PYTHON:
        return "none: NUMBA_DISABLE_JIT is set, kernels run as ordinary Python"
    return "kernels linked into entry points" if linked() else "plain numba.njit: the same results, slower to compile"


def _cache() -> str:
    if cache_folder(CORE) is None:
        return f"nothing can be written to {cache_root()}: every process compiles anew"
    files = [path for path in Path(cache_root()).rglob("*") if path.is_file()]
    return f"{cache_root()}, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB in {len(files)} files"


def _plays(name: str) -> bool:
    """A second of random play by name of the game; anything that goes wrong is told."""
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


if __name__ == "__main__":
    sys.exit(main())
