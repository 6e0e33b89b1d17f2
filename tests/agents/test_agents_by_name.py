"""Agents by name: they play legal actions at their expected strength, and wrong names are refused."""

import json
import pickle
import sys

import numpy as np
import pytest

import tantra_envs
from agents import load, load_all, origin
from tantra_envs.core.playouts import chosen
from tantra_envs.games.karma.agents import scripted as karma
from tantra_envs.matches.match import play_match
from tantra_envs.matches.playing import play_tables

TABLES = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 6, "copies": 3},
    {"players": 12, "copies": 3, "decks": 2},
    {"players": 2, "copies": 3},
    {"players": 4, "karma_sets": False, "chain_clears": False, "surfaced_counts": False, "give_to_out": False},
    {"players": 3, "voluntary_pickup": False, "follow_optional": False},
]


@pytest.mark.parametrize("config", TABLES, ids=str)
@pytest.mark.parametrize("name", ["uniform", "greedy", "scripted"])
def test_every_action_is_legal(name, config):
    """`play_tables` refuses illegal actions; all phases must have been played."""
    game, phases = tantra_envs.game("karma", **config), set()
    seating = np.tile(np.arange(game.players) % 2, (12, 1))

    def look(states, rows, actions):
        own = seating[rows, states["seat"][rows]] == 0
        phases.update(states["phase"][rows][own].tolist())

    play_tables(game, load_all([name, "uniform"], game), seating, np.arange(12), look=look)
    assert phases == ({0, 1, 2, 3} if game.players > 2 else {0, 1, 2})


@pytest.mark.parametrize(
    ("players", "better", "worse", "least"),
    [
        (2, "greedy", "uniform", 0.95),
        (2, "scripted", "uniform", 0.95),
        (2, "scripted", "greedy", 0.55),
        (3, "scripted", "greedy", 0.53),
        (4, "scripted", "greedy", 0.52),
        (4, "scripted", "uniform", 0.64),
    ],
)
def test_strength(players, better, worse, least):
    """Alone among more than one, the best score is that of never being last: 0.75 of three, 0.667 of four."""
    game = tantra_envs.game("karma", players=players)
    match = play_match(game, load_all([better, worse], game), [0] + [1] * (players - 1), 150, seed=1)
    assert match.score(0).low > least


def decide(name, **position):
    """What an agent does in a position of two players."""
    game = tantra_envs.game("karma", players=len(position["hands"]))
    state = game.from_position(position)
    agent = load(name, game)
    obs = tantra_envs.Observation(game, state)
    return game.action_name(state, int(agent.act(obs, np.random.default_rng(0))[0]))


DRAW = ["1", "2", "5", "6"]
BOTH = ("greedy", "scripted")
DECISIONS = [  # agents, a position, and what they do there
    (BOTH, {"hands": [["3", "9", "16"], ["7", "8", "9"]], "pile": ["2"], "draw": DRAW}, "play 3"),
    (BOTH, {"hands": [["4", "6", "6"], ["7", "8", "9"]], "pile": ["2"]}, "play 6x2"),
    (BOTH, {"hands": [["9", "10", "16"], ["7", "8", "12"]], "pile": ["2", "9"]}, "play 9"),
    (BOTH[1:], {"hands": [["8", "GIVE", "TABLE"], ["7", "9", "9"]], "pile": ["6"], "draw": DRAW[:3]}, "play 8"),
    (BOTH[1:], {"hands": [["3", "4", "GIVE"], ["7", "9", "9"]], "draw": DRAW[:3],
                "pile": ["1", "2", "5", "6", "8", "10", "12", "13", "14"]}, "play GIVE"),
    (BOTH[1:], {"hands": [["3", "4", "GIVE"], ["7", "9", "9"]], "draw": DRAW[:3], "pile": ["5"]}, "pickup"),
    (BOTH[1:], {"hands": [["3", "4"], ["7", "9", "9"], ["10"], ["1", "2"]], "pile": ["5", "6"], "phase": "TARGET"},
     "give 2"),
]  # fmt: skip


@pytest.mark.parametrize(("names", "position", "action"), DECISIONS)
def test_agents_decide_by_the_position(names, position, action):
    assert {decide(name, **position) for name in names} == {action}


def test_scripted_puts_its_best_cards_face_up():
    hands = [["1", "2", "4", "16", "GIVE", "TABLE"], ["5", "6", "7", "8", "9", "10"]]
    assert decide("scripted", hands=hands, phase="SETUP", dealer=1) in ("place GIVE", "place TABLE")


def test_weights_make_another_player():
    game = tantra_envs.game("karma")
    stubborn = karma.prepare(game)
    stubborn["w"]["pickup"] = 1000.0
    state = game.from_position({"hands": [["3", "4", "GIVE"], ["7", "9", "9"]], "pile": ["5"], "draw": ["1", "2"]})
    obs = tantra_envs.Observation(game, state)
    action = chosen(game, obs.known, obs.action_mask, stubborn)[0]
    assert game.action_name(state, int(action)) == "play GIVE"


