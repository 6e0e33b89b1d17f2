"""The solutions are best: against plain searches that are written apart from those that found them."""

from __future__ import annotations

import functools
import importlib
from collections import Counter, defaultdict
from itertools import permutations

import numpy as np
import pytest

from tantra_envs import puzzles
from tantra_envs.games.karma.material import CARD_NAMES
from tantra_envs.games.tantrix import check_solution, score_board


def played(game, state, action):
    after = state.copy()
    game.apply_action(after, action)
    return after


# Karma: what a seat is sure of at a set of tables that look alike


def surely_wins(game, tables, seat, known=None):
    """Can `seat` win at all of these tables, which look alike to everybody, against every play of the other seat?"""
    known = {} if known is None else known
    first = tables[0]
    if first["over"][0]:
        return all(table["rewards"][0, seat] > 0 for table in tables)
    key = tuple(sorted(table.tobytes() for table in tables))
    if key not in known:
        known[key] = False  # no line comes back to a table: the number of actions grows
        results = (wins_with(game, tables, action, seat, known) for action in game.legal(first))
        known[key] = any(results) if first["seat"][0] == seat else all(results)
    return known[key]


def wins_with(game, tables, action, seat, known):
    """Does `seat` win after an action, whatever it turns over?"""
    looks = defaultdict(list)
    for table in tables:
        after = played(game, table, action)
        looks[game.conceal(after, seat, 0).tobytes()].append(after)
    return all(surely_wins(game, alike, seat, known) for alike in looks.values())


def arrangements(state):
    """All tables that differ in the order of the face-down cards."""
    counts = state["down_n"][0, :2].tolist()
    cards = [card for seat in range(2) for card in state["down"][0, seat, : counts[seat]].tolist()]
    tables = []
    for order in sorted(set(permutations(cards))):
        table = state.copy()
        for seat in range(2):
            table["down"][0, seat, : counts[seat]] = order[: counts[0]] if seat == 0 else order[counts[0] :]
        tables.append(table)
    return tables


@pytest.mark.parametrize("kind", ["karma/win", "karma/sure"])
def test_exactly_one_play_of_karma_wins(kind):
    for seed in range(2):
        posed = puzzles.make(kind, seed).posed
        tables, known = arrangements(posed.state), {}
        assert kind == "karma/win" or len(tables) > 1 or posed.state["down_n"].sum() == 1
        winning = [a for a in posed.game.legal(posed.state) if wins_with(posed.game, tables, a, 0, known)]
        assert winning == list(posed.best)


def test_the_search_of_karma_does_not_look_at_hidden_cards():
    kinds = importlib.import_module("tantra_envs.games.karma.words.puzzles")
    posed = next(p for p in (puzzles.make("karma/sure", s).posed for s in range(9)) if len(arrangements(p.state)) > 1)
    assert {kinds._only_win(posed.game, table) for table in arrangements(posed.state)} == {posed.best[0]}


def test_the_face_down_cards_that_a_question_names_are_those_of_the_table():
    for seed in range(3):
        puzzle = puzzles.make("karma/sure", seed)
        cards = Counter(CARD_NAMES[c] for table in arrangements(puzzle.posed.state)[:1] for s in range(2)
                        for c in table["down"][0, s, : table["down_n"][0, s]].tolist())  # fmt: skip
        assert all(card in puzzle.posed.question for card in cards)


# Tarot: tricks by plain sets of card names, after the rules in the prompt

HONOURS = {"T0", "T1", "T21", "WK", "CK", "SK", "PK"}


def suit(card):
    return card[0] if card != "T0" else ""


def legal_cards(hand, led):
    following = [card for card in hand if suit(card) == led]
    return [card for card in hand if card in following or card == "T0"] if led and following else list(hand)


def trick(first, second):
    """Return whether the second card takes the trick, and the points of its winner and of players of the Fool."""
    led = suit(first) or suit(second)
    rank = ["A", *map(str, range(2, 11)), "Kv", "Kn", "Q", "K"]

    def height(card):
        if card == "T0" or (suit(card) not in ("T", led)):
            return -1
        return 100 + int(card[1:]) if suit(card) == "T" else rank.index(card[1:])

    second_wins = height(second) > height(first)
    classes = {4: "Q", 3: "Kn", 2: "Kv"}
    cards = [card for card in (first, second) if card != "T0"]
    points = 5 * any(card in HONOURS for card in cards)
    points += sum(worth for worth, name in classes.items() if any(c[0] != "T" and c[1:] == name for c in cards))
    winning = second if second_wins else first
    cut = sum(5 for card in (first, second) if led != "T" and suit(winning) == "T" and card == f"{led}K")
    return second_wins, max(1, points) + cut, 5 * (first == "T0"), 5 * (second == "T0")


@functools.cache
def margin(own, other):
    """Return the most that the seat to lead can gain over the other one with the last cards, both open."""
    if not own:
        return 0
    return max(after_lead(own, other, card) for card in own)


@functools.cache
def after_lead(own, other, card):
    values = []
    for reply in legal_cards(other, suit(card)):
        taken, points, fool, other_fool = trick(card, reply)
        rest, other_rest = own - {card}, other - {reply}
        later = -margin(other_rest, rest) if taken else margin(rest, other_rest)
        values.append((-points if taken else points) + fool - other_fool + later)
    return min(values)


@pytest.mark.parametrize("kind", ["tarot/win", "tarot/most"])
def test_exactly_one_card_of_tarot_is_best(kind):
    for seed in range(4):
        posed = puzzles.make(kind, seed).posed
        game, position = posed.game, posed.game.position(posed.state)
        own, other = (frozenset(hand) for hand in position["hands"])
        behind = position["points"][1] - position["points"][0]
        gains = {card: after_lead(own, other, game.action_name(posed.state, card)) for card in game.legal(posed.state)}
        first, second = sorted(gains.values(), reverse=True)[:2]
        assert gains[posed.best[0]] == first > second
        if kind == "tarot/win":
            assert first > behind >= second  # only the best card makes more points than the other seat


# Tantrix: boards counted from scratch


def test_the_solution_of_tantrix_is_one_loop():
    for seed in range(4):
        posed = puzzles.make("tantrix/loop", seed).posed
        after = posed.state.copy()
        for action in posed.best:
            posed.game.apply_action(after, action)
        board = posed.game.position(after)["board"]
        assert len(board) == len(posed.game.position(posed.state)["board"]) + len(posed.best)
        assert check_solution(board, "RYGB"[int(posed.state["opt"]["colour"][0]) - 1])


def test_one_placement_of_tantrix_has_the_highest_score():
    for seed in range(3):
        posed = puzzles.make("tantrix/line", seed).posed
        game, state = posed.game, posed.state
        colour = "RYGB"[int(state["colours"][0, state["seat"][0]]) - 1]
        scores = {}
        for action in game.legal(state):
            tile, _, where = game.action_name(state, action).partition(":")
            q, r, rot = (int(word) for word in where.replace("/", ",").split(","))
            scores[action] = score_board([*game.position(state)["board"], [int(tile), q, r, rot]], colour)
        assert [action for action, score in scores.items() if score == max(scores.values())] == list(posed.best)
        assert np.sort(list(scores.values()))[-2] < max(scores.values())
