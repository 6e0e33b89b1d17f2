"""Measure the time to the first step of a new process, with and without compiled code on disk."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from ..harness.trainer import ROOT

WARM_RUNS = 5
FIRST_STEP = """
import tantra_envs
env = tantra_envs.make_raw({game!r}, **{options})
env.reset(seed=0)
observation, *_ = env.last()
env.step(int(observation["action_mask"].argmax()))
"""
END = "import os; os._exit(0)"  # skip the rest of the exit: unloading a compiler takes 0.25 s


def startup(game: str, players: int | None) -> dict[str, float]:
    """Return the seconds of whole processes: an import, and the first step with and without compiled code.

    "cold start" compiles into an empty folder. "warm start" finds the compiled code there.
    """
    first_step = FIRST_STEP.format(game=game, options={} if players is None else {"players": players})
    with tempfile.TemporaryDirectory() as cache:
        cold = _process(first_step, cache)
        warm = [_process(first_step, cache) for _ in range(WARM_RUNS)]
        imports = [_process("import tantra_envs", cache) for _ in range(WARM_RUNS)]
    return {"import": statistics.median(imports), "warm start": statistics.median(warm), "cold start": cold}


def _process(code: str, cache: str) -> float:
    began = time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-c", f"{code}\n{END}"], env=environment, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - began
