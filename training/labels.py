"""Labels to learn from: what every action is worth at positions that players get into, found out by playing on.

    python -m training.labels karma --deals 20000 --workers 2 --name karma-labels
    python -m training.labels karma --base ppo:runs/karma-1/model.safetensors --name karma-labels-2
    python -m training.labels karma --plies 8 --values runs/karma-values/model.safetensors --name karma-short

Games are played by `visitors` with a share of random moves. At some of their positions what the seat cannot know is
drawn again for a few worlds, each action is tried in all of them, and the base player plays all seats on, from what
each sees: to the end, or with `values` for a short while, after which a network tells what the seat's prospects are
(training.values). That takes less time and, where luck decides most, far fewer positions. A few worlds at very many
positions teach more than many worlds at few (Bertram, Fuernkranz and Mueller, arXiv 2407.05876). A file of labels
depends on its deals and on nothing else: any number of workers makes the same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from tantra_envs import cli, workers

with cli.user_errors("train"):
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from agents import origin
    from agents.values import Values
    from tantra_envs.core.game import Game
    from tantra_envs.core.observation import Observation
    from tantra_envs.core.state import States
    from tantra_envs.files import open_folder
    from tantra_envs.opponents.search import Search

    from .label_shards import Labels, Origin, is_sound, joined, origin_of, write
    from .positions import OWN_DEALS, Games, visited

PROGRAM = "training.labels"
SIDE_BY_SIDE = 1 << 22  # bytes of tables that are played on together: what stays near the processor
USUAL_CHOICE = 8  # actions, where all legal ones are compared


@dataclass(frozen=True)
class Method(Games):
    """How labels are made, in words."""

    worlds: int
    candidates: int
    plies: int
    values: str | None

    def search(self, game: Game) -> Search:
        """What compares the actions."""
        most = self.candidates or game.actions.size
        tries = f"worlds={self.worlds},candidates={most},horizon=0,plies={self.plies}"
        return Search(game, f"{tries},belief=even", self.judge(game))  # positions have no past

    def judge(self, game: Game) -> Values | None:
        """What tells prospects where playouts stop; ValueError if it is no such network, or does not fit the game."""
        return Values(game, self.values) if self.values else None


@dataclass(frozen=True)
class Args:
    """Find out what every action is worth at many positions.

    Example: python -m training.labels karma --deals 20000 --workers 2 --name karma-labels
    """

    game: str = "karma"
    """A game, or game:variant."""
    players: int | None = field(default=None, kw_only=True)
    """Seats at a table; None = as the game or variant has it."""
    visitors: str = field(default="scripted", kw_only=True)
    """Agents that play the games whose positions are labelled; who sits where is drawn for every game."""
    base: str = field(default="scripted", kw_only=True)
    """Who plays on after the action that is tried: scripted, learned:NAME or ppo:FILE, a network without advice."""
    epsilon: float = field(default=0.1, kw_only=True)
    """Share of random moves in those games: a learner also gets where no sensible player would."""
    share: float = field(default=0.25, kw_only=True)
    """Share of the decisions that are labelled."""
    worlds: int = field(default=8, kw_only=True)
    """Worlds in which the actions of a position are compared."""
    candidates: int = field(default=0, kw_only=True)
    """Actions that are compared, the best by the base player's own values; 0 = all legal ones."""
    plies: int = field(default=0, kw_only=True)
    """Where playouts stop, in actions; 0 = at the end."""
    values: str | None = field(default=None, kw_only=True)
    """A network of training.values that tells prospects there; None = how the seats stand."""
    deals: int = field(default=20_000, kw_only=True)
    """Games to play; more of them later keep what is there."""
    shard: int = field(default=100, kw_only=True)
    """Games of a file; part of the method: another number draws other random numbers."""
    seed: int = field(default=1, kw_only=True)
    """Decides the deals and all chance."""
    workers: int = field(default=1, kw_only=True)
    """Processes that work; the labels are the same for any number."""
    ray: bool = field(default=False, kw_only=True)
    """Let the workers run on Ray: the one at RAY_ADDRESS, or one begun here."""
    name: str = field(default="labels", kw_only=True)
    """The folder of the files under `runs`."""
    runs: Path = field(default=Path("runs"), kw_only=True)
    """Where the folder is."""


@dataclass(frozen=True)
class Job:
    """The deals `first` .. `first + deals - 1`, and the file for their labels."""

    method: Method
    first: int
    deals: int
    file: Path


