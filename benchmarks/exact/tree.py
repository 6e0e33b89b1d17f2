"""The information sets of a game in sequence form, built once and kept in a folder.

A sequence of a seat is an information set with one of its actions: with perfect recall it stands for everything that
the seat did to get there. So the whole game is a list of information sets for each seat, and a list of ends: the last
sequence of every seat, with the rewards times the probability of chance. Best responses and CFR+ need nothing else
(von Stengel, Efficient computation of behavior strategies, 1996).
"""

from __future__ import annotations

import hashlib
import importlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tantra_envs.core.compiled.jit import Kernel
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.programs.files import write_whole

from . import walk
from .deals import all_deals, small_editions

Ints = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
PARTS = 32  # parts of the deals that are kept when the work is interrupted
PER_HISTORY = 200  # bytes; Tarot needed 110 for each history
DIGEST = "digest"  # name of the array that shows whether a file is sound
SAY_SECONDS = 10.0  # between two lines of progress
Say = Callable[[str], None]
REASONS = {
    walk.DEEP: f"its games are longer than {walk.LONGEST} actions",
    walk.CHANCE: "its rules draw random numbers after the deal",
    walk.RECALL: "a seat with equal observations has different histories or actions of its own",
}


class Part(NamedTuple):
    """Information sets and ends, of some of the deals or of all of them.

    The first `seats` sequences are those of seats that did nothing yet.
    """

    keys: Ints  # (sets,) int64
    looks: Ints  # (sets,) int64: digest of the view of the seat
    seats: Ints  # (sets,) int8
    parents: Ints  # (sets,) int32: the last sequence of the seat before
    firsts: Ints  # (sets,) int32: the first of its sequences
    sizes: Ints  # (sets,) int16: its actions
    members: Ints  # (sets, 4) int32: deal and number of its first and of its last decision
    actions: Ints  # (sequences,) int32
    ends: Ints  # (ends, players) int32: the last sequence of each seat
    rewards: Floats  # (ends, players): rewards times the probability of chance


@dataclass(frozen=True)
class Tree:
    """A whole game: its deals, information sets and ends.

    Attributes:
        histories: Positions of all deals, by all ways to play to them.
        plays: How many of these are ends of games.
        longest: Actions of the longest game.
    """

    game: Game
    deals: States
    weights: Floats
    part: Part
    histories: int
    plays: int
    longest: int

    @property
    def zero_sum(self) -> bool:
        """Return whether two seats play for the same points."""
        return self.game.players == 2 and bool(np.abs(self.part.rewards.sum(axis=1)).max(initial=0.0) < 1e-12)

    def sets_of(self, seat: int) -> int:
        """Return the number of information sets of a seat."""
        return int((self.part.seats == seat).sum())


def build(
    game: Game,
    home: Path | None = None,
    memory: float = 8.0,
    threads: int = 2,
    say: Say = print,
    given: tuple[States, Floats] | None = None,
    see: Kernel | None = None,
) -> Tree:
    """Return the tree of a game.

    Args:
        game: The game, with few enough deals and ways to play.
        home: Folder where finished parts are kept, and found again.
        memory: The most memory, in GiB; the need is printed before the work.
        threads: Number of threads.
        say: Prints a line of progress.
        given: Deals (n,) and their probabilities (n,); None = all deals of the game.
        see: A kernel that takes the place of the driver `conceal_rows`; None = the one of the game.

    Raises:
        ValueError: The game is too large, or its chance is not all in the deal.
    """
    deals, weights = all_deals(game) if given is None else given
    walker = walk.bind(game.drivers, see)
    counts = _kept(home, "counts", lambda: {"counts": _counts(game, walker, deals, weights, memory, threads)})["counts"]
    histories, plays = int(counts[:, 0].sum()), int(counts[:, 2].sum())
    _check_size(game, histories, _most(memory), memory)
    need = histories * PER_HISTORY / 2**20
    say(f"{game.id}: {len(deals):,} deals, {histories:,} histories; at most {need:,.0f} MiB of memory")
    whole = _kept(home, "tree", lambda: _build(game, walker, deals, weights, counts, home, threads, say)._asdict())
    return Tree(game, deals, weights, Part(**whole), histories, plays, int(counts[:, 3].max()))


def digest_of(game: Game) -> str:
    """Return a name for the kept files of a game: its id, its options and the sources of its rules."""
    rules = Path(str(importlib.import_module(game.build.__module__).__file__)).parent
    files = [
        *sorted(rules.rglob("*.py")),
        *(Path(__file__).with_name(f"{part}.py") for part in ("deals", "walk", "tree")),
    ]
    digest = hashlib.sha256(json.dumps([game.name, game.config], default=str).encode())
    for file in files:
        digest.update(file.read_bytes())
    return f"{game.id}-{digest.hexdigest()[:12]}"


