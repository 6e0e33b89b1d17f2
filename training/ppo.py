"""Learn a game from nothing by self-play with PPO: one network plays all seats, and every seat learns.

    python -m training ppo karma --name karma --total-decisions 20_000_000
    python -m training ppo --resume runs/karma
    python -m training ppo karma --exploit learned --name against-learned

An update plays at many tables (`trajectories.py`), then fits the networks to these decisions (`PPO.fit`): a clipped
policy gradient with a bonus for entropy. The policy learns only from decisions with a large advantage. The saved policy
is a moving average of the weights.

PPO: Schulman et al., arXiv 1707.06347. Large entropy bonuses in games of hidden information: Rudolph et al., arXiv
2502.08938. The magnet: NashPG, arXiv 2510.18183. Learning from large advantages only: Ataraxos, arXiv 2511.07312.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from tantra_envs.core.options import Within
from tantra_envs.programs import cli

with cli.user_errors("train"):  # torch may be missing, and its import takes seconds
    import numpy as np
    import torch
    from torch import nn

    from agents import Agent
    from agents.networks import Snapshot, build_actor
    from tantra_envs.core.game import Game
    from tantra_envs.networks import ValueNetwork, log_softmax
    from tantra_envs.opponents.network_spec import NetworkSpec

    from .optimizer import Optimizer, between
    from .options import ENDS, RunOptions, check, load_agent
    from .run import Run, at_game, due
    from .trajectories import Batch, Draw, Floats, Ints, Sample, Trajectories, joined, minibatches

Weight = Annotated[float, Within(0, 10)]
LEAST = -30.0  # log-probabilities are cut off here where they are multiplied by probabilities


@dataclass(frozen=True, kw_only=True)
class Args(RunOptions):
    """Learn a game from nothing by self-play with PPO.

    Example: python -m training ppo karma --total-decisions 20_000_000 --seed 3
    """

    policy: Literal["features", "mlp"] = "features"
    """Network: features rates each legal action by its features, mlp maps the observation to all actions."""
    clip: Annotated[float, Within(1e-6, 10)] = 0.2
    """Largest relative change of the probability of an action that an update is rewarded for."""
    entropy: Annotated[tuple[Weight, ...], ENDS] = (0.05, 0.005)
    """Weight of the entropy bonus at the start and at the end of the run."""
    skip_smallest: Annotated[float, Within(0, 0.99)] = 0.5
    """Share of the decisions, those with the smallest advantages, that only the value network learns from."""
    magnet: Weight = 0.0
    """Weight of the divergence from an earlier policy."""
    magnet_every: cli.Count = 40
    """Updates after which this earlier policy is replaced by the current one."""
    snapshots: Annotated[int, Within(0, 1000)] = 0
    """Number of earlier policies of the learner that are opponents, too."""
    snapshot_every: cli.Count = 1_000_000
    """Decisions between two of them."""
    exploit: str | None = None
    """Agent to exploit: it is the opponent in all games, and the one that is measured."""
    device: str = "cpu"
    """Device on which the networks learn, as torch names it; only cpu was tried. Tables are played on the CPU."""

    COMMON = (*RunOptions.COMMON, "policy", "entropy", "exploit")

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy; the value network has the same hidden layers."""
        return NetworkSpec(self.policy, self.net_arch, self.activation)

    @property
    def others(self) -> tuple[tuple[str, ...], float]:
        """The agents that the learner plays against, and the share of the games with one of them."""
        return ((self.exploit,), 1.0) if self.exploit else super().others


