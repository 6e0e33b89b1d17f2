"""Tables as text: prompts contain what the seat may know, and unreadable replies do not end the game."""

import json
import shlex
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import load, load_all
from tantra_envs.adapters.programs import SilentError
from tantra_envs.adapters.text import TextTable, prompt, rules
from tantra_envs.core.observation import Observation
from tantra_envs.games import SHIPPED
from tantra_envs.table.history import History
from tests.contract.games import contract

ANSWERING = Path(__file__).with_name("answering.py")


def karma(**fields):
    game = tantra_envs.game("karma", **fields)
    table = {"hands": [["9", "10", "GIVE"], ["2", "3"]], "up": [[], ["8"]], "pile": ["5", "9"], "draw": ["1"]}
    return game, game.from_position(table)


def first(turn):
    legal = turn.prompt.split("You may:\n")[1].splitlines()
    return legal[0].removeprefix("- ")


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_hidden_changes_no_byte_of_the_prompt(name):
    game = tantra_envs.game(name, **{**contract(name).BASE, game_cutoff(name): 120})
    table = TextTable(game, range(game.players))
    rng, swapped = np.random.default_rng(3), 0
    turn = table.reset(5)
    while not turn.done:
        if rng.random() < 0.2:
            history = table._history
            for seed in (1, 2):
                other = History(game, game.redeal(history.state, seed, turn.seat))
                swapped += other.state.tobytes() != history.state.tobytes()
                other.moves = [*history.moves[:-1], *(replace(past, after=other.start) for past in history.moves[-1:])]
                assert table._prompt(other) == turn.prompt
        legal = turn.prompt.split("You may:\n")[1].splitlines()[:-2]
        turn = table.step(legal[int(rng.integers(len(legal)))])
        assert not turn.error and not turn.drawn
    assert swapped


@pytest.mark.parametrize("choose", [min, max], ids=["first", "longest"])
@pytest.mark.parametrize("name", SHIPPED)
def test_a_player_who_reads_only_the_prompt_finishes_every_game(name, choose):
    """The player answers with the first action of the list, or with the one that has the most words and letters."""
    table = TextTable(tantra_envs.game(name), 0, "scripted", retries=0)
    turn, asked = table.reset(1), 0
    while not turn.done:
        listed = turn.prompt.split("You may:\n")[1].split("\n\n")[0].splitlines()
        key = listed.index if choose is min else lambda line: (len(line.split()), len(line))
        turn, asked = table.step(choose(listed, key=key)), asked + 1
        assert not turn.error and not turn.drawn
    assert asked > 5 and "The game" in turn.prompt


def game_cutoff(name):
    return tantra_envs.game(name).cutoff


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, int])
def test_every_integer_is_a_seed(kind):
    table, same = TextTable(tantra_envs.game("karma")), TextTable(tantra_envs.game("karma"))
    assert table.reset(kind(5)).prompt == same.reset(5).prompt
    assert table.reset(np.int64(-3)).prompt == same.reset(-3).prompt
    for wrong in (None, 1.5, True, "5"):
        with pytest.raises(ValueError, match=r"seed=.* is not allowed; allowed: an integer"):
            table.reset(wrong)


def test_what_was_done_in_secret_is_not_told():
    table = TextTable(tantra_envs.game("karma"), (0, 1))
    told = set()
    for choice in (0, 1):
        turn = table.reset(2)
        seat = turn.seat
        while turn.seat == seat:
            words = [line for line in turn.prompt.split("You may:\n")[1].splitlines() if line.startswith("- ")]
            turn = table.step(words[min(choice, len(words) - 1)])
        told.add(turn.prompt)
        assert f"seat {seat}: decides in secret" in turn.prompt
        assert any("place" in past for past in table.history(seat))
    assert len(told) == 1


def test_a_prompt_says_all_there_is_to_say():
    game, state = karma(copies=3)
    asked = prompt(game, state, 0, ["seat 1: play 9"])
    for part in ("Karma is a card game", "Played here with copies=3.", "You are seat 0 of 2.", "seat 1: play 9",
                 "pile (2, run 1): 5 9", "- play GIVE", "- pickup"):  # fmt: skip
        assert part in asked
    assert game.rules_text in asked
    assert "Played here with" not in rules(tantra_envs.game("tarot"))


def test_nonsense_costs_a_retry_and_not_the_game():
    table = TextTable(tantra_envs.game("karma"), 0, "uniform", retries=1)
    turn = table.reset(1)
    wrong = table.step("hm")
    assert wrong.error and "Tries left: 1" in wrong.prompt and wrong.prompt.endswith(turn.prompt) and not wrong.done
    again = table.step("hm")
    assert again.drawn and not again.error
    assert table.step("hm").error, "the next decision has its own retries"
    right = table.step(first(again))
    assert not right.error and not right.drawn


