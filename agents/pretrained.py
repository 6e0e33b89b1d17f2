"""learned:NAME, the weights that come with the project, a model file each.

agents/weights/NAME-PLAYERSp.safetensors is for one number of seats, agents/weights/NAME.safetensors for any. NAME is
short for NAME-student where no weights have that name by itself.
"""

from __future__ import annotations

from pathlib import Path

from tantra_envs.core.game import Game
from tantra_envs.opponents.specs import AgentSpec

from .checkpoint import Checkpoint

FOLDER = Path(__file__).with_name("weights")


class Pretrained(Checkpoint):
    """The weights that come with the project for a game and its number of seats; ValueError if there are none."""

    def __init__(self, game: Game, weights: str) -> None:
        names = weights, f"{weights}-student"
        files = [file_of(name, players) for name in names for players in (game.players, None)]
        found = next((file for file in files if file.is_file()), None)
        if not found:
            known = ", ".join(sorted(f"{name} for {players}" for name, players in _known())) or "none"
            raise ValueError(f"there are no weights {weights!r} for players={game.players}; there are: {known}")
        super().__init__(game, found, f"learned:{weights}")


def pretrained(game: Game, spec: AgentSpec) -> Pretrained:
    """Make the agent of `learned:NAME`; ValueError if there is none for the game."""
    return Pretrained(game, spec.words)


def file_of(weights: str, players: int | None = None) -> Path:
    """Where weights of this name are kept for so many seats, or for any number of them."""
    return FOLDER / (f"{weights}-{players}p.safetensors" if players else f"{weights}.safetensors")


def _known() -> list[tuple[str, str]]:
    """Names and seats of all weights there are."""
    return [named(file.stem) for file in FOLDER.glob("*.safetensors")]


def named(stem: str) -> tuple[str, str]:
    """The name of weights and the seats they are for, by the name of their file."""
    name, _, seats = stem.rpartition("-")
    own = seats.removesuffix("p")
    return (name, own) if own.isdecimal() else (stem, "any number")
