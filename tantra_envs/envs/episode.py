"""The start of an episode in all environments: the seed, the options of `reset` and the first position."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import gymnasium

from ..core.game import Game
from ..core.options import SWITCHES, Whole, is_number
from ..core.state import States

ILLEGAL_REWARD = -1.0  # the usual reward of an illegal action that ends the game
LARGEST_REWARD = 1e9  # limit of a reward for an illegal action: sums of such rewards stay exact
ALIKE = 0.7  # how similar a key must be to a known one to count as misspelt, 0..1


class NoGameError(ValueError):
    """Raised for a call before the first `reset`, or for a step after the game is over."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: no game is running; call reset() first")
        self._name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return NoGameError, (self._name,)


def checked_seed(game: Game, seed: Any) -> int | None:
    """Return the seed as a Python int; raise ValueError if it is negative, as Gymnasium does, or not an integer."""
    game.check_in("seed", 0 if seed is None else seed, Whole(0))
    return None if seed is None else int(seed)


def checked_options(game: Game, options: Any) -> dict[str, Any]:
    """Return the options of `reset` that are set, without those of wrappers. Warn of a key that looks misspelt.

    Raises:
        ValueError: `options` is not a dict.
    """
    game.check("options", options, options is None or isinstance(options, Mapping), "None, a dict")
    keys = ("position", "reset_mask", *game.deal_options)
    for key in options or ():
        _warn_of_typo(game, key, keys)
    return {key: options[key] for key in keys if options and options.get(key) is not None}


def action_id(action: Any) -> int:
    """Return an action as a Python int, -1 if it is not an integer."""
    try:
        return -1 if isinstance(action, bool) else index(action)
    except TypeError:
        return -1


def check_illegal_reward(game: Game, reward: Any) -> None:
    """Raise ValueError unless `reward` is None or a number that an illegal action can give."""
    fits = reward is None or (is_number(reward) and abs(reward) <= LARGEST_REWARD)
    game.check("illegal_reward", reward, fits, f"None, or a finite number, at most {LARGEST_REWARD:.0f} away from 0")


def check_score_reward(game: Game, score_reward: Any) -> None:
    """Raise ValueError unless `score_reward` is a bool, and True only in a game with opponents."""
    game.check_in("score_reward", score_reward, SWITCHES)
    alone = len(game.teams) == 1
    game.check("score_reward", score_reward, not (score_reward and alone), "False, because nobody else plays")


def _warn_of_typo(game: Game, key: Any, keys: Sequence[str]) -> None:
    """Warn about an unknown key that resembles a known one. Other unknown keys can belong to wrappers."""
    if not isinstance(key, str) or key in keys:
        return
    meant = difflib.get_close_matches(key.lower(), keys, n=1, cutoff=ALIKE)
    if meant:
        allowed = ", ".join(keys)
        gymnasium.logger.warn(
            f"{game.name}: reset(options=...) ignores {key!r}; did you mean {meant[0]!r}? Known keys: {allowed}"
        )


def first_state(game: Game, seed: int, options: Mapping[str, Any]) -> States:
    """Return the position or the deal that `options` describe, with random numbers from `seed`."""
    if "position" in options:
        return game.from_position(options["position"], seed)
    return game.new(seed, **{name: options[name] for name in game.deal_options if name in options})
