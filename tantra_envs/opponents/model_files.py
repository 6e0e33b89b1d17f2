"""Model files: a network and facts about it, without code.

A model file is a safetensors file with the tensors of the network. Its header is a `ModelCard` as JSON. Reading it runs
no foreign code, and its network plays compiled, without torch. `python -m training export model.zip --trust` converts a
model of Stable-Baselines3.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..programs.files import write_content
from . import networks
from .network_spec import NetworkSpec, Observations, mode_of

Tensors = Mapping[str, npt.NDArray[Any]]
Layer = tuple[npt.NDArray[Any], npt.NDArray[Any]]  # weights (outputs, inputs), and biases (outputs,)

KEY = "tantra_envs"  # key of the card in the header
TRUST = (
    "a zip of Stable-Baselines3 holds pickles, so loading it can run any code; if you trust its source, "
    "convert it with python -m training export FILE.zip --game GAME --trust"
)


@dataclass(frozen=True)
class ModelCard:
    """Facts about a network: the header of its model file."""

    label: dict[str, Any]  # must match: the game; for an mlp also seats and sizes of views and actions
    network: dict[str, Any]  # its NetworkSpec
    digest: str  # digest of the tensors
    config: dict[str, Any] = field(default_factory=dict)  # options of its game that differ from the defaults
    settings: dict[str, Any] = field(default_factory=dict)  # settings of the training run, with its seed
    decisions: int = 0  # decisions in training
    strength: list[dict[str, Any]] = field(default_factory=list)  # results of a finished run: opponent, score, games
    # game, variant and players; also seats = all numbers of players in training
    trained_for: dict[str, Any] = field(default_factory=dict)

    @property
    def spec(self) -> NetworkSpec:
        """The architecture of the network."""
        network = {name: value for name, value in self.network.items() if name not in ("advice", "output")}
        return NetworkSpec(**{**network, "net_arch": tuple(network["net_arch"])})

    @property
    def trained_game(self) -> str:
        """The game that it was trained for, with its variant: "tarot:hand"."""
        return ":".join(self.trained_for[key] for key in ("game", "variant") if self.trained_for.get(key))

    @property
    def origin(self) -> dict[str, Any]:
        """The origin of the weights, for records and pages."""
        seed = {name: self.settings[name] for name in ("seed",) if name in self.settings}
        return {**seed, "decisions": self.decisions, "digest": self.digest[:12]}


def write_model(
    file: Path, tensors: Tensors, spec: NetworkSpec, game: Game, *, half: bool = False, **known: Any
) -> ModelCard:
    """Write a model file completely or not at all.

    Args:
        file: Path of the file.
        tensors: The weights by name, as `agents.networks.tensors_of` returns them.
        spec: Architecture of the network.
        game: The game it was trained on.
        half: Store the weights in half precision.
        known: Other fields of its card. `trained_for` adds to the entries from the game and the settings.
    """
    from safetensors.numpy import save  # here and below, so that agents without a model play without the library

    stored = {name: np.ascontiguousarray(tensor, np.float16 if half else None) for name, tensor in tensors.items()}
    config = game.options.changed(game.config)
    variant = known.get("settings", {}).get("game", "").partition(":")[2]
    trained_for = {"game": game.id, "variant": variant, "players": game.players, **known.pop("trained_for", {})}
    card = ModelCard(_label(spec, game), asdict(spec), digest_of(stored), config, trained_for=trained_for, **known)
    write_content(file, save(stored, {KEY: json.dumps(asdict(card))}))
    return card


def write_layers(
    file: Path, layers: Sequence[Layer], game: Game, activation: str = "tanh", transform: str = "none", **known: Any
) -> ModelCard:
    """Write the linear layers of a network as a model file.

    Args:
        file: Path of the file, with the ending .safetensors.
        layers: The weights (outputs, inputs) and the biases (outputs,) of each layer. The inputs are the features of an
            action and of its table, with one output at the end. Or they are an observation, with an output for each
            action id.
        game: The game it was trained on.
        activation: The function between the layers, "tanh" or "relu".
        transform: The function before the first layer, "none" or "symlog".
        known: Other fields of its card, as in `write_model`.

    Raises:
        ValueError: A layer does not fit; the message names it.
    """
    sizes = {"features": (sum(game.features.sizes), 1), "mlp": (game.view.size, game.actions.size)}
    allowed = " or ".join(f"{inputs} to {outputs} ({name})" for name, (inputs, outputs) in sizes.items())
    if not layers:
        raise ValueError(f"{game.name}: a network without linear layers does not fit; allowed: {allowed}")
    for number, ((before, _), (after, _)) in enumerate(pairwise(layers)):
        if before.shape[0] != after.shape[1]:
            problem = f"linear layer {number + 1} with {after.shape[1]} inputs does not fit"
            raise ValueError(f"{game.name}: {problem}; allowed: {before.shape[0]}, the outputs of the layer before")
    ends = layers[0][0].shape[1], layers[-1][0].shape[0]
    policy: Any = next((name for name, pair in sizes.items() if pair == ends), None)
    if policy is None:
        problem = f"the first layer with {ends[0]} inputs and the last layer with {ends[1]} outputs do not fit"
        raise ValueError(f"{game.name}: {problem}; allowed: {allowed}")
    spec = NetworkSpec(policy, tuple(len(biases) for _, biases in layers[:-1]), *cast(Any, (activation, transform)))
    spec.check(game)
    tensors: dict[str, npt.NDArray[Any]] = {}
    for name, (weights, biases) in zip(_names(spec), layers, strict=True):
        tensors |= {f"{name}.weight": np.asarray(weights, np.float32), f"{name}.bias": np.asarray(biases, np.float32)}
    return write_model(file, tensors, spec, game, **known)


def read_card(file: Path) -> ModelCard:
    """Return the card in a model file; raise ValueError if there is none."""
    from safetensors import SafetensorError, safe_open

    if not file.is_file():
        raise ValueError(f"there is no model file {str(file)!r}")
    if file.suffix == ".zip":
        raise ValueError(f"{file} is not a model file: {TRUST}")
    try:
        with safe_open(file, "np") as content:
            header = json.loads(content.metadata()[KEY])
        card = ModelCard(**header)
        _check_fields(header)
        _ = card.spec
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is not a model file: {error}") from None
    return card


def read_tensors(file: Path, card: ModelCard, game: Game) -> Tensors:
    """Return the weights in a model file as float32; raise ValueError if it is damaged or does not fit the game."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    if misfit := misfit_of(card, game):
        raise ValueError(f"{file} was trained for {misfit}")
    try:
        card.spec.check(game)
    except ValueError as error:
        raise ValueError(f"{file} does not fit this game: {error}") from None
    try:
        tensors = load_file(file)
    except (OSError, SafetensorError, KeyError, TypeError) as error:  # NumPy has no type for some, such as bfloat16
        allowed = "tensors of float16, float32 or float64"
        raise ValueError(f"{file} cannot be read: {type(error).__name__}: {error}; allowed: {allowed}") from None
    if digest_of(tensors) != card.digest:
        raise ValueError(f"{file} is damaged: its tensors do not match its digest")
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    if shapes != _shapes(card.spec, game):
        raise ValueError(f"{file} is not a model file: its tensors are not those of its network: {shapes}")
    return {name: tensor.astype(np.float32) for name, tensor in tensors.items()}