class Network(nn.Module):
    """A policy, `actor`, and the value of a position for the seat to decide, `critic`."""

    scale: torch.Tensor  # what one unit of each compact observation is worth

    def __init__(self, spec: NetworkSpec, game: Game) -> None:
        super().__init__()
        self.over_features = spec.policy == "features"
        self.actor = build_actor(spec, game)
        inputs = game.features.of_table.size if self.over_features else game.view.size
        self.critic = ValueNetwork(inputs, spec.net_arch)
        self.register_buffer(
            "scale", torch.from_numpy(game.view.to_float(np.ones((1, game.view.size), game.view.dtype)))
        )
        with torch.no_grad():
            last: Any = [part for part in self.actor.modules() if isinstance(part, nn.Linear)][-1]
            last.weight.mul_(0.01)  # at first every action is about equally likely
            last.bias.zero_()

    def inputs(self, batch: Batch) -> torch.Tensor:
        """Return the inputs of the first layer that belong to the table, (k, width)."""
        if self.over_features:
            return self.tensor(batch.table)
        return self.tensor(batch.views).float() * self.scale

    def values(self, batch: Batch) -> torch.Tensor:
        """Return the expected rewards of the seats to decide, (k,)."""
        return self.critic(self.inputs(batch))  # type: ignore[no-any-return]

    def log_probs(self, batch: Batch) -> torch.Tensor:
        """Return the log-probabilities of the legal actions, (k, most legal actions)."""
        counts, inputs = self.tensor(batch.counts), self.inputs(batch)
        rows = torch.repeat_interleave(counts)
        if self.over_features:
            of_features: Any = self.actor[1]
            ratings = of_features.rate(self.tensor(batch.features), inputs, rows)
        else:
            ratings = self.actor(inputs)[rows, self.tensor(batch.actions)]
        return log_softmax(ratings, counts)

    def tensor(self, array: Any) -> torch.Tensor:
        """Return an array on the device of the networks."""
        return torch.from_numpy(array).to(self.scale.device)

    def draw(self, batch: Batch, rng: np.random.Generator) -> Sample:
        """Draw an action for each decision."""
        if not len(batch.counts):
            return Sample(np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.float32))
        with torch.inference_mode():
            log_probs, values = self.log_probs(batch).numpy(), self.values(batch).numpy()
        noise = np.clip(rng.random(log_probs.shape, np.float32), 1e-9, 1 - 1e-7)
        places = (log_probs - np.log(-np.log(noise))).argmax(axis=1)  # the Gumbel-max trick
        return Sample(places, log_probs[np.arange(len(places)), places], values)


