"""What learners score over the minutes of a processor it took them: runs of self-play and turns of the crank together.

    python -m benchmarks.curves runs/karma-anchored runs/karma-crank --out docs/curves/karma-minutes.svg
    python -m benchmarks.curves "results, held=runs/a" "results, held=runs/b" "labels=runs/c" --out karma-minutes.svg

Each is the folder of a run that came to its end, or LABEL=FOLDER; what has one label has one colour. Self-play tells
its minutes with every measurement, the crank with every turn that one process went through; the time of measurements
counts. A turn that was stopped on the way, or made by several, tells none: `--assume 6` gives it so many, and points
are ringed from there on. The picture is written for light and for dark pages, as NAME-light.svg and NAME-dark.svg.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tantra_envs import cli
from tantra_envs.files import open_folder

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tantra_envs.core.game import Game

PROGRAM = "benchmarks.curves"
Score = tuple[float, float, float]  # and the ends of its interval


@dataclass(frozen=True)
class Args:
    """Draw scores over minutes.

    Example: python -m benchmarks.curves runs/karma-anchored runs/karma-crank --out docs/curves/karma-minutes.svg
    """

    folders: tuple[str, ...]
    """Folders of runs, each as FOLDER or LABEL=FOLDER."""
    out: Path = field(kw_only=True)
    """NAME.svg: NAME-light.svg and NAME-dark.svg are written there."""
    opponent: str = field(default="scripted", kw_only=True)
    """Whom all of them were measured against."""
    assume: float | None = field(default=None, kw_only=True)
    """Minutes of turns that do not tell their own; from there on points are ringed. None = such runs are refused."""


@dataclass(frozen=True)
class Curve:
    """A run: what it scored after how many minutes."""

    label: str
    game: Game
    minutes: list[float]
    scores: list[Score]
    told: list[bool]  # are the minutes of all that came to a point known?


def main(argv: Sequence[str] | None = None) -> int:
    """Read all runs, draw, and say where the pictures are."""
    with cli.user_errors("bench,train"):
        args = cli.read(Args, PROGRAM, argv)
        if args.assume is not None:
            cli.check_ranges(args, assume=(0, math.inf))
        curves = [curve(words, args.opponent, args.assume) for words in args.folders]
        check(args, curves)
        open_folder(args.out.parent)
        from .harness.themes import write_both

        files = write_both(args.out, args.out.stem, lambda: picture(curves, args.opponent), "curves")
    print(f"kept: {', '.join(map(str, files.values()))}")
    return 0


def check(args: Args, curves: Sequence[Curve]) -> None:
    """ValueError unless they are of one game, and the picture has a name."""
    if args.out.suffix != ".svg":
        raise ValueError(f"out={str(args.out)!r} is not allowed; allowed: a file that ends in .svg")
    if not curves:
        raise ValueError("folders=() is not allowed; allowed: one run or more")
    of = {words: _table(own.game) for words, own in zip(args.folders, curves, strict=True)}
    for words, table in of.items():
        if table != of[args.folders[0]]:
            raise ValueError(f"{words} learned {table}, {args.folders[0]} {of[args.folders[0]]}: one picture, one game")


def curve(words: str, opponent: str, assume: float | None = None) -> Curve:
    """The curve of FOLDER or LABEL=FOLDER; ValueError if there is no run that tells its minutes, as far as it must."""
    label, _, given = words.rpartition("=")
    folder = Path(given)
    turns = sorted(folder.glob("turn-*/results.json"), key=lambda file: int(file.parent.name.partition("-")[2]))
    if turns:
        settings, read = _json(folder / "settings.json"), _of_turns(turns, opponent, assume)
    elif (file := folder / "results.json").is_file():
        found = _json(file)
        settings, read = found["settings"], _of_self_play(file, found, opponent)
    else:
        raise ValueError(f"{folder} is no run that came to its end: it has no results.json, and no turns that have")
    return Curve(label or folder.name, cli.game(settings["game"], settings["players"]), *read)


def picture(curves: Sequence[Curve], opponent: str) -> Figure:
    """A line with a band for each; those of one label in one colour."""
    import matplotlib
    from matplotlib.figure import Figure

    from .harness.themes import finish

    drawn = Figure(figsize=(8, 4.5), layout="constrained")
    axes = drawn.add_subplot(xlabel="minutes of a processor, measurements included", ylabel=f"score against {opponent}")
    axes.axhline(0.5, color="grey", linewidth=0.8)
    labels = list(dict.fromkeys(own.label for own in curves))
    colours = matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]
    for own in curves:
        _line(axes, own, colours[labels.index(own.label) % len(colours)])
    axes.set_xlim(left=0)
    axes.set_title(f"{curves[0].game.title} for {curves[0].game.players}")
    lines, told = axes.get_legend_handles_labels()
    axes.legend([lines[told.index(label)] for label in labels], labels, loc="lower right", frameon=False)
    finish(axes)
    return drawn


def _line(axes: Axes, own: Curve, colour: str) -> None:
    """Scores with a band, and rings where minutes are assumed."""
    mean, low, high = zip(*own.scores, strict=True)
    axes.plot(own.minutes, mean, marker=".", color=colour, label=own.label)
    axes.fill_between(own.minutes, low, high, color=colour, alpha=0.15, linewidth=0)
    known = sum(own.told)
    if known < len(mean):
        axes.plot(own.minutes[known:], mean[known:], "o", color=colour, markerfacecolor="none", markersize=9)


def _of_self_play(file: Path, found: dict[str, Any], opponent: str) -> tuple[list[float], list[Score], list[bool]]:
    """Minutes and scores of a run: all on the way, and over more deals the one at its end."""
    if "minutes" not in found:
        raise ValueError(f"{file} does not tell its minutes: it is of another kind of run, or of an earlier version")
    scores = [_of(entry["scores"], opponent, file) for entry in found["history"]]
    minutes = found["minutes"]
    return minutes, [*scores, _of(_by_opponent(found), opponent, file)], [True] * len(minutes)


def _of_turns(
    files: Sequence[Path], opponent: str, assume: float | None
) -> tuple[list[float], list[Score], list[bool]]:
    """Minutes and scores of the turns of a crank, one after the other."""
    rows = [_json(file) for file in files]
    for file, row in zip(files, rows, strict=True):
        if row["minutes"] is None and assume is None:
            raise ValueError(f"{file} does not tell its minutes: several processes made that turn, or it was stopped")
    scores = [_of(_by_opponent(row), opponent, file) for file, row in zip(files, rows, strict=True)]
    minutes = [(assume or 0.0) if row["minutes"] is None else float(row["minutes"]) for row in rows]
    told = [row["minutes"] is not None for row in rows]
    return list(accumulate(minutes)), scores, list(accumulate(told, min))


def _by_opponent(found: dict[str, Any]) -> dict[str, Score]:
    kept = {result["opponent"]: result["score"] for result in found["results"]}
    return {name: (score["mean"], score["low"], score["high"]) for name, score in kept.items()}


def _of(scores: dict[str, Any], opponent: str, file: Path) -> Score:
    if opponent not in scores:
        raise ValueError(f"{file}: opponent={opponent!r} is not allowed; allowed: {', '.join(scores)}")
    mean, low, high = scores[opponent]
    return mean, low, high


def _table(game: Game) -> str:
    changed = {name: value for name, value in game.options.changed(game.config).items() if name != "players"}
    options = ", ".join(f"{name}={value}" for name, value in changed.items())
    return f"{game.name} for {game.players}{' with ' if options else ''}{options}"


def _json(file: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None
    return content


if __name__ == "__main__":
    sys.exit(main())
