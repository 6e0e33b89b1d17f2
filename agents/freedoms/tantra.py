"""Tantra: buying and selling, the discard in the own turn, waiting for the Grand Slam, laying off."""

from __future__ import annotations

from tantra_envs.core.game import Game

from . import Freedom, always, blocks, never


def freedoms(game: Game) -> dict[str, Freedom]:
    """By name."""
    return {
        "buying": Freedom("never buys", never(blocks(game, "buy"))),
        "selling": Freedom("never sells, but takes the discard itself", never(blocks(game, "allow"))),
        "taking": Freedom("never takes the discard of its own will", never(blocks(game, "take"), "DRAW")),
        "waiting": Freedom("lays down as soon as it can, for no Grand Slam", always(blocks(game, "lay_down"))),
        "laying-off": Freedom("lays nothing off", never(blocks(game, "lay_off"))),
    }
