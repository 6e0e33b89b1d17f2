"""Learn from labels: a network that knows by itself what playing on finds out, and asks nobody when it plays.

    python -m training.labels karma --deals 20000 --workers 2 --name karma-labels
    python -m training.distil --game karma --labels runs/karma-labels --name karma-student
    python -m training.distil --resume runs/karma-student

It begins as the scripted player, cloned, or as the student of another run, and moves away from that only as far as the
values of the labels are clear: its objective is what its choice is worth more than the base player's, in units of
`spread`, less the KL divergence from what it was. Values are only summed there, never compared, so that the noise of a
few worlds averages out; --objective values learns what actions are worth more than one another and takes the best,
where labels agree so much that this is no chase after luck. A second head learns the values themselves.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tantra_envs import cli

with cli.user_errors("train"):
    import numpy as np
    import torch
    from torch import nn

    from agents import Agent, parse
    from agents.checkpoint import Checkpoint, read_card, read_tensors, write_model
    from agents.described_policy import DescribedActions, DescribedLogits
    from agents.network_spec import NetworkSpec, Observations, Policy
    from agents.networks import filled, tensors_of
    from tantra_envs.core.game import Game
    from tantra_envs.files import write_json
    from tantra_envs.matches.match import SIDE_BY_SIDE
    from tantra_envs.opponents.scripted import Scripted

    from .described_labels import Described, DescribedLabels, describe, describe_labels
    from .evaluate import Result, evaluate, report, show
    from .imitation import BehaviourCloning
    from .label_shards import Labels, read_all
    from .progress import asked_to_stop, progress_bar
    from .run_folder import add_command, new_folder, read_checkpoint, write_checkpoint
    from .schedules import linear_schedule

PROGRAM = "training.distil"
MODEL = "model.safetensors"
NEVER = -1e4  # the logit of an illegal action: infinities have no differences


@dataclass(kw_only=True)
class Args:
    """Learn from labels.

    Example: python -m training.distil --game karma --labels runs/karma-labels --name karma-student
    """

    game: str = "karma"
    """A game, or game:variant."""
    players: int | None = None
    """Seats at the table; None = as the game or variant has it."""
    labels: tuple[Path, ...] = ()
    """Folders of labels, as training.labels makes them."""
    name: str = "student"
    """The run's folder under `runs`."""
    runs: Path = Path("runs")
    """Where runs are kept."""
    resume: Path | None = None
    """Folder of a run to go on with under its own settings."""
    start: Path | None = None
    """A model file to begin from, a network of the same kind: turn by turn, labels of a better base player."""
    bc_decisions: int = 3_000_000
    """Behaviour cloning before the labels, not with `start` or of values: decisions of the scripted player."""
    epsilon: float = 0.1
    """Share of random moves in the games it is cloned from."""
    seed: int = 1
    """Of the network, and the order of the labels."""

    policy: Policy = "mlp"
    """mlp over the observation, or foresight: score every action by its features (Tantrix, Tantra, Kanastic)."""
    net_arch: tuple[int, ...] = (128, 64)
    """Hidden layers: relu, and small if they are to play on in playouts themselves; over described actions tanh."""
    transform: Literal["none", "symlog"] = "none"
    """Of the observation; symlog where it holds counts and points of tens and hundreds."""
    objective: Literal["gain", "values"] = "gain"
    """gain: maximise the advantage over the base player's action, less the KL divergence from the policy before;
    values: fit how much more an action is worth than the others."""
    spread: float = 0.01
    """By how much an action must be worth more to be e times as likely as before, in shares of the others beaten."""
    value_weight: float = 0.5
    """Weight of the second head's squared errors."""
    epochs: int = 9
    """How often all labels are gone through."""
    batch_size: int = 1024
    """Positions in one step of the optimiser."""
    learning_rate: float = 1e-3
    """At the start of cloning and of learning from labels; it falls in a straight line to a tenth."""
    held_out: float = 0.03
    """Share of the positions that are not learned, but tell how much is gained."""
    threads: int = 2
    """Of torch."""

    opponents: str = "uniform,greedy,scripted"
    """Whom the network is measured against at the end."""
    final_deals: int = 1000
    """Duplicate deals of that measurement."""


