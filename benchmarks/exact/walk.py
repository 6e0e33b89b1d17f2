"""Walk through every way to play given deals, depth first, compiled for each game.

A walk has three tasks: count the histories, collect information sets and ends, and copy the tables of chosen decisions.

An information set of a seat is everything that the seat has seen and done. Its key is a running digest: after every
action the digest of the seat's concealed record is added, and the number of the action if the seat took it. The walk
checks that all histories of a set have the same last own action and the same legal actions.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tantra_envs.core.compiled import jit
from tantra_envs.core.compiled.drivers import Drivers
from tantra_envs.core.compiled.jit import Kernel, entry_point, kernel, template, unbound
from tantra_envs.core.compiled.starting import entry_of
from tantra_envs.core.game import Game
from tantra_envs.core.state import States

Ints = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

COUNT, BUILD, COPY = range(3)  # tasks
DONE, FULL, DEEP, CHANCE, RECALL = range(5)  # endings of a walk
LONGEST = 400  # most actions of a game
LOW63 = 0x7FFFFFFFFFFFFFFF
SOURCE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]  # Numba's cache knows the game's files only
NONE_WANTED = np.zeros((0, 2), np.int32)
ODD = 0x1E3779B97F4A7C15  # any odd number with well-mixed bits: half of the golden ratio


class Line(NamedTuple):
    """The line of play: the tables from the deal to the current history, with the facts of each."""

    tables: States  # (depth,)
    words: Ints  # (depth, words) int64: the same bytes
    numbers: Ints  # 0, 1, 2 ..: one of them is the table to conceal, or its observer
    known: States  # (1,): the concealed record
    known_words: Ints  # (words,) int64: the same bytes
    masks: Ints  # (depth, actions) int8
    next: Ints  # (depth,): the action to try next
    sequence: Ints  # (depth,): the sequence of the information set with the action that was tried last
    gained: Floats  # (depth, seats): rewards so far
    keys: Ints  # (depth, seats): digests of all that a seat has seen and done
    looks: Ints  # (depth, seats): digests of what it sees now
    sequences: Ints  # (depth, seats): the last own action of each seat, as a sequence


class Part(NamedTuple):
    """Information sets, sequences and ends of games: the room for those of a walk, and those that it found.

    A sequence is an information set with one of its actions. The first `seats` sequences are those of seats that did
    nothing yet.
    """

    keys: Ints  # (sets,) int64
    looks: Ints  # (sets,) int64: digest of the concealed record
    seats: Ints  # (sets,) int8: the seat to decide
    parents: Ints  # (sets,) int32: the last sequence of the seat before
    firsts: Ints  # (sets,) int32: the first of its sequences, one for each legal action
    sizes: Ints  # (sets,) int16: legal actions
    members: Ints  # (sets, 4) int32: deal and number of a decision that belongs to the set, for two: first and last
    actions: Ints  # (sequences,) int32
    ends: Ints  # (ends, seats) int32: the last sequence of each seat
    rewards: Floats  # (ends, seats): rewards times the probability of the deal


class Task(NamedTuple):
    """The task of a walk, and its results."""

    kind: Ints  # (1,): COUNT, BUILD or COPY
    most: Ints  # (1,): histories after which counting stops
    counts: Ints  # (deals, 4): histories, decisions, ends and longest game
    wanted: Ints  # (k, 2) int32: deal and number of decisions to copy, ascending
    copies: Ints  # (k, words) int64: the tables there
    places: Ints  # (2**k,) int32: a hash table of numbers of information sets + 1; 0 = free
    n: Ints  # (4,): copies, information sets, sequences and ends so far
    ending: Ints  # (1,): how the walk ended


COPIES, SETS, SEQUENCES, ENDS = range(4)  # places of `Task.n`
legal_row: Kernel = unbound
apply_row: Kernel = unbound
conceal_rows: Kernel = unbound


@functools.cache
def bind(drivers: Drivers) -> Kernel:
    """Return the kernel `walk_deals` of a game with these drivers.

    The walk calls drivers of the game, which are compiled already, not their kernels: so it is compiled in seconds.
    """
    called = ("legal_row", "apply_row", "conceal_rows")
    kernels = {name: entry_of(getattr(drivers, name)) for name in called}
    return jit.bind(__name__, kernels, drivers.home, f"_{SOURCE}")["walk_deals"]


@template(entry_point)
def walk_deals(deals: States, words: Any, weights: Any, lo: int, hi: int, path: Any, part: Any, task: Any) -> int:
    """Walk through the deals lo..hi-1; return the first one that is not finished, with the reason in `task.ending`.

    To build, `part` must have room for all that was counted.
    """
    for at in range(lo, hi):
        if task.kind[0] == COPY and not is_wanted(task, at):
            continue
        for i in range(words.shape[1]):
            path.words[0, i] = words[at, i]
        task.ending[0] = walk_deal(path.tables[0].rng, at, weights[at], path, part, task)
        if task.ending[0] != DONE:
            return at
    return hi


@kernel
def is_wanted(task: Any, at: int) -> bool:
    """Return whether the next table to copy is in this deal."""
    n = task.n[COPIES]
    return bool(n < len(task.wanted) and task.wanted[n, 0] == at)


@template(kernel)
def walk_deal(stream: Any, at: int, weight: float, path: Any, part: Any, task: Any) -> int:
    """Walk through one deal, which is the first table of the path; return how the walk ended."""
    kind, seats, depth = task.kind[0], int(path.tables[0].seats), 0
    counts = task.counts[at if kind != COPY else 0]
    histories, decisions, finished, longest = 1, 0, 0, 0
    for seat in range(seats):
        path.gained[0, seat] = 0.0
        path.keys[0, seat] = 0
        path.sequences[0, seat] = seat
    if kind == BUILD:
        look(path, 0, -1, 0)
    new = True
    while depth >= 0:
        mask = path.masks[depth]
        if new:
            legal_row(path.tables, depth, mask)
            if not enter(path, depth, at, decisions, part, task):
                return RECALL
            decisions += 1
        action = next_action(mask, path.next[depth])
        if action == len(mask):
            depth -= 1
            new = False
            continue
        if depth + 1 >= len(path.next):
            return DEEP
        actor = int(path.tables[depth].seat)
        go_on(path, depth, action)
        apply_row(path.tables, depth + 1, action)
        histories += 1
        after = path.tables[depth + 1]
        if not same_stream(after.rng, stream):
            return CHANCE
        note_action(path, depth, actor, after.rewards, seats)
        new = after.over == 0
        if new:
            depth += 1
            if kind == BUILD:
                look(path, depth, actor, action)
            continue
        longest = max(longest, depth + 1)
        finished += 1
        if kind == BUILD:
            note_end(path, depth + 1, weight, seats, part, task)
        elif kind == COUNT and histories > task.most[0]:
            return FULL
    if kind == COUNT:
        counts[0] = histories
        counts[1] = decisions
        counts[2] = finished
        counts[3] = longest
    return DONE


@kernel
def same_stream(stream: Any, dealt: Any) -> bool:
    """Return whether a random stream is that of the table as dealt: no random number was drawn since."""
    same = True
    for i in range(len(dealt)):
        same = same and stream[i] == dealt[i]
    return same


@kernel
def enter(path: Any, depth: int, at: int, decision: int, part: Any, task: Any) -> bool:
    """Begin with the actions of a new decision, and note or copy it; return False if it does not fit its set."""
    path.next[depth] = 0
    if task.kind[0] == BUILD:
        number = information_set(path, depth, int(path.tables[depth].seat), path.masks[depth], part, task)
        if number < 0:
            return False
        path.sequence[depth] = part.firsts[number] - 1
        member = part.members[number]
        if member[0] < 0:
            member[0] = at
            member[1] = decision
        member[2] = at
        member[3] = decision
    elif task.kind[0] == COPY and is_wanted(task, at) and task.wanted[task.n[COPIES], 1] == decision:
        for i in range(path.words.shape[1]):
            task.copies[task.n[COPIES], i] = path.words[depth, i]
        task.n[COPIES] += 1
    return True


@kernel
def next_action(mask: Any, action: int) -> int:
    """Return the first legal action from `action` on, or the number of actions."""
    while action < len(mask) and mask[action] == 0:
        action += 1
    return action


@kernel
def go_on(path: Any, depth: int, action: int) -> None:
    """Copy a table to the next place of the path, for the action to be played there."""
    path.next[depth] = action + 1
    path.sequence[depth] += 1
    for i in range(path.words.shape[1]):
        path.words[depth + 1, i] = path.words[depth, i]


@kernel
def note_action(path: Any, depth: int, actor: int, rewards: Any, seats: int) -> None:
    """Note the rewards of the action taken at a depth, and the sequence of the seat that took it."""
    for seat in range(seats):
        path.gained[depth + 1, seat] = path.gained[depth, seat] + rewards[seat]
        path.sequences[depth + 1, seat] = path.sequences[depth, seat]
    path.sequences[depth + 1, actor] = path.sequence[depth]


@template(kernel)
def look(path: Any, depth: int, actor: int, action: int) -> None:
    """Add the view of each seat to its key, and the action to the key of the seat that took it."""
    s = path.tables[depth]
    for seat in range(s.seats):
        observer = path.numbers[seat : seat + 1]
        conceal_rows(path.tables, path.numbers[depth : depth + 1], observer, observer, path.known)
        seen = seat + 1  # so that looks of two seats are never the same
        for i in range(len(path.known_words)):
            seen = mixed(seen, path.known_words[i])
        path.looks[depth, seat] = seen
        before = path.keys[depth - 1, seat] if depth > 0 else 0
        path.keys[depth, seat] = mixed(mixed(before, action + 1 if seat == actor else 0), seen)


@kernel
def mixed(digest: int, word: int) -> int:
    """Return a digest with a word added; 63 bits, so that it is never negative."""
    digest = ((digest ^ word) * ODD) & LOW63
    return digest ^ (digest >> 31)


@kernel
def information_set(path: Any, depth: int, seat: int, mask: Any, part: Any, task: Any) -> int:
    """Return the number of the information set of the seat to decide; -1 if its histories differ for the seat."""
    key, parent = mixed(path.keys[depth, seat], seat + 1), path.sequences[depth, seat]
    room = len(task.places) - 1
    place = key & room
    while task.places[place] != 0:
        number = int(task.places[place]) - 1
        if part.keys[number] == key:
            return number if fits(part, number, seat, parent, mask) else -1
        place = (place + 1) & room
    number = int(task.n[SETS])
    task.n[SETS] += 1
    task.places[place] = number + 1
    part.keys[number] = key
    part.looks[number] = path.looks[depth, seat]
    part.seats[number] = seat
    part.parents[number] = parent
    part.firsts[number] = task.n[SEQUENCES]
    part.members[number, 0] = -1
    for action in range(len(mask)):
        if mask[action] == 1:
            part.actions[task.n[SEQUENCES]] = action
            task.n[SEQUENCES] += 1
    part.sizes[number] = task.n[SEQUENCES] - part.firsts[number]
    return number


@kernel
def fits(part: Any, number: int, seat: int, parent: int, mask: Any) -> bool:
    """Return whether a history has the seat, the last own action and the legal actions of its information set."""
    if part.seats[number] != seat or part.parents[number] != parent:
        return False
    sequence, legal = part.firsts[number], 0
    for action in range(len(mask)):
        if mask[action] == 1:
            if legal == part.sizes[number] or part.actions[sequence + legal] != action:
                return False
            legal += 1
    return bool(legal == part.sizes[number])


@kernel
def note_end(path: Any, depth: int, weight: float, seats: int, part: Any, task: Any) -> None:
    """Add the end of a game."""
    n = task.n[ENDS]
    for seat in range(seats):
        part.ends[n, seat] = path.sequences[depth, seat]
        part.rewards[n, seat] = weight * path.gained[depth, seat]
    task.n[ENDS] += 1


def new_path(game: Game, depth: int) -> Line:
    """Return an empty path for games of at most `depth` actions."""
    tables, known = np.repeat(game.blank, depth + 1), np.zeros(1, game.blank.dtype)
    by_seat = (depth + 1, game.players)
    return Line(
        tables=tables,
        words=words_of(tables),
        numbers=np.arange(depth + game.players),
        known=known,
        known_words=words_of(known)[0],
        masks=np.zeros((depth + 1, game.actions.size), np.int8),
        next=np.zeros(depth + 1, np.int64),
        sequence=np.zeros(depth + 1, np.int64),
        gained=np.zeros(by_seat),
        keys=np.zeros(by_seat, np.int64),
        looks=np.zeros(by_seat, np.int64),
        sequences=np.zeros(by_seat, np.int64),
    )


def words_of(tables: States) -> Ints:
    """Return the bytes of tables (n,) as int64, (n, words), without copying."""
    return tables.view(np.int64).reshape(len(tables), tables.dtype.itemsize // 8)


def new_part(sets: int, sequences: int, ends: int, seats: int) -> Part:
    """Return room for this many information sets, sequences and ends."""
    return Part(
        keys=np.zeros(sets, np.int64),
        looks=np.zeros(sets, np.int64),
        seats=np.zeros(sets, np.int8),
        parents=np.zeros(sets, np.int32),
        firsts=np.zeros(sets, np.int32),
        sizes=np.zeros(sets, np.int16),
        members=np.zeros((sets, 4), np.int32),
        actions=np.zeros(sequences, np.int32),
        ends=np.zeros((ends, seats), np.int32),
        rewards=np.zeros((ends, seats)),
    )


def new_task(
    kind: int, counts: Ints, most: int = 0, wanted: Ints = NONE_WANTED, words: int = 0, sets: int = 1, seats: int = 0
) -> Task:
    """Return a task. To build, it has room for `sets` information sets, and the first `seats` sequences are taken."""
    copies, places = np.zeros((len(wanted), words), np.int64), 1 << max(4, int(2 * sets + 2).bit_length())
    n = np.array([0, 0, seats, 0])
    return Task(
        np.array([kind]), np.array([most]), counts, wanted, copies, np.zeros(places, np.int32), n, np.zeros(1, np.int64)
    )
