"""`strongest` searches where the search was measured to score more than `learned`, and is `learned` elsewhere."""

import pytest

from tantra_envs.opponents import opponent
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.search import Search
from tantra_envs.programs import cli

pytestmark = pytest.mark.filterwarnings("ignore:learned was trained for")


@pytest.mark.parametrize("name", ["karma", "tantrix", "tarot:hand", "kanastic:round"])
def test_it_searches_with_the_value_network_of_the_game(name):
    agent = opponent("strongest", cli.game(name))
    assert isinstance(agent, Search) and agent.budget.leaf == "value" and agent.name == "strongest"


@pytest.mark.parametrize(
    ("name", "players"),
    [*((name, None) for name in ("tantra", "tarot", "kanastic", "karma:sixty", "tantrix:solitaire")), ("tantrix", 4)],
)
def test_elsewhere_it_is_the_trained_agent(name, players):
    agent = opponent("strongest", cli.game(name, players))
    assert isinstance(agent, LearnedAgent) and agent.name == "strongest"
