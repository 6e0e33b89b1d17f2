"""Small games of a user's own for studies."""

import importlib.util
import sys
from pathlib import Path

import pytest

from tantra_envs import games
from tantra_envs.core.compiled import jit

NIM = Path(__file__).parents[2] / "new_game/nim"
COINS = Path(__file__).parent / "coin_game"


@pytest.fixture(scope="module")
def small_games():
    """Nim and the game of pure chance among the games."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in (NIM, COINS):
            name = f"tantra_envs.games.{folder.name}"
            patch.setitem(games.GAMES, folder.name, "v0")
            jit.notice.silence(folder.name)  # it looks for the folder of the game
            spec = importlib.util.spec_from_file_location(
                name, folder / "__init__.py", submodule_search_locations=[str(folder)]
            )
            module = importlib.util.module_from_spec(spec)
            patch.setitem(sys.modules, name, module)
            spec.loader.exec_module(module)
        yield
