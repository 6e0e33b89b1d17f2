"""Saved games in the lobby: the list, going on, replays, and what is refused."""

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.commands.play import FOLDER
from tantra_envs.table.history import Facts, History, saved_history
from tantra_envs.table.home import claim
from tantra_envs.table.lobby import Lobby
from tantra_envs.table.session import RefusedError
from tantra_envs.table.shelf import Shelf
from tests.drawing.test_replay import content

from .serving import ask, is_over, play, served
from .test_lobby import send


def kept(lobby, game="karma", seats=("me", "uniform"), until=is_over, **given):
    """The name of the file of a game that is at no table any more."""
    table = lobby.open(game, list(seats), **given)
    table.runner.close()
    play(table.session, until)
    lobby.tables.remove(table)
    return table.session.file.name


def begun(session):
    return len(session.history.moves) > 8


def test_the_lobby_lists_saved_games_with_the_newest_first(lobby):
    over, open_ = kept(lobby, seed=3), kept(lobby, seats=["me:Ann", "greedy"], until=begun)
    kept(lobby, seats=["me", "me"], until=lambda session: True)  # without an action
    for age, name in enumerate((open_, over)):
        os.utime(FOLDER / name, (1e9 - age, 1e9 - age))
    (FOLDER / "best.json").write_text("{}")
    (FOLDER / "other.json").write_text("no game")
    old = json.loads((FOLDER / over).read_text())
    del old["seats"]  # a game of an earlier version
    (FOLDER / "old.json").write_text(json.dumps(old))
    with served(None, lobby=lobby) as server:
        code, content = ask(urllib.request.Request(f"{server.lobby_link()}saved"))
    assert code == 200
    first, second = json.loads(content)["games"]
    assert (first["file"], first["over"], first["against"], first["actions"]) == (open_, False, "greedy", 9)
    assert (second["file"], second["over"], second["against"], second["game"]) == (over, True, "uniform", "Karma")
    assert second["verdict"] == saved_history((FOLDER / over).read_bytes()).facts.verdict != ""
    running = lobby.resume(open_)
    assert [game["file"] for game in lobby.saved()["games"]] == [over]
    assert [game["path"] for game in lobby.saved()["open"]] == [f"/t/{running.session.people[0].token}/"]
    assert lobby.resume(open_) is running  # not twice


def test_a_saved_game_is_open_at_one_server_only(lobby):
    name = kept(lobby, until=begun)
    code = (
        "from pathlib import Path; from tantra_envs.table.home import claim\n"
        "claim(Path('other.json')); print(1, flush=True); input()"
    )
    command, root = [sys.executable, "-c", code], str(Path(__file__).parents[2])
    with subprocess.Popen(command, stdin=-1, stdout=-1, cwd=FOLDER, env={**os.environ, "PYTHONPATH": root}) as other:
        assert other.stdout.readline() == b"1\n"
        with pytest.raises(ValueError, match=r"other\.json is open at another server\. Go on there, or stop that"):
            claim(FOLDER / "other.json")
        lobby.resume(name)  # another game is free
        other.kill()
    claim(FOLDER / "other.json")


def test_a_saved_game_goes_on_in_its_file(lobby):
    name = kept(lobby, seats=["me:Ann", "scripted"], until=begun)
    before = saved_history((FOLDER / name).read_bytes())
    table = lobby.resume(name)
    assert (
        table.session.file.name == name
        and table.session.people[0].name == "Ann"
        and table.session.chairs[1].name == "scripted"
    )
    assert [past.action for past in table.session.history.moves[:9]] == [past.action for past in before.moves]
    play(table.session)
    assert saved_history((FOLDER / name).read_bytes()).state["over"][0]


def test_play_on_from_a_saved_game_leaves_it_as_it_is(lobby):
    name = kept(lobby)
    before = (FOLDER / name).read_bytes()
    table = lobby.resume(name, 5)
    assert table.session.history.facts.branch and table.session.file.name != name
    assert [past.action for past in table.session.history.moves[:5]] == json.loads(before)["actions"][:5]
    assert (FOLDER / name).read_bytes() == before
    for wrong in (-1, 10_000):
        with pytest.raises(RefusedError, match="length="):
            lobby.resume(name, wrong)
    with pytest.raises(RefusedError, match="not over"):  # it would show what is hidden in a running game
        lobby.resume(kept(lobby, until=begun), 3)