def main(argv: Sequence[str] | None = None) -> None:
    """Make what is missing, and say how fast it went."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        jobs, origin = prepare(args)
        executor = workers.executor(args.workers, args.ray)
    with cli.work("finished files are kept, and the same command goes on from there"), executor as run:
        make(jobs, origin, run)


def prepare(args: Args) -> tuple[list[Job], Origin]:
    """What is to be done; ValueError or OSError for settings that cannot be, or other labels in the folder."""
    some = (1, math.inf)
    cli.check_ranges(args, worlds=some, deals=(1, OWN_DEALS), shard=some, candidates=(0, math.inf), plies=(0, math.inf))
    cli.check_ranges(args, epsilon=(0, 1), share=(1e-6, 1), seed=(0, (1 << 31) - 1))
    if args.values and not args.plies:
        raise ValueError("values without plies is not allowed: playouts go to the end; allowed: plies=1 or more")
    method = Method(**{name: getattr(args, name) for name in Method.__dataclass_fields__})
    wanted, folder = _origin(method), args.runs / args.name
    open_folder(folder)
    sizes = {first: min(args.shard, args.deals - first) for first in range(0, args.deals, args.shard)}
    jobs = [Job(method, *span, folder / f"{span[0]:08d}_{span[1]}.safetensors") for span in sizes.items()]
    return [job for job in jobs if not is_sound(job.file, wanted)], wanted


def make(jobs: Sequence[Job], origin: Origin, run: workers.Run) -> None:
    """Do the jobs, with a bar, and print the figures."""
    began, made, played = time.perf_counter(), 0, 0
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[word]}"))
    with Progress(*columns, TimeRemainingColumn()) as bar:
        task = bar.add_task("", total=sum(job.deals for job in jobs), word="")
        for job, (labels, playouts) in run(label, jobs):
            write(job.file, labels, origin)
            made, played = made + len(labels), played + playouts
            seconds = time.perf_counter() - began
            speed = f"{made / seconds:,.0f} positions and {played / seconds:,.0f} playouts a second"
            bar.update(task, advance=job.deals, word=speed)
    print(f"{made:,} positions labelled, {speed}" if made else "nothing is missing")


def label(job: Job) -> tuple[Labels, int]:
    """The labels of a job, and how many playouts they took."""
    method, rng = job.method, np.random.default_rng((job.method.seed, job.first))
    game, visitors = method.made()
    search = method.search(game)
    states = visited(method, game, visitors, job.first, job.deals, rng)
    parts = [_labelled(game, search, part, rng) for part in _parts(states, search)]
    return joined(parts), search.simulations


def _parts(states: States, search: Search) -> list[States]:
    """As many positions at a time as stay near the processor with all their playouts."""
    each = states.dtype.itemsize * search.budget.worlds * min(search.budget.candidates, USUAL_CHOICE)
    return np.array_split(states, -(-len(states) * each // SIDE_BY_SIDE)) if len(states) else []


def _labelled(game: Game, search: Search, states: States, rng: np.random.Generator) -> Labels:
    """What the candidates at each of the tables are worth."""
    obs = Observation(game, states)
    chosen = game.scripted.choose(game, obs.observation, obs.action_mask)
    actions = search.candidates(obs.observation, obs.action_mask, chosen, search.budget.candidates)
    values = search.compare(obs, np.arange(len(obs)), actions, search.budget.worlds, rng)
    worlds = values.shape[2]
    errors = (
        (values - values[:, :1]).std(axis=2) / np.sqrt(worlds - 1) if worlds > 1 else np.full(actions.shape, np.inf)
    )
    narrow = np.rint(obs.observation * game.view.scale).astype(game.view.dtype)
    return Labels(
        narrow,
        obs.action_mask,
        actions.astype(np.int16),
        values.mean(axis=2, dtype=np.float32),
        errors.astype(np.float32),
    )


def _origin(method: Method) -> Origin:
    """What the labels of a method depend on, but for the deals; ValueError for what there is not, or does not fit."""
    game, visitors = method.made()
    weights = {agent.name: origin(agent) for agent in visitors}
    weights |= {"base": origin(game.scripted), "values": origin(method.judge(game))}
    return origin_of(game, {"method": asdict(method), "origins": weights})


if __name__ == "__main__":
    main()
