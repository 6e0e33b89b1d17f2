"""RLlib's PPO for self-play: its configuration, the snapshots of its env runners, and its learner as plain arrays."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_OPTIMIZER, COMPONENT_RL_MODULE, DEFAULT_MODULE_ID
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME

from tantra_envs.adapters.rllib_tables import spaces_of
from tantra_envs.core.game import Game
from tantra_envs.opponents.network_spec import NetworkSpec

from ..schedules import linear_schedule
from .cluster import PATIENCE
from .masked_module import MaskedActorCritic
from .options import Args
from .table_runner import Seating, TableRunner, Weights

PROBED = 30.0  # seconds within which a restarted runner must answer
ACTOR = "actor."  # prefix of the names of the actor's weights


class SelfPlayPPO(PPO):
    """PPO whose env runners also play against snapshots. Restarted runners receive the snapshots again."""

    snapshots: Sequence[Weights] = ()

    def restore_env_runners(self, env_runner_group: Any) -> list[int]:
        """Restart dead env runners and send them the snapshots. Return their numbers."""
        restored: list[int] = super().restore_env_runners(env_runner_group)
        if restored:
            self.hand_out(self.snapshots, restored)
        return restored

    def hand_out(self, snapshots: Sequence[Weights], runners: list[int] | None = None) -> None:
        """Send the snapshots to some runners, or to all of them."""
        self.snapshots = snapshots
        tell = functools.partial(_set_snapshots, snapshots=snapshots)
        self.env_runner_group.foreach_env_runner(tell, remote_worker_ids=runners, local_env_runner=False)

    def sampled(self) -> int:
        """Return the number of decisions of the learner since the algorithm was built."""
        return int(self.metrics.peek((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME), default=0))

    def actor(self) -> Weights:
        """Return the weights of the actor, by their names in `agents.networks.actor`."""
        weights = self.learner_state()["weights"]
        return {name.removeprefix(ACTOR): array for name, array in weights.items() if name.startswith(ACTOR)}

    def learner_state(self) -> dict[str, Any]:
        """Return the state of the learner: "weights" by name, and "moments" of the optimiser by number, in arrays."""
        _, modules, optimizer = self._learner_parts()
        numbers, moments = list(optimizer["state"]), list(optimizer["state"].values())
        return {"weights": modules[DEFAULT_MODULE_ID], "moments": [numbers, moments]}

    def set_learner_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `learner_state` returned, on learners and env runners."""
        whole, modules, optimizer = self._learner_parts()
        modules[DEFAULT_MODULE_ID] = state["weights"]
        optimizer["state"] = dict(zip(*state["moments"], strict=True))
        self.learner_group.set_state(whole)
        self.env_runner_group.sync_weights(
            from_worker_or_learner_group=self.learner_group,
            timeout_seconds=PATIENCE,  # wait for the runners: RLlib sends nothing to busy ones
            inference_only=True,
        )

    def _learner_parts(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """Return the state of the learners, and its parts: weights by module, and the state of the optimiser."""
        parts = (COMPONENT_RL_MODULE, COMPONENT_OPTIMIZER)
        whole = self.learner_group.get_state(components=[f"{COMPONENT_LEARNER}/{part}" for part in parts])
        modules, optimizers = (whole[COMPONENT_LEARNER][part] for part in parts)
        (optimizer,) = optimizers.values()
        return whole, modules, optimizer["state"]


def _set_snapshots(runner: Any, snapshots: Sequence[Weights]) -> None:
    runner.set_snapshots(snapshots)


def build(args: Args, game: Game, decisions: int) -> SelfPlayPPO:
    """Build the algorithm and its processes for a run that has learned from `decisions` decisions."""
    algorithm: SelfPlayPPO = config_for(args, game, decisions).build_algo()
    return algorithm


def config_for(args: Args, game: Game, decisions: int = 0) -> PPOConfig:
    """Return RLlib's configuration for a run that has learned from `decisions` decisions."""
    config = PPOConfig(algo_class=SelfPlayPPO)
    observations, actions = spaces_of(game)
    seated = {"seating": seating_of(args, game, decisions)}
    config.environment(observation_space=observations, action_space=actions, env_config=seated)
    network = {"game": game, "spec": spec_of(args)}
    config.rl_module(rl_module_spec=RLModuleSpec(MaskedActorCritic, observations, actions, model_config=network))
    _set_training(config, args, decisions)
    _set_processes(config, args)
    return config


def spec_of(args: Args) -> NetworkSpec:
    """Return the network that the options select."""
    return NetworkSpec("mlp", args.net_arch, args.activation, args.transform)


def seating_of(args: Args, game: Game, decisions: int) -> Seating:
    """Return the seating of the tables."""
    pool = (args.opponents, args.pool_size, args.self_play_fraction)
    return Seating(game, spec_of(args), *pool, args.partner == "self", (args.seed, decisions))


def _set_training(config: PPOConfig, args: Args, decisions: int) -> None:
    """Configure PPO like MaskablePPO: no KL penalty, no clipping of values, gradient norms of at most 0.5."""
    now, left = linear_schedule(args.learning_rate, decisions / args.total_timesteps), args.total_timesteps - decisions
    config.training(
        lr=[[0, now], [max(left, 1), linear_schedule(args.learning_rate, 1.0)]],
        gamma=args.gamma,
        lambda_=args.gae_lambda,
        entropy_coeff=args.ent_coef,
        train_batch_size_per_learner=args.workers * args.num_envs * args.n_steps // max(args.learners, 1),
        minibatch_size=args.batch_size // max(args.learners, 1),
        num_epochs=args.n_epochs,
        clip_param=0.2,
        vf_clip_param=float("inf"),
        vf_loss_coeff=0.5,
        use_kl_loss=False,
        grad_clip=0.5,
        grad_clip_by="global_norm",
    )
    config.debugging(seed=args.seed, log_level="ERROR")


def _set_processes(config: PPOConfig, args: Args) -> None:
    config.env_runners(
        env_runner_cls=TableRunner,
        num_env_runners=args.workers,
        num_envs_per_env_runner=args.num_envs,
        rollout_fragment_length=args.n_steps,
        sample_timeout_s=PATIENCE,
    )
    config.learners(num_learners=args.learners, num_gpus_per_learner=args.gpus)
    config.fault_tolerance(restart_failed_env_runners=True, env_runner_health_probe_timeout_s=PROBED)
