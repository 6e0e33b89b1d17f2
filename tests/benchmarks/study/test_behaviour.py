"""What agents do by kind of action agrees with a direct count, and needs nothing of a game but its rules."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import tantra_envs
from benchmarks.__main__ import main
from benchmarks.harness import kinds, plans, records
from benchmarks.harness.figures import figures as computed
from benchmarks.harness.plans import MatchSpec, Shard
from benchmarks.study import behaviour
from tantra_envs.programs.results import read


def recorded(folder, game, options, agents, deals):
    """Some deals with the first agent alone among copies of the second."""
    match = MatchSpec(game, tuple(options.items()), agents, (0, *(1,) * (options["players"] - 1)), 0)
    file = folder / "games.parquet"
    records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 0, deals)))
    return records.read(file)


def of_karma(word, position):
    """The block of an action of Karma, from its words."""
    first = word.split()[0]
    return {"play": "two" if word.endswith("x2") else "one", "place": "one"}.get(first, first)


def of_tarot(word, position):
    """The kind of an action of Tarot, from its words and the trick on the table."""
    if word in ("YES", "NO"):
        return word.lower()
    led = next((card[0] for card in position["trick"] if card != "T0"), "")
    is_trump = word.startswith("T") and word != "T0"
    marks = {
        "leads": position["phase"] == "PLAY" and not led,
        "follows": led and word[0] == led and word != "T0",
        "ruffs": led and led != "T" and is_trump,
        "is_trump": is_trump,
    }
    return ", ".join(["card", *(name for name, on in marks.items() if on)])


def counted_by_hand(record, row, kind_of):
    """How often the lone agent does what in a game, could have done it, and decides."""
    game, found = record.game, Counter()
    state, seat = game.new(record.games["deal"][row]), row % record.game.players
    for action in record.games["actions"][row]:
        if state["seat"][0] == seat:
            position, words = game.position(state), [game.action_name(state, own) for own in game.legal(state)]
            possible = {f"{position['phase']}: {kind_of(word, position)}" for word in words}
            played = f"{position['phase']}: {kind_of(game.action_name(state, action), position)}"
            found["decisions"] += 1
            found["done", played] += 1
            if len(possible) > 1:
                found["chosen", played] += 1
                found.update(("possible", name) for name in possible)
        game.apply_action(state, action)
    return found


@pytest.mark.parametrize(("name", "options", "kind_of", "deals"), [
    ("karma", {"players": 2}, of_karma, 4),
    ("tarot", {"players": 3, "episode": "hand"}, of_tarot, 2),
])  # fmt: skip
def test_figures_agree_with_a_direct_count(tmp_path, name, options, kind_of, deals):
    record = recorded(tmp_path, name, options, ("uniform", "scripted"), deals)
    games = behaviour.counts(record.file)
    whole = [row for row in range(len(games)) if not record.truncated[row]]
    own = sum((counted_by_hand(record, row, kind_of) for row in whole), Counter())
    rows = computed(games, behaviour.figures(record.game, games)).rows_by_key(
        ["measure", "part"], named=True, unique=True
    )
    values = {key: row["value"] for key, row in rows.items()}
    names = {key[1] for key in own if key != "decisions"}
    assert {part for _, part in values} == {"", *names} and len(names) > 5
    for part in names:
        assert values["times in a game", part] == pytest.approx(own["done", part] / len(whole))
        if possible := own["possible", part]:
            assert values["chosen when possible", part] == pytest.approx(own["chosen", part] / possible)
        else:
            assert np.isnan(values["chosen when possible", part])
    assert values["decisions in a game", ""] == pytest.approx(own["decisions"] / len(whole))
    assert values["truncated games", ""] == pytest.approx(1 - len(whole) / len(games))


def test_truncated_games_count_in_the_score_alone(tmp_path):
    record = recorded(tmp_path, "karma", {"players": 2, "max_moves": 60}, ("scripted", "scripted"), 8)
    games, cut = behaviour.counts(record.file), pl.Series(record.truncated)
    assert 0 < cut.sum() < len(games)
    counted = [name for name in games.columns if name.startswith(("done", "chosen", "possible"))]
    assert games.filter(cut).select(pl.col(counted).sum()).transpose()["column_0"].sum() == 0
    assert games["plies"].is_null().to_list() == games["decisions"].is_null().to_list() == cut.to_list()
    assert games["score"].is_null().sum() == 0


def test_kinds_have_the_names_of_blocks_and_of_features_that_tell_their_actions_apart():
    karma, tarot = tantra_envs.game("karma"), tantra_envs.game("tarot")
    assert kinds.names(karma) == [block.name for block in karma.actions]
    assert {"yes", "card, leads", "card, ruffs, is_trump"} <= set(kinds.names(tarot))
    states = np.concatenate([tarot.new(seed) for seed in range(3)])
    legal = kinds.legal(tarot, states)
    assert legal.actions.tolist() == [action for i in range(3) for action in tarot.legal(states[i : i + 1])]
    first = np.array([tarot.legal(states[i : i + 1])[0] for i in range(3)])
    assert kinds.of_actions(tarot, states, first) == [
        kinds.names(tarot)[legal.kinds[legal.rows == i][0]] for i in range(3)
    ]


@pytest.mark.usefixtures("small_games")
def test_a_game_without_measures_is_studied_too(tmp_path, capsys):
    words = ["study", "nim", "--agents", "uniform", "scripted", "--deals", "8", "--shard", "8", "--runs", str(tmp_path)]
    assert main([*words, "--sections", "behaviour", "--name", "mine"]) == 0
    rows = read(tmp_path / "mine/results.csv").filter(measure="times in a game")
    assert set(rows["agent"]) == {"uniform", "scripted"} and (rows["value"] > 0).all()
    assert "How do agents play?" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([*words, "--sections", "worth", "--name", "other"])
    assert "nim has no measures; add the package tantra_envs/games/nim/measures" in capsys.readouterr().err
