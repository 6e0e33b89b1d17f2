"""Karma: picking up at will, several cards at a time, holding karma cards back, or playing them early."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.games.karma.material import FIRST_KARMA, TYPES

from . import Freedom, always, blocks, never


def freedoms(game: Game) -> dict[str, Freedom]:
    """By name."""
    several = [name for name in ("two", "three") if name in [block.name for block in game.actions]]
    cards = blocks(game, "one", *several)
    karma = cards & (np.arange(game.actions.size) % TYPES >= FIRST_KARMA)
    playing = ("PLAY", "FOLLOW")
    return {
        "keeping": Freedom("never keeps a karma card that it may play", always(karma, *playing)),
        "karma": Freedom("plays no karma card while it may do anything else", never(karma, *playing)),
        "several": Freedom("plays identical cards one at a time", never(blocks(game, *several))),
        "picking-up": Freedom("never picks the pile up while it has a card to play", never(blocks(game, "pickup"))),
        "declining": Freedom("never declines the play after TABLE", never(blocks(game, "decline"))),
    }
