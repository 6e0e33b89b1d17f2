"""`strongest`: a short search over `learned` that reads its value network, or `learned` where that gains nothing."""

from __future__ import annotations

from ..core.game import Game
from ..core.observation import Agent
from .learned import LearnedAgent, learned, shipped_critic
from .loading import origin
from .search import Search
from .specs import AgentSpec

OPTIONS = "16,eta=20,leaf=value"
FEW_CANDIDATES = "24,candidates=4,eta=20,leaf=value"  # where many actions are legal, of which few are good
NO_GAIN = ("tantra",)  # games in which this search is not ahead of `learned`


def value_search(game: Game) -> Search | None:
    """Return the search that reads the value network of `learned`; None if it has none for this game."""
    critic = shipped_critic(game)
    if critic is None:
        return None
    return Search(game, FEW_CANDIDATES if game.id == "tantrix" else OPTIONS, critic.policy, critic)


def strongest(game: Game, spec: AgentSpec) -> Agent:
    """Return the agent; raise ValueError if `learned` cannot play the game."""
    agent: LearnedAgent | Search = learned(game, AgentSpec.parse("learned"))
    if game.id not in NO_GAIN and (search := value_search(game)):
        search.origin |= origin(agent)
        agent = search
    agent.name = spec.name
    return agent
