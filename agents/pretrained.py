"""Shipped: plays with weights that come with the project, and says what such a file is.

`learned:karma` reads agents/weights/karma-2p.safetensors at a table of two. A file holds the tensors of the network
that chooses, and in its header, as JSON, all that is known of them: see `Card`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tantra_envs.core.game import Game

from .checkpoint import NetPlayer, check_label, label_of

if TYPE_CHECKING:
    import torch

FOLDER = Path(__file__).with_name("weights")
LABEL = "tantra_envs"  # the key of the header
NEEDS = "agent 'learned' needs {}: pip install -e '.[train]' -c constraints.txt"


@dataclass(frozen=True)
class Card:
    """What is known of weights."""

    label: dict[str, Any]  # the game, the seats, and how much is seen and may be done
    config: dict[str, Any]  # of the game they were trained at, where it differs from the defaults
    settings: dict[str, Any]  # of the training run, its seed and its networks among them
    decisions: int  # learned from, imitation not counted
    strength: list[dict[str, Any]]  # measured at the end of the run: opponent, score and interval, games
    digest: str  # of the tensors


class Shipped(NetPlayer):
    """The weights that come with the project for a game and its number of seats; ValueError if there are none."""

    def __init__(self, game: Game, weights: str) -> None:
        file = file_of(weights, game.players)
        if not file.is_file():
            there = ", ".join(sorted(f"{w} for {n}" for w, n in _shipped())) or "none"
            raise ValueError(f"there are no weights {weights!r} for players={game.players}; there are: {there}")
        net, self.card, self.file = read(file, game), read_card(file), file
        super().__init__(f"learned:{weights}", net, self.card.settings["advice"])

    @property
    def made(self) -> dict[str, Any]:
        """How the weights came about, for records and pages."""
        return {"seed": self.card.settings["seed"], "decisions": self.card.decisions, "digest": self.card.digest[:12]}


def file_of(weights: str, players: int) -> Path:
    """Where weights of this name are kept for so many seats."""
    return FOLDER / f"{weights}-{players}p.safetensors"


def write(file: Path, net: torch.nn.Module, game: Game, **known: Any) -> Card:
    """Keep the weights of `net` in half precision, whole or not at all; `known` are the other fields of the card."""
    from safetensors.torch import save_file

    tensors = {name: tensor.half().contiguous() for name, tensor in net.state_dict().items()}
    config = game.options.changed(game.config)
    card = Card(label_of(game), config, digest=_digest(tensors), **known)
    unfinished = file.with_name(f".{file.name}.part")
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, unfinished, {LABEL: json.dumps(asdict(card))})
    unfinished.replace(file)
    return card


def read(file: Path, game: Game) -> torch.nn.Module:
    """The network in a file; ValueError if it is damaged, or does not fit the game."""
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        from .networks import Form
    except ModuleNotFoundError as missing:
        raise ValueError(
            f"agent 'learned' needs {missing.name}: pip install -e '.[train]' -c constraints.txt"
        ) from None
    card = read_card(file)
    check_label(card.label, game, str(file))
    try:
        tensors = load_file(file)
    except SafetensorError as error:
        raise ValueError(f"{file} is damaged: {error}") from None
    if _digest(tensors) != card.digest:
        raise ValueError(f"{file} is damaged: its tensors are not those it was written with")
    form = {name: card.settings[name] for name in Form.__dataclass_fields__}
    net = Form(**form).choosing_net(game)
    net.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    return net


def read_card(file: Path) -> Card:
    """What is known of the weights in a file; ValueError if it is no file of weights."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, "numpy") as kept:
            return Card(**json.loads(kept.metadata()[LABEL]))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} holds no weights with a card: {error}") from None


def _shipped() -> list[tuple[str, str]]:
    """Names and seats of all weights there are."""
    parts = [file.stem.rpartition("-") for file in FOLDER.glob("*.safetensors")]
    return [(name, players.removesuffix("p")) for name, _, players in parts]


def _digest(tensors: Mapping[str, torch.Tensor]) -> str:
    whole = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        whole.update(name.encode() + str(tuple(tensor.shape)).encode() + tensor.numpy().tobytes())
    return whole.hexdigest()
