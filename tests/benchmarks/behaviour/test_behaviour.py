"""Behaviour: figures agree with a direct count, pages with their records, and mistakes are told in one line."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure as Picture

import tantra_envs
from benchmarks.behaviour import plots, report
from benchmarks.behaviour.__main__ import PROGRAM, main
from benchmarks.behaviour.answers import answers
from benchmarks.behaviour.args import Args
from benchmarks.behaviour.games import kanastic, karma, tantra, tarot
from benchmarks.behaviour.observer import CUT_OFF, DECISIONS, columns, counts, quantities, sections
from benchmarks.behaviour.quantities import Scale
from benchmarks.behaviour.study import prepare
from benchmarks.harness import records, shards
from benchmarks.harness.shards import MatchSpec, Shard
from tantra_envs import cli

CONFIGS = sorted((Path(__file__).resolve().parents[3] / "configs/behaviour").glob("*.toml"))
ROWS = 4  # games counted by hand
WORDS = ["karma", "--agents", "scripted,uniform", "--deals", "5", "--name", "small"]


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["behaviour", "karma"])


@pytest.fixture
def empty_pictures(monkeypatch):
    """Drawing takes most of the time of a small study."""
    monkeypatch.setattr(report, "picture", lambda answers, agents: Picture(figsize=(1, 1)))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Where a small study was made."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["behaviour", "karma"])
        patch.setattr(report, "picture", lambda answers, agents: Picture(figsize=(1, 1)))
        assert main([*WORDS, "--runs", str(folder)]) == 0
    return folder


def study(runs):
    return prepare(cli.read(Args, PROGRAM, ["--game", *WORDS, "--runs", str(runs)]))


def totals(game, table):
    """Both counts of every part of every quantity, summed over the games of a table."""
    sums = table.sum()
    return {
        own: np.array([[sums[column].item() for column in columns(i, part)] for part in range(len(own.names))])
        for i, own in enumerate(quantities(game))
    }


def recorded(game, options, lineup, folder, agents=("scripted", "uniform"), deals=3):
    """Some deals between an agent and others: their record, and what is counted in it."""
    match, file = MatchSpec(game, tuple(options.items()), agents, lineup, 0), folder / "games.parquet"
    records.write(file, shards.label(match), shards.play(Shard(match, 0, deals)))
    record = records.read(file)
    return record, totals(record.game, counts(file))


def counted_by_hand(record, row):
    """Pick-ups, sets and karma cards of the lone agent in a game of Karma for two, read from positions and words."""
    game, found = record.game, Counter()
    state = game.new(record.games["deal"][row])
    for action in record.games["actions"][row]:
        if state["seat"][0] != row % 2:
            game.apply_action(state, action)
            continue
        before, word = game.position(state), game.action_name(state, action)
        legal = [game.action_name(state, a) for a in game.legal(state)]
        game.apply_action(state, action)
        after = game.position(state)
        found["decisions"] += 1
        grown = len(after["hands"][row % 2]) - len(before["hands"][row % 2])
        took = word == "pickup" or (word == "flip" and before["phase"] == "PLAY" and grown > 0)
        found["pickups"] += took
        found["picked"] += took * (len(before["pile"]) + (word == "flip"))
        cards = any(name.startswith("play") for name in legal)
        found["could"] += before["phase"] == "PLAY" and len(before["pile"]) > 0 and cards
        found["willing"] += word == "pickup" and cards
        gone = sum(after["gone"].values()) - sum(before["gone"].values())
        laid = before["down"][row % 2][0] if word == "flip" else word.removeprefix("play ").removesuffix("x2")
        several = 2 if word.endswith("x2") else 1
        found["cleared"] += several == 2 or gone > (laid == "GIVE")
        if word.startswith(("play", "flip")) and laid in karma.KARMA.names:
            found[laid] += several
    return found


def test_figures_agree_with_a_direct_count(runs):
    made = study(runs)
    for player in made.players:
        (file,) = made.plan.files(player.records, 5)
        record = records.read(file)
        found = totals(made.game, counts(file).head(ROWS))
        whole = [row for row in range(ROWS) if not record.games["truncated"][row]]
        own = sum((counted_by_hand(record, row) for row in whole), Counter())
        assert len(whole) > ROWS // 2
        assert found[karma.PICKUPS].tolist() == [[own["pickups"], len(whole)]]
        assert found[karma.PICKED].tolist() == [[own["picked"], own["pickups"]]]
        assert found[karma.WILLING].sum(axis=0).tolist() == [own["willing"], own["could"]]
        assert found[karma.CLEARED][0, 0] == own["cleared"] > 0
        assert found[karma.KARMA_PLAYED][:, 0].tolist() == [own[name] for name in karma.KARMA.names]
        assert found[DECISIONS][0, 0] == own["decisions"]
        assert found[CUT_OFF].tolist() == [[ROWS - len(whole), ROWS]]


def test_points_of_tarot_are_those_that_decide_its_hands(tmp_path):
    record, found = recorded("tarot", {"target": 60}, (0, 1), tmp_path)
    own, against = found[tarot.POINTS], found[tarot.AGAINST]
    alone = np.arange(6) % 2
    last = records.replay(record)[0]["totals"]
    net = last[np.arange(6), alone].astype(int) - last[np.arange(6), 1 - alone]
    assert own[:, 0].sum() - against[:, 0].sum() == net.sum() > 0
    hands = own[0, 1]
    assert hands > 6
    assert found[tarot.TRICKS_TAKEN][0, 1] == hands
    assert found[tarot.KEPT][:, 1].sum() + found[tarot.TAKEN][:, 1].sum() <= 18 * hands
    assert found[tarot.LAID_AWAY][0, 1] == 3 * found[tarot.VOIDS][0, 1]
    assert found[tarot.AHEAD][:, 1].sum() == 25 * hands


def lacking(hand):
    """Wild cards that a hand of Tantra lacks for two kinds of five."""
    naturals = [card for card in hand if card not in ("JK", "WILD")]
    ranks = Counter(card[:-1] for card in naturals)
    best = max(min(5, ranks[a]) + min(5, ranks[b] - 5 * (a == b)) for a in ranks for b in ranks)
    return max(0, 10 - max(best, 0) - len(hand) + len(naturals))


def tantra_by_hand(record, row):
    """What the lone agent does in a game of Tantra, read from positions and words, and the scores of its rounds."""
    game, seat, found, scores = record.game, row % 3, Counter(), []
    state, thrown, tried = game.new(record.games["deal"][row]), False, False
    for action in record.games["actions"][row]:
        before, word, mine = game.position(state), game.action_name(state, action), state["seat"][0] == seat
        legal = [game.action_name(state, a) for a in game.legal(state)]
        bought = state["buys_used"][0, seat]
        game.apply_action(state, action)
        after, phase, hand = game.position(state), before["phase"], before["hands"][seat]
        ended, down = state["round"][0] > len(scores), before["laid_turn"][seat] >= 0
        found["bought"] += not ended and state["buys_used"][0, seat] > bought
        found["fed"] += thrown and (word in ("take", "refuse") or (word == "allow" and before["requester"] != seat))
        if mine and phase == "ASK":
            needs = lacking([*hand, before["discard"][-1]]) < lacking(hand)
            found["asked", needs] += 1
            found["wants", needs] += word == "buy"
        if mine and phase == "MAIN" and "lay down" in legal:
            found["can"] += 1
            found["waits"] += word != "lay down"
            tried |= word != "lay down" and max(before["laid_turn"]) < 0
        if mine and (word.startswith("lay off") or (phase == "PLACE" and before["build"]["mode"] == "lay off")):
            found["laid off"] += sum(len(s["cards"]) for s in after["sets"])
            found["laid off"] -= sum(len(s["cards"]) for s in before["sets"])
        if word.startswith("discard"):
            thrown = mine and not ended
        if mine and word.startswith("discard") and not down:
            left = list(hand)
            left.remove(word.split()[1])
            found["thrown"] += 1
            found["spoilt"] += lacking(left) > lacking(hand)
        if ended:
            scores.append(int(state["last"]["scores"][0, seat]))
            found["laid"] += down
            found["tried"] += tried
            thrown = tried = False
    return found, scores


def test_figures_of_tantra_agree_with_a_direct_count(tmp_path):
    options = {"players": 3, "display_cards": (34,), "n_rounds": 2}
    record, found = recorded("tantra", options, (0, 1, 1), tmp_path, ("scripted", "scripted"))
    own, scores = Counter(), []
    for row in np.flatnonzero(~record.games["truncated"].to_numpy()):
        counted, made = tantra_by_hand(record, int(row))
        own, scores = own + counted, scores + made
    rounds = len(scores)
    assert found[tantra.SCORED].tolist() == [[sum(scores), rounds]]
    assert found[tantra.WENT_OUT].tolist() == [[scores.count(points), rounds] for points in (50, 100, 300)]
    assert found[tantra.LEFT][0, 0] == -sum(score for score in scores if score <= 0) > 0
    assert found[tantra.BUYS_NEEDED].sum(axis=0).tolist() == [own["wants", True], own["asked", True]]
    assert found[tantra.BUYS_OTHER].sum(axis=0).tolist() == [own["wants", False], own["asked", False]]
    assert found[tantra.BUYS].tolist() == [[own["bought"], rounds]]
    assert found[tantra.FEEDS][:, 0].sum() == own["fed"] > 0
    assert found[tantra.WAITS].sum(axis=0).tolist() == [own["waits"], own["can"]]
    assert found[tantra.TRIED].tolist() == [[own["tried"], rounds]]
    assert found[tantra.LAID].sum(axis=0).tolist() == [own["laid"], rounds]
    assert found[tantra.LAID_OFF][:, 0].sum() == own["laid off"] > 0
    assert found[tantra.SPOILS].tolist() == [[own["spoilt"], own["thrown"]]]


def kanastic_by_hand(record, row):
    """What the lone team does in a game of Kanastic, read from positions and words, and how its rounds end."""
    game, team, found, scores = record.game, row % 2, Counter(), []
    state = game.new(record.games["deal"][row])
    for action in record.games["actions"][row]:
        before, word = game.position(state), game.action_name(state, action)
        legal = [game.action_name(state, a) for a in game.legal(state)]
        mine, out = before["cur"] % 2 == team, len(before["hands"][before["cur"]]) == 1
        game.apply_action(state, action)
        after = game.position(state)
        found["stacks", mine] += word == "TAKE_STACK"
        found["cards", mine] += (word == "TAKE_STACK") * len(before["pile"])
        if mine and word.startswith("DISCARD") and not before["opened"][team]:
            found["could"] += any(name.startswith("NEW") for name in legal)
        if mine:
            found["opens"] += after["opened"][team] > before["opened"][team]
            found["may"] += "TAKE_STACK" in legal
            found["takes"] += word == "TAKE_STACK"
            found["asks"] += word == "ASK"
            found["yes"] += word == "YES"
        if state["round_no"][0] > len(scores):
            table = before["tables"][team]["ranks"].values()
            found["canastas"] += sum(len(cards) >= 7 for cards in table)
            doubled = out and word in ("DISCARD SW", "DISCARD AR")
            scores.append(after["last_round"]["scores"])
            found["doubling"] += doubled * scores[-1][team] / 2
    return found, [own[team] for own in scores]


def test_figures_of_kanastic_agree_with_a_direct_count(tmp_path):
    record, found = recorded("kanastic", {"target_score": 1500}, (0, 1), tmp_path)
    own, scores = Counter(), []
    for row in np.flatnonzero(~record.games["truncated"].to_numpy()):
        counted, made = kanastic_by_hand(record, int(row))
        own, scores = own + counted, scores + made
    rounds, points = len(scores), found[kanastic.POINTS]
    assert points[:, 0].sum() == found[kanastic.SCORED][0, 0] == sum(scores)
    assert points[-1].tolist() == [own["doubling"], rounds]  # so all others account for the score
    assert found[kanastic.CANASTAS][:, 0].sum() == own["canastas"] > 0
    assert found[kanastic.STACKS][:, 0].tolist() == [own["stacks", True], own["stacks", False]]
    assert found[kanastic.STACK_CARDS][:, 0].tolist() == [own["cards", True], own["cards", False]]
    assert found[kanastic.TAKES_STACK].sum(axis=0).tolist() == [own["takes"], own["may"]]
    assert found[kanastic.OPENED].tolist() == [[own["opens"], rounds]]
    assert found[kanastic.OPENS].sum(axis=0).tolist() == [own["opens"], own["opens"] + own["could"]]
    assert found[kanastic.ASKED].tolist() == [[own["asks"], rounds]]
    assert found[kanastic.SAYS_YES].tolist() == [[own["yes"], own["asks"]]]


def test_the_page_names_every_figure_and_its_values(runs):
    made = study(runs)
    text = made.page.read_text(encoding="utf-8")
    for section in sections(made.game):
        assert f"## {section.title}\n" in text
        for figure in section.quantities:
            assert f"- **{figure.name}**: {figure.description}\n" in text
            assert all(f"| {name}" in text.replace("| - ", "| ") for name in (figure.name, *figure.names))
    score = next(line for line in text.splitlines() if line.startswith("| score |"))
    assert "| 0.500 [" in score


def test_the_same_records_give_the_same_bytes(runs, empty_pictures, monkeypatch):
    made = study(runs)
    before = {file.name: file.read_bytes() for file in made.page.parent.glob("karma*")}
    assert len(before) == 1 + len(sections(made.game))
    with monkeypatch.context() as patch:
        patch.setattr(shards, "play", None)  # nothing is missing, so nothing is played
        assert main([*WORDS, "--runs", str(runs)]) == 0
    (record,) = made.plan.files("scripted", 5)
    games = record.read_bytes()
    record.write_bytes(games[:100])  # a damaged one is played again
    assert main([*WORDS, "--runs", str(runs)]) == 0
    assert record.read_bytes() == games
    assert {file.name: file.read_bytes() for file in made.page.parent.glob("karma*")} == before


def test_a_picture_has_a_panel_for_each_figure(runs):
    made = study(runs)
    section = sections(made.game)[1]
    counted = {player.name: counts(*made.plan.files(player.records, 5)) for player in made.players}
    own = [answer for answer in answers(made, counted) if answer.quantity in section.quantities]
    drawn = plots.picture(own, ["scripted", "uniform"])
    titles = [axes.get_title().replace("\n", " ").lower() for axes in drawn.axes]
    assert titles == [figure.name for figure in section.quantities]


def test_ranges_are_told_apart():
    scale = Scale("cards", (1, 2, 4))
    assert scale.names == ("1", "2-3", "4+")
    assert scale.part(np.array([0, 1, 2, 3, 4, 99])).tolist() == [0, 0, 1, 1, 2, 2]
    assert Scale("tenth", (1, 6), end=11).names == ("1-5", "6-10")


@pytest.mark.parametrize("config", CONFIGS, ids=lambda file: file.stem)
def test_configs_are_understood(config):
    args = cli.read(Args, PROGRAM, ["--config", str(config)])
    game = tantra_envs.game(args.game, **({} if args.players is None else {"players": args.players}))
    names = [quantity.name for quantity in quantities(game)]
    assert len(set(names)) == len(names)
    assert args.page == Path("docs/behaviour") / f"{config.stem}.md"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["karma", "--agents", "scripted,scripted"], "agents=['scripted', 'scripted'] is not allowed"),
        (["karma", "--agents", "uniform", "--among", "uniform,scripted"], "among='uniform,scripted' is not allowed"),
        (["karma", "--agents", "nobody"], "unknown agent 'nobody'"),
        (["karma", "--deals", "0"], "deals=0 is not allowed"),
        (["karma:solo"], "solo"),
        (["tantrix:race"], "mode='gobble' cannot be studied; allowed: 'strategy'"),
        ([*WORDS, "--seed", "1"], "holds other games, seed=0 instead of 1; choose another --name"),
    ],
)
def test_mistakes_are_told_in_one_line(runs, words, told, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*words, "--runs", str(runs)])
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
