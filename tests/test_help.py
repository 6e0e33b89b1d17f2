"""The help of every command: it has an example, and the texts of its options read alone."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from docs._site.commands import PROGRAMS
from tantra_envs.programs import cli

LISTS = ("training examples", "benchmarks show")  # commands with commands of their own
COMMANDS = [f"{program} {name}" for program in PROGRAMS for name in PROGRAMS[program]]
MISSING = {"training examples jax": "jax"}
LIBRARIES = {"training examples torchrl": "torchrl", **MISSING}


def help_of(command: str, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    if command in LIBRARIES:
        pytest.importorskip(LIBRARIES[command])
    program, name = command.rsplit(" ", 1)
    with pytest.raises(SystemExit) as ended:
        cli.run_program(program, PROGRAMS[program], [name, *(flags or ("--help",))])
    assert ended.value.code == 0
    return capsys.readouterr().out


def texts_of(page: str) -> dict[str, str]:
    """Return the text of every option and argument in a help page."""
    texts: dict[str, str] = {}
    for line in re.findall(r"^│ (.*) │$", page, re.MULTILINE):
        label, _, text = line.lstrip("* ").partition("  ")
        if re.match(r"[* ]{0,3}\S", line):
            name, texts[label] = label, text.strip()
        else:
            texts[name] = f"{texts[name]} {line.strip()}".strip()
    return texts


@pytest.fixture(autouse=True)
def _width(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in LISTS])
def test_the_help_of_a_command_has_an_example_and_a_text_for_every_option_that_reads_alone(capsys, command):
    page = help_of(command, capsys)
    assert f"python -m {command}" in page.splitlines()[0]
    assert re.search(rf"^Example: python -m {command.rpartition(' ')[0]} \w+", page, re.MULTILINE)
    texts = texts_of(help_of(command, capsys, "--help-all") if "--help-all" in page else page)
    assert "--config PATH" in texts
    for option, text in texts.items():
        assert re.fullmatch(r"[A-Z-].* .*\.( \[(default|choices|allowed): .+\]| \[required\])*", text), (option, text)
        assert not re.match(r"(Of|As|By|Its?|Their|The same|Likewise|What|Who|How|A|An|The)\b", text), (option, text)


@pytest.mark.parametrize("command", LISTS)
def test_a_command_with_commands_lists_them(capsys, command):
    program, name = command.rsplit(" ", 1)
    assert cli.run_program(program, PROGRAMS[program], [name]) == 0
    listed = [name for name in texts_of(capsys.readouterr().out) if not name.startswith("-")]
    assert listed == list(PROGRAMS[command])


def test_the_help_of_training_needs_no_tensorboard():
    """A run needs it, and ends before it makes a folder."""
    pytest.importorskip("torch")
    program = "import sys; sys.modules['tensorboard'] = None; import training.__main__ as t; t.main(['ppo', '--help'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Usage: python -m training ppo" in done.stdout, done.stderr
