"""Options of all programs: a value of a wrong type or without a bound is refused before anything is written."""

import dataclasses
import importlib
import math
import types
from pathlib import Path
from typing import Literal, Union, get_args, get_origin, get_type_hints

import pytest

from tantra_envs.programs import cli

pytest.importorskip("torch")
pytest.importorskip("polars")

CLASSES = {
    "training q-learning": "training.q_learning:Args",
    "training ppo": "training.ppo:Args",
    "training scale": "training.scale:Args",
    "training evaluate": "training.evaluate:Args",
    "training export": "training.export:Args",
    "training critic": "training.critic:Args",
    "training strength": "training.strength:Args",
    "training examples": "training.examples:Args",
    "training examples baselines": "training.examples.baselines.course:Args",
    "benchmarks rank": "benchmarks.presets.rank:Args",
    "benchmarks study": "benchmarks.study.matchups:Args",
    "benchmarks tournament": "benchmarks.presets.tournament:Args",
    "benchmarks ladder": "benchmarks.presets.ladder:Args",
    "benchmarks exact": "benchmarks.exact.command:Args",
    "benchmarks play": "benchmarks.play:PlanOptions",
    "benchmarks show scores": "benchmarks.harness.command:ShowOptions",
    "benchmarks show losses": "benchmarks.views.losses:Args",
    "benchmarks speed": "benchmarks.speed.command:Args",
    "benchmarks check": "benchmarks.check:Args",
}
WRONG = {
    int: ["x", "3", 2.5, True, 2**63, -(2**63) - 1, math.inf],
    float: ["x", "0.5", True, math.nan, math.inf, -math.inf, 10**400],
    str: [3, 2.5, True],
    Path: [3, 2.5, False],
    bool: ["true", 1, 0.0],
    Literal: ["x", 3, True],
}


def options_of(program):
    module, name = CLASSES[program].split(":")
    return getattr(importlib.import_module(module), name)


def kinds(hint):
    """The type of an option without None and without the tuple around it, and whether there is a tuple."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = [part for part in get_args(hint) if part is not type(None)]
    several = get_origin(hint) is tuple
    hint = get_args(hint)[0] if several else hint
    return get_origin(hint) or hint, several


def written(value):
    """A value in TOML."""
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return str(value).lower() if isinstance(value, (bool, float)) else repr(value)


@pytest.mark.parametrize("program", CLASSES)
def test_files_with_a_value_of_a_wrong_type_are_refused(program, tmp_path):
    args, file = options_of(program), tmp_path / "a.toml"
    for name, hint in get_type_hints(args).items():
        if name not in {field.name for field in dataclasses.fields(args)}:
            continue  # a constant of the class
        kind, several = kinds(hint)
        for wrong in WRONG[kind]:
            for value in [[wrong], wrong] if several else [wrong, [wrong]]:
                file.write_text(f"{name} = {written(value)}\n")
                with pytest.raises(ValueError, match=rf"a\.toml: {name}=.* is not allowed; allowed: ") as refused:
                    cli.from_file(file, args)
                assert "\n" not in str(refused.value)


# The words of a command that reads its numbers before it does anything else.
RANGES = {
    "training q-learning": "karma",
    "training ppo": "karma",
    "training evaluate": "karma --agent scripted",
    "training critic": "karma --agent learned --replace",
    "training strength": "karma",
    "training examples baselines": "ppo karma",
    "benchmarks rank": "scripted --games karma",
    "benchmarks study": "karma --retrain",
    "benchmarks tournament": "karma",
    "benchmarks ladder": "karma",
    "benchmarks exact": "karma:tiny",
    "benchmarks speed": "",
}
LEAST_0 = {
    "seed",
    "seeds",
    "training_seed",
    "decisions",
    "cpu_minutes",
    "iterations",
    "gap",
    "more",
    "entropy",
    "epsilon",
}
LEAST_0 |= {"gae_lambda", "average_weights", "opponent_share", "skip_smallest", "magnet", "snapshots"}
NO_MOST = {"total_decisions", "batch_size", "eval_every", "decisions", "cpu_minutes", "magnet_every", "snapshot_every"}


SAID = {"seats": "players"}  # numbers that a refusal calls as the game does


def numbers():
    """Yield every number of a program with a value below its range, and with one above it."""
    for program in RANGES:
        args = options_of(program)
        hints = get_type_hints(args)
        for name in [field.name for field in dataclasses.fields(args) if kinds(hints[field.name])[0] in (int, float)]:
            least = "-1" if name in LEAST_0 and (program, name) != ("benchmarks study", "seeds") else "0"
            yield from ((program, name, word) for word in [least, *([] if name in NO_MOST else [str(2**62)])])


@pytest.mark.parametrize(("program", "name", "word"), list(numbers()))
def test_numbers_out_of_range_are_refused_before_anything_is_written(
    program, name, word, tmp_path, monkeypatch, capsys
):
    package, command = program.split(" ", 1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [f"{package}/__main__.py"])
    monkeypatch.setattr(cli, "work", None)  # nothing begins
    words = [*command.split(), *RANGES[program].split(), f"--{name.replace('_', '-')}={word}"]
    with pytest.raises(SystemExit) as ended:
        importlib.import_module(f"{package}.__main__").main(words)
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2 and line.startswith("error: ") and "is not allowed" in line
    assert SAID.get(name, name) in line.replace("-", "_")
    assert not any(tmp_path.iterdir())
