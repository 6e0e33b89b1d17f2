"""The inputs of an agent, and the agents that it met in training, as far as they are known without a declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents import Agent, AgentSpec, load
from tantra_envs.core.game import Game
from tantra_envs.opponents.learned import LearnedAgent

from . import suite

NOBODY, ITSELF = "nobody", "self"
INPUTS = {
    "uniform": suite.NOTHING,
    "greedy": suite.STATE,
    "scripted": suite.STATE,
    "search": suite.STATE,
    "ismcts": suite.STATE,
}


def check_met(met: Sequence[str] | None) -> list[str] | None:
    """Return the agents of the option `met`; raise ValueError if `nobody` is not alone."""
    if met is None or tuple(met) == (NOBODY,):
        return None if met is None else []
    if not met or NOBODY in met or not all(word.strip() and "|" not in word for word in met):
        raise ValueError(
            f"met={' '.join(met)!r} is not allowed; allowed: {NOBODY} alone, or names of agents, or {ITSELF}"
        )
    return list(dict.fromkeys(met))


def facts_of(word: str, game: Game, agent: Agent) -> dict[str, Any]:
    """Return inputs and met as far as they are known without a declaration."""
    if isinstance(agent, LearnedAgent):
        return _of_network(agent)
    spec = AgentSpec.parse(word)
    if spec.file is not None or spec.name not in INPUTS:
        return {}
    base = spec.options.get("base", suite.SCRIPTED)
    met = facts_of(base, game, load(base, game)).get("met") if base != suite.SCRIPTED else []
    return {"inputs": INPUTS[spec.name], **({} if met is None else {"met": met})}


def _of_network(agent: LearnedAgent) -> dict[str, Any]:
    inputs = suite.FEATURES if agent.card.spec.policy == "features" else suite.OBSERVATION
    met = met_of(agent.card.settings)
    return {"inputs": inputs, **({} if met is None else {"met": met})}


def met_of(settings: Mapping[str, Any]) -> list[str] | None:
    """Return the agents that a run of `python -m training` met, from its settings; None if they are not known."""
    if not {"opponents", "opponent_share"} <= settings.keys():
        return None
    if settings.get("exploit"):
        return [settings["exploit"]]
    opponents = list(settings["opponents"])
    alone = bool(opponents) and settings["opponent_share"] >= 1
    return opponents if alone else [ITSELF, *opponents]
