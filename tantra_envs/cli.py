"""Command lines: options, option files, and users' errors in one line.

    def main(argv: Sequence[str] | None = None) -> None:
        with user_errors("train"):  # checks: an error here is an option, a file, a missing package
            args = read(Args, PROGRAM, argv)
            game = prepare(args)
        with work("finished deals are kept; run the same command again to continue"):
            play(game)

`Args` is a dataclass, best `frozen=True, kw_only=True`. Its docstring, with an example, and the docstrings of its
fields are the help. A field without `kw_only` can also be given by position.
"""

import contextlib
import dataclasses
import importlib
import math
import os
import shlex
import sys
import tomllib
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from . import configuration
from .core.game import Game
from .extras import install_command
from .help_page import HELP, help_page

if TYPE_CHECKING:
    from cyclopts import App

Args = TypeVar("Args")
LARGEST = (1 << 63) - 1  # the largest integer that an option may have


@dataclasses.dataclass(frozen=True)
class GameOptions:
    """The options that select a game."""

    game: str = "karma"
    """Game, or game:variant."""
    players: int | None = dataclasses.field(default=None, kw_only=True)
    """Number of seats. [default: that of the game or variant]"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """The options of commands that run jobs in several processes."""

    workers: int = 1
    """Number of processes; the results do not depend on it."""
    ray: bool = False
    """Run the workers on Ray: the cluster at RAY_ADDRESS, or a local one."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FolderOptions:
    """The options that select the folder of the results."""

    name: str | None = None
    """Folder of the results below --runs. [default: a name made from the options]"""
    runs: Path = Path("runs")
    """Parent folder of all results."""


def run_program(program: str, commands: Mapping[str, tuple[str, str]], argv: Sequence[str] | None = None) -> int:
    """Run one command of a program such as `python -m benchmarks`.

    Args:
        program: The module that is run, for example "benchmarks".
        commands: For every command its module, whose `main(argv)` runs it, or MODULE:FUNCTION, and a one-line
            description.
        argv: The words after the program; None = those of the command line.

    Returns:
        The exit code: 2 for an unknown command.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["-v"], ["--version"]):
        print(f"tantra_envs {importlib.import_module(__package__).__version__}")
        return 0
    if words and words[0] in commands:
        return _run(commands[words[0]][0], words[1:])
    if words and words[0] not in ("-h", "--help", "help"):
        print(f"error: {program}: unknown command {words[0]!r}; allowed: {', '.join(commands)}", file=sys.stderr)
        return 2
    width = max(map(len, commands))
    version = "" if " " in program else f"       python -m {program} --version\n"
    print(f"usage: python -m {program} COMMAND [options]\n{version}\ncommands:")
    for name, (_, description) in commands.items():
        print(f"  {name:{width}}  {description}")
    print(f"\npython -m {program} COMMAND --help lists the options of a command, with an example.")
    return 0


def _run(target: str, words: list[str]) -> int:
    """Run a command. It ends without a traceback if its reader, such as `| head`, closes the pipe."""
    module, _, function = target.partition(":")
    try:
        code = int(getattr(importlib.import_module(module), function or "main")(words) or 0)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def read(args: type[Args], program: str, argv: Sequence[str] | None = None) -> Args:
    """Return the options in `argv` (default: the command line).

    `--config FILE` reads options from a TOML file by their field names. The command line overrides the file.

    Raises:
        ValueError: An option is unknown or has a wrong value. The message is one line.
    """
    from cyclopts import CycloptsError, Parameter
    from cyclopts.config import Dict

    app, words = _app(args, program), list(sys.argv[1:] if argv is None else argv)
    if asked := {word for word in words if word in HELP}:
        texts = {text.name: text for text in app.assemble_argument_collection(parse_docstring=True)}
        print(help_page(args, program, texts, everything="--help-all" in asked))
        raise SystemExit(0)

    @app.meta.default
    def with_file(
        *rest: Annotated[str, Parameter(allow_leading_hyphen=True)],
        config: Path | None = None,
    ) -> Any:
        app.config = Dict(from_file(config, args), source=str(config), use_commands_as_keys=False), _whole_numbers
        return app(rest)

    try:
        options: Args = app.meta(words)
    except CycloptsError as error:
        raise ValueError(f"{error} (see python -m {program} --help)") from None
    check_types(args, vars(options))
    return options


def from_file(file: Path | None, args: type[Any]) -> dict[str, Any]:
    """Return the options in a TOML file by their names; none without a file.

    Raises:
        ValueError: The file cannot be read, or it has unknown keys or values of a wrong type.
    """
    try:
        fields = {} if file is None else tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not text
        raise ValueError(f"{file}: {error}") from None
    keys = [option.name for option in dataclasses.fields(args)]
    for name in fields:
        if name not in keys:
            raise ValueError(f"{file}: unknown key {name!r}; keys: {', '.join(keys)}")
    check_types(args, fields, f"{file}: ")
    return fields


def _app(args: type[Any], program: str) -> "App":
    """Return the parser of the options. It leaves help and errors to `read`."""
    from cyclopts import App, Parameter

    def options(given: Any) -> Any:
        return given

    options.__annotations__ = {"given": Annotated[args, Parameter(name="*")]}
    options.__defaults__ = _default(args)
    return App(
        name=f"python -m {program}",
        default_command=options,
        default_parameter=Parameter(consume_multiple=True, negative_iterable=(), allow_repeating=True),
        result_action="return_value",
        help_flags=(),
        version_flags=(),
        exit_on_error=False,
        print_error=False,
    )


def command(program: str, argv: Sequence[str] | None = None) -> str:
    """Return the command line of this run, to be stored with its results."""
    return shlex.join(["python", "-m", *program.split(), *(sys.argv[1:] if argv is None else argv)])


def game(name: str, players: int | None = None) -> Game:
    """Return the game of the options --game and --players; by default with the players of the game or variant."""
    seats: dict[str, Any] = {} if players is None else {"players": players}
    return configuration.game(name, **seats)


def check_ranges(args: Any, **ranges: tuple[float, float]) -> None:
    """Raise ValueError if an option, or a number in it, is outside its range (least, most), both included.

    A range up to math.inf contains all finite numbers.
    """
    for name, (least, most) in ranges.items():
        value = getattr(args, name)
        for number in value if isinstance(value, tuple) else (value,):
            if not (least <= number <= most and number < math.inf):
                allowed = f"{least} or more" if most == math.inf else f"{least}..{most}"
                raise ValueError(f"{name}={number} is not allowed; allowed: {allowed}")


def check_types(args: type[Any], values: Mapping[str, Any], source: str = "") -> None:
    """Raise ValueError unless every value has the type of its option in the dataclass `args`.

    Args:
        args: The dataclass of the options.
        values: Values by the names of their options. A list, or one value, may stand for a tuple, and text for a path.
        source: Start of the message, for example the name of a file.
    """
    hints = get_type_hints(args)
    for name, value in values.items():
        if allowed := _allowed(hints[name], value):
            raise ValueError(f"{source}{name}={value!r} is not allowed; allowed: {allowed}")


def _allowed(hint: Any, value: Any) -> str:
    """Return the values that an annotation allows as text, or "" if `value` is one of them."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        refusals = [_allowed(part, value) for part in parts if part is not types.NoneType]
        fits = "" in refusals or (value is None and types.NoneType in parts)
        return "" if fits else " or ".join(refusals)
    if origin is tuple:
        values = value if isinstance(value, (list, tuple)) else (value,)
        return next(filter(None, (_allowed(parts[0], entry) for entry in values)), "")
    if origin is Literal:
        return "" if isinstance(value, str) and value in parts else ", ".join(parts)
    return "" if _fits(hint, value) else _IN_WORDS[hint]


