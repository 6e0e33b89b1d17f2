"""Puzzles and games as episodes of text, for any trainer, and as TRL's environment interface."""

import inspect

import numpy as np
import pytest

from tantra_envs import puzzles
from tantra_envs.adapters.episodes import OVER, TOOL, Episodes, ToolEpisodes
from tantra_envs.adapters.text import TextTable
from tantra_envs.opponents import opponent

GAME = "play karma"


def first(prompt):
    return prompt.split("You may:\n- ")[1].splitlines()[0]


def finished(episodes, seed, reply=first):
    """Return the steps of an episode."""
    steps = [episodes.reset(seed)]
    while not steps[-1].done:
        steps.append(episodes.step(reply(steps[-1].text)))
    return steps


def test_the_episode_of_a_puzzle_has_one_reply():
    episodes, puzzle = Episodes("karma/win"), puzzles.make("karma/win", 7)
    assert episodes.reset(7).text == puzzle.prompt
    step = episodes.step(puzzle.solution)
    assert (step.reward, step.done) == (1.0, True)
    with pytest.raises(ValueError, match="reset"):
        episodes.step(puzzle.solution)
    episodes.reset(7)
    assert (refused := episodes.step("hm")).reward == 0.0 and "Legal now" in refused.error


def test_kinds_take_turns_by_seed():
    kinds = list(puzzles.kinds())
    for task, order in (("puzzles", kinds), ("tarot", list(puzzles.kinds("tarot")))):
        episodes = Episodes(task)
        for seed in (0, 1):
            assert episodes.reset(seed).text == puzzles.make(order[seed % len(order)], seed).prompt


def test_a_game_pays_what_the_score_is_better_than_that_of_the_trained_agent():
    """On the same deal, in the same seat, against the same agents."""
    rewards = set()
    for seed in range(3):
        episodes = Episodes(GAME)
        steps = finished(episodes, seed)
        assert all(step.reward == 0.0 for step in steps[:-1])
        own, base = (TextTable(episodes._table.game, 0, "scripted") for _ in range(2))
        turn = own.reset(seed)
        while not turn.done:
            turn = own.step(first(turn.prompt))
        learned, rng, other = opponent("learned", base.game), np.random.default_rng(seed), base.reset(seed)
        while not other.done:
            obs = base.observation()
            other = base.step(base.game.action_name(base._history.state, int(learned.act(obs, rng)[0])))
        assert steps[-1].reward == np.clip(0.5 + turn.scores[0] - other.scores[0], 0, 1)
        rewards.add(steps[-1].reward)
    assert len(rewards) > 1


def test_a_game_asks_again_after_an_illegal_reply():
    episodes = Episodes(GAME, retries=1)
    before = episodes.reset(1)
    step = episodes.step("sing")
    assert not step.done and step.error and step.text.endswith(before.text)


@pytest.mark.parametrize(("task", "named"), [
    ("chess", ("chess", "karma")), ("play chess", ("chess",)), ("play tantrix:discovery", ("players=1",)),
    ("play karma:nothing", ("nothing",)), ("karma/lose", ("karma/lose", "karma/win")),
])  # fmt: skip
def test_a_wrong_task_is_named(task, named):
    with pytest.raises(ValueError) as refused:
        Episodes(task)
    assert all(word in str(refused.value) for word in named)


@pytest.mark.parametrize("seat", [[0, 1], (0,), [1], None])
def test_a_model_has_one_seat(seat):
    with pytest.raises(ValueError, match=r"seat=.* is not allowed; allowed: .*0\.\.1"):
        Episodes(GAME, seat=seat)


@pytest.mark.parametrize("task", [GAME, "karma/win"])
@pytest.mark.parametrize("seed", [1.5, 1.0, -1, True, "1"])
def test_a_seed_is_a_whole_number(task, seed):
    env = ToolEpisodes(task)
    shown = env.reset(seed=np.int64(3))
    with pytest.raises(ValueError, match=r"seed=.* is not allowed; allowed: 0, 1, 2, \.\."):
        env.reset(seed=seed)
    assert env.reset(seed=3) == shown


def test_the_tools_are_what_trl_looks_for():
    """TRL takes `reset` and `get_reward`, and offers every other public method as a tool, by its docstring."""
    methods = [name for name, _ in inspect.getmembers(ToolEpisodes, inspect.isfunction) if name[0] != "_"]
    assert methods == ["answer", "get_reward", "reset"]
    text = inspect.getdoc(ToolEpisodes.answer)
    assert "Args:\n    reply: " in text and "Returns:" in text
    hints = inspect.signature(ToolEpisodes.answer, eval_str=True)
    assert hints.parameters["reply"].annotation is str and hints.return_annotation is str


def test_a_rollout_with_tools():
    env, puzzle = ToolEpisodes("karma/win"), puzzles.make("karma/win", 4)
    assert env.reset(prompt=[{"role": "user", "content": ""}], seed=4) == f"{puzzle.prompt}\n\n{TOOL}"
    assert env.get_reward() == 0.0
    assert env.answer(puzzle.solution) == OVER and env.get_reward() == 1.0
    assert env.answer("pickup") == OVER and env.get_reward() == 1.0  # a later call changes nothing
    assert env.reset() != env.reset() and env.get_reward() == 0.0  # other seeds, and the reward is gone
