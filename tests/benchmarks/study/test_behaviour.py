"""The measures of behaviour agree with a direct count."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import tantra_envs
from benchmarks.harness import plans, records
from benchmarks.harness.plans import MatchSpec, Shard
from benchmarks.study.behaviour import CUT_OFF, DECISIONS, counts, measures_of
from tantra_envs.games.kanastic.measures import behaviour as kanastic
from tantra_envs.games.karma.measures import behaviour as karma
from tantra_envs.games.tantra.measures import behaviour as tantra
from tantra_envs.games.tarot.state import Episode
from tantra_envs.measures import AgentTransitions

ROWS = 4  # games counted by hand


def totals(game, table):
    """Both sums of every part of every measure, over the games of a table."""
    sums = table.sum()
    return {
        own: np.array([[sums[f"{i}.{part}.{j}"].item() for j in (0, 1)] for part in range(len(own.names))])
        for i, own in enumerate(measures_of(game))
    }


def recorded(game, options, lineup, folder, agents=("scripted", "uniform"), deals=3):
    """Some deals between an agent and others: their record, and what is counted in it."""
    match, file = MatchSpec(game, tuple(options.items()), agents, lineup, 0), folder / "games.parquet"
    records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 0, deals)))
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


@pytest.mark.parametrize("agents", [("scripted", "scripted"), ("uniform", "scripted")], ids=lambda own: own[0])
def test_figures_agree_with_a_direct_count(agents, tmp_path):
    record, _ = recorded("karma", {}, (0, 1), tmp_path, agents, deals=5)
    found = totals(record.game, counts(record.file).head(ROWS))
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


def test_the_end_of_a_hand_is_seen_under_the_option_that_ends_the_game_with_it():
    game = tantra_envs.game("tarot", players=3)
    state, rng, row = game.new(1), np.random.default_rng(0), np.arange(1)
    while state["hand_no"][0] == 0:
        before, action = state.copy(), rng.choice(game.legal(state), 1)
        game.apply_action(state, int(action[0]))
    goes_on = AgentTransitions(game, row, before, action, state.copy(), np.zeros((1, 1), np.int64))
    ended = goes_on.under(episode=Episode.HAND)
    assert goes_on.after["over"] == 0 and ended.after["over"] == 1
    assert ended.mine == goes_on.mine and ended.before.tobytes() == before.tobytes()
