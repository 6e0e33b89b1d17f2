"""Make the pictures of the pages, light and dark: tables of games, still and moving, and a study.

It takes a minute: `PYTHONPATH=. python docs/pictures/make.py`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tantra_envs
from tantra_envs.commands.picture import main
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.drawing.replays import film

FOLDER = Path(__file__).parent
TABLES = {  # fields of the game, and the moves before the picture
    "karma": ("players=4 --moves 44", "players=4 --moves 60"),
    "tarot": ("players=3 --moves 45", "players=3 --moves 60"),
    "kanastic": ("players=4 --moves 190", "players=4 --moves 200"),
    "tantra": ("players=4 --moves 64", "players=4 --moves 68"),
    "tantrix": ("players=2 --moves 40", ""),  # its film is a whole game
}
THEMES = {"light": "", "dark": "-dark"}  # and the ends of their names
STUDY = FOLDER.parent / "results/study/karma-sixty.csv"  # the report that docs/balance.md shows
FILM = "--frames 12 --width 360"  # the last moves
WHOLE, AGENTS, SEED = "tantrix", ("learned", "scripted"), 3  # the film at the top of README.md
FRAMES, WIDTH, SECONDS = 24, 520, 0.7  # of a whole game, the first and the last table among them


def make(folder: Path, ending: str) -> None:
    """Make the pictures with this ending in a folder."""
    for game, moves in TABLES.items():
        if ending == "gif" and game == WHOLE:
            continue
        words = moves[0] if ending == "svg" else f"{moves[1]} {FILM}"
        for theme, named in THEMES.items():
            out = folder / f"{game}{named}.{ending}"
            if main([game, *words.split(), "--seed", "3", "--scripted", "--theme", theme, "--out", str(out)]):
                raise SystemExit(f"{out} was not made")
            print(f"{out}: {out.stat().st_size // 1000} kB", flush=True)


def whole_game() -> tuple[Game, list[int], States]:
    """Play the game of the film; return its rules, its actions and its last table."""
    game = tantra_envs.game(WHOLE)
    agents, rng = tantra_envs.load_agents(AGENTS, game), np.random.default_rng(SEED)
    state, actions = game.new(SEED), []
    while not state["over"][0]:
        actions.append(int(agents[state["seat"][0]].act(Observation(game, state), rng)[0]))
        game.apply_action(state, actions[-1])
    return game, actions, state


def make_film(folder: Path) -> None:
    """Make the moving picture of a whole game between two agents."""
    game, actions, _ = whole_game()
    for theme, named in THEMES.items():
        shown = film(game, game.new(SEED), actions, AGENTS, frames=FRAMES, width=WIDTH, theme=theme, seconds=SECONDS)
        (folder / f"{WHOLE}{named}.gif").write_bytes(shown)


def make_study(folder: Path) -> None:
    """Make the picture at the top of a study's report. It needs the extra `bench`."""
    from benchmarks.harness.pages import write_both
    from benchmarks.study.answers import Answers
    from benchmarks.views.study import overview
    from tantra_envs.programs import results

    answers = Answers(results.read(STUDY))
    write_both(folder / STUDY.name, "study", lambda: overview(answers), "study")


if __name__ == "__main__":
    make(FOLDER, "svg")
    make(FOLDER, "gif")
    make_film(FOLDER)
    make_study(FOLDER)
