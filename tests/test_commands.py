"""`python -m tantra_envs` and its commands: what they print, and how they end."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs import __main__ as program
from tantra_envs import extras
from tantra_envs.commands import picture, warmup
from tantra_envs.games import SHIPPED
from tantra_envs.opponents import opponent
from tantra_envs.opponents.learned import shipped
from tantra_envs.programs.workers import WorkerError

ROOT = Path(__file__).resolve().parents[1]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"]])
def test_help_lists_the_commands_in_order(capsys, words):
    assert program.main(words) == 0
    listed = re.findall(r"^│ (\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert listed == list(program.COMMANDS)


FILES = {"bad.json": '{"game": 3}', "a b.json": ""}
MISTAKES = {
    "list --deals": "--deals",
    "warmup chess": "unknown game 'chess'; games: ",
    "picture karma": "--out",
    "picture chess --out a.svg": "chess",
    "picture karma --out a.jpg": "out='a.jpg' is not allowed; allowed: a file name that ends in .svg or .png or .gif",
    "picture karma 4 --out a.svg": "option '4' is not allowed; allowed: OPTION=VALUE, such as players=4",
    "picture karma players=40 --out a.svg": "players=40 is not allowed",
    "picture karma name=x --out a.svg": "unknown field 'name'",
    "picture karma players={[]:1} --out a.svg": "players='{[]:1}'",
    "picture karma --seat 7 --out a.svg": "seat=7 is not allowed; allowed: 0..1",
    "picture karma --names A --out a.svg": "1 names are given",
    "puzzle chess": "game='chess' is not allowed: it has no puzzles; allowed: ",
    "puzzle karma/lose": "kind='karma/lose' is not allowed; allowed: karma, karma/win",
    "puzzle karma --seed x": "x",
    "play --porridge 3": "--porridge",
    "play --seats me": "no game is given for --seats, --seed or --save; games: ",
    "play chess": "chess",
    "play karma players=99": "players=99 is not allowed",
    "play karma --seats scripted scripted": "nobody is a person",
    "play karma players=3 --seats me scripted": "2 given, but karma_v0 has 3 seats here",
    "play karma --seats me wizard": "unknown agent 'wizard'",
    "play karma --host 0.0.0.0": "is not allowed without --share. Anyone on the network",
    "play karma --port many": "(see python -m tantra_envs play --help)",
    "play --resume none.json": "none.json",
    "play --resume bad.json": "bad.json: not a saved game, or damaged: its format",
    "play --resume bad.json --seed 1": "--resume is not allowed with a game, its options, --seed or --save",
    "play karma --save bad.json": "--save bad.json is not allowed: it exists",
    "play karma --best bad.json": "bad.json holds no results",
    "play karma --save 'a b.json'": "it exists; allowed: another file, or --resume 'a b.json'",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_told_in_one_line_and_writes_nothing(words, tmp_path, monkeypatch, refusal):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content)
    line = refusal(program.main, shlex.split(words))
    assert line.startswith("error: ") and MISTAKES[words] in line
    assert {file.name: file.read_text() for file in tmp_path.rglob("*.[js]*")} == FILES


def test_a_reader_that_goes_away_ends_a_command_quietly():
    words = [sys.executable, "-m", "tantra_envs", "list"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.parametrize(("checkout", "words"), [
    (Path(), 'pip install -e ".[render]" -c constraints.txt'),
    (None, 'pip install "tantra_envs[render]" -c "{}"'.format(Path(extras.__file__).with_name("constraints.txt"))),
])  # fmt: skip
def test_a_missing_library_is_named_with_the_command_that_installs_it(capsys, monkeypatch, tmp_path, checkout, words):
    monkeypatch.setattr(extras, "CHECKOUT", checkout)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr(picture.cli, "game", None)  # nothing is played before
    with pytest.raises(SystemExit) as ended:
        program.main(["picture", "karma", "--out", str(tmp_path / "table.png")])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"error: resvg_py is not installed; {words}"


def test_the_list_has_games_seats_and_variants(capsys):
    assert program.main(["list"]) == 0
    printed = capsys.readouterr().out
    for name in tantra_envs.GAMES:
        assert f"{name} " in printed
        assert all(variant in printed for variant in tantra_envs.variants(name))
    assert "tantrix    1 to 6 seats" in printed and "tarot      2 to 3 seats" in printed


@pytest.mark.parametrize(("error", "code", "told"), [
    (KeyboardInterrupt(), 130, "stopped; compiled code is kept in"),
    (OSError(28, "No space left on device"), 1, "No space left on device; compiled code is kept in"),
    (WorkerError("a worker died"), 1, "a worker died; compiled code is kept in"),
])  # fmt: skip
def test_what_stops_warmup_is_told_in_a_line(capsys, monkeypatch, error, code, told):
    def stopped(*_):
        raise error

    monkeypatch.setattr(warmup, "_compile", stopped)
    with pytest.raises(SystemExit) as ended:
        warmup.main(["karma"])
    assert ended.value.code == code
    assert told in capsys.readouterr().err


def test_every_trained_agent_is_warmed_up_at_a_table_that_it_plays():
    tables = [table for name in SHIPPED for table in warmup.tables_of_learned(name)]
    assert {file for file, _ in tables} == set(shipped())
    for file, game in tables:
        assert opponent(f"ppo:{file}", game).file == file


USE = """
import sys

