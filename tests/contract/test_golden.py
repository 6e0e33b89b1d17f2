"""Golden playthroughs: whole games as text, replayed line by line. A new one, for a variant say:

python -m tests.tools.golden tests/games/karma/golden karma:sixty --players 3 --seed 7
"""

import functools
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.games import SHIPPED
from tests.tools.golden import replay, write

GAMES = Path(__file__).resolve().parents[1] / "games"
FILES = {name: sorted((GAMES / name / "golden").glob("*.txt")) for name in SHIPPED}
FEW_SEATS = [name for name in FILES if len(tantra_envs.game(name).seats) <= 3]


@functools.cache
def replayed(file):
    return replay(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", [file for files in FILES.values() for file in files], ids=lambda file: file.stem)
def test_the_game_goes_as_it_is_written(file):
    replayed(file)


@pytest.mark.parametrize("name", FILES)
def test_every_variant_has_a_playthrough(name):
    """With the players it names; where it names none any number will do."""
    played = [replayed(file).config for file in FILES[name]]
    for variant, rules in tantra_envs.variants(name).items():
        left_open = {} if "players" in rules else {"players": 0}
        wanted = tantra_envs.game(name, **rules).config
        found = [config for config in played if {**config, **left_open} == {**wanted, **left_open}]
        assert found, f"the variant {variant} has no golden playthrough"


@pytest.mark.parametrize("name", FEW_SEATS)
def test_every_number_of_players_has_a_playthrough(name):
    assert {replayed(file).players for file in FILES[name]}.issuperset(tantra_envs.game(name).seats)


@pytest.mark.parametrize(
    ("said", "instead", "problem"),
    [
        ("seat 0: ", "seat 1: ", "is to decide"),
        (": place ", ": play ", None),
        ("hand (6)", "hand (7)", "but the table shows"),
        ("rewards [", "rewards [5", "the game says"),
        ("result:", "# ", "the game says"),
        ("| gone: nothing\n", "", "but the table shows"),
        ("  |  face down", "\n  |  face down", "but the table shows"),
    ],
)
def test_a_changed_line_is_noticed(said, instead, problem):
    text = write(tantra_envs.game("karma", auto_setup=said == "result:"), 3)
    assert said in text
    if problem is None:
        replay(text.replace(said, instead, 1))  # the same action in the words of another phase
        return
    with pytest.raises(AssertionError, match=problem):
        replay(text.replace(said, instead, 1))


@pytest.mark.parametrize("name", ["karma", "tantra"])
def test_a_game_that_stops_early_is_noticed(name):
    lines = write(tantra_envs.game(name), 3).splitlines()
    with pytest.raises(AssertionError, match="ends before the game"):
        replay("\n".join(lines[:30]))
