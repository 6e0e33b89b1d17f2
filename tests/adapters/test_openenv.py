"""The package for OpenEnv: its own validation, and what that does not measure yet."""

import json
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("openenv.validation")

from fastapi.testclient import TestClient
from openenv.validation import Level, run_validation
from openenv.validation.types import ProviderCapability

from tantra_envs import __main__ as program
from tantra_envs import puzzles
from tantra_envs.adapters.openenv_environment import OPPONENTS, app
from tantra_envs.puzzles import SPLITS

SECONDS = 300  # until a server has started on a busy machine
MEASURED = {  # by OpenEnv 0.10; it lists other checks as not implemented
    "static.manifest",
    "runtime.startup",
    "runtime.reward_well_formed",
    "runtime.observation_schema",
    "runtime.state_contract",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package") / "tantra-openenv"
    assert program.main(["openenv", str(folder)]) == 0
    return folder


@contextmanager
def serving(folder):
    """Yield the address of the server of a package, in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "uvicorn", "server.app:app", "--port", str(port), "--log-level", "warning"]
    with subprocess.Popen(words, cwd=folder) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            end = time.monotonic() + SECONDS
            while True:
                try:
                    urllib.request.urlopen(f"{address}/health", timeout=5).close()
                    break
                except OSError:
                    assert process.poll() is None and time.monotonic() < end
                    time.sleep(0.2)
            yield address
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def address(folder):
    with serving(folder) as address:
        yield address


class Processes:
    """A provider of OpenEnv's validation that starts the server as a process, where there is no Docker."""

    name = "process"
    capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
    supported_network_modes = frozenset({"no-network"})  # it isolates nothing: that check is skipped

    def __init__(self, address):
        self.base_url = address

    def build(self, root, execution):
        assert (Path(root) / execution.dockerfile).is_file()
        return "sha256:" + "0" * 64

    def start(self, spec):
        return self

    def inspect(self):
        return {}

    def stop(self):
        pass


def validated(*words):
    words = [sys.executable, "-m", "openenv.cli", "validate", *map(str, words), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_the_static_lane_passes(folder):
    report = validated(folder, "--level", "static")
    assert report["verdict"] == "pass"
    assert report["manifest"]["capabilities"]["declared_task_count"] == {name: len(s) for name, s in SPLITS.items()}


def test_the_server_conforms(address):
    report = validated("--url", address)
    assert report["passed"] and report["mode"] == "simulation"


def test_the_runtime_and_semantic_lanes_find_nothing_wrong(folder, address):
    """The verdict is `warn` as long as OpenEnv leaves out checks that it does not implement."""
    report = run_validation(folder, max_level=Level.SEMANTIC, provider=Processes(address))
    found = {result.check_id: result.status.value for result in report.results}
    assert not {check for check, status in found.items() if status in ("fail", "error")}, report.results
    assert {check for check, status in found.items() if status == "pass"} >= MEASURED
    assert report.verdict.value in ("pass", "warn")
    skipped = [result for result in report.results if result.status.value == "skip"]
    assert all("not implemented" in result.evidence[0] or "network" in result.check_id for result in skipped)


def test_the_oracle_of_the_package_has_reward_1(folder, address):
    words = [sys.executable, "validation/oracle.py", address]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{len(puzzles.kinds())} puzzles, mean reward 1\n"


def talk(socket, kind, **data):
    socket.send_json({"type": kind, **({"data": data} if kind != "state" else {})})
    return socket.receive_json()


def test_a_seed_controls_the_episode_and_nothing_leaks():
    """A model gets neither the seed nor the solution."""
    with TestClient(app) as client, client.websocket_connect("/ws") as socket:
        shown = [talk(socket, "reset", seed=seed, task="tarot/win") for seed in (3, 3, 4)]
        assert shown[0] == shown[1] != shown[2]
        puzzle = puzzles.make("tarot/win", 4)
        state = talk(socket, "state")["data"]
        assert set(state) == {"episode_id", "step_count"}
        ended = talk(socket, "step", reply="nothing")
        assert ended["data"]["done"] and ended["data"]["reward"] == 0.0
        assert all(puzzle.proof not in json.dumps(message) for message in (shown[2], state, ended))


def test_a_game_is_played_to_its_end():
    with TestClient(app) as client, client.websocket_connect("/ws") as socket:
        message = talk(socket, "reset", seed=1, task="play karma", opponents="uniform")["data"]
        steps = 0
        while not message["done"]:
            reply = message["observation"]["prompt"].split("You may:\n- ")[1].splitlines()[0]
            message = talk(socket, "step", reply=reply)["data"]
            steps += 1
        assert 0.0 <= message["reward"] <= 1.0
        assert talk(socket, "state")["data"]["step_count"] == steps > 1


def test_a_plain_client_needs_no_session():
    with TestClient(app) as client:
        shown = client.post("/reset", json={"seed": 7, "task": "karma/win"}).json()
        puzzle = puzzles.make("karma/win", 7)
        assert shown["observation"]["prompt"] == puzzle.prompt
        action = {"reply": puzzle.solution, "seed": 7, "task": "karma/win"}
        assert client.post("/step", json={"action": action}).json()["reward"] == 1.0


def test_clients_start_no_programs_and_read_no_files():
    """An agent has a name such as text:COMMAND or FILE.py:CLASS in other places."""
    with TestClient(app) as client, client.websocket_connect("/ws") as socket:
        for wrong in (
            {"opponents": "text:touch hacked"},
            {"opponents": "agent.py:Agent"},
            {"workers": 3},
            {"task": "chess"},
        ):
            assert talk(socket, "reset", **{"seed": 1, "task": "play karma", **wrong})["type"] == "error"
    assert all(not set(name) & set("./ ") for name in OPPONENTS)


def test_tasks_can_be_listed():
    with TestClient(app) as client:
        assert {split["name"] for split in client.get("/tantra_envs/splits").json()} == set(SPLITS)
        assert client.post("/tantra_envs/num_tasks", json={"split": "test"}).json() == {
            "num_tasks": len(SPLITS["test"])
        }
        task = client.post("/tantra_envs/task", json={"split": "test", "index": 5}).json()
        assert task["task"]["seed"] == SPLITS["test"][5] if "task" in task else task["seed"] == SPLITS["test"][5]
        assert client.post("/tantra_envs/task", json={"split": "test", "index": -1}).status_code == 400
        by_index = client.post("/reset", json={"split": "test", "index": 5}).json()
        by_seed = client.post("/reset", json={"seed": SPLITS["test"][5]}).json()
        assert by_index["observation"] == by_seed["observation"]


def test_the_clients_on_the_page_run(address, capsys):
    page = (Path(__file__).resolve().parents[2] / "docs/puzzles.md").read_text(encoding="utf-8")
    for program_text in (found := re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)):
        exec(program_text.replace("http://localhost:8000", address), {})
        assert capsys.readouterr().out.startswith(puzzles.make("karma/win", 7).prompt)
    assert len(found) == 2