OWN = """
import numpy as np

class First:
    def __init__(self, game):
        self.name = "first"

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)

class NoAgent:
    def __init__(self, game):
        pass

class NoGame:
    name = "no game"
"""

WITH_WEIGHTS = """
from pathlib import Path
import numpy as np

class Trained:
    name = "trained"

    files = [Path(__file__).with_name("weights.npy")]

    def __init__(self, game):
        self.weights = np.load(self.files[0])

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)
"""


def test_new_weights_and_new_code_are_another_agent(tmp_path):
    """Otherwise a tournament would show the old games of a network that was trained further."""
    game, file, weights = tantra_envs.game("karma"), tmp_path / "mine.py", tmp_path / "weights.npy"
    digests = []
    for numbers, comment in (([1, 2], ""), ([1, 2], ""), ([1, 3], ""), ([1, 3], "# changed\n")):
        np.save(weights, numbers)
        file.write_text(WITH_WEIGHTS + comment)
        digests.append(origin(load(f"{file}:Trained", game))["digest"])
    assert digests[0] == digests[1] != digests[2] != digests[3]
    weights.unlink()
    with pytest.raises(ValueError, match=r"mine.py:Trained' could not be made: .*No such file.*weights.npy"):
        load(f"{file}:Trained", game)
    file.write_text(OWN.replace("self.name", "self.files = ['no-such-file.bin']; self.name"))
    with pytest.raises(ValueError, match=r"no-such-file\.bin"):
        load(f"{file}:First", game)


@pytest.mark.parametrize(
    ("code", "words", "cause"),
    [
        (
            "class Mine:\n    def __init__(self, game): 1 / 0",
            "mine.py:Mine' could not be made: ZeroDivisionError",
            Exception,
        ),
        (
            "import sys\nclass Mine:\n    def __init__(self, game): sys.exit()",
            "mine.py:Mine' could not be made: SystemExit",
            SystemExit,
        ),
        ("raise SystemExit(0)", "mine.py' could not be run: SystemExit: 0", SystemExit),
        ("import no_such_module", "mine.py' could not be run: ModuleNotFoundError: .*no_such_module", ImportError),
        ("class Mine", "mine.py' could not be run: SyntaxError", SyntaxError),
        (
            "class Mine:\n    name = 'm'\n    def __init__(self, game): pass",
            "Mine is not an agent: it has no 'act'",
            None,
        ),
    ],
)
def test_a_file_that_makes_no_agent_is_named_and_the_cause_is_kept(code, words, cause, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(code)
    with pytest.raises(ValueError, match=words) as failed:
        load(f"{file}:Mine", tantra_envs.game("karma"))
    assert isinstance(failed.value.__cause__, cause or type(None))


IMPORTS = """import helper
from parts.{part} import NUMBER
class Mine:
    name = "mine"
    def __init__(self, game):
        import late
        self.numbers = helper.NUMBER, NUMBER, late.NUMBER
    def act(self, obs, rng): return obs.action_mask.argmax(axis=1)
"""


def test_an_agent_of_several_files_imports_those_next_to_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    for number, folder in enumerate((tmp_path / "a", tmp_path / "b")):
        (folder / "parts").mkdir(parents=True)
        (folder / "mine.py").write_text(IMPORTS.format(part=f"part{number}"))
        for name in ("helper", "late", "json", f"parts/part{number}"):
            (folder / f"{name}.py").write_text(f"NUMBER = {number}")
        (folder / "parts" / "__init__.py").touch()
    agents = [load(f"{tmp_path / name}/mine.py:Mine", tantra_envs.game("karma")) for name in "aba"]
    assert [agent.numbers for agent in agents] == [(0, 0, 0), (1, 1, 1), (0, 0, 0)]
    assert hasattr(json, "loads") and sys.modules["json"] is json


DATACLASS = """from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Mine:
    game: object
    name: str = "mine"
    def act(self, obs, rng): return obs.action_mask.argmax(axis=1)
"""


def test_an_agent_may_be_a_dataclass_in_the_home_folder_and_is_pickled(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.py").write_text(DATACLASS)
    assert pickle.loads(pickle.dumps(load("~/mine.py:Mine", tantra_envs.game("karma")))).name == "mine"


def test_an_own_agent_by_its_file(tmp_path):
    game, file = tantra_envs.game("karma"), tmp_path / "mine.py"
    file.write_text(OWN)
    first, uniform = load_all([f"{file}:First", "uniform"], game)
    play_tables(game, [first, uniform], [[0, 1]], [1])
    assert first.name == "first" and len(origin(first)["digest"]) == 12
    for name, told in (
        ("Last", "has no agent 'Last'; its classes: First, NoAgent, NoGame"),
        ("NoAgent", "NoAgent is not an agent: it has no 'name'"),
        ("NoGame", r"the call NoGame\(game\) fails: .*; allowed: a class with __init__\(self, game\)"),
    ):
        with pytest.raises(ValueError, match=told):
            load(f"{file}:{name}", game)
