"""Learn a game by self-play with PPO: one network plays all seats of many tables, and every seat learns."""

import copy
import time
from collections.abc import Iterator

import numpy as np
import torch

import tantra_envs
from tantra_envs.core.features import Described
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.networks import RatingNetwork, ValueNetwork, log_softmax, save_network, tensors

GAME, STEPS, SEED = "karma", 4_000_000, 1  # decisions of all seats
TABLES, LENGTH, MINIBATCH, CLIP, LAMBDA = 512, 64, 2048, 0.2, 0.95
RATE, ENTROPY = 1e-3, 0.05  # of learning, and the weight of the entropy bonus; both fall to a tenth
LARGE = 0.5  # share of the decisions, those with the largest advantages, that the policy learns from


def look(policy: RatingNetwork, described: Described) -> torch.Tensor:
    """Return the log-probabilities of the legal actions, (tables, most legal actions)."""
    return log_softmax(policy.rate(*tensors(described)), described.counts)


@torch.no_grad()
def collect(
    batch: BatchEnv[Described], policy: RatingNetwork, critic: ValueNetwork
) -> tuple[Described, list[torch.Tensor]]:
    """Play LENGTH decisions at every table.

    Return the decisions, and for each the place of its action, its log-probability, its advantage and its return.
    """
    every, steps, columns = np.arange(batch.n), [], []
    assert batch.described is not None
    for _ in range(LENGTH):
        described, seats = batch.described.take(every), batch.seats
        log_probs, values = look(policy, described), critic(torch.from_numpy(described.tables))
        places = torch.multinomial(log_probs.exp(), 1)
        actions = described.actions[described.starts + places[:, 0].numpy()]
        _, _, rewards, terminated, truncated = batch.step(actions)
        steps.append((described, seats, values.numpy(), rewards.copy(), terminated | truncated))
        columns.append((places[:, 0], log_probs.gather(1, places)[:, 0], values))
    # Backwards, by table and seat: the value and the advantage of its next decision, its rewards until then, and
    # whether it has a next decision or its game ends.
    value, trace, reward = (np.zeros((batch.n, batch.game.players), np.float32) for _ in range(3))
    known, advantages = np.zeros(value.shape, bool), []
    for _, seats, values, rewards, over in reversed(steps):
        value[over], trace[over], reward[over], known[over] = 0, 0, 0, True
        reward += rewards
        at = every, seats
        advantage = np.where(known[at], reward[at] + value[at] - values + LAMBDA * trace[at], np.nan)
        advantages.append(torch.from_numpy(advantage.astype(np.float32)))
        value[at], trace[at], reward[at], known[at] = values, np.nan_to_num(advantage), 0, True
    decisions = Described(*map(np.concatenate, zip(*(step[0] for step in steps), strict=True)))
    ahead = torch.cat(advantages[::-1])
    rows = np.flatnonzero(~ahead.isnan())  # how the last decision of a seat ends is not known yet
    places, before, expected = (torch.cat(column)[rows] for column in zip(*columns, strict=True))
    return decisions.take(rows), [places, before, ahead[rows], ahead[rows] + expected]


def learn(game: str, steps: int, seed: int) -> Iterator[RatingNetwork]:
    """Learn from about `steps` decisions; after each update yield the network with averaged weights."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # small networks learn fastest on one thread
    rng, updates = np.random.default_rng(seed), max(1, steps // (TABLES * LENGTH))
    batch = tantra_envs.make_batch(game, TABLES, seed=seed, view="features", skip_forced=True, score_reward=True)
    features, table = batch.game.features.sizes
    policy = RatingNetwork(features, table, activation="relu").begin_even()  # rates every legal action
    critic, average = ValueNetwork(table), copy.deepcopy(policy)  # expects the score of the seat to decide
    parameters = [*policy.parameters(), *critic.parameters()]
    adam = torch.optim.Adam(parameters)
    for update in range(updates):
        left = 1 - 0.9 * update / updates
        adam.param_groups[0]["lr"] = RATE * left
        decisions, (places, before, advantages, returns) = collect(batch, policy, critic)
        large = (advantages.abs() >= advantages.abs().quantile(1 - LARGE)).numpy()
        gains = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for part in np.array_split(rng.permutation(len(returns)), max(1, len(returns) // MINIBATCH)):
            error = (critic(torch.from_numpy(decisions.tables[part])) - returns[part]).square().mean()
            rows = part[large[part]]
            log_probs, gain = look(policy, decisions.take(rows)), gains[rows]
            ratio = (log_probs.gather(1, places[rows, None])[:, 0] - before[rows]).exp()
            gain = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
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
    for number, network in enumerate(learn(GAME, STEPS, SEED), 1):
        if number % 10 == 0:
            print(f"{number * TABLES * LENGTH:,} decisions, {time.process_time() / 60:.2f} CPU minutes", flush=True)
        save_network(network, tantra_envs.game(GAME), "mine.safetensors")
