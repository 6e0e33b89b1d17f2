"""The first afternoon, cell after cell as the page has them, with small numbers: bot, tournament, losses, training.

What takes long is made short by options that come after the page's own, where the last one counts.
"""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

from .pages import FENCE, ROOT

for needed in ("torch", "sb3_contrib", "polars"):
    pytest.importorskip(needed)

from benchmarks.harness import plans  # noqa: E402
from tantra_envs.commands import play  # noqa: E402
from tantra_envs.programs import cli  # noqa: E402
from tests.table.serving import Client, served  # noqa: E402

pytestmark = pytest.mark.whole
PAGE = ROOT / "docs/start.md"
CELLS = [
    (block["kind"], block["code"].strip())
    for block in FENCE.finditer(PAGE.read_text(encoding="utf-8"))
    if block["kind"] != "text"  # what a command prints
]
SHORT = {
    "benchmarks tournament": "--deals 8",
    "training ppo": "--total-decisions 512 --tables 8 --steps 16 --batch-size 64 "
    "--eval-every 512 --eval-deals 2 --final-deals 2",
}


def test_the_first_afternoon(tmp_path, monkeypatch):
    """All cells, run in order in a folder of a reader's own; games in the browser are opened and left."""
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    monkeypatch.chdir(tmp_path)
    plans._agent.cache_clear()  # other tests have other bots of this name
    for kind, code in CELLS:
        _run(kind, code)
    assert Path("table.svg").read_text(encoding="utf-8").startswith("<svg")
    results = Path("runs/afternoon/results.csv").read_text(encoding="utf-8")
    assert all(word in results for word in ("thrifty", "rating", "low", "high"))
    assert "# Where thrifty loses" in Path("runs/afternoon/losses.md").read_text(encoding="utf-8")
    assert CELLS[-1][1].endswith("ppo:runs/beats-thrifty/model.safetensors")  # and was opened
    assert Path("runs/beats-thrifty/model.safetensors").is_file()


def _run(kind: str, code: str) -> None:
    if kind == "python":
        Path(re.match(r"# (\S+\.py)\n", code)[1]).write_text(code, encoding="utf-8")
        return
    _, _, program, *words = shlex.split(code)
    if program == "tantra_envs" and words[0] == "play":
        _open(words[1:])
        return
    main = program if Path(ROOT, *program.split(".")).with_suffix(".py").exists() else f"{program}.__main__"
    shorter = SHORT.get(program, SHORT.get(f"{program} {words[0]}", ""))
    assert not importlib.import_module(main).main([*words, *shlex.split(shorter)])


def _open(words: list[str]) -> None:
    """The table of a command, served until what its page shows has been read once."""
    table, _ = play.prepare(cli.read(play.Args, "tantra_envs play", [*words, "--no-browser"]))
    with served(table.session) as server:
        assert "Karma" in str(Client(server).state())
