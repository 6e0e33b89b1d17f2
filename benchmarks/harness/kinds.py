"""Kinds of actions, by which `show losses` groups decisions.

The kind of an action is the name of its block in `game.actions`. A game in which a block has actions of several kinds,
such as cards that lead or follow, names action features that tell them apart in ACTION_KINDS of its `measures`. The
names of those that an action has follow that of its block: "card, follows".
"""

from __future__ import annotations

from itertools import compress

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.extras import module_of
from tantra_envs.measures import Ints


def of_actions(game: Game, states: States, actions: Ints) -> list[str]:
    """Return the kind of one legal action at each of the tables (n,)."""
    names = [game.actions.at(int(action)).name for action in actions]
    flags: tuple[str, ...] = getattr(module_of(game, "measures"), "ACTION_KINDS", ())
    if not flags:
        return names
    described = game.describe(states)
    rows = np.repeat(np.arange(len(states)), described.counts)
    columns = [game.features.of_action[flag].slice.start for flag in flags]
    marks = described.features[described.actions == actions[rows]][:, columns] > 0
    return [", ".join([name, *compress(flags, own)]) for name, own in zip(names, marks, strict=True)]
