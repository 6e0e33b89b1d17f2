"""Tables that show what a drawing can meet: every mode, the fewest and the most seats, every phase of random games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tantra_envs import drawing
from tantra_envs.core.game import Game
from tantra_envs.core.state import States

CONFIGURATIONS: list[tuple[str, dict[str, Any]]] = [
    ("karma", {"players": 3}),
    ("karma", {"players": 12, "copies": 3, "decks": 2}),
    ("tarot", {"players": 2}),
    ("tarot", {"players": 3}),
    ("kanastic", {"players": 2, "first_turn_meld": True}),
    ("kanastic", {"players": 4, "suit_rule": "any", "max_turns": 60, "max_rounds": 2}),
    ("tantra", {"players": 4}),
    ("tantra", {"players": 9}),
    ("tantrix", {"players": 2}),
    ("tantrix", {"players": 4, "encoding": "window"}),
    ("tantrix", {"mode": "gobble", "players": 1}),
    ("tantrix", {"mode": "gobble", "players": 6}),
    ("tantrix", {"mode": "solitaire", "lookahead": 3}),
    ("tantrix", {"mode": "discovery", "puzzle": 6, "allow_remove": True, "max_steps": 25}),
    ("tantrix", {"mode": "rainbow", "puzzle": "blue"}),
    ("tantrix", {"mode": "daily"}),
]
KEPT = 3  # tables of a phase


def moments(game: Game, seed: int = 1, longest: int = 1500) -> Iterator[tuple[States, drawing.Move | None]]:
    """A few tables of each phase of a random game, the last one among them, and what was played before."""
    state, rng, last, seen = game.new(seed), np.random.default_rng(seed), None, dict[int, int]()
    while not state["over"][0] and state["plies"][0] < longest:
        phase = int(state["phase"][0])
        seen[phase] = seen.get(phase, 0) + 1
        if seen[phase] in (1, 4, 16, 64)[:KEPT] or rng.random() < 0.01:
            yield state.copy(), last
        action = int(rng.choice(game.legal(state)))
        last = drawing.move(game, state, action)
        game.apply_action(state, action)
    yield state.copy(), last
