"""A thousand kinds of wrong arrays at every place where arrays come in: `python -m tests.envs.fuzz`, with NAMES or all.

Each must be refused by a ValueError or TypeError that says so, with nothing changed. It runs in a separate
process, because it mainly looks for crashes.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

import tantra_envs
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents import opponent

TABLES = 3
SHARE = 3  # every third of the wrong arrays is tried at a place
GAME = tantra_envs.game("karma")
SHAPES = [(3,), (), (0,), (1,), (2,), (4,), (1, 3), (3, 1), (3, 2), (300,)]
DTYPES = ["?", "i1", "i8", "u8", "f4", "f8", "c16", "O", "U3", "M8[s]", "m8[s]", "V8"]
FILLS = [0, 1, -1, 3, 10_000, 2**63 - 1, np.nan, 0.5]
ODD = [3, -1, 1.5, True, "play 7", b"x", [], [0.5] * 3, [True] * 3, [[0], [1, 2], []], {}, {0: 1}, object(), 2**70]


class Entrance(NamedTuple):
    """A place where values come in."""

    call: Callable[[Any], Any]
    right: Callable[[Any], Any]  # is it a value that may come in?
    standing: Callable[[], Any] = lambda: None  # what must not change when one is refused


def wrong_arrays():
    """Arrays of all shapes, types and fillings, each in another layout in memory, and objects that are not arrays."""
    for i, (shape, dtype, fill) in enumerate(itertools.product(SHAPES, DTYPES, FILLS)):
        try:
            with np.errstate(all="ignore"):
                array = np.full(shape, fill).astype(dtype)
        except (ValueError, TypeError, OverflowError):
            continue  # there is no such array
        every = list(layouts(array))
        yield from every if shape == SHAPES[0] else [every[i % len(every)]]
    yield from ODD


def layouts(array):
    """The same numbers as they may lie in memory: read-only, of the other byte order, strided, backwards, shared."""
    frozen = array.copy()
    frozen.flags.writeable = False
    yield from (array, frozen, array.astype(array.dtype.newbyteorder()))
    if array.size:
        yield from (np.repeat(array, 2, axis=-1)[..., ::2], array[..., ::-1]) if array.ndim else ()
        yield np.broadcast_to(array.ravel()[0], array.shape)


def are_integers(value, shape, low=-(2**63), high=2**63):
    """Integers of this shape, low <= each < high; a plain one is of no shape."""
    if not isinstance(value, (np.ndarray, np.generic, int)) or isinstance(value, bool):
        return False
    array = np.asarray(value)
    return array.shape == shape and array.dtype.kind in "iu" and all(low <= int(n) < high for n in array.ravel())


def legal(value, masks):
    """An action for every row of `masks`, or one for a mask, that it allows."""
    right = are_integers(value, masks.shape[:-1], 0, masks.shape[-1])
    return right and np.take_along_axis(masks, np.asarray(value, np.int64)[..., None], -1).all()


def contents(saved):
    """All of a save, to compare."""
    return [value.tobytes() if isinstance(value, np.ndarray) else str(value) for value in saved.values()]


# Environments


def made_vector(**config):
    tables = SeatVectorEnv(GAME, TABLES, **config)
    tables.reset(seed=5)
    return tables


def vector_step():
    tables = made_vector(seat=0)
    masks = tables.action_masks()
    return Entrance(tables.step, lambda value: legal(value, masks), lambda: contents(tables.save()))


def reset_mask():
    tables = made_vector()

    def right(value):
        array = np.asarray(value, object if isinstance(value, list) else None)
        return value is None or (array.dtype == bool and array.shape == (TABLES,) and array.any())

    def call(value):
        tables.reset(seed=1, options={"reset_mask": value})

    return Entrance(call, right, lambda: contents(tables.save()))


def seat_step():
    env = SeatEnv(GAME, seat=0, illegal_reward=None)
    env.reset(seed=5)
    mask = env.action_masks()
    return Entrance(env.step, lambda value: legal(value, mask), lambda: contents(env._tables.save()))


def table_step():
    env = TableEnv(GAME)
    env.reset(seed=5)
    mask = env.last()[0]["action_mask"]
    standing = lambda: (env._states.tobytes(), [*env._actions], env._seeds.bit_generator.state, str(env.infos))  # noqa: E731
    return Entrance(env.step, lambda value: legal(value, mask), standing)


def batch_step():
    batch = BatchEnv(GAME, TABLES)
    filled = (batch.states, batch.observations, batch.action_masks, batch.rewards, batch.terminations)
    standing = lambda: [array.tobytes() for array in filled]  # noqa: E731
    return Entrance(batch.step, lambda value: legal(value, batch.action_masks), standing)


def loaded(name):
    tables = made_vector()
    kept = tables.save()
    low, most = {"_learners": (0, GAME.players), "_sitting": (0, 1)}.get(name, (-np.inf, np.inf))

    def right(value):
        same = isinstance(value, np.ndarray) and (value.shape, value.dtype) == (kept[name].shape, kept[name].dtype)
        return same and bool(((value >= low) & (value < most)).all())

    return Entrance(lambda value: tables.load({**kept, name: value}), right, lambda: contents(tables.save()))


# Who plays there


class Answers:
    """An agent and a sampler that return given answers and overwrite what they are shown."""

    name = "answers"

    def __init__(self):
        self.answer, self.agents = None, [self]

    def act(self, obs, rng):
        obs.action_mask[:] = 1
        obs.seat[:] = 99
        return self.answer

    def draw(self, tables, players, rng):
        return np.zeros((tables, players), int) if self.answer is None else self.answer


def opponents_answer():
    """The learner decides first; then the opponent answers."""
    other = Answers()
    tables = made_vector(opponents=opponent("uniform", GAME), seat=0)
    position = {"cur": 0, "hands": [["4", "5"], ["7", "8", "9"]], "pile": ["3"]}
    tables._sampler.agents = [other]
    action = GAME.parse_action(GAME.new(), "play 4")

    def call(value):
        other.answer = value
        tables.reset(seed=5, options={"position": position})
        tables.step(np.full(TABLES, action))

    after = GAME.from_position(position)
    GAME.apply_action(after, action)
    masks = np.tile(GAME.mask(after), (TABLES, 1))
    return Entrance(call, lambda value: legal(value, masks))


def sampler_draws():
    other = Answers()
    other.agents = [opponent("uniform", GAME)]
    tables = made_vector(opponents=other, seat=0)

    def call(value):
        other.answer = value
        tables.reset(seed=6)

    def right(value):
        return value is None or are_integers(value, (TABLES, GAME.players), 0, 1)

    return Entrance(call, right)


def match_seating():
    agents = [opponent("uniform", GAME)]
    return Entrance(
        lambda value: play_tables(GAME, agents, value, [1, 1, 1]), lambda value: are_integers(value, (TABLES, 2), 0, 1)
    )


def match_seeds():
    agents, seating = [opponent("uniform", GAME)], np.zeros((TABLES, 2), int)
    return Entrance(
        lambda value: play_tables(GAME, agents, seating, value),
        lambda value: are_integers(value, (TABLES,), high=2**64),
    )


# What they see


def observed_rows():
    states = np.concatenate([GAME.new(seed) for seed in range(TABLES)])

    def right(value):
        return isinstance(value, np.ndarray) and value.ndim == 1 and are_integers(value, value.shape, 0, TABLES)

    return Entrance(lambda value: tantra_envs.Observation(GAME, states, value).observation, right, states.tobytes)


# The game itself


def instead_of_a_table(call):
    return lambda: Entrance(call, lambda value: False)


def as_seat(call):
    state = GAME.new(1)
    return lambda: Entrance(
        lambda value: call(state, value),
        lambda value: type(value) in (int, np.int64) and value in (0, 1),
        state.tobytes,
    )


def as_seed(call, low=-(2**99)):
    def right(value):  # however large
        return type(value) in (int, np.int64) and value >= low

    return lambda: Entrance(call, right)


def vector_seed():
    right = as_seed(None, 0)().right
    return Entrance(
        lambda value: SeatVectorEnv(GAME, TABLES).reset(seed=value),
        lambda value: right(value) or are_integers(value, (TABLES,), 0, 2**64),
    )


STATE = GAME.new(1)
ENTRANCES = {
    "SeatVectorEnv.step": vector_step,
    "SeatVectorEnv.reset(reset_mask)": reset_mask,
    **{
        f"SeatVectorEnv.load({name})": lambda name=name: loaded(name)
        for name in ("_states", "_streams", "_learners", "_sitting", "_gained", "_done")
    },
    "SeatVectorEnv.reset(seed)": vector_seed,
    "SeatEnv.step": seat_step,
    "TableEnv.step": table_step,
    "TableEnv.reset(seed)": as_seed(lambda value: TableEnv(GAME).reset(value), 0),
    "BatchEnv.step": batch_step,
    "opponents": opponents_answer,
    "OpponentSampler.draw": sampler_draws,
    "play_tables(seating)": match_seating,
    "play_tables(seeds)": match_seeds,
    "Observation(rows)": observed_rows,
    "Observation(states)": instead_of_a_table(lambda value: tantra_envs.Observation(GAME, value)),
    "Game.mask": instead_of_a_table(GAME.mask),
    "Game.position": instead_of_a_table(GAME.position),
    "Game.picture": instead_of_a_table(GAME.picture),
    "Game.round_info": instead_of_a_table(tantra_envs.game("tantra", players=3).round_info),
    "Game.action_name": instead_of_a_table(lambda value: GAME.action_name(value, 0)),
    "Game.parse_action": instead_of_a_table(lambda value: GAME.parse_action(value, "play 7")),
    "Game.apply_action": instead_of_a_table(lambda value: GAME.apply_action(value, 0)),
    "Game.observation": instead_of_a_table(lambda value: GAME.observation(value, 0)),
    "Game.redeal": instead_of_a_table(lambda value: GAME.redeal(value, 0, 0)),
    "Game.from_position": instead_of_a_table(GAME.from_position),
    "Game.observation(seat)": as_seat(GAME.observation),
    "Game.redeal(seat)": as_seat(lambda state, value: GAME.redeal(state, 0, value)),
    "Game.redeal(seed)": as_seed(lambda value: GAME.redeal(STATE, value, 0)),
    "Game.new(seed)": as_seed(GAME.new),
}


def check(name):
    """Try a share of all that is wrong at one place, another one at the next; returns how much that was."""
    call, right, standing = ENTRANCES[name]()
    before, refused = standing(), 0
    for value in islice(wrong_arrays(), list(ENTRANCES).index(name) % SHARE, None, SHARE):
        if right(value):
            continue
        try:
            call(value)
        except (ValueError, TypeError) as error:
            assert str(error), f"{name}: {value!r} is refused without a word"
        else:
            raise AssertionError(f"{name}: {value!r} was taken")
        refused += 1
        assert refused % 20 or standing() == before, f"{name}: {value!r} was refused and yet changed something"
    assert standing() == before, f"{name}: something refused changed the table"
    return refused


if __name__ == "__main__":
    for entrance in sys.argv[1:] or ENTRANCES:
        print(entrance, check(entrance), flush=True)
