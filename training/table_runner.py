"""RLlib's PPO for `scale.py`: its network, its settings, and env runners that play many tables in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import ray
import torch
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils.metrics import SAMPLE_TIMER

from tantra_envs.adapters.rllib_tables import spaces_of
from tantra_envs.networks import NOT_LEGAL
from tantra_envs.opponents.networks import sampled
from tantra_envs.programs import cli

from .optimizer import linear_schedule
from .ppo import Network
from .trajectories import Batch, Rewards, Sample, Tables, Trajectories

STEPS = 64  # actions at each table in a turn of an env runner
PATIENCE = 600.0  # seconds that env runners have to answer; at the start they may have to compile the game


class MaskedActorCritic(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    """The networks of `ppo.py` over {"observations": (n, view.size), "action_mask": (n, actions.size)}."""

    def setup(self) -> None:
        """Build both networks. Env runners drop the critic."""
        network = Network(self.model_config["spec"], self.model_config["game"])
        self.actor, self.critic = network.actor, network.critic

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return the values of the critic, (n,)."""
        return self.critic(batch[Columns.OBS]["observations"])  # type: ignore[no-any-return]

    def get_non_inference_attributes(self) -> list[str]:
        """Return the names of the networks that env runners do not need."""
        return ["critic"]

    def _forward(self, batch: dict[str, Any], **more: Any) -> dict[str, Any]:
        logits = self.actor(batch[Columns.OBS]["observations"])
        return {Columns.ACTION_DIST_INPUTS: torch.where(batch[Columns.OBS]["action_mask"] > 0, logits, NOT_LEGAL)}


class TableRunner(SingleAgentEnvRunner):
    """An env runner that plays the tables of `config.env_config["args"]`, with one network in all seats."""

    def make_env(self) -> None:
        """Deal the tables. Runners of a resumed run, and restarted ones, deal other games than at first."""
        torch.set_num_threads(1)
        args = self.config.env_config["args"]
        again = bool(self.worker_index) and ray.get_runtime_context().was_current_actor_reconstructed
        self.rng = np.random.default_rng(None if args.resume or again else [args.seed, self.worker_index or 0])
        self.game, self.num_envs = cli.game(args.game, args.players), args.tables
        self.env = env = VectorEnv()  # RLlib reads its spaces only
        env.single_observation_space, env.single_action_space = one = spaces_of(self.game)
        env.observation_space, env.action_space = (batch_space(space, args.tables) for space in one)
        seed = int(self.rng.integers(1 << 30))
        self.tables = Tables(self.game, args.tables, Rewards("score", 1.0, "game"), 0, False, seed, group=0)

    def sample(self, **ignored: Any) -> list[SingleAgentEpisode]:
        """Play STEPS actions at all tables, and return the decisions of every seat in every game as an episode."""
        with self.metrics.log_time(SAMPLE_TIMER):
            self.seen: list[dict[str, Any]] = []
            played = self.tables.play(self._draw, {}, np.empty(0, np.int64), STEPS, self.rng)
            episodes = episodes_of(played, self.seen)
        self._increase_sampled_metrics(sum(map(len, episodes)), sum(one.is_done for one in episodes))
        return episodes

    def _draw(self, batch: Batch, rng: np.random.Generator) -> Sample:
        """Draw an action for each decision, and keep what PPO needs to know of it."""
        rows = np.arange(len(batch.counts))
        views, masks = self.game.view.to_float(batch.views), np.zeros((len(rows), self.game.actions.size), np.float32)
        masks[np.repeat(rows, batch.counts), batch.actions] = 1
        with torch.inference_mode():
            seen = {"observations": torch.from_numpy(views), "action_mask": torch.from_numpy(masks)}
            logits = self.module.forward_exploration({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
            log_probs = logits.log_softmax(dim=1).numpy()
        actions = sampled(log_probs, rng)
        drawn = log_probs[rows, actions]
        decided = {Columns.ACTIONS: actions, Columns.ACTION_LOGP: drawn, Columns.ACTION_DIST_INPUTS: logits.numpy()}
        self.seen.append({"observations": views, "action_mask": masks, **decided})
        places = masks.cumsum(axis=1)[rows, actions].astype(np.int64) - 1  # among the legal actions
        return Sample(places, drawn, np.zeros(len(rows), np.float32))


def episodes_of(played: Trajectories, seen: list[dict[str, Any]]) -> list[SingleAgentEpisode]:
    """Return the decisions of each seat in each game, with the columns of `seen`, as an episode.

    The last decision of a seat in an unfinished game is not learned from: only its value counts.
    """
    reward, ended, facts = np.zeros(played.shape, np.float32), np.zeros(played.shape, bool), []
    for now in reversed(played.moments):  # rewards and ends belong to the decision of each seat before them
        over, at = now.settled[now.ends], (now.rows, now.seats)
        reward[over], ended[over] = 0, True
        reward[now.settled] += now.rewards
        facts.append((now.rows * played.shape[1] + now.seats, reward[at], ended[at]))
        reward[at], ended[at] = 0, False
    whose, rewards, ends = (np.concatenate(column) for column in zip(*facts[::-1], strict=True))
    order = np.argsort(whose, kind="stable")
    columns = {name: np.concatenate([part[name] for part in seen])[order] for name in seen[0]}
    columns[Columns.REWARDS], ends = rewards[order], ends[order]
    begin, episodes = 0, []
    for end in (np.flatnonzero(ends | (np.diff(whose[order], append=-1) != 0)) + 1).tolist():
        whole = bool(ends[end - 1])
        steps, seen_rows = slice(begin, end if whole else end - 1), np.arange(begin, end + whole).clip(max=end - 1)
        begin = end
        if steps.stop > steps.start:
            views = {name: columns[name][seen_rows] for name in ("observations", "action_mask")}  # one more than steps
            part = {name: InfiniteLookbackBuffer(columns[name][steps]) for name in columns if name not in views}
            inputs = {"actions": part.pop(Columns.ACTIONS), "rewards": part.pop(Columns.REWARDS)}
            inputs |= {"observations": InfiniteLookbackBuffer(views), "extra_model_outputs": part}
            episodes.append(SingleAgentEpisode(**inputs, terminated=whole, len_lookback_buffer=0))
    return episodes


def config_for(args: Any) -> PPOConfig:
    """Return RLlib's configuration of a run. `args` are its `scale.Args`: `scale.py` imports this module."""
    game = cli.game(args.game, args.players)
    observations, actions = spaces_of(game)
    network, config = {"game": game, "spec": args.spec}, PPOConfig()
    config.environment(observation_space=observations, action_space=actions, env_config={"args": args})
    config.rl_module(rl_module_spec=RLModuleSpec(MaskedActorCritic, observations, actions, model_config=network))
    rates = [[0, args.learning_rate], [args.total_decisions, linear_schedule(args.learning_rate, 1.0)]]
    sizes = {"train_batch_size_per_learner": args.update_size, "minibatch_size": min(2048, args.update_size)}
    config.training(lr=rates, gamma=1.0, lambda_=0.95, entropy_coeff=0.01, num_epochs=3, **sizes)
    config.training(use_kl_loss=False, vf_clip_param=float("inf"), vf_loss_coeff=0.5, clip_param=0.2, grad_clip=0.5)
    config.env_runners(env_runner_cls=TableRunner, num_env_runners=args.workers, sample_timeout_s=PATIENCE)
    config.debugging(seed=args.seed, log_level="ERROR")
    return config
