"""Ablations of Kanastic: the discards, golden suits, wild cards, blocking the stack, asking the partner."""

from __future__ import annotations

from tantra_envs.ablations import Ablation, Bools, blocks, never
from tantra_envs.core.game import Game
from tantra_envs.games.kanastic.actions import DISCARD
from tantra_envs.games.kanastic.material import ARTIFACT, SHIELD, SWORD


def ablations(game: Game) -> dict[str, Ablation]:
    """Return the ablations by name."""
    wilds = blocks(game, "add_sword", "add_artifact", "suit_low", "suit_high")
    return {
        "stack": Ablation("never takes the stack", never(blocks(game, "take_stack"))),
        "top": Ablation("never opens with the top discard", never(blocks(game, "take_top"))),
        "golden-suits": Ablation("never starts a golden suit", never(blocks(game, "new_suit"))),
        "wild-cards": Ablation("never adds a Sword or Artifact to the cards on the table", never(wilds)),
        "swords": Ablation("never discards a Sword, which blocks the stack", never(_discards(game, SWORD))),
        "blocking": Ablation(
            "never discards a card that blocks the stack: Sword, Artifact, Shield",
            never(_discards(game, SWORD, ARTIFACT, SHIELD)),
        ),
        "asking": Ablation("never asks the partner", never(blocks(game, "ask"))),
    }


def _discards(game: Game, *kinds: int) -> Bools:
    found = blocks(game)
    found[[DISCARD + kind for kind in kinds]] = True
    return found
