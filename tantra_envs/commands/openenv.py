"""`python -m tantra_envs openenv`: write the package with which OpenEnv serves puzzles and games."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..adapters import openenv_package
from ..programs import cli

NEXT = """
With Docker:
  openenv validate {folder}
Without Docker, start the server in another terminal and check that:
  uvicorn tantra_envs.adapters.openenv_environment:app --port 8000
  openenv validate --url http://localhost:8000"""


@dataclass(frozen=True)
class Args:
    """Write a package for OpenEnv with puzzles and games, to be validated, pushed to a hub or built as an image.

    Example: python -m tantra_envs openenv tantra-openenv
    """

    folder: Path
    """Folder of the package, new or empty, without the name of a library."""
    wheel: Path | None = field(default=None, kw_only=True)
    """Wheel of this library that the image installs. [default: by name and version]"""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the files, and print their names and the commands that check them."""
    with cli.user_errors("openenv", "constraints/openenv.txt"):
        options = cli.read(Args, "tantra_envs openenv", argv)
        for file in openenv_package.write(options.folder, options.wheel):
            print(file)
    print(NEXT.format(folder=shlex.quote(str(options.folder))))
    return 0
