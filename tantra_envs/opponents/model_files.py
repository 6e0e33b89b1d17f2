"""Model files: a network and what is known of it, without code.

A model file is a safetensors file: the tensors of the network and, in its header, a `ModelCard` as JSON. Reading one
runs nobody's code, and its network plays compiled, without torch. `python -m training export model.zip --trust` makes
one of a model that Stable-Baselines3 saved.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save

from ..core.game import Game
from ..files import write_whole
from . import networks
from .network_spec import NetworkSpec, Observations, mode_of

Tensors = Mapping[str, npt.NDArray[Any]]

KEY = "tantra_envs"  # of the card in the header
TRUST = (
    "a zip of Stable-Baselines3 holds pickles: loading it runs whatever code its maker put in; if you trust them, "
    "make a model file of it with python -m training export FILE.zip --game GAME --trust"
)


@dataclass(frozen=True)
class ModelCard:
    """What is known of a network: the header of its model file."""

    label: dict[str, Any]  # what it must fit: the game and, of an mlp, its seats and the sizes of views and actions
    network: dict[str, Any]  # its NetworkSpec
    digest: str  # of the tensors
    config: dict[str, Any] = field(default_factory=dict)  # options of the game it learned that are not the defaults
    settings: dict[str, Any] = field(default_factory=dict)  # of the training run, its seed among them
    decisions: int = 0  # learned from, behaviour cloning not counted
    strength: list[dict[str, Any]] = field(default_factory=list)  # of a finished run: opponent, score, games
    # game, variant and players; also stage = stages of a game, seats = all numbers of players it learned with
    trained_for: dict[str, Any] = field(default_factory=dict)

    @property
    def spec(self) -> NetworkSpec:
        """How the network is built."""
        return NetworkSpec(**{**self.network, "net_arch": tuple(self.network["net_arch"])})

    @property
    def origin(self) -> dict[str, Any]:
        """Where the weights come from, for records and pages."""
        seed = {name: self.settings[name] for name in ("seed",) if name in self.settings}
        return {**seed, "decisions": self.decisions, "digest": self.digest[:12]}


def write_model(
    file: Path, tensors: Tensors, spec: NetworkSpec, game: Game, *, half: bool = False, **known: Any
) -> ModelCard:
    """Write a model file, whole or not at all.

    Args:
        file: Where to write.
        tensors: The weights by name, as `agents.networks.tensors_of` gives them.
        spec: How the network is built.
        game: The game it learned.
        half: Halve the precision of the weights.
        known: Other fields of its card. `trained_for` may add to what follows from the game and the settings.
    """
    kept = {name: np.ascontiguousarray(tensor, np.float16 if half else None) for name, tensor in tensors.items()}
    config = game.options.changed(game.config)
    variant = known.get("settings", {}).get("game", "").partition(":")[2]
    trained_for = {"game": game.id, "variant": variant, "players": game.players, **known.pop("trained_for", {})}
    card = ModelCard(_label(spec, game), asdict(spec), digest_of(kept), config, trained_for=trained_for, **known)
    write_whole(file, lambda part: part.write_bytes(save(kept, {KEY: json.dumps(asdict(card))})))
    return card


def read_card(file: Path) -> ModelCard:
    """Read the card in a model file; ValueError if there is none."""
    if not file.is_file():
        raise ValueError(f"there is no model file {str(file)!r}")
    if file.suffix == ".zip":
        raise ValueError(f"{file} is no model file: {TRUST}")
    try:
        with safe_open(file, "np") as kept:
            card = ModelCard(**json.loads(kept.metadata()[KEY]))
        _ = card.spec
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is no model file: {error}") from None
    return card


def read_tensors(file: Path, card: ModelCard, game: Game) -> Tensors:
    """Read the weights in a model file, float32; ValueError if it is damaged or does not fit the game or its card."""
    if misfit := misfit_of(card, game):
        raise ValueError(f"{file} was trained for {misfit}")
    card.spec.check(game)
    tensors = load_file(file)
    if digest_of(tensors) != card.digest:
        raise ValueError(f"{file} is damaged: its tensors are not those it was written with")
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    if shapes != _shapes(card.spec, game):
        raise ValueError(f"{file} is no model file: its tensors are not those of its network: {shapes}")
    return {name: tensor.astype(np.float32) for name, tensor in tensors.items()}


def misfit_of(card: ModelCard, game: Game) -> str:
    """Return why a network cannot play a game: what it was trained for and what the game has. "" if it can."""
    for name, wanted in _label(card.spec, game).items():
        if card.label.get(name) != wanted:
            return f"{name}={card.label.get(name)!r}; this game has {name}={wanted!r}"
    if card.spec.policy != "mlp" and (learned := mode_of(game.build(**card.config))) != mode_of(game):
        return f"{learned}; this game is {mode_of(game)}"
    return ""


def label_of(game: Game) -> dict[str, Any]:
    """Return the game, the seats, and the sizes of an observation and of the actions."""
    return {"game": game.name, "players": game.players, "observation": game.view.size, "actions": game.actions.size}


def digest_of(tensors: Tensors) -> str:
    """Return the SHA-256 of names, shapes and values."""
    whole = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        whole.update(name.encode() + str(tuple(tensor.shape)).encode() + tensor.tobytes())
    return whole.hexdigest()


def logits_of(spec: NetworkSpec, tensors: Tensors, game: Game) -> Callable[[Any], Observations]:
    """Return the compiled function from inputs to logits."""
    if spec.policy == "mlp":
        return functools.partial(networks.logits, packed(spec, tensors))
    return functools.partial(networks.feature_logits, game, packed(spec, tensors))


def packed(spec: NetworkSpec, tensors: Tensors) -> Observations:
    """Return the network as kernels play it."""
    layers = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in _names(spec)]
    tanh = spec.activation == "tanh" or spec.policy != "mlp"
    return networks.packed(layers, tanh=tanh, symlog=spec.transform == "symlog")


def _label(spec: NetworkSpec, game: Game) -> dict[str, Any]:
    """What a network must fit: one over features is the same for any number of seats."""
    return label_of(game) if spec.policy == "mlp" else {"game": game.name}


def _shapes(spec: NetworkSpec, game: Game) -> dict[str, tuple[int, ...]]:
    """Of all tensors, by name."""
    shapes: dict[str, tuple[int, ...]] = {}
    for name, (width, wider) in zip(_names(spec), pairwise(spec.widths(game)), strict=True):
        shapes |= {f"{name}.weight": (wider, width), f"{name}.bias": (wider,)}
    return shapes


def _names(spec: NetworkSpec) -> list[str]:
    """Of the layers, as `agents.networks.actor` builds them: every other part of the second is an activation."""
    if spec.policy != "mlp":
        return [f"1.score.{2 * layer}" for layer in range(len(spec.net_arch) + 1)]
    return [*(f"1.{2 * layer}" for layer in range(len(spec.net_arch))), "2"]
