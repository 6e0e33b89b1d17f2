"""Is this a release? `python -m tests.tools.release`, or `make release-check`: built, checked, installed, tried.

The version must name one state: all changes belong to it, and no page has results of a newer one. Wheel and sdist are
built from what is committed and checked by twine. The wheel alone goes into a fresh environment of the oldest Python
with the oldest libraries it may have, and into one of the newest with the newest; there every game and variant passes
the public checks. Every extra of the wheel must be installable with both Pythons, with the tested versions and with the
newest ones. The sdist, unpacked in a third environment, runs its own tests.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tantra_envs

ROOT = Path(__file__).resolve().parents[2]
HERE = "import pathlib, sys, tantra_envs; assert pathlib.Path(tantra_envs.__file__).is_relative_to(sys.prefix)"


def main(words: Sequence[str] | None = None) -> int:
    """Run all steps, or those asked for; the first that fails ends it, with its own exit code."""
    parser = argparse.ArgumentParser("python -m tests.tools.release", description="Build a release and try it.")
    parser.add_argument("--oldest", default="python3.11", help="the oldest Python (python3.11)")
    parser.add_argument("--newest", default="python3.14", help="the newest Python (python3.14)")
    parser.add_argument("--out", type=Path, default=Path("runs/release"), help="its folder; emptied before")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="which tests the sdist runs (all)")
    parser.add_argument("--only", nargs="+", choices=STEPS, default=list(STEPS), help="some of the steps, in order")
    asked = parser.parse_args(words)
    asked.out = asked.out.resolve()
    try:
        for step in asked.only:
            print(f"== {step}", flush=True)
            STEPS[step](asked)
    except subprocess.CalledProcessError as failed:
        print(f"error: {' '.join(map(str, failed.cmd))} ended with {failed.returncode}", file=sys.stderr)
        return failed.returncode
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print("all is well" if set(asked.only) == set(STEPS) else f"well so far: {', '.join(asked.only)}")
    return 0


def names(asked: argparse.Namespace) -> None:
    """The version names one state: no change is unreleased, and no page has results of a newer version."""
    from docs._site import results  # it needs the extras of the site

    results.check_release(tantra_envs.__version__)


def build(asked: argparse.Namespace) -> None:
    """Wheel and sdist of what is committed, and what twine says of them."""
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True)
    if changed.stdout:
        raise ValueError(f"a release is built of what is committed; commit first: {' '.join(changed.stdout.split())}")
    shutil.rmtree(asked.out, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--outdir", asked.out / "dist", ROOT)
    _run(sys.executable, "-m", "twine", "check", "--strict", *sorted((asked.out / "dist").iterdir()))


def oldest(asked: argparse.Namespace) -> None:
    """The wheel, the oldest Python, the oldest libraries."""
    _conforms(asked, "oldest", asked.oldest, oldest_of(_project()["dependencies"]))


def newest(asked: argparse.Namespace) -> None:
    """The wheel, the newest Python, the newest libraries."""
    _conforms(asked, "newest", asked.newest, [])


def extras(asked: argparse.Namespace) -> None:
    """Resolve every extra of the wheel for the oldest and the newest Python, without installing anything.

    Only wheels count, so an extra fails if one of its packages has none for this Python. pip needs no interpreter of
    that version, but reads markers such as `python_version < "3.12"` for the Python that runs it.
    """
    (wheel,) = (asked.out / "dist").glob("*.whl")
    built = asked.out / "wheels"
    _run(sys.executable, *PIP_WHEEL, "--wheel-dir", built, *SOURCE_ONLY)
    resolve = (*PIP, "--dry-run", "--only-binary=:all:", "--find-links", built, "--target", asked.out / "none")
    for python in (_pythons()[0], _pythons()[-1]):
        for extra in _project()["optional-dependencies"]:
            for constraints in ((), ("-c", constraints_of(extra))):
                print(f"{python} {extra} {' '.join(map(str, constraints))}", flush=True)
                _run(sys.executable, *resolve, "--python-version", python, *constraints, f"{wheel}[{extra}]")


def sdist(asked: argparse.Namespace) -> None:
    """The sdist's own tests, from the folder it unpacks to."""
    (archive,) = (asked.out / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(asked.out / "sdist", filter="data")
    (folder,) = (asked.out / "sdist").iterdir()
    python = _environment(asked.out / "tests", asked.oldest)
    _run(python, *PIP, "-c", folder / "constraints.txt", "-e", f"{folder}[train,bench,docs,dev]")
    _run(python, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", *asked.tests, folder=folder)


STEPS = {"names": names, "build": build, "extras": extras, "oldest": oldest, "newest": newest, "sdist": sdist}
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
PIP_WHEEL = ("-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps")
SOURCE_ONLY = ("moviepy==1.0.3", "rlcard==1.2.0")  # pure Python, published without a wheel


def oldest_of(dependencies: Sequence[str]) -> list[str]:
    """The oldest version that each requirement allows: `numpy>=2.0` is `numpy==2.0.*`; ValueError if one has no end."""
    bounds = {dependency: re.match(r"([\w.-]+)>=(\d+\.\d+)", dependency) for dependency in dependencies}
    for dependency, bound in bounds.items():
        if bound is None:
            raise ValueError(f"{dependency!r} in pyproject.toml says no oldest version; wanted: NAME>=1.2")
    return [f"{bound[1]}=={bound[2]}.*" for bound in bounds.values() if bound]


def constraints_of(extra: str) -> Path:
    """Return the file with the tested versions of an extra."""
    own = ROOT / "constraints" / f"{extra}.txt"
    return own if own.is_file() else ROOT / "constraints.txt"


def _conforms(asked: argparse.Namespace, name: str, interpreter: str, pins: Sequence[str]) -> None:
    """The wheel with nothing else in a fresh environment: every game and variant passes the public checks."""
    (wheel,) = (asked.out / "dist").glob("*.whl")
    folder = asked.out / name
    python = _environment(folder, interpreter)
    _run(python, *PIP, wheel, *pins)
    _run(python, "-m", "pip", "freeze", "--disable-pip-version-check")
    _run(python, "-I", "-c", HERE, folder=folder)
    _run(python, "-I", "-m", "tantra_envs", "check", folder=folder)


def _environment(folder: Path, interpreter: str) -> Path:
    """A new virtual environment: its Python."""
    found = shutil.which(interpreter)
    if found is None:
        raise ValueError(f"there is no {interpreter!r}; name another with --oldest or --newest")
    _run(found, "-m", "venv", "--clear", folder)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _run(*words: str | Path, folder: Path = ROOT) -> None:
    """A command in `folder`, whose machine code is kept there; CalledProcessError if it fails."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    cache = {} if folder == ROOT else {"NUMBA_CACHE_DIR": str(folder / "cache")}
    subprocess.run([str(word) for word in words], cwd=folder, env={**own, **cache}, check=True)


def _pythons() -> list[str]:
    """Return the Python versions that the project promises, ascending: ["3.11", .., "3.14"]."""
    prefix = "Programming Language :: Python :: 3."
    return [name.rpartition(" ")[2] for name in _project()["classifiers"] if name.startswith(prefix)]


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


if __name__ == "__main__":
    sys.exit(main())
