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
import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Literal

from tantra_envs import cli

with cli.user_errors("train"):  # torch may be missing, and its import takes seconds
    import numpy as np
    import torch
    from torch import nn
    from torch.utils.tensorboard import SummaryWriter

    from agents import Agent, load
    from agents.networks import TorchAgent, build_actor, filled, tensors_of
    from tantra_envs.core.game import Game
    from tantra_envs.opponents.model_files import ModelCard, Tensors, read_card, read_tensors
    from tantra_envs.opponents.network_spec import NetworkSpec, features_of

    from .evaluate import Result
    from .opponents import Snapshot
    from .optimizer import Optimizer
    from .options import MEASURED_DEALS, STEPS, TABLES, UNITS, RunOptions
    from .options import check as check_run
    from .progress import asked_to_stop, progress_bar
    from .run import Run
    from .schedules import due
    from .trajectories import Batch, Floats, Ints, Rewards, Sample, Tables, Trajectories, join

NETWORKS = ("behaviour", "learner", "average", "magnet")  # of a run, in its checkpoint
NOT_LEGAL = -1e8  # logit in places without a legal action
LEAST = -30.0  # log-probabilities are cut off here where they are multiplied by probabilities


@dataclass(frozen=True, kw_only=True)
class Args(RunOptions):
    """Learn a game from nothing by self-play with PPO.

    Example: python -m training ppo karma --total-decisions 20_000_000 --seed 3
    """

    total_decisions: int = 20_000_000
    """Decisions with a choice to learn from, of all seats."""
    seats: tuple[int, ...] = ()
    """Numbers of seats, which share the tables equally: 2 3 4. Measurements use --players. [default: that one]"""
    policy: Literal["features", "mlp"] = "features"
    """Network: features rates each legal action by its features, mlp maps the observation to all actions."""
    net_arch: tuple[int, ...] = (64, 64)
    """Hidden layers of the policy; the value network has the same."""
    activation: Literal["relu", "tanh"] = "relu"
    """Activation of the hidden layers of the policy."""
    start: Path | None = None
    """Model file whose policy the run begins with; the values are new."""
    tables: int = 1024
    """Tables that are played at the same time."""
    steps: int = 64
    """Actions at each table between two updates, of all its seats together."""
    batch_size: int = 2048
    """Decisions in one step of the optimiser."""
    epochs: int = 1
    """Passes over the decisions in an update."""
    learning_rate: float = 1e-3
    """Learning rate at the start; it falls linearly to a tenth."""
    gae_lambda: float = 0.95
    """Lambda of generalised advantage estimation."""
    clip: float = 0.2
    """Largest relative change of the probability of an action that an update is rewarded for."""
    entropy: tuple[float, ...] = (0.05, 0.005)
    """Weight of the entropy bonus at the start and at the end of the run."""
    skip_smallest: float = 0.5
    """Share of the decisions, those with the smallest advantages, that only the value network learns from."""
    magnet: float = 0.0
    """Weight of the divergence from an earlier policy."""
    magnet_every: int = 40
    """Updates after which this earlier policy is replaced by the current one."""
    average_weights: float = 0.97
    """Weight of the past in the average that is saved, over about 1 / (1 - this) updates; 0 = the last weights."""
    reward: Literal["score", "points"] = "score"
    """Reward: 2 x share of opponents beaten - 1, or each reward of the game as tanh(reward / --reward-scale)."""
    reward_scale: float = 1.0
    """Typical reward of the game, for --reward points."""
    episode: Literal["game", "round"] = "game"
    """End of an episode: that of the game, or any reward other than zero, for games that reward every round."""
    opponents: tuple[str, ...] = ()
    """Agents of which one plays all seats but those of one team in a share of the games."""
    snapshots: int = 0
    """Number of earlier policies of the learner that are opponents, too."""
    snapshot_every: int = 1_000_000
    """Decisions between two of them."""
    opponent_share: float = 0.5
    """Share of the games with an opponent, if there are any; in the others the learner plays all seats."""
    exploit: str | None = None
    """Agent to exploit: it is the opponent in all games, and the one that is measured."""
    eval_every: int = 5_000_000
    """Decisions between two measurements; each also saves a checkpoint."""
    eval_deals: int = 200
    """Deals of a measurement during training."""
    threads: int = 1
    """Number of threads; with 2 the next games are played while learning, by the network before this update."""
    device: str = "cpu"
    """Device on which the networks learn; tables are always played on the CPU."""

    TOTAL = "total_decisions"
    COMMON = (*RunOptions.COMMON, "total_decisions", "seats", "policy", "entropy", "opponents", "exploit")

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy."""
        return NetworkSpec(self.policy, self.net_arch, self.activation)

    @property
    def games(self) -> list[Game]:
        """The game for each number of seats."""
        return [cli.game(self.game, seats) for seats in self.seats or (self.players,)]


class Network(nn.Module):
    """A policy, `actor`, and the value of a position for the seat to decide, `critic`."""

    scale: torch.Tensor  # what one unit of each compact observation is worth

    def __init__(self, spec: NetworkSpec, game: Game) -> None:
        super().__init__()
        self.over_features = spec.policy == "features"
        self.actor = build_actor(spec, game)
        widths = [features_of(game).TABLE if self.over_features else game.view.size, *spec.net_arch]
        layers = [(nn.Linear(*pair), nn.ReLU()) for pair in pairwise(widths)]
        self.critic = nn.Sequential(*(part for pair in layers for part in pair), nn.Linear(widths[-1], 1))
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
            return self._tensor(batch.table)
        return self._tensor(batch.views).float() * self.scale

    def values(self, batch: Batch) -> torch.Tensor:
        """Return the expected rewards of the seats to decide, (k,)."""
        return self.critic(self.inputs(batch))[:, 0]  # type: ignore[no-any-return]

    def log_probs(self, batch: Batch) -> torch.Tensor:
        """Return the log-probabilities of the legal actions, (k, most legal actions)."""
        counts, inputs = self._tensor(batch.counts), self.inputs(batch)
        rows = torch.repeat_interleave(counts)
        places = torch.arange(len(rows), device=rows.device) - (torch.cumsum(counts, 0) - counts)[rows]
        if self.over_features:
            ratings = self._rate(self._tensor(batch.features), inputs, rows)
        else:
            ratings = self.actor(inputs)[rows, self._tensor(batch.actions)]
        logits = ratings.new_full((len(counts), int(counts.max())), NOT_LEGAL)
        return torch.log_softmax(logits.index_put((rows, places), ratings), dim=1)

    def _rate(self, features: torch.Tensor, table: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """Return the ratings of actions at the tables `rows`. The first layer reads each table only once."""
        score: Any = self.actor[1].score
        first, width, linear = score[0], features.shape[1], nn.functional.linear
        of_tables = linear(table, first.weight[:, width:], first.bias)
        return score[1:](linear(features, first.weight[:, :width]) + of_tables[rows])[:, 0]  # type: ignore[no-any-return]

    def _tensor(self, array: Any) -> torch.Tensor:
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

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        torch.set_num_threads(1)  # the layers are too small for more; a second thread plays ahead
        torch.manual_seed(args.seed)
        games = args.games
        self.learner = Network(args.spec, games[0]).to(args.device)  # is fitted
        self.behaviour = copy.deepcopy(self.learner).to("cpu")  # plays the next games
        self.average = copy.deepcopy(self.behaviour)  # is saved and measured
        self.magnet = copy.deepcopy(self.learner)
        self.optimizer = Optimizer(self.learner.parameters(), args.learning_rate, max_norm=0.5)
        named = [args.exploit] if args.exploit else args.opponents
        self.named = [{number: load(spec, game) for number, spec in enumerate(named)} for game in games]
        if args.exploit:
            self.eval_opponents = [load(args.exploit, self.game)]
        self.snapshots: dict[int, Network] = {}  # by number, the oldest first
        self.drawable = list(self.named[0])  # numbers of the agents that the next games draw from
        counts = [len(part) for part in np.array_split(np.arange(args.tables), len(games))]
        rewards, share = (
            Rewards(args.reward, args.reward_scale, args.episode),
            1.0 if args.exploit else args.opponent_share,
        )
        self.tables = [
            Tables(game, count, rewards, share, self.learner.over_features, args.seed, group)
            for group, (game, count) in enumerate(zip(games, counts, strict=True))
        ]
        self.updates = 0
        self.ahead: Future[list[Trajectories]] | None = None  # the next games, which another thread plays
        self.states_ahead: list[dict[str, Any]] = []  # the tables before them
        self.seconds, self.learned = 0.0, 0  # seconds of updates in this process, and their decisions
        self.metrics: dict[str, float] = {}  # of the last update, for TensorBoard

    @staticmethod
    def check(args: Args) -> None:
        """Raise ValueError for options that are not allowed."""
        check_run(args)
        some, share, weight = (1, math.inf), (0, 1), (0, 10)
        cli.check_ranges(
            args, total_decisions=some, tables=TABLES, steps=(2, STEPS[1]), net_arch=UNITS, batch_size=some
        )
        cli.check_ranges(
            args, epochs=(1, 1000), learning_rate=(1e-9, 1), clip=(1e-6, 10), entropy=weight, magnet=weight
        )
        cli.check_ranges(
            args,
            gae_lambda=share,
            skip_smallest=(0, 0.99),
            magnet_every=some,
            average_weights=(0, 0.9999),
            opponent_share=share,
        )
        cli.check_ranges(args, reward_scale=(1e-6, 1e9), threads=(1, 2), snapshots=(0, 1000), snapshot_every=some)
        cli.check_ranges(args, eval_every=some, eval_deals=MEASURED_DEALS)
        if len(args.entropy) not in (1, 2):
            raise ValueError(f"entropy={args.entropy} is not allowed; allowed: one weight, or the first and the last")
        if args.exploit and (args.opponents or args.snapshots):
            raise ValueError(f"exploit={args.exploit!r} is not allowed with opponents or snapshots; allowed: only one")
        games = args.games
        if args.start:
            read_tensors(args.start, _card_of(args.start, args.spec), games[0])
        if cli.game(args.game, args.players).players not in [game.players for game in games]:
            raise ValueError(
                f"players={args.players} is not allowed with seats={args.seats}; allowed: one of the seats"
            )
        if args.tables < len(games):
            raise ValueError(
                f"tables={args.tables} is not allowed with seats={args.seats}; allowed: {len(games)} or more"
            )
        for game in games:
            args.spec.check(game)
            if len(game.teams) == 1 and (args.reward == "score" or args.exploit or args.opponents or args.snapshots):
                raise ValueError(f"{game.name} for one has no opponents; allowed: reward='points' without opponents")
            if args.policy == "mlp" and game.view.size != games[0].view.size:
                raise ValueError(f"seats={args.seats} is not allowed with policy='mlp'; allowed: one number of seats")

    # Training

    def train(self) -> bool:
        """Train to the end of the run. Return False after Ctrl-C."""
        args, total = self.args, self.args.total_decisions
        with (
            asked_to_stop() as stop,
            progress_bar("decisions", total, self.decisions) as advance,
            ThreadPoolExecutor(args.threads) as pool,
        ):
            while self.decisions < total:
                before, began = self.decisions, time.perf_counter()
                self.update(pool)
                self.seconds += time.perf_counter() - began
                self.learned += self.decisions - before
                for name, value in self.metrics.items():
                    self.log.add_scalar(f"train/{name}", value, self.decisions)
                word = f"{self.learned / self.seconds:,.0f}/s, largest KL {self.metrics.get('kl', 0):.3f}"
                advance(min(self.decisions, total), word)
                if due(args.eval_every, before, self.decisions) and self.decisions < total:
                    self.measure_now(args.eval_deals, args.seed)
                    self.save()
                if stop():
                    return False
        return True

    def update(self, pool: ThreadPoolExecutor) -> None:
        """Play at all tables and learn from the decisions.

        With two threads, the next games are played at the same time, by the network before this update.
        """
        args, decided = self.args, self.decisions
        played = self.ahead.result() if self.ahead else self._play(self._opponents(), self.updates)
        advantages = np.concatenate([part.advantages(args.gae_lambda) for part in played])
        complete = np.flatnonzero(~np.isnan(advantages))
        self.decisions += len(complete)
        pauses = self.decisions >= args.total_decisions or due(args.eval_every, decided, self.decisions)
        self.ahead = None
        if args.threads > 1:
            self._plan()
            if not pauses:  # a measurement would share the processor
                self.states_ahead = copy.deepcopy([tables.state() for tables in self.tables])
                self.ahead = pool.submit(self._play, self._opponents(), self.updates + 1)
        if len(complete):
            batch = join([batch for part in played for batch in part.batches])
            sample = join([moment.sample for part in played for moment in part.moments])
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

    def _opponents(self) -> list[dict[int, Agent]]:
        """Return the agents of each group of tables, by number."""
        spec = self.args.spec
        earlier = {number: Snapshot("snapshot", network.actor, spec) for number, network in self.snapshots.items()}
        return [{**named, **earlier} for named in self.named]

    def _play(self, opponents: Sequence[Mapping[int, Agent]], update: int) -> list[Trajectories]:
        """Play the games of an update. All random numbers follow from the seed, the update and the group of tables."""
        args, drawable = self.args, np.array(self.drawable, np.int64)
        return [
            tables.play(
                self.behaviour.draw, agents, drawable, args.steps, np.random.default_rng((args.seed, update, group))
            )
            for group, (tables, agents) in enumerate(zip(self.tables, opponents, strict=True))
        ]

    def fit(self, batch: Batch, sample: Sample, advantages: Floats, complete: Ints, progress: float) -> None:
        """Fit the networks to the `complete` decisions, in `epochs` passes, at this share of the run."""
        args, rng = self.args, np.random.default_rng((self.args.seed, self.updates, len(self.tables)))
        if args.magnet and self.updates % args.magnet_every == 0:
            self.magnet.load_state_dict(self.learner.state_dict())
        returns, size = advantages + sample.values, np.abs(advantages)
        large = size >= np.quantile(size[complete], args.skip_smallest)
        scaled = (advantages - advantages[complete].mean()) / (advantages[complete].std() + 1e-8)
        columns = [self._tensor(part) for part in (sample.places, sample.log_probs, scaled, returns)]
        steps = []
        for _ in range(args.epochs):
            for rows in np.array_split(rng.permutation(complete), -(-len(complete) // args.batch_size)):
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
        keep = min(args.average_weights, (self.updates + 1) / (self.updates + 10))  # less of the random first weights
        with torch.no_grad():
            for mean, now in zip(self.average.parameters(), self.learner.parameters(), strict=True):
                mean.lerp_(now.to(mean.device), 1 - keep)

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
        objective = objective + (args.entropy[0] + (args.entropy[-1] - args.entropy[0]) * progress) * entropy
        if args.magnet:
            with torch.no_grad():
                pull = self.magnet.log_probs(batch)
            objective = objective - args.magnet * (probs * (log_probs - pull).clamp(LEAST, -LEAST)).sum(1).mean()
        return objective, entropy.detach(), (ratio - 1 - moved).mean().detach()

    def _tensor(self, array: Any) -> torch.Tensor:
        return torch.from_numpy(array).to(self.args.device)

    # Measurements and files

    def measure_now(self, deals: int, seed: int) -> list[Result]:
        """Measure the averaged policy, and add the results to the history and to TensorBoard."""
        results = self.measure(TorchAgent("learner", self.average.actor, self.args.spec), deals, seed)
        self.record(results, **self.metrics)
        for result in results:
            self.log.add_scalar(f"score/{result.opponent}", result.score.mean, self.decisions)
        return results

    def finish(self) -> None:
        """Measure the policy on new deals, and report the results."""
        results = self.measure_now(self.args.final_deals, self.args.seed + 1)
        self.save()
        self.log.close()
        speed = round(self.learned / max(self.seconds, 1e-9))
        title = f"{self.args.folder.name} after {self.decisions:,} decisions"
        self.report(title, results, minutes=self.minutes, decisions_per_second=speed)
        print(f"{speed:,} decisions a second, {self.minutes:.1f} CPU minutes; all files are in {self.args.folder}")

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy."""
        return self.args.spec

    @property
    def trained_for(self) -> dict[str, Any]:
        """The numbers of seats at its tables, for the model card."""
        return {"seats": sorted(set(self.args.seats))} if self.args.seats else {}

    def tensors(self) -> Tensors:
        """Return the averaged weights of the policy."""
        return tensors_of(self.average.actor)

    def start(self, checkpoint: dict[str, Any] | None) -> None:
        """Open TensorBoard's log. Begin with the weights of `--start`, or continue where the checkpoint ended."""
        self.log = SummaryWriter(str(self.args.folder / "tensorboard"), purge_step=self.decisions or None)
        if checkpoint is None:
            if self.args.start:
                card = _card_of(self.args.start, self.args.spec)
                filled(self.learner.actor, read_tensors(self.args.start, card, self.game))
            for network in (self.behaviour, self.average, self.magnet):
                network.load_state_dict(self.learner.state_dict())
            return
        self.updates, self.drawable = checkpoint["updates"], checkpoint["drawable"]
        for name, weights in checkpoint["networks"].items():
            getattr(self, name).load_state_dict(weights)
        for number, weights in checkpoint["snapshots"]:
            self.snapshots[number] = copy.deepcopy(self.behaviour)
            self.snapshots[number].load_state_dict(weights)
        self.optimizer.restore(checkpoint["optimizer"])
        for group, saved in zip(self.tables, checkpoint["tables"], strict=True):
            group.restore(saved)

    def state(self) -> dict[str, Any]:
        """Return networks, optimiser, snapshots and tables."""
        networks = {name: getattr(self, name).state_dict() for name in NETWORKS}
        return {
            "updates": self.updates,
            "networks": networks,
            "snapshots": [[number, network.state_dict()] for number, network in self.snapshots.items()],
            "optimizer": self.optimizer.state(),
            "drawable": self.drawable,
            "tables": self.states_ahead if self.ahead else [tables.state() for tables in self.tables],
        }


def _card_of(file: Path, spec: NetworkSpec) -> ModelCard:
    """Return the card of a model file; raise ValueError unless it holds such a network."""
    card = read_card(file)
    for name, value in asdict(spec).items():
        if value != (there := getattr(card.spec, name)):
            raise ValueError(f"{name}={value!r} is not allowed with start={str(file)!r}; allowed: {there!r}, as there")
    return card


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    PPO.main(argv)
