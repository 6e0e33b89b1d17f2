"""Command lines: options, option files, and users' errors in one line.

    def main(argv: Sequence[str] | None = None) -> None:
        with user_errors("train"):  # checks: an error here is an option, a file, a missing package
            args = read(Args, PROGRAM, argv)
            game = prepare(args)
        with work("finished deals are kept; run the same command again to continue"):
            play(game)

`Args` is a dataclass, best `frozen=True, kw_only=True`. Its docstring, with an example, and the docstrings of its
fields are the help. A field without `kw_only` can also be given by position. A flag is off unless it is given;
`--flag=false` takes back what a file of options turns on. `Annotated[int, Within(1, 99)]` limits the values of a field,
on the command line and in files, and the help lists them.
"""

import ast
import contextlib
import dataclasses
import functools
import importlib
import os
import re
import shlex
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .. import configuration
from ..core.asking import AgentError
from ..core.game import Game
from ..core.options import Allowed, Rule, Within, require, require_in
from ..extras import install_command
from .files import expanded, read_toml
from .signals import terminating

if TYPE_CHECKING:
    from cyclopts import App
    from cyclopts.help import HelpPanel

Args = TypeVar("Args")
# Settings of every parser: docstrings are printed unchanged, and the caller handles results and errors.
_SETTINGS: dict[str, Any] = {
    "help_format": "plaintext",
    "result_action": "return_value",
    "exit_on_error": False,
    "print_error": False,
}
LARGEST = (1 << 63) - 1  # the largest integer that an option may have


