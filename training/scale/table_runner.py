"""RLlib's env runner for our tables: it plays a batch of tables in a process and returns episodes as arrays.

RLlib's default runners step every table in Python. In this runner compiled kernels play, and the networks process all
tables in one call. After some steps, the decisions at each table are divided into episodes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import ray
import torch
from gymnasium.vector import AutoresetMode
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.columns import Columns
from ray.rllib.env import INPUT_ENV_SINGLE_SPACES, INPUT_ENV_SPACES
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils.metrics import EPISODE_LEN_MEAN, EPISODE_RETURN_MEAN, SAMPLE_TIMER

from agents import load_all
from agents.networks import Snapshot, build_actor, filled, tensors_of
from tantra_envs.adapters.rllib_tables import spaces_of
from tantra_envs.core.game import Game
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.opponents.model_files import digest_of
from tantra_envs.opponents.network_spec import NetworkSpec

from .pool import OpponentPool

Arrays = dict[str, npt.NDArray[Any]]
Weights = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Seating:
    """The agents at the tables of a runner, as plain values from which every process builds them."""

    game: Game
    spec: NetworkSpec  # network of the learner and its snapshots
    opponents: tuple[str, ...]
    pool_size: int
    self_play_fraction: float
    together: bool  # whether the learner also plays its partners' seats
    seed: tuple[int, ...]

    def pool(self) -> OpponentPool:
        """Return the pool of named opponents, without snapshots. Raise ValueError for agents that do not exist."""
        named = load_all(self.opponents, self.game)
        return OpponentPool(named, self.pool_size, self.self_play_fraction, self.game.partners)

    def snapshot(self, weights: Weights) -> Snapshot:
        """Return a snapshot of the learner with the weights of an actor."""
        return Snapshot("snapshot", filled(build_actor(self.spec, self.game), weights), self.spec)


@dataclass
class Stretch:
    """Some steps at all tables: one list entry per step, with arrays over the n tables."""

    views: list[Any] = field(default_factory=list)  # one entry more than steps: the observations after the last step
    masks: list[Any] = field(default_factory=list)  # one entry more than steps
    steps: list[Arrays] = field(default_factory=list)  # RLlib's columns, and "ended" and "cut" (truncated)
    finals: dict[tuple[int, int], Any] = field(default_factory=dict)  # last view of ended games, by step and table

    def episodes(self) -> Iterator[SingleAgentEpisode]:
        """Yield the episodes of each table, from one end of a game to the next. The last one may be unfinished."""
        columns = {name: np.stack([step[name] for step in self.steps], axis=1) for name in self.steps[0]}
        views, masks = np.stack(self.views, axis=1), np.stack(self.masks, axis=1)
        for table, ended in enumerate(columns.pop("ended") | columns["cut"]):
            ends = np.flatnonzero(ended) + 1
            for begin, end in _pieces(ends, len(ended)):
                values = {name: column[table, begin:end] for name, column in columns.items()}
                last = self.finals.get((end - 1, table))
                observations = _seen(views[table, begin : end + 1], masks[table, begin : end + 1], last)
                yield _episode(observations, values, end in ends)


class TableRunner(SingleAgentEnvRunner):
    """An env runner for `config.env_config["seating"]`. RLlib's settings give the number of tables and steps."""

    def make_env(self) -> None:
        """Deal the tables. A restarted runner deals other games than at first."""
        torch.set_num_threads(1)
        self.seating: Seating = self.config.env_config["seating"]
        self.pool = self.seating.pool()
        self.num_envs = self.config.num_envs_per_env_runner
        again = bool(self.worker_index) and ray.get_runtime_context().was_current_actor_reconstructed
        chance = np.random.default_rng(None if again else [*self.seating.seed, self.worker_index or 0])
        torch.manual_seed(int(chance.integers(1 << 62)))
        if not self.pool.agents:  # nobody else can play before the first snapshot
            untrained = tensors_of(build_actor(self.seating.spec, self.seating.game))
            self.pool.set_snapshots([self.seating.snapshot(untrained)], in_play=())
        together, mode = self.seating.together, AutoresetMode.SAME_STEP
        self.env = SeatVectorEnv(
            self.seating.game, self.num_envs, opponents=self.pool, team=together, autoreset_mode=mode
        )
        self.started = int(chance.integers(1 << 62))
        self._seen = self.env.reset(seed=self.started)[0]
        self._returns, self._lengths = np.zeros(self.num_envs), np.zeros(self.num_envs)

    def get_spaces(self) -> Any:
        """Return the spaces of observations and actions."""
        if not hasattr(self, "seating"):  # the local runner of the main process, which never plays
            return self.spaces
        observations, actions = spaces_of(self.seating.game)
        many = gymnasium.vector.utils.batch_space
        return {
            INPUT_ENV_SPACES: (many(observations, self.num_envs), many(actions, self.num_envs)),
            INPUT_ENV_SINGLE_SPACES: (observations, actions),
            DEFAULT_MODULE_ID: (observations, actions),
        }

    def set_snapshots(self, weights: Sequence[Weights]) -> None:
        """Set the snapshots that new games draw besides the named opponents."""
        present = {digest_of(tensors_of(snapshot.actor)): snapshot for snapshot in self.pool.snapshots}
        snapshots = [present.get(digest_of(actor)) or self.seating.snapshot(actor) for actor in weights]
        self.pool.set_snapshots(snapshots, self.env.opponents_in_play())

    def sample(self, **ignored: Any) -> list[SingleAgentEpisode]:
        """Play RLlib's fragment length at all tables. Arguments of other algorithms are ignored."""
        with self.metrics.log_time(SAMPLE_TIMER):
            stretch = Stretch([self._seen], [self.env.action_masks()])
            for step in range(self.config.get_rollout_fragment_length(self.worker_index)):
                self._step(stretch, step)
            episodes = list(stretch.episodes())
        self._increase_sampled_metrics(len(stretch.steps) * self.num_envs, sum(one.is_done for one in episodes))
        return episodes

    def get_metrics(self) -> Any:
        """Return the metrics since the last call."""
        return self.metrics.reduce()

    def _step(self, stretch: Stretch, step: int) -> None:
        decided = self._decide(stretch.views[-1], stretch.masks[-1])
        self._seen, rewards, ended, cut, infos = self.env.step(decided[Columns.ACTIONS])
        stretch.views.append(self._seen)
        stretch.masks.append(infos["action_mask"])
        stretch.steps.append({**decided, Columns.REWARDS: rewards.astype(np.float32), "ended": ended, "cut": cut})
        over = np.flatnonzero(ended | cut).tolist()
        stretch.finals |= {(step, table): infos["final_obs"][table] for table in over}
        self._count(rewards, over)

    def _decide(self, views: npt.NDArray[Any], masks: npt.NDArray[Any]) -> Arrays:
        """Draw actions from the learner's distribution by the Gumbel-max trick. Return them as PPO's columns."""
        with torch.inference_mode():
            logits = self.module.logits(torch.from_numpy(views), torch.from_numpy(masks))
            log_probabilities = logits.log_softmax(dim=1)
            actions = (log_probabilities - torch.empty_like(log_probabilities).exponential_().log()).argmax(dim=1)
            taken = log_probabilities.gather(1, actions[:, None])[:, 0]
        return {
            Columns.ACTIONS: actions.numpy(),
            Columns.ACTION_LOGP: taken.numpy(),
            Columns.ACTION_DIST_INPUTS: logits.numpy(),
        }

    def _count(self, rewards: npt.NDArray[Any], over: list[int]) -> None:
        """Log lengths and returns of whole games for RLlib's metrics."""
        self._returns += rewards
        self._lengths += 1
        if over:
            self.metrics.log_value(EPISODE_RETURN_MEAN, self._returns[over].mean(), window=100)
            self.metrics.log_value(EPISODE_LEN_MEAN, self._lengths[over].mean(), window=100)
            self._returns[over] = self._lengths[over] = 0.0


def _pieces(ends: npt.NDArray[Any], steps: int) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the episodes of a table, in steps."""
    borders = [0, *ends.tolist()] + ([] if steps in ends else [steps])
    return itertools.pairwise(borders)


def _seen(views: npt.NDArray[Any], masks: npt.NDArray[Any], last: Any) -> Arrays:
    """Return the observations of an episode, one more than steps. After the end of a game every action is legal."""
    if last is not None:
        views, masks = np.concatenate([views[:-1], last[None]]), np.concatenate([masks[:-1], np.ones_like(masks[:1])])
    return {"observations": views, "action_mask": masks.astype(np.float32)}


def _episode(inputs: Arrays, values: Arrays, over: bool) -> SingleAgentEpisode:
    cut = bool(values.pop("cut")[-1])
    buffers = {name: InfiniteLookbackBuffer(np.ascontiguousarray(column)) for name, column in values.items()}
    return SingleAgentEpisode(
        observations=InfiniteLookbackBuffer(inputs),
        actions=buffers.pop(Columns.ACTIONS),
        rewards=buffers.pop(Columns.REWARDS),
        extra_model_outputs=buffers,
        terminated=over and not cut,
        truncated=cut,
        len_lookback_buffer=0,
    )
