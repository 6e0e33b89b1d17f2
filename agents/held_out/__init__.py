"""The held-out agents of the benchmark: `held-out:NAME`. No training may meet them.

They are four networks for each game, trained from nothing with the settings in their headers, and a search over one of
them. Benchmarks load them by name. Training refuses them by the digest of their weights, under any name and as the
base of a search. It does not look into Python files. This is a rule and no secret.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.games import SHIPPED
from tantra_envs.opponents import AgentSpec, origin
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.model_files import digest_of
from tantra_envs.opponents.search import Search

KIND = "held-out"  # the name of all these agents before the colon
NETWORKS = ("early", "late", "exploiter", "values")
SEARCH, BASE = "search", "late"  # the search, and the network of its playouts
OPTIONS = "4,candidates=3,margin=1,plies=40"  # of the search: more samples would take most of the time of a ranking
AGENTS = (*NETWORKS, SEARCH)
WEIGHTS = Path(__file__).with_name("weights")


def file_of(game: str, name: str) -> Path:
    """Return the model file of a held-out network."""
    return WEIGHTS / f"{game}-{name}.safetensors"


def agent(game: Game, spec: AgentSpec) -> Agent:
    """Return the agent of `held-out:NAME`.

    Raises:
        ValueError: There is no such agent for this game.
    """
    name = spec.argument or ""
    file = file_of(game.id, BASE if name == SEARCH else name)
    if name not in AGENTS or spec.options or not file.is_file():
        allowed = ", ".join(f"{KIND}:{other}" for other in AGENTS)
        raise ValueError(f"{game.name}: agent {spec.text!r} is not allowed; allowed: {allowed}, in games of the suite")
    network = LearnedAgent(game, file, f"{KIND}:{BASE if name == SEARCH else name}")
    if name != SEARCH:
        return network
    search = Search(game, OPTIONS, network.policy())
    search.name = spec.text
    search.origin |= {"options": OPTIONS, "base": network.name, **network.origin}
    return search


def refuse(option: str, value: str, digest: str | None) -> None:
    """Raise ValueError if a digest of weights is that of a held-out network."""
    if digest is not None and (name := _names().get(digest[:DIGITS])):
        rule = "which is held out: no training may meet it; measure with python -m benchmarks rank"
        raise ValueError(f"{option}={value!r} is not allowed: its weights are those of {name}, {rule}")


def refuse_agent(option: str, value: str, loaded: Agent) -> None:
    """Raise ValueError if an agent plays or searches with the weights of a held-out network."""
    refuse(option, value, origin(loaded).get("digest"))


DIGITS = 12  # of a digest in an origin


@functools.cache
def _names() -> dict[str, str]:
    """Return the name of every network by the digests of its weights, as they are stored and in single precision."""
    of_networks = (_digests(game, name) for game in SHIPPED for name in NETWORKS)
    return {digest[:DIGITS]: name for digests in of_networks for digest, name in digests}


def _digests(game: str, name: str) -> list[tuple[str, str]]:
    from safetensors.numpy import load_file

    tensors = load_file(file_of(game, name))
    single = {key: np.asarray(tensor, np.float32) for key, tensor in tensors.items()}
    return [(digest_of(part), f"{KIND}:{name} of {game}") for part in (tensors, single)]
