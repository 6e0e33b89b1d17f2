"""Ablations of Tantra: buying and selling, taking the discard, waiting for the Grand Slam, laying off."""

from __future__ import annotations

from tantra_envs.ablations import Ablation, always, blocks, never
from tantra_envs.core.game import Game


def ablations(game: Game) -> dict[str, Ablation]:
    """Return the ablations by name."""
    return {
        "buying": Ablation("never buys", never(blocks(game, "buy"))),
        "selling": Ablation("never sells, but takes the discard itself", never(blocks(game, "allow"))),
        "taking": Ablation("takes the discard only to refuse a sale", never(blocks(game, "take"), "DRAW")),
        "waiting": Ablation(
            "lays down as soon as it can and never waits for a Grand Slam", always(blocks(game, "lay_down"))
        ),
        "laying-off": Ablation("never lays off", never(blocks(game, "lay_off"))),
    }
