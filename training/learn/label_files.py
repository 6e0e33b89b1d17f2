"""Files of labels: safetensors files with the arrays of `Labels`, and their origin as JSON in the header."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.files import write_whole
from tantra_envs.opponents.model_files import label_of
from tantra_envs.opponents.network_spec import Policy, as_bytes, reads_records

KEY = "tantra_envs"  # key of the JSON in the header
FORMAT = 3  # version, which is raised when the meaning of files changes
NAMES = "[0-9]*.safetensors"
Origin = dict[str, Any]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Labels:
    """n positions at which a seat has at least two legal actions, and the values of these actions."""

    inputs: npt.NDArray[Any]  # inputs of the policy: see `encode`
    masks: npt.NDArray[np.int8]  # (n, actions.size)
    actions: npt.NDArray[np.int16]  # (n, c), the base policy's action first, -1 = padding
    values: npt.NDArray[np.float32]  # (n, c), means over the determinizations
    errors: npt.NDArray[np.float32]  # (n, c), standard errors of the advantage over the first action; inf = unknown

    def __len__(self) -> int:
        return len(self.inputs)


def no_labels(policy: Policy, game: Game) -> Labels:
    """Return the labels of deals from which no position was sampled."""
    inputs = encode(policy, game, game.blanks(0), np.zeros(0, np.int64))
    masks, none = np.zeros((0, game.actions.size), np.int8), np.zeros((0, 1), np.float32)
    return Labels(inputs, masks, none.astype(np.int16), none, none)


def encode(policy: Policy, game: Game, states: States, seats: Rows) -> npt.NDArray[Any]:
    """Return the inputs of a policy for one seat at each of the tables (k,), in the format of files.

    Returns:
        Observations as integers, (k, view.size), or the bytes of concealed records, np.uint8 of shape (k, size).
    """
    return as_bytes(game.conceal(states, seats)) if reads_records(policy, game) else game.views(states, seats)[0]


def decode(policy: Policy, game: Game, inputs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return inputs in the format of `policy_inputs` from the format of `encode`."""
    if reads_records(policy, game):
        return np.ascontiguousarray(inputs).view(game.blank.dtype)[:, 0]
    return game.view.to_float(inputs)


def origin_of(game: Game, method: Mapping[str, Any]) -> Origin:
    """Return the origin of labels: game, encoding, and method."""
    config = game.options.changed(game.config)
    origin: Origin = json.loads(json.dumps({"format": FORMAT, **label_of(game), "config": config, **method}))
    return origin


def write(file: Path, labels: Labels, origin: Origin) -> None:
    """Write a file of labels, whole or not at all."""
    arrays = {field.name: np.ascontiguousarray(getattr(labels, field.name)) for field in fields(Labels)}
    arrays["masks"] = np.packbits(arrays["masks"], axis=1)
    write_whole(file, lambda part: part.write_bytes(save(arrays, {KEY: json.dumps(origin)})))


def read_origin(file: Path) -> Origin:
    """Return the origin of a file. Raise ValueError if it is damaged or not a file of labels."""
    try:
        with safe_open(file, "np") as content:
            origin: Origin = json.loads(content.metadata()[KEY])
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is damaged or not a file of labels: {error}") from None
    return origin


def read(file: Path, game: Game) -> Labels:
    """Return the labels of a file. Raise ValueError if it is damaged, or of another game or encoding."""
    _check(file, read_origin(file), origin_of(game, {}))
    with safe_open(file, "np") as content:
        arrays = {field.name: content.get_tensor(field.name) for field in fields(Labels)}
    arrays["masks"] = np.unpackbits(arrays["masks"], axis=1, count=game.actions.size).view(np.int8)
    return Labels(**arrays)


def read_all(folders: Iterable[Path], game: Game) -> Labels:
    """Return the labels of all files in some folders. Raise ValueError if a folder has none, or a file does not fit."""
    parts = []
    for folder in folders:
        files = sorted(folder.glob(NAMES))
        if not files:
            raise ValueError(f"{folder} has no files of labels")
        parts += [read(file, game) for file in files]
    return join(parts)


def join(parts: Sequence[Labels]) -> Labels:
    """Return the labels of all parts, in their order."""
    width = max(part.actions.shape[1] for part in parts)
    padded = [_pad(part, width) for part in parts]
    return Labels(*(np.concatenate([getattr(part, field.name) for part in padded]) for field in fields(Labels)))


def is_sound(file: Path, expected: Origin) -> bool:
    """Return whether a file holds these labels. Return False for a damaged file, raise ValueError for other labels."""
    if not file.is_file():
        return False
    try:
        origin = read_origin(file)
    except ValueError:
        return False
    _check(file, origin, expected)
    return True


def _check(file: Path, origin: Origin, expected: Origin) -> None:
    for name, value in expected.items():
        if origin.get(name) != value:
            raise ValueError(f"{file} holds other labels: {name}={origin.get(name)!r}; allowed: {name}={value!r}")


def _pad(labels: Labels, width: int) -> Labels:
    """Return the labels with room for `width` actions."""
    more = ((0, 0), (0, width - labels.actions.shape[1]))
    actions = np.pad(labels.actions, more, constant_values=-1)
    return Labels(labels.inputs, labels.masks, actions, np.pad(labels.values, more), np.pad(labels.errors, more))
