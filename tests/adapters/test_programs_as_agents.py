"""Programs as agents: each reply answers the question before it, and nothing else."""

import contextlib
import queue
import shlex
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import load, load_all
from tantra_envs.adapters.programs import SilentError
from tantra_envs.core.observation import Observation

ANSWERING = Path(__file__).with_name("replying_programs.py")
TABLE = {"hands": [["9", "10", "GIVE"], ["2", "3"]], "up": [[], ["8"]], "pile": ["5", "9"], "draw": ["1"]}


def program(manner, options=""):
    game = tantra_envs.game("karma")
    state = game.from_position(TABLE)
    agent = load(f"text:{sys.executable} {ANSWERING} {manner}{options}", game)
    return agent, game, state


def decide(agent, game, state, tables=1):
    return agent.act(Observation(game, np.repeat(state, tables)), np.random.default_rng(0))


@pytest.mark.parametrize(("manner", "options", "names", "counts"), [
    ("well", "", {"pickup"}, (3, 0, 0)), ("mends", "", {"play 9"}, (3, 3, 0)),
    ("badly", ",retries=1", set(), (3, 6, 3)),
])  # fmt: skip
def test_replies_are_played_repeated_or_replaced_by_drawn_actions(manner, options, names, counts):
    agent, game, state = program(manner, options)
    actions = decide(agent, game, state, 3)
    played = {game.action_name(state, int(action)) for action in actions}
    assert played == names or (not names and game.mask(state)[actions].all())
    assert (agent.decisions, agent.repeated, agent.drawn) == counts
    assert agent.origin["timeout"] == 60


@pytest.mark.parametrize(("manner", "repeated", "dropped"), [
    ("banner", 0, 1), ("loader", 1, 1), ("talker", 0, 7), ("flooder", 0, 7000),
])  # fmt: skip
@pytest.mark.parametrize("speed", ["slow", "fast"])
def test_a_line_too_much_never_answers_the_next_question(speed, manner, repeated, dropped, capsys):
    """Every first action is legal at all tables, so the reply to the question before would be played."""
    agent, game, _ = program(f"{speed}-{manner}")
    hands = (["9", "10", "11"], ["10", "11"], ["11"], ["10", "11"])
    states = [game.from_position({**TABLE, "hands": [hand, ["2", "3"]]}) for hand in hands * 2]
    actions = agent.act(Observation(game, np.concatenate(states)), np.random.default_rng(0))
    names = [game.action_name(state, int(action)) for state, action in zip(states, actions, strict=True)]
    assert names == [f"play {hand[0]}" for hand in hands * 2]
    assert (agent.decisions, agent.repeated, agent.drawn, agent.dropped) == (8, repeated, 0, dropped)
    shown = [line for line in capsys.readouterr().err.splitlines() if "dropped" in line]
    assert len(shown) == 1 and ("loading" in shown[0]) == (manner == "banner")


def test_a_program_that_only_talks_does_not_answer_in_time():
    agent, game, state = program("endless", ",timeout=0.3")
    decide(agent, game, state)
    assert agent.drawn == 1 and agent.dropped > 1 and agent.received == 0


def test_waits_for_a_line_end_however_short_they_are():
    """With `SimpleQueue` of Python 3.11 some of them would last forever."""
    agent, game, state = program("well")
    decide(agent, game, state)
    lines = agent._program._lines

    def wait_often():
        for _ in range(100_000):
            with contextlib.suppress(queue.Empty):
                lines.get(timeout=1e-9)
            lines.put("a line")
            lines.get()

    thread = threading.Thread(target=wait_often, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


LATE, DEAD = "it did not answer within 0.5 s", "it ended with exit code 3; its last line on stderr: CUDA is not there"
SILENCES = [
    ("late", "0.5", LATE),
    ("never", "0.5", LATE),
    ("ends", "60", "it ended with exit code 0"),
    ("dies", "60", DEAD),
]


@pytest.mark.parametrize(("manner", "timeout", "problem"), SILENCES)
def test_a_program_that_does_not_answer_in_time_loses_its_choice_and_then_the_work(manner, timeout, problem):
    agent, game, state = program(manner, f",timeout={timeout}")
    assert all(game.mask(state)[action] for action in decide(agent, game, state, 2))
    assert (agent.decisions, agent.drawn) == (2, 2)
    with pytest.raises(SilentError, match=f"gave no reply 3 times in a row: {problem}$"):
        decide(agent, game, state)
    with pytest.raises(SilentError, match="gave no reply"):  # and again, in place of random play
        decide(agent, game, state)


def test_a_program_that_ends_after_each_reply_is_started_again():
    agent, game, state = program("once")
    decide(agent, game, state, 4)
    assert agent.received and agent.drawn < 4


@pytest.mark.parametrize(("manner", "timeout", "problem"), [*SILENCES, ("", "60", "cannot be run")])
def test_a_program_that_fails_ends_the_evaluation_with_one_line(manner, timeout, problem, capsys):
    evaluate = pytest.importorskip("training.evaluate")
    command = f"{sys.executable} {ANSWERING} {manner}" if manner else "./no-such-program"
    words = ["karma", "--agent", f"text:{command},timeout={timeout}", "--opponents", "uniform", "--deals", "1"]
    with pytest.raises(SystemExit) as ended:
        evaluate.main(words)
    last = capsys.readouterr().err.splitlines()[-1]
    assert ended.value.code == 1 and last.startswith("error: ") and problem in last


@pytest.mark.parametrize("command", ["", "  ", "prog,timeout=0", "prog,timeout=soon", "prog,speed=9"])
def test_commands_that_cannot_be_are_refused(command):
    with pytest.raises(ValueError, match="text:"):
        load(f"text:{command}", tantra_envs.game("karma"))


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_words_of_a_command_keep_the_backslashes_of_windows(monkeypatch, platform):
    monkeypatch.setattr("sys.platform", platform)
    agent = load(r"text:python 'my models\a.py' C:\b\c.py # 1", tantra_envs.game("karma"))
    last = r"C:\b\c.py" if platform == "win32" else "C:bc.py"
    assert shlex.split(agent.origin["command"]) == ["python", r"my models\a.py", last, "#", "1"]


def test_a_program_plays_a_match():
    from tantra_envs.matches.match import play_match

    game = tantra_envs.game("karma", max_moves=30)
    agents = load_all([f"text:{sys.executable} {ANSWERING} well", "uniform"], game)
    match = play_match(game, agents, [0, 1], 2, seed=1)
    assert 0 <= match.score(0).mean <= 1 and agents[0].decisions > 10 and agents[0].drawn == 0


def test_an_evaluation_prints_the_share_of_drawn_actions(capsys):
    evaluate = pytest.importorskip("training.evaluate")
    badly, talks = (f"text:{sys.executable} {ANSWERING} {manner}" for manner in ("badly", "fast-talker"))
    evaluate.main(["karma", "--agent", badly, "--opponents", "uniform", talks, "--deals", "1"])
    out = " ".join(capsys.readouterr().out.split())
    assert f"{badly}: 100.0% of " in out and f"{talks}: 0.0% of " in out and " lines dropped" in out
    evaluate.main(["karma", "--agent", "greedy", "--opponents", "uniform", "--deals", "1"])
    assert "drawn" not in capsys.readouterr().out
