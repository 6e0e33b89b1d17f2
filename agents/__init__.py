"""Players, and players from words: `parse("greedy,search:8,without=buying,my_agent.py:MyAgent", game)`.

An agent has a `name` and `act(obs, rng)`, as `tantra_envs.core.observation.Agent` says. It may also have an `origin`, a
mapping in plain numbers and words that says where it comes from (its seed, a digest of its weights; of an own agent the
digest of its file): studies ask for it by `origin(agent)` and keep it with their results.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

from tantra_envs.cli import only_commands
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.opponents import OPPONENTS, apart
from tantra_envs.opponents.scripted import Scripted

__all__ = ["AGENTS", "Agent", "Observation", "origin", "parse", "playing_as"]

only_commands(__name__, "agents.play")

# Each is called with the game, and with what follows a colon in `learned:karma` or `text:python my_model.py`.
AGENTS: dict[str, Any] = {
    **OPPONENTS,
    "search": "agents.searching:search",
    "learned": "agents.pretrained:Pretrained",  # imported when asked for: they need safetensors
    "ppo": "agents.checkpoint:Checkpoint",
    "text": "agents.text:TextAgent",
}
WITHOUT = r",\s*without="


def parse(text: str, game: Game) -> list[Agent]:
    """The agents named in `text`, with commas between them, ready to play `game`.

    A name is one of `AGENTS`, or FILE.py:CLASS, which is called with the game. What follows a comma as `beyond=2` in
    `search:worlds=64,beyond=2` belongs to the agent before; `without=FREEDOM`, behind everything else, makes of any
    agent one that has given that up (`agents/freedoms`). ValueError for anything else, and for what the agent itself
    refuses.
    """
    return [_agent(word, game) for word in apart(text)]


def playing_as(word: str, game: Game) -> Game:
    """The game with the agent of that name in the scripted player's place, so that it plays on in playouts.

    ValueError unless it is the scripted player or a network that can be compiled into them.
    """
    (agent,) = parse(word, game)
    if isinstance(agent, Scripted):
        return game
    if not hasattr(agent, "playing"):
        raise ValueError(f"{word} cannot play on in playouts; allowed: scripted, learned:NAME, ppo:FILE")
    played: Game = agent.playing()
    return played


def origin(agent: Any) -> dict[str, Any]:
    """Where an agent, or a game's player, comes from, as far as it says."""
    return dict(getattr(agent, "origin", {}))


def _agent(word: str, game: Game) -> Agent:
    named, *without = re.split(WITHOUT, word)
    if not without:
        return _free(word, game)
    restricted: Agent = _maker("agents.restricted:Restricted")(_free(named, game), game, without)
    return restricted


def _free(word: str, game: Game) -> Agent:
    file, _, made = word.rpartition(":")
    if file.endswith(".py"):
        return _own(Path(file), made, game)
    name, colon, argument = word.partition(":")
    if name not in AGENTS:
        raise ValueError(f"unknown agent {name!r}; agents: {', '.join(AGENTS)}, FILE.py:CLASS")
    try:
        maker = _maker(AGENTS[name])
    except ModuleNotFoundError as missing:
        needed = f"{missing.name}: pip install -e '.[train]' -c constraints.txt"
        raise ValueError(f"agent {name!r} needs {needed}") from None
    given = (game, argument) if colon else (game,)
    _check_given(name, maker, len(given))
    agent: Agent = maker(*given)
    return agent


def _maker(maker: Any) -> Any:
    """A class, or the one in words."""
    if not isinstance(maker, str):
        return maker
    module, made = maker.split(":")
    return getattr(importlib.import_module(module), made)


def _check_given(name: str, maker: type, given: int) -> None:
    """ValueError if an agent lacks what belongs after its colon, or has no use for it."""
    wanted = list(inspect.signature(maker).parameters.values())
    needed = sum(parameter.default is parameter.empty for parameter in wanted)
    if given < needed:
        raise ValueError(f"agent {name!r} needs a {wanted[1].name}: {name}:{wanted[1].name.upper()}")
    if given > len(wanted):
        raise ValueError(f"agent {name!r} takes nothing after its name")


def _own(file: Path, made: str, game: Game) -> Agent:
    """The agent `made` of a Python file, called with the game."""
    if not file.is_file():
        raise ValueError(f"there is no file {str(file)!r} with an agent")
    source = importlib.util.spec_from_file_location(file.stem, file)
    assert source is not None and source.loader is not None
    module = importlib.util.module_from_spec(source)
    source.loader.exec_module(module)
    maker = getattr(module, made, None)
    if not callable(maker):
        classes = [name for name, value in vars(module).items() if inspect.isclass(value)]
        raise ValueError(f"{file} has no agent {made!r}; its classes: {', '.join(classes) or 'none'}")
    try:
        inspect.signature(maker).bind(game)
    except TypeError as error:
        raise ValueError(f"{file}:{made} is no agent: it is called with the game alone, and there is {error}") from None
    agent: Agent = maker(game)
    for wanted in ("name", "act"):
        if not hasattr(agent, wanted):
            raise ValueError(f"{file}:{made} is no agent: it has no {wanted!r}; an agent has a name and act(obs, rng)")
    if not hasattr(agent, "origin"):
        agent.origin = {"digest": hashlib.sha256(file.read_bytes()).hexdigest()[:12]}  # type: ignore[attr-defined]
    return agent
