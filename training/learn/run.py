"""A run of expert iteration: its iterations, their stages and their files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from agents import load
from tantra_envs import workers
from tantra_envs.files import open_folder
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.model_files import Tensors, read_card, read_tensors, write_model
from tantra_envs.opponents.network_spec import NetworkSpec

from .. import options
from ..evaluate import Result, evaluate, from_json, to_json
from ..options import RunOptions
from ..run import Run
from .fit import Fit
from .games import Games
from .label_files import Labels, read_all
from .labels import Method, make_labels
from .options import Args, check, in_iteration
from .values import train_values


@dataclass(frozen=True)
class Iteration:
    """One iteration of a run, counted from 1, with its files, its seed and its policies."""

    args: Args
    number: int

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return self.args.folder / f"iteration-{self.number}"

    @property
    def policy(self) -> Path:
        """The model file of the policy that the iteration fits."""
        return self.folder / "policy.safetensors"

    @property
    def labels(self) -> Path:
        """The folder of its labels."""
        return self.folder / "labels"

    @property
    def previous(self) -> Path | None:
        """The policy file of the iteration before, or None."""
        return Iteration(self.args, self.number - 1).policy if self.number > 1 else None

    @property
    def base(self) -> str:
        """The base policy of its playouts, which cannot be a policy over features."""
        return f"ppo:{self.previous}" if self.previous and self.args.policy == "mlp" else self.args.base

    @property
    def alike(self) -> list[Iteration]:
        """The iterations up to this one with an equal base policy, which share a value network, labels and a seed."""
        first = self.number if self.args.policy == "mlp" else 1
        return [Iteration(self.args, number) for number in range(first, self.number + 1)]

    @property
    def values(self) -> Path | None:
        """The model file of the value network, or None if playouts go to the end."""
        return self.alike[0].folder / "values.safetensors" if self.args.has_values else None

    @property
    def seed(self) -> int:
        """The seed of its games, which differs between iterations."""
        return self.args.seed + self.number - 1

    def games(self) -> Games:
        """Return the settings of its games."""
        args, newest = self.args, f"ppo:{self.previous}" if self.previous else None
        return Games(
            game=args.game,
            players=args.players,
            behaviour_policies=args.behaviour_policies or ((newest, "scripted") if newest else (args.base,)),
            base=self.base,
            epsilon=in_iteration(args.epsilon, self.number),
            share=in_iteration(args.share, self.number),
            seed=self.seed,
        )

    def method(self) -> Method:
        """Return the method of its labels."""
        args, values = self.args, self.values
        return Method(
            games=self.games(),
            determinizations=args.determinizations,
            candidates=args.candidates,
            playout_length=args.playout_length,
            values=str(values) if values else None,
            policy=args.policy,
        )


class Learn(Run[Args]):
    """A run of expert iteration."""

    PROGRAM = "training learn"
    OPTIONS: ClassVar[type[RunOptions]] = Args
    AGAIN = ("workers", "ray")

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        self.fit: Fit | None = None  # fit of the current iteration
        self.saved_fit: dict[str, Any] | None = None  # state of an interrupted fit

    @staticmethod
    def check(args: Args) -> None:
        """Raise ValueError for options that are not allowed."""
        check(args)

    def train(self) -> bool:
        """Run the remaining iterations. Return False after Ctrl-C."""
        for entry in self.history:
            self._print(entry)
        with workers.executor(self.args.workers, self.args.ray) as run:
            while len(self.history) < self.args.iterations:
                if not self._iterate(Iteration(self.args, len(self.history) + 1), run):
                    return False
                self._print(self.history[-1])
        return True

    def finish(self) -> None:
        """Report the measurements of the last iteration."""
        last = self.history[-1]
        title = f"{self.args.folder.name} after {last['iteration']} iterations"
        self.report(title, [from_json(result) for result in last["results"]])
        print(f"all files are in {self.args.folder}")

    def _iterate(self, iteration: Iteration, run: workers.Run) -> bool:
        """Do the stages of an iteration whose files are missing. Return False after Ctrl-C."""
        args, values = self.args, iteration.values
        open_folder(iteration.folder)
        if values and not values.exists():
            train_values(iteration.games(), args.value_deals, args.value_net, values, run)
        deals = in_iteration(args.deals, iteration.number)
        make_labels(iteration.method(), deals, args.shard, iteration.labels, run)
        labels = read_all([one.labels for one in iteration.alike], self.game)
        if not self._fit(iteration, labels):
            return False
        self._measure(iteration, values)
        self.save()
        return True

    def _fit(self, iteration: Iteration, labels: Labels) -> bool:
        """Fit the policy of the iteration, and write it. Return False after Ctrl-C."""
        start = iteration.previous if self.args.policy == "mlp" else None
        self.fit = Fit(self.args, self.game, labels, iteration.alike[0].seed, start)
        if self.saved_fit:
            self.fit.restore(self.saved_fit)
        self.decisions = len(labels)
        if not self.fit.run(self.save):
            return False
        facts: dict[str, Any] = {"settings": options.to_json(self.args), "decisions": len(labels)}
        write_model(iteration.policy, self.fit.tensors(), self.spec, self.game, **facts)
        return True

    def _measure(self, iteration: Iteration, values: Path | None) -> None:
        """Measure the policy of the iteration, also against the one before, and add it to the history."""
        agent = LearnedAgent(self.game, iteration.policy, self.args.folder.name)
        results = self.measure(agent, self.args.final_deals, iteration.alike[0].seed + 1)
        facts: dict[str, Any] = {"iteration": iteration.number, "labels": self.decisions, "results": to_json(results)}
        if self.args.workers > 1 or self.args.ray:
            facts["minutes"] = None  # the time of other processes is unknown
        facts["samples"] = read_card(values).decisions if values else 0
        facts["epochs"] = self.fit.epochs if self.fit else []
        if iteration.previous:
            before = load(f"ppo:{iteration.previous}", self.game)
            result = evaluate(self.game, agent, before, self.args.final_deals, self.args.seed + 1)
            facts["previous"] = to_json([result])[0]
        self.record(results, **facts)
        self.fit, self.saved_fit = None, None

    def _print(self, entry: dict[str, Any]) -> None:
        """Print a line for an iteration."""
        results = [from_json(result) for result in entry["results"]]
        scores = [f"{_interval(result)} against {result.opponent}" for result in results]
        if "previous" in entry:
            scores.append(f"{_interval(from_json(entry['previous']))} against the iteration before")
        print(f"iteration {entry['iteration']}: {entry['labels']:,} labelled positions; {'; '.join(scores)}")

    # State

    @property
    def spec(self) -> NetworkSpec:
        """The network that the options ask for."""
        return self.args.spec

    def tensors(self) -> Tensors | None:
        """Return the weights of the newest policy, or None before the first one."""
        if self.fit:
            return self.fit.tensors()
        file = Iteration(self.args, len(self.history)).policy
        return read_tensors(file, read_card(file), self.game) if self.history else None

    def start(self, checkpoint: dict[str, Any] | None) -> None:
        """Load the state of an interrupted fit."""
        self.saved_fit = checkpoint["fit"] if checkpoint else None

    def state(self) -> dict[str, Any]:
        """Return the fit of the current iteration."""
        return {"fit": self.fit.state() if self.fit else self.saved_fit}


def _interval(result: Result) -> str:
    return f"{result.score.mean:.3f} [{result.score.low:.3f}, {result.score.high:.3f}]"