class PPO(Run[Args]):
    """A run of PPO."""

    PROGRAM = "training ppo"
    OPTIONS: ClassVar[type[RunOptions]] = Args

    NETWORKS = ("behaviour", "learner", "average", "magnet")
    SHOWN = "kl"

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        self.learner = Network(args.spec, args.games[0]).to(args.device)
        self.behaviour = copy.deepcopy(self.learner).to("cpu")  # plays the next games
        self.average = copy.deepcopy(self.behaviour)
        self.magnet = copy.deepcopy(self.learner)
        self.optimizer = Optimizer(self.learner.parameters(), args.learning_rate, max_norm=0.5)
        if args.exploit:
            self.eval_opponents = [load_agent("exploit", args.exploit, self.game)]
        self.snapshots: dict[int, Network] = {}  # by number, the oldest first
        self.drawable = list(self.named[0])  # numbers of the agents that the next games draw from
        self.pool = ThreadPoolExecutor(1)
        self.ahead: Future[list[Trajectories]] | None = None  # the next games, which another thread plays
        self.states_ahead: list[dict[str, Any]] = []  # the tables before them

    @staticmethod
    def check(args: Args) -> None:
        """Raise ValueError for options that are not allowed."""
        check(args)
        for name in ("opponents", "snapshots", "eval_opponents", "opponent_share"):
            if args.exploit and (value := getattr(args, name)) != getattr(Args, name):
                words = f"exploit={args.exploit!r}, which sits in all other seats and is the one that is measured"
                raise ValueError(f"{name}={value!r} is not allowed with {words}")
        if args.exploit:
            load_agent("exploit", args.exploit, args.games[0])
        try:
            torch.empty(0, device=args.device)
        except (RuntimeError, AssertionError) as error:  # an unknown device; one that this torch was built without
            why = str(error).splitlines()[0]
            allowed = "a device that torch can use here, such as cpu"
            raise ValueError(f"device={args.device!r} is not allowed: {why}; allowed: {allowed}") from None
        for game in args.games:
            if len(game.teams) == 1 and args.snapshots:
                raise ValueError(f"{game.name} for one has no opponents; allowed: snapshots=0")

    # Training

    def update(self) -> None:
        """Play at all tables and learn from the decisions.

        With two threads, the next games are played at the same time, by the network before this update.
        """
        args, decided = self.args, self.decisions
        played = self.ahead.result() if self.ahead else self.play(*self._next_games())
        batch, sample, advantages, complete = joined(played, args.gae_lambda)
        self.decisions += len(complete)
        pauses = self.decisions >= args.total_decisions or due(args.eval_every, decided, self.decisions)
        self.ahead = None
        if args.threads > 1:
            self._plan()
            if not pauses:  # a measurement would share the processor
                self.states_ahead = copy.deepcopy([tables.state() for tables in self.tables])
                self.ahead = self.pool.submit(self.play, *self._next_games(ahead=1))
        if len(complete):
            self.fit(batch, sample, advantages, complete, decided / args.total_decisions)
        self.updates += 1
        if args.snapshots and due(args.snapshot_every, decided, self.decisions):
            number = max([len(args.opponents) - 1, *self.snapshots]) + 1
            self.snapshots[number] = copy.deepcopy(self.learner).to("cpu")
        if args.threads == 1:
            self._plan()

    def _plan(self) -> None:
        """Let the current network play the next games, against the named agents and the newest snapshots."""
        self.behaviour.load_state_dict(self.learner.state_dict())
        newest = list(self.snapshots)[-self.args.snapshots :]
        self.drawable = [*self.named[0], *newest]
        used = {*np.concatenate([tables.opponent for tables in self.tables]).tolist()}
        self.snapshots = {number: net for number, net in self.snapshots.items() if number in used or number in newest}

    def _next_games(self, ahead: int = 0) -> tuple[Draw, list[dict[int, Agent]], Ints, int]:
        """Return the arguments of `play` for the update that is `ahead` of the next one."""
        spec, opponents = self.args.spec, []
        for named, tables in zip(self.named, self.tables, strict=True):
            actors = {number: at_game(earlier.actor, spec, tables.game) for number, earlier in self.snapshots.items()}
            opponents.append(named | {number: Snapshot("snapshot", actor, spec) for number, actor in actors.items()})
        return self.behaviour.draw, opponents, np.array(self.drawable, np.int64), self.updates + ahead

    def fit(self, batch: Batch, sample: Sample, advantages: Floats, complete: Ints, progress: float) -> None:
        """Fit the networks to the `complete` decisions, in `epochs` passes, at this share of the run."""
        args, rng = self.args, np.random.default_rng((self.args.seed, self.updates, len(self.tables)))
        if args.magnet and self.updates % args.magnet_every == 0:
            self.magnet.load_state_dict(self.learner.state_dict())
        returns, size = advantages + sample.values, np.abs(advantages)
        large = size >= np.quantile(size[complete], args.skip_smallest)
        scaled = (advantages - advantages[complete].mean()) / (advantages[complete].std() + 1e-8)
        columns = [self.learner.tensor(part) for part in (sample.places, sample.log_probs, scaled, returns)]
        steps = []
        for rows in minibatches(complete, args.batch_size, args.epochs, rng):
            places, old_log_probs, weights, targets = (column[rows] for column in columns)
            error = (self.learner.values(batch.without_actions(rows)) - targets).square().mean()
            learns = np.flatnonzero(large[rows])
            loss = 0.5 * error
            if len(learns):
                parts = [column[learns] for column in (places, old_log_probs, weights)]
                objective, *metrics = self._objective(batch.take(rows[learns]), parts, progress)
                loss = loss - objective
                steps.append([error.detach(), *metrics])
            self.optimizer.step(loss, progress)
        error, entropy, kl = (torch.stack(part) for part in zip(*steps, strict=True))
        self.metrics = {"error": float(error.mean()), "entropy": float(entropy.mean()), "kl": float(kl.max())}
        self.metrics["explained"] = 1 - self.metrics["error"] / float(returns[complete].var() + 1e-8)
        self.update_average()

    def _objective(
        self, batch: Batch, parts: Sequence[torch.Tensor], progress: float
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the objective of the policy, its entropy, and its divergence from the policy that played.

        `parts` are the places of the chosen actions, their log-probabilities when they were played, and advantages.
        """
        args, log_probs = self.args, self.learner.log_probs(batch)
        places, old_log_probs, advantages = parts
        moved = log_probs.gather(1, places[:, None])[:, 0] - old_log_probs
        ratio, probs = moved.exp(), log_probs.exp()
        objective = torch.minimum(ratio * advantages, ratio.clamp(1 - args.clip, 1 + args.clip) * advantages).mean()
        entropy = -(probs * log_probs.clamp(min=LEAST)).sum(1).mean()
        objective = objective + between(args.entropy, progress) * entropy
        if args.magnet:
            with torch.no_grad():
                pull = self.magnet.log_probs(batch)
            objective = objective - args.magnet * (probs * (log_probs - pull).clamp(LEAST, -LEAST)).sum(1).mean()
        return objective, entropy.detach(), (ratio - 1 - moved).mean().detach()

    # State

    def state(self) -> dict[str, Any]:
        """Return the state from which `restore` continues, besides history and options."""
        snapshots = [[number, network.state_dict()] for number, network in self.snapshots.items()]
        ahead = {"tables": self.states_ahead} if self.ahead else {}
        return {**super().state(), **ahead, "snapshots": snapshots, "drawable": self.drawable}

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        super().restore(checkpoint)
        self.drawable = checkpoint["drawable"]
        for number, weights in checkpoint["snapshots"]:
            self.snapshots[number] = copy.deepcopy(self.behaviour)
            self.snapshots[number].load_state_dict(weights)


main = PPO.main