def _is_below(name: str) -> bool:
    """Return whether a name is that of a folder below another one, and does not break a line."""
    path = Path(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and name.isprintable()


FolderName = Annotated[str, Rule(_is_below, "a folder below --runs, in characters that print")]
Natural = Annotated[int, Within(0)]
Count = Annotated[int, Within(1)]
Workers = Annotated[int, Within(1, 1 << 12)]


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

    workers: Workers = 1
    """Number of processes; the results do not depend on it."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FolderOptions:
    """The options that select the folder of the results."""

    name: FolderName | None = None
    """Folder of the results below --runs. [default: in training the game's name, else one made from the options]"""
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
    from cyclopts import App, CycloptsError

    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in commands:
        return _run(commands[words[0]][0], words[1:])
    app = App(
        name=f"python -m {program}",
        version=lambda: f"tantra_envs {importlib.import_module('tantra_envs').__version__}",
        version_flags=("--version", "-v"),
        help_epilogue=f"python -m {program} COMMAND --help lists the options of a command, with an example.",
        **_SETTINGS,
    )
    for place, (name, (_, description)) in enumerate(commands.items()):
        app.command(App(name=name, help=description, sort_key=place, help_flags=(), version_flags=()))
    try:
        app(words)  # prints the commands or the version
    except CycloptsError as error:
        all_of_them = f"Available commands: {', '.join(commands)}"  # the library names the first eight
        print(f"error: {program}: {str(error).partition('Available commands:')[0]}{all_of_them}", file=sys.stderr)
        return 2
    return 0


def _run(target: str, words: list[str]) -> int:
    """Run a command. It ends without a traceback if its reader, such as `| head`, closes the pipe.

    SIGTERM does in every command what Ctrl-C does. A command that was started without standard output or error
    (`>&-`) writes to nowhere.
    """
    module, _, function = target.partition(":")
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        redirect_stdout(sys.stdout or nowhere),
        redirect_stderr(sys.stderr or nowhere),
        terminating(),
    ):
        try:
            code = int(getattr(importlib.import_module(module), function or "main")(words) or 0)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except KeyboardInterrupt:  # outside `user_errors` and `work`, for example while a library is imported
            print("stopped", file=sys.stderr)
            return 130
    return code


def read(args: type[Args], program: str, argv: Sequence[str] | None = None) -> Args:
    """Return the options in `argv` (default: the command line).

    `--config FILE` reads options from a TOML file by their field names. The command line overrides the file. `--help`
    prints the options in `args.COMMON`, if `args` has it, and `--help-all` prints all.

    Raises:
        ValueError: An option is unknown or has a wrong value. The message is one line.
    """
    from cyclopts import CycloptsError

    words = list(sys.argv[1:] if argv is None else argv)
    try:
        options: Args | None = parser(args, program, everything="--help-all" in words)(words)
    except CycloptsError as error:
        raise ValueError(f"{error} (see python -m {program} --help)") from None
    if options is None:  # the help was printed
        raise SystemExit(0)
    check_values(args, vars(options))
    paths = {name: _expanded(value) for name, value in vars(options).items()}
    return dataclasses.replace(options, **paths)  # type: ignore[type-var]


def _expanded(value: Any) -> Any:
    """Return the value of an option, with the home folder in place of `~` in paths."""
    if isinstance(value, tuple):
        return tuple(map(_expanded, value))
    return expanded(value) if isinstance(value, Path) else value


def from_file(file: Path, args: type[Any]) -> dict[str, Any]:
    """Return the options in a TOML file by their names.

    Raises:
        ValueError: The file cannot be read, or it has unknown keys or values of a wrong type.
    """
    fields = read_toml(file)
    keys = [option.name for option in dataclasses.fields(args)]
    for name in fields:
        if name not in keys:
            raise ValueError(f"{file}: unknown key {name!r}; keys: {', '.join(keys)}")
    check_values(args, fields, f"{file}: ")
    return fields


def parser(args: type[Any], program: str, *, everything: bool = True) -> "App":
    """Return the parser of a command. Its help lists everything, or only the options in `args.COMMON` if it has any."""
    from cyclopts import App, Parameter
    from cyclopts.help import DefaultFormatter
    from rich.text import Text

    hints = get_type_hints(args, include_extras=True)
    names = {option.name for option in dataclasses.fields(args)}
    rare = names - {*getattr(args, "COMMON", names)}

    def options(given: Any, *, config: Path | None = None) -> Any:
        return given

    class Formatter(DefaultFormatter):
        def __call__(self, console: Any, options: Any, panel: "HelpPanel") -> None:
            named = [(entry.positive_names[0].removeprefix("--").replace("-", "_"), entry) for entry in panel.entries]
            shown = [(name, entry) for name, entry in named if everything or name not in rare]
            for name, entry in shown:
                for rule in _rules(hints.get(name)):
                    entry.description.append(Text(f"[allowed: {rule.description}]"))
            super().__call__(console, options, panel.copy(entries=[entry for _, entry in shown]))

    options.__annotations__ = {
        "given": Annotated[args, Parameter(name="*", show=bool(names))],
        "config": Annotated[Path | None, Parameter(help="TOML file of options; the command line wins.")],
    }
    options.__defaults__ = _default(args)
    app = App(
        name=f"python -m {program}",
        help=args.__doc__,
        help_epilogue=f"--help-all lists all {len(names)} options." if rare and not everything else None,
        help_flags=("--help", "-h", *(("--help-all",) if rare else ())),
        help_formatter=Formatter(),
        version_flags=(),
        default_command=options,
        default_parameter=Parameter(
            consume_multiple=True, negative_iterable=(), negative_bool=(), allow_repeating=True, show_default=_shown
        ),
        config=(functools.partial(_add_file, args), _whole_numbers),
        **_SETTINGS,
    )
    app["--help"].group = "Parameters"
    return app


def _shown(default: Any) -> str | None:
    """Return a default as it is typed; None for a default that is not worth showing."""
    if default is None or default is False or default in ((), ""):
        return None
    if isinstance(default, Path):
        return default.as_posix()
    return " ".join(map(str, default)) if isinstance(default, tuple) else str(default)


def command(program: str, argv: Sequence[str] | None = None) -> str:
    """Return the command line of this run, to be stored with its results."""
    return shlex.join(["python", "-m", *program.split(), *(sys.argv[1:] if argv is None else argv)])


def game(name: str, players: int | None = None, fields: Sequence[str] = ()) -> Game:
    """Return a game, by default with the players of the game or variant.

    Args:
        name: A game, or game:variant.
        players: Number of seats, unless `fields` has it.
        fields: Options as words, such as `players=4`.

    Raises:
        ValueError: A field has no equals sign, or the game refuses an option.
    """
    seats = {} if players is None else {"players": players}
    return configuration.game(name, **{**seats, **dict(_parse_field(word) for word in fields)})


def _parse_field(word: str) -> tuple[str, Any]:
    """Return name and value of an option such as `players=4`. A value that is not a Python literal is text."""
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"option {word!r} is not allowed; allowed: OPTION=VALUE, such as players=4")
    with contextlib.suppress(ValueError, TypeError, SyntaxError):
        return name, ast.literal_eval(value)
    return name, value


