"""Variants are what the words say, and every variant has the line-ups it needs."""

import pytest

from benchmarks.__main__ import main
from benchmarks.study import experiment, matchups
from benchmarks.study.answers import Answers
from benchmarks.study.matchups import BASE, Args, every_option, variants
from tantra_envs import game
from tantra_envs.games import SHIPPED
from tantra_envs.programs import cli, workers
from tantra_envs.programs import results as files


def prepared(folder, *words):
    return experiment.prepare(cli.read(Args, "benchmarks study", [*words, "--runs", str(folder)]))


def test_values_are_read_as_the_fields_want_them():
    made = variants(["start_scores=[],[0, 1500]", "ask_partner=false", "suit_rule=any"])
    assert list(made) == [f"start_scores={scores}, ask_partner=false, suit_rule=any" for scores in ("[]", "[0, 1500]")]
    options = dict(made["start_scores=[0, 1500], ask_partner=false, suit_rule=any"])
    assert options == {"start_scores": (0, 1500), "ask_partner": False, "suit_rule": "any"}
    assert game("kanastic", **options).config["start_scores"] == (0, 1500)
    assert list(variants([])) == [BASE]


def test_one_at_a_time_every_other_value_is_a_variant_of_its_own():
    made = variants(["copies=2,3", "players=2,3,4", "karma_sets=true"], one_at_a_time=True)
    assert list(made) == [BASE, "copies=3", "players=3", "players=4"]
    assert dict(made[BASE]) == {"copies": 2, "players": 2, "karma_sets": True}
    assert dict(made["players=4"]) == {"copies": 2, "players": 4, "karma_sets": True}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_map_varies_every_option_of_a_game_or_says_why_not(name):
    own = game(name)
    words, left_out = every_option(own, ["players"])
    names = [word.partition("=")[0] for word in words]
    assert sorted([*names, *left_out, "players"]) == sorted(own.options.fields)
    base, *others = variants(words, one_at_a_time=True).values()
    assert game(name, **dict(base)).config == own.config and len(others) >= len(names)
    for options in others:
        ((option, value),) = dict(options).items() - dict(base).items()
        assert own.options.fields[option].check(name, value) != own.config[option]


def test_numbers_of_a_map_change_by_a_step_or_by_the_factor_two():
    words, left_out = every_option(game("kanastic"))
    assert {"shields=4,3,5", "target_score=10000,5000,20000", "ask_partner=true,false", "dealt=14,7"} <= set(words)
    assert left_out["go_out_bonus"] and left_out["start_scores"] and left_out["reward_scale"]


def test_a_map_leaves_out_changes_that_the_table_does_not_allow(tmp_path):
    words = ["karma", "--players", "2", "--one-at-a-time", "--all", "--agents", "greedy", "scripted", "--deals", "2"]
    own = prepared(tmp_path, *words)
    assert own.base == BASE and {"copies=3", "karma_sets=false", "hand_size=2", "hand_size=4"} <= set(own.games)
    assert own.left_out["deck_cards"] == "it is no rule: variant" and "max_moves" in own.left_out
    assert not any(name.partition("=")[0] in matchups.KINDS for name in own.games)
    four = prepared(tmp_path / "four", "tantra", "--one-at-a-time", "--all", "--agents", "greedy", "--deals", "2")
    assert "54 cards" in four.left_out["n_packs=1"] and "n_packs=1" not in four.games
    assert not any(variant.startswith("players") for variant in [*own.games, *own.left_out])
    assert {table.lineup for table in own.matchups} == {("scripted", ""), ("scripted", "greedy")}
    assert own.sections == ("options",)


@pytest.mark.whole
def test_a_map_is_one_table_and_goes_on_where_it_stopped(tmp_path):
    words = ["study", "karma", "--players", "2", "--one-at-a-time", "--all", "--agents", "uniform", "--deals", "2"]
    assert main([*words, "--runs", str(tmp_path), "--name", "mine"]) == 0
    first, page = ((tmp_path / "mine" / name).read_text(encoding="utf-8") for name in ("results.csv", "karma.html"))
    assert page.count('<th scope="row">') == len(Answers(files.read(tmp_path / "mine/results.csv")).variants) > 15
    assert "were not changed" in page and "max_moves" in page
    next((tmp_path / "mine/records").glob("options-3_*")).unlink()
    assert main([*words, "--runs", str(tmp_path), "--name", "mine"]) == 0
    assert (tmp_path / "mine/results.csv").read_text(encoding="utf-8") == first


def test_one_at_a_time_only_the_strongest_agent_plays_the_variants(tmp_path):
    words = ["karma", "--vary", "copies=2,3", "--one-at-a-time", "--varied", "uniform@4", "scripted@3"]
    own = prepared(tmp_path, *words, "--sections", "seats", "options")
    assert {table.variant for table in own.of(matchups.TALLY)} == {BASE}
    assert [(t.variant, t.lineup) for t in own.of(matchups.OPTIONS)] == [
        (variant, ("scripted", others)) for variant in (BASE, "copies=3") for others in ("", "uniform")
    ]
    assert {row.deals for row in own.plan.rows if row.name.startswith("options-")} == {3}


def test_a_variant_that_no_section_plays_is_refused_before_the_first_game(tmp_path):
    """Such a study played the base alone, and said that nothing changes clearly. Alone, refill=4 changes the length."""
    vary = ["--vary", "refill=3,4", "hand_size=3,4", "--one-at-a-time"]
    with pytest.raises(ValueError, match=r"sections='length' is not allowed: no game .* with refill=4; allowed"):
        prepared(tmp_path, "karma", *vary, "--sections", "length")
    assert not list(tmp_path.iterdir())
    own = prepared(tmp_path, "karma", *vary, "--sections", "length", "options")
    assert {matchup.variant for matchup in own.matchups} == set(own.games)


@pytest.mark.parametrize(("vary", "equal"), [("give_to_out=true,false", 16), ("copies=2,3", 0)])
def test_games_that_a_change_leaves_alone_are_counted(vary, equal, tmp_path):
    """With two players nobody is out while the other still plays, so the pile is never given to a player who is out."""
    words = ["karma", "--vary", vary, "--agents", "uniform", "greedy", "--deals", "4", "--shard", "2"]
    own = prepared(tmp_path, *words, "--sections", "length")
    with workers.executor(1) as run:
        same = experiment.play(own, run).same
    assert same == {vary.replace("true,", "").replace("2,", ""): (equal, 16)}
