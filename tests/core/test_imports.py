"""Which package may import which, and what `import tantra_envs` brings along."""

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tantra_envs", "agents", "training", "benchmarks")
HEAVY = ("torch", "stable_baselines3", "sb3_contrib", "rich", "cyclopts", "matplotlib", "polars", "pygame")


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_package_brings_its_four_dependencies_only():
    loaded = python("import sys, tantra_envs; print(*{name.partition('.')[0] for name in sys.modules})").split()
    assert {"numpy", "numba", "gymnasium", "pettingzoo"} <= set(loaded)
    assert not set(HEAVY) & set(loaded)


@pytest.mark.parametrize("layer", ["core.game", "games"])
def test_the_rules_bring_numpy_and_numba_only(layer):
    """In a package whose __init__ imports nothing, as the full one brings gymnasium by itself."""
    bare = "import sys, types; package = types.ModuleType('tantra_envs'); package.__path__ = ['tantra_envs']; "
    bare += "sys.modules['tantra_envs'] = package; "
    build = "import tantra_envs.games as games; [games.game(name) for name in games.GAMES]; "
    code = f"{bare}import tantra_envs.{layer}; {build if layer == 'games' else ''}print(*sys.modules)"
    loaded = {name.partition(".")[0] for name in python(code).split()}
    assert not {"gymnasium", "pettingzoo", *HEAVY} & loaded


def test_one_file_uses_the_private_parts_of_numba():
    """Its first lines list them, for whoever meets a Numba without one of them."""
    private = re.compile(r"numba\.(core|np)\b|llvmlite|\b_nrt\b|get_call_template|\._cache\b")
    files = [file for file in (ROOT / "tantra_envs").rglob("*.py") if private.search(file.read_text(encoding="utf-8"))]
    assert [file.name for file in files] == ["numba_private.py"]


def test_no_module_imports_itself_through_others():
    """Contracts of import-linter read import statements only. Names given to `importlib` and annotations count here."""
    files = {module_name(file): file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")}
    graph = {name: set(imported(name, file, files)) & files.keys() - {name} for name, file in files.items()}
    TopologicalSorter(graph).prepare()  # raises CycleError with the circle


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(name: str, file: Path, files: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports anywhere, also in functions, for annotations, and by a literal name."""
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (inner if (inner := f"{module}.{alias.name}") in files else module for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func) and node.args:
            word = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
            yield importlib.util.resolve_name(word, name if file.name == "__init__.py" else ".".join(package))


GAMES = """
import sys
if "without" in sys.argv:
    sys.modules["numba"] = sys.modules["llvmlite"] = None
import numpy as np
import tantra_envs
from tantra_envs.core.compiled import starting
starting.wait_for_code()  # plain Python must not play for the compiler
for name in tantra_envs.GAMES:
    game = tantra_envs.game(name, {"kanastic": "round", "tarot": "hand"}.get(name))
    state, rng, actions, rewards = game.new(1), np.random.default_rng(1), [], np.zeros(game.players)
    while not state["over"][0]:
        actions.append(int(rng.choice(game.legal(state))))
        game.apply_action(state, actions[-1])
        rewards += state["rewards"][0, : game.players]
    print(name, actions, rewards.tolist())
"""


def test_without_numba_a_game_of_each_kind_is_the_compiled_one_and_one_line_says_so():
    played = {
        word: subprocess.run([sys.executable, "-c", GAMES, word], cwd=ROOT, capture_output=True, text=True, check=True)
        for word in ("without", "compiled")
    }
    words = (
        "tantra_envs: Numba is not installed, so games run as plain Python, a thousand times slower: pip install numba"
    )
    assert played["without"].stderr.splitlines() == [words]
    assert len(played["without"].stdout.splitlines()) == 5
    assert played["without"].stdout == played["compiled"].stdout
