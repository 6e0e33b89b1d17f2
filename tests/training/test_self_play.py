"""The program that the page *Train your own agent* begins with: it credits every seat, learns, and its file plays."""

from types import ModuleType

import numpy as np
import pytest

import tantra_envs

torch = pytest.importorskip("torch")
train_your_own = pytest.importorskip("docs._site.train_your_own")
from tantra_envs.networks import RatingNetwork, ValueNetwork  # noqa: E402, torch may be missing

self_play = ModuleType("train_self_play")
exec(train_your_own.printed()["train_self_play.py"], vars(self_play))


@pytest.mark.parametrize("name", ["karma", "kanastic:round", "tarot:scored"])
def test_rewards_and_values_go_to_the_seat_that_decided(name, monkeypatch):
    """Advantages and returns are those of each seat's own decisions, computed one by one."""
    monkeypatch.setattr(self_play, "LENGTH", 40)
    torch.manual_seed(3)
    batch = tantra_envs.make_batch(name, 4, seed=2, view="features", skip_forced=True, max_cycles=30)
    policy, critic = RatingNetwork(*batch.game.features.sizes), ValueNetwork(batch.game.features.sizes[1])
    played, step = [], batch.step

    def noted(actions):
        seats, values = batch.seats, critic(torch.from_numpy(batch.described.tables.copy())).detach().numpy()
        after = step(actions)
        played.append((seats, values, after[2].copy(), after[3] | after[4]))
        return after

    monkeypatch.setattr(batch, "step", noted)
    decisions, (_, _, advantages, returns) = self_play.collect(batch, policy, critic)
    wanted = []
    for t, (seats, values, _, _) in enumerate(played):
        for i, seat in enumerate(seats):
            own = advantage_of(played, t, i, seat, self_play.LAMBDA)
            wanted += [] if own is None else [(own, own + values[i])]
    assert 0 < len(wanted) == len(decisions.counts) < 4 * 40 + 1
    assert np.array(wanted)[:, 0] == pytest.approx(advantages.numpy(), abs=1e-4)
    assert np.array(wanted)[:, 1] == pytest.approx(returns.numpy(), abs=1e-4)
    assert any(over.any() for *_, over in played)


def advantage_of(played, t, i, seat, lam):
    """Return the advantage of the decision of a seat at table i and time t, or None while its end is not known."""
    reward = 0.0
    for later in range(t, len(played)):
        seats, values, rewards, over = played[later]
        if later > t and seats[i] == seat:
            following = advantage_of(played, later, i, seat, lam)
            rest = 0.0 if following is None else lam * following
            return reward + values[i] - played[t][1][i] + rest
        reward += rewards[i, seat]
        if over[i]:
            return reward - played[t][1][i]
    return None


def test_it_learns_and_its_file_plays(tmp_path, monkeypatch):
    for name, value in {"TABLES": 64, "LENGTH": 32, "MINIBATCH": 256}.items():
        monkeypatch.setattr(self_play, name, value)
    *_, network = self_play.learn("karma", 60_000, 1)
    game = tantra_envs.game("karma")
    self_play.save_network(network, game, tmp_path / "mine.safetensors")
    agents = tantra_envs.load_agents([f"ppo:{tmp_path / 'mine.safetensors'}", "uniform"], game)
    assert tantra_envs.play_match(game, agents, [0, 1], deals=100, seed=3).score(0).low > 0.6
