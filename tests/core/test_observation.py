"""Players see views, masks, words and imagined tables: never the table itself."""

import numpy as np
import pytest

from tantra_envs.core.observation import Observation
from tantra_envs.games import game

KARMA = game("karma", players=3)


@pytest.fixture
def states():
    states = KARMA.blanks(4)
    KARMA.drivers.deal_rows(states, np.arange(4), np.arange(4))
    return states


def test_no_public_name_leads_to_the_states(states):
    obs = Observation(KARMA, states)
    for name in dir(obs):
        if name.startswith("_"):
            continue
        value = getattr(obs, name)
        assert not (isinstance(value, np.ndarray) and np.shares_memory(value, states)), name
        assert not (isinstance(value, np.ndarray) and value.dtype.names) or name == "known", name


def test_known_holds_what_the_deciding_seats_know_and_no_more(states):
    obs = Observation(KARMA, states, np.array([3, 1]))
    for k, row in enumerate((3, 1)):
        seat, known = int(obs.seat[k]), obs.known[k]
        assert known["hands"][0].tolist() == states["hands"][row, seat].tolist()
        assert not known["hands"][1].any() and not known["draw"].any() and not known["rng"].any()
        assert known["hand_n"].sum() == states["hand_n"][row].sum()
        assert known["seat"] == 0


def test_imagined_tables_are_copies_that_look_the_same_to_the_seat(states):
    before = states.copy()
    obs = Observation(KARMA, states, np.array([2]))
    imagined = obs.determinize(5, np.random.default_rng(0))
    assert imagined.shape == (5,)
    for k in range(5):
        assert (KARMA.observation(imagined[k : k + 1], int(obs.seat[0])) == obs.observation[0]).all()
        assert imagined["rng"][k].tolist() != states["rng"][2].tolist()
    assert len({imagined[k].tobytes() for k in range(5)}) == 5
    imagined["plies"] = 99
    assert states.tobytes() == before.tobytes()


def test_tables_of_other_rules_are_refused_in_every_row():
    """Compiled code would write 41 x 41 x 6 actions of a window into the room for 1,080 of the compact encoding."""
    plain, window = game("tantrix"), game("tantrix", encoding="window", window=41)
    mixed = np.concatenate([plain.new(1), window.new(2)])
    for tables in (mixed, mixed[::-1], np.concatenate([plain.new(3), mixed])):
        with pytest.raises(ValueError, match="other options"):
            Observation(plain, tables)
    alone = Observation(plain, plain.new(1))
    with pytest.raises(ValueError, match="other options"):
        alone.log_odds(mixed, 0)


def test_tables_of_other_rules_with_the_same_sizes_are_read():
    alike = game("karma", players=3, reward="placement")
    mixed = np.concatenate([KARMA.new(1), alike.new(2), KARMA.new(3)])
    assert Observation(KARMA, mixed).action_mask.any(axis=1).all()
    assert len(Observation(KARMA, mixed[:0])) == 0


@pytest.mark.parametrize("table", [-1, 4, 1.0, None])
def test_log_odds_are_asked_of_a_table_that_is_there(states, table):
    with pytest.raises(ValueError, match=r"table=.* is not allowed; allowed: 0\.\.3"):
        Observation(KARMA, states).log_odds(states, table)
