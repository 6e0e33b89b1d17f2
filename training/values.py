"""What positions are worth: a network learns it from how games end that go on from them.

    python -m training.values karma --workers 2 --name karma-values
    python -m training.labels karma --plies 8 --values runs/karma-values/model.safetensors --name karma-labels

Games are played by `visitors` with a share of random moves. From some of their positions the base player plays all
seats on to the end; every few actions it is kept what each seat saw, and in the end which share of the others it beat.
The network tells that share by what a seat sees. Where luck decides most, it is a far quieter judge of a position than
another playout to the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tantra_envs import cli, workers

with cli.user_errors("train"):
    import numpy as np
    import numpy.typing as npt
    import torch
    from torch import nn

    from agents.checkpoint import write_model
    from agents.network_spec import NetworkSpec
    from agents.networks import tensors_of
    from agents.values import views
    from tantra_envs.core.compiled.scoring import score_rows
    from tantra_envs.core.game import Game
    from tantra_envs.core.playouts import Playouts
    from tantra_envs.files import open_folder, write_json

    from .positions import OWN_DEALS, Games, visited
    from .progress import progress_bar
    from .run_folder import add_command
    from .schedules import linear_schedule

PROGRAM = "training.values"
MODEL = "model.safetensors"
DEALS_OF_A_JOB = 200
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Method(Games):
    """How it is found out, in words."""

    step: int


@dataclass(frozen=True, kw_only=True)
class Args:
    """Learn what positions are worth.

    Example: python -m training.values karma --workers 2 --name karma-values
    """

    game: str = field(default="karma", kw_only=False)
    """A game, or game:variant."""
    players: int | None = None
    """Seats at a table; None = as the game or variant has it."""
    visitors: str = "scripted"
    """Agents that play the games whose positions are played on from; who sits where is drawn for every game."""
    base: str = "scripted"
    """Who plays on: scripted, learned:NAME or ppo:FILE, a network without advice."""
    epsilon: float = 0.1
    """Share of random moves in those games."""
    share: float = 0.15
    """Share of the decisions that are played on from."""
    step: int = 12
    """Actions from one look at the seats to the next."""
    deals: int = 12_000
    """Games to play."""
    seed: int = 1
    """Decides the deals, all chance, and the network."""
    workers: int = 1
    """Processes that play; what is learned is the same for any number."""
    ray: bool = False
    """Let the workers run on Ray: the one at RAY_ADDRESS, or one begun here."""

    net_arch: tuple[int, ...] = (128, 64)
    """Hidden layers, all relu."""
    epochs: int = 2
    """How often everything is gone through."""
    batch_size: int = 1024
    """Looks in one step of the optimiser."""
    learning_rate: float = 2e-3
    """At the start; it falls in a straight line to a tenth."""
    held_out: float = 0.03
    """Share of the looks that are not learned, but tell how well it knows."""
    threads: int = 2
    """Of torch."""

    name: str = "values"
    """The run's folder under `runs`."""
    runs: Path = Path("runs")
    """Where runs are kept."""


@dataclass(frozen=True)
class Job:
    """The deals `first` .. `first + deals - 1`."""

    method: Method
    first: int
    deals: int


@dataclass(frozen=True)
class Looks:
    """What n seats saw, and what came of it."""

    observations: npt.NDArray[Any]  # (n, view.size), whole numbers as kernels write them
    shares: npt.NDArray[np.float32]  # (n,) of the other teams, beaten

    def __len__(self) -> int:
        return len(self.shares)


