"""The plain sentences: every phase has a question, actions differ in words, and nothing hidden changes a byte."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tantra_envs
from tantra_envs import english, sentences
from tests.contract.games import contract, words

MODES = [{"mode": mode} for mode in ("solitaire", "discovery", "rainbow", "daily")]
CASES = [(name, config) for name in tantra_envs.GAMES for config in contract(name).TABLES]
CASES += [("tantrix", config) for config in MODES]
CASES += [
    ("tantra", {"players": 3, "buy_order": "turn_player_first"}),
    ("tantra", {"players": 3, "auto_forced": False}),
]
LONGEST, KEPT = 700, 3  # actions of a game, tables of a phase
SENTENCE = re.compile(r"[A-Z0-9][^{}_|#]*[.?]")  # a sentence, without codes
PHRASE = re.compile(r"[a-z]+( [^{}_|#]+)?")


def moments(game, seed=1):
    """Yield a few tables of each phase of a random game: the table before, the action, the table after."""
    state, rng, seen = game.new(seed), np.random.default_rng(seed), dict[int, int]()
    while not state["over"][0] and state["plies"][0] < LONGEST:
        phase, before = int(state["phase"][0]), state.copy()
        seen[phase] = seen.get(phase, 0) + 1
        action = int(rng.choice(game.legal(state)))
        game.apply_action(state, action)
        if seen[phase] <= KEPT or rng.random() < 0.02 or state["over"][0]:
            yield before, action, state.copy()


@pytest.mark.parametrize(("name", "config"), CASES, ids=words)
def test_every_table_has_a_question_and_actions_in_words(name, config):
    game = tantra_envs.game(name, **config)
    for before, action, after in moments(game):
        decider = int(before["seat"][0])
        for seat in (None, *range(game.players)):
            asked = sentences.prompt(game, before, seat)
            assert SENTENCE.fullmatch(asked.replace("(≤5)", "")), asked
            assert "no left" not in asked
            line = sentences.log_line(game, before, action, after, seat)
            assert line.startswith("You " if seat == decider else f"Seat {decider} "), line
        said = [sentences.action_words(game, before, one, decider) for one in game.legal(before)]
        assert len(set(said)) == len(said), said
        assert all(PHRASE.fullmatch(phrase) for phrase in said), said
    assert sentences.prompt(game, after, 0) == sentences.OVER or not after["over"][0]


@pytest.mark.parametrize(("name", "config"), CASES, ids=words)
def test_hidden_cards_change_no_sentence(name, config):
    game = tantra_envs.game(name, **config)
    for before, action, after in moments(game, 2):
        for seat in range(min(game.players, 4)):
            other, later = game.redeal(before, 7, seat), game.redeal(after, 8, seat)
            assert sentences.prompt(game, other, seat) == sentences.prompt(game, before, seat)
            line = sentences.log_line(game, before, action, after, seat)
            if seat != before["seat"][0]:
                assert sentences.log_line(game, other, action, later, seat) == line
            if seat == before["seat"][0]:
                said = [sentences.action_words(game, table, action, seat) for table in (before, other)]
                assert said[0] == said[1]


@pytest.mark.parametrize("name", tantra_envs.GAMES)
def test_every_phase_is_asked_about_and_explained(name):
    games = [tantra_envs.game(game, **config) for game, config in CASES if game == name]
    wanted = {phase for game in games for phase in game.phases} - {"OVER"}
    for seed, game in [(3, game) for game in games] + [(seed, games[0]) for seed in range(4, 40)]:
        if wanted:
            phases = {game.phases[before["phase"][0]] for before, *_ in moments(game, seed)}
            assert phases <= set(sentences.glossary(game)), game.config
            wanted -= phases
    assert not wanted


@pytest.mark.parametrize(("name", "config"), CASES, ids=words)
def test_a_glossary_has_whole_sentences(name, config):
    entries = sentences.glossary(tantra_envs.game(name, **config))
    assert len(entries) > 3
    assert all(re.fullmatch(r"[A-Z0-9].+\.", meaning) for meaning in entries.values()), entries
    assert not [key for key in entries if "=" in key]


def at(name, config, position):
    game = tantra_envs.game(name, **config)
    return game, game.from_position(position)


def played(game, state, words_of_action):
    """Play an action; return the lines of the seat that acted and of the next seat."""
    before, seat = state.copy(), int(state["seat"][0])
    action = game.parse_action(state, words_of_action)
    game.apply_action(state, action)
    names = ["Ann", "Bob", "Cy"][: game.players]
    return [
        sentences.log_line(game, before, action, state, j, ["You" if i == j else x for i, x in enumerate(names)])
        for j in (seat, (seat + 1) % game.players)
    ]


def test_karma_tells_of_cleared_and_taken_piles():
    hands = [["7", "9", "GIVE"], ["8", "9", "10"], ["2", "3", "4"]]
    game, state = at("karma", {"players": 3}, {"hands": hands, "pile": ["3", "7"], "draw": []})
    assert sentences.prompt(game, state, 0) == "Play 7 or higher, or a karma card, or take the pile of two cards."
    assert sentences.prompt(game, state, 1) == "Seat 0 is playing a card."
    assert played(game, state.copy(), "play 7") == [
        "You play the 7; the pile of three cards leaves the game; You play again",
        "Ann plays the 7; the pile of three cards leaves the game; Ann plays again",
    ]
    give = state.copy()
    assert played(game, give, "play GIVE")[1] == "Ann plays Give The Pile To A Friend (G)"
    assert sentences.prompt(game, give, 0) == "Who takes the pile of two cards?"
    assert played(game, give, "give 1")[1] == "Ann gives the pile of two cards to you; You pick up two cards"


def test_karma_asks_for_three_cards():
    game = tantra_envs.game("karma", players=3)
    state = game.new(1)
    seat = int(state["seat"][0])
    assert sentences.prompt(game, state, seat) == "Choose three cards to lay face up."
    game.apply_action(state, game.legal(state)[0])
    assert sentences.prompt(game, state, seat) == "Choose three cards to lay face up: two left."


def test_tarot_tells_who_takes_a_trick():
    game = tantra_envs.game("tarot", players=2)
    hands = [["CK", "S2"], ["T5", "S3"]]
    state = game.from_position({"hands": hands, "leader": 0, "dealer": 1})
    assert played(game, state, "CK")[1] == "Ann leads the King of Cups"
    assert sentences.prompt(game, state, 1) == "You have no Cups: play any card."
    assert played(game, state, "T5")[1] == "Bob plays The Pontiff (V); wins the trick: 10 points"


def test_tantra_asks_about_the_discard():
    game = tantra_envs.game("tantra", players=3)
    state = game.new(3, display=1)
    seat = int(state["seat"][0])
    asked = sentences.prompt(game, state, seat)
    assert re.fullmatch(r"(The|A) .+ was turned up\. Buy it for one extra card\? You may buy three times more\.", asked)
    while game.phases[state["phase"][0]] != "MAIN":
        legal = {game.action_name(state, action): action for action in game.legal(state)}
        game.apply_action(state, legal.get("pass", legal.get("draw")))
    seat = int(state["seat"][0])
    game.apply_action(state, game.legal(state)[-1])
    assert f"Seat {seat} discarded" in sentences.prompt(game, state, int(state["seat"][0]))


def test_a_game_without_sentences_is_named_by_its_actions(monkeypatch):
    game = tantra_envs.game("karma", players=3, auto_setup=True)
    monkeypatch.setattr(sentences, "module", lambda game: None)
    before, state = game.new(1), game.new(1)
    seat, action = int(state["seat"][0]), game.legal(state)[0]
    game.apply_action(state, action)
    assert sentences.prompt(game, before, seat) == "You are to decide, in phase PLAY."
    assert sentences.prompt(game, before, None) == f"Seat {seat} is to decide, in phase PLAY."
    assert sentences.action_words(game, before, action, seat) == game.action_name(before, action)
    assert sentences.log_line(game, before, action, state, seat) == f"You: {game.action_name(before, action)}"
    assert sentences.log_line(game, before, action, state, 1 - min(seat, 1)).endswith("decides in secret")
    assert sentences.glossary(game) == {} and sentences.effect(game, before, action, state) == ""


@pytest.mark.parametrize(
    ("phrase", "third"),
    [("play two 7s", "plays two 7s"), ("pass", "passes"), ("do not buy", "does not buy"), ("be out", "is out"),
     ("have nine", "has nine"), ("try it", "tries it"), ("lay it", "lays it"), ("must give one", "must give one")],
)  # fmt: skip
def test_verbs_agree_with_their_subject(phrase, third):
    assert english.third_person(phrase) == third
    assert english.clause(["Ann", "You"], 0, phrase) == f"Ann {third}"


def test_lists_and_numbers():
    assert english.listed(["a", "b", "c"], "or") == "a, b or c" and english.listed(["a"]) == "a"
    assert english.counted(1, "card") == "one card" and english.counted(13, "card") == "13 cards"
    assert english.clause(["You"], 0, "be out") == "You are out"
