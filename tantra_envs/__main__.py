"""The program `python -m tantra_envs`, which is also installed as the command `tantra-envs`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .programs.cli import run_program

COMMANDS = {
    "list": ("tantra_envs.commands.games", "List the games, their seats and their variants."),
    "warmup": ("tantra_envs.commands.warmup", "Compile games ahead, so that their first use does not wait."),
    "play": ("tantra_envs.commands.play", "Play in the browser, against agents and other people."),
    "mcp": ("tantra_envs.commands.mcp", "Serve a table to a language model, which plays a seat with tools."),
    "puzzle": ("tantra_envs.commands.puzzle", "Print a puzzle with a proven answer, and check answers."),
    "openenv": ("tantra_envs.commands.openenv", "Write a package for OpenEnv with puzzles and games."),
    "picture": ("tantra_envs.commands.picture", "Draw a table as .svg, .png or .gif."),
    "replay": ("tantra_envs.commands.replay", "Turn a saved game into a page to step through."),
    "check": ("tantra_envs.commands.check", "Test games and environments by random play."),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` names, and return the exit code."""
    return run_program("tantra_envs", COMMANDS, argv)


if __name__ == "__main__":
    sys.exit(main())
