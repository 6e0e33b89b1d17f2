"""The lobby of the tests: its games are saved in a folder of their own."""

from dataclasses import replace

import pytest

from tantra_envs.commands.play import FOLDER, Args, adviser, open_table
from tantra_envs.table.home import Home
from tantra_envs.table.lobby import Lobby
from tantra_envs.table.shelf import Shelf


@pytest.fixture
def lobby(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = Args(best=tmp_path / "best.json", delay=0)

    def make(history, seats, file):
        return open_table(replace(options, resume=file), history, seats, watched=True)[0]

    yield (made := Lobby(make, Shelf(FOLDER), adviser, options.best, Home(FOLDER)))
    for table in made.tables:
        table.runner.close()
