"""`strongest`: a short search over `learned` that reads its value network, or `learned` where no gain was measured."""

from __future__ import annotations

from ..core.game import Game
from ..core.observation import Agent
from . import opponent
from .learned import shipped_critic
from .search import Search
from .specs import AgentSpec

USUAL = "16,eta=20,leaf=value"
OPTIONS = {"tantrix": "12,candidates=4,eta=20,leaf=value"}  # of games in which many actions are legal, and few are good
# The numbers of seats at which this search scored more than `learned`, by the game that the value network is for
GAINS = {"karma": (2, 3, 4), "tantrix": (2, 3), "tarot:hand": (2,), "kanastic:round": (4,)}


def value_search(game: Game) -> Search | None:
    """Return the search that reads the value network of `learned`; None if it has none for this game."""
    critic = shipped_critic(game)
    return Search(game, OPTIONS.get(game.id, USUAL), critic.policy, critic) if critic else None


def strongest(game: Game, spec: AgentSpec) -> Agent:
    """Return the agent; raise ValueError if `learned` cannot play the game."""
    critic = shipped_critic(game)
    gains = critic is not None and game.players in GAINS.get(critic.card.trained_game, ())
    agent = opponent(f"search:{OPTIONS.get(game.id, USUAL)},base=learned" if gains else "learned", game)
    agent.name = spec.name
    return agent
