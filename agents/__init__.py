"""Agents of training and benchmarks: networks in torch, and the agents by name of the package.

`tantra_envs.opponents` loads agents by name. `load` and `load_all` are its `opponent` and `load_agents`.
"""

from __future__ import annotations

from tantra_envs.cli import only_commands
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.opponents import OPPONENTS as AGENTS
from tantra_envs.opponents import AgentSpec, origin
from tantra_envs.opponents import load_agents as load_all
from tantra_envs.opponents import opponent as load

__all__ = ["AGENTS", "Agent", "AgentSpec", "Observation", "load", "load_all", "origin"]

only_commands(__name__)