def misfit_of(card: ModelCard, game: Game) -> str:
    """Return why a network cannot play a game, with the values it needs and those of the game; "" if it can."""
    for name, value in _label(card.spec, game).items():
        if card.label.get(name) != value:
            return f"{name}={card.label.get(name)!r}; this game has {name}={value!r}"
    if card.spec.policy == "mlp":
        return ""
    try:
        learned = mode_of(game.build(**card.config))
    except (TypeError, ValueError) as error:
        return f"config={card.config!r}, which is not allowed: {error}"
    return f"{learned}; this game is {mode_of(game)}" if learned != mode_of(game) else ""


def digest_of(tensors: Tensors) -> str:
    """Return the SHA-256 of the names, shapes and values of tensors."""
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
    """Return the network in the format of compiled code."""
    layers = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in _names(spec)]
    return networks.packed(layers, tanh=spec.activation == "tanh", symlog=spec.transform == "symlog")


def _whole(value: Any, least: int = 1) -> bool:
    return type(value) is int and value >= least


def _counts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_whole, value))


def _is_result(value: Any) -> bool:
    """Return whether a value is a result that `training export` can print."""
    if not isinstance(value, dict) or not isinstance(score := value.get("score"), dict):
        return False
    figures = [score.get(name) for name in ("mean", "low", "high")]
    return isinstance(value.get("opponent"), str) and all(type(figure) in (int, float) for figure in figures)