def _kept(home: Path | None, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return arrays from a file, or make and keep them. A damaged file counts as missing."""
    if home is None:
        return make()
    file = home / f"{name}.npz"
    arrays = load(file)
    if arrays is None:
        arrays = make()
        save(file, arrays)
    return arrays


def save(file: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays, with a digest of them and of the name and folder of the file."""
    write_whole(file, lambda part: _write(part, {**arrays, DIGEST: _digest(file, arrays)}))


def load(file: Path) -> dict[str, Any] | None:
    """Return the arrays that `save` has written into a file; None if it is missing, damaged or another one."""
    if not file.exists():
        return None
    try:
        with np.load(file) as kept:
            arrays = dict(kept)
        sound = arrays.pop(DIGEST).tobytes() == _digest(file, arrays).tobytes()
    except Exception:  # a damaged archive raises errors of many types
        sound = False
    if not sound:
        print(f"{file} is damaged, or of another program; it is made again", flush=True)
    return arrays if sound else None


def _write(file: Path, arrays: Mapping[str, Any]) -> None:
    with file.open("wb") as stream:
        np.savez(stream, **arrays)


def _digest(file: Path, arrays: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    digest = hashlib.blake2b(f"{file.parent.name}/{file.name}".encode(), digest_size=16)
    for name, values in sorted((name, np.asarray(values)) for name, values in arrays.items()):
        digest.update(f"{name} {values.dtype.str} {values.shape}".encode())
        digest.update(np.ascontiguousarray(values).data)
    return np.frombuffer(digest.digest(), np.uint8)


def _most(memory: float) -> int:
    """Return the number of histories that fit into the memory, in GiB."""
    return int(memory * 2**30 / PER_HISTORY)


def _check_size(game: Game, histories: int, most: int, memory: float) -> None:
    """Raise ValueError if the tree does not fit."""
    if histories > most:
        words = f"more than {most:,} histories need more than {memory:g} GiB"
        raise ValueError(f"{game.name} is too large: {words}; allowed: --memory with more; {small_editions(game)}")


def _counts(game: Game, walker: Any, deals: States, weights: Floats, memory: float, threads: int) -> Ints:
    """Return histories, decisions, ends and the longest game of every deal, (n, 4)."""
    counts, most = np.zeros((len(deals), 4), np.int64), _most(memory)

    def count(lo: int, hi: int) -> None:
        task = walk.new_task(walk.COUNT, counts, most)
        _walk(game, walker, deals, weights, (lo, hi), walk.new_sets(1, 1, 0), walk.new_ends(1, 1), task)
        _check_size(game, int(counts[:, 0].sum()), most, memory)

    _in_threads(count, _ranges(np.ones(len(deals)), PARTS * 8), threads)
    return counts


def _walk(
    game: Game,
    walker: Any,
    deals: States,
    weights: Floats,
    span: tuple[int, int],
    sets: walk.Sets,
    ends: walk.Ends,
    task: walk.Task,
) -> None:
    """Walk through the deals of a range; raise ValueError if that cannot be done."""
    path, (lo, hi) = walk.new_path(game, walk.LONGEST), span
    at = walker(deals, walk.words_of(deals), weights, lo, hi, path, sets, ends, task)
    if at < hi:
        reason = REASONS.get(int(task.n[1]), "one deal has too many histories for the memory")
        raise ValueError(f"{game.name}: exact play is not possible: {reason} (deal {at}); {small_editions(game)}")


def _ranges(sizes: Floats, parts: int) -> list[tuple[int, int]]:
    """Return about equal ranges of deals with these sizes."""
    total = np.cumsum(sizes)
    cuts = np.searchsorted(total, np.linspace(0, total[-1], parts + 1)[1:-1])
    edges = np.unique([0, *cuts, len(sizes)])
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))


