"""Parts of a command line that several commands share. They need only the standard library."""

from __future__ import annotations

import argparse
import ast
import contextlib
from collections.abc import Sequence
from typing import Any, NoReturn

from ..configuration import game as configured
from ..core.game import Game
from ..games import GAMES


class Parser(argparse.ArgumentParser):
    """The parser of one command. Its help ends with an example, and its errors are one line.

    Args:
        command: The command, as in `python -m tantra_envs COMMAND`.
        description: One sentence.
        example: The words after the command in an example.
    """

    def __init__(self, command: str, description: str, example: str) -> None:
        program = f"python -m tantra_envs {command}"
        epilog = f"example: {program} {example}".rstrip()
        super().__init__(program, description=description, epilog=epilog, add_help=False)
        self.add_argument("-h", "--help", action="help", help="Show this help.")

    def error(self, message: str) -> NoReturn:
        """Print the message in one line and exit with code 2."""
        self.exit(2, f"error: {message} (see {self.prog} --help)\n")

    def add_game(self, *, required: bool = True) -> None:
        """Add the arguments that choose a game and its options."""
        self.add_argument("game", nargs=None if required else "?", help=f"Game: {', '.join(GAMES)}, or GAME:VARIANT.")
        self.add_argument("fields", nargs="*", metavar="OPTION=VALUE", help="Options of the game, such as players=4.")


def configured_game(name: str, fields: Sequence[str], **defaults: Any) -> Game:
    """Return the game of a command line; `defaults` are options that `fields` may override."""
    return configured(name, **{**defaults, **dict(parse_field(word) for word in fields)})


def parse_field(word: str) -> tuple[str, Any]:
    """Return name and value of an option such as `players=4`. A value that is not a Python literal is text.

    Raises:
        ValueError: There is no equals sign.
    """
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"option {word!r} is not allowed; allowed: OPTION=VALUE, such as players=4")
    with contextlib.suppress(ValueError, SyntaxError):
        return name, ast.literal_eval(value)
    return name, value
