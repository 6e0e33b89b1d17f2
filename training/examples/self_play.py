"""Learn a game by self-play with PPO: one network plays all seats of many tables, and every seat learns."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

import tantra_envs
from tantra_envs.core.features import Described
from tantra_envs.networks import RatingNetwork, ValueNetwork, log_softmax, save_network, tensors

GAME, STEPS, SEED = "karma", 4_000_000, 1
TABLES, LENGTH, MINIBATCH, EPOCHS, CLIP, LAMBDA = 512, 64, 2048, 1, 0.2, 0.95
SKIP, RATE, ENTROPY = 0.5, 1e-3, 0.05  # both fall to a tenth


def look(policy: RatingNetwork, critic: ValueNetwork, described: Described) -> tuple[torch.Tensor, torch.Tensor]:
    """Return log-probabilities of the legal actions, (tables, most legal actions), and values of the tables."""
    features, tables, rows = tensors(described)
    return log_softmax(policy.rate(features, tables, rows), described.counts), critic(tables)


@torch.no_grad()
def collect(batch: Any, policy: RatingNetwork, critic: ValueNetwork) -> tuple[Described, list[torch.Tensor]]:
    """Play LENGTH decisions at every table. Return them, and their places, log-probabilities, advantages, returns."""
    every, steps = np.arange(TABLES), []
    for _ in range(LENGTH):
        described, seats = batch.described.take(every), batch.seats
        log_probs, values = look(policy, critic, described)
        places = torch.multinomial(log_probs.exp(), 1)
        _, _, rewards, terminated, truncated = batch.step(described.actions[described.starts + places[:, 0].numpy()])
        columns = places[:, 0], log_probs.gather(1, places)[:, 0], values
        steps.append((described, columns, seats, rewards.copy(), terminated | truncated))
    # Backwards. By table and seat: value and advantage of the seat's next decision, the rewards until then, and whether
    # there is a next decision or an end.
    value, trace, reward = (np.zeros((TABLES, batch.game.players), np.float32) for _ in range(3))
    known, advantages = np.zeros(value.shape, bool), []
    for _, (_, _, values), seats, rewards, over in reversed(steps):
        value[over], trace[over], reward[over], known[over] = 0, 0, 0, True
        reward += rewards
        at = every, seats
        advantage = reward[at] + value[at] - values.numpy() + LAMBDA * trace[at]
        advantages.append(np.where(known[at], advantage, np.nan))
        value[at], trace[at], reward[at], known[at] = values, np.where(known[at], advantage, 0), 0, True
    decisions = Described(*map(np.concatenate, zip(*(step[0] for step in steps), strict=True)))
    advantage = torch.from_numpy(np.concatenate(advantages[::-1]).astype(np.float32))
    rows = np.flatnonzero(~advantage.isnan())  # the next decision of the others is not known yet
    places, before, values = (torch.cat(column)[rows] for column in zip(*(step[1] for step in steps), strict=True))
    return decisions.take(rows), [places, before, advantage[rows], advantage[rows] + values]


def learn(game: str, steps: int, seed: int) -> Iterator[RatingNetwork]:
    """Learn from about `steps` decisions; yield the averaged network after every update."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # small networks learn fastest on one thread
    rng = np.random.default_rng(seed)
    batch = tantra_envs.make_batch(game, TABLES, seed=seed, view="features", skip_forced=True, score_reward=True)
    policy = RatingNetwork(*batch.game.features.sizes, activation="relu").begin_even()  # rates every legal action
    critic = ValueNetwork(batch.game.features.of_table.size)  # expects a score at every table
    average, parameters = copy.deepcopy(policy), [*policy.parameters(), *critic.parameters()]
    adam, updates = torch.optim.Adam(parameters), max(1, steps // (TABLES * LENGTH))
    for update in range(updates):
        left = 1 - 0.9 * update / updates
        adam.param_groups[0]["lr"] = RATE * left
        decisions, columns = collect(batch, policy, critic)
        mean, deviation = columns[2].mean(), columns[2].std() + 1e-8
        large = (columns[2].abs() >= columns[2].abs().quantile(SKIP)).numpy()
        for _ in range(EPOCHS):
            for part in np.array_split(rng.permutation(len(columns[0])), len(columns[0]) // MINIBATCH):
                error = (critic(torch.from_numpy(decisions.tables[part])) - columns[3][part]).square().mean()
                rows = part[large[part]]
                log_probs, _ = look(policy, critic, decisions.take(rows))
                places, before, advantages, _ = (column[rows] for column in columns)
                advantages = (advantages - mean) / deviation
                ratio = (log_probs.gather(1, places[:, None])[:, 0] - before).exp()
                gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
                entropy = -(log_probs.exp() * log_probs.clamp(min=-30)).sum(dim=1)
                adam.zero_grad()
                (error / 2 - (gain + ENTROPY * left * entropy).mean()).backward()
                torch.nn.utils.clip_grad_norm_(parameters, 0.5)
                adam.step()
        with torch.no_grad():
            for mean, now in zip(average.parameters(), policy.parameters(), strict=True):
                mean.lerp_(now, max(0.03, 9 / (update + 10)))
        yield average


if __name__ == "__main__":
    for update, network in enumerate(learn(GAME, STEPS, SEED), 1):
        if update % 10 == 0:
            minutes = time.process_time() / 60
            print(f"{update * TABLES * LENGTH:,} decisions, {minutes:.2f} CPU minutes", flush=True)
    save_network(network, tantra_envs.game(GAME), "mine.safetensors")
