"""The value network, which predicts the final score of a seat from its observation.

The behaviour policies play games. From some of their positions the base policy plays all seats to the end. A sample is
the observation of a seat in such a playout, every few actions, with the seat's final score. The score is the share of
opponents that the seat beat. In games with much chance, such a network predicts the score with far less noise than one
more playout to the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from agents.networks import build_actor, tensors_of
from tantra_envs import cli, workers
from tantra_envs.core.compiled.scoring import score_rows
from tantra_envs.core.game import Game
from tantra_envs.core.playouts import Playouts
from tantra_envs.opponents.model_files import write_model
from tantra_envs.opponents.network_spec import NetworkSpec

from ..optimizer import Optimizer
from ..progress import progress_bar
from .games import Deals, Games, sample_positions

SHARE = 0.15  # share of the decisions from which a playout starts
STRIDE = 12  # actions between two samples of a game
DEALS_OF_A_JOB = 200
EPOCHS, BATCH_SIZE, LEARNING_RATE, HELD_OUT = 2, 1024, 2e-3, 0.03
FEWEST_SAMPLES = 2  # one to learn from, and one held out
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Samples:
    """Observations of n seats and the final scores of these seats."""

    observations: npt.NDArray[Any]  # (n, view.size), integers before their division by view.scale
    scores: npt.NDArray[np.float32]  # (n,), shares of the other teams that the seat's team beat

    def __len__(self) -> int:
        return len(self.scores)


def train_values(games: Games, deals: int, net_arch: tuple[int, ...], file: Path, run: workers.Run) -> None:
    """Play the games, fit the network and write it as a model file."""
    game, _ = games.build()
    samples = collect(games, deals, run)
    if len(samples) < FEWEST_SAMPLES:
        raise cli.UserError(
            f"value_deals={deals} gave {len(samples)} samples; needed: {FEWEST_SAMPLES}, from more deals"
        )
    torch.manual_seed(games.seed)
    spec = NetworkSpec("mlp", net_arch, "relu", output="value")
    network = build_actor(spec, game)
    order = np.random.default_rng(games.seed).permutation(len(samples))
    held_out = math.ceil(HELD_OUT * len(samples))
    fit(games.seed, game, network, samples, order[held_out:])
    explained = explained_variance(game, network, samples, order[:held_out])
    write_model(file, tensors_of(network), spec, game, decisions=len(samples))
    print(f"value network: {len(samples):,} samples, {explained:.1%} of the variance of scores explained")


def collect(games: Games, deals: int, run: workers.Run) -> Samples:
    """Return the samples of all games, in the order of the deals."""
    games = replace(games, share=SHARE)
    jobs = [(games, Deals(first, min(DEALS_OF_A_JOB, deals - first))) for first in range(0, deals, DEALS_OF_A_JOB)]
    parts: dict[int, Samples] = {}
    played = 0
    with progress_bar("games", deals, 0) as advance:
        for (_, part), samples in run(play_on, jobs):
            parts[part.first] = samples
            played += part.count
            advance(played, "")
    return _join([samples for _, samples in sorted(parts.items())])


def play_on(job: tuple[Games, Deals]) -> Samples:
    """Return the samples of the games of a job."""
    games, deals = job
    rng = np.random.default_rng((games.seed, deals.first))
    game, policies = games.build()
    states = sample_positions(games, game, policies, deals, rng)
    if not len(states):
        return Samples(game.views(states, 0)[0], np.zeros(0, np.float32))
    playouts, rewards = Playouts(game), np.zeros((len(states), game.players))
    live, taken = np.arange(len(states)), []
    while len(live):
        part = states[live]
        taken += [(live, seat, game.views(part, seat)[0]) for seat in range(game.players)]
        rewards[live] += playouts.run(part, plies=STRIDE)
        states[live] = part
        live = live[part["over"] == 0]
    scores = _scores(game, rewards)
    return _join([Samples(observations, scores[rows, seat]) for rows, seat, observations in taken])


def fit(seed: int, game: Game, network: nn.Module, samples: Samples, rows: Rows) -> None:
    """Fit the network to some rows of the samples."""
    optimizer = Optimizer(network.parameters(), LEARNING_RATE)
    rng, parts = np.random.default_rng((seed, 2)), -(-len(rows) // BATCH_SIZE)
    batches = [batch for _ in range(EPOCHS) for batch in np.array_split(rng.permutation(rows), parts)]
    with progress_bar("values", len(batches), 0) as advance:
        for i, batch in enumerate(batches):
            logits, scores = _predict(game, network, samples, batch)
            loss: Any = nn.functional.binary_cross_entropy_with_logits(logits, scores)
            optimizer.step(loss, i / len(batches))
            advance(i + 1, "")


def explained_variance(game: Game, network: nn.Module, samples: Samples, rows: Rows) -> float:
    """Return the share of the variance of the scores that the network predicts."""
    with torch.inference_mode():
        logits, scores = _predict(game, network, samples, rows)
        error = (logits.sigmoid() - scores).square().mean() / scores.var(correction=0).clamp(min=1e-9)
    return 1 - float(error)


def _join(parts: Sequence[Samples]) -> Samples:
    observations = np.concatenate([part.observations for part in parts])
    return Samples(observations, np.concatenate([part.scores for part in parts]))


def _predict(game: Game, network: nn.Module, samples: Samples, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the network's logits for some rows, and the scores."""
    inputs = torch.from_numpy(samples.observations[rows].astype(np.float32) / game.view.scale)
    return network(inputs)[:, 0], torch.from_numpy(samples.scores[rows])


def _scores(game: Game, rewards: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return the share of the other teams that each seat's team beat, (n, players), from rewards (n, players)."""
    scores = np.empty((len(rewards), len(game.teams)))
    score_rows(rewards, np.zeros_like(rewards), np.array(game.team_representatives), scores)
    halves = 2 * (len(game.teams) - 1)
    return (np.rint(scores * halves) / halves)[:, np.array(game.team_numbers)].astype(np.float32)
