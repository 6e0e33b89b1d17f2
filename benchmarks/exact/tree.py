"""The information sets of a game in sequence form, built once and kept in a folder.

A sequence of a seat is an information set with one of its actions: with perfect recall it stands for everything that
the seat did to get there (von Stengel, Efficient computation of behavior strategies, 1996).
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.programs.files import write_whole
from tantra_envs.programs.progress import progress

from . import walk
from .deals import all_deals, small_editions
from .walk import Floats, Ints, Part

Spans = list[tuple[int, int]]  # ranges of deals
RANGES = 32  # ranges of deals that are walked one after the other: Ctrl-C ends the work between two of them
PER_HISTORY = 200  # bytes; Tarot needed 110 for each history
REASONS = {
    walk.DEEP: f"its games are longer than {walk.LONGEST} actions",
    walk.CHANCE: "its rules draw random numbers after the deal",
    walk.RECALL: "a seat with equal observations has different histories or actions of its own",
}


@dataclass(frozen=True)
class Tree:
    """A whole game: its deals, information sets and ends."""

    game: Game
    deals: States
    weights: Floats
    part: Part
    histories: int  # positions of all deals, by all ways to play to them
    plays: int  # how many of these are ends of games
    longest: int  # actions of the longest game

    @property
    def zero_sum(self) -> bool:
        """Return whether two seats play for the same points."""
        return self.game.players == 2 and bool(np.abs(self.part.rewards.sum(axis=1)).max(initial=0.0) < 1e-12)

    def sets_of(self, seat: int) -> int:
        """Return the number of information sets of a seat."""
        return int((self.part.seats == seat).sum())


def build(
    game: Game, home: Path | None = None, memory: float = 8.0, given: tuple[States, Floats] | None = None
) -> Tree:
    """Return the tree of a game.

    Args:
        game: The game, with few enough deals and ways to play.
        home: Folder where the tree is kept, and found again.
        memory: The most memory, in GiB; the need is printed before the work.
        given: Deals (n,) and their probabilities (n,); None = all deals of the game.

    Raises:
        ValueError: The game is too large, or its chance is not all in the deal.
    """
    deals, weights = all_deals(game) if given is None else given
    file = home / "tree.npz" if home else None
    arrays = load(file, (*Part._fields, "sizes_of_game")) if file else None
    if arrays is None:
        counts = _counts(game, deals, weights, memory)
        part = _part(game, deals, weights, counts)
        arrays = {**part._asdict(), "sizes_of_game": [counts[:, 0].sum(), counts[:, 2].sum(), counts[:, 3].max()]}
        if file:
            save(file, arrays)
    histories, plays, longest = map(int, arrays.pop("sizes_of_game"))
    return Tree(game, deals, weights, Part(**arrays), histories, plays, longest)


def digest_of(game: Game) -> str:
    """Return a name for the kept files of a game: its id, its options and the sources of its rules."""
    rules = Path(str(importlib.import_module(game.build.__module__).__file__)).parent
    files = sorted(rules.rglob("*.py")) + [Path(__file__).with_name(f"{part}.py") for part in ("deals", "walk", "tree")]
    digest = hashlib.sha256(json.dumps([game.name, game.config], default=str).encode())
    for file in files:
        digest.update(file.read_bytes())
    return f"{game.id}-{digest.hexdigest()[:12]}"


def save(file: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays. The file is either complete or unchanged."""

    def write(part: Path) -> None:
        with part.open("wb") as stream:
            np.savez(stream, **arrays)

    write_whole(file, write)


def load(file: Path, names: Collection[str]) -> dict[str, Any] | None:
    """Return the arrays of these names that `save` has written into a file; None if it is missing or damaged."""
    if not file.exists():
        return None
    try:
        with np.load(file) as kept:
            return {name: kept[name] for name in names}
    except Exception:  # a damaged archive raises errors of many types
        print(f"{file} is damaged, or of another program; it is made again", flush=True)
        return None


