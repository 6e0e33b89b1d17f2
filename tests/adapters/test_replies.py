"""Replies of language models: the last line decides alone, and nothing is played that it does not name."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.adapters.replies import UnreadableError, read_reply
from tantra_envs.games import SHIPPED
from tantra_envs.testing import play
from tests.contract.games import contract

NINE = {"hands": [["9", "10", "GIVE"], ["2", "3"]], "up": [[], ["8"]], "pile": ["5", "9"], "draw": ["1"]}
EIGHT = {"hands": [["3", "8", "12"], ["4", "5"]], "pile": "7"}
TWELVES = {"hands": [["1", "12", "12", "FIVE"], ["4", "5"]], "pile": "1"}


def read(table, reply):
    game = tantra_envs.game("karma")
    state = game.from_position(table)
    return game.action_name(state, read_reply(game, state, reply))


@pytest.mark.parametrize("reply", [
    "play 9", "PLAY  9.", "- play 9", "1. play 9", "**play 9**", "`play 9`", "My action: play 9", "Action - play 9",
    "I could pickup, but no.\nplay 9", "[play 9]", "<action>play 9</action>", "I will play 9!", "\"Play 9\"\n\n",
    "play 10 would be legal too.\nFinal answer: play 9", "I think\n[play 9] is best, since I keep GIVE",
    "So I choose to play 9 now", "**Action:** play 9", "→ play 9", "```\nplay 9\n```", "I could pickup. I will play 9.",
    "<think>pickup? play 10?</think>\nplay 9", "the tag opened in the prompt, play 10</think>play 9",
    "[THINK]play 10[/THINK]**play 9**", "<think>a <think>b</think> play 10</think> play 9",
    '{"action": "play 9"}', '```json\n{\n  "reasoning": "play 10 is {high}",\n  "action": "play 9"\n}\n```',
    "play 10?\n<answer>\nplay 9\n</answer>", "play 9\nReason: it is the lowest card. I keep GIVE.",
    "play 9, because it is low", "I'll play 9. Because it is low.", "play 10\vplay 9",
    "play 9\n<think>or play 10", "<action>play 10\n<action>play 9",
])  # fmt: skip
def test_a_reply_is_read_with_the_usual_words_around_its_action(reply):
    assert read(NINE, reply) == "play 9"


@pytest.mark.parametrize(("table", "reply", "problem"), [
    (EIGHT, "<think>maybe play 8</think>\n<action>play 3</action>", "'play 3' is not legal"),
    (EIGHT, "I thought about **play 12** first.\n**play 3**", "'play 3' is not legal"),
    (EIGHT, "We do not want to pickup.\nplay 15", "'play 15' is not legal"),
    (EIGHT, 'play 8 is bad because it is low.\n{"action": "play 3"}', "'play 3' is not legal"),
    (EIGHT, "I think of play 8.\nplay 99", "No action was found"),
    (EIGHT, "play 8\n<action>hm</action>", "No action was found"),
    (EIGHT, "play 8\nNo, wait, I take the pile.", "No action was found"),
    (EIGHT, "play 8\nReason: no, I would rather play 12", "more than an action"),
    (EIGHT, "<think>long, long thoughts, play 8", "No action was found"),
    (EIGHT, "We do not want to pickup.", "more than an action"),
    (EIGHT, "play 8 is bad because it is low.", "more than an action"),
    (EIGHT, "play 8\nThis avoids a pickup.", "more than an action"),
    (EIGHT, "**play 8** is better than `pickup`", "Several actions are named: play 8, pickup"),
    (EIGHT, "Should I play 8?", "more than an action"),
    (TWELVES, "play 1, play 12", "Several actions are named: play 12, play 1"),
    (TWELVES, "play 1 and play 12", "Several actions are named"),
    (TWELVES, "[play 1] [play 12]", "Several actions are named"),
    (TWELVES, "play 12 twice", "more than an action"),
    (TWELVES, "play 12 (x2)", "more than an action"),
    (TWELVES, "**play 12** (x2)", "more than an action"),
    (TWELVES, "play 12 and 12", "more than an action"),
    (TWELVES, "play 12, because I have two", "more than an action"),
    (TWELVES, "<action>play 12</action> twice", "No action was found"),
    (TWELVES, "play 12\n(twice)", "No action was found"),
    (TWELVES, '{"action": "play 12", "count": 2}', "more than an action"),
    (TWELVES, '{"action": "play 12", "move": "play 1"}', "Several actions are named"),
    (TWELVES, "play 12x3", "not legal|No action"),
    (NINE, "", "No action was found"),
    (NINE, "as you like it", "No action was found"),
    (NINE, "\n \n", "No action was found"),
    (NINE, "play 2", "'play 2' is not legal now"),
    (NINE, "play 9 or play 10", "Several actions are named"),
    (NINE, "play" * 5000, "No action was found"),
    (NINE, '{"a":' * 5000 + "}" * 5000, "No action was found"),
    (NINE, "<think>" * 5000, "No action was found"),
    (NINE, "\x00\ud7ff[[]]", "No action was found"),
])  # fmt: skip
def test_only_what_the_end_names_is_played_and_the_rest_is_explained(table, reply, problem):
    game = tantra_envs.game("karma")
    state = game.from_position(table)
    before = state.tobytes()
    with pytest.raises(UnreadableError, match=problem) as refused:
        read_reply(game, state, reply)
    assert all(game.action_name(state, action) in str(refused.value) for action in game.legal(state))
    assert len(str(refused.value)) < 500 and state.tobytes() == before


@pytest.mark.parametrize(
    "reply", ["play 12x2", "play 12\xd72", "play 12 x 2", "play 12*2", "Play 12 X2.", "**play 12 \xd7 2**"]
)
def test_the_number_of_cards_is_read_in_every_spelling(reply):
    assert read(TWELVES, reply) == "play 12x2"


def test_a_name_within_another_one_is_named_too():
    game = tantra_envs.game("tarot")
    states = (state for seed in range(20) for state in play(game, seed))
    state = next(state for state in states if {"WKn", "WK"} <= {game.action_name(state, a) for a in game.legal(state)})
    with pytest.raises(UnreadableError, match="Several actions are named: wkn, wk"):
        read_reply(game, state, "WKn or WK")
    for name in ("WKn", "WK"):
        assert game.action_name(state, read_reply(game, state, f"I play {name}.")) == name


def wordings(name):
    """Return replies that name an action, and replies that only mention it."""
    played = [f"- {name}", f"Action: **{name}**", f"<think>no idea</think>\n<action>{name}</action>", f"I will {name}."]
    played.append(f'{{"reason": "hm", "action": "{name}"}}')
    return played, [f"{name}\nI am not sure.", f"not {name}", f"<think>{name}</think>\nhm", f"{name} twice"]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_action_of_the_list_is_understood_and_none_is_played_that_is_only_mentioned(name):
    game = tantra_envs.game(name, **contract(name).BASE)
    rng = np.random.default_rng(1)
    for seed in range(2):
        state = game.new(seed)
        for _ in range(40):
            if state["over"][0]:
                break
            legal = game.legal(state)
            for action in legal[:: len(legal) // 6 + 1]:
                played, mentioned = wordings(game.action_name(state, action))
                assert [read_reply(game, state, reply) for reply in played] == [action] * len(played)
                for reply in mentioned:
                    with pytest.raises(UnreadableError):
                        read_reply(game, state, reply)
            game.apply_action(state, int(rng.choice(legal)))
