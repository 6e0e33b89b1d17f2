"""Make agents from their names: `load("search:64", game, OPPONENTS)`."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..core.asking import failures_of
from ..core.game import Game
from ..core.observation import Agent
from ..programs.files import expanded
from .specs import AgentSpec

Maker = Callable[[Game, AgentSpec], Agent]
DIGITS = 12  # of the digest of an agent's files
_folders: list[str] = []  # folders of the agents in files, the last one loaded first


class Kind(NamedTuple):
    """A factory of the agents of one name.

    Attributes:
        make: Called with the game and the spec; or "module:function", which is imported when such an agent is loaded.
        argument: Name of the option without a key ("" = such agents take no options).
        required: True if that option must be given.
    """

    make: Maker | str
    argument: str = ""
    required: bool = False

    def usage(self, name: str) -> str:
        """Return the pattern of such names, as in `search:SAMPLES`."""
        return f"{name}:{self.argument.upper()}" if self.argument else name


def load(spec: str | AgentSpec, game: Game, kinds: Mapping[str, Kind]) -> Agent:
    """Return the agent that `spec` names, ready to play `game`.

    Raises:
        ValueError: `kinds` has no such name, or the options or the game do not fit the agent.
    """
    parsed = parse(spec, kinds)
    if parsed.file is not None:
        return _load_class(parsed, game)
    kind = kinds[parsed.name]
    if kind.required and parsed.argument is None:
        raise ValueError(f"agent {parsed.text!r} needs a {kind.argument}; allowed: {kind.usage(parsed.name)}")
    if not kind.argument and parsed.words:
        problem = f"{parsed.name} takes no options; allowed: {parsed.name}"
        raise ValueError(f"agent {parsed.text!r} is not allowed: {problem}")
    try:
        return _maker(kind)(game, parsed)
    except ModuleNotFoundError as missing:
        raise ValueError(f"agent {parsed.name!r} needs {missing.name}: pip install {missing.name}") from None


def parse(spec: str | AgentSpec, kinds: Mapping[str, Kind]) -> AgentSpec:
    """Parse the name of an agent; raise ValueError unless `kinds` has it, or it is a class in a file."""
    try:
        parsed = AgentSpec.parse(spec)
    except ValueError as error:
        raise ValueError(f"{error}; agents: {allowed(kinds)}") from None
    if parsed.deals is not None and isinstance(spec, str):
        raise ValueError(f"agent {spec!r} is not allowed: only studies limit an agent's deals; omit @{parsed.deals}")
    if parsed.file is None and parsed.name not in kinds:
        raise ValueError(f"unknown agent {parsed.name!r}; allowed: {allowed(kinds)}")
    return parsed


def allowed(kinds: Mapping[str, Kind]) -> str:
    """List the patterns of all allowed names."""
    return ", ".join([*(kind.usage(name) for name, kind in kinds.items()), "FILE.py:CLASS"])


def origin(agent: Any) -> dict[str, Any]:
    """Return the `origin` of an agent or of a game's scripted agent; empty if it has none."""
    return dict(getattr(agent, "origin", {}))


def _maker(kind: Kind) -> Maker:
    """Return the function that makes such agents."""
    if not isinstance(kind.make, str):
        return kind.make
    module, function = kind.make.split(":")
    maker: Maker = getattr(importlib.import_module(module), function)
    return maker


def _load_class(spec: AgentSpec, game: Game) -> Agent:
    """Return an agent of a class in a Python file."""
    file, name = expanded(spec.name), spec.argument
    if spec.options:
        raise ValueError(f"agent {spec.text!r} is not allowed: {', '.join(spec.options)}; allowed: {file}:{name}")
    if not file.is_file():
        raise ValueError(f"there is no file {str(file)!r} with an agent; allowed: FILE.py:CLASS")
    _see_neighbours(file.resolve().parent)
    agent = _call(_class_of(file, name), file, name, game)
    for part in ("name", "act"):
        if not hasattr(agent, part):
            raise ValueError(
                f"{file}:{name} is not an agent: it has no {part!r}; an agent has a name and act(obs, rng)"
            )
    if not hasattr(agent, "origin"):
        agent.origin = {"digest": _digest([file, *getattr(agent, "files", ())])}  # type: ignore[attr-defined]
    return agent


def _digest(files: Iterable[str | Path]) -> str:
    """Return a digest of the contents of files; raise ValueError if one cannot be read."""
    total = hashlib.sha256()
    for file in files:
        try:
            total.update(hashlib.sha256(Path(file).read_bytes()).digest())
        except OSError as error:
            raise ValueError(f"files={str(file)!r} of an agent is not allowed: {error}; allowed: its files") from None
    return total.hexdigest()[:DIGITS]


def _call(maker: Any, file: Path, name: str | None, game: Game) -> Agent:
    """Return the agent that a user's class makes; raise ValueError if the class takes no game, AgentError if it fails.

    AgentError is a ValueError.
    """
    try:
        inspect.signature(maker).bind(game)
    except TypeError as error:
        called = f"the call {name}(game) fails: {error}"
        allowed_class = "a class with __init__(self, game), a name and act(obs, rng)"
        raise ValueError(f"{file}:{name} is not an agent: {called}; allowed: {allowed_class}") from None
    with failures_of(f"{file}:{name}", "could not be made"):
        agent: Agent = maker(game)
    return agent


def _see_neighbours(folder: Path) -> None:
    """Let the Python files in the folder of an agent be imported by name, before those of other agents.

    A module of another agent with the same name is forgotten. That agent keeps it.
    """
    if str(folder) not in _folders and str(folder) in sys.path:
        return
    others = [path for path in _folders if path != str(folder)]
    sys.path[:] = [path for path in sys.path if path not in _folders]
    _folders[:] = [str(folder), *others]
    sys.path += _folders
    neighbours = {entry.stem for entry in folder.iterdir()} - {__name__.partition(".")[0]}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in neighbours and (file := getattr(module, "__file__", None)):
            if any(Path(file).is_relative_to(other) for other in others):
                del sys.modules[name]


def _class_of(file: Path, name: str | None) -> Any:
    """Run a Python file and return its class of that name.

    Raises:
        AgentError: The file fails. It is a ValueError.
        ValueError: It has no such class.
    """
    place = hashlib.sha256(bytes(file.resolve())).hexdigest()[:DIGITS]
    source = importlib.util.spec_from_file_location(f"{file.stem}_{place}", file)
    assert source is not None and source.loader is not None
    module = importlib.util.module_from_spec(source)
    sys.modules[source.name] = module  # as dataclasses and pickles need it
    try:
        with failures_of(str(file), "could not be run"):
            source.loader.exec_module(module)
    except BaseException:
        del sys.modules[source.name]
        raise
    maker = getattr(module, name or "", None)
    if not callable(maker):
        own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
        classes = [value.__name__ for value in own if inspect.isclass(value)]
        raise ValueError(f"{file} has no agent {name!r}; its classes: {', '.join(classes) or 'none'}")
    return maker
