"""Tables as text: prompts contain what the seat may know, and unreadable replies do not end the game."""

import pytest

import tantra_envs
from tantra_envs.adapters.text import TextTable, prompt, rules
from tantra_envs.games import SHIPPED


def first(turn):
    legal = turn.prompt.split("You may:\n")[1].splitlines()
    return legal[0].removeprefix("- ")


@pytest.mark.parametrize("choose", [min, max], ids=["first", "longest"])
@pytest.mark.parametrize("name", SHIPPED)
def test_a_player_who_reads_only_the_prompt_finishes_every_game(name, choose):
    """The player answers with the first action of the list, or with the one that has the most words and letters."""
    table = TextTable(tantra_envs.game(name), 0, "scripted", retries=0)
    turn, asked = table.reset(1), 0
    while not turn.done:
        listed = turn.prompt.split("You may:\n")[1].split("\n\n")[0].splitlines()
        key = listed.index if choose is min else lambda line: (len(line.split()), len(line))
        turn, asked = table.step(choose(listed, key=key)), asked + 1
        assert not turn.error and not turn.drawn
    assert asked > 5 and "The game" in turn.prompt


def test_a_prompt_says_all_there_is_to_say():
    game = tantra_envs.game("karma", copies=3)
    table = {"hands": [["9", "10", "GIVE"], ["2", "3"]], "up": [[], ["8"]], "pile": ["5", "9"], "draw": ["1"]}
    asked = prompt(game, game.from_position(table), 0, ["seat 1: play 9"])
    for part in ("Karma is a card game", "Played here with copies=3.", "You are seat 0 of 2.", "seat 1: play 9",
                 "pile (2, run 1): 5 9", "- play GIVE", "- pickup"):  # fmt: skip
        assert part in asked
    assert game.rules_text in asked
    assert "Played here with" not in rules(tantra_envs.game("tarot"))


def test_nonsense_costs_a_retry_and_not_the_game():
    table = TextTable(tantra_envs.game("karma"), 0, "uniform", retries=1)
    turn = table.reset(1)
    wrong = table.step("hm")
    assert wrong.error and "Tries left: 1" in wrong.prompt and wrong.prompt.endswith(turn.prompt) and not wrong.done
    again = table.step("hm")
    assert again.drawn and not again.error
    assert table.step("hm").error, "the next decision has its own retries"
    right = table.step(first(again))
    assert not right.error and not right.drawn


@pytest.mark.parametrize(("settings", "told"), [({"seat": ()}, "seat="), ({"opponents": "nobody"}, "nobody")])
def test_settings_that_cannot_be_are_refused(settings, told):
    with pytest.raises(ValueError, match=told):
        TextTable(tantra_envs.game("karma"), **settings)