def check_values(args: Callable[..., Any], values: Mapping[str, Any], source: str = "") -> None:
    """Raise ValueError unless every value is one that the annotation of its option allows.

    An annotation has the type of an option, and with `Annotated` further rules, such as `Within(1, 99)`. Rules inside
    a tuple are about each of its values.

    Args:
        args: The dataclass of the options, or a function with these arguments.
        values: Values by the names of their options. A list, or one value, may stand for a tuple, and text for a path.
        source: Start of the message, for example the name of a file.
    """
    hints = get_type_hints(args, include_extras=True)
    for name, value in values.items():
        _check(f"{source}{name}", hints[name], value)


def _check(name: str, hint: Any, value: Any) -> None:
    """Raise ValueError unless an annotation allows a value."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):  # with None, which needs no check
        if value is not None:
            _check(name, parts[0], value)
    elif origin is Annotated:
        kind, *rules = parts
        _check(name, kind, value)
        for rule in rules:
            require_in(name, _entries(value) if get_origin(kind) is tuple else value, rule)
    elif origin is tuple:
        for entry in _entries(value):
            _check(name, parts[0], entry)
    elif origin is list:
        require(name, value, isinstance(value, list), "a list")
        for entry in value:
            _check(name, parts[0], entry)
    elif origin is Literal:
        require(name, value, isinstance(value, str) and value in parts, ", ".join(parts))
    elif hint is not Any:
        require(name, value, _fits(hint, value), _IN_WORDS[hint])


def _rules(hint: Any) -> Iterator[Allowed]:
    """Yield the rules in an annotation, also those about the values of a tuple."""
    if get_origin(hint) is Annotated:
        yield from hint.__metadata__
    for part in get_args(hint):
        yield from _rules(part)


def _entries(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _fits(kind: Any, value: Any) -> bool:
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
        _end(2, f"error: {_words_of(error)}")
    except KeyboardInterrupt:
        _end(130, "stopped")


@contextlib.contextmanager
def work(kept: str | Callable[[], str] = "") -> Iterator[None]:
    """End with one line and exit code 130 on Ctrl-C, or 1 on UserError, AgentError, too little memory, or an OSError.

    `kept` describes which results are kept and how to continue, now or as a function at the end. Other errors are bugs
    and keep their traceback.
    """

    def hint() -> str:
        words = kept() if callable(kept) else kept
        return f"; {words}" if words else ""

    try:
        yield
    except KeyboardInterrupt:
        _end(130, f"stopped{hint()}")
    except (OSError, UserError, AgentError) as error:
        _end(1, f"error: {_words_of(error)}{hint()}")
    except MemoryError as error:
        _end(1, f"error: not enough memory. {error}{hint()}")


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


def _words_of(error: Exception) -> str:
    """Return the message of an error; that of a file begins with its name."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _end(code: int, message: str) -> None:
    print(" ".join(message.split()), file=sys.stderr)
    raise SystemExit(code)


def _default(args: type[Any]) -> tuple[Any, ...]:
    """Return the default options, or nothing if an option is required."""
    try:
        return (args(),)
    except TypeError:
        return ()


def _add_file(args: type[Any], app: Any, commands: Any, options: Any) -> None:
    """Add the options of the file that --config names to those of the command line."""
    from cyclopts.config import Dict

    for option in options:
        if option.name == "--config" and option.tokens:
            file = expanded(option.tokens[-1].value)
            Dict(from_file(file, args), source=str(file), use_commands_as_keys=False)(app, commands, options)


def _whole_numbers(app: Any, commands: Any, options: Any) -> None:
    """Raise ValueError for a number with a fraction where an integer is required; cyclopts would round it."""
    for option in options:
        for token in option.tokens:
            if re.search(r"\bint\b", str(option.hint)) and "." in token.value:
                raise ValueError(f"{token.keyword}={token.value} is not allowed; allowed: whole numbers")
