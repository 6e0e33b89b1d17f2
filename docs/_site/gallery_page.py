"""The gallery: a picture of every game and mode, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tantra_envs
from tantra_envs import drawing
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.games import SHIPPED
from tantra_envs.opponents.scripted import Scripted

MARK = "<!-- a picture of every game and mode -->"
SEED = 3
# Actions of scripted agents before the picture.
ACTIONS = {"karma": 44, "tarot": 45, "kanastic": 190, "tantra": 64, "tantrix": 24}
SHAPES = ("mode", "players", "copies", "decks")  # options that change the look of a table
LARGER = {"karma": 4, "tarot": 3, "tantra": 6, "tantrix": 4}  # seats of one more picture


def write_pictures(folder: Path) -> str:
    """Write all pictures into `folder` and return the sections that show them."""
    folder.mkdir(parents=True, exist_ok=True)
    return "\n".join(_section(name, folder) for name in SHIPPED)


def tables(name: str) -> dict[str, Game]:
    """Return the tables that are shown, by the words that make them."""
    every = {name: {}, **{f"{name}:{variant}": {} for variant in tantra_envs.variants(name)}}
    if name in LARGER:
        every[f"{name}, players={LARGER[name]}"] = {"players": LARGER[name]}
    shown: dict[tuple[Any, ...], tuple[str, Game]] = {}
    for words, options in every.items():
        game = tantra_envs.game(words.partition(",")[0], **options)
        shown.setdefault(tuple(game.config.get(option) for option in SHAPES), (words, game))
    return dict(shown.values())


def _section(name: str, folder: Path) -> str:
    pictures = "".join(_picture(words, game, folder) for words, game in tables(name).items())
    return f"## {tantra_envs.game(name).title}\n\n{pictures}"


def _picture(words: str, game: Game, folder: Path) -> str:
    state, last = _table(game)
    file = "-".join(filter(str.isalnum, words.replace("=", " ").replace(":", " ").replace(",", " ").split()))
    images = ""
    for theme in ("light", "dark"):
        svg = drawing.draw(game, state, last=last, legal=False, theme=theme)
        (folder / f"{file}-{theme}.svg").write_text(svg, encoding="utf-8")
        images += f"![{game.title}: {words}](gallery/{file}-{theme}.svg){{.only-{theme}}}"
    seats = "1 seat" if game.players == 1 else f"{game.players} seats"
    return f"### {words}\n\n`{words}`, {seats}.\n\n{images}\n\n"


def _table(game: Game) -> tuple[States, drawing.Move | None]:
    """Return a table in the middle of a game between scripted agents, and the last action."""
    *_, (state, last) = _played(game)
    return state, last


def _played(game: Game) -> Iterator[tuple[States, drawing.Move | None]]:
    state, agent, rng = game.new(SEED), Scripted(game), np.random.default_rng(SEED)
    yield state.copy(), None
    for _ in range(ACTIONS[game.id]):
        action = int(agent.act(Observation(game, state), rng)[0])
        last = drawing.move(game, state, action)
        game.apply_action(state, action)
        if state["over"][0]:
            return
        yield state.copy(), last
