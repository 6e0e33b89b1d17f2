"""The numbers that agents read and rate by, kept in `agents.json`: `python -m tests.games.agents` writes them again.

Weights were trained with these features, and strengths were published for these ratings: other numbers make both void.
A number of the file is the sum of a block, each entry times a weight that is fixed by its place. The slow counts that
features and ratings were once proved with are in the history of the tests.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.programs.files import write_content

from .features import positions

FILE = Path(__file__).with_name("agents.json")
EVERY_CARD = {"display_order": "numeric", "n_rounds": 44}
TABLES = [  # game, configuration, deals, actions between two looks, share of random actions
    ("karma", {"players": 2}, 4, 3, 0.3),
    ("karma", {"players": 4, "karma_sets": False, "chain_clears": False}, 4, 5, 1.0),
    ("karma", {"players": 3, "copies": 3}, 4, 5, 0.3),
    ("kanastic", {"episode": "round", "start_scores": (2000, 3500)}, 3, 3, 0.05),
    ("kanastic", {"episode": "round", "start_scores": (4000, 0), "suit_rule": "any"}, 3, 3, 0.05),
    ("kanastic", {"players": 3, "episode": "round", "start_scores": (6000, 0, 2000)}, 3, 3, 0.05),
    ("tantra", {"players": 3, **EVERY_CARD}, 1, 41, 0.0),
    ("tantra", {"players": 6, **EVERY_CARD}, 1, 61, 0.1),
    ("tantra", {"players": 4, "min_naturals_per_set": 1, "max_turns_per_player": 12, **EVERY_CARD}, 1, 41, 0.0),
    (
        "tantra",
        {"n_packs": 4, "jokers_per_pack": 4, "players": 3, "max_turns_per_player": 15, **EVERY_CARD},
        1,
        41,
        0.0,
    ),
    ("tantrix", {}, 2, 3, 0.2),
    ("tantrix", {"players": 3, "colours": "random"}, 2, 5, 0.2),
    ("tantrix", {"players": 4, "deadlock": "pass"}, 1, 3, 0.2),
    ("tantrix", {"players": 3, "colours": "GRB", "encoding": "frontier"}, 1, 5, 1.0),
    ("tantrix", {"encoding": "window", "window": 15, "hand_size": 3, "unrestrained": 20}, 1, 5, 1.0),
    ("tantrix", {"mode": "solitaire"}, 3, 1, 0.5),
    ("tantrix", {"mode": "solitaire", "goal": "R"}, 2, 1, 0.5),
    ("tantrix", {"mode": "gobble", "players": 1}, 2, 3, 0.3),
    ("tantrix", {"mode": "gobble", "players": 2}, 2, 5, 0.3),
    ("tantrix", {"mode": "gobble", "players": 3, "speeds": (1, 2, 1)}, 3, 5, 0.3),
    ("tantrix", {"mode": "gobble", "players": 6, "free_discard": True}, 1, 5, 0.3),
    ("tantrix", {"mode": "discovery", "puzzle": 12}, 1, 1, 0.0),
    ("tantrix", {"mode": "rainbow", "puzzle": "blue"}, 1, 1, 0.0),
    ("tarot", {"episode": "hand"}, 6, 2, 0.5),
    ("tarot", {"episode": "hand", "players": 3}, 6, 2, 0.5),
    ("tarot", {"episode": "hand", "trick_points": "cards", "king_cut": "any", "talon": "take_first"}, 6, 2, 0.5),
]


def numbers(name: str, config: dict[str, Any], deals: int, every: int, share: float) -> dict[str, float]:
    """Return the sums of all blocks of features, and of the ratings and values of the scripted agent."""
    game, sums = tantra_envs.game(name, **config), defaultdict(float)
    rated = game.config.get("encoding", "compact") == "compact"
    work = game.scripted.prepare(game) if rated else None
    for number, (state, seat) in enumerate(positions(game, deals, every, share)):
        known, weights = game.conceal(state, seat), np.random.default_rng(number)
        before = known.tobytes()
        described = game.describe(known)
        for of, rows, blocks in (("action", described.features, game.features.of_action),
                                 ("table", described.tables, game.features.of_table)):  # fmt: skip
            for block in blocks:
                sums[f"{of}: {block.name}"] += weighed(rows[:, block.slice], weights)
        if rated:
            sums["ratings"] += weighed(ratings(game, known, state, work), weights)
            sums["worth"] += weighed(game.player.worth(game, known), weights)
        assert known.tobytes() == before, "the table itself was changed"
    return {key: round(total, 6) for key, total in sums.items()}


def weighed(values: Any, weights: np.random.Generator) -> float:
    return float((weights.random(values.shape) * values).sum())


def ratings(game: Game, known: Any, state: Any, work: Any) -> Any:
    """Return the ratings of the legal actions."""
    mask = game.mask(state)[None]
    values = np.zeros(mask.shape)
    game.drivers.rate_rows(known, mask, work, values)
    return values[mask == 1]


def key(name: str, config: dict[str, Any]) -> str:
    return f"{name} {json.dumps(config)}"


if __name__ == "__main__":
    lines = [f"{json.dumps(key(*table[:2]))}: {json.dumps(numbers(*table))}" for table in TABLES]
    write_content(FILE, "{\n" + ",\n".join(lines) + "\n}\n")
