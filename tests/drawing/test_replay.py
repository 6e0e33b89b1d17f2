"""A replay holds the whole game in one page, and of a seat's replay nothing that the seat cannot know."""

import base64
import gzip
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.commands.replay import main
from tantra_envs.core.opinions import Opinion
from tantra_envs.drawing import replays
from tantra_envs.drawing.replays import parts
from tantra_envs.drawing.sheet import ROOT
from tantra_envs.envs.aec import TableEnv
from tantra_envs.expected_scores import expected_scores
from tantra_envs.games import SHIPPED
from tantra_envs.table.history import History
from tantra_envs.words import sentences

GAME = tantra_envs.game("karma", players=3)
NAMES = ["Ann", "</script><script>alert(1)</script>", "Cy"]


def played(game=GAME, seed=1, plies=20):
    state, rng, actions = game.new(seed), np.random.default_rng(seed), []
    while len(actions) < plies and not state["over"][0]:
        actions.append(int(rng.choice(game.legal(state))))
        game.apply_action(state, actions[-1])
    return actions


def content(page):
    """The text of a page, and its drawings as lists of parts, by view and ply."""
    return unpacked(re.search(r'<script type="application/json" id="replay">(.*?)</script>', page, re.S)[1])


def unpacked(text):
    """The fields of a page as they are in its text, and its drawings by view and ply."""
    told, views = json.loads(text), []
    kept = json.loads(gzip.decompress(base64.b64decode(told["drawings"])))
    for changes in kept["views"]:
        parts = [[]]
        for head, tail, between in changes:
            before = parts[-1]
            parts.append(before[:head] + between + before[len(before) - tail :])
        views.append(["".join(kept["pool"][part] for part in drawing) for drawing in parts[1:]])
    told["lines"] = [[kept["pool"][line] for line in lines] for lines in kept["lines"]]
    return told, views


def test_all_drawings_come_back_and_their_symbols_are_there():
    start, actions = GAME.new(1), played()
    page = drawing.replay(GAME, start, actions, NAMES).html
    told, drawn = content(page)
    tables = list(replays.played(GAME, start, actions))
    for view, seat in enumerate((None, 0, 1, 2)):
        for ply, (state, last) in enumerate(tables):
            sheet = drawing.sheet_of(GAME, state, seat, last=last, legal=False, names=NAMES)
            assert drawn[view][ply].endswith(sheet.body().replace(ROOT, "te") + "</svg>")
            if last:
                assert told["moves"][ply - 1] == last.seat
                line = sentences.log_line(GAME, last.before, last.action, last.after, seat, NAMES)
                assert told["lines"][view][ply] == line
    used = {name for view in drawn for svg in view for name in re.findall(r'href="#(.*?)"', svg)}
    assert used <= set(re.findall(r'id="(te-\w+)"', page))
    assert drawn[0][0] in page  # seen where no script runs


def test_the_page_needs_nothing_else_and_names_do_nothing():
    page = drawing.replay(GAME, GAME.new(1), played(), NAMES, title=NAMES[1]).html
    assert not re.search(r"(src|href)=\"(?!#)|url\(|@import|https?://(?!www\.w3\.org)", page)
    assert page.count("<script") == 2 and "alert(1)</script>" not in page
    assert content(page)[0]["names"] == NAMES
    assert "@@" not in page


def test_what_was_done_in_secret_and_thought_by_others_is_not_told():
    start, actions = GAME.new(1), played()
    thoughts = {
        0: Opinion("value", {actions[0]: 0.25, 44: 0.5}, {44: 0.1}),
        4: Opinion("probability", {actions[4]: 1.0}, {}),
        5: Opinion("probability", {}, {}),
    }
    open_table = content(drawing.replay(GAME, start, actions, thoughts=thoughts).html)[0]
    first = open_table["moves"][0]
    other = (first + 1) % 3
    told = content(drawing.replay(GAME, start, actions, thoughts=thoughts, seat=other).html)[0]
    assert told["lines"][0][1] == f"Seat {first} chooses three cards to lay face up: two left"
    assert f"Seat {first} lays " in open_table["lines"][0][1]
    assert set(open_table["thoughts"]) == {"0", "4"}
    reasons = content(drawing.replay(GAME, start, actions, reasons=thoughts).html)[0]["reasons"]
    assert set(reasons) == {"0"}  # an action without another one has no reason
    assert all(open_table["moves"][int(ply)] == other for ply in told["thoughts"])
    first = open_table["thoughts"]["0"]
    assert first["worth"] == "value"
    assert [thought[1:] for thought in first["best"]] == [[0.5, False, 0.1], [0.25, True, None]]


def test_a_seat_sees_the_outlined_choice_of_a_judge_before_its_own_actions_alone():
    start, actions = GAME.new(1), played(plies=12)
    tables = list(replays.played(GAME, start, actions))
    best = {ply: actions[ply] for ply in range(len(actions))}
    for reader in (None, 0, 1):
        with_best, without = (parts(GAME, tables, NAMES, [reader], {}, given) for given in (best, {}))
        (one,), (other,) = (unpacked(told["JSON"])[1] for told in (with_best, without))
        outlined = [ply for ply, svgs in enumerate(zip(one, other, strict=True)) if svgs[0] != svgs[1]]
        assert outlined == [ply for ply in best if reader in (None, int(tables[ply][0]["seat"][0]))]


def test_the_choice_of_an_agent_comes_first_also_with_a_lower_value():
    start, actions = GAME.new(1), played(plies=2)
    other = next(action for action in GAME.legal(start) if action != actions[0])
    thoughts = {0: Opinion("win probability", {actions[0]: 0.5, other: 0.45}, {}, choice=other)}
    told = content(drawing.replay(GAME, start, actions, thoughts=thoughts).html)[0]["thoughts"]["0"]
    assert [thought[1:3] for thought in told["best"]] == [[0.45, False], [0.5, True]] and told["mark"] == ""


