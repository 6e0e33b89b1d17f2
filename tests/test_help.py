"""The help of every command: it fits on a screen, has an example, and its texts read alone."""

from __future__ import annotations

import importlib
import re

import pytest

import benchmarks.__main__
import benchmarks.records
import tantra_envs.__main__
import training.__main__
import training.examples
import training.examples.baselines
from tantra_envs import cli

LINES = 45  # of the help of a command, at 100 columns
PROGRAMS = {
    "tantra_envs": tantra_envs.__main__.COMMANDS,
    "training": training.__main__.COMMANDS,
    "training examples": training.examples.EXAMPLES,
    "training examples baselines": training.examples.baselines.BASELINES,
    "benchmarks": benchmarks.__main__.COMMANDS,
    "benchmarks records": benchmarks.records.COMMANDS,
}
LISTS = (
    "training examples",
    "training examples baselines",
    "benchmarks records",
)  # commands with commands of their own
COMMANDS = [f"{program} {name}" for program in PROGRAMS for name in PROGRAMS[program]]
MISSING = {"training scale": "ray", "training examples rllib": "ray", "training examples jax": "jax"}
LIBRARIES = {"training examples tianshou": "tianshou", "training examples torchrl": "torchrl", **MISSING}


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
    for line in page.partition("\n\n")[2].splitlines():
        if started := re.match(r"  (\S.*?)(?:  +(\S.*))?$", line):
            name, texts[started[1]] = started[1], started[2] or ""
        elif line.startswith("   "):
            texts[name] = f"{texts[name]} {line.strip()}".strip()
    return texts


@pytest.fixture(autouse=True)
def _width(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in LISTS])
def test_the_help_of_a_command_fits_on_a_screen_and_has_an_example(capsys, command):
    page = help_of(command, capsys)
    assert page.startswith(f"usage: python -m {command}")
    assert page.count("\n") <= LINES
    assert re.search(rf"^example: python -m {command.rpartition(' ')[0]} \w+", page, re.MULTILINE)


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in LISTS])
def test_every_option_has_a_text_that_reads_alone(capsys, command):
    page = help_of(command, capsys, "--help-all") if not command.startswith("tantra_envs") else help_of(command, capsys)
    texts = texts_of(page)
    assert texts
    for option, text in texts.items():
        assert re.fullmatch(r"[A-Z-].* .*\.( \[default: .+\])?", text), (option, text)
        assert not re.match(r"(Of|As|By|Its?|Their|The same|Likewise|What|Who|How|A|An|The)\b", text), (option, text)


@pytest.mark.parametrize("command", LISTS)
def test_a_command_with_commands_lists_them(capsys, command):
    program, name = command.rsplit(" ", 1)
    assert cli.run_program(program, PROGRAMS[program], [name]) == 0
    listed = re.findall(r"^  (\w+) .*\.$", capsys.readouterr().out, re.MULTILINE)
    assert listed == list(PROGRAMS[command])


def test_all_options_are_shown_on_demand(capsys):
    short, whole = (texts_of(help_of("training learn", capsys, flag)) for flag in ("--help", "--help-all"))
    assert "--help-all" in short and not any(option.startswith("--temperature") for option in short)
    assert set(short) - {"--help-all"} < set(whole)
    assert whole["--temperature NUMBER"].endswith("[default: 0.003]")


def test_descriptions_of_commands_are_sentences():
    for commands in PROGRAMS.values():
        for module, description in commands.values():
            assert re.fullmatch(r"[A-Z].*\.", description)
            assert importlib.util.find_spec(module.partition(":")[0])
