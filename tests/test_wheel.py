"""The wheel, built, installed into an environment and used from outside the checkout."""

import importlib.metadata
import os
import re
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.games import SHIPPED

pytest.importorskip("hatchling")

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "tantra_envs"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


PLAYS_LEARNED = """
import sys
for missing in ("torch", "stable_baselines3", "agents", "training", "cyclopts"):  # the parser is not needed to play
    sys.modules[missing] = None
import gymnasium, tantra_envs
assert tantra_envs.__file__.startswith(sys.prefix), tantra_envs.__file__
env = gymnasium.make("tantra_envs/Karma-v0", opponents="learned")
_, info = env.reset(seed=1)
for _ in range(3):
    _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
tables = gymnasium.make_vec("tantra_envs/Karma-v0", num_envs=2, opponents="learned")
tables.reset(seed=1)
print(over, tables.step(tables.action_masks().argmax(axis=1))[1].tolist())
"""
MEASURES = """
import sys
for missing in ("torch", "stable_baselines3", "agents", "training", "benchmarks", "cyclopts"):
    sys.modules[missing] = None
import tantra_envs
from tantra_envs.opponents import learned
assert tantra_envs.__file__.startswith(sys.prefix), tantra_envs.__file__
game = tantra_envs.game("karma")
names = ["mine.py:First", f"ppo:{learned.file_of('karma')}", "search:2", f"text:{sys.executable} echo.py"]
for agent in tantra_envs.load_agents(names, game):
    (greedy,) = tantra_envs.load_agents(["greedy"], game)
    match = tantra_envs.play_match(game, [agent, greedy], lineup=[0, 1], deals=1)
    print(agent.name, match.score(0).mean)
"""
FIRST = """
class First:
    name = "first"

    def __init__(self, game):
        self.game = game

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)
"""
ECHO = """
import sys

for line in sys.stdin:
    if line.startswith("- "):
        reply = line[2:]
    elif not line.strip():
        print(reply, end="", flush=True)
"""


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of an environment in which pip installed the wheel; its libraries are those of this environment."""
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text("\n".join(site.getsitepackages()))
    return folder


def _run_installed(folder, *words):
    python = folder / "venv" / "bin" / "python"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([python, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_agents_of_all_kinds_are_measured_from_a_fresh_installation(installed):
    (installed / "mine.py").write_text(FIRST, encoding="utf-8")
    (installed / "echo.py").write_text(ECHO, encoding="utf-8")
    measured = dict(line.rsplit(" ", 1) for line in _run_installed(installed, "-c", MEASURES).splitlines())
    assert [name.partition(":")[0] for name in measured] == ["first", "ppo", "search", "text"]
    assert all(0 <= float(score) <= 1 for score in measured.values())


def test_learned_opponents_play_from_a_fresh_installation(installed):
    assert _run_installed(installed, "-c", PLAYS_LEARNED).startswith("False [")
    (packages,) = (installed / "venv").glob("lib/python*/site-packages")
    metadata = importlib.metadata.PathDistribution(next(packages.glob("tantra_envs-*.dist-info")))
    required = {re.split("[<>=]", line)[0] for line in metadata.requires or () if "extra ==" not in line}
    assert required == {"numpy", "numba", "gymnasium", "pettingzoo", "safetensors", "cyclopts"}


def test_it_holds_all_of_the_package_the_variants_and_the_pictures(wheel):
    files = {file for file in PACKAGE.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    wanted = {str(file.relative_to(ROOT)) for file in files}
    wanted |= {f"tantra_envs/{file.relative_to(ROOT)}" for file in (ROOT / "configs" / "games").rglob("*.toml")}
    wanted |= {f"tantra_envs/{file.relative_to(ROOT)}" for file in (ROOT / "constraints").glob("*.txt")}
    wanted |= {"tantra_envs/constraints.txt"}  # of the tested versions, which messages of missing libraries name
    wanted |= {f"tantra_envs/table/pictures/{name}.svg" for name in SHIPPED}  # of the lobby
    with zipfile.ZipFile(wheel) as content:
        held = {name for name in content.namelist() if ".dist-info/" not in name}
    assert held == wanted
    assert tantra_envs.__version__ in wheel.name


def test_its_description_stands_alone(wheel):
    """Links into the repository lead nowhere outside it; the programs of the description run."""
    with zipfile.ZipFile(wheel) as content:
        (name,) = (name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        text = content.read(name).decode()
    description = text.partition("\n\n")[2]
    links = re.findall(r"\]\(([^)]+)\)|(?:href|src|srcset)=\"([^\"]+)\"", description)
    assert not [link for pair in links for link in pair if link and not link.startswith("https://")]
    programs = re.findall(r"```python\n(.*?)```", description, re.DOTALL)
    assert len(programs) == 2
    for program in programs:
        exec(compile(program, name, "exec"), {})


def test_tables_are_drawn_and_replayed_from_it(installed):
    code = (
        "import sys, tantra_envs; from tantra_envs import drawing\n"
        "assert tantra_envs.__file__.startswith(sys.prefix), tantra_envs.__file__\n"
        "env = tantra_envs.make_raw('karma', render_mode='svg'); env.reset(seed=1)\n"
        "env.step(int(env.last()[0]['action_mask'].argmax()))\n"
        "print(env.render()); env.replay().save('game.html'); print(tantra_envs.variants('karma'))\n"
    )
    told = _run_installed(installed, "-c", code)
    assert told.startswith("<svg") and "sixty" in told
    assert (installed / "game.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    _run_installed(installed, "-m", "tantra_envs", "picture", "karma:sixty", "--moves", "3", "--out", "table.svg")
    assert (installed / "table.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_table_is_served_from_it(installed):
    code = (
        "import json, threading, urllib.request; from tantra_envs.commands import play\n"
        "options = play.Args('karma', seats=['me', 'search:2'], seed=1, save=play.Path('kept.json'))\n"
        "table, file = play.prepare(options)\n"
        "server = play.Server(table); threading.Thread(target=server.serve_forever, daemon=True).start()\n"
        "link = server.link(table.session.people[0])\n"
        "asked = [urllib.request.urlopen(link + route).read() for route in ('', 'state')]\n"
        "print(len(asked[0]), json.loads(asked[1])['svg'][:4])\n"
    )
    size, svg = _run_installed(installed, "-c", code).split()
    assert int(size) > 10_000 and svg == "<svg"
    _run_installed(installed, "-m", "tantra_envs", "replay", "kept.json", "--out", "kept.html")
    assert (installed / "kept.html").read_text(encoding="utf-8").startswith("<!doctype html>")
