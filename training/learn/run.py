"""A run of `training learn`: it alternates between learning and measuring, and can be stopped and continued."""

from __future__ import annotations

from typing import Any, ClassVar

from tantra_envs import workers
from tantra_envs.opponents.model_files import Tensors
from tantra_envs.opponents.network_spec import NetworkSpec

from ..evaluate import from_json, to_json
from ..options import RunOptions
from ..run import Run
from .algorithm import Algorithm
from .expert_iteration import ExpertIteration
from .options import Args, check
from .q_learning import QLearning

ALGORITHMS: dict[str, type[Algorithm]] = {"expert-iteration": ExpertIteration, "q-learning": QLearning}


class Learn(Run[Args]):
    """A run of `training learn`."""

    PROGRAM = "training learn"
    OPTIONS: ClassVar[type[RunOptions]] = Args
    AGAIN = ("workers", "ray")

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        self.algorithm = ALGORITHMS[args.algorithm](args, self.game, self.save)

    @staticmethod
    def check(args: Args) -> None:
        """Raise ValueError for options that are not allowed."""
        check(args)

    def train(self) -> bool:
        """Run the remaining iterations. Return False after Ctrl-C."""
        args, algorithm = self.args, self.algorithm
        for entry in self.history:
            _print(entry)
        with workers.executor(args.workers, args.ray) as run:
            while algorithm.iteration < args.iterations:
                measured = args.eval_every * (algorithm.iteration // args.eval_every + 1)
                if not algorithm.advance(min(measured, args.iterations), run):
                    return False
                if algorithm.iteration < args.iterations:
                    self._measure(args.eval_deals, args.seed)
                self.save()
        return True

    def finish(self) -> None:
        """Measure the policy on new deals, unless that was done before, and report the results."""
        if not self.history or self.history[-1]["iteration"] < self.algorithm.iteration:
            self._measure(self.args.final_deals, self.args.seed + 1)
            self.save()
        last = self.history[-1]
        title = f"{self.args.folder.name} after {last['iteration']} iterations"
        self.report(title, [from_json(result) for result in last["results"]])
        print(f"all files are in {self.args.folder}")

    def save(self) -> None:
        """Write the model if there is one, the curve and the checkpoint."""
        self.decisions = self.algorithm.decisions
        super().save()

    def _measure(self, deals: int, seed: int) -> None:
        """Measure the newest policy, add the results to the history, and print them."""
        self.decisions = self.algorithm.decisions
        results = self.measure(self.algorithm.agent(), deals, seed)
        facts = {"iteration": self.algorithm.iteration, "results": to_json(results), **self.algorithm.facts(deals)}
        if self.args.workers > 1 or self.args.ray:
            facts["minutes"] = None  # the time of other processes is unknown
        self.record(results, **facts)
        _print(self.history[-1])

    # State

    @property
    def spec(self) -> NetworkSpec:
        """The network that the options select."""
        return self.args.spec

    @property
    def trained_for(self) -> dict[str, Any]:
        """Facts for the model card about the training games."""
        return self.algorithm.trained_for

    def tensors(self) -> Tensors | None:
        """Return the weights of the newest policy, or None before the first one."""
        return self.algorithm.tensors()

    def start(self, checkpoint: dict[str, Any] | None) -> None:
        """Continue from a checkpoint, if there is one."""
        if checkpoint is not None:
            self.algorithm.restore(checkpoint["algorithm"])
            self.algorithm.decisions = self.decisions

    def state(self) -> dict[str, Any]:
        """Return the state of the algorithm."""
        return {"algorithm": self.algorithm.state()}


def _print(entry: dict[str, Any]) -> None:
    """Print a line for a measurement."""
    scores = [f"{result.score} against {result.opponent}" for result in map(from_json, entry["results"])]
    if "previous" in entry:
        scores.append(f"{from_json(entry['previous']).score} against the iteration before")
    print(f"iteration {entry['iteration']}: {entry['decisions']:,} decisions; {'; '.join(scores)}")
