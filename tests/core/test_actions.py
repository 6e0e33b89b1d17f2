"""Actions with words: numbered by the words in their holes, written and read by their patterns."""

import numpy as np
import pytest

from tantra_envs.core.actions import Action, ActionBlocks, Hole, other_seats

ACTIONS = ActionBlocks(
    Action("play", "play {card}|lay {card}", "play card i", "PLAY", spelling=lambda state: int(state["phase"][0] == 1)),
    Action("pair", "play {card}x2", "play two", "PLAY"),
    Action("run", "run {suit} {card}", "a run", "PLAY"),
    Action("give", "give {{{seat}}}", "give the pile away", "PLAY, ASK"),
    Action("pass", "pass", "pass", "ASK"),
    card=("7|seven", "10", "KING"),
    suit=("H", "S"),
    seat=other_seats(3),
)
STATE = np.array([(1, 0)], [("seat", np.int8), ("phase", np.int8)])
LAID = np.array([(1, 1)], STATE.dtype)
WORDS = [
    *("play 7", "play 10", "play KING"),
    *("play 7x2", "play 10x2", "play KINGx2"),
    *("run H 7", "run H 10", "run H KING", "run S 7", "run S 10", "run S KING"),
    *("give {2}", "give {0}", "pass"),
]


def test_ids_count_the_words_of_all_holes_the_last_one_fastest():
    assert [(b.name, b.start, b.size) for b in ACTIONS] == [
        ("play", 0, 3), ("pair", 3, 3), ("run", 6, 6), ("give", 12, 2), ("pass", 14, 1),
    ]  # fmt: skip
    assert [ACTIONS.write(STATE, action) for action in range(ACTIONS.size)] == WORDS


def test_what_is_written_is_read():
    assert [ACTIONS.read(STATE, words.lower()) for words in WORDS] == list(range(ACTIONS.size))


def test_a_table_chooses_the_spelling_and_all_spellings_are_read():
    assert ACTIONS.write(LAID, 1) == "lay 10"
    assert {ACTIONS.read(state, words) for state in (STATE, LAID) for words in ("lay 10", "play 10")} == {1}
    assert ACTIONS.read(STATE, "play seven") == 0


@pytest.mark.parametrize(
    "words", ["play 8", "play", "play 7x3", "give {1}", "give {3}", "run h", "run d 7", "passes", ""]
)
def test_words_of_no_action_are_not_read(words):
    assert ACTIONS.read(STATE, words) is None


def test_numbers_may_have_leading_zeros():
    assert ACTIONS.read(STATE, "give {02}") == ACTIONS.read(STATE, "give {2}") == 12


def test_an_error_lists_all_patterns_and_the_words_of_their_holes():
    hint = ACTIONS.hint(STATE)
    assert all(form in hint for form in ("play CARD, lay CARD, play CARDx2", "run SUIT CARD", "give {SEAT}", "pass"))
    assert all(words in hint for words in ("CARD: 7, 10, KING", "SUIT: H, S", "SEAT: 2, 0"))


def test_an_error_lists_some_of_many_words():
    many = Hole([f"w{i}" for i in range(100)], 100).hint(STATE)
    assert many.startswith("w0, w9, w18") and many.endswith("w99 (100 words)") and len(many.split(", ")) == 12
