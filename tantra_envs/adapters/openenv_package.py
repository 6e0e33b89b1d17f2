"""The files of a package for OpenEnv: `python -m tantra_envs openenv FOLDER` writes them. They use this library."""

from __future__ import annotations

import json
from pathlib import Path

from .. import __version__, puzzles
from ..games import SHIPPED
from ..programs.files import write_content

NAME = "tantra_envs"
PROBE = "karma/win", 0  # the puzzle of `openenv validate`, one for training

MANIFEST = """spec_version: 1
name: {name}
version: {version}
type: space
runtime: fastapi
app: server.app:app
port: 8000
validation:
  reward:
    range: [0.0, 1.0]
    oracle_tolerance: 0.0
    floor_margin: 0.8
  resources:
    cpu: 1.0
    memory_mb: 2048
    disk_mb: 2048
    episode_timeout_s: 120.0
  network:
    mode: no-network
  task_distribution:
    generator_seed: 0
    dataset_version: "{version}"
  capabilities:
    verifier:
      kind: reward_channel
    oracle:
      form: script
      location: validation/oracle.py
    task_api: true
    declared_task_count: {counts}
  types:
    tags: [games, reasoning]
  execution:
    kind: openenv_ws
    probe_path: validation/runtime.json
    dockerfile: Dockerfile
    context: .
    agent_boundary: api
"""
PROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "openenv-{name}"
version = "{version}"
description = "Card and tile puzzles with a proven best answer, and games against agents, for OpenEnv"
requires-python = ">=3.11"
dependencies = ["openenv>=0.10,<0.11", "tantra_envs=={version}"]

[project.scripts]
server = "{name}_openenv.server.app:main"

[tool.setuptools]
packages = ["{name}_openenv", "{name}_openenv.server"]
package-dir = {{ "{name}_openenv" = ".", "{name}_openenv.server" = "server" }}
"""
DOCKERFILE = """FROM python:3.12-slim

WORKDIR /app/env
COPY . /app/env
RUN pip install --no-cache-dir "{requirement}"
# The games are compiled here, so that no episode waits for it.
RUN python -m tantra_envs warmup {games} \\
    && python -c "from tantra_envs import puzzles; [puzzles.make(kind) for kind in puzzles.kinds()]"
HEALTHCHECK --start-period=30s CMD python -c \\
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=3)"
CMD ["uvicorn", "server.app:app", "--host", "0.0.0.0", "--port", "8000"]
"""
README = """---
title: tantra_envs
sdk: docker
app_port: 8000
tags:
  - openenv
---

# tantra_envs

Card and tile puzzles with a proven best answer, made from a seed, and card and tile games against agents, in text. The
reward is 0 .. 1.

```python
from tantra_envs.adapters.openenv_environment import Reply, TextClient

with TextClient(base_url="http://localhost:8000").sync() as env:
    result = env.reset(seed=7, task="karma/win")
    print(result.observation.prompt)
    print(env.step(Reply(reply="play 9")).reward)
```

`python -m tantra_envs puzzle` lists the tasks. Seeds below 1,000,000 are for training, seeds from 1,000,000 on for
tests. `python validation/oracle.py` solves puzzles on a server by their proven answers: each has reward 1.
"""
APP = '''"""The server: `python -m server.app`."""

from tantra_envs.adapters.openenv_environment import app


def main(host: str = "0.0.0.0", port: int = 8000) -> None:
    """Serve the environment."""
    import uvicorn

    uvicorn.run(app, host=host, port=port)


if __name__ == "__main__":
    main()
'''
ORACLE = '''"""Solve puzzles of every kind on a server by their proven answers; every reward must be 1.

    python validation/oracle.py [URL [PUZZLES]]
"""

import sys

from tantra_envs import puzzles
from tantra_envs.adapters.openenv_environment import Reply, TextClient

url = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000"
seeds = range(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
rewards = {}
with TextClient(base_url=url).sync() as env:
    for kind in puzzles.kinds():
        for seed in seeds:
            env.reset(seed=seed, task=kind)
            rewards[kind, seed] = env.step(Reply(reply=puzzles.make(kind, seed).solution)).reward
print(f"{len(rewards)} puzzles, mean reward {sum(rewards.values()) / len(rewards):g}")
sys.exit(any(reward != 1.0 for reward in rewards.values()))
'''
INIT = '''"""tantra_envs for OpenEnv."""

from tantra_envs.adapters.openenv_environment import Reply, Shown, TextClient

__all__ = ["Reply", "Shown", "TextClient"]
'''


def files(wheel: str | None = None) -> dict[str, str]:
    """Return the contents of the files by their paths in the folder.

    Args:
        wheel: The name of a wheel of this library in the folder, which its image installs; None = by name and version.
    """
    kind, seed = PROBE
    plan = {
        "plan_schema_version": "1",
        "reset": {"episode_id": "probe", "seed": seed, "options": {"task": kind}},
        "actions": [{"reply": puzzles.make(kind, seed).solution}],
    }
    words = {
        "name": NAME,
        "version": __version__,
        "counts": json.dumps({name: len(seeds) for name, seeds in puzzles.SPLITS.items()}),
        "requirement": f"/app/env/{wheel}[openenv]" if wheel else f"{NAME}[openenv]=={__version__}",
        "games": " ".join(SHIPPED),
    }
    return {
        "openenv.yaml": MANIFEST.format(**words),
        "pyproject.toml": PROJECT.format(**words),
        "Dockerfile": DOCKERFILE.format(**words),
        "README.md": README,
        "__init__.py": INIT,
        "server/__init__.py": "",
        "server/app.py": APP,
        "validation/oracle.py": ORACLE,
        "validation/runtime.json": json.dumps(plan, indent=2) + "\n",
    }


def write(folder: Path, wheel: Path | None = None) -> list[Path]:
    """Write the package into a folder and return its files.

    Args:
        folder: The folder, new or empty.
        wheel: A wheel of this library to be copied into the folder.

    Raises:
        ValueError: The folder has files, or the wheel is not one of this library.
        OSError: A file cannot be read or written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"folder={folder} is not allowed: it is not empty; allowed: a new or empty folder")
    if wheel is not None and not (wheel.name.startswith(f"{NAME}-") and wheel.suffix == ".whl"):
        raise ValueError(f"wheel={wheel} is not allowed; allowed: a wheel of {NAME}, as `python -m build` makes it")
    contents: dict[str, str | bytes] = dict(files(wheel.name if wheel else None))
    if wheel is not None:
        contents[wheel.name] = wheel.read_bytes()
    written = []
    for name, content in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_content(file, content)
        written.append(file)
    return written
