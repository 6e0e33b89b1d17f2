"""What to expect of a run on many cores, worked out from what its parts take on this machine: a table for the page.

    python -m training.scale.forecast --config configs/scale/karma.toml --cores 16 128 1024

Measured, in processor time of one core: a step at the tables of an env runner, packing and unpacking what it hands in,
learning from it. The rest is arithmetic: an update is played by all runners at once, then handed over to the learners
through the process in charge, one runner after the other, then learned from, then the new weights go out.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tantra_envs import cli
from tantra_envs.adapters import check_versions

with cli.user_errors("train,rllib", "constraints/rllib.txt"):
    check_versions("rllib")
    from . import cluster

    cluster.quiet()
    import torch
    from ray import cloudpickle
    from ray.rllib.core import DEFAULT_MODULE_ID

    from tantra_envs.core.game import Game

    from .algorithm import config_for
    from .settings import Args, check
    from .table_runner import TableRunner

PROGRAM = "training.scale.forecast"
FEW = 4  # tables at which a step is measured beside the usual number: a step costs so much, and so much for each table
CALLS = 3  # of a runner for every update: play, what was counted, new weights
HEAD = ("cores", "learners", "tables a runner", "decisions an update", "play", "hand over", "learn", "weights")


@dataclass(kw_only=True)
class Wanted(Args):
    """Forecast a run on many cores from what its parts take here.

    Example: python -m training.scale.forecast --config configs/scale/karma.toml --cores 16 128 1024
    """

    cores: tuple[int, ...] = (16, 128, 1024)
    """Of the cluster, all machines together."""
    most: int = 262_144
    """Decisions of an update at most: where more runners would make more of them, each has fewer tables."""
    gigabits: float = 10.0
    """A second that the network moves into, and out of, the machine in charge; assumed."""
    call: float = 0.0005
    """Seconds of the process in charge that calling another one takes; assumed."""
    seconds: float = 5.0
    """To measure each part."""


@dataclass(frozen=True)
class Parts:
    """Seconds of a core, and bytes."""

    step: float  # of a step at all tables of a runner
    table: float  # more for each table
    pack: float  # of a decision
    unpack: float  # of a decision
    size: float  # of a decision, bytes
    learn: float  # of a decision, all epochs
    weights: int  # of the network that env runners get, bytes
    network: int  # of what learners agree on, bytes


@dataclass(frozen=True)
class Update:
    """One update of PPO on a cluster: seconds of its parts, which follow one another."""

    cores: int
    learners: int
    tables: int
    decisions: int
    play: float
    hand_over: float
    learn: float
    weights: float

    @property
    def speed(self) -> float:
        """Decisions a second."""
        return self.decisions / (self.play + self.hand_over + self.learn + self.weights)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, work out, print."""
    with cli.user_errors("train,rllib", "constraints/rllib.txt"):
        args = cli.read(Wanted, PROGRAM, argv)
        check(args)
        cli.check_ranges(args, cores=(2, math.inf), most=(1, math.inf), gigabits=(1e-3, math.inf))
        cli.check_ranges(args, call=(0, math.inf), seconds=(0.01, math.inf))
        game = cli.game(args.game, args.players)
    with cli.work():
        torch.set_num_threads(1)
        parts = measured(args, game)
        print("\n".join([*_told(parts), "", *_table(best(args, parts, cores) for cores in args.cores)]))


def measured(args: Wanted, game: Game) -> Parts:
    """What the parts take on this machine."""
    few, many = (_runner(args, game, tables) for tables in (FEW, max(args.num_envs, 2 * FEW)))
    steps = [_seconds(runner.sample, args.seconds) / args.n_steps for runner in (few, many)]
    table = (steps[1] - steps[0]) / (many.num_envs - FEW)
    episodes = many.sample()
    decisions, packed = many.num_envs * args.n_steps, cloudpickle.dumps(episodes, protocol=5)
    learner = many.config.build_learner(spaces={DEFAULT_MODULE_ID: many.get_spaces()[DEFAULT_MODULE_ID]})
    return Parts(
        step=max(steps[0] - FEW * table, 0.0),
        table=table,
        pack=_seconds(lambda: cloudpickle.dumps(episodes, protocol=5), args.seconds) / decisions,
        unpack=_seconds(lambda: cloudpickle.loads(packed), args.seconds) / decisions,
        size=len(packed) / decisions,
        learn=_learning(learner, packed, args) / decisions,
        weights=_bytes(many.module),
        network=_bytes(learner.module[DEFAULT_MODULE_ID]),
    )


