"""The folder of a server: links that stay the same, a secret that nobody else reads, and the port of before."""

import json
import stat

import pytest

from tantra_envs.commands.play import FOLDER, Args, _server
from tantra_envs.table.home import LINKS, Home
from tantra_envs.table.lobby import Lobby


def test_links_stay_the_same_and_cannot_be_guessed(tmp_path):
    home = Home(tmp_path / "play")
    tokens = [home.token(*words) for words in (("lobby",), ("room", 0), ("room", 1), ("other", 0))]
    assert len(set(tokens)) == 4 and all(len(token) == 32 for token in tokens)
    assert [Home(tmp_path / "play").token("room", seat) for seat in (0, 1)] == tokens[1:3]
    assert Home(tmp_path / "elsewhere").token("lobby") != tokens[0]
    file = tmp_path / "play" / LINKS
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    home.port = 4321
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and Home(tmp_path / "play").port == 4321
    assert Home(tmp_path / "play").token("lobby") == tokens[0]


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"secret": "", "port": "x"}', b'{"secret": 3, "port": 0}'])
def test_a_damaged_secret_is_replaced_by_another_one(tmp_path, content):
    (tmp_path / LINKS).write_bytes(content)
    assert Home(tmp_path).port == 0
    token = Home(tmp_path).token("lobby")
    assert Home(tmp_path).token("lobby") == token and len(json.loads((tmp_path / LINKS).read_text())["secret"]) >= 32


def test_a_server_begins_at_the_port_of_the_last_one_if_it_is_free(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    home, lobby = Home(FOLDER), Lobby(None)
    with _server(Args(), lobby, home) as first:
        home.port = first.server_port
        with _server(Args(), lobby, home) as second:
            assert second.server_port != first.server_port
    with _server(Args(), lobby, home) as again:
        assert again.server_port == first.server_port
