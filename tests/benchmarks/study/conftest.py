"""A small game of a user's own for studies."""

import importlib.util
import sys
from pathlib import Path

import pytest

from tantra_envs import games
from tantra_envs.core.compiled import jit

NIM = Path(__file__).parents[2] / "new_game/nim"


@pytest.fixture(scope="module")
def nim():
    """Nim among the games."""
    name = "tantra_envs.games.nim"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(games.GAMES, "nim", "v0")
        jit.notice.silence("nim")  # it looks for the folder of the game
        spec = importlib.util.spec_from_file_location(name, NIM / "__init__.py", submodule_search_locations=[str(NIM)])
        module = importlib.util.module_from_spec(spec)
        patch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        yield
