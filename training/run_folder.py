"""The files of a run, each written whole or not at all: checkpoints, results, the curve."""

from __future__ import annotations

import json
import pickle
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

CHECKPOINT = "checkpoint.pt"


def new_folder(folder: Path) -> None:
    """Make the folder of a run; ValueError if a run is there already, OSError if nothing can be written."""
    if (folder / CHECKPOINT).exists():
        raise ValueError(f"{folder} holds a run already; go on with --resume {folder}, or choose another --name")
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def write_checkpoint(folder: Path, content: dict[str, Any]) -> None:
    """Keep everything a run needs to go on."""
    import torch

    _replace(folder / CHECKPOINT, lambda file: torch.save(content, file))


def read_checkpoint(folder: Path) -> dict[str, Any]:
    """What `write_checkpoint` kept; ValueError if there is nothing, or nothing readable."""
    import torch

    file = folder / CHECKPOINT
    if not file.is_file():
        raise ValueError(f"nothing to resume: there is no {file}")
    try:
        content: dict[str, Any] = torch.load(file, weights_only=False)
    except (RuntimeError, EOFError, pickle.UnpicklingError, AttributeError, ImportError) as error:
        raise ValueError(f"{file} is damaged, or of another version: {error}") from None
    return content


def write_json(file: Path, content: Any) -> None:
    """Write `content` for people and programs."""
    _replace(file, lambda part: part.write_text(json.dumps(content, indent=1), encoding="utf-8"))


def draw_curve(file: Path, history: Sequence[dict[str, Any]]) -> None:
    """Score against each opponent over the decisions learned from, with 95 % intervals."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot(xlabel="decisions", ylabel="score (0.5 = even)", ylim=(0, 1))
    axes.axhline(0.5, color="grey", linewidth=0.8)
    decisions = [entry["decisions"] for entry in history]
    for name in history[-1]["scores"] if history else ():
        mean, low, high = zip(*[entry["scores"][name] for entry in history], strict=True)
        axes.plot(decisions, mean, label=f"against {name}", marker=".")
        axes.fill_between(decisions, low, high, alpha=0.2)
    if history:
        axes.legend(loc="lower right")
    _replace(file, lambda part: figure.savefig(part, format="png", dpi=120))


def _replace(file: Path, write: Callable[[Path], Any]) -> None:
    """Let `write` fill a file beside `file`, then put it in its place in one step."""
    unfinished = file.with_name(f".{file.name}.part")
    write(unfinished)
    unfinished.replace(file)