def test_a_reader_has_the_curves_of_its_own_view_alone():
    start, actions = GAME.new(1), played(plies=3)
    scores = {None: {team: [0.1, 0.2, 0.3, 1] for team in range(3)}, 1: {1: [0.5, 0.25, 0.1234, 0]}}
    whole = content(drawing.replay(GAME, start, actions, scores=scores).html)[0]["scores"]
    assert whole == [[[team, [100, 200, 300, 1000]] for team in range(3)], [], [[1, [500, 250, 123, 0]]], []]
    assert content(drawing.replay(GAME, start, actions, scores=scores, seat=1).html)[0]["scores"] == [whole[2]]
    assert content(drawing.replay(GAME, start, actions, scores=scores, seat=0).html)[0]["scores"] == [[]]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"scores": {None: {3: [0.5] * 4}}}, "scores of team=3 is not allowed; allowed: 0..2"),
        ({"scores": {None: {1: [0.5] * 20}}}, "scores of team 1=20 is not allowed; allowed: 4 numbers"),
        ({"scores": {None: {1: [np.nan] * 4}}}, "scores of team 1=[nan, nan, nan, nan] is not allowed"),
        ({"actions": [0, 999]}, "ply "),
        ({"seat": 3}, "seat=3 is not allowed"),
        ({"names": ["A"]}, "names"),
        ({"theme": "red"}, "theme='red' is not allowed"),
        ({"thoughts": {0: Opinion("", {999: 1.0}, {})}}, "thoughts of action=999 is not allowed; allowed: 0..44"),
        ({"thoughts": {0: Opinion("", {1: -np.inf}, {})}}, "the value of action 1=-inf is not allowed"),
        ({"thoughts": {50: Opinion("", {0: 1.0}, {})}}, "thoughts of ply 50 are not allowed; allowed: 0.."),
    ],
)
def test_what_is_wrong_is_named(wrong, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        drawing.replay(GAME, GAME.new(1), **{"actions": played(plies=3), **wrong})


def test_an_environment_replays_its_own_game_also_in_a_notebook():
    env = TableEnv(GAME)
    env.reset(seed=3)
    for _ in range(5):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    frame = re.fullmatch(r"<iframe srcdoc='([^']*)'[^>]*></iframe>", env.replay(NAMES)._repr_html_())
    told, drawn = content(html.unescape(frame[1]))
    assert told["names"] == NAMES and len(told["moves"]) == 5 and len(drawn[0]) == 6
    with pytest.raises(ValueError, match="agents"):
        env.replay(agents=[None])


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """Saves a game in the working folder, and returns its start and its actions."""
    monkeypatch.chdir(tmp_path)

    def save(plies):
        history, actions = History(GAME, GAME.new(3)), played(GAME, 3, plies=plies)
        for action in actions:
            history.play(action)
        Path("game.json").write_bytes(history.save())
        return history.start, actions

    return save


def test_a_saved_game_becomes_a_page(saved, refusal):
    (start, actions), out = saved(5), Path("game.html")
    assert main(["game.json", "--seat", "1", "--out", str(out)]) == 0
    scores = expected_scores(GAME, start, actions)
    assert out.read_text(encoding="utf-8") == drawing.replay(GAME, start, actions, seat=1, scores=scores).html
    assert main(["game.json", "--judge", "search:2", "--out", str(out)]) == 0
    assert len(content(out.read_text(encoding="utf-8"))[0]["thoughts"]) == 5
    Path("game.json").write_bytes(b"[]")
    assert "game.json: not a saved game" in refusal(main, ["game.json", "--out", "none.html"])
    assert not Path("none.html").exists()


@pytest.mark.parametrize(("plies", "frames"), [(60, 24), (5, 6)])
def test_a_saved_game_becomes_a_moving_picture_of_its_seat(saved, monkeypatch, plies, frames):
    image, _ = pytest.importorskip("PIL.Image"), pytest.importorskip("resvg_py")
    saved(plies)
    drawn, draw = [], replays.draw
    monkeypatch.setattr(replays, "draw", lambda *given, **look: drawn.append(given[2]) or draw(*given, **look))
    assert main(["game.json", "--seat", "1", "--out", "game.gif"]) == 0
    with image.open("game.gif") as shown:
        assert (shown.format, shown.n_frames) == ("GIF", frames)
    assert drawn == [1] * frames


@pytest.mark.parametrize(("words", "told"), [
    (["--seat", "7"], "seat=7 is not allowed"), (["--names", "A"], "1 names are given"),
    (["--out", "page.gif"], "a .gif, which shows no ratings"), (["--out", "page.txt"], "ends in .html or .gif"),
    (["--out", "game.json/page.html"], "game.json"),
])  # fmt: skip
def test_what_cannot_be_written_is_refused_before_the_actions_are_rated(saved, refusal, monkeypatch, words, told):
    saved(0)
    monkeypatch.setattr("tantra_envs.commands.replay.replay_of", None)
    error = refusal(main, ["game.json", "--judge", "search:2", "--out", "page.html", *words])
    assert told in error and ".part" not in error
    assert [file.name for file in Path().iterdir()] == ["game.json"]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_says_how_its_teams_stand(name):
    game = tantra_envs.game(name)
    page = drawing.replay(game, game.new(1), played(game, plies=6), seat=0).html
    assert len(page) < 1_000_000 and len(content(page)[1][0]) == 7
