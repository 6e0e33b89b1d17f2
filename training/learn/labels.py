"""Labels: action-value targets at sampled positions.

At every position, the hidden state is sampled in a few determinizations. Each action is tried in all of them. The base
policy then plays all seats, to the end or until a value network predicts the score.

Few determinizations at very many positions teach more than many at few positions (Bertram, Fuernkranz and Mueller,
arXiv 2407.05876). A file of labels depends on its deals only, so any number of workers writes equal files.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from agents import origin
from agents.values import Values
from tantra_envs import workers
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import chosen
from tantra_envs.core.state import States
from tantra_envs.files import open_folder
from tantra_envs.opponents.network_spec import Policy
from tantra_envs.opponents.search import Search

from ..progress import progress_bar
from .games import Deals, Games, sample_positions
from .label_files import Labels, Origin, encode, is_sound, join, no_labels, origin_of, write

SIDE_BY_SIDE = 1 << 22  # bytes of tables in one batch of playouts, which stay in the processor's cache
USUAL_CHOICE = 8  # assumed number of legal actions of a position, if all of them are compared


@dataclass(frozen=True)
class Method:
    """The method of labelling, in plain values."""

    games: Games
    determinizations: int
    candidates: int
    playout_length: int
    values: str | None  # the model file of the value network
    policy: Policy = "mlp"  # determines the inputs in the labels

    def search(self, game: Game) -> Search:
        """Return the search that compares the actions."""
        candidates = self.candidates or game.actions.size
        budget = f"samples={self.determinizations},candidates={candidates},horizon=0,plies={self.playout_length}"
        return Search(game, f"{budget},belief=even", self.judge(game))  # sampled positions have no past

    def judge(self, game: Game) -> Values | None:
        """Return the value network, or None if playouts go to the end."""
        return Values(game, self.values) if self.values else None


@dataclass(frozen=True)
class Job:
    """Deals to play, and the file for their labels."""

    method: Method
    deals: Deals
    file: Path


def make_labels(method: Method, deals: int, shard: int, folder: Path, run: workers.Run) -> None:
    """Write the missing files of labels. Raise ValueError if the folder holds labels of another method."""
    open_folder(folder)
    expected = _origin(method)
    parts = [Deals(first, min(shard, deals - first)) for first in range(0, deals, shard)]
    jobs = [Job(method, part, folder / f"{part.first:08d}_{part.count}.safetensors") for part in parts]
    missing = [job for job in jobs if not is_sound(job.file, expected)]
    if missing:
        _label_all(missing, expected, run)


def label(job: Job) -> tuple[Labels, int]:
    """Return the labels of a job, and the number of playouts they took."""
    method, rng = job.method, np.random.default_rng((job.method.games.seed, job.deals.first))
    game, policies = method.games.build()
    search = method.search(game)
    states = sample_positions(method.games, game, policies, job.deals, rng)
    if not len(states):
        return no_labels(method.policy, game), 0
    return join([_label(game, search, method.policy, part, rng) for part in _parts(states, search)]), search.simulations


def _label_all(jobs: Sequence[Job], expected: Origin, run: workers.Run) -> None:
    """Do the jobs, with a progress bar."""
    began, deals, positions, playouts = time.perf_counter(), 0, 0, 0
    with progress_bar("labels", sum(job.deals.count for job in jobs), 0) as advance:
        for job, (labels, simulations) in run(label, jobs):
            write(job.file, labels, expected)
            deals, positions, playouts = deals + job.deals.count, positions + len(labels), playouts + simulations
            seconds = time.perf_counter() - began
            speed = f"{positions / seconds:,.0f} positions and {playouts / seconds:,.0f} playouts a second"
            advance(deals, speed)
    print(f"{positions:,} positions labelled, {speed}")


def _parts(states: States, search: Search) -> list[States]:
    """Return the positions in parts whose playouts fit into the processor's cache."""
    size = states.dtype.itemsize * search.budget.samples * min(search.budget.candidates, USUAL_CHOICE)
    return np.array_split(states, -(-len(states) * size // SIDE_BY_SIDE))


def _label(game: Game, search: Search, policy: Policy, states: States, rng: np.random.Generator) -> Labels:
    """Compare the candidates at each of the positions."""
    obs = Observation(game, states)
    scripted = chosen(game, obs.known, obs.action_mask)
    actions = search.candidates(obs.known, obs.action_mask, scripted, search.budget.candidates)
    values = search.compare(obs, np.arange(len(obs)), actions, search.budget.samples, rng)
    samples = values.shape[2]
    errors = np.full(actions.shape, np.inf)
    if samples > 1:
        errors = (values - values[:, :1]).std(axis=2) / np.sqrt(samples - 1)
    return Labels(
        inputs=encode(policy, game, states, obs.seat),
        masks=obs.action_mask,
        actions=actions.astype(np.int16),
        values=values.mean(axis=2, dtype=np.float32),
        errors=errors.astype(np.float32),
    )


def _origin(method: Method) -> Origin:
    """Return everything except the deals that labels depend on. Raise ValueError for unsuitable agents or files."""
    game, policies = method.games.build()
    weights = {agent.name: origin(agent) for agent in policies}
    weights |= {"base": origin(game.scripted), "values": origin(method.judge(game))}
    return origin_of(game, {"method": asdict(method), "origins": weights})
