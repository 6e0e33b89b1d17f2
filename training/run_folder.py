"""The folder of a run: checkpoint, curve and command lines. Files are written whole or not at all.

A checkpoint is a safetensors file. It holds the arrays of a run, named by their place in the state, and everything else
as JSON in the header, with a digest of both. Reading a checkpoint never runs code from it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from tantra_envs.programs.files import open_folder, write_content, write_whole

CHECKPOINT = "checkpoint.safetensors"
MODEL = "model.safetensors"  # for playing
KEY, DIGEST = "tantra_envs", "digest"  # keys of the JSON and of the digest in the header


def new_folder(folder: Path) -> None:
    """Create the folder of a run. Raise ValueError if it holds a run already, OSError if it cannot be written."""
    if (folder / CHECKPOINT).exists() or (folder / MODEL).exists():
        raise ValueError(f"{folder} holds a run already; continue it with --resume {folder}, or choose another --name")
    open_folder(folder)


def checkpoint_of(folder: Path) -> Path:
    """Return the checkpoint in the folder of a run. Raise ValueError if there is none."""
    file = folder / CHECKPOINT
    if not file.is_file():
        raise ValueError(f"{file} does not exist; allowed: the folder of a run")
    return file


def write_checkpoint(folder: Path, content: dict[str, Any]) -> None:
    """Write the state of a run: nested dicts and lists of JSON values and of arrays of NumPy or torch."""
    arrays: dict[str, np.ndarray] = {}
    text = json.dumps(_packed(content, "", arrays))
    header = {KEY: text, DIGEST: _digest(text, arrays)}
    write_content(folder / CHECKPOINT, save(arrays, header))


def read_checkpoint(folder: Path) -> dict[str, Any]:
    """Return the state that `write_checkpoint` wrote, with tuples as lists and records as bytes.

    Raises:
        ValueError: The file is missing, damaged, or of another version.
    """
    file = checkpoint_of(folder)
    try:
        with safe_open(file, "np") as checkpoint:
            header = checkpoint.metadata()
            arrays = {name: checkpoint.get_tensor(name) for name in checkpoint.keys()}  # noqa: SIM118, no mapping
        if _digest(header[KEY], arrays) != header[DIGEST]:
            raise ValueError("its content does not match its digest")
        content: dict[str, Any] = _unpacked(json.loads(header[KEY]), arrays)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is damaged, or of another version: {error}") from None
    return content


def draw_curve(file: Path, history: Sequence[dict[str, Any]]) -> None:
    """Draw the score against each opponent over the decisions, with 95 % intervals."""
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
    write_whole(file, lambda part: figure.savefig(part, format="png", dpi=120))


def _digest(text: str, arrays: Mapping[str, np.ndarray]) -> str:
    """Return the SHA-256 of the JSON of a checkpoint and of its arrays, with their names, types and shapes."""
    whole = hashlib.sha256(text.encode())
    for name, array in sorted(arrays.items()):
        whole.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return whole.hexdigest()


def _packed(value: Any, place: str, arrays: dict[str, np.ndarray]) -> Any:
    """Return `value` as JSON values. Its arrays move to `arrays`, and their names replace them."""
    if isinstance(value, dict):
        return {name: _packed(part, f"{place}.{name}", arrays) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_packed(part, f"{place}.{i}", arrays) for i, part in enumerate(value)]
    if not isinstance(value, (np.ndarray, torch.Tensor)):
        return value
    array = np.ascontiguousarray(value.cpu() if isinstance(value, torch.Tensor) else value).reshape(value.shape)
    arrays[place] = array.view(np.uint8) if array.dtype.fields else array
    return {"tensor" if isinstance(value, torch.Tensor) else "array": place}


def _unpacked(value: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    if isinstance(value, list):
        return [_unpacked(part, arrays) for part in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"array"}:
        return arrays[value["array"]]
    if value.keys() == {"tensor"}:
        return torch.from_numpy(arrays[value["tensor"]])
    return {name: _unpacked(part, arrays) for name, part in value.items()}
