"""`strongest`: a short search over `learned` that reads its value network, or `learned` where no gain was measured.

`[strongest]` in the `settings.toml` of a game has the options of the search. It also has the numbers of seats at which
the search scored more than `learned`, by the game that the value network is for.
"""

from __future__ import annotations

from ..core.game import Game
from ..core.observation import Agent
from ..games import settings
from . import opponent
from .learned import critic_for, shipped_critic
from .search import Search
from .specs import AgentSpec

USUAL = "16,eta=20,leaf=value"


def value_search(game: Game) -> Search | None:
    """Return the search that reads the value network of `learned`; None if it has none for this game."""
    critic = shipped_critic(game)
    return Search(game, _options(game), critic.policy, critic) if critic else None


def strongest(game: Game, spec: AgentSpec) -> Agent:
    """Return the agent; raise ValueError if `learned` cannot play the game."""
    critic, gains = critic_for(game), settings(game.id, "strongest").get("gains", {})
    searches = critic is not None and game.players in gains.get(critic.card.trained_game, ())
    agent = opponent(f"search:{_options(game)},base=learned" if searches else "learned", game)
    agent.name = spec.name
    return agent


def _options(game: Game) -> str:
    return str(settings(game.id, "strongest").get("search", USUAL))
