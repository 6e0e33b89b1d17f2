"""Files of labels: what every action was worth at some positions, each file whole or not there.

A file is a safetensors file: the arrays of `Labels` by their names and, in the header as JSON, what they were made of.
"""

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

from agents.checkpoint import label_of
from tantra_envs.core.game import Game
from tantra_envs.files import write_whole

KEY = "tantra_envs"  # of the JSON in the header
FORMAT = 1  # raised when files of before mean something else
NAMES = "[0-9]*.safetensors"
Origin = dict[str, Any]


@dataclass(frozen=True)
class Labels:
    """n positions at which a seat has two legal actions or more, and what some of its actions are worth there."""

    observations: npt.NDArray[Any]  # (n, view.size), whole numbers as kernels write them
    masks: npt.NDArray[np.int8]  # (n, actions.size)
    actions: npt.NDArray[np.int16]  # (n, c), that of the base player first, -1 = no more
    values: npt.NDArray[np.float32]  # (n, c), means over the worlds
    errors: npt.NDArray[np.float32]  # (n, c), standard errors of how much more that is than the first; inf = unknown

    def __len__(self) -> int:
        return len(self.observations)


def origin_of(game: Game, how: Mapping[str, Any]) -> Origin:
    """What labels depend on: game and encoding, and how they were made."""
    own = {"format": FORMAT, **label_of(game), "config": game.options.changed(game.config)}
    made: Origin = json.loads(json.dumps({**own, **how}))
    return made


def write(file: Path, labels: Labels, origin: Origin) -> None:
    """Write a file of labels, whole or not at all."""
    arrays = {field.name: np.ascontiguousarray(getattr(labels, field.name)) for field in fields(Labels)}
    arrays["masks"] = np.packbits(arrays["masks"], axis=1)
    write_whole(file, lambda part: part.write_bytes(save(arrays, {KEY: json.dumps(origin)})))


def read_origin(file: Path) -> Origin:
    """What a file says of itself; ValueError if it is none, or cut short."""
    try:
        with safe_open(file, "np") as kept:
            origin: Origin = json.loads(kept.metadata()[KEY])
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} holds no labels, or is damaged: {error}") from None
    return origin


def read(file: Path, game: Game) -> Labels:
    """The labels of a file; ValueError if it is damaged, or of another game or encoding."""
    _check(file, read_origin(file), origin_of(game, {}))
    with safe_open(file, "np") as kept:
        arrays = {field.name: kept.get_tensor(field.name) for field in fields(Labels)}
    arrays["masks"] = np.unpackbits(arrays["masks"], axis=1, count=game.actions.size).view(np.int8)
    return Labels(**arrays)


def read_all(folders: Iterable[Path], game: Game) -> Labels:
    """The labels of all files in some folders; ValueError if there are none, or one is not as it should be."""
    parts = []
    for folder in folders:
        files = sorted(folder.glob(NAMES))
        if not files:
            raise ValueError(f"there are no labels in {folder}; make some with python -m training.labels")
        parts += [read(file, game) for file in files]
    return joined(parts)


def joined(parts: Sequence[Labels]) -> Labels:
    """All of them, one after the other."""
    width = max(part.actions.shape[1] for part in parts)
    padded = [_padded(part, width) for part in parts]
    return Labels(*(np.concatenate([getattr(part, field.name) for part in padded]) for field in fields(Labels)))


def is_sound(file: Path, wanted: Origin) -> bool:
    """Are these labels there? ValueError if others are, of which nothing must be overwritten; damaged ones are none."""
    if not file.is_file():
        return False
    try:
        found = read_origin(file)
    except ValueError:
        return False
    _check(file, found, wanted)
    return True


def _check(file: Path, found: Origin, wanted: Origin) -> None:
    for name, value in wanted.items():
        if found.get(name) != value:
            raise ValueError(f"{file} holds other labels: {name}={found.get(name)!r}; wanted: {name}={value!r}")


def _padded(labels: Labels, width: int) -> Labels:
    """With room for so many actions."""
    more = ((0, 0), (0, width - labels.actions.shape[1]))
    actions = np.pad(labels.actions, more, constant_values=-1)
    return Labels(labels.observations, labels.masks, actions, np.pad(labels.values, more), np.pad(labels.errors, more))
