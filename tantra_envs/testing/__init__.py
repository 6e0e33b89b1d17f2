"""Checks that every game and environment of this package must pass. Use them to test your own games.

    check_game(game)         test every promise of a `Game` in random play; return the phases that it reached
    check_env(make_env)      test every promise of a `TableEnv` that PettingZoo's own tests leave out

A `state` is a table, an array of shape (1,); a `mask` is (actions.size,). Every check raises AssertionError with the
seat, phase or field that breaks the promise. `python -m tantra_envs check` runs them on every game and variant.
"""

from __future__ import annotations

from .batch import check_batch, check_no_dead_end
from .envs import check_env, check_keeping, check_returns
from .games import check_cutoff, check_game, check_same_seed
from .play import choose, play
from .positions import check_illegal_actions, check_mask, check_position, check_scripted, check_views, check_words
from .secrets import check_known, check_leak, check_redeal

__all__ = [
    "check_batch",
    "check_cutoff",
    "check_env",
    "check_game",
    "check_illegal_actions",
    "check_keeping",
    "check_known",
    "check_leak",
    "check_mask",
    "check_no_dead_end",
    "check_position",
    "check_redeal",
    "check_returns",
    "check_same_seed",
    "check_scripted",
    "check_views",
    "check_words",
    "choose",
    "play",
]
