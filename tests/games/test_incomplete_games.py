"""A game that lacks names, or has other ones, is refused with all of them and the nearest names that it has."""

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tantra_envs import games
from tantra_envs.core.compiled import jit
from tantra_envs.core.playouts import chosen

NIM = Path(__file__).parents[1] / "new_game/nim/__init__.py"
NAME = "tantra_envs.games.nim"


@pytest.fixture
def imported(monkeypatch, tmp_path):
    """A function that runs the file of Nim as a module of the games, with other text in place of some."""

    def run(changes, files=()):
        source = NIM.read_text(encoding="utf-8")
        for old, new in changes.items():
            assert re.search(old, source)
            source = re.sub(old, new, source)
        for name, text in files:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        module = ModuleType(NAME)
        module.__path__, module.__package__, module.__file__ = [str(tmp_path)], NAME, str(NIM)
        monkeypatch.setitem(sys.modules, NAME, module)
        exec(compile(source, NIM, "exec"), vars(module))
        return module

    monkeypatch.setitem(games.GAMES, "nim", "v0")
    monkeypatch.setattr(jit, "cache_folder", lambda source: None)  # one file gives several games here
    yield run
    for name in [name for name in sys.modules if name.startswith(NAME + ".")]:
        del sys.modules[name]


def lines(imported, changes, files=()):
    with pytest.raises(ValueError) as refused:
        imported(changes, files)
    return str(refused.value).splitlines()


def test_the_game_of_the_page_is_whole(imported):
    game = imported({}).build()
    assert game.scripted.SEARCH and game.drivers.log_likelihoods is None


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({r"legal_actions\b": "legal_action"}, "nim: no function legal_actions(s, mask); found legal_action"),
        ({r"\bobserve\(": "obsreve("}, "nim: no function observe(s, seat, view); found obsreve"),
        ({r"\bPHASES\b": "PHASE"}, "nim: no PHASES or phases(config); found PHASE"),
        ({r"view_blocks\b": "view_block"}, "nim: no VIEW_BLOCKS or view_blocks(config); found view_block"),
        ({"\nACTIONS = ": "\nMOVES = "}, "nim: no ACTIONS or actions(config)"),
        ({r"def picture\(": "def pictures("}, "nim: no function picture(game, state, seat); found pictures"),
        ({r"\nposition = ": "\npostion = "}, "nim: no function position(game, state, full); found postion"),
        ({r"\brate\(": "rates("}, "nim: no function rate(known, mask, work, values); found rates"),
        ({r"\bclock\(": "colck("}, "nim: no function clock(s); found colck"),
        ({"SEARCH": "SEACH"}, "nim: no SEARCH; found SEACH"),
    ],
)
def test_a_misspelt_name_is_said_with_the_nearest_there_is(imported, changes, line):
    assert lines(imported, changes) == [line]


def test_a_function_of_other_arguments_is_refused(imported):
    (line,) = lines(imported, {r"def legal_actions\(s: Record, mask: Any\)": "def legal_actions(s: Record)"})
    assert line.startswith("nim: legal_actions(s") and line.endswith("allowed: legal_actions(s, mask)")


def test_an_agent_may_have_a_kernel_of_its_own_for_its_action_with_these_arguments(imported):
    own = {r"(?=@kernel\ndef clock)": "@kernel\ndef decide(known{}):\n    return 2\n\n\n"}
    wrong, right = ({old: new.format(more) for old, new in own.items()} for more in ("", ", mask, work"))
    assert lines(imported, wrong) == ["nim: decide(known) has other arguments; allowed: decide(known, mask, work)"]
    game, masks = imported(right).build(), np.ones((1, 3), np.int8)
    assert chosen(game, game.blanks(1), masks).tolist() == [2]
    assert chosen(imported({}).build(), game.blanks(1), masks).tolist() == [0]


def test_all_missing_names_are_said_at_once(imported):
    changes = {r"def redeal\(": "def deal_again(", r"def apply\(": "def aply(", r"def worth\(": "def value("}
    said = lines(imported, changes)
    assert [re.search(r"no function (\w+)\(", line)[1] for line in said] == ["apply", "redeal", "worth"]
    assert said[0].endswith("; found aply")


def test_a_game_without_an_agent_is_whole_and_a_helper_of_such_a_name_is_its_own(imported):
    agent = r"(?s)\nSEARCH = .*(?=\n\n# Words and positions)"
    helper = "\ndef standing(s, seat, more):\n    return 0\n"
    assert imported({agent: helper}).build().player is None


def test_a_file_of_an_optional_part_must_have_its_names(imported):
    files = [("agents/limits.py", "def retruns(config):\n    return -1.0, 1.0\n")]
    assert lines(imported, {}, files) == ["nim.agents.limits: no function returns(config); found retruns"]


def test_a_game_that_is_not_in_the_list_is_refused(imported, monkeypatch):
    monkeypatch.delitem(games.GAMES, "nim")
    (line,) = lines(imported, {})
    assert line.startswith("nim: ") and "GAMES" in line
