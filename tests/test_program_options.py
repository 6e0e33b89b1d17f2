"""Options of all programs: values that an option does not allow are refused before anything is written."""

import dataclasses
import functools
import math
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints
from unittest import mock

import pytest

from docs._site.commands import PROGRAMS
from tantra_envs.core.options import OneOf, Within
from tantra_envs.programs import cli

from .test_help import COMMANDS, LIBRARIES, LISTS

pytest.importorskip("torch")
pytest.importorskip("polars")

COMMANDS = [command for command in COMMANDS if command not in LISTS]
WRONG = {
    int: ["x", "3", 2.5, True, 2**63, -(2**63) - 1, math.inf],
    float: ["x", "0.5", True, math.nan, math.inf, -math.inf, 10**400],
    str: [3, 2.5, True],
    Path: [3, 2.5, False],
    bool: ["true", 1, 0.0],
    Literal: ["x", 3, True],
}
UNUSUAL = ("..", (0.5, 0.5, 0.5))  # each rule other than `Within` refuses one of them


def run(command, words):
    program, name = command.rsplit(" ", 1)
    return cli.run_program(program, PROGRAMS[program], [name, *words])


@functools.cache
def options_of(command):
    """Return the dataclass of the options of a command."""
    pytest.importorskip(LIBRARIES.get(command, "torch"))
    with mock.patch.object(cli, "read", side_effect=EOFError) as read, pytest.raises(EOFError):
        run(command, [])
    return read.call_args[0][0]


def hints_of(command):
    """Return the options of a command with their annotations."""
    hints = get_type_hints(options_of(command), include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(options_of(command))}


def required(command):
    """Return the options without a default, and a value that each of them allows."""
    needed = [field.name for field in dataclasses.fields(options_of(command)) if field.default is field.default_factory]
    return dict.fromkeys(needed, "x.gif") | ({"algorithm": "learn"} if "algorithm" in needed else {})


def kind_of(hint):
    """Return the type of an option without None, rules and the tuple around it, and whether there is a tuple."""
    several = False
    while get_origin(hint) not in (None, Literal):
        several |= get_origin(hint) is tuple
        hint = get_args(hint)[0]
    return get_origin(hint) or hint, several


def written(value):
    """A value in TOML."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written, value))}]"
    return str(value).lower() if isinstance(value, (bool, float)) else repr(value)


@pytest.mark.parametrize("command", COMMANDS)
def test_files_with_a_value_of_a_wrong_type_are_refused(command, tmp_path):
    file = tmp_path / "a.toml"
    for name, hint in hints_of(command).items():
        kind, several = kind_of(hint)
        for wrong in WRONG[kind]:
            for value in [[wrong], wrong] if several else [wrong, [wrong]]:
                file.write_text(f"{name} = {written(value)}\n")
                with pytest.raises(ValueError, match=rf"a\.toml: {name}=.* is not allowed; allowed: ") as refused:
                    cli.from_file(file, options_of(command))
                assert "\n" not in str(refused.value)


def rules_of(hint):
    """Yield every rule of an annotation, with the type of its values."""
    if get_origin(hint) is Literal:
        yield OneOf(get_args(hint), ", ".join(get_args(hint))), Literal
    for rule in getattr(hint, "__metadata__", ()):
        yield rule, kind_of(hint)[0]
    for part in get_args(hint)[:1]:
        yield from rules_of(part)


def edges(rule, kind):
    """Return values that a rule allows, and values that it refuses: the nearest to its ends, if it has ends."""
    if isinstance(rule, Within):
        ends = [(kind(end), sign) for end, sign in ((rule.least, -1), (rule.most, 1)) if end != math.inf]
        beyond = [end + sign if kind is int else math.nextafter(end, sign * math.inf) for end, sign in ends]
        return [end for end, _ in ends], beyond
    return getattr(rule, "values", ()), [next(value for value in UNUSUAL if value not in rule)]


@pytest.mark.parametrize("command", COMMANDS)
def test_values_outside_a_rule_are_refused_on_the_command_line_and_in_files(command, tmp_path, monkeypatch, refusal):
    monkeypatch.chdir(tmp_path)
    main = functools.partial(run, command)
    for name, hint in hints_of(command).items():
        option = f"--{name.replace('_', '-')}"
        others = {other: value for other, value in required(command).items() if other != name}
        words = [f"--{other}={value}" for other, value in others.items()]
        for rule, kind in rules_of(hint):
            inside, outside = edges(rule, kind)
            for value in inside:
                cli.check_values(options_of(command), {name: value})
            for value in outside:
                said = f"{name}={value!r} is not allowed; allowed: {rule.description}"
                lines = [f"{key} = {written(own)}\n" for key, own in {**others, name: value}.items()]
                Path("a.toml").write_text("".join(lines))
                assert refusal(main, ["--config", "a.toml"]) == f"error: a.toml: {said}"
                several = value if isinstance(value, tuple) else [value]
                line = refusal(main, [*words, *(f"{option}={part}" for part in several)])
                choice = f'error: Invalid value "{value}" for {option}. Choose from: '
                assert line.startswith(choice) if kind is Literal else line == f"error: {said}"
    assert {entry.name for entry in tmp_path.iterdir()} <= {"a.toml"}


LATER = {"players", "seats", "seat", "more", "width"}  # numbers that the game, or another option, allows
LEAST_0 = {  # the other numbers are 1 at least, or a positive share
    *("moves", "delay", "port", "seed", "training_seed", "training strength seeds", "training examples sb3 steps"),
    *("iterations", "gap", "entropy", "epsilon", "gae_lambda", "average_weights", "opponent_share", "skip_smallest"),
    *("magnet", "snapshots", "benchmarks rank decisions", "benchmarks rank cpu_minutes"),
}
NO_MOST = {
    *("jobs", "moves", "frames", "total_decisions", "update_size", "batch_size", "eval_every", "snapshot_every"),
    *("magnet_every", "cpu_minutes", "benchmarks rank decisions", "training examples baselines decisions"),
    *("tantra_envs check seed", "tantra_envs picture seed", "tantra_envs puzzle seed"),
    *("training examples sb3 steps", "training examples sb3 deals"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_number_has_ends(command):
    for name, hint in hints_of(command).items():
        if kind_of(hint)[0] in (int, float) and name not in LATER:
            (ends,) = (rule for rule, _ in rules_of(hint) if isinstance(rule, Within))
            for end, there in ((0, LEAST_0), (math.inf, NO_MOST)):
                assert (end in (ends.least, ends.most)) == bool({name, f"{command} {name}"} & there), name