def _instance(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _one_of(field: str) -> tuple[Callable[[Any], bool], str]:
    """Return the check of a field of NetworkSpec with a few allowed words, and these words."""
    words = get_args(get_type_hints(NetworkSpec)[field])
    return lambda value: isinstance(value, str) and value in words, ", ".join(words)


# Checks of the fields of a card and of their parts, and the values that they allow
FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "label": (_instance(dict), "values by name"),
    "label.game": (_instance(str), "the name of a game"),
    "network": (_instance(dict), "values by name"),
    "network.policy": _one_of("policy"),
    "network.net_arch": (_counts, "a list of whole numbers from 1"),
    "network.activation": _one_of("activation"),
    "network.transform": _one_of("transform"),
    "network.inputs": _one_of("inputs"),
    "network.advice": (lambda value: value is False, "False"),  # like `output` only in files of earlier versions
    "network.output": (lambda value: value == "actions", "actions"),
    "digest": (_instance(str), "text"),
    "config": (_instance(dict), "options by name"),
    "settings": (_instance(dict), "values by name"),
    "settings.seed": (functools.partial(_whole, least=0), "a whole number from 0"),
    "settings.game": (_instance(str), "the name of a game"),
    "decisions": (functools.partial(_whole, least=0), "a whole number from 0"),
    "strength": (lambda value: isinstance(value, list) and all(map(_is_result, value)), "results"),
    "trained_for": (_instance(dict), "values by name"),
    "trained_for.game": (_instance(str), "the name of a game"),
    "trained_for.variant": (_instance(str), "the name of a variant"),
    "trained_for.players": (_whole, "a whole number from 1"),
    "trained_for.seats": (_counts, "a list of whole numbers from 1"),
}

REQUIRED = ("label.game", "network.net_arch")


def _check_fields(header: Mapping[str, Any]) -> None:
    """Raise ValueError for a field of a card with a value that is not allowed."""
    for path, (fits, allowed) in FIELDS.items():
        name, _, part = path.partition(".")
        values, key = (header.get(name, {}), part) if part else (header, name)
        if (key in values or path in REQUIRED) and not fits(values.get(key)):
            raise ValueError(f"{path}={values.get(key)!r} is not allowed; allowed: {allowed}")


def _label(spec: NetworkSpec, game: Game) -> dict[str, Any]:
    """Return the values that a game must have. A network over features serves any number of seats."""
    if spec.policy != "mlp":
        return {"game": game.name}
    return {"game": game.name, "players": game.players, "observation": game.view.size, "actions": game.actions.size}


def _shapes(spec: NetworkSpec, game: Game) -> dict[str, tuple[int, ...]]:
    """Return the shapes of all tensors by name."""
    shapes: dict[str, tuple[int, ...]] = {}
    for name, (width, wider) in zip(_names(spec), pairwise(spec.widths(game)), strict=True):
        shapes |= {f"{name}.weight": (wider, width), f"{name}.bias": (wider,)}
    return shapes


def _names(spec: NetworkSpec) -> list[str]:
    """Return the names of the layers in `agents.networks.build_actor` or `ValueNetwork`, with activations between."""
    if spec.policy == "value":
        return [f"{2 * layer}" for layer in range(len(spec.net_arch) + 1)]
    if spec.policy != "mlp":
        return [f"1.score.{2 * layer}" for layer in range(len(spec.net_arch) + 1)]
    return [*(f"1.{2 * layer}" for layer in range(len(spec.net_arch))), "2"]
