"""Kanastic: the discards, golden suits, wild cards, blocking the stack, asking the partner."""

from __future__ import annotations

from tantra_envs.core.game import Game
from tantra_envs.games.kanastic.actions import DISCARD
from tantra_envs.games.kanastic.material import ARTIFACT, SHIELD, SWORD

from . import Bools, Freedom, blocks, never


def freedoms(game: Game) -> dict[str, Freedom]:
    """By name."""
    wilds = blocks(game, "add_sword", "add_artifact", "suit_low", "suit_high")
    return {
        "stack": Freedom("never takes the stack", never(blocks(game, "take_stack"))),
        "top": Freedom("never opens with the top discard", never(blocks(game, "take_top"))),
        "golden-suits": Freedom("begins no golden suit", never(blocks(game, "new_suit"))),
        "wild-cards": Freedom("adds no Sword or Artifact to what lies on the table", never(wilds)),
        "swords": Freedom("never discards a Sword, which blocks the stack", never(_discards(game, SWORD))),
        "blocking": Freedom(
            "never discards a card that blocks the stack: Sword, Artifact, Shield",
            never(_discards(game, SWORD, ARTIFACT, SHIELD)),
        ),
        "asking": Freedom("never asks the partner", never(blocks(game, "ask"))),
    }


def _discards(game: Game, *kinds: int) -> Bools:
    found = blocks(game)
    found[[DISCARD + kind for kind in kinds]] = True
    return found
