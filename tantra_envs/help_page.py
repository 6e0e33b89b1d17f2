"""Help of commands whose options are a dataclass, in the format of argparse."""

from __future__ import annotations

import inspect
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any, get_args, get_origin

HELP = ("-h", "--help", "--help-all")
MOST_INDENT = 34  # largest indentation of the texts
VALUES = {str: "TEXT", int: "N", float: "NUMBER", Path: "PATH"}  # placeholders of the types


def help_page(args: type[Any], program: str, texts: Mapping[str, Any], everything: bool) -> str:
    """Return the help of a command.

    Args:
        args: The dataclass of its options. If it has `COMMON`, the short help lists those options in that order.
        program: The words after `python -m`.
        texts: For every option its cyclopts argument, with the text, the type and the choices.
        everything: Show all options.
    """
    width = min(shutil.get_terminal_size().columns, 120)
    names = [option.name for option in fields(args)]
    common = names if everything else getattr(args, "COMMON", names)
    rows = [_row(args, name, texts[f"--{name.replace('_', '-')}"]) for name in common]
    rows += [("--config FILE", "TOML file of options; the command line wins."), ("-h, --help", "Show this help.")]
    if len(common) < len(names):
        rows.append(("--help-all", f"Show all {len(names)} options; a file for --config may hold any of them."))
    paragraphs = inspect.cleandoc(args.__doc__ or "").split("\n\n")
    examples = [f"{paragraph[0].lower()}{paragraph[1:]}" for paragraph in paragraphs if _is_example(paragraph)]
    about = [textwrap.fill(paragraph, width) for paragraph in paragraphs if not _is_example(paragraph)]
    listing = "\n".join(["options:", *_listed(rows, width)])
    return "\n\n".join([_usage(args, program), *about, listing, "\n".join(examples)])


def _is_example(paragraph: str) -> bool:
    return "python -m " in paragraph


def _usage(args: type[Any], program: str) -> str:
    positional = [option.name for option in fields(args) if not option.kw_only]
    defaults = {option.name for option in fields(args) if _default(option) is not None}
    words = [f"[{name.upper()}]" if name in defaults else name.upper() for name in positional]
    return " ".join(["usage: python -m", program, *words, "[options]"])


def _row(args: type[Any], name: str, text: Any) -> tuple[str, str]:
    """Return the label of an option, and its text with the default."""
    option = next(option for option in fields(args) if option.name == name)
    default = _default(option)
    words = " ".join((text.parameter.help or "").split())
    value = " ".join(map(str, default)) if isinstance(default, tuple) else str("yes" if default is True else default)
    unsaid = default is None or default is False or not value
    return _label(bool(option.kw_only), default, text), words if unsaid else f"{words} [default: {value}]".strip()


def _label(by_name: bool, default: Any, text: Any) -> str:
    """Return the label of an option: `GAME`, `--deals N`, `--policy {mlp,features}` or `--replays, --no-replays`."""
    if not by_name:
        return str(text.name.removeprefix("--").upper())
    if isinstance(default, bool):
        return ", ".join(text.names if default else text.names[:1])
    kinds, choices = get_args(text.hint), text.get_choices()
    value = f"{{{','.join(choices)}}}" if choices else VALUES[kinds[0] if kinds else text.hint]
    return f"{text.name} {value}{'...' if get_origin(text.hint) is tuple else ''}"


def _default(option: Field[Any]) -> Any:
    """Return the default of an option; None if it has none."""
    return None if option.default is MISSING else option.default


def _listed(rows: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Yield the lines of the options. A long label gets its own line."""
    indent = min(max(len(label) for label, _ in rows) + 4, MOST_INDENT)
    for label, text in rows:
        lines = textwrap.wrap(text, width - indent) or [""]
        if len(label) <= indent - 4:
            yield f"  {label:{indent - 2}}{lines.pop(0)}"
        else:
            yield f"  {label}"
        yield from (" " * indent + line for line in lines)