def _in_threads(work: Callable[[int, int], Any], ranges: Sequence[tuple[int, int]], threads: int) -> list[Any]:
    """Run the work on every range, several at a time; an error or Ctrl-C stops the rest."""
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(work, lo, hi) for lo, hi in ranges]
        try:
            return [job.result() for job in jobs]
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _build(
    game: Game, walker: Any, deals: States, weights: Floats, counts: Ints, home: Path | None, threads: int, say: Say
) -> Part:
    """Return the tree of all deals, part by part."""
    ranges = _ranges(counts[:, 0], PARTS)
    done, said = 0, time.monotonic()

    def part_of(lo: int, hi: int) -> Part:
        nonlocal done, said
        made = _kept(home, f"part-{lo}", lambda: _part(game, walker, deals, weights, counts, lo, hi)._asdict())
        done += 1
        if time.monotonic() - said > SAY_SECONDS:
            said = time.monotonic()
            say(f"{game.id}: {done} of {len(ranges)} parts of the deals are done")
        return Part(**made)

    parts = _in_threads(part_of, ranges, threads)
    whole = merged(parts, game.players)
    for lo, _ in ranges if home is not None else []:
        (home / f"part-{lo}.npz").unlink(missing_ok=True)  # type: ignore[operator]
    return whole


def _part(game: Game, walker: Any, deals: States, weights: Floats, counts: Ints, lo: int, hi: int) -> Part:
    """Return information sets and ends of the deals lo..hi-1."""
    histories, decisions, plays = counts[lo:hi, :3].sum(axis=0).tolist()
    sets = walk.new_sets(decisions + 1, histories + game.players + 1, game.players)
    ends = walk.new_ends(plays, game.players)
    task = walk.new_task(walk.BUILD, counts)
    _walk(game, walker, deals, weights, (lo, hi), sets, ends, task)
    n, sequences = sets.n.tolist()
    kept = {name: getattr(sets, name)[:n].copy() for name in Part._fields[:7]}
    last, rewards = summed(ends.sequences, ends.rewards, sequences)
    return Part(**kept, actions=sets.actions[:sequences].copy(), ends=last, rewards=rewards)


def merged(parts: Sequence[Part], players: int) -> Part:
    """Return the information sets and ends of several parts together.

    Raises:
        ValueError: Two parts do not agree about an information set.
    """
    keys = np.concatenate([part.keys for part in parts])
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)  # by first appearance, so that a set comes after the sets that lead to it
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    number, first = place[number], first[order]
    of_all = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("looks", "seats", "sizes")}
    agree = all((values[first][number] == values).all() for values in of_all.values())
    sizes = of_all["sizes"][first].astype(np.int64)
    firsts = players + np.cumsum(sizes) - sizes
    actions = np.full(players + int(sizes.sum()), -1, np.int32)
    parents = np.empty(len(first), np.int32)
    members = np.concatenate([part.members for part in parts])
    last = np.zeros(len(first), np.int64)
    last[number] = np.arange(len(number))  # the last appearance
    members = np.concatenate([members[first, :2], members[last, 2:]], axis=1)
    ends, rewards, begin = [], [], 0
    for part in parts:
        own = number[begin : begin + len(part.keys)]
        begin += len(part.keys)
        names = np.arange(players, len(part.actions))
        holder = np.repeat(np.arange(len(part.keys)), part.sizes)
        sequence = np.concatenate([np.arange(players), firsts[own][holder] + names - part.firsts[holder]])
        fresh = actions[sequence[players:]] < 0
        agree &= bool((fresh | (actions[sequence[players:]] == part.actions[players:])).all())
        actions[sequence[players:]] = part.actions[players:]
        before = sequence[part.parents]
        known = np.zeros(len(first), bool)
        known[number[: begin - len(part.keys)]] = True
        agree &= bool((~known[own] | (parents[own] == before)).all())
        parents[own] = before
        ends.append(sequence[part.ends])
        rewards.append(part.rewards)
    if not agree:
        raise ValueError("two deals do not agree about an information set: the digest of two sets is the same")
    together = summed(np.concatenate(ends), np.concatenate(rewards), len(actions))
    looks, seats = of_all["looks"][first], of_all["seats"][first]
    small = (firsts.astype(np.int32), sizes.astype(np.int16))
    return Part(keys[first], looks, seats, parents, *small, members, actions, *together)


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
    walker, dtype = walk.bind(tree.game.drivers, None), tree.game.blank.dtype
    order = np.lexsort((members[:, 1], members[:, 0]))
    for begin in range(0, len(order), most):
        places = order[begin : begin + most]
        wanted = np.ascontiguousarray(members[places], np.int32)
        task = walk.new_task(walk.COPY, np.zeros((1, 4), np.int64), 0, wanted, dtype.itemsize // 8)
        span = int(wanted[0, 0]), int(wanted[-1, 0]) + 1
        sets, ends = walk.new_sets(1, 1, 0), walk.new_ends(1, 1)
        _walk(tree.game, walker, tree.deals, tree.weights, span, sets, ends, task)
        yield places, np.frombuffer(task.copies.tobytes(), dtype).copy()
