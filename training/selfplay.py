"""Learn a game by self-play: MaskablePPO in one seat or team, named agents and snapshots of the learner in the others.

    python -m training selfplay --config configs/training/selfplay-karma.toml --name karma-2
    python -m training selfplay --resume runs/karma-2
    tensorboard --logdir runs

The learner may clone an expert first. It then learns from results. `model.safetensors` is the current network, and
`best.safetensors` the network with the best score in the measurements during training.
"""

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tantra_envs import cli

with cli.user_errors("train"):  # torch may be missing, and its import takes seconds
    import numpy as np
    import torch
    from gymnasium.vector import AutoresetMode
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Image, configure
    from stable_baselines3.common.utils import FloatSchedule

    from agents import Agent, load, load_all
    from agents.networks import ACTIVATIONS, TRANSFORMS, TorchAgent, actor_of, tensors_of
    from tantra_envs.core.game import Game
    from tantra_envs.envs.render_modes import render_modes
    from tantra_envs.envs.vector import SeatVectorEnv
    from tantra_envs.opponents.learned import LearnedAgent
    from tantra_envs.opponents.model_files import Tensors, read_card
    from tantra_envs.opponents.network_spec import NetworkSpec

    from .evaluate import show, to_json
    from .imitation import BehaviourCloning
    from .opponents import OpponentPool
    from .optimizer import restore, state_of
    from .options import PPOOptions, RunOptions, check_ppo
    from .progress import asked_to_stop, progress_bar
    from .replays import write_replays
    from .run import Run
    from .run_folder import BEST
    from .schedules import due, linear_schedule
    from .vec_env import SB3VecEnv


@dataclass(frozen=True, kw_only=True)
class Args(PPOOptions):
    """Learn a game by self-play.

    Example: python -m training selfplay --config configs/training/selfplay-karma.toml --name karma-2 --seed 3
    """

    curriculum: tuple[str, ...] = ()
    """Variants to begin with, from easy to hard: tantra:first tantra:kinds."""
    curriculum_timesteps: int = 100_000
    """Decisions in each of them."""
    bc_decisions: int = 0
    """Decisions of the expert to clone before learning from results."""
    expert: str = "scripted"
    """Agent to clone."""
    epsilon: float = 0.05
    """Share of random actions in the expert's games."""
    critic_timesteps: int = 0
    """Decisions at the start during which only the critic learns."""
    lr_decay_steps: int = 0
    """Decisions over which the learning rate falls; 0 = the whole run."""
    advice: bool = False
    """Give the network the scripted agent's action as an input."""
    replays: bool = True
    """Write a replay against each opponent with every measurement."""

    COMMON = (*PPOOptions.COMMON, "curriculum", "bc_decisions", "expert", "replays")


