"""The program that asks a model behind an endpoint: what it sends, what it reads, and when it asks again."""

import email.utils
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import tantra_envs
from agents import load
from tantra_envs.adapters import chat, programs
from tantra_envs.adapters.programs import TIMEOUT, SilentError
from tests.adapters.test_programs_as_agents import TABLE, decide

COMMAND = f"text:{sys.executable} -m tantra_envs.adapters.chat"
DROP, CUT = "drop the connection", "cut the answer off"


def message(content):
    return {"choices": [{"message": {"content": content}}]}


class Endpoint(BaseHTTPRequestHandler):
    """A model that thinks in one line and then plays the first legal action; it knows one name and one key.

    `faults` of the server come first: statuses with the header Retry-After, DROP or CUT. `answer` replaces the reply.
    """

    def do_POST(self):
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked += 1
        fault = self.server.faults.pop(0) if self.server.faults else (200, None)
        if fault == DROP:
            self.close_connection = True
            return
        status, after = (200, None) if fault == CUT else fault
        known = content["model"] == "fake" and self.headers["Authorization"] == "Bearer key"
        known = known and content["temperature"] == 0.5 and self.path == "/v1/chat/completions"
        system, question = content["messages"]
        known = known and system == {"role": "system", "content": "Play."}
        action = question["content"].partition("You may:\n- ")[2].partition("\n")[0]
        answer = message(f"Hm, pickup?\n\u2192 {action}\n\n")
        reply = json.dumps(answer if self.server.answer is None else self.server.answer).encode()
        self.send_response(status if known else 401)
        self.send_header("Content-Length", str(len(reply) + (fault == CUT)))
        if after is not None:
            self.send_header("Retry-After", after)
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *words):
        pass


@pytest.fixture
def endpoint(monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        server.faults, server.answer, server.asked = [], None, 0
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1/")
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        yield server
        server.shutdown()


@pytest.fixture
def pauses(monkeypatch):
    """The pauses of the program, which take no time: the clock is turned on by each."""
    pauses, clock = [], time.monotonic
    monkeypatch.setattr(chat.time, "sleep", pauses.append)
    monkeypatch.setattr(chat.time, "monotonic", lambda: clock() + sum(pauses))
    return pauses


def ask(model="fake"):
    return chat.reply(model, "You may:\n- play 9\n", {"temperature": 0.5, "system": "Play."})


def test_a_model_behind_an_endpoint_plays(endpoint, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")  # the reply has another letter
    game = tantra_envs.game("karma")
    state = game.from_position(TABLE)
    endpoint.faults = [(429, "0"), DROP]
    agent = load(f"{COMMAND} fake temperature=0.5 system=Play.", game)
    assert game.action_name(state, int(decide(agent, game, state)[0])) == "play 9"
    assert (agent.decisions, agent.repeated, agent.drawn, agent.dropped) == (1, 0, 0, 0)
    assert agent.received == len("Hm, pickup?\v? play 9\n")
    assert agent.sent > 1000 and agent.seconds > 0 and endpoint.asked == 3


def test_an_endpoint_that_stays_busy_ends_the_work_with_its_status(endpoint, monkeypatch):
    monkeypatch.setattr(programs, "SILENT", 1)
    game = tantra_envs.game("karma")
    endpoint.faults = [(429, "60")]
    agent = load(f"{COMMAND} fake temperature=0.5 system=Play.,timeout=20", game)
    with pytest.raises(SilentError, match="HTTP Error 429: Too Many Requests; the next try, in 60 s, would be after"):
        decide(agent, game, game.from_position(TABLE))
    assert endpoint.asked == 1


@pytest.mark.parametrize(("faults", "expected"), [
    ([(429, "7"), (429, None), (503, None)], [7, 2, 4]),
    ([(500, None), (502, None), (503, "soon"), (504, "nan")], [1, 2, 4, 8]),
    ([DROP, CUT, (529, "0")], [1, 2, chat.LEAST]),
])  # fmt: skip
def test_a_busy_endpoint_is_asked_again(endpoint, pauses, faults, expected):
    endpoint.faults = list(faults)
    assert ask() == "Hm, pickup?\n\u2192 play 9\n\n"
    assert pauses == expected and endpoint.asked == len(faults) + 1


def test_a_date_says_when_to_ask_again(endpoint, pauses):
    endpoint.faults = [(429, email.utils.formatdate(time.time() + 20, usegmt=True))]
    assert ask() and 15 < pauses[0] <= 20


@pytest.mark.parametrize(("timeout", "asked"), [("10", 4), ("100", 7), (None, 6)])  # pauses of 1, 2, 4, 8, 16, 32
def test_a_busy_endpoint_is_given_up_before_the_timeout_of_the_agent(endpoint, pauses, monkeypatch, timeout, asked):
    if timeout:
        monkeypatch.setenv(TIMEOUT, timeout)
    endpoint.faults = [(503, None)] * 20
    with pytest.raises(OSError, match="HTTP Error 503"):
        ask()
    assert endpoint.asked == asked and sum(pauses) < float(timeout or 60)


def test_an_endpoint_that_refuses_is_asked_once(endpoint, pauses):
    with pytest.raises(OSError, match="HTTP Error 401"):
        ask("unknown")
    assert endpoint.asked == 1 and not pauses


@pytest.mark.parametrize(("address", "reason"), [
    ("localhost/v1", "unknown url type"), ("http://127.0.0.1:port/v1", "nonnumeric port"), ("http:///v1", "no host"),
])  # fmt: skip
def test_a_wrong_address_is_named_and_asked_once(monkeypatch, pauses, address, reason):
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    monkeypatch.setattr(sys, "stdin", ["question\n", "\n"])
    with pytest.raises(SystemExit, match=rf"error: {address}/chat/completions did not answer: .*{reason}"):
        chat.main("fake")
    assert not pauses


@pytest.mark.parametrize(("content", "text"), [
    (None, ""),
    ("", ""),
    ([], ""),
    ([{"type": "text", "text": "I think: "}, {"type": "text", "text": "play 9"}], "I think: play 9"),
    ([{"type": "thinking", "thinking": [{"type": "text", "text": "play 10"}]}, {"type": "text", "text": "play 9"}],
     "play 9"),
    (["play ", "9"], "play 9"),
    ([{"type": "image_url", "image_url": {"url": "x"}}], ""),
])  # fmt: skip
def test_contents_in_parts_and_empty_ones_are_read(endpoint, content, text):
    endpoint.answer = message(content)
    assert ask() == text


@pytest.mark.parametrize("answer", [
    {"error": "busy"}, message(9), message({"text": "play 9"}), message([{"type": "text"}]), message([3]),
    {"choices": []}, {"choices": [{"message": None}]}, [],
])  # fmt: skip
def test_an_answer_without_text_is_refused_in_one_line(endpoint, monkeypatch, answer):
    endpoint.answer = answer
    monkeypatch.setattr(sys, "stdin", ["question\n", "\n"])
    with pytest.raises(SystemExit) as ended:
        chat.main("fake", "temperature=0.5", "system=Play.")
    assert "it sent no choices[0].message.content: " in str(ended.value) and "\n" not in str(ended.value)
    assert json.dumps(answer) in str(ended.value)
