"""How long a user waits for the first step of a new process, with and without compiled code on disk."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WARM_RUNS = 5
FIRST_STEP = """
import tantra_envs
env = tantra_envs.make_raw({game!r})
env.reset(seed=0)
observation, *_ = env.last()
env.step(int(observation["action_mask"].argmax()))
"""
END = "import os; os._exit(0)"  # nobody waits for the rest: unloading a compiler takes a quarter of a second
ROOT = Path(__file__).resolve().parents[2]


def startup(game: str) -> dict[str, float]:
    """Seconds of whole processes up to the first step: "cold" compiles into an empty folder, "warm" finds it full."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _process(FIRST_STEP.format(game=game), cache)
        warm = [_process(FIRST_STEP.format(game=game), cache) for _ in range(WARM_RUNS)]
        imports = [_process("import tantra_envs", cache) for _ in range(WARM_RUNS)]
    return {"import": statistics.median(imports), "warm start": statistics.median(warm), "cold start": cold}


def _process(code: str, cache: str) -> float:
    began = time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-c", f"{code}\n{END}"], env=environment, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - began
