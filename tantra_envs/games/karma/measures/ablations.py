"""Ablations of Karma: voluntary pick-ups, several cards at a time, keeping karma cards, playing them early."""

from __future__ import annotations

import numpy as np

from tantra_envs.ablations import Ablation, always, blocks, never
from tantra_envs.core.game import Game
from tantra_envs.games.karma.material import FIRST_KARMA, TYPES


def ablations(game: Game) -> dict[str, Ablation]:
    """Return the ablations by name."""
    several = [name for name in ("two", "three") if name in [block.name for block in game.actions]]
    cards = blocks(game, "one", *several)
    karma = cards & (np.arange(game.actions.size) % TYPES >= FIRST_KARMA)
    playing = ("PLAY", "FOLLOW")
    return {
        "keeping": Ablation("never keeps a karma card that it may play", always(karma, *playing)),
        "karma": Ablation("plays karma cards only when no other action is legal", never(karma, *playing)),
        "several": Ablation("plays identical cards one at a time", never(blocks(game, *several))),
        "picking-up": Ablation("never picks the pile up while it has a card to play", never(blocks(game, "pickup"))),
        "declining": Ablation("never declines the play after TABLE", never(blocks(game, "decline"))),
    }