def test_games_end_with_what_was_paid_and_repeat_by_seed():
    def play(seed):
        table, seen = TextTable(tantra_envs.game("karma", players=3), (0, 2), "scripted"), []
        turn = table.reset(seed)
        while not turn.done:
            seen.append((turn.seat, turn.prompt))
            turn = table.step(first(turn))
        with pytest.raises(ValueError, match="no game is running"):
            table.step("pickup")
        return seen, turn

    seen, turn = play(4)
    assert play(4) == (seen, turn) and play(5) != (seen, turn)
    assert {seat for seat, _ in seen} == {0, 2} == set(turn.rewards)
    assert "The game is over." in turn.prompt and turn.reward == turn.rewards[0]
    assert set(turn.scores) == {0, 2} and set(turn.scores.values()) <= {0.0, 0.25, 0.5, 0.75, 1.0}
    assert (turn.scores[0] > turn.scores[2]) == (turn.rewards[0] > turn.rewards[2])


@pytest.mark.parametrize(("settings", "told"), [
    ({"seat": 2}, "seat=2"), ({"seat": ()}, "seat="), ({"retries": -1}, "retries=-1"),
    ({"opponents": "nobody"}, "nobody"),
])  # fmt: skip
def test_settings_that_cannot_be_are_refused(settings, told):
    with pytest.raises(ValueError, match=told):
        TextTable(tantra_envs.game("karma"), **settings)


def test_before_the_first_reset_there_is_no_game():
    with pytest.raises(ValueError, match="no game is running"):
        TextTable(tantra_envs.game("karma")).step("pickup")


class Endpoint(BaseHTTPRequestHandler):
    """A model that thinks in one line and then plays the first legal action; it knows one name and one key."""

    def do_POST(self):
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = content["model"] == "fake" and self.headers["Authorization"] == "Bearer key"
        system, message = content["messages"]
        known = known and system == {"role": "system", "content": "Play."} and content["temperature"] == 0.5
        action = message["content"].split("You may:\n- ")[1].splitlines()[0]
        reply = json.dumps({"choices": [{"message": {"content": f"Hm, pickup?\n→ {action}\n\n"}}]}).encode()
        self.send_response(200 if known and self.path == "/v1/chat/completions" else 401)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *words):
        pass


def test_a_model_behind_an_endpoint_plays(monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1/")
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        monkeypatch.setenv("PYTHONIOENCODING", "ascii")  # the reply has another letter
        game, state = karma()
        command = f"text:{sys.executable} -m tantra_envs.adapters.chat"
        agent, unknown = (load(f"{command} {n} temperature=0.5 system=Play.", game) for n in ("fake", "no"))
        assert game.action_name(state, int(decide(agent, game, state)[0])) == "play 9"
        assert (agent.decisions, agent.repeated, agent.received) == (1, 0, len("? play 9\n"))
        assert agent.sent > 1000 and agent.seconds > 0
        with pytest.raises(SilentError, match=r"error: http\S+ did not answer: HTTP Error 401"):
            decide(unknown, game, state, 3)
        monkeypatch.setattr(json, "dumps", lambda content: '{"error": "busy"}')  # in the server
        with pytest.raises(SilentError, match=r'did not answer: it sent no choices\[0\]\S+: {"error": "busy"}'):
            decide(agent, game, state, 3)
        server.shutdown()
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost/v1")
    with pytest.raises(SilentError, match="error: localhost/v1/chat/completions did not answer: unknown url type"):
        decide(load(f"{command} fake", game), game, state, 3)


def program(manner, options=""):
    game, state = karma()
    agent = load(f"text:{sys.executable} {ANSWERING} {manner}{options}", game)
    return agent, game, state


def decide(agent, game, state, tables=1):
    return agent.act(Observation(game, np.repeat(state, tables)), np.random.default_rng(0))


def test_a_program_that_answers_well_plays_what_it_says():
    agent, game, state = program("well")
    actions = decide(agent, game, state, 3)
    assert [game.action_name(state, int(action)) for action in actions] == ["pickup"] * 3
    assert (agent.decisions, agent.repeated, agent.drawn) == (3, 0, 0)
    assert agent.origin["timeout"] == 60


def test_a_program_that_mends_its_reply_loses_nothing():
    agent, game, state = program("mends")
    assert game.action_name(state, int(decide(agent, game, state)[0])) == "play 9"
    assert (agent.repeated, agent.drawn) == (1, 0)


def test_a_program_that_answers_badly_has_actions_drawn():
    agent, game, state = program("badly", ",retries=1")
    assert all(game.mask(state)[action] for action in decide(agent, game, state, 4))
    assert (agent.decisions, agent.repeated, agent.drawn) == (4, 8, 4)


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
