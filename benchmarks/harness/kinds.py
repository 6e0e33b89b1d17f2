"""Kinds of actions, by which `show losses` groups decisions.

The kind of an action is the name of its block in `game.actions`. A game in which a block has actions of several kinds,
such as cards that lead or follow, names action features that tell them apart in ACTION_KINDS of its `measures`. The
names of those that an action has follow that of its block: "card, follows".
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.extras import module_of
from tantra_envs.measures import Ints


class LegalActions(NamedTuple):
    """The legal actions at some tables, one after the other: arrays with an entry for each action."""

    rows: Ints  # number of the table, ascending
    actions: Ints
    kinds: Ints  # places in `names`


def names(game: Game) -> list[str]:
    """Return the name of every kind of action."""
    flags = _flags(game)
    every = itertools.product((False, True), repeat=len(flags))  # whether an action has each flag, by their numbers
    marks = [[flag for flag, on in zip(flags, own, strict=True) if on] for own in every]
    return [", ".join([block.name, *own]) for block in game.actions for own in marks]


def legal(game: Game, states: States) -> LegalActions:
    """Return the legal actions at tables (n,) with their kinds."""
    flags, ends = _flags(game), np.cumsum([block.size for block in game.actions])
    if not flags:
        rows, actions = np.nonzero(Observation(game, states).action_mask)
        return LegalActions(rows, actions, np.searchsorted(ends, actions, side="right"))
    described = game.describe(states)
    rows = np.repeat(np.arange(len(states)), described.counts)
    columns = [game.features.of_action[flag].slice.start for flag in flags]
    marks = np.ravel_multi_index((described.features[:, columns] > 0).T.astype(np.int64), (2,) * len(flags))
    blocks = np.searchsorted(ends, described.actions, side="right")
    return LegalActions(rows, described.actions, blocks * 2 ** len(flags) + marks)


def of_actions(game: Game, states: States, actions: Ints) -> list[str]:
    """Return the kind of one legal action at each of the tables (n,)."""
    every, own = names(game), legal(game, states)
    return [every[kind] for kind in own.kinds[own.actions == actions[own.rows]]]


def _flags(game: Game) -> tuple[str, ...]:
    return getattr(module_of(game, "measures"), "ACTION_KINDS", ())
