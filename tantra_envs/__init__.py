"""Reinforcement-learning environments with exact rules for five tabletop games.

game = tantra_envs.game("karma", players=3)      the rules: positions, actions, observations
env = tantra_envs.make("karma", players=3)       a PettingZoo environment; see also make_raw, make_parallel, make_batch
env = gymnasium.make("tantra_envs/Karma-v0")     a Gymnasium environment: you play one seat, opponents play the others
`tantra_envs.play_match` plays agents against each other; `load_agents` loads them by name
"""

from __future__ import annotations

from . import kanastic_v0, karma_v0, tantra_v0, tantrix_v0, tarot_v0
from .configuration import game, variants
from .core.game import Game
from .core.observation import Agent, Observation
from .factory import make, make_batch, make_parallel, make_raw, make_seat, make_seat_vector
from .games import GAMES
from .matches.match import play_match
from .opponents import load_agents
from .registration import register_all

__version__ = "0.3.0"
__all__ = [
    "GAMES",
    "Agent",
    "Game",
    "Observation",
    "game",
    "kanastic_v0",
    "karma_v0",
    "load_agents",
    "make",
    "make_batch",
    "make_parallel",
    "make_raw",
    "make_seat",
    "make_seat_vector",
    "play_match",
    "tantra_v0",
    "tantrix_v0",
    "tarot_v0",
    "variants",
]

register_all()
