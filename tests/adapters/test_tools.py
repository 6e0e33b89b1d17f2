"""Tables as tools: a refused request changes nothing."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.adapters.tools import ToolTable
from tantra_envs.opponents import load_agents, opponent


def tools(name="karma", seat=0, agent="uniform", adviser=None, seed=1, **config):
    game = tantra_envs.game(name, **config)
    (other, hints) = opponent(agent, game), adviser and opponent(adviser, game)
    return ToolTable(game, seat, dict.fromkeys(range(game.players), other), hints, seed)


def finished(table):
    """Play the first legal action until the game is over, and return all answers of `play`."""
    answers = []
    while legal := table.legal_actions():
        answers.append(table.play(legal[0]))
    return answers


def test_hints_change_nothing():
    table = tools(adviser="scripted", seed=4)
    for answer in finished(tools(seed=4)):
        table.hint()
        assert table.play(table.legal_actions()[0]) == answer


def test_a_finished_game_has_a_result_in_words_and_its_seed():
    table = tools(seed=4, players=3)
    assert "The seed was" not in table.look()
    result = finished(table)[-1]
    rewards = table._history.totals
    for part in ("The game is over.", "You ", "The seed was 4.", *(f"seat {j}: {rewards[j]:g}" for j in range(3))):
        assert part in result
    assert table.look() == result and table.legal_actions() == []
    for refused in (lambda: table.play("pickup"), table.hint):
        with pytest.raises(ValueError, match="game is over"):
            refused()
    assert "The game is over." not in table.new_game(4)


@pytest.mark.parametrize("seed", [-1, 1 << 31, 1 << 90])
def test_a_seed_that_cannot_be_is_refused_and_the_game_goes_on(seed):
    table = tools()
    before = table.look()
    with pytest.raises(ValueError, match="seed="):
        table.new_game(seed)
    with pytest.raises(ValueError, match="last=-1"):
        table.history(-1)
    assert table.look() == before


def test_an_agent_that_fails_ends_the_game_and_tells_the_model_nothing(capsys):
    class Failing:
        name = "failing"

        def act(self, obs, rng):
            return np.array([-1])  # the message of `ask` lists the legal actions, hence the hand

    game = tantra_envs.game("karma")
    (scripted,) = load_agents(["scripted"], game)
    table = ToolTable(game, 0, {1: scripted}, seed=1)
    table._agents = {1: Failing()}
    with pytest.raises(ValueError, match="agent failed") as ended:
        finished(table)
    assert "legal" not in str(ended.value) and "illegal action" in capsys.readouterr().err
    for tool in (table.look, table.legal_actions, table.history):
        with pytest.raises(ValueError, match="agent failed"):
            tool()
    table._agents = {1: scripted}
    assert "You may:" in table.new_game(1)


def test_hints_are_off_unless_there_is_an_adviser():
    assert "hint" not in tools().tools and "hint" in tools(adviser="scripted").tools
    with pytest.raises(ValueError, match="--hints"):
        tools().hint()


def test_history_returns_the_last_actions_and_by_default_forty():
    table = tools(seed=3, max_moves=200)
    assert table.history() == table.history(0) == "Nothing has been played yet."
    finished(table)
    lines = table.history(0).splitlines()
    assert len(lines) == len(table._history.moves) > 60
    assert table.history().splitlines() == lines[-40:]
    for last in (1, 2, len(lines) - 1, len(lines), len(lines) + 1, 10**20):
        assert table.history(last).splitlines() == lines[-last:]


@pytest.mark.parametrize("seed", [0, 5, (1 << 31) - 1])
def test_a_seed_decides_the_deal_and_the_numbers_of_the_agents(seed):
    drawn = []

    class Drawing:
        name = "drawing"

        def act(self, obs, rng):
            drawn.append(int(rng.integers(1 << 60)))
            return obs.action_mask.argmax(axis=1)

    game = tantra_envs.game("karma")
    table = ToolTable(game, 1, {0: Drawing()}, seed=seed)
    assert table._history.start.tobytes() == game.new(seed).tobytes()
    assert f"The seed was {seed}." in finished(table)[-1]
    assert len(drawn) > 1 and drawn == np.random.default_rng(seed).integers(1 << 60, size=len(drawn)).tolist()
