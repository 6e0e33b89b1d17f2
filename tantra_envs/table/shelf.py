"""The shelf: the saved games of a folder, as the lobby lists them."""

from __future__ import annotations

import functools
import json
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import configuration
from .history import History, people_at, read_saved, saved_history, title

LISTED = 40  # saved games on the page of the lobby, the newest
SOLO = "alone"  # opponents of a game for one


@dataclass(frozen=True)
class SavedGame:
    """A saved game, as far as it is known without playing it again."""

    file: str  # its name in the folder
    when: float  # time of its last action
    game: str  # title, and the options that differ from the usual ones
    seats: tuple[str, ...]  # words of all seats
    actions: int
    over: bool
    verdict: str  # of a finished game, for its only person
    helped: bool  # the person had hints, knew the deal, or began in the middle of another game
    room: str  # the table
    deal: int | None  # its number, of a whole game

    @property
    def opponents(self) -> str:
        """The agents at the table: `scripted and search`, or `alone`."""
        people = people_at(self.seats)
        agents = dict.fromkeys(word for seat, word in enumerate(self.seats) if seat not in people)
        return ", ".join(agents) or SOLO


class Shelf:
    """The saved games of a folder. Files that are no saved games, or have no words of seats, are left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def games(self) -> list[SavedGame]:
        """Return the saved games with at least one action, the newest first."""
        found = []
        for file in self._folder.glob("*.json") if self._folder.is_dir() else ():
            try:
                stamp = file.stat()
                if not stat.S_ISREG(stamp.st_mode):  # a pipe would never end
                    continue
                game = _read(file, stamp.st_mtime_ns, stamp.st_size)
            except (OSError, ValueError, TypeError, KeyError, AttributeError):  # another file, or one that goes away
                continue
            if game.actions:
                found.append(game)
        return sorted(found, key=lambda game: -game.when)

    def path(self, name: str) -> Path:
        """Return the file of a saved game. Raise ValueError unless the folder has one of this name."""
        file = next((game.file for game in self.games() if game.file == name), None)
        if file is None:
            raise ValueError("There is no saved game of this name.")
        return self._folder / file

    def history(self, name: str) -> History:
        """Return a saved game. Raise ValueError if there is none of this name, or if it is damaged."""
        return saved_history(self.path(name).read_bytes())

    def shown(self, in_use: Iterable[Path | None] = ()) -> list[dict[str, Any]]:
        """Return the newest games, for the lobby. Games `in_use` at a table are left out."""
        used = {file.resolve() for file in in_use if file}
        return [
            {
                "file": game.file,
                "when": time.strftime("%Y-%m-%d %H:%M", time.localtime(game.when)),
                "game": game.game,
                "against": game.opponents,
                "over": game.over,
                "own": len(people_at(game.seats)) == 1,
                "actions": game.actions,
                "verdict": game.verdict,
                "deal": game.deal,
                "helped": game.helped,
            }
            for game in [game for game in self.games() if (self._folder / game.file).resolve() not in used][:LISTED]
        ]


@functools.lru_cache(maxsize=4096)
def _read(file: Path, changed: int, size: int) -> SavedGame:
    """Return what a file says of its game. Files that have not changed are not read again."""
    saved = read_saved(file.read_bytes())
    seats = saved["seats"]
    if not seats or not all(isinstance(word, str) for word in seats):
        raise ValueError("the seats of this game are unknown")
    return SavedGame(
        file.name,
        changed / 1e9,
        _title(str(saved["game"]), json.dumps(saved["config"])),
        tuple(seats),
        len(saved["actions"]),
        bool(saved["over"]),
        str(saved["verdict"]),
        bool(saved["hints"] or saved["branch"] or saved.get("repeated")),
        str(saved.get("room", "")),
        None if saved["branch"] else saved["deal"],
    )


@functools.cache
def _title(name: str, config: str) -> str:
    """Return the title of a game by its name and its options as JSON."""
    return title(configuration.game(name, **json.loads(config)))
