"""Saved games in the lobby: the list, going on, replays, and what is refused."""

import json
import os
import subprocess
import sys
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

from .serving import ask, begun, is_over, play, send, served


def kept(lobby, game="karma", seats=("me", "uniform"), until=is_over, **given):
    """The name of the file of a game that is at no table any more."""
    table = lobby.open(game, list(seats), **given)
    table.runner.close()
    play(table.session, until)
    lobby.tables.remove(table)
    return table.session.file.name


def test_the_lobby_lists_saved_games_with_the_newest_first_and_they_go_on_in_their_files(lobby):
    over, open_ = kept(lobby, seed=3), kept(lobby, seats=["me:Ann", "greedy"], until=begun)
    kept(lobby, seats=["me", "me"], until=lambda session: True)  # without an action
    for age, name in enumerate((open_, over)):
        os.utime(FOLDER / name, (1e9 - age, 1e9 - age))
    old = json.loads((FOLDER / over).read_text())
    del old["seats"]  # a game of an earlier version
    for name, text in {"best": "{}", "other": "no game", "old": json.dumps(old)}.items():
        (FOLDER / f"{name}.json").write_text(text)
    os.mkfifo(FOLDER / "pipe.json")
    first, second = lobby.saved()["games"]
    assert (first["file"], first["over"], first["against"], first["actions"]) == (open_, False, "greedy", 9)
    assert (second["file"], second["over"], second["against"], second["game"]) == (over, True, "uniform", "Karma")
    assert second["verdict"] == saved_history((FOLDER / over).read_bytes()).facts.verdict != ""
    running = lobby.resume(open_)
    saved = lobby.saved()
    assert [game["file"] for game in saved["games"]] == [over]
    assert [game["path"] for game in saved["open"]] == [f"/t/{running.session.people[0].token}/"]
    assert lobby.resume(open_) is running  # not twice
    assert [chair.name for chair in running.session.chairs] == ["Ann", "greedy"]
    play(running.session)
    assert saved_history((FOLDER / open_).read_bytes()).state["over"][0]


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


def test_play_on_from_a_saved_game_leaves_it_as_it_is(lobby):
    name = kept(lobby)
    before = (FOLDER / name).read_bytes()
    session = lobby.resume(name, 5).session
    assert session.history.facts.branch and session.file.name != name
    assert [past.action for past in session.history.moves[:5]] == json.loads(before)["actions"][:5]
    assert (FOLDER / name).read_bytes() == before
    running = kept(lobby, until=begun)  # a branch of it would show what is hidden in it
    for file, length, told in [(name, -1, "length="), (name, 10_000, "length="), (running, 3, "not over"),
                               (name, None, "This game is over")]:  # fmt: skip
        with pytest.raises(RefusedError, match=told):
            lobby.resume(file, length)


PROGRAMS = ("text:touch ran", "my_agent.py:Agent", "ppo:/etc/passwd", "learned:../x", "search:99999999",
            "search:ms=99999")  # fmt: skip


def test_what_is_no_saved_game_or_needs_other_agents_is_refused(lobby, tmp_path):
    name = kept(lobby, until=begun)
    saved = json.loads((FOLDER / name).read_text())
    for wrong in ("", "none.json", "../best.json", f"../play/{name}", str(FOLDER / name), "/etc/passwd"):
        with pytest.raises(RefusedError, match="no saved game of this name"):
            lobby.resume(wrong)
    damaged = {"actions": [*saved["actions"], 0, 0]}, "damaged"
    for changes, told in [*(({"seats": ["me", word]}, "which the lobby does not know") for word in PROGRAMS), damaged]:
        (FOLDER / name).write_text(json.dumps({**saved, **changes}))
        with pytest.raises(RefusedError, match=told):
            lobby.resume(name)
    assert not lobby.tables and not (tmp_path / "ran").exists()
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


def test_the_replay_of_a_saved_game_is_the_one_of_its_table(lobby):
    open_, table = kept(lobby, until=begun), lobby.open("karma", ["me", "uniform"], seed=3)
    play(table.session)
    with served(None, lobby=lobby) as server:
        link = f"{server.lobby_link()}replay?file="
        code, page = ask(f"{link}{table.session.file.name}&download=1")
        (one, *_), (other, *_) = content(page.decode()), content(table.replay(table.session.people[0]))
        assert code == 200 and one["moves"] == other["moves"] and [view for view, _ in one["views"]] == [0, None]
        assert one["names"] == other["names"] == ["You", "Opponent"]
        page = ask(f"{link}{table.session.file.name}")[1].decode()
        assert f'href="./#file={table.session.file.name}&amp;from=0"' in page
        assert "judged=1" in page and "download=1" in page
        assert ask(f"{link}{open_}")[0] == ask(f"{link}../x")[0] == 409  # its cards are hidden; there is no such file
        assert send(server.lobby_link(), {"do": "resume", "file": open_})[0] == 200


def test_a_folder_with_many_games_is_read_once(lobby, monkeypatch):
    name = kept(lobby)
    shelf = Shelf(FOLDER)
    before = shelf.games()
    monkeypatch.setattr("tantra_envs.table.shelf.read_saved", None)
    assert shelf.games() == before
    (FOLDER / name).unlink()
    assert shelf.games() == [] and Shelf(FOLDER / "none").games() == []
