"""The page docs/add-a-game.md: following it adds a game that passes the checks of all games and plays a tournament."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.games import SHIPPED
from tests.docs.pages import FENCE

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/add-a-game.md").read_text(encoding="utf-8")
PARTS = ("tantra_envs", "agents", "training", "benchmarks", "configs", "tests", "pyproject.toml")
# Where a reader puts the files of the page, by their marks.
PLACES = {
    "nim/": "tantra_envs/games/nim/",
    "nim_v0.py": "tantra_envs/nim_v0.py",
    "nim.toml": "configs/games/nim.toml",
    "rule_tests.py": "tests/games/nim/test_rules.py",
    "contract.py": "tests/games/nim/contract.py",
}
GAMES = re.compile(r"^GAMES = \{.*?\}$", re.MULTILINE | re.DOTALL)
CHANGES = (r"\d+\.\d+ ?s\b", r"\(\d+:\d\d:\d\d\)", r", \d+ deselected.*", r"kept in [^)]*")  # from run to run
SCORE = re.compile(r"(\d\.\d{3}) +(\S+)$")  # of an agent, in the table of a tournament
USE = """
import gymnasium
from tantra_envs import nim_v0
env = gymnasium.make("tantra_envs/Nim-v0", variant="long", opponents="scripted")
env.reset(seed=1)
print(env.step(0)[0].tolist(), nim_v0.env().metadata["name"])
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the project without the games that the reader has added."""
    copy = tmp_path_factory.mktemp("checkout")
    for part in PARTS:
        source, ignored = ROOT / part, shutil.ignore_patterns("__pycache__", "golden", "new_game")
        (shutil.copytree(source, copy / part, ignore=ignored) if source.is_dir() else shutil.copy(source, copy / part))
    remove_own_games(copy)
    return copy


def remove_own_games(copy: Path) -> None:
    """Remove the games that the project does not ship, with their modules, variants and tests."""
    for name in set(tantra_envs.GAMES) - set(SHIPPED):
        shutil.rmtree(copy / "tantra_envs/games" / name)
        shutil.rmtree(copy / "tests/games" / name, ignore_errors=True)
        for file in (*copy.glob(f"tantra_envs/{name}_v*.py"), *copy.glob(f"configs/*/{name}.toml")):
            file.unlink()
    file = copy / "tantra_envs/games/__init__.py"
    line = f"GAMES = {json.dumps({name: tantra_envs.GAMES[name] for name in SHIPPED})}"
    file.write_text(GAMES.sub(line, file.read_text(encoding="utf-8")), encoding="utf-8")


@pytest.fixture(scope="module")
def outputs(checkout) -> list[tuple[str, str]]:
    """What the commands of the page print, and should, run in its order while its files are written."""
    return [pair for section in steps() for pair in follow(checkout, section)]


def steps() -> list[str]:
    """The steps of the page."""
    return re.findall(r"^## \d+\. .*?(?=^## )", PAGE, re.MULTILINE | re.DOTALL)


def follow(checkout: Path, section: str) -> Iterator[tuple[str, str]]:
    """Write the files of a step and run its commands; yield what they print and what the page says."""
    for mark, code in re.findall(r"<!-- ([\w./]+) -->\n```\w+\n(.*?)```", section, re.DOTALL):
        write(checkout, section, mark, code)
    printed = ""
    for block in FENCE.finditer(section):
        if not block["kind"]:
            printed = "".join(run(checkout, command) for command in block["code"].splitlines())
        elif block["kind"] == "text" and printed:
            yield printed, block["code"]
        elif block["kind"] == "text":
            enter(checkout, block["code"])


def write(checkout: Path, section: str, mark: str, code: str) -> None:
    start = next(start for start in PLACES if mark.startswith(start))
    place = PLACES[start] + mark.removeprefix(start)
    assert f"**`{place}`**\n\n<!-- {mark} -->" in section
    file = checkout / place
    file.parent.mkdir(exist_ok=True)
    file.write_text(code, encoding="utf-8")
    if file.parent.name == "nim" and place.startswith("tests/"):
        (file.parent / "__init__.py").touch()


def enter(checkout: Path, line: str) -> None:
    """Write the line with the games; it is the one there was, with Nim in front."""
    file = checkout / "tantra_envs/games/__init__.py"
    text = file.read_text(encoding="utf-8")
    assert GAMES.search(text)[0].replace("{", '{"nim": "v0", ', 1) == line.strip()
    file.write_text(GAMES.sub(line.strip(), text), encoding="utf-8")


def run(checkout: Path, command: str) -> str:
    """What a command of the page prints in the checkout."""
    words = shlex.split(command)
    first = words.index("python")
    own = {"NUMBA_CACHE_DIR": str(checkout / "cache"), "PYTHONPATH": str(checkout)}
    own |= dict(word.split("=") for word in words[:first])
    done = subprocess.run(
        [sys.executable, *words[first + 1 :]],
        cwd=checkout,
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:]
    assert "damaged" not in done.stdout  # the next process reads the machine code of this one
    return done.stdout


def lasting(text: str) -> list[str]:
    """The lines of an output without what changes from run to run."""
    for pattern in CHANGES:
        text = re.sub(pattern, "", text, flags=re.MULTILINE)
    return [line.strip() for line in text.splitlines() if line.strip()]


def scores(printed: str) -> list[tuple[str, str]]:
    """The scores and the agents of the first table of a tournament, equal ones by name."""
    rows = re.findall(r"^│ \d │ (\S+) +│ (\d\.\d{3})", printed, re.MULTILINE)
    return sorted(((score, agent) for agent, score in rows), key=lambda row: (-float(row[0]), row[1]))


def test_every_step_has_commands_and_their_output():
    assert len(steps()) == 5
    assert all(re.search(r"^```\n.*?^```\n.*?^```text\n", section, re.MULTILINE | re.DOTALL) for section in steps())


def test_every_command_of_the_page_prints_what_the_page_says(outputs):
    """Of long outputs the page has some columns of a table, and the last line."""
    for printed, said in outputs:
        lines = lasting(said)
        rows = [line for line in lines if SCORE.match(line)]
        missing = set(lines) - set(lasting(printed)) - set(rows) - {"score      agent"}
        assert not missing, printed
        assert [SCORE.match(row).groups() for row in rows] == scores(printed)[: len(rows)], printed
    assert len([row for row in lasting(outputs[-1][1]) if SCORE.match(row)]) == 4


def test_the_game_is_found_everywhere(checkout, outputs):
    assert "nim_v0" in run(checkout, f"python -c {shlex.quote(USE)}")
    assert re.search(r"^nim +2 seats; variants: long$", run(checkout, "python -m tantra_envs list"), re.MULTILINE)


def test_tests_of_shipped_games_leave_it_out(checkout, outputs):
    run(checkout, "python -m pytest tests/games/test_rules_text.py tests/core/test_fields.py -k 'nim or parts'")
