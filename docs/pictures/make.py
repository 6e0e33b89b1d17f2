"""Makes the pictures of the pages, light and dark: tables of games, still and moving, and the picture of a study.

It takes half a minute: `PYTHONPATH=. python docs/pictures/make.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

from tantra_envs.commands.picture import main

FOLDER = Path(__file__).parent
TABLES = {  # fields of the game, and the moves before the picture
    "karma": ("players=4 --moves 44", "players=4 --moves 60"),
    "tarot": ("players=3 --moves 45", "players=3 --moves 60"),
    "kanastic": ("players=4 --moves 190", "players=4 --moves 200"),
    "tantra": ("players=4 --moves 64", "players=4 --moves 68"),
    "tantrix": ("players=2 --moves 40", "players=2 --moves 56"),
}
THEMES = {"light": "", "dark": "-dark"}  # and the ends of their names
STUDY = FOLDER.parent / "results/study/kanastic-shields.json"  # the report that docs/balance.md shows
FILM = "--frames 12 --width 360"  # the last moves


def make(folder: Path, ending: str) -> None:
    """Make the pictures with this ending in a folder."""
    for game, moves in TABLES.items():
        words = moves[0] if ending == "svg" else f"{moves[1]} {FILM}"
        for theme, named in THEMES.items():
            out = folder / f"{game}{named}.{ending}"
            if main([game, *words.split(), "--seed", "3", "--scripted", "--theme", theme, "--out", str(out)]):
                raise SystemExit(f"{out} was not made")
            print(f"{out}: {out.stat().st_size // 1000} kB", flush=True)


def make_study(folder: Path) -> None:
    """Make the picture at the top of a study's report. It needs the extra `bench`."""
    from benchmarks.harness.pages import write_both
    from benchmarks.study.answers import Evidence
    from benchmarks.study.page import overview
    from benchmarks.study.results import rows_of

    results = json.loads(STUDY.read_text(encoding="utf-8"))
    write_both(folder / STUDY.name, "study", lambda: overview(Evidence(results, rows_of(results))), "study")


if __name__ == "__main__":
    make(FOLDER, "svg")
    make(FOLDER, "gif")
    make_study(FOLDER)
