"""Learned: plays with the network in a model file, and says what a model file is.

A model file is a MaskablePPO zip of Stable-Baselines3 with one member more, `game.json`: which game the network has
learned, and how much it sees and may do there.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation

if TYPE_CHECKING:
    import torch
    from sb3_contrib import MaskablePPO

LABEL = "game.json"
Views = npt.NDArray[np.float32]


class NetPlayer:
    """Plays what a network likes best. `net` turns what it is shown (see `shown`) into logits (k, actions.size)."""

    def __init__(self, name: str, net: torch.nn.Module, advice: bool = False) -> None:
        self.name = name
        self.net = net
        self.advice = advice

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The likeliest action at every table."""
        return np.asarray(self.logits(obs).argmax(axis=1), np.int64)

    def logits(self, obs: Observation) -> npt.NDArray[np.float32]:
        """How much each action is liked, shape (k, actions.size); illegal ones -inf."""
        import torch

        inputs = shown(obs.game, obs.observation, obs.action_mask, self.advice)
        with torch.inference_mode():
            logits = self.net(torch.from_numpy(inputs)).numpy()
        return np.where(obs.action_mask, logits, np.float32(-np.inf))


def shown(game: Game, views: Views, masks: npt.NDArray[np.int8], advice: bool) -> Views:
    """What a network is shown: the views, and with `advice` after them a 1 for what the scripted player would do.

    Masks that allow everything stand for tables where nobody decides; there is no advice for those.
    """
    if not advice:
        return views
    advised = np.zeros(masks.shape, np.float32)
    open_ = np.flatnonzero(~masks.all(axis=1))
    advised[open_, game.scripted.choose(game, views[open_], masks[open_])] = 1
    return np.concatenate([views, advised], axis=1)


class Learned(NetPlayer):
    """The network of a model file. ValueError if there is none, or if it does not fit the game."""

    def __init__(self, game: Game, file: str) -> None:
        model = load_model(file, game)
        from .networks import choosing_net

        advice = model.observation_space.shape != (game.view.size,)
        super().__init__(f"ppo:{file}", choosing_net(model), advice)
        self.file = Path(file)


def save_model(model: MaskablePPO, game: Game, file: Path) -> None:
    """Write a model file in one step: `file` is never found half written."""
    unfinished = file.with_name(f".{file.stem}.part.zip")
    model.save(unfinished)
    with zipfile.ZipFile(unfinished, "a") as archive:
        archive.writestr(LABEL, json.dumps(label_of(game)))
    unfinished.replace(file)


def load_model(file: str, game: Game) -> MaskablePPO:
    """The model in `file`; ValueError if there is none, or one of another game or size."""
    try:
        from sb3_contrib import MaskablePPO
    except ModuleNotFoundError as missing:
        raise ValueError(f"agent 'ppo' needs {missing.name}: pip install -e '.[train]' -c constraints.txt") from None
    check_label(_read_label(file), game, file)
    try:
        model: MaskablePPO = MaskablePPO.load(file, device="cpu")
    except Exception as error:  # whatever unpickling a damaged file may raise
        raise ValueError(f"{file} cannot be read as a MaskablePPO model: {error}") from None
    return model


def label_of(game: Game) -> dict[str, Any]:
    """The game, the seats, and how much is seen and may be done: what weights must fit."""
    return {"game": game.name, "players": game.players, "observation": game.view.size, "actions": game.actions.size}


def _read_label(file: str) -> dict[str, Any]:
    if not Path(file).is_file():
        raise ValueError(f"there is no model file {file!r}")
    try:
        with zipfile.ZipFile(file) as archive:
            label: dict[str, Any] = json.loads(archive.read(LABEL))
    except (OSError, zipfile.BadZipFile, KeyError, ValueError):
        raise ValueError(f"{file} is no model file: it is no zip with {LABEL} inside") from None
    return label


def check_label(label: dict[str, Any], game: Game, file: str) -> None:
    """ValueError unless weights with this label fit the game."""
    for field, wanted in label_of(game).items():
        if label.get(field) != wanted:
            raise ValueError(f"{file} was trained for {field}={label.get(field)!r}; this game has {field}={wanted!r}")