def main(argv: Sequence[str] | None = None) -> None:
    """Play, learn, and keep the network."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        game = prepare(args)
        executor = workers.executor(args.workers, args.ray)
        add_command(args.runs / args.name, cli.command(PROGRAM, argv))
    with cli.work(), executor as run:
        learn(args, game, run)


def prepare(args: Args) -> Game:
    """The game with the base player; ValueError or OSError for what cannot be played, learned or kept."""
    some = (1, math.inf)
    cli.check_ranges(args, step=some, deals=(1, OWN_DEALS), epochs=some, batch_size=some, threads=some, net_arch=some)
    cli.check_ranges(args, epsilon=(0, 1), share=(1e-6, 1), seed=(0, (1 << 31) - 1), held_out=(1e-3, 0.5))
    cli.check_ranges(args, learning_rate=(1e-9, 1))
    game, _ = method_of(args).made()
    if len(game.teams) == 1:
        raise ValueError(f"{game.name}: values are shares of the others beaten; allowed: games of two teams or more")
    if model(args).exists():
        raise ValueError(f"{model(args)} is there already; choose another --name")
    open_folder(args.runs / args.name)
    return game


def learn(args: Args, game: Game, run: workers.Run) -> dict[str, float]:
    """Gather, learn, and write the network: how well it knows what was held out."""
    looks = gathered(args, run)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    spec = NetworkSpec("mlp", args.net_arch, "relu", output="value")
    network = spec.actor(game)
    order = np.random.default_rng(args.seed).permutation(len(looks))
    unseen, rows = order[: (kept := math.ceil(args.held_out * len(looks)))], order[kept:]
    fit(args, game, network, looks, rows)
    known = explained(game, network, looks, unseen)
    settings = {**asdict(args), "runs": str(args.runs)}
    write_model(model(args), tensors_of(network), spec, game, settings=settings, decisions=len(looks))
    write_json(args.runs / args.name / "results.json", {"looks": len(looks), **known})
    print(f"{len(looks):,} looks: {known['explained']:.1%} of what comes of them is known beforehand")
    return known


def gathered(args: Args, run: workers.Run) -> Looks:
    """What the seats saw in all the games, in the order of the deals."""
    method, size = method_of(args), DEALS_OF_A_JOB
    jobs = [Job(method, first, min(size, args.deals - first)) for first in range(0, args.deals, size)]
    parts: dict[int, Looks] = {}
    with progress_bar("games", args.deals, 0) as advance:
        for job, looks in run(look_on, jobs):
            parts[job.first] = looks
            advance(sum(jobs[first // size].deals for first in parts), "")
    return joined([looks for _, looks in sorted(parts.items())])


def look_on(job: Job) -> Looks:
    """What the seats saw in the games of a job."""
    rng = np.random.default_rng((job.method.seed, job.first))
    game, visitors = job.method.made()
    states = visited(job.method, game, visitors, job.first, job.deals, rng)
    playouts, rewards = Playouts(game), np.zeros((len(states), game.players))
    live, seen = np.arange(len(states)), []
    while len(live):
        part = states[live]
        seen += [(live, seat, views(game, part, np.full(len(live), seat))) for seat in range(game.players)]
        rewards[live] += playouts.run(part, plies=job.method.step)
        states[live] = part
        live = live[part["over"] == 0]
    shares = _shares(game, rewards)
    return joined([Looks(view, shares[rows, seat]) for rows, seat, view in seen])


def joined(parts: Sequence[Looks]) -> Looks:
    """All of them, one after the other."""
    return Looks(np.concatenate([part.observations for part in parts]), np.concatenate([part.shares for part in parts]))


def fit(args: Args, game: Game, network: nn.Module, looks: Looks, rows: Rows) -> None:
    """Go through these rows, epoch by epoch."""
    optimizer = torch.optim.Adam(network.parameters())
    rng, parts = np.random.default_rng((args.seed, 2)), -(-len(rows) // args.batch_size)
    batches = [batch for _ in range(args.epochs) for batch in np.array_split(rng.permutation(rows), parts)]
    with progress_bar("values", len(batches), 0) as advance:
        for done, batch in enumerate(batches):
            for group in optimizer.param_groups:
                group["lr"] = linear_schedule(args.learning_rate, done / len(batches))
            missed: Any = nn.functional.binary_cross_entropy_with_logits(*_told(game, network, looks, batch))
            optimizer.zero_grad()
            missed.backward()
            optimizer.step()
            advance(done + 1, "")


def explained(game: Game, network: nn.Module, looks: Looks, rows: Rows) -> dict[str, float]:
    """How well it knows: the cross entropy, and which part of the variance is explained."""
    with torch.inference_mode():
        logits, shares = _told(game, network, looks, rows)
        loss = float(nn.functional.binary_cross_entropy_with_logits(logits, shares))
        missed = (logits.sigmoid() - shares).square().mean() / shares.var(correction=0).clamp(min=1e-9)
    return {"loss": loss, "explained": 1 - float(missed)}


def model(args: Args) -> Path:
    """The file of the network."""
    return args.runs / args.name / MODEL


def method_of(args: Args) -> Method:
    """What jobs are told of the settings."""
    return Method(**{name: getattr(args, name) for name in Method.__dataclass_fields__})


def _told(game: Game, network: nn.Module, looks: Looks, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
    """What the network says, and what came of it."""
    inputs = torch.from_numpy(looks.observations[rows].astype(np.float32) / game.view.scale)
    return network(inputs)[:, 0], torch.from_numpy(looks.shares[rows])


def _shares(game: Game, rewards: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """The share of the other teams that each seat's team beat, (n, players)."""
    scores = np.empty((len(rewards), len(game.teams)))
    score_rows(rewards, np.zeros_like(rewards), np.array(game.speakers), scores)
    halves = 2 * (len(game.teams) - 1)
    return (np.rint(scores * halves) / halves)[:, np.array(game.team_numbers)].astype(np.float32)


if __name__ == "__main__":
    main()
