"""Random numbers of tables: the published generator, table by table, and even."""

import numpy as np

from tantra_envs.core.chance import TableChance, draw_words

FIRST_OF_SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423]  # from seed 1234567, as published


def chance(n, moment=0):
    streams = np.random.default_rng(3).integers(1 << 32, size=(n, 4))
    return TableChance(streams, np.full(n, moment))


def test_the_words_are_those_of_splitmix64():
    keys, words = np.array([5, 1234567], np.uint64), np.zeros(3, np.uint64)
    for first in (0, 2):
        draw_words(keys, np.array([1]), np.array([2 if first == 0 else 1]), words[first:])
    assert words.tolist() == FIRST_OF_SPLITMIX
    assert keys[0] == 5


def test_every_table_goes_on_by_itself():
    whole, parts = chance(3), chance(3)
    every, counts = np.arange(3), np.array([2, 0, 4])
    first, more = whole.words(every, counts), whole.words(every, np.array([1, 1, 1]))
    mine = np.concatenate([parts.words(np.array([2]), np.array([k])) for k in (1, 3, 1)])
    assert mine.tolist() == [*first[2:].tolist(), more[2]]
    assert parts.words(np.array([0]), np.array([3])).tolist() == [*first[:2].tolist(), more[0]]
    assert whole.words(every[:0], counts[:0]).shape == whole.words(every, 0).shape == (0,)
    one, other = chance(3), chance(3)
    assert one.words(every, 4).tolist() == other.words(every, np.full(3, 4)).tolist()
    assert one.words(every, 1).tolist() == other.words(every, np.full(3, 1)).tolist()


def test_moments_and_streams_have_numbers_of_their_own():
    words = [chance(50, moment).words(np.arange(50), np.full(50, 20)) for moment in range(-1, 20)]
    assert len(set(np.concatenate(words).tolist())) == 21 * 1000


def test_floats_and_seeds_are_even():
    floats = chance(100).floats(np.arange(100), np.full(100, 1000))
    assert floats.min() >= 0 and floats.max() < 1
    assert np.abs(np.histogram(floats, 20, (0, 1))[0] - 5000).max() < 350  # five standard deviations
    assert np.abs(floats.reshape(100, 1000).mean(axis=1) - 0.5).max() < 0.05
    pairs = np.corrcoef(floats[:-1], floats[1:])[0, 1]
    assert abs(pairs) < 0.016
    seeds = chance(10).seeds(np.arange(10), np.full(10, 1000))
    assert seeds.min() >= 0 and seeds.max() > 2**62