class SelfPlay(Run[Args]):
    """A run of self-play."""

    PROGRAM = "training selfplay"
    OPTIONS: ClassVar[type[RunOptions]] = Args

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        torch.distributions.Distribution.set_default_validate_args(False)  # checks cost a third of the speed
        if args.bc_decisions:
            load(args.expert, self.game)  # refuse an unknown agent before anything is written
        named = load_all(args.opponents, self.game)
        self.pool = OpponentPool(named, args.pool_size, args.self_play_fraction, self.game.partners, self.spec)
        self.tables = self._tables()
        self.model = _model(args, self.tables)
        if not named:  # nobody else can play before the first snapshot
            self.add_snapshot()
        self.tables.reset(seed=args.seed)
        self.cloned = False  # whether behaviour cloning is done
        self.seconds, self.learned = 0.0, 0  # seconds of the updates of this process, and their decisions

    @staticmethod
    def check(args: Args) -> None:
        """Raise ValueError for options that are not allowed."""
        check_ppo(args)
        any_number = (0, math.inf)
        cli.check_ranges(args, curriculum_timesteps=(1, math.inf), epsilon=(0, 1))
        cli.check_ranges(args, bc_decisions=any_number, critic_timesteps=any_number, lr_decay_steps=any_number)

    # Training

    def train(self) -> bool:
        """Clone the expert unless that is done, then learn from results. Return False after Ctrl-C."""
        if not self.cloned:
            self.clone()
            self.save()
        total = self.args.total_timesteps
        with asked_to_stop() as stop, progress_bar("learning", total, self.decisions) as advance:
            while self.decisions < total:
                before = self.decisions
                self.update()
                self.after_update(before)
                advance(self.decisions, f"{self.learned / self.seconds:,.0f}/s")
                if stop():
                    return False
        return True

    def clone(self) -> None:
        """Clone the expert if the options select one, and take a first snapshot of the learner."""
        args = self.args
        if args.bc_decisions:
            expert = load(args.expert, self.game)
            cloning = BehaviourCloning(expert, args.bc_decisions, args.num_envs, args.epsilon, self.spec, args.seed)
            with progress_bar("cloning", args.bc_decisions, 0) as advance:
                for decisions, accuracy in cloning.train(self.model.policy, self.game):
                    advance(min(decisions, args.bc_decisions), f"accuracy {accuracy:.1%}")
            self.measure_now()
        self.pool.set_snapshots([], self.tables.opponents_in_play())  # without the untrained network
        self.add_snapshot()
        self.cloned = True

    def update(self) -> None:
        """Do one update of PPO, from `n_steps` decisions at every table."""
        args, model, started = self.args, self.model, time.perf_counter()
        progress = self.decisions / (args.lr_decay_steps or args.total_timesteps)
        model.lr_schedule = FloatSchedule(linear_schedule(args.learning_rate, progress))
        actor_of(model).requires_grad_(self.decisions >= args.critic_timesteps)
        model.learn(args.num_envs * args.n_steps, reset_num_timesteps=False)
        self.decisions = model.num_timesteps
        self.seconds += time.perf_counter() - started
        self.learned += args.num_envs * args.n_steps

    def after_update(self, before: int) -> None:
        """Change the game of the curriculum, add a snapshot and measure, where these are due since `before`."""
        args, now = self.args, self.decisions
        if stage(args, now) != stage(args, before):
            self.tables = self._tables()
            self.tables.reset(seed=args.seed)
            self.model.set_env(SB3VecEnv(self.tables, args.advice))
        if due(args.snapshot_every, before, now):
            self.add_snapshot()
        if due(args.eval_every, before, now):
            self.measure_now()
            self.save()

    def add_snapshot(self) -> None:
        """Add a snapshot of the learner to the pool of opponents."""
        self.pool.add_snapshot(actor_of(self.model), self.tables.np_random, self.tables.opponents_in_play())

    def measure_now(self) -> None:
        """Play a few deals against each opponent, and save the network if it is the best so far."""
        self.record(self.measure(self.learner, self.args.eval_deals, self.args.seed))
        if max(self.history, key=_mean_score) is self.history[-1]:
            self.write_model(BEST)
        for name, (mean, _, _) in self.history[-1]["scores"].items():
            self.model.logger.record(f"score/{name}", mean)
        self._write_replays()
        self.model.logger.dump(self.decisions)

    def finish(self) -> None:
        """Measure the last network and the best one on new deals, and report both."""
        file, now = self.args.folder / BEST, self.decisions
        decisions = read_card(file).decisions if file.exists() else now
        last = best = self._measure_at_the_end(self.learner)
        if decisions != now:
            best = self._measure_at_the_end(LearnedAgent(self.game, file, "best"))
            show(f"{self.args.folder.name} after {decisions:,} decisions (best network)", best)
        self._write_replays()
        self.model.logger.dump(now)
        speed = round(self.learned / max(self.seconds, 1e-9))
        facts = {"decisions_per_second": speed, "best": {"decisions": decisions, "results": to_json(best)}}
        self.report(f"{self.args.folder.name} after {now:,} decisions", last, **facts)
        print(f"{speed:,} decisions a second, including updates; all files are in {self.args.folder}")

    def _measure_at_the_end(self, agent: Agent) -> list[Any]:
        return self.measure(agent, self.args.final_deals, self.args.seed + 1)

    def _write_replays(self) -> None:
        """Write a replay against each opponent, and the last position to TensorBoard if the extra `render` is there."""
        if not self.args.replays:
            return
        folder = self.args.folder / "replays"
        drawings = write_replays(folder, self.game, self.learner, self.eval_opponents, self.args.seed)
        if "rgb_array" in render_modes(self.game):
            from tantra_envs.drawing.raster import rgb_array

            for opponent, svg in drawings.items():
                self.model.logger.record(f"table/{opponent}", Image(rgb_array(svg), "HWC"))

    # State

    @property
    def learner(self) -> TorchAgent:
        """The agent that plays the most likely action of the current network."""
        return TorchAgent("learner", actor_of(self.model), self.spec)

    @property
    def spec(self) -> NetworkSpec:
        """The network that the options select."""
        return NetworkSpec("mlp", self.args.net_arch, self.args.activation, self.args.transform, self.args.advice)

    def tensors(self) -> Tensors:
        """Return the weights of the actor."""
        return tensors_of(actor_of(self.model))

    def start(self, checkpoint: dict[str, Any] | None) -> None:
        """Open TensorBoard's log, and continue where the checkpoint ended."""
        self.model.set_logger(configure(str(self.args.folder / "tensorboard"), ["tensorboard"]))
        if checkpoint:
            self._restore(checkpoint)

    def state(self) -> dict[str, Any]:
        """Return networks, optimiser, snapshots, tables and random generators."""
        return {
            "updates": self.model._n_updates,
            "cloned": self.cloned,
            "policy": self.model.policy.state_dict(),
            "optimizer": state_of(self.model.policy.optimizer),
            "pool": self.pool.state(),
            "tables": self.tables.save(),
            "chance": [random.getstate(), np.random.get_state(legacy=False), torch.get_rng_state()],
        }

    def _restore(self, checkpoint: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        policy = self.model.policy
        self.pool.restore(actor_of(self.model), checkpoint["pool"])
        policy.load_state_dict(checkpoint["policy"])
        restore(policy.optimizer, checkpoint["optimizer"])
        self.model.num_timesteps, self.model._n_updates = self.decisions, checkpoint["updates"]
        self.cloned = checkpoint["cloned"]
        self._restore_tables(checkpoint["tables"])
        (version, words, gauss), numpy, pytorch = checkpoint["chance"]
        random.setstate((version, tuple(words), gauss))
        np.random.set_state(numpy)
        torch.set_rng_state(pytorch)

    def _restore_tables(self, saved: dict[str, Any]) -> None:
        dtypes = {name: getattr(array, "dtype", None) for name, array in self.tables.save().items()}
        tables = {name: array.view(dtypes[name]) if dtypes[name] else array for name, array in saved.items()}
        step = self.tables.load(tables)
        if self.decisions:  # otherwise the first update deals the tables
            env: Any = self.model.env
            env.continue_from(*step)

    def _tables(self) -> SeatVectorEnv:
        """Return tables of the current game of the curriculum, which are not dealt yet."""
        game, together = games_of(self.args)[stage(self.args, self.decisions)], self.args.partner == "self"
        mode = AutoresetMode.SAME_STEP
        return SeatVectorEnv(game, self.args.num_envs, opponents=self.pool, team=together, autoreset_mode=mode)


def stage(args: Args, decisions: int) -> int:
    """Return the index in `games_of` of the game that is played after `decisions` decisions."""
    return min(decisions // args.curriculum_timesteps, len(args.curriculum))


def games_of(args: Args) -> list[Game]:
    """Return the games of the curriculum, then the game of the run. Raise ValueError unless one network fits all."""
    last = cli.game(args.game, args.players)
    games = [cli.game(name, last.players) for name in args.curriculum]
    for name, game in zip(args.curriculum, games, strict=True):
        if (game.id, game.view.size, game.actions.size) != (last.id, last.view.size, last.actions.size):
            allowed = f"variants of {args.game!r} with its observations"
            raise ValueError(f"curriculum={name!r} is not allowed; allowed: {allowed}")
    return [*games, last]


def _model(args: Args, tables: SeatVectorEnv) -> MaskablePPO:
    """Return an untrained learner."""
    network = {
        "net_arch": list(args.net_arch),
        "features_extractor_class": TRANSFORMS[args.transform],
        "activation_fn": ACTIVATIONS[args.activation],
    }
    return MaskablePPO(
        "MlpPolicy",
        SB3VecEnv(tables, args.advice),
        n_steps=args.n_steps,
        batch_size=args.batch_size,
        n_epochs=args.n_epochs,
        learning_rate=args.learning_rate,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        ent_coef=args.ent_coef,
        policy_kwargs=network,
        seed=args.seed,
        device="cpu",
    )


def _mean_score(measurement: dict[str, Any]) -> float:
    return float(np.mean([mean for mean, _, _ in measurement["scores"].values()]))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    SelfPlay.main(argv)
