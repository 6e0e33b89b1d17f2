"""`python -m tantra_envs play`: seats from words, games kept and gone on with, best results, what is refused."""

import json
import subprocess
import sys
import threading
import time

import pytest

import tantra_envs
from tantra_envs.commands import play
from tantra_envs.commands.play import Args, chairs, prepare
from tantra_envs.table import results
from tantra_envs.table.history import History
from tantra_envs.table.session import Person, Session

from .serving import shown


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_seats_are_people_and_agents_in_their_order():
    game = tantra_envs.game("karma", players=4)
    made = chairs(["me:Ann", "scripted", "me", "greedy"], game)
    assert [isinstance(chair, Person) for chair in made] == [True, False, True, False]
    assert [chair.name for chair in made] == ["Ann", "scripted", "", "greedy"]


def test_a_game_is_kept_after_every_action_and_gone_on_with(here):
    table, file = prepare(Args("karma", ["players=3"], seats=["me", "scripted", "me"], seed=4, save=here / "a.json"))
    session = table.session
    for _ in range(3):
        person = session.chairs[session.history.state["seat"][0]]
        session.play(person, session.version, session.game.legal(session.history.state)[0])
        assert file.read_bytes() == session.history.save()
    table, same = prepare(Args(resume=file, seats=["me", "scripted", "me"]))
    again = table.session
    assert same == file
    assert again.history.state.tobytes() == session.history.state.tobytes()
    assert [past.words for past in again.history.moves] == [past.words for past in session.history.moves]
    assert again.version != session.version
    again.undo(next(p for p in again.people if again.chairs.index(p) == again.history.moves[-1].seat), again.version)
    assert file.read_bytes() == again.history.save() != session.history.save()


def test_best_results_of_games_for_one_are_kept(here):
    options = {"best": here / "best.json", "seed": 1}
    for turn in range(2):
        session = prepare(Args("tantrix", ("mode=solitaire",), save=here / f"{turn}.json", **options))[0].session
        while not session.history.is_over:
            session.play(session.people[0], session.version, session.game.legal(session.history.state)[turn - 1])
        points = session.history.state["best"].max()
        assert f"{points} point" in session.news and "place" in session.news
        assert session.is_listed
    (lists,) = json.loads((here / "best.json").read_text()).values()
    assert len(lists) == 2
    assert lists[0]["score"] >= lists[1]["score"]


def solve(session):
    """Let search find the loop of a small puzzle."""
    person = session.people[0]
    while not session.history.is_over:
        legal = session.game.legal(session.history.state)
        session.play(person, session.version, next(a for a in legal if solvable(session, a)))


def solvable(session, action):
    """Return whether some order of tiles solves the puzzle after an action: every placement is tried."""
    after = session.history.state.copy()
    session.game.drivers.apply_row(after, 0, action)
    if after["over"][0]:
        return bool(after["rewards"][0, 0] == 1)
    blocks = session.game.actions
    laying = [a for a in session.game.legal(after) if blocks.at(a).name == "place"]
    if after["placed"][0] <= session.history.state["placed"][0]:
        return False
    trial = Session(History(session.game, after), session.chairs)
    return any(solvable(trial, a) for a in laying)


def test_a_puzzle_that_is_not_solved_enters_no_list_and_its_last_tile_can_be_taken_back(here):
    session = prepare(Args("tantrix", ("mode=discovery", "puzzle=3"), best=here / "best.json"))[0].session
    person = session.people[0]
    while not session.history.is_over:
        legal = session.game.legal(session.history.state)
        session.play(person, session.version, next((a for a in legal if not solvable(session, a)), legal[0]))
    page = shown(session)
    assert "not solved" in page.ending.verdict and page.ending.result == ""
    assert not (here / "best.json").exists()
    assert page.undo is True
    while session.history.moves:
        session.undo(person, session.version)
    assert not session.history.is_over
    solve(session)
    assert "place 1" in shown(session).ending.result
    session.undo(person, session.version)
    solve(session)
    assert "in the list already" in session.news
    (entries,) = json.loads((here / "best.json").read_text()).values()
    assert [entry["result"] for entry in entries] == ["Solved"]