def check(args: Args) -> None:
    """ValueError for settings that no part below would refuse in clear words."""
    some = (1, math.inf)
    cli.check_ranges(args, net_arch=some, epochs=some, batch_size=some, threads=some, final_deals=some)
    cli.check_ranges(args, spread=(1e-6, math.inf), value_weight=(0, math.inf))
    cli.check_ranges(args, bc_decisions=(0, math.inf), epsilon=(0, 1))
    cli.check_ranges(args, learning_rate=(1e-9, 1), held_out=(1e-3, 0.5), seed=(0, (1 << 31) - 2))
    if args.objective == "gain" and not (args.bc_decisions or args.start):
        raise ValueError("bc_decisions=0 is not allowed with objective='gain' and no start; allowed: 1 or more")
    if not args.labels:
        raise ValueError("labels=() is not allowed; allowed: one folder of labels or more")


# The story


def main(argv: Sequence[str] | None = None) -> None:
    """Begin or take up a run, go through the labels, and measure what has been learned."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        run = resume(args.resume) if args.resume else begin(args)
        add_command(run.folder, cli.command(PROGRAM, argv))
    with cli.work(f"go on with --resume {run.folder}"):
        learn(run)
        judge(run)


def learn(run: Run) -> None:
    """From where the run is to its last epoch; KeyboardInterrupt, all saved, if Ctrl-C comes first."""
    epochs = run.args.epochs
    if run.args.bc_decisions and not run.args.start and run.args.objective != "values" and not run.history:
        clone(run)
        run.before.load_state_dict(run.student.state_dict())
    with asked_to_stop() as stop, progress_bar("epochs", epochs, len(run.history)) as advance:
        while len(run.history) < epochs:
            began = time.perf_counter()
            for rows in run.batches():
                step(run, loss(run, run.batch(rows)), len(run.history) / epochs)
            run.history.append({**held_out(run), "seconds": round(time.perf_counter() - began, 1)})
            save(run)
            advance(len(run.history), f"gain {run.history[-1]['gain']:+.4f}")
            if stop():
                raise KeyboardInterrupt


def clone(run: Run) -> None:
    """Behaviour cloning: every decision of the scripted player is shown once."""
    args, rng = run.args, np.random.default_rng((run.args.seed, 1))
    cloning = BehaviourCloning(Scripted(run.game), args.bc_decisions, SIDE_BY_SIDE, args.epsilon, False, args.seed)
    seen = 0
    with progress_bar("cloning", args.bc_decisions, 0) as advance:
        while seen < args.bc_decisions:
            shown = cloning.demonstrate(run.game, rng)
            open_to_choice = rng.permutation(np.flatnonzero(shown.masks.sum(axis=1) > 1))
            for rows in np.array_split(open_to_choice, -(-len(open_to_choice) // args.batch_size)):
                logits = run.student(run.inputs(shown.inputs[rows]))[0]
                logits = logits.masked_fill(torch.from_numpy(shown.masks[rows] == 0), -torch.inf)
                missed = nn.functional.cross_entropy(logits, torch.from_numpy(shown.actions[rows]))
                step(run, missed, seen / args.bc_decisions)
            seen += len(open_to_choice)
            advance(min(seen, args.bc_decisions), f"loss {float(missed.detach()):.3f}")


def loss(run: Run, batch: Batch) -> torch.Tensor:
    """Of both heads."""
    args = run.args
    logits, values = run.student(batch.inputs)
    if args.objective == "values":
        chosen = batch.off_values(logits)
    else:
        with torch.no_grad():
            before = run.before(batch.inputs)[0]
        chosen = batch.moved(logits, before) - batch.gained(logits) / args.spread
    return chosen + args.value_weight * batch.value_loss(values)


def step(run: Run, missed: Any, progress: float) -> None:
    """One step of the optimiser, after that share of its time."""
    for group in run.optimizer.param_groups:
        group["lr"] = linear_schedule(run.args.learning_rate, progress)
    run.optimizer.zero_grad()
    missed.backward()
    run.optimizer.step()


def held_out(run: Run) -> dict[str, float]:
    """What is not learned tells how much more the network's choice is worth than the base player's."""
    with torch.inference_mode():
        batch = run.batch(run.rows[1])
        missed = float(loss(run, batch))
        gains, chosen = batch.gains(run.student(batch.inputs)[0])
    error = float(gains.std() / math.sqrt(len(gains)))
    return {"loss": missed, "gain": float(gains.mean()), "error": error, "deviates": float((chosen > 0).float().mean())}


def judge(run: Run) -> list[Result]:
    """The measurement at the end: printed and kept."""
    args = run.args
    player = Checkpoint(run.game, run.folder / MODEL, args.name)
    results = [evaluate(run.game, player, other, args.final_deals, args.seed + 1) for other in run.opponents]
    facts = {"game": run.game.name, "config": run.game.config, "settings": plain(args), "history": run.history}
    write_json(run.folder / "results.json", {**facts, "labels": len(run.labels), **report(results)})
    show(f"{args.name} from {len(run.labels):,} labelled positions", results)
    print(f"everything is in {run.folder}")
    return results


# What is learned


class Student(nn.Module):
    """A network that chooses, and a second head over its last hidden layer for what every action is worth."""

    def __init__(self, actor: nn.Sequential) -> None:
        super().__init__()
        self.actor = actor
        last: Any = actor[2]
        self.values = nn.Linear(last.in_features, last.out_features)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of all actions, (k, actions) each."""
        hidden = self.actor[1](self.actor[0](inputs))
        return self.actor[2](hidden), self.values(hidden)


