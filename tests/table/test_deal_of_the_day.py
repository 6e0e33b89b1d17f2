"""What is of the day: solved puzzles, yesterday's solution, a deal against the strongest agent; and the review."""

import numpy as np
import pytest

from agents import load
from tantra_envs import configuration
from tantra_envs.core.opinions import MISTAKE, Opinion, opinions_on
from tantra_envs.table import days, results
from tantra_envs.table.replays import judged
from tantra_envs.table.review import review
from tantra_envs.words.sentences import action_words

from .serving import play, seated

NAMES = ["You", "Opponent"]
UNIT = "win probability, in 64 sampled deals"


def test_solved_days_are_those_of_the_lists_of_best_results():
    game = configuration.game("tantrix", "discovery", allow_remove=True)
    daily = [results.name(game).replace("discovery", "daily") + f" seed_date={day}" for day in (20261128, 20261127)]
    assert days.solved([*daily, results.name(game), "karma_v0"]) == [20261127, 20261128]
    assert days.number() - days.number(days_ago=1) in (1, *range(70, 74), *range(8870, 8872))


def test_only_games_with_a_deal_of_the_day_have_a_rival(monkeypatch):
    with pytest.raises(ValueError, match="game='chess' is not allowed; allowed: karma, tarot:hand"):
        days.rival("chess", 20261128)
    monkeypatch.setattr(days, "RIVAL", "scripted")  # much faster
    assert days.rival.__wrapped__("karma", 20261128).startswith(("won: ", "lost: "))


def finished(losses, seed=1):
    """A game of Karma whose first seat has lost so much by its decisions, and opinions on it."""
    session = seated("karma", "me,me", seed)
    play(session)
    history = session.history
    choices = {
        ply: other
        for ply, past in enumerate(history.moves)
        for other in history.game.legal(past.before)[:2]
        if past.seat == 0 and other != past.action
    }
    opinions = {
        ply: Opinion(UNIT, {history.moves[ply].action: 0.5 - loss, choices[ply]: 0.5}, {})
        for ply, loss in zip(choices, losses, strict=False)
    }
    return history, opinions, list(choices)


@pytest.mark.parametrize(("losses", "words"), [
    ([0.31, 0, 0, 0], "one mistake (-31, move {0})"),
    ([0.1, 0.2, 0, 0], "two mistakes (-30, the largest at move {1})"),
    ([0, 0.04, 0, 0], "without a clear mistake"),
])  # fmt: skip
def test_the_review_names_the_mistakes_what_was_better_and_one_number(losses, words):
    history, opinions, own = finished(losses)
    judge = load("search:2", history.game)
    reviewed = review(history, 0, NAMES, opinions, judge)
    told, marked, won = reviewed["words"], [loss for loss in losses if loss >= 0.05], history.totals[0] > 0
    assert told.startswith("You won" if won else "You lost")
    if marked or not won:
        assert words.format(*(ply + 1 for ply in own)) in told or (not marked and " by " in told)
    assert f"{100 * sum(marked) / len(losses):.1f} points of 100 per decision" in told
    worst = own[losses.index(max(losses))] if marked else None
    assert reviewed["ply"] == worst and ("At move" in told) == bool(marked)
    if marked:
        past = history.moves[worst]
        made, other = (
            action_words(history.game, past.before, action, 0, NAMES) for action in (past.action, opinions[worst].best)
        )
        assert made != other and f'At move {worst + 1} you chose "{made}"; "{other}" was better.' in told
    assert review(history, 0, NAMES, {}, judge) == {"words": "", "ply": None}


def test_a_search_also_judges_what_it_did_not_try_and_compares_what_looks_like_a_mistake_in_equal_samples():
    session, rng = seated("karma", "me,scripted", config={"players": 2}), np.random.default_rng(2)
    agent = load("uniform", session.game)
    while not session.history.is_over:
        session.history.ask(agent, rng)
    history, judge = session.history, load("search:8,candidates=2", session.game)
    actions = [past.action for past in history.moves]
    first, opinions = opinions_on(session.game, history.start, actions, [judge] * 2), judged(history, judge)
    untried = [ply for ply, opinion in first.items() if actions[ply] not in opinion.values]
    doubtful = [ply for ply, opinion in first.items() if opinion.loss(actions[ply])[0] >= MISTAKE]
    assert untried and doubtful and not any(first[ply].mark(actions[ply]) for ply in untried)
    assert any(opinions[ply].mark(actions[ply]) for ply in untried)
    assert all(actions[ply] in opinion.values and opinion.best == first[ply].best for ply, opinion in opinions.items())
    assert {ply for ply in first if opinions[ply] != first[ply]} <= {*untried, *doubtful}
