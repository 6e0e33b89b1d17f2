"""PPO in one file, in the manner of CleanRL, on nothing but tables and torch: `python -m training.examples.own_loop`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

TABLES, LENGTH, EPOCHS, MINIBATCHES, CLIP, LAMBDA = 64, 32, 4, 4, 0.2, 0.95


def learn(game: Game, steps: int) -> Agent:
    """An agent after `steps` decisions against uniform play."""
    torch.manual_seed(1)
    tables = tantra_envs.make_seat_vector(
        game.id, TABLES, opponents="uniform", autoreset_mode="SameStep", **game.config
    )
    net = nn.Sequential(nn.Linear(game.view.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
    actor, critic = nn.Linear(128, game.actions.size), nn.Linear(128, 1)
    adam = torch.optim.Adam([*net.parameters(), *actor.parameters(), *critic.parameters()], lr=1e-3)

    def policy(views: Any, masks: Any) -> tuple[Categorical, Any]:
        hidden = net(views)
        logits = actor(hidden).masked_fill(~masks, torch.finfo(torch.float32).min)
        return Categorical(logits=logits), critic(hidden)[..., 0]

    views, infos = tables.reset(seed=1)
    for _ in range(max(1, steps // (TABLES * LENGTH))):
        rows = []
        for _ in range(LENGTH):  # collect
            seen, legal = torch.from_numpy(views), torch.from_numpy(infos["action_mask"]).bool()
            with torch.no_grad():
                chance, values = policy(seen, legal)
            actions = chance.sample()
            views, rewards, terminated, truncated, infos = tables.step(actions.numpy())
            ends = torch.from_numpy(terminated | truncated).float()
            paid = torch.from_numpy(rewards).float()
            rows.append((seen, legal, actions, chance.log_prob(actions), values, paid, ends))
        seen, legal, actions, before, values, paid, ends = (torch.stack(column) for column in zip(*rows, strict=True))
        with torch.no_grad():
            _, after = policy(torch.from_numpy(views), torch.from_numpy(infos["action_mask"]).bool())
        gains, gain = torch.zeros_like(paid), torch.zeros(TABLES)
        for t in reversed(range(LENGTH)):  # generalised advantages; an end has nothing after it
            gain = paid[t] + (1 - ends[t]) * (after + LAMBDA * gain) - values[t]
            gains[t], after = gain, values[t]
        batch = [column.flatten(0, 1) for column in (seen, legal, actions, before, gains, gains + values)]
        for part in np.array_split(np.random.default_rng(1).permutation(TABLES * LENGTH), MINIBATCHES) * EPOCHS:
            view, mask, action, old, gain, target = (column[part] for column in batch)
            chance, value = policy(view, mask)
            ratio, gain = (chance.log_prob(action) - old).exp(), (gain - gain.mean()) / (gain.std() + 1e-8)
            gained = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = (value - target).square().mean() / 2 - gained - 0.01 * chance.entropy().mean()
            adam.zero_grad()
            loss.backward()
            adam.step()

    return adapters.player("own_loop", lambda views, masks: actor(net(torch.from_numpy(views))).detach().numpy())


if __name__ == "__main__":
    run("own_loop", learn, steps=40_000)
