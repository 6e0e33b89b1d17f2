"""Text tables as an environment of verifiers, played by a scripted model behind an endpoint like OpenAI's."""

import asyncio
import json
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from types import SimpleNamespace

import pytest

import tantra_envs
from tantra_envs import puzzles
from tantra_envs.adapters.text import TextTable

vf = pytest.importorskip("verifiers.v1")
NAME = "tantra_tables"
SHORT = "max_moves=10"  # verifiers starts a program for every reply
LINES = "from tantra_envs.adapters.verifiers_tasks import *\nfrom tantra_envs.adapters.verifiers_tasks import __all__\n"


@pytest.fixture(autouse=True)
def plugin(tmp_path, monkeypatch):
    """Install the module by which verifiers finds the task set, and run its chat program without a download."""
    (tmp_path / f"{NAME}.py").write_text(LINES)
    monkeypatch.syspath_prepend(tmp_path)

    async def prepared(self, script, env=None, *, activate=True):
        file = tmp_path / "chat.py"
        file.write_text(script)
        return [sys.executable, str(file)]

    monkeypatch.setattr(vf.Runtime, "prepare_uv_script", prepared)


def first(prompt):
    return prompt.split("You may:\n- ")[1].splitlines()[0]


@contextmanager
def model(answer):
    """Yield the address of a model that answers a prompt with `answer(prompt)`, and the conversations so far."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
            asked.append([message["content"] for message in messages])
            facts = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            reply, end = {"role": "assistant", "content": answer(asked[-1][-1])}, {}
            events = [
                {**facts, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], "usage": usage}
                for delta, reason in ((reply, None), (end, "stop"))
            ]
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for data in (*map(json.dumps, events), "[DONE]"):
                self.wfile.write(f"data: {data}\n\n".encode())

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
        server.shutdown()


def played(answer, seed=3, player=None, **taskset):
    """Return the trace of a game, and the conversations with the model."""
    from verifiers.v1.utils.loaders import environment_class

    env_class = environment_class(NAME)
    config = env_class.__orig_bases__[0].__args__[0]
    options = {"taskset": {"id": NAME, "seed": seed, "opponents": "uniform", "options": SHORT, **taskset}}
    env = env_class(config.model_validate({**options, **({"player": player} if player else {})}))
    (task,) = islice(env.taskset, 1)

    async def play(address):
        async with env.serving():
            context = vf.ModelContext("fake", vf.EvalClientConfig(base_url=address, api_key_var="NO_KEY"))
            return await env.run_episode(task, context)

    with model(answer) as (address, asked):
        episode = asyncio.run(play(address))
    assert not episode.errors, episode.errors
    (trace,) = episode.traces
    assert not trace.errors, trace.errors
    return trace, asked


def test_a_task_is_a_seed_and_repeats_the_game():
    trace, asked = played(first)
    table = TextTable(tantra_envs.game("karma", max_moves=10), 0, "uniform")
    turn, replies = table.reset(3), 0
    assert asked[0][-1] == turn.prompt
    while not turn.done:
        turn, replies = table.step(first(turn.prompt)), replies + 1
    assert trace.rewards["score"].score == turn.scores[0]
    assert trace.metrics == {
        "finished": 1, "decisions": replies, "illegal": 0, "drawn": 0, "game_reward": turn.rewards[0],
    }  # fmt: skip
    rules = table.game.rules_text
    assert [text.count(rules[:200]) for text in (asked[0][-1], asked[1][-1], asked[-1][-1])] == [1, 0, 0]


def test_nonsense_costs_decisions_and_not_the_game():
    trace, asked = played(lambda prompt: "hm", retries=1)
    metrics = trace.metrics
    assert metrics["finished"] == 1 and 2 * metrics["drawn"] == 2 * metrics["decisions"] == metrics["illegal"] > 2
    assert "No action was found" in asked[1][-1]


SHORT_OF_TURNS = {"max_turns": 2, "harness": {"id": "null"}, "runtime": {"type": "subprocess"}}


def test_a_game_that_is_not_finished_scores_nothing():
    trace, _ = played(first, player=SHORT_OF_TURNS)
    assert trace.rewards["score"].score == 0 and trace.metrics["finished"] == 0


def test_tasks_have_seeds_in_order_and_a_game_for_one_is_refused():
    from tantra_envs.adapters.verifiers_tasks import TableConfig, TableTasks

    tasks = list(islice(TableTasks(TableConfig(id=NAME, game="karma", seed=7)), 3))
    assert [task.data.seed for task in tasks] == [7, 8, 9] and len({task.data.prompt for task in tasks}) == 3
    with pytest.raises(ValueError, match="games with opponents"):
        next(iter(TableTasks(TableConfig(id=NAME, game="tantrix", options="mode=solitaire"))))


def test_puzzles_are_tasks_whose_reward_is_the_credit():
    from tantra_envs.adapters.verifiers_puzzles import PuzzleTasks

    config = PuzzleTasks.__orig_bases__[0].__args__[1]
    tasks = list(islice(PuzzleTasks(config(id="tantra_puzzles", kind="karma", seed=5)), 2))
    for task, seed in zip(tasks, (5, 6), strict=True):
        puzzle = puzzles.make("karma", seed)
        assert task.data.prompt == puzzle.prompt and task.data.kind == puzzle.kind
        for reply, credit in ((puzzle.solution, 1.0), ("nothing", 0.0), (None, 0.0)):
            assert asyncio.run(task.credit(SimpleNamespace(last_reply=reply))) == credit
