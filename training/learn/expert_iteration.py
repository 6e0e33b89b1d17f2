"""Expert iteration: play games, compare actions by playouts, fit a policy, and repeat with this policy.

An iteration has four stages, each in a separate file:

- games.py: the learner and its opponents play games with a share of random actions. Some of their positions are used.
- values.py: a value network learns the final scores of games that the base policy plays on. Playouts may stop early
  and use its prediction.
- labels.py: at every position, all actions or the best few are compared in equal determinizations (arXiv 2407.05876).
- fit.py: a policy is fit to these action-value targets, which are called labels.

The policy becomes the base policy of the next iteration. It is compiled into the playouts, and the next policy starts
from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents import load
from tantra_envs import cli, workers
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.model_files import Tensors, read_card, read_tensors, write_model

from .. import options
from ..evaluate import evaluate, to_json
from .algorithm import Algorithm
from .fit import Fit
from .games import Games
from .label_files import Labels, read_all
from .labels import Method, make_labels
from .options import Args, in_iteration
from .values import train_values

FEWEST_LABELS = 2  # one to learn from, and one held out


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
        """The base policy of its playouts."""
        return f"ppo:{self.previous}" if self.previous else self.args.base

    @property
    def values(self) -> Path | None:
        """The model file of the value network, or None if playouts go to the end."""
        return self.folder / "values.safetensors" if self.args.has_values else None

    @property
    def seed(self) -> int:
        """The seed of its games and of its fit, which differs between iterations."""
        return self.args.seed + self.number - 1

    def games(self) -> Games:
        """Return the settings of its games."""
        args = self.args
        return Games(
            game=args.game,
            players=args.players,
            behaviour_policies=tuple(dict.fromkeys([self.base, *args.opponents])),
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


class ExpertIteration(Algorithm):
    """A learner by expert iteration."""

    def __init__(self, args: Args, game: Game, save: Callable[[], None]) -> None:
        super().__init__(args, game, save)
        self.fit: Fit | None = None  # fit of the current iteration
        self.saved_fit: dict[str, Any] | None = None  # state of an interrupted fit
        self.epochs: list[dict[str, float]] = []  # measurements of the newest finished fit

    def advance(self, target: int, run: workers.Run) -> bool:
        """Run iterations until `target` of them are finished. Return False after Ctrl-C."""
        while self.iteration < target:
            if not self._iterate(Iteration(self.args, self.iteration + 1), run):
                return False
        return True

    def _iterate(self, iteration: Iteration, run: workers.Run) -> bool:
        """Do the stages of an iteration whose files are missing. Return False after Ctrl-C."""
        args, values = self.args, iteration.values
        open_folder(iteration.folder)
        if values and not values.exists():
            train_values(iteration.games(), args.value_deals, args.value_net, values, run)
        deals = in_iteration(args.deals, iteration.number)
        make_labels(iteration.method(), deals, args.shard, iteration.labels, run)
        labels = read_all([iteration.labels], self.game)
        if len(labels) < FEWEST_LABELS:
            share = in_iteration(args.share, iteration.number)
            why = f"{deals} games with share={share} have {len(labels)} labelled positions"
            raise cli.UserError(f"iteration {iteration.number}: {why}; needed: {FEWEST_LABELS}, from more deals")
        return self._fit(iteration, labels)

    def _fit(self, iteration: Iteration, labels: Labels) -> bool:
        """Fit the policy of the iteration, and write it. Return False after Ctrl-C."""
        self.fit = Fit(self.args, self.game, labels, iteration.seed, iteration.previous)
        if self.saved_fit:
            self.fit.restore(self.saved_fit)
        self.decisions = len(labels)
        if not self.fit.run(self.save):
            return False
        facts: dict[str, Any] = {"settings": options.to_json(self.args), "decisions": len(labels)}
        write_model(iteration.policy, self.fit.tensors(), self.args.spec, self.game, **facts)
        self.iteration, self.epochs = iteration.number, self.fit.epochs
        self.fit = self.saved_fit = None
        return True

    # State

    @property
    def newest(self) -> Iteration:
        """The newest finished iteration."""
        return Iteration(self.args, self.iteration)

    def agent(self) -> LearnedAgent:
        """Return the agent that plays the policy of the newest iteration."""
        return LearnedAgent(self.game, self.newest.policy, self.args.folder.name)

    def facts(self, deals: int) -> dict[str, Any]:
        """Return the sizes of the data, the course of the fit, and the result against the policy before."""
        facts: dict[str, Any] = {"labels": self.decisions, "epochs": self.epochs}
        facts["samples"] = read_card(self.newest.values).decisions if self.newest.values else 0
        if self.newest.previous:
            before = load(f"ppo:{self.newest.previous}", self.game)
            facts["previous"] = to_json([evaluate(self.game, self.agent(), before, deals, self.args.seed + 1)])[0]
        return facts

    def tensors(self) -> Tensors | None:
        """Return the weights of the newest policy, or None before the first one."""
        if self.fit:
            return self.fit.tensors()
        file = self.newest.policy
        return read_tensors(file, read_card(file), self.game) if self.iteration else None

    def state(self) -> dict[str, Any]:
        """Return the number of finished iterations, and the state of an interrupted fit."""
        return {"iteration": self.iteration, "fit": self.fit.state() if self.fit else self.saved_fit}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned. Raise ValueError if a model file of the run is damaged."""
        self.iteration, self.saved_fit = state["iteration"], state["fit"]
        following = Iteration(self.args, self.iteration + 1)
        files = [following.previous] if following.previous else []
        files += [following.values] if following.values and following.values.exists() else []
        for file in files:
            read_tensors(file, read_card(file), self.game)
