"""ppo:FILE, the network in a model file; and what a model file is.

A model file is a safetensors file: the tensors of the network that chooses and, in its header, a `ModelCard` as JSON.
Reading one runs nobody's code, and its network plays compiled, without torch. `python -m training export model.zip
--trust` makes one of a model that Stable-Baselines3 saved.
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

from tantra_envs.core.game import Game
from tantra_envs.files import write_whole
from tantra_envs.opponents import networks
from tantra_envs.opponents.specs import AgentSpec

from .likeliest import Likeliest
from .network_spec import NetworkSpec, Observations, described_as

Tensors = Mapping[str, npt.NDArray[Any]]

KEY = "tantra_envs"  # of the card in the header
TRUST = (
    "a zip of Stable-Baselines3 holds pickles: loading it runs whatever code its maker put in; if you trust them, "
    "make a model file of it with python -m training export FILE.zip --game GAME --trust"
)


@dataclass(frozen=True)
class ModelCard:
    """What is known of a network, as model cards tell it."""

    label: dict[str, Any]  # the game and, of an mlp, the seats and how much is seen and may be done: what it must fit
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

    @property
    def origin(self) -> dict[str, Any]:
        """How the weights came about, for records and pages."""
        seed = {name: self.settings[name] for name in ("seed",) if name in self.settings}
        return {**seed, "decisions": self.decisions, "digest": self.digest[:12]}


class Checkpoint(Likeliest):
    """Plays the likeliest action of the network in a model file. ValueError if there is none that fits the game."""

    def __init__(self, game: Game, file: str | Path, name: str = "") -> None:
        self.file, self._game = Path(file), game
        self.card = read_card(self.file)
        self.tensors, spec = read_tensors(self.file, self.card, game), self.card.spec
        if spec.output != "actions":
            raise ValueError(
                f"{file} tells what positions are worth and plays no actions; allowed: a network that does"
            )
        super().__init__(name or f"ppo:{file}", logits_of(spec, self.tensors, game), spec.advice)

    @property
    def origin(self) -> dict[str, Any]:
        """How the weights came about, for records and pages."""
        return self.card.origin

    def playing(self) -> Game:
        """The game with this network in the scripted player's place; ValueError for one that cannot be compiled."""
        spec = self.card.spec
        if spec.policy != "mlp" or spec.advice:
            kind = "asks the scripted player" if spec.advice else f"has policy={spec.policy!r}"
            raise ValueError(f"{self.name} {kind} and cannot play on in playouts; allowed: policy='mlp', advice=False")
        return networks.played_by(self._game, _compiled(spec, self.tensors), self.origin)


def checkpoint(game: Game, spec: AgentSpec) -> Checkpoint:
    """Make the agent of `ppo:FILE`; ValueError if the file is none that fits the game."""
    return Checkpoint(game, spec.words)


def write_model(
    file: Path, tensors: Tensors, spec: NetworkSpec, game: Game, *, half: bool = False, **known: Any
) -> ModelCard:
    """Write a model file, whole or not at all; `known` are other fields of its card, `half` halves the precision."""
    kept = {name: np.ascontiguousarray(tensor, np.float16 if half else None) for name, tensor in tensors.items()}
    config = game.options.changed(game.config)
    card = ModelCard(_label(spec, game), asdict(spec), digest_of(kept), config, **known)
    write_whole(file, lambda part: part.write_bytes(save(kept, {KEY: json.dumps(asdict(card))})))
    return card


def read_card(file: Path) -> ModelCard:
    """The card in a model file; ValueError if there is none."""
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
    """The weights in a model file, float32; ValueError if it is damaged, or does not fit the game or its own card."""
    for name, wanted in _label(card.spec, game).items():
        if card.label.get(name) != wanted:
            raise ValueError(f"{file} was trained for {name}={card.label.get(name)!r}; this game has {name}={wanted!r}")
    card.spec.check(game)
    if card.spec.policy != "mlp" and (learned := described_as(game.build(**card.config))) != described_as(game):
        raise ValueError(f"{file} was trained for {learned}; this game is {described_as(game)}")
    tensors = load_file(file)
    if digest_of(tensors) != card.digest:
        raise ValueError(f"{file} is damaged: its tensors are not those it was written with")
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    if shapes != _shapes(card.spec, game):
        raise ValueError(f"{file} is no model file: its tensors are not those of its network: {shapes}")
    return {name: tensor.astype(np.float32) for name, tensor in tensors.items()}


def label_of(game: Game) -> dict[str, Any]:
    """The game, the seats, and how much is seen and may be done."""
    return {"game": game.name, "players": game.players, "observation": game.view.size, "actions": game.actions.size}


def _label(spec: NetworkSpec, game: Game) -> dict[str, Any]:
    """What a network must fit: one over described actions is the same for any number of seats."""
    return label_of(game) if spec.policy == "mlp" else {"game": game.name}


def digest_of(tensors: Tensors) -> str:
    """The SHA-256 of names, shapes and values."""
    whole = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        whole.update(name.encode() + str(tuple(tensor.shape)).encode() + tensor.tobytes())
    return whole.hexdigest()


def logits_of(spec: NetworkSpec, tensors: Tensors, game: Game) -> Callable[[Observations], Observations]:
    """What turns inputs into logits, compiled."""
    if spec.policy == "mlp":
        return functools.partial(networks.logits, _compiled(spec, tensors))
    from . import descriptions

    return functools.partial(descriptions.logits, spec.policy, game, _compiled(spec, tensors))


def _compiled(spec: NetworkSpec, tensors: Tensors) -> Observations:
    """The network as kernels play it."""
    layers = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in _names(spec)]
    tanh = spec.activation == "tanh" or spec.policy != "mlp"
    return networks.packed(layers, tanh=tanh, symlog=spec.transform == "symlog")


def _shapes(spec: NetworkSpec, game: Game) -> dict[str, tuple[int, ...]]:
    """Of all tensors, by name."""
    shapes: dict[str, tuple[int, ...]] = {}
    for name, (width, wider) in zip(_names(spec), pairwise(spec.widths(game)), strict=True):
        shapes |= {f"{name}.weight": (wider, width), f"{name}.bias": (wider,)}
    return shapes


def _names(spec: NetworkSpec) -> list[str]:
    """Of the layers, as `actor` builds them: every other part of the second is an activation."""
    if spec.policy != "mlp":
        return [f"1.score.{2 * layer}" for layer in range(len(spec.net_arch) + 1)]
    return [*(f"1.{2 * layer}" for layer in range(len(spec.net_arch))), "2"]
