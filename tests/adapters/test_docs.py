"""The programs on the pages about other people's trainers run without changes."""

import io
import re
import sys
from pathlib import Path

import pytest

from agents import load

DOCS = Path(__file__).resolve().parents[2] / "docs"


def snippets(page):
    return re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_the_page_on_trainers_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for package in ("sb3_contrib", "ray", "pyspiel", "jax", "supersuit"):
        pytest.importorskip(package)
    here = {}
    for snippet in snippets("frameworks.md"):
        exec(snippet, here)
    assert here["model"].n_envs == 64 and here["batch"].n == 1024
    assert load("ppo:mine.safetensors", here["game"]) and load("ppo:mine_too.safetensors", here["game"])
    assert set(here["setup"].policies.values()) == {"team_0", "team_1"}
    assert here["spiel"].max_chance_outcomes() == 2


def test_the_page_on_language_models_runs(monkeypatch, capsys):
    program, table, _ = snippets("language-models.md")
    here = {}
    exec(table, here)
    assert here["turn"].done and set(here["turn"].rewards) == {0}
    capsys.readouterr()
    monkeypatch.setattr(sys, "stdin", io.StringIO("The table:\nYou may:\n- play 9\n- pickup\nReply so.\n\n"))
    exec(program, {})
    assert capsys.readouterr().out == "play 9\n"


def test_the_client_on_the_page_on_language_models_plays_a_game(monkeypatch, capfd):
    pytest.importorskip("mcp")
    monkeypatch.chdir(DOCS.parent)
    exec(snippets("language-models.md")[2], {})
    assert capfd.readouterr().out.startswith("The game is over.")
