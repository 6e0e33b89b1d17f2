"""The command line: options from files and words alike, users' errors in one line, others with their traceback."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Literal

import pytest

from tantra_envs.core.options import Within
from tantra_envs.programs import cli


@dataclass(frozen=True, kw_only=True)
class Args:
    """Do a thing.

    Example: python -m a.thing --agent scripted
    """

    agent: str
    """who does it"""
    deals: Annotated[int, Within(1)] = 10
    gamma: float = 0.9
    network: tuple[Annotated[int, Within(1, 99)], ...] = (8, 8)
    kind: Literal["points", "other"] = "points"
    runs: Path = Path("runs")
    players: int | None = None
    advice: bool = False


def read(*argv):
    return cli.read(Args, "a.thing", argv)


def test_words_and_files_give_the_same_options(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text(
        'agent = "x"\ndeals = 1_000\ngamma = 1\nnetwork = [4, 5]\n'
        'kind = "other"\nruns = "r"\nplayers = 3\nadvice = true\n'
    )
    words = "--agent x --deals 1000 --gamma 1 --network 4 5 --kind other --runs r --players 3 --advice"
    wanted = Args(
        agent="x", deals=1000, gamma=1.0, network=(4, 5), kind="other", runs=Path("r"), players=3, advice=True
    )
    assert read("--config", str(file)) == read(*words.split()) == wanted
    assert type(read("--config", str(file)).gamma) is float


def test_the_command_line_wins_over_the_file(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text('agent = "x"\nnetwork = [4, 5]\nadvice = true\n')
    found = read("--agent", "y", "--config", str(file), "--network", "7", "--advice=false")
    assert found == Args(agent="y", network=(7,))


WRONG_WORDS = [
    ([], "--agent"),
    (["--agent", "x", "--deals", "many"], '--deals: unable to convert "many" into int'),
    (["--agent", "x", "--deals", "2.5"], "--deals=2.5 is not allowed; allowed: whole numbers"),
    (["--agent", "x", "--dealz", "3"], "--dealz"),
    (["--agent", "x", "--kind", "none"], 'Choose from: "points", "other"'),
    (["--agent", "x", "--kind", "1.5"], 'Choose from: "points", "other"'),
    (["--agent", "x", "y"], "y"),
    (["--agent", "x", "--config", "none.toml"], "none.toml"),
]
WRONG_FILES = [
    ('deals = "many"', "a.toml: deals='many' is not allowed; allowed: whole numbers"),
    ("deals = 2.5", "deals=2.5 is not allowed; allowed: whole numbers"),
    ("deals = {a = 1}", "deals"),
    ("dealz = 3", "unknown key 'dealz'; keys: agent, deals, gamma"),
    ('kind = "none"', "kind='none' is not allowed; allowed: points, other"),
    ("deals = ", "a.toml: Invalid value"),
]


@pytest.mark.parametrize(("wrong", "says"), WRONG_WORDS + WRONG_FILES)
def test_what_is_wrong_with_words_or_a_file_is_said(wrong, says, tmp_path):
    if isinstance(wrong, str):
        (tmp_path / "a.toml").write_text(wrong)
        wrong = ["--agent", "x", "--config", str(tmp_path / "a.toml")]
    with pytest.raises((ValueError, OSError)) as refused:
        read(*wrong)
    assert says in str(refused.value)


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_has_the_description_the_example_and_every_option(capsys, flag):
    with pytest.raises(SystemExit) as stop:
        read(flag)
    page = capsys.readouterr().out
    assert stop.value.code == 0
    assert "python -m a.thing" in page.splitlines()[0]
    assert all(
        text in page for text in ("Do a thing.", "who does it", "python -m a.thing --agent scripted", "--config")
    )
    assert all(f"--{option.name}" in page for option in fields(Args))
    assert all(value in page for value in ("points, other", "[allowed: 1..99] [default: 8 8]", "[allowed: 1 or more]"))
    assert "--help-all" not in page


@pytest.mark.parametrize(
    ("within", "error", "code", "told"),
    [
        (lambda: cli.user_errors("train"), ValueError("so\n  not"), 2, "error: so not\n"),
        (lambda: cli.user_errors("train"), ModuleNotFoundError(name="torch"), 2, "error: torch is not installed; pip"),
        (lambda: cli.user_errors("train"), KeyboardInterrupt(), 130, "stopped\n"),
        (lambda: cli.work("all is kept"), KeyboardInterrupt(), 130, "stopped; all is kept\n"),
        (lambda: cli.work("all is kept"), OSError(28, "No space left"), 1, "error: [Errno 28] No space left; all is"),
    ],
)
def test_ends_in_one_line(within, error, code, told, capsys):
    with pytest.raises(SystemExit) as stop, within():
        raise error
    said = capsys.readouterr().err
    assert stop.value.code == code and said.startswith(told) and said.count("\n") == 1


def test_errors_of_the_program_keep_their_traceback():
    with pytest.raises(ValueError, match="a bug"), cli.work():
        raise ValueError("a bug")


def test_modules_that_are_no_commands_say_so():
    ended = subprocess.run([sys.executable, "-m", "training.optimizer"], capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1
    assert "training.optimizer is not a command; python -m training lists the commands" in ended.stderr


def test_of_an_option_said_twice_the_last_counts():
    assert read("--agent", "x", "--deals", "3", "--deals", "4").deals == 4


@dataclass(frozen=True, kw_only=True)
class Places(cli.FolderOptions):
    """Write into folders."""

    files: tuple[Path, ...] = ()


def test_the_home_folder_is_known_in_paths_of_the_command_line_and_of_files(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "run.toml").write_bytes('\ufeffruns = "~/mine"\nfiles = ["~/a", "b"]\n'.encode())
    for words in (["--config", "~/run.toml"], ["--runs=~/mine", "--files", "~/a", "b"]):
        places = cli.read(Places, "a.thing", words)
        assert (places.runs, places.files) == (tmp_path / "mine", (tmp_path / "a", Path("b")))


@pytest.mark.parametrize("name", ["..", ".", "", "../a", "a/../../b", "/tmp/a", "a\nb", "a\rb", "a\x1b[2J", "a\0"])
def test_a_name_is_a_folder_below_the_results(name, tmp_path):
    (tmp_path / "run.toml").write_text(f"name = {json.dumps(name)}")
    for words in ([f"--name={name}"], ["--config", str(tmp_path / "run.toml")]):
        with pytest.raises(ValueError, match=r"name=.* is not allowed"):
            cli.read(Places, "a.thing", words)


@pytest.mark.parametrize("name", ["a", "a/b", "..a", "Zähler 2", "-a"])
def test_other_names_are_allowed(name):
    assert cli.read(Places, "a.thing", [f"--name={name}"]).name == name


def interrupted(words):
    """Be stopped: a command for the test below."""
    raise KeyboardInterrupt


def test_a_command_that_is_stopped_anywhere_ends_in_one_line(capsys):
    assert cli.run_program("a", {"b": (f"{__name__}:interrupted", "")}, ["b"]) == 130
    assert capsys.readouterr().err == "stopped\n"


SPEAKS = """
import sys
from tantra_envs.programs.cli import run_program
def main(words):
    print("done")
    print("done", file=sys.stderr)
sys.exit(run_program("a", {"speak": ("__main__", "")}, ["speak"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the shell has no >&-")
@pytest.mark.parametrize(("closed", "complaints"), [(">&-", "done\n"), ("2>&-", ""), (">&- 2>&-", "")])
def test_a_program_without_standard_output_runs(closed, complaints):
    command = [sys.executable, "-c", SPEAKS]
    ended = subprocess.run(
        ["sh", "-c", f"{shlex.join(command)} {closed}"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, complaints)