def _counts(game: Game, deals: States, weights: Floats, memory: float) -> Ints:
    """Return histories, decisions, ends and the longest game of every deal, (n, 4); ValueError if they do not fit."""
    counts, most = np.zeros((len(deals), 4), np.int64), int(memory * 2**30 / PER_HISTORY)
    task = walk.new_task(walk.COUNT, counts, most)
    for _ in _walk(game, deals, weights, _ranges(np.ones(len(deals))), task):
        if counts[:, 0].sum() > most:
            words = f"more than {most:,} histories need more than {memory:g} GiB"
            raise ValueError(f"{game.name} is too large: {words}; allowed: --memory with more; {small_editions(game)}")
    histories = int(counts[:, 0].sum())
    need = histories * PER_HISTORY / 2**20
    print(f"{game.id}: {len(deals):,} deals, {histories:,} histories; at most {need:,.0f} MiB of memory", flush=True)
    return counts


def _walk(
    game: Game, deals: States, weights: Floats, spans: Spans, task: walk.Task, part: Part | None = None
) -> Iterator[int]:
    """Walk through the deals of some ranges, and yield after each; raise ValueError if that cannot be done."""
    path, words = walk.new_path(game, walk.LONGEST), walk.words_of(deals)
    walker, room = walk.bind(game.drivers), part or walk.new_part(1, 1, 1, 1)
    for lo, hi in spans:
        at = walker(deals, words, weights, lo, hi, path, room, task)
        if at < hi:
            reason = REASONS.get(int(task.ending[0]), "one deal has too many histories for the memory")
            raise ValueError(f"{game.name}: exact play is not possible: {reason} (deal {at}); {small_editions(game)}")
        yield hi


def _ranges(sizes: Floats) -> Spans:
    """Return about equal ranges of deals with these sizes."""
    total = np.cumsum(sizes)
    cuts = np.searchsorted(total, np.linspace(0, total[-1], RANGES + 1)[1:-1])
    edges = np.unique([0, *cuts, len(sizes)])
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))


def _part(game: Game, deals: States, weights: Floats, counts: Ints) -> Part:
    """Return information sets and ends of the deals with these counts."""
    histories, decisions, plays = counts[:, :3].sum(axis=0).tolist()
    room = walk.new_part(decisions + 1, histories + game.players + 1, plays, game.players)
    task = walk.new_task(walk.BUILD, counts, sets=decisions + 1, seats=game.players)
    spans = _ranges(counts[:, 0])
    with progress("parts of the deals", len(spans)) as advance:
        for _ in _walk(game, deals, weights, spans, task, room):
            advance(1)
    _, sets, sequences, _ = task.n.tolist()
    of_sets = {name: getattr(room, name)[:sets].copy() for name in Part._fields[:7]}
    last, rewards = summed(room.ends, room.rewards, sequences)
    return Part(**of_sets, actions=room.actions[:sequences].copy(), ends=last, rewards=rewards)


def summed(ends: Ints, rewards: Floats, sequences: int) -> tuple[Ints, Floats]:
    """Return ends with different sequences, and the sums of their rewards; ends without rewards are left out."""
    code = ends[:, 0].astype(np.int64)
    for seat in range(1, ends.shape[1]):
        code = code * sequences + ends[:, seat]
        if seat + 1 < ends.shape[1]:
            code = np.unique(code, return_inverse=True)[1]
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    sums = [np.bincount(number, rewards[:, seat], len(first)) for seat in range(rewards.shape[1])]
    total = np.stack(sums, axis=1) if len(first) else rewards
    paid = (total != 0).any(axis=1)
    return ends[first][paid].astype(np.int32), total[paid]


def tables_at(tree: Tree, members: Ints, most: int = 4096) -> Iterator[tuple[Ints, States]]:
    """Yield the tables of decisions, some at a time: their places among `members` (k, 2), and the tables."""
    dtype = tree.game.blank.dtype
    order = np.lexsort((members[:, 1], members[:, 0]))
    for begin in range(0, len(order), most):
        places = order[begin : begin + most]
        wanted = np.ascontiguousarray(members[places], np.int32)
        task = walk.new_task(walk.COPY, np.zeros((1, 4), np.int64), 0, wanted, dtype.itemsize // 8)
        span = int(wanted[0, 0]), int(wanted[-1, 0]) + 1
        list(_walk(tree.game, tree.deals, tree.weights, [span], task))
        yield places, np.frombuffer(task.copies.tobytes(), dtype).copy()
