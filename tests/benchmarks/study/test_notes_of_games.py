"""What a study notes about a game agrees with the same game replayed action by action and read from positions."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from benchmarks.harness import records
from benchmarks.study import tension
from benchmarks.study.tally import LENGTH, measures_of, tally
from tantra_envs.games import SHIPPED
from tantra_envs.games.kanastic.measures import worth as kanastic_worth
from tantra_envs.games.karma.measures import worth as karma_worth
from tantra_envs.games.tantra.measures import worth as tantra_worth
from tantra_envs.games.tantrix.measures import worth as tantrix_worth
from tantra_envs.games.tarot.measures import worth as tarot_worth
from tantra_envs.games.tarot.measures.worth import KINDS
from tantra_envs.games.tarot.state import CLASSES
from tantra_envs.matches.match import duplicate_deals
from tantra_envs.matches.playing import play_tables
from tantra_envs.measures import of_game
from tests.games.tantrix.reference import linked

DEALS = range(3)


class ByView:
    """Any legal action, always the same for the same view: what a batch plays can be played again alone."""

    name = "by view"

    def act(self, obs, rng):
        return np.array([choice(view, mask) for view, mask in zip(obs.observation, obs.action_mask, strict=True)])


def choice(view, mask):
    legal = np.flatnonzero(mask)
    return legal[int(abs(view @ np.arange(1, len(view) + 1)) * 1000) % len(legal)]


def karma(position):
    """Minus the cards of each seat."""
    zones = zip(position["hands"], position["up"], position["down"], strict=True)
    return [-sum(len(zone) for zone in seat) for seat in zones]


def tarot(position):
    points, over = position["points"], position["phase"] == "OVER"
    ahead = [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]
    return [total + (0 if over else max(0, gain)) for total, gain in zip(position["totals"], ahead, strict=True)]


def replay(game, deal):
    """Every position of a game, and what each seat was paid."""
    state, paid, seen = game.new(int(deal)), np.zeros(game.players), []
    first = int(state["seat"][0])
    while True:
        seen.append(game.position(state))
        if state["over"][0]:
            return first, seen, paid
        seat = int(state["seat"][0])
        game.apply_action(state, int(choice(game.observation(state, seat), game.mask(state))))
        paid += state["rewards"][0, : game.players]


def played(game, folder):
    """The tally of three games of equal agents, from their record: a table, and its sums by measure."""
    lineup, file = (0,) * len(game.teams), folder / "games.parquet"
    seating, seeds = duplicate_deals(game, lineup, 0, len(DEALS), 0, rotations=1)
    outcome = play_tables(game, [ByView()], seating, seeds, record=True)
    label = records.label(game, {"agents": [ByView.name], "lineup": lineup, "rotations": 1})
    records.write(file, label, records.games([ByView.name], seating, seeds, outcome))
    table = tally(file)

    def sums(measure, part=0):
        """The sums (games, teams, 2 or 5) of a part of a measure."""
        number = measures_of(game).index(measure)
        columns = [table[f"{number}.{part}.{i}"].to_numpy() for i in range(measure.sums)]
        return np.stack(columns, axis=1).reshape(len(DEALS), len(game.teams), -1)

    return table, sums


@pytest.mark.parametrize(
    ("game", "standing"),
    [(tantra_envs.game("karma", players=3), karma), (tantra_envs.game("tarot:quick", players=3), tarot)],
    ids=["karma", "tarot"],
)
def test_games_agree_with_their_positions(game, standing, tmp_path):
    table, sums = played(game, tmp_path)
    finals = table["final"].to_numpy().reshape(len(DEALS), 3)
    for row, deal in enumerate(DEALS):
        first, seen, paid = replay(game, deal)
        seats = [(first + place) % game.players for place in range(game.players)]
        standings = [[standing(position)[seat] for seat in seats] for position in seen]
        scores = [sum((paid[a] > paid[b]) + 0.5 * (paid[a] == paid[b]) for b in seats if b != a) / 2 for a in seats]
        assert table.filter(table["deal"] == deal)["score"].to_list() == pytest.approx(scores)
        assert finals[row].tolist() == standings[-1]
        assert sums(LENGTH)[row].tolist() == [[len(seen) - 1, 1], [0, 0], [0, 0]]


def test_kanastic_points_are_what_was_paid(tmp_path):
    game = tantra_envs.game("kanastic:round", reward="score", reward_scale=1.0)
    table, sums = played(game, tmp_path)
    parts = range(len(kanastic_worth.SOURCES.names))
    points = sum(sums(kanastic_worth.SOURCES, part)[:, :, 0] for part in parts)
    assert points.reshape(-1).tolist() == table["final"].to_list()
    out = kanastic_worth.BONUSES.index("going out")
    assert (sums(kanastic_worth.REACHED, out)[:, :, 0].sum(axis=1) <= 1).all()
    assert sums(kanastic_worth.HAVING, out)[:, :, 1].tolist() == sums(kanastic_worth.REACHED, out)[:, :, 0].tolist()


def test_tantrix_tells_loops_from_lines(tmp_path):
    game = tantra_envs.game("tantrix:strategy")
    table, sums = played(game, tmp_path)
    finals, looped = table["final"].to_numpy().reshape(len(DEALS), 2), 0
    for row, deal in enumerate(DEALS):
        first, seen, _ = replay(game, deal)
        board = {(q, r): (tile, rot) for tile, q, r, rot in seen[-1]["board"]}
        for place, seat in enumerate((first, 1 - first)):
            loop = longest_loop(board, seen[-1]["colours"][seat])
            assert finals[row, place] == seen[-1]["scores"][seat]
            assert sums(tantrix_worth.LOOPS)[row, place, 0] == (loop > 0)
            by_loop = 0 < loop == finals[row, place]
            assert sums(tantrix_worth.POINTS, 1)[row, place].tolist() == [by_loop * loop, by_loop]
            looped += loop > 0
    assert looped


def longest_loop(board, colour):
    """Twice the tiles of the longest way that leads back to its start."""
    best = 0
    for start in board:
        way, ends = {start}, linked(board, start, colour)
        while len(ends) > 1 and not way.issuperset(ends):
            way.update(ends)
            ends = [cell for end in ends for cell in linked(board, end, colour) if cell not in way] or ends
        if all(len(linked(board, cell, colour)) == 2 for cell in way):
            best = max(best, 2 * len(way))
    return best


def test_karma_counts_every_card_dealt(tmp_path):
    game = tantra_envs.game("karma", players=3)
    _, sums = played(game, tmp_path)
    cards = sum(sums(karma_worth.CARD, part)[:, :, 1] for part in range(len(karma_worth.CARD.names)))
    assert cards.tolist() == [[9, 9, 9]] * len(DEALS)


def test_tarot_counts_points_cards_and_classes(tmp_path):
    game = tantra_envs.game("tarot:hand")
    _, sums = played(game, tmp_path)
    kings, kinds, any_shown = [f"{suit}K" for suit in "WCSP"], list(KINDS), 0
    for row, deal in enumerate(DEALS):
        first, seen, _ = replay(game, deal)
        opened = next(position for position in seen if position["phase"] == "PLAY")
        for place, seat in enumerate((first, 1 - first)):
            hand, dealer = seen[0]["hands"][seat], seat == seen[0]["dealer"]
            before, made = opened["points"][seat], seen[-1]["points"][seat]
            assert sums(tarot_worth.BEFORE_PLAY)[row, place].tolist() == [before, made]
            assert sums(tarot_worth.POINTS, 1)[row, place].tolist() == [made - before, 1]
            held = [sums(tarot_worth.CARD, part)[row, place, 1] for part in range(len(kinds))]
            assert held[kinds.index("King")] == sum(king in hand for king in kings)
            assert held[kinds.index("Juggler")] == ("T1" in hand)
            assert sum(held) == len(hand) == 25
            talon = [sums(tarot_worth.TALON, part)[row, place, 1] for part in range(len(kinds))]
            assert sum(talon) == 3 * dealer
            assert talon[kinds.index("King")] == dealer * sum(king in seen[0]["talon"] for king in kings)
            any_shown += sum(sums(tarot_worth.CLASS_SHOWN, part)[row, place, 0] for part in range(len(CLASSES)))
    assert any_shown


def test_tantra_counts_the_display_card_and_the_seats_that_laid_down(tmp_path):
    game = tantra_envs.game("tantra", players=3)
    table, sums = played(game, tmp_path)
    finals = table["final"].to_numpy().reshape(len(DEALS), 3)
    for row, deal in enumerate(DEALS):
        _, seen, _ = replay(game, deal)
        last, seats = seen[-1], [(seen[0]["dealer"] + 1 + place) % 3 for place in range(3)]
        card = last["display"] - 1
        assert finals[row].tolist() == [last["scores"][seat] for seat in seats]
        assert sums(tantra_worth.LAID, card)[row].tolist() == [[last["laid_turn"][seat] >= 0, 1] for seat in seats]
        assert sums(tantra_worth.BOUGHT, card)[row, :, 0].tolist() == [last["buys_used"][seat] for seat in seats]
        assert sums(tantra_worth.TURNS, card)[row, 0].tolist() == [last["game_turns"] / 3, 1]
        assert sums(tantra_worth.LAID, (card + 1) % 44)[row].sum() == 0
        assert sums(tantra_worth.OUT)[row, :, 0].tolist() == [final > 0 for final in finals[row]]
        assert sums(tantra_worth.ABOVE)[row, :, 0] == pytest.approx(finals[row] - finals[row].mean())


def test_a_level_table_leaves_the_lead_where_it_was():
    standings = np.array([[[0, 0]], [[1, 0]], [[1, 1]], [[1, 2]], [[3, 2]], [[3, 2]]])
    holders = tension.holders(tension.sole_best(standing) for standing in standings)
    assert holders[:, 0].tolist() == [tension.NOBODY, 0, 0, 1, 0, 0]
    scores = np.array([[1.0, 0.0]])
    assert np.isnan(tension.score_of(holders[0], scores)[0])  # nobody has led at the deal
    assert [tension.score_of(holders[moment], scores)[0] for moment in (2, 3, 4)] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_has_measures_with_names_of_their_own(name):
    game = tantra_envs.game(name)
    names = [measure.name for measure in of_game(game).measures(game)]
    assert names and len(set(names)) == len(names)
