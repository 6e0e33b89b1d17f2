"""`python -m tantra_envs play`: seats from words, games kept and gone on with, best results, what is refused."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from tantra_envs.commands import play as play_command
from tantra_envs.commands.play import Args, prepare
from tantra_envs.table import results
from tantra_envs.table.server import Server

from .serving import play, shown


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_game_is_kept_after_every_action_and_gone_on_with(here):
    table, file = prepare(Args("karma", ["players=3"], seats=["me:Ann", "greedy", "me"], seed=4, save=here / "a.json"))
    session = table.session
    assert [chair.name for chair in session.chairs] == ["Ann", "greedy", ""] and len(session.people) == 2
    for _ in range(3):
        session.move(session.game.legal(session.history.state)[0])
        assert file.read_bytes() == session.history.save()
    table, same = prepare(Args(resume=file, seats=["me", "scripted", "me"]))
    again = table.session
    assert same == file and again.version != session.version
    assert again.history.state.tobytes() == session.history.state.tobytes()
    again.undo(again.chairs[again.history.moves[-1].seat], again.version)
    assert file.read_bytes() == again.history.save() != session.history.save()


def play_first(session, last=0):
    """Play the first legal action, or with -1 the last one, to the end of a game for one."""
    while not session.history.is_over:
        session.move(session.game.legal(session.history.state)[last])


def test_best_results_of_games_for_one_are_kept(here):
    for last in (0, -1):
        options = {"best": here / "best.json", "seed": 1, "save": here / f"{last}.json"}
        session = prepare(Args("tantrix", ("mode=solitaire",), **options))[0].session
        play_first(session, last)
        assert f"{session.history.state['best'].max()} point" in session.news and "place" in session.news
        assert session.is_listed
    (lists,) = json.loads((here / "best.json").read_text()).values()
    assert len(lists) == 2 and lists[0]["score"] >= lists[1]["score"]


def test_a_puzzle_that_is_not_solved_enters_no_list_and_its_last_tile_can_be_taken_back(here):
    session = prepare(Args("tantrix", ("mode=discovery", "puzzle=3"), best=here / "best.json"))[0].session
    play_first(session)
    page, person = shown(session), session.people[0]
    assert "not solved" in page.ending.verdict and page.ending.result == "" and page.undo
    assert not (here / "best.json").exists()
    for told in ("place 1", "in the list already"):
        while session.history.moves:
            session.undo(person, session.version)
        play(session)  # the scripted agent solves it
        assert told in shown(session).ending.result
    (entries,) = json.loads((here / "best.json").read_text()).values()
    assert [entry["result"] for entry in entries] == ["Solved"]


def test_games_with_hints_enter_no_list(here):
    session = prepare(Args("tantrix", ("mode=solitaire",), best=here / "best.json"))[0].session
    session.history.facts.hints = 1
    assert "had hints" in results.enter(here / "best.json", session) and not (here / "best.json").exists()


def test_games_for_one_that_end_at_the_same_time_are_all_kept(here, monkeypatch):
    def slow(file, read=results.read):
        lists = read(file)
        time.sleep(0.05)
        return lists

    session = prepare(Args("tantrix", ("mode=solitaire",), best=here / "best.json"))[0].session
    monkeypatch.setattr(results, "_why_not", lambda _: "")
    monkeypatch.setattr(results, "read", slow)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(results.enter, [here / "best.json"] * 3, [session] * 3))
    (entries,) = json.loads((here / "best.json").read_text()).values()
    assert len(entries) == 3


def test_a_server_that_cannot_begin_leaves_no_file(here, monkeypatch):
    monkeypatch.setattr(play_command, "Server", Mock(side_effect=OSError(98, "Address already in use")))
    with pytest.raises(SystemExit):
        play_command.main(["karma", "--save", "a.json"])
    assert not list(here.iterdir())


def test_the_command_prints_a_link_for_each_person_and_says_where_the_game_is(here, monkeypatch, capsys):
    monkeypatch.setattr(Server, "serve_forever", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(SystemExit) as ended:
        play_command.main(["karma", "--seats", "me:Ann", "me", "--no-browser", "--save", "a b.json"])
    out, err = capsys.readouterr()
    assert ended.value.code == 130 and out.count("http://127.0.0.1:") == 3  # two seats and all games
    assert "seat 0 Ann: " in out
    assert "the game is in a b.json; python -m tantra_envs play --resume 'a b.json' continues it" in err
    assert (here / "a b.json").exists()
