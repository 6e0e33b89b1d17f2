"""Scripted opponents of a vector play in compiled code, and exactly as if they had been asked."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.asking import AgentError
from tantra_envs.opponents.scripted import Greedy, Scripted


class Asked(Scripted):
    """The scripted agent as an agent of somebody's own, which is asked for every decision."""


class Mixed:
    """A sampler that seats both agents."""

    def __init__(self, *agents):
        self.agents = agents

    def draw(self, tables, players, rng):
        return rng.integers(len(self.agents), size=(tables, players))


def history(game, opponents, **options):
    """Everything that 40 steps of random legal actions return."""
    env = tantra_envs.envs.vector.SeatVectorEnv(game, 6, opponents=opponents, **options)
    rng, (views, infos) = np.random.default_rng(3), env.reset(seed=8)
    kept = [views, *infos.values()]
    for _ in range(40):
        masks = env.action_masks()
        views, rewards, ended, cut, infos = env.step((masks * (1 - rng.random(masks.shape))).argmax(axis=1))
        kept += [views, rewards, ended, cut, infos["action_mask"], infos["seat"]]
    return b"".join(np.asarray(array).tobytes() for array in kept) + env.save()["_states"].tobytes()


@pytest.mark.parametrize(
    ("name", "config", "options"),
    [
        ("karma", {"players": 4}, {}),
        ("karma", {}, {"autoreset_mode": "SameStep", "seat": 0}),
        ("tarot", {"players": 3}, {}),
        ("kanastic", {}, {"team": True}),
        ("tantra", {}, {}),
        ("tantrix", {}, {}),
    ],
    ids=str,
)
def test_they_play_as_if_they_had_been_asked(name, config, options):
    game = tantra_envs.game(name, **config)
    assert history(game, Scripted(game), **options) == history(game, Asked(game), **options)


def test_they_play_beside_agents_that_are_asked():
    game = tantra_envs.game("karma", players=4)
    scripted, asked, greedy = Scripted(game), Asked(game), Greedy(game)
    assert history(game, Mixed(scripted, greedy)) == history(game, Mixed(asked, greedy))
    assert history(game, Mixed(scripted, greedy)) != history(game, scripted)


def test_nobody_is_asked(monkeypatch):
    monkeypatch.setattr(Scripted, "act", None)
    game = tantra_envs.game("karma", players=3)
    history(game, "scripted")
    with pytest.raises(AgentError, match="scripted"):
        history(game, Asked(game))
