"""learned:NAME, the weights that come with the project: agents/weights/NAME-PLAYERSp.safetensors, a model file each."""

from __future__ import annotations

from pathlib import Path

from tantra_envs.core.game import Game

from .checkpoint import Checkpoint

FOLDER = Path(__file__).with_name("weights")


class Pretrained(Checkpoint):
    """The weights that come with the project for a game and its number of seats; ValueError if there are none."""

    def __init__(self, game: Game, weights: str) -> None:
        file = file_of(weights, game.players)
        if not file.is_file():
            known = ", ".join(sorted(f"{name} for {players}" for name, players in _known())) or "none"
            raise ValueError(f"there are no weights {weights!r} for players={game.players}; there are: {known}")
        super().__init__(game, file, f"learned:{weights}")


def file_of(weights: str, players: int) -> Path:
    """Where weights of this name are kept for so many seats."""
    return FOLDER / f"{weights}-{players}p.safetensors"


def _known() -> list[tuple[str, str]]:
    """Names and seats of all weights there are."""
    parts = [file.stem.rpartition("-") for file in FOLDER.glob("*.safetensors")]
    return [(name, players.removesuffix("p")) for name, _, players in parts]
