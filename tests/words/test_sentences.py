"""The plain sentences: every phase has a question, actions differ in words, and all is as the file has it."""

import re

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games import SHIPPED
from tantra_envs.words import english, sentences
from tests.contract.games import contract, words

from . import golden

MODES = [{"mode": mode} for mode in ("solitaire", "discovery", "rainbow", "daily")]
CASES = [(name, config) for name in SHIPPED for config in contract(name).TABLES]
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


@pytest.mark.parametrize("name", SHIPPED)
def test_every_phase_is_asked_about_and_explained(name):
    games = [tantra_envs.game(game, **config) for game, config in CASES if game == name]
    wanted = {phase for game in games for phase in game.phases} - {"OVER"}
    for seed, game in [(3, game) for game in games] + [(seed, games[0]) for seed in range(4, 40)]:
        if wanted:
            phases = {game.phases[before["phase"][0]] for before, *_ in moments(game, seed)}
            waits, terms = sentences.module(game).WAITS, set(sentences.glossary(game))
            assert not {phase for phase in phases if not {phase, waits[phase]} & terms}, game.config
            wanted -= phases
    assert not wanted


def test_sentences_are_those_of_the_file():
    different = golden.difference()
    assert not different, "\n".join([*different, "write them again: python -m tests.words.golden"])


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
