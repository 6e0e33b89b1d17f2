"""Functions that Numba's disk cache could take for one another: it knows a function by its file, name and line."""

from __future__ import annotations

import gc
import inspect
from collections import defaultdict
from pathlib import Path

import pytest

import tantra_envs
from benchmarks.exact import walk
from tantra_envs.core.compiled import network
from tantra_envs.core.compiled.cache import PACKAGE
from tantra_envs.core.compiled.drivers import with_player
from tantra_envs.core.compiled.feature_network import agent_of
from tantra_envs.core.compiled.jit import PURE_PYTHON
from tantra_envs.games import SHIPPED

pytestmark = pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")


def test_no_two_functions_of_the_package_are_stored_under_one_name():
    from numba.core.registry import CPUDispatcher

    agents = []
    for name in SHIPPED:
        game = tantra_envs.game(name)
        describe = game.features.describe_legal
        agents += [agent_of(describe), with_player(game.drivers, agent_of(describe)), game.features]
        agents += [with_player(game.drivers, network, True)]
        for again in (with_player(game.drivers, agent_of(describe), reads_observation=False), agents[-3]):
            assert again.choose_rows is with_player(game.drivers, agent_of(describe), False).choose_rows
        assert with_player(game.drivers, network).choose_rows is not agents[-1].choose_rows
        assert walk.bind(game.drivers) is walk.bind(tantra_envs.game(f"{name}:mini").drivers)
    assert len(set(map(id, agents))) == 4 * len(SHIPPED)
    by_file = defaultdict(set)
    for made in gc.get_objects():
        if type(made) is CPUDispatcher and Path(made.py_func.__code__.co_filename).is_relative_to(PACKAGE):
            file = getattr(getattr(made._cache, "_cache_file", None), "_index_path", None)
            if file is not None:
                by_file[file].add(made.py_func)
    shared = {file: functions for file, functions in by_file.items() if len(functions) > 1}
    assert not shared
    copies = [file for file in by_file if "_by_" in file]
    assert len(copies) >= 3 * 13 * len(SHIPPED) and len(by_file) > 1000
    for function in set().union(*by_file.values()):
        try:
            lines, _ = inspect.getsourcelines(function)
        except OSError:  # a copy has no lines in the file that it counts to
            continue
        assert f"def {function.__code__.co_name}(" in "".join(lines), "Numba reads the lines of something else"
