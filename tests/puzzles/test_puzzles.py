"""Puzzles of all kinds: seeds, prompts, checks of replies, and what is hidden."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tantra_envs import puzzles
from tantra_envs.adapters.text import CANARY, legal_names
from tantra_envs.core.admission import check_consistent
from tantra_envs.core.posed import Kind
from tantra_envs.puzzles import Puzzle
from tantra_envs.puzzles import puzzle as making

KINDS = list(puzzles.kinds())
GOLDEN = Path(__file__).with_name("golden.json")
SEEDS = (0, 1, puzzles.SPLITS["test"][0])
NOTHING_HIDDEN = ("karma/win", "tantrix/loop")  # in these nothing is hidden but the random stream


def facts(kind: str, seed: int) -> dict[str, str]:
    """What must stay the same: the solution, and a digest of the text."""
    puzzle = puzzles.make(kind, seed)
    return {"solution": puzzle.solution, "text": hashlib.sha256(puzzle.text.encode()).hexdigest()[:16]}


def test_a_game_has_two_kinds_or_none():
    counts = {game: len(puzzles.kinds(game)) for game in ("tantrix", "karma", "tarot")}
    assert set(counts.values()) == {2} and sum(counts.values()) == len(KINDS)
    with pytest.raises(
        ValueError, match="game='tantra' is not allowed: it has no puzzles; allowed: tantrix, karma, tarot"
    ):
        puzzles.kinds("tantra")


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_makes_the_same_puzzle_as_ever(kind):
    """`python -m tests.puzzles.golden` writes the file; a change of it changes benchmarks."""
    assert {str(seed): facts(kind, seed) for seed in SEEDS} == json.loads(GOLDEN.read_text(encoding="utf-8"))[kind]


@pytest.mark.parametrize("kind", ["karma/sure", "tarot/win", "tantrix/line"])
def test_a_puzzle_does_not_depend_on_those_before_it(kind):
    before = facts(kind, 5)
    making._made.cache_clear()
    puzzles.make(kind, 6)
    puzzles.make(kind, 4)
    assert facts(kind, 5) == before != facts(kind, 6)


def guessed(puzzle, rng):
    """Return the credit of random actions, until nothing of the answer is left to be done."""
    game, state, names = puzzle.posed.game, puzzle.posed.state.copy(), []
    while not names or not (puzzle.posed.is_complete(state) or int(state["seat"][0]) != puzzle.seat):
        names.append(rng.choice(legal_names(game, state)))
        game.apply_action(state, game.parse_action(state, names[-1]))
    return puzzle.check("; ".join(names))


@pytest.mark.parametrize("kind", KINDS)
def test_a_random_answer_does_not_solve(kind):
    """Random answers have less than 0.2 on average, so that a model that guesses stays far below 1."""
    floor, rng = [], np.random.default_rng(0)
    for seed in range(8):
        puzzle = puzzles.make(kind, seed)
        assert puzzle.check("") == puzzle.check("I give up") == 0.0
        if puzzle.several:
            floor += [guessed(puzzle, rng) for _ in range(4)]
        else:
            names = puzzle.text.partition("You may:\n- ")[2].partition("\n\n")[0].split("\n- ")
            credits = [puzzle.check(name) for name in names]
            assert credits.count(1.0) == 1
            floor.append(float(np.mean(credits)))
    assert np.mean(floor) < 0.2


@pytest.mark.parametrize("kind", KINDS)
def test_the_prompt_is_complete_and_does_not_contain_the_solution(kind):
    puzzle = puzzles.make(kind, 3)
    game, state = puzzle.posed.game, puzzle.posed.state
    check_consistent(game, state)
    for part in (CANARY, game.rules_text, game.picture(state, puzzle.seat), puzzle.posed.question):
        assert part in puzzle.prompt
    assert puzzle.prompt.count(CANARY) == 1 and puzzle.proof not in puzzle.prompt
    if puzzle.several:
        assert puzzle.solution not in puzzle.prompt


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_cards_change_neither_the_text_nor_a_check(kind):
    changed = False
    for seed in range(3):
        puzzle = puzzles.make(kind, seed)
        game, state = puzzle.posed.game, puzzle.posed.state
        other = game.redeal(state, seed + 1, puzzle.seat)
        table = state.copy()
        table["rng"] = other["rng"]
        changed |= other.tobytes() != table.tobytes()
        swapped = Puzzle(kind, seed, replace(puzzle.posed, state=other), puzzle.several)
        answers = [puzzle.solution, *(game.action_name(state, action) for action in game.legal(state)), "no", ""]
        assert swapped.prompt == puzzle.prompt
        assert [swapped.check(answer) for answer in answers] == [puzzle.check(answer) for answer in answers]
    assert changed == (kind not in NOTHING_HIDDEN)


def test_replies_may_think_and_decorate():
    puzzle = puzzles.make("karma/win", 0)
    for reply in (f"<think>maybe pickup?</think>\nAction: {puzzle.solution}", f'{{"action": "{puzzle.solution}"}}'):
        assert puzzle.check(reply) == 1.0
    assert puzzle.check(f"{puzzle.solution}\npickup") == 0.0  # the last line counts
    several = puzzles.make("tantrix/loop", 0)
    assert several.check(f"I think so.\nAnswer: {several.solution}.") == 1.0
    assert several.check(several.solution.lower().replace("; ", " ;  ")) == 1.0


def test_an_illegal_action_or_a_turn_that_is_over_has_no_credit():
    puzzle = puzzles.make("tantrix/loop", 0)
    first, *_ = puzzle.solution.split("; ")
    for reply in (first, f"{first}; {puzzle.solution}", f"{puzzle.solution}; {first}"):
        assert puzzle.check(reply) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_solves_and_the_proof_names_it(kind):
    """`MANY=1000` in the environment checks that many seeds."""
    for seed in range(663_000, 663_000 + int(os.environ.get("MANY", "40"))):
        puzzle = puzzles.make(kind, seed)
        assert puzzle.check(puzzle.solution) == 1.0 and puzzle.solution in puzzle.proof, seed


def test_the_kinds_of_a_game_take_turns():
    assert [puzzles.make("karma", seed).kind for seed in (4, 5)] == ["karma/win", "karma/sure"]


@pytest.mark.parametrize(("kind", "seed", "named"), [
    ("chess", 0, ("chess", "karma")), ("karma/lose", 0, ("karma/lose", "karma/win", "karma/sure")),
    (None, 0, ("None", "karma")),
])  # fmt: skip
def test_wrong_arguments_are_named(kind, seed, named):
    with pytest.raises(ValueError) as refused:
        puzzles.make(kind, seed)
    assert all(word in str(refused.value) for word in named)


def test_a_kind_that_finds_nothing_ends_with_its_name(monkeypatch):
    monkeypatch.setattr(making, "MOST_TRIES", 3)
    monkeypatch.setattr(making, "_kinds", lambda *_: {"never": Kind("find it", lambda draws: None)})
    with pytest.raises(RuntimeError, match=r"karma/never.*3 tables.*seed=987"):
        puzzles.make("karma/never", 987)


def test_splits_are_apart():
    train, test = (set(puzzles.SPLITS[name][::1000]) for name in ("train", "test"))
    assert train and test and not train & test
    assert max(puzzles.SPLITS["train"]) < min(puzzles.SPLITS["test"])