def test_what_is_no_saved_game_or_needs_other_agents_is_refused(lobby, tmp_path):
    name, over = kept(lobby, until=begun), kept(lobby)
    saved = json.loads((FOLDER / name).read_text())
    (tmp_path / "secret.json").write_text(json.dumps(saved))
    tables = len(lobby.tables)
    for wrong in ("none.json", "../../secret.json", str(tmp_path / "secret.json"), ""):
        with pytest.raises(RefusedError, match="no saved game of this name"):
            lobby.resume(wrong)
    with pytest.raises(RefusedError, match="This game is over"):
        lobby.resume(over)
    for word in (
        "text:touch ran",
        "my_agent.py:Agent",
        "ppo:/etc/passwd",
        "learned:../x",
        "search:99999999",
        "search:ms=99999",
    ):
        (FOLDER / name).write_text(json.dumps({**saved, "seats": ["me", word]}))
        with pytest.raises(RefusedError, match="which the lobby does not know"):
            lobby.resume(name)
    (FOLDER / name).write_text(json.dumps({**saved, "actions": [*saved["actions"], 0, 0]}))
    with pytest.raises(RefusedError, match="damaged"):
        lobby.resume(name)
    assert len(lobby.tables) == tables and not (tmp_path / "ran").exists()
    with pytest.raises(RefusedError, match="There are no saved games"):
        Lobby(None).resume(name)


DAMAGED = [
    *(b"", b"\0" * 50, b"[]", b"3", b"NaN", b"null", b'"x"', b"\xff\xfe\0", b"{", b"[" * 100_000),
    *(
        {"game": None},
        {"game": ["karma"]},
        {"config": {"players": 10**400}},
        {"config": {"players": []}},
        {"config": 3},
    ),
    *({"seats": [1, {}]}, {"seats": {"a": 1}}, {"actions": None}, {"actions": [10**400]}, {"start": [[[]]]}),
    *({"config": 3}, {"verdict": ["\ud800"]}, {"room": 3}, {"format": None}),
]


@pytest.mark.parametrize("damage", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_saved_game_breaks_neither_the_list_nor_the_lobby(tmp_path, damage):
    history = History(tantra_envs.game("karma"), tantra_envs.game("karma").new(3), Facts(3, ["me", "uniform"]))
    history.play(history.game.legal(history.state)[0])
    whole = history.save()
    (tmp_path / "good.json").write_bytes(whole)
    bad = json.dumps({**json.loads(whole), **damage}).encode() if isinstance(damage, dict) else damage
    (tmp_path / "bad.json").write_bytes(bad)
    lobby = Lobby(None, Shelf(tmp_path))
    assert "good.json" in [game["file"] for game in json.loads(json.dumps(lobby.saved(), allow_nan=False))["games"]]
    for act in (lobby.resume, lobby.replay):
        with pytest.raises(RefusedError):
            act("bad.json")


def test_a_pipe_among_the_saved_games_is_left_out(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    assert Shelf(tmp_path).games() == []


def test_the_replay_of_a_saved_game_is_the_one_of_its_table(lobby):
    open_ = kept(lobby, until=begun)
    table = lobby.open("karma", ["me", "uniform"], seed=3)
    play(table.session)
    with served(None, lobby=lobby) as server:
        at_table = ask(urllib.request.Request(f"{server.link(table.session.people[0])}replay?download=1"))
        link = f"{server.lobby_link()}replay?file="
        code, page = ask(urllib.request.Request(f"{link}{table.session.file.name}&download=1"))
        (one, *_), (other, *_) = content(page.decode()), content(at_table[1].decode())
        assert code == 200 and one["moves"] == other["moves"] and [view for view, _ in one["views"]] == [0, None]
        assert one["names"] == other["names"] == ["You", "Opponent"]
        page = ask(urllib.request.Request(f"{link}{table.session.file.name}"))[1].decode()
        assert (
            f'href="./#file={table.session.file.name}&amp;from=0"' in page
            and "judged=1" in page
            and "download=1" in page
        )
        assert ask(urllib.request.Request(f"{link}{open_}"))[0] == 409  # its cards are hidden
        assert ask(urllib.request.Request(f"{link}../x"))[0] == 409
        assert send(server, {"do": "resume", "file": open_})[0] == 200


def test_a_folder_with_many_games_is_read_once(lobby, monkeypatch):
    name = kept(lobby)
    shelf = Shelf(FOLDER)
    before = shelf.games()
    monkeypatch.setattr("tantra_envs.table.shelf.read_saved", None)
    assert shelf.games() == before
    (FOLDER / name).unlink()
    assert shelf.games() == [] and Shelf(FOLDER / "none").games() == []
