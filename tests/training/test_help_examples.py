"""The examples in the help of training run as they are printed, in an empty folder, and overwrite nothing."""

import importlib
import inspect
import re
import shlex

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from tantra_envs.opponents import learned

PROGRAMS = {
    "ppo": ("training.ppo", ["--tables", "16", "--steps", "8", "--eval-deals", "2", "--final-deals", "2"]),
    "q-learning": (
        "training.q_learning",
        ["--tables", "16", "--steps", "8", "--eval-deals", "2", "--final-deals", "2"],
    ),
    "critic": ("training.critic", ["--games", "1024", "--epochs", "1", "--net-arch", "8"]),
    "evaluate": ("training.evaluate", ["--deals", "2"]),
    "export": ("training.export", []),
}
SHORT = {"ppo": ["--total-decisions", "300"], "q-learning": ["--total-decisions", "300"]}


def examples_of(module):
    """Return the command lines of a program's help."""
    text = inspect.getdoc(importlib.import_module(module).Args)
    return [shlex.split(line) for line in re.findall(r"^Example: python -m training (.*)$", text, re.MULTILINE)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_examples_of_a_program_run_one_after_the_other(tmp_path, monkeypatch, name):
    """Smaller numbers take the place of those that are printed; everything else stays."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(learned, "WEIGHTS", tmp_path / "weights")
    (tmp_path / "weights").mkdir()
    examples = examples_of(PROGRAMS[name][0])
    assert examples and examples[-1][0] == name
    for program, *words in examples:
        assert "--replace" not in words
        module, smaller = PROGRAMS[program]
        printed = [*words, *smaller]
        for option, value in zip(SHORT.get(program, [])[::2], SHORT.get(program, [])[1::2], strict=True):
            printed[printed.index(option) + 1] = value
        importlib.import_module(module).main(printed)