def _fits(kind: type, value: Any) -> bool:
    """Return whether a value has the type of an option. True is no number, and 1 is no bool."""
    if kind is float:
        return type(value) in (int, float) and abs(value) <= sys.float_info.max
    if kind is int:
        return type(value) is int and abs(value) <= LARGEST
    return isinstance(value, (str, Path) if kind is Path else kind)


_IN_WORDS = {
    bool: "true, false",
    int: "whole numbers below 2**63",
    float: "finite numbers",
    str: "text",
    Path: "a path as text",
}


class UserError(Exception):
    """Raised during the work for a cause that the user can remove, which no check can find before."""


@contextlib.contextmanager
def user_errors(extra: str, constraints: str = "constraints.txt") -> Iterator[None]:
    """Report errors in the block as the user's: one line on stderr and exit code 2. Use it for checks, not for work.

    Args:
        extra: The extra of this package that installs a missing library.
        constraints: The file of tested versions.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        _end(2, f"error: {missing.name} is not installed; {install_command(extra, constraints)}")
    except MemoryError as error:
        _end(2, f"error: not enough memory. {error}")
    except (ValueError, OSError, ImportError) as error:
        _end(2, f"error: {error}")
    except KeyboardInterrupt:
        _end(130, "stopped")


@contextlib.contextmanager
def work(kept: str = "") -> Iterator[None]:
    """End with one line and exit code 130 on Ctrl-C, or 1 on UserError, too little memory, or an OSError.

    `kept` describes which results are kept and how to continue. Other errors are bugs and keep their traceback.
    """
    hint = f"; {kept}" if kept else ""
    try:
        yield
    except KeyboardInterrupt:
        _end(130, f"stopped{hint}")
    except (OSError, UserError) as error:
        _end(1, f"error: {error}{hint}")
    except MemoryError as error:
        _end(1, f"error: not enough memory. {error}{hint}")


def only_commands(package: str, *commands: str) -> None:
    """End `python -m package.module` with one line unless it is a command. Call this when `package` is imported."""
    if not sys.argv or sys.argv[0] != "-m":  # true only while Python looks for the module of -m
        return
    module = sys.orig_argv[len(sys.orig_argv) - len(sys.argv)].removeprefix("-m")
    if module.startswith(f"{package}.") and module not in commands:
        allowed = (
            f"commands of {package}: {', '.join(commands)}" if commands else f"python -m {package} lists the commands"
        )
        _end(2, f"error: {module} is not a command; {allowed}")


def _end(code: int, message: str) -> None:
    print(" ".join(message.split()), file=sys.stderr)
    raise SystemExit(code)


def _default(args: type[Any]) -> tuple[Any, ...]:
    """Return the default options, or nothing if an option is required."""
    try:
        return (args(),)
    except TypeError:
        return ()


def _whole_numbers(app: Any, commands: Any, options: Any) -> None:
    """Raise ValueError for a number with a fraction where an integer is required; cyclopts would round it."""
    for option in options:
        for token in option.tokens:
            if "int" in str(option.hint) and "." in token.value:
                raise ValueError(f"{token.keyword}={token.value} is not allowed; allowed: whole numbers")
