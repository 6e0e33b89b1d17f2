"""The wheel, built, installed into a folder and used from outside the checkout."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def outside(wheel):
    """Runs Python in an empty folder with the wheel's package and not the checkout's."""
    site, here = wheel.parent / "site", wheel.parent / "here"
    here.mkdir()
    with zipfile.ZipFile(wheel) as content:
        content.extractall(site)

    def run(*words):
        env = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
        done = subprocess.run([sys.executable, *words], cwd=here, env=env, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.here, run.site = here, site
    return run


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
tables = gymnasium.make_vec("tantra_envs/Karma-v0", num_envs=2, opponents="search:2,base=learned")
tables.reset(seed=1)
print(over, tables.step(tables.action_masks().argmax(axis=1))[1].tolist())
"""


def test_learned_opponents_play_from_a_fresh_installation(wheel, tmp_path):
    """The wheel is installed by pip; the libraries it requires are those of this environment."""
    pytest.importorskip("pip")
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text("\n".join(site.getsitepackages()))
    done = subprocess.run([python, "-c", PLAYS_LEARNED], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("False ["), done.stderr
    metadata = importlib.metadata.PathDistribution(next(packages.glob("tantra_envs-*.dist-info")))
    required = {re.split("[<>=]", line)[0] for line in metadata.requires or () if "extra ==" not in line}
    assert required == {"numpy", "numba", "gymnasium", "pettingzoo", "safetensors", "cyclopts"}


def test_it_holds_all_of_the_package_the_variants_and_the_pictures(wheel):
    files = {file for file in PACKAGE.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    wanted = {str(file.relative_to(ROOT)) for file in files}
    wanted |= {f"tantra_envs/{file.relative_to(ROOT)}" for file in (ROOT / "configs" / "games").rglob("*.toml")}
    wanted |= {f"tantra_envs/table/pictures/{name}.svg" for name in SHIPPED}  # of the lobby
    with zipfile.ZipFile(wheel) as content:
        held = {name for name in content.namelist() if ".dist-info/" not in name}
    assert held == wanted
    assert tantra_envs.__version__ in wheel.name


def test_tables_are_drawn_and_replayed_from_it(outside):
    code = (
        "import tantra_envs; from tantra_envs import drawing\n"
        f"assert tantra_envs.__file__.startswith({str(outside.site)!r}), tantra_envs.__file__\n"
        "env = tantra_envs.make_raw('karma', render_mode='svg'); env.reset(seed=1)\n"
        "env.step(int(env.last()[0]['action_mask'].argmax()))\n"
        "open('table.save', 'wb').write(env.save()); print(env.render())\n"
        "env.replay().save('game.html'); print(tantra_envs.variants('karma'))\n"
    )
    told = outside("-c", code)
    assert told.startswith("<svg") and "sixty" in told
    outside("-m", "tantra_envs", "replay", "table.save", "--out", "again.html")
    assert (outside.here / "again.html").read_bytes() == (outside.here / "game.html").read_bytes()
    outside("-m", "tantra_envs", "picture", "karma:sixty", "--moves", "3", "--out", "table.svg")
    assert (outside.here / "table.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_table_is_served_from_it(outside):
    code = (
        "import json, threading, urllib.request; from tantra_envs.commands import play\n"
        "options = play.Options('karma', seats=['me', 'search:2'], seed=1, save=play.Path('kept.json'))\n"
        "table, file = play.prepare(options)\n"
        "server = play.Server(table); threading.Thread(target=server.serve_forever, daemon=True).start()\n"
        "link = server.link(table.people[0])\n"
        "asked = [urllib.request.urlopen(link + route).read() for route in ('', 'state')]\n"
        "print(len(asked[0]), json.loads(asked[1])['svg'][:4])\n"
    )
    size, svg = outside("-c", code).split()
    assert int(size) > 10_000 and svg == "<svg"
