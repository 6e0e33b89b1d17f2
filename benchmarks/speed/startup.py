"""Measure the CPU time of new processes: to the first step, and until the machine code of a single table is there."""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from ..harness.trainer import ROOT

WARM_RUNS = 5
# Prints the CPU seconds to the first step, and waits for the process that compiles, if there is one.
FIRST_STEP = """
import time
import tantra_envs
env = tantra_envs.make({game!r}, **{options})
env.reset(seed=0)
observation, *_ = env.last()
env.step(int(observation["action_mask"].argmax()))
print(time.process_time(), flush=True)
from tantra_envs.core.compiled.starting import wait_for_compilers
wait_for_compilers()
"""
IMPORT = "import time, tantra_envs; print(time.process_time())"
END = "import os; os._exit(0)"  # skip the rest of the exit: unloading a compiler takes 0.25 s


def startup(game: str, players: int | None) -> dict[str, float]:
    """Return CPU seconds by what a process did: an import, and the first step with and without compiled code.

    "everything compiled" is the whole first process together with the one that compiles beside it.
    """
    first_step = FIRST_STEP.format(game=game, options={} if players is None else {"players": players})
    with tempfile.TemporaryDirectory() as cache:
        first, whole = _process(first_step, cache)
        warm = [_process(first_step, cache)[0] for _ in range(WARM_RUNS)]
        imports = [_process(IMPORT, cache)[0] for _ in range(WARM_RUNS)]
    medians = {"import": statistics.median(imports), "later first step": statistics.median(warm)}
    return {**medians, "very first step": first, "everything compiled": whole}


def processor() -> str:
    """Return the name of the processor."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _process(code: str, cache: str) -> tuple[float, float]:
    """Run a program; return the CPU seconds that it prints, and those of it and of all that it waited for."""
    environment, before = {**os.environ, "NUMBA_CACHE_DIR": cache}, os.times()
    command = [sys.executable, "-c", f"{code}\n{END}"]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return float(done.stdout), spent