def test_games_with_hints_enter_no_list(here):
    session = prepare(Args("tantrix", ("mode=solitaire",), best=here / "best.json"))[0].session
    session.history.facts.hints = 1
    assert "had hints" in results.enter(here / "best.json", session)
    puzzle = tantra_envs.game("tantrix", mode="discovery", puzzle=4)
    assert results.name(puzzle).startswith("tantrix_v0 mode=discovery ")
    assert results.name(puzzle).endswith(" puzzle=4")
    assert not (here / "best.json").exists()


def test_games_for_one_that_end_at_the_same_time_are_all_kept(here, monkeypatch):
    def slow(file, read=results.read):
        lists = read(file)
        time.sleep(0.05)
        return lists

    session = prepare(Args("tantrix", ("mode=solitaire",), best=here / "best.json"))[0].session
    monkeypatch.setattr(results, "_why_not", lambda _: "")
    monkeypatch.setattr(results, "read", slow)
    ends = [threading.Thread(target=results.enter, args=(here / "best.json", session)) for _ in range(3)]
    for end in ends:
        end.start()
    for end in ends:
        end.join()
    (entries,) = json.loads((here / "best.json").read_text()).values()
    assert len(entries) == 3


def test_a_game_that_cannot_begin_leaves_no_file(here):
    (here / "best.json").write_text("else")
    with pytest.raises(ValueError, match="holds no results"):
        prepare(Args("karma", best=here / "best.json"))
    assert [file.name for file in here.iterdir()] == ["best.json"]


@pytest.mark.parametrize(("words", "told"), [
    (("--seats", "me"), "no game is given for --seats, --seed or --save; games: "),
    (("chess",), "chess"),
    (("karma", "players"), "OPTION=VALUE"),
    (("karma", "players=99"), "players=99 is not allowed"),
    (("karma", "--seats", "scripted", "scripted"), "nobody is a person"),
    (("karma", "players=3", "--seats", "me", "scripted"), "2 given, but karma_v0 has 3 seats here"),
    (("karma", "--seats", "me", "wizard"), "unknown agent 'wizard'"),
    (("karma", "--host", "0.0.0.0"), "is not allowed without --share. Anyone on the network"),
    (("karma", "--port", "many"), "(see python -m tantra_envs play --help)"),
    (("karma", "--port", "70000"), "port=70000 is not allowed"),
    (("karma", "--delay", "-1"), "delay=-1.0 is not allowed"),
    (("karma", "--seed", "-1"), "seed=-1 is not allowed"),
    (("--resume", "none.json"), "none.json"),
    (("--resume", "bad.json"), "bad.json: not a saved game, or damaged: its format"),
    (("--resume", "bad.json", "--seed", "1"), "--resume is not allowed with a game, its options, --seed or --save"),
    (("karma", "--save", "bad.json"), "--save bad.json is not allowed: it exists"),
    (("karma", "--best", "bad.json"), "bad.json holds no results"),
    (("karma", "--save", "a b.json"), "--save a b.json is not allowed: it exists; allowed: another file, or "
     "--resume 'a b.json'"),
])  # fmt: skip
def test_what_cannot_be_played_is_refused_in_one_line(here, capsys, words, told):
    (here / "bad.json").write_text('{"game": 3}')
    (here / "a b.json").touch()
    with pytest.raises(SystemExit) as ended:
        play.main(words)
    assert ended.value.code == 2
    line = capsys.readouterr().err
    assert told in line
    assert line.count("\n") == 1
    assert (here / "bad.json").read_text() == '{"game": 3}'


def test_a_server_that_cannot_begin_leaves_no_file(here, monkeypatch):
    def refuse(*_, **__):
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(play, "Server", refuse)
    with pytest.raises(SystemExit):
        play.main(["karma", "--save", "a.json"])
    assert not list(here.iterdir())


def test_the_command_prints_a_link_for_each_person_and_says_where_the_game_is(here):
    code = (
        "import sys, os, signal, threading, tantra_envs.commands.play as play\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background jobs are born deaf to it
        "import tantra_envs.table.runner as runner\n"
        "runner.Runner.start = lambda self: threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "play.main(['karma', '--seats', 'me:Ann', 'me', '--no-browser', '--save', 'a b.json'])\n"
    )
    root = str(play.Path(play.__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r})\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 130, run.stderr
    assert run.stdout.count("http://127.0.0.1:") == 3  # two seats and all games
    assert "seat 0 Ann: " in run.stdout
    assert "the game is in a b.json; python -m tantra_envs play --resume 'a b.json' continues it" in run.stderr
    assert (here / "a b.json").exists()