class DescribedStudent(nn.Module):
    """The same over described actions."""

    def __init__(self, actor: nn.Sequential, game: Game, policy: str, widths: Sequence[int]) -> None:
        super().__init__()
        self.actor = actor
        self.values = DescribedLogits(DescribedActions(game, policy), list(widths))

    def forward(self, inputs: Described) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of all actions, (k, actions) each."""
        chooser: Any = self.actor[1]
        return chooser.logits(*inputs), self.values.logits(*inputs)


@dataclass(frozen=True)
class Batch:
    """Some labels as tensors: inputs (k, size), legal (k, actions), actions and values (k, c), known (k, c)."""

    inputs: torch.Tensor | Described
    legal: torch.Tensor
    actions: torch.Tensor
    values: torch.Tensor
    known: torch.Tensor  # is there an action?

    def gained(self, logits: torch.Tensor) -> torch.Tensor:
        """How much more than the base player's action the network's are worth, as likely as they are."""
        better = (self.values - self.values[:, :1]).masked_fill(~self.known, 0)
        return (self._likely(logits).exp().gather(1, self.actions) * better).sum(1).mean()

    def moved(self, logits: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """The KL divergence from other logits."""
        likely = self._likely(logits)
        return (likely.exp() * (likely - self._likely(before))).sum(1).mean()

    def off_values(self, logits: torch.Tensor) -> torch.Tensor:
        """Mean squared error of the logits as values, all counted from their mean at every position."""
        off = (logits.gather(1, self.actions) - self.values).masked_fill(~self.known, 0)
        mean = off.sum(1, keepdim=True) / self.known.sum(1, keepdim=True)
        return (off - mean)[self.known].square().mean()

    def _likely(self, logits: torch.Tensor) -> torch.Tensor:
        """The logarithms of how likely actions are, a very low number for illegal ones."""
        return logits.masked_fill(~self.legal, NEVER).log_softmax(1)

    def value_loss(self, values: torch.Tensor) -> torch.Tensor:
        """Mean squared error of the values."""
        loss: torch.Tensor = (values.gather(1, self.actions) - self.values)[self.known].square().mean()
        return loss

    def gains(self, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """How much more than the base player's action the network's is worth, (k,), and which one it is."""
        logits = logits.gather(1, self.actions).masked_fill(~self.known, -torch.inf)
        chosen = logits.argmax(1, keepdim=True)
        return (self.values.gather(1, chosen) - self.values[:, :1]).squeeze(1), chosen.squeeze(1)


# A run


@dataclass
class Run:
    """Everything a run holds; `save` keeps it, `resume` brings it back."""

    args: Args
    game: Game
    labels: Labels
    rows: tuple[np.ndarray, np.ndarray]  # of the labels: learned, held out
    student: Student | DescribedStudent
    before: nn.Module  # the student as it was before it learned from labels
    optimizer: torch.optim.Optimizer
    opponents: list[Agent]
    described: DescribedLabels | None  # of a policy over described actions
    history: list[dict[str, float]] = field(default_factory=list)  # of every epoch

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.args.runs / self.args.name

    def batches(self) -> list[np.ndarray]:
        """The rows of an epoch's batches."""
        rows = np.random.default_rng((self.args.seed, len(self.history))).permutation(self.rows[0])
        return np.array_split(rows, -(-len(rows) // self.args.batch_size))

    def batch(self, rows: np.ndarray) -> Batch:
        """These labels as tensors."""
        labels = self.labels
        inputs = self.described[rows] if self.described else self.inputs(self.views(rows))
        actions = torch.from_numpy(labels.actions[rows].astype(np.int64))
        legal, values = torch.from_numpy(labels.masks[rows] == 1), torch.from_numpy(labels.values[rows])
        return Batch(inputs, legal, actions.clamp(min=0), values, actions >= 0)

    def views(self, rows: np.ndarray) -> Observations:
        """What seats saw."""
        return self.game.view.to_float(self.labels.observations[rows])

    def inputs(self, views: Observations) -> torch.Tensor | Described:
        """What the student is given of what seats see, (k, view.size)."""
        policy = self.args.policy
        return torch.from_numpy(views) if policy == "mlp" else describe(policy, self.game, views)


def begin(args: Args) -> Run:
    """A new run in a folder of its own; ValueError or OSError for settings that cannot be."""
    run = assemble(args)
    new_folder(run.folder)
    save(run)
    return run


def assemble(args: Args) -> Run:
    """Game, labels, network and opponents for the settings."""
    check(args)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    game = cli.game(args.game, args.players)
    opponents = parse(args.opponents, game)
    spec_of(args).check(game)
    actor = spec_of(args).actor(game)
    if args.start:
        filled(actor, read_tensors(args.start, read_card(args.start), game))
    student = Student(actor) if args.policy == "mlp" else DescribedStudent(actor, game, args.policy, args.net_arch)
    labels = read_all(args.labels, game)
    order = np.random.default_rng(args.seed).permutation(len(labels))
    rows = order[: (kept := math.ceil(args.held_out * len(labels)))], order[kept:]
    before, optimizer = copy.deepcopy(student), torch.optim.Adam(student.parameters())
    described = None if args.policy == "mlp" else describe_labels(args.policy, game, labels)
    return Run(args, game, labels, (rows[1], rows[0]), student, before, optimizer, opponents, described)


def spec_of(args: Args) -> NetworkSpec:
    """The network the settings ask for."""
    return NetworkSpec(args.policy, args.net_arch, "relu" if args.policy == "mlp" else "tanh", args.transform)


# Its files


def save(run: Run) -> None:
    """The model for players, and a checkpoint that holds all the rest."""
    known: dict[str, Any] = {"settings": plain(run.args), "decisions": len(run.labels)}
    write_model(run.folder / MODEL, tensors_of(run.student.actor), spec_of(run.args), run.game, **known)
    optimizer = run.optimizer.state_dict()
    moments = [optimizer["param_groups"], list(optimizer["state"]), list(optimizer["state"].values())]
    content = {**known, "history": run.history, "optimizer": moments}
    content |= {"student": run.student.state_dict(), "before": run.before.state_dict()}
    write_checkpoint(run.folder, content)


def resume(folder: Path) -> Run:
    """The run in a folder where its checkpoint left it; ValueError if there is none, or its labels have changed."""
    kept = read_checkpoint(folder)
    try:
        args = Args(**{name: _typed(name, value) for name, value in kept["settings"].items()})
    except TypeError as error:
        raise ValueError(f"{folder} holds a run of another version: {error}") from None
    run = assemble(replace(args, runs=folder.parent, name=folder.name, resume=None))
    if len(run.labels) != kept["decisions"]:
        raise ValueError(f"{folder} began with {kept['decisions']:,} labels; now there are {len(run.labels):,}")
    run.student.load_state_dict(kept["student"])
    run.before.load_state_dict(kept["before"])
    groups, numbers, moments = kept["optimizer"]
    run.optimizer.load_state_dict({"param_groups": groups, "state": dict(zip(numbers, moments, strict=True))})
    run.history = kept["history"]
    return run


def plain(args: Args) -> dict[str, Any]:
    """The settings as JSON takes them."""
    words = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()}
    return {**words, "labels": [str(folder) for folder in args.labels]}


def _typed(name: str, value: Any) -> Any:
    """A setting as `plain` found it."""
    if name == "labels":
        return tuple(Path(folder) for folder in value)
    if name in ("runs", "resume", "start"):
        return value and Path(value)
    return tuple(value) if isinstance(value, list) else value


if __name__ == "__main__":
    main()
