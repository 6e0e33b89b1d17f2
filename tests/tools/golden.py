"""Golden playthroughs: whole games as text that a player can read and a test can replay line by line.

    python -m tests.tools.golden FOLDER karma:sixty --players 3 --seed 7

writes FOLDER/karma_sixty_3p_7.txt. The players mostly take the first legal action: such games are short
and look like play. Lines: `key: value` at the head, `| ` before pictures, `seat 2: play 7`, and the result.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.core.state import States

PICTURE_EVERY = 10
FIRST_LEGAL = 0.8  # how often a player takes the first legal action rather than any


def write(game: Game, seed: int) -> str:
    """One game as text."""
    head = [f"game: {game.id}", f"config: {json.dumps(game.options.changed(game.config))}", f"seed: {seed}"]
    return "\n".join([*head, *_moves(game, seed)]) + "\n"


def _moves(game: Game, seed: int) -> Iterator[str]:
    state, rng = game.new(seed), np.random.default_rng(seed)
    while not state["over"][0]:
        if state["plies"][0] % PICTURE_EVERY == 0:
            yield from _picture(game, state)
        legal = game.legal(state)
        action = legal[0] if rng.random() < FIRST_LEGAL else legal[int(rng.integers(len(legal)))]
        yield f"seat {state['seat'][0]}: {game.action_name(state, action)}"
        game.apply_action(state, action)
    yield from _picture(game, state)
    yield _result(game, state)


def _picture(game: Game, state: States) -> list[str]:
    return ["", *[f"| {line}" for line in game.picture(state).splitlines()], ""]


def _result(game: Game, state: States) -> str:
    s = state[0]
    ended = "cut off" if s["truncated"] else "ended"
    return f"result: {ended} after {s['plies']} actions, rewards {s['rewards'][: game.players].tolist()}"


def replay(text: str) -> Game:
    """Play a golden text again; AssertionError at the first line that no longer holds. Returns its game."""
    lines = text.splitlines()
    head = dict(line.split(": ", 1) for line in lines[:3])
    game = tantra_envs.game(head["game"], **json.loads(head["config"]))
    state = game.new(int(head["seed"]))
    picture: list[str] = []
    for number, line in enumerate(lines[3:], start=4):
        if line.startswith("| "):
            picture = picture or game.picture(state).splitlines()
            drawn = picture.pop(0)
            assert line[2:] == drawn, f"line {number}: {line[2:]!r}, but the table shows {drawn!r}"
        elif line.startswith("seat "):
            assert not picture, f"line {number}: the picture before it lacks {picture[0]!r}"
            seat, words = line.removeprefix("seat ").split(": ", 1)
            assert int(seat) == state["seat"][0], f"line {number}: seat {state['seat'][0]} is to decide"
            game.apply_action(state, game.parse_action(state, words))
        elif line:
            assert state["over"][0], f"line {number}: the game is not over"
            assert line == _result(game, state), f"line {number}: the game says {_result(game, state)!r}"
    assert state["over"][0], "the text ends before the game"
    return game


def main() -> None:
    """The command line: see above."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.golden", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("game", help="a game, or game:variant")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    seats = {} if asked.players is None else {"players": asked.players}
    game = tantra_envs.game(asked.game, **seats)
    file = asked.folder / f"{asked.game.replace(':', '_')}_{game.players}p_{asked.seed}.txt"
    file.write_text(write(game, asked.seed), encoding="utf-8")
    print(file)


if __name__ == "__main__":
    main()
