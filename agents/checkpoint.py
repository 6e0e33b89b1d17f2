"""ppo:FILE, the network in a model file; and what a model file is.

A model file is a safetensors file: the tensors of the network that chooses and, in its header, a `ModelCard` as JSON.
Reading one runs nobody's code. `python -m training.export model.zip --trust` makes one of a model that
Stable-Baselines3 saved.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save
from torch import nn

from tantra_envs.core.game import Game
from tantra_envs.files import write_whole

from .networks import NetworkPlayer, NetworkSpec

KEY = "tantra_envs"  # of the card in the header
TRUST = (
    "a zip of Stable-Baselines3 holds pickles: loading it runs whatever code its maker put in; if you trust them, "
    "make a model file of it with python -m training.export FILE.zip --game GAME --trust"
)


@dataclass(frozen=True)
class ModelCard:
    """What is known of a network, as model cards tell it."""

    label: dict[str, Any]  # the game, the seats, and how much is seen and may be done: what it must fit
    network: dict[str, Any]  # its NetworkSpec
    digest: str  # of the tensors
    config: dict[str, Any] = field(default_factory=dict)  # of the game it learned, where that differs from the defaults
    settings: dict[str, Any] = field(default_factory=dict)  # of the training run, its seed among them
    decisions: int = 0  # learned from, behaviour cloning not counted
    strength: list[dict[str, Any]] = field(default_factory=list)  # of a finished run: opponent, score, games

    @property
    def spec(self) -> NetworkSpec:
        """How the network is built."""
        return NetworkSpec(**{**self.network, "net_arch": tuple(self.network["net_arch"])})


class Checkpoint(NetworkPlayer):
    """The network of a model file. ValueError if there is none, or if it does not fit the game."""

    def __init__(self, game: Game, file: str | Path, name: str = "") -> None:
        self.file = Path(file)
        self.card = read_card(self.file)
        super().__init__(name or f"ppo:{file}", read_actor(self.file, self.card, game), self.card.spec.advice)

    @property
    def origin(self) -> dict[str, Any]:
        """How the weights came about, for records and pages."""
        seed = {name: self.card.settings[name] for name in ("seed",) if name in self.card.settings}
        return {**seed, "decisions": self.card.decisions, "digest": self.card.digest[:12]}


def write_model(
    file: Path, actor: nn.Module, spec: NetworkSpec, game: Game, *, half: bool = False, **known: Any
) -> ModelCard:
    """Write a model file, whole or not at all; `known` are other fields of its card, `half` halves the precision."""
    state = actor.state_dict().items()
    tensors = {name: (tensor.half() if half else tensor).contiguous() for name, tensor in state}
    config = game.options.changed(game.config)
    card = ModelCard(label_of(game), asdict(spec), digest_of(tensors), config, **known)
    write_whole(file, lambda part: part.write_bytes(save(tensors, {KEY: json.dumps(asdict(card))})))
    return card


def read_card(file: Path) -> ModelCard:
    """The card in a model file; ValueError if there is none."""
    if not file.is_file():
        raise ValueError(f"there is no model file {str(file)!r}")
    if file.suffix == ".zip":
        raise ValueError(f"{file} is no model file: {TRUST}")
    try:
        with safe_open(file, "pt") as kept:
            card = ModelCard(**json.loads(kept.metadata()[KEY]))
        _ = card.spec
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is no model file: {error}") from None
    return card


def read_actor(file: Path, card: ModelCard, game: Game) -> nn.Module:
    """The network in a model file; ValueError if it is damaged, or does not fit the game."""
    for name, wanted in label_of(game).items():
        if card.label.get(name) != wanted:
            raise ValueError(f"{file} was trained for {name}={card.label.get(name)!r}; this game has {name}={wanted!r}")
    tensors = load_file(file)
    if digest_of(tensors) != card.digest:
        raise ValueError(f"{file} is damaged: its tensors are not those it was written with")
    actor = card.spec.actor(game)
    try:
        actor.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    except RuntimeError as error:
        raise ValueError(f"{file} is no model file: its tensors are not those of its network: {error}") from None
    return actor


def label_of(game: Game) -> dict[str, Any]:
    """The game, the seats, and how much is seen and may be done."""
    return {"game": game.name, "players": game.players, "observation": game.view.size, "actions": game.actions.size}


def digest_of(tensors: Mapping[str, torch.Tensor]) -> str:
    """The SHA-256 of names, shapes and values."""
    whole = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        whole.update(name.encode() + str(tuple(tensor.shape)).encode() + tensor.numpy().tobytes())
    return whole.hexdigest()