def best(args: Wanted, parts: Parts, cores: int) -> Update:
    """The fastest division of the cores into learners and runners."""
    choices = [1 << power for power in range(cores.bit_length()) if (1 << power) < cores - 1]
    return max((update(args, parts, cores, learners) for learners in choices or [1]), key=lambda one: one.speed)


def update(args: Wanted, parts: Parts, cores: int, learners: int) -> Update:
    """What one update takes; a single learner is the process in charge itself."""
    runners = cores - learners - (learners > 1)
    tables = max(1, min(args.num_envs, args.most // (args.n_steps * runners)))
    decisions = tables * args.n_steps * runners
    wire = 8 / (args.gigabits * 1e9)  # seconds for a byte
    play = args.n_steps * (parts.step + parts.table * tables) + parts.pack * tables * args.n_steps
    received = decisions * (parts.unpack + parts.size * wire) + CALLS * runners * args.call
    passed_on = decisions * (parts.pack + parts.size * wire + parts.unpack / learners) if learners > 1 else 0.0
    steps = args.n_epochs * math.ceil(decisions / args.batch_size)
    agreed = steps * 2 * (parts.network * wire + args.call) if learners > 1 else 0.0
    learn = decisions * parts.learn / learners + agreed
    weights = runners * parts.weights * wire
    return Update(cores, learners, tables, decisions, play, received + passed_on, learn, weights)


def _runner(args: Wanted, game: Game, tables: int) -> TableRunner:
    """An env runner in this process, with a snapshot to play against."""
    one = TableRunner(config=config_for(replace(args, num_envs=tables), game), worker_index=None)
    weights = {name.removeprefix("actor."): array for name, array in one.module.get_state().items()}
    one.set_snapshots([weights])
    one.sample()
    return one


def _learning(learner: Any, packed: bytes, args: Wanted) -> float:
    """Seconds of an update from what a runner handed in."""

    def learn() -> None:
        learner.update(
            episodes=cloudpickle.loads(packed),  # learners change them
            timesteps={"num_env_steps_sampled_lifetime": 0},
            num_epochs=args.n_epochs,
            minibatch_size=args.batch_size,
            shuffle_batch_per_epoch=True,
        )

    learn()
    return _seconds(learn, args.seconds) - _seconds(lambda: cloudpickle.loads(packed), args.seconds)


def _bytes(module: Any) -> int:
    """Of the weights of a network."""
    return sum(array.nbytes for array in module.get_state().values())


def _seconds(work: Callable[[], Any], at_least: float) -> float:
    """Of processor time, the mean of as many times as take so long."""
    begun, times = time.process_time(), 0
    while time.process_time() - begun < at_least:
        work()
        times += 1
    return (time.process_time() - begun) / times


def _told(parts: Parts) -> Iterator[str]:
    """What was measured, in words."""
    micro = 1e6
    yield f"step of a runner: {parts.step * micro:.0f} us, and {parts.table * micro:.1f} us for each of its tables"
    yield f"a decision: packed in {parts.pack * micro:.2f} us to {parts.size:,.0f} bytes, unpacked in " + (
        f"{parts.unpack * micro:.2f} us, learned from in {parts.learn * micro:.1f} us"
    )
    yield f"weights: {parts.weights:,} bytes for a runner, {parts.network:,} for learners to agree on"


def _table(updates: Iterator[Update]) -> Iterator[str]:
    """In Markdown, seconds of the parts of an update and decisions a second."""
    yield f"| {' | '.join(HEAD)} | decisions a second |"
    yield "|" + "---:|" * (len(HEAD) + 1)
    for one in updates:
        whole = (one.cores, one.learners, one.tables, one.decisions)
        parts = (one.play, one.hand_over, one.learn, one.weights)
        told = [f"{number:,}" for number in whole] + [f"{seconds:.2f} s" for seconds in parts]
        yield f"| {' | '.join(told)} | {one.speed:,.0f} |"


if __name__ == "__main__":
    main()