import gymnasium

import tantra_envs
from tantra_envs.adapters.text import TextTable
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents import OPPONENTS, opponent

name, players, variant = sys.argv[1], int(sys.argv[2]), sys.argv[3]
env_id = f"tantra_envs/{name.capitalize()}-v0"
def answer(prompt):
    return prompt.partition("You may:\\n- ")[2].partition("\\n")[0]


def play_by_text(game):
    table = TextTable(game, range(game.players), retries=0)
    turn = table.reset(2)
    for _ in range(12):
        turn = turn if turn.done else table.step(answer(turn.prompt))


def write_and_read(game):
    state = game.new(2)
    for _ in range(6):
        state = game.from_position(game.position(state, full=True))
        game.show(state, 0)
        if legal := game.legal(state):
            game.apply_action(state, game.parse_action(state, game.action_name(state, legal[-1])))


for ships in (None, *tantra_envs.variants(name)):
    play_by_text(tantra_envs.game(name, ships))
    write_and_read(tantra_envs.game(name, ships))
env = gymnasium.make(env_id, opponents="ismcts:3")
env.reset(seed=5)
for _ in range(10):
    env.step(int(env.unwrapped.action_masks().argmax()))
names = [name for name, kind in OPPONENTS.items() if not kind.required]
for agent in (*names, *sys.argv[4:]):
    tables = gymnasium.make_vec(env_id, 3, opponents=agent, players=players)
    tables.reset(seed=5)
    for _ in range(5):
        tables.step(tables.action_masks().argmax(axis=1))
for dtype in ("float32", "compact"):
    batch = tantra_envs.make_batch(name, 64, threads=2, observation_dtype=dtype)
    batch.step(batch.sample())
table = tantra_envs.make(name, players=players)
table.reset(seed=5)
table.step(int(table.last()[0]["action_mask"].argmax()))
game = tantra_envs.game(variant)
agents = [opponent(name, game) for name in ("scripted", "greedy")]
play_tables(game, agents, [[seat % 2 for seat in range(game.players)]], [1])
"""
WARM = """
import sys
from tantra_envs.commands import warmup
warmup.main([sys.argv[1], "--jobs", "1"])
"""
# The functions of this process with machine code, and the types of arguments that it is for.
COMPILED = """
import gc
from numba.core.dispatcher import Dispatcher
print("compiled:")
for function in gc.get_objects():
    if isinstance(function, Dispatcher):
        for types in function.signatures:
            print(function.py_func.__module__, function.py_func.__qualname__, types)
"""
WARMED = [("karma", "3", "karma:sixty")]
if os.environ.get("TANTRA_WHOLE_GAMES"):  # minutes each
    WARMED += [("tarot", "3", "tarot:hand"), ("kanastic", "2", "kanastic:round"), ("tantra", "3", "tantra:first")]
    WARMED += [("tantrix", "3", "tantrix:race")]


@pytest.mark.parametrize("words", WARMED, ids=lambda words: words[0])
@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_after_warmup_nothing_is_compiled(words: tuple[str, ...]):
    """With text, positions, environments, batches, vectors and matches, in all variants, against every opponent.

    What warmup has compiled may be in the cache already: that it has, the signatures of its functions say.
    """
    warm = run("-c", WARM + COMPILED, words[0])
    assert warm.returncode == 0, warm.stderr
    assert f"1 of 1: {words[0]}" in warm.stderr
    used = run("-W", "ignore", "-c", USE + COMPILED, *words)
    assert (used.returncode, used.stderr) == (0, "")
    compiled, needed = (set(each.stdout.partition("compiled:\n")[2].splitlines()) for each in (warm, used))
    assert len(needed) > 20
    assert not needed - compiled
