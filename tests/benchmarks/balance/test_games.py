"""What a study notes about a game agrees with the same game replayed action by action and read from positions."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from benchmarks.balance.games import load
from benchmarks.balance.games.tantrix import LINK, LINKS
from benchmarks.balance.games.tarot import KINDS
from benchmarks.balance.games.tarot import GameObserver as TarotObserver
from benchmarks.balance.observer import observed, teams_by_place
from benchmarks.balance.trajectory import NOBODY, lead_changes, lead_holders, sole_leader, trajectory
from benchmarks.harness import records
from benchmarks.harness.transitions import Transitions
from tantra_envs.games.tantrix.material import COLOURS, turned
from tantra_envs.games.tarot.actions import NO, YES
from tantra_envs.games.tarot.state import CLASSES, Phase
from tantra_envs.matches.match import duplicate_deals
from tantra_envs.matches.playing import play_tables
from tests.games.tantrix.model import linked

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
    """The numbers of three games among agents that play alike, from their record."""
    lineup, file = (0,) * len(game.teams), folder / "games.parquet"
    seating, seeds = duplicate_deals(game, lineup, 0, len(DEALS), 0, rotations=1)
    outcome = play_tables(game, [ByView()], seating, seeds, record=True)
    label = records.label(game, {"agents": [ByView.name], "lineup": lineup, "rotations": 1})
    records.write(file, label, records.games([ByView.name], seating, seeds, outcome))
    return observed(file)


@pytest.mark.parametrize(
    ("game", "standing"),
    [(tantra_envs.game("karma", players=3), karma), (tantra_envs.game("tarot:quick", players=3), tarot)],
    ids=["karma", "tarot"],
)
def test_games_agree_with_their_positions(game, standing, tmp_path):
    for row, deal in zip(played(game, tmp_path).iter_rows(named=True), DEALS, strict=True):
        first, seen, paid = replay(game, deal)
        seats = [(first + place) % game.players for place in range(game.players)]
        standings = [[standing(position)[seat] for seat in seats] for position in seen]
        assert [row[f"reward_{p}"] for p in (1, 2, 3)] == pytest.approx([paid[seat] for seat in seats])
        assert [row[f"final_{p}"] for p in (1, 2, 3)] == standings[-1]
        assert row["plies"] == len(seen) - 1
        assert row["lead_changes"] == changes(standings)
        for phase in game.phases[:-1]:
            assert row[f"decisions_{phase}"] == sum(position["phase"] == phase for position in seen)


def changes(standings):
    """Counted one by one, as one would with a pencil."""
    holder, count = None, 0
    for standing in standings:
        best = max(standing)
        if standing.count(best) == 1 and standing.index(best) != holder:
            count += holder is not None
            holder = standing.index(best)
    return count


def test_kanastic_points_are_what_was_paid(tmp_path):
    game = tantra_envs.game("kanastic:round", reward="score", reward_scale=1.0)
    games = played(game, tmp_path)
    assert games["final_1"].to_list() == games["reward_1"].to_list()
    sources = ("suit_points", "canasta_points", "pot_points", "card_points", "doubling_points")
    assert sum(games[f"{source}_2"] for source in sources).to_list() == games["final_2"].to_list()


def test_tantrix_tells_loops_from_lines(tmp_path):
    game = tantra_envs.game("tantrix:strategy")
    looped = 0
    for row, deal in zip(played(game, tmp_path).iter_rows(named=True), DEALS, strict=True):
        first, seen, _ = replay(game, deal)
        board = {(q, r): (tile, rot) for tile, q, r, rot in seen[-1]["board"]}
        for place, seat in ((1, first), (2, 1 - first)):
            assert row[f"final_{place}"] == seen[-1]["scores"][seat]
            assert row[f"loop_{place}"] == longest_loop(board, seen[-1]["colours"][seat])
            looped += row[f"loop_{place}"] > 0
    assert looped


def test_tantrix_tells_colours_and_the_links_of_first_tiles(tmp_path):
    game = tantra_envs.game("tantrix:strategy", colours="random")
    for row, deal in zip(played(game, tmp_path).iter_rows(named=True), DEALS, strict=True):
        first, seen, _ = replay(game, deal)
        for place, seat in ((1, first), (2, 1 - first)):
            colour = seen[0]["colours"][seat]
            tiles = [turned(tile, 0) for tile in seen[0]["hands"][seat]]
            assert row[f"colour_{place}"] == COLOURS.index(colour) + 1
            assert row[f"no link_{place}"] == sum(colour not in tile for tile in tiles)
            corners = [colour * 2 in tile or tile[0] == tile[5] == colour for tile in tiles]
            assert row[f"corner_{place}"] == sum(corners)
            assert row[f"straight_{place}"] == sum(
                tile[k : k + 4 : 3] == colour * 2 for tile in tiles for k in range(3)
            )
            assert sum(row[f"{link}_{place}"] for link in LINKS) == 6


def test_tantrix_has_fourteen_tiles_without_a_colour_and_links_of_all_kinds_on_the_others():
    for colour in range(1, 5):
        counted = np.bincount(LINK[1:, colour], minlength=len(LINKS)).tolist()
        assert counted[0] == 14 and sum(counted) == 56 and min(counted) > 5


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


def test_karma_notes_every_card_dealt(tmp_path):
    game = tantra_envs.game("karma", players=3)
    games = played(game, tmp_path)
    cards = [c for c in games.columns if c.startswith("dealt_")]
    assert games.select(cards).sum_horizontal().to_list() == [27] * len(DEALS)


def test_tarot_notes_the_points_before_the_play(tmp_path):
    game = tantra_envs.game("tarot:hand")
    for row, deal in zip(played(game, tmp_path).iter_rows(named=True), DEALS, strict=True):
        first, seen, _ = replay(game, deal)
        opened = next(position for position in seen if position["phase"] == "PLAY")
        assert [row["reckoned_1"], row["reckoned_2"]] == [opened["points"][first], opened["points"][1 - first]]
        assert [row["made_1"], row["made_2"]] == [seen[-1]["points"][first], seen[-1]["points"][1 - first]]


def test_tarot_notes_the_cards_dealt_and_the_classes_shown(tmp_path):
    game = tantra_envs.game("tarot:hand")
    kings, any_shown = [f"{suit}K" for suit in "WCSP"], 0
    for row, deal in zip(played(game, tmp_path).iter_rows(named=True), DEALS, strict=True):
        first, seen, _ = replay(game, deal)
        for place, seat in ((1, first), (2, 1 - first)):
            hand = seen[0]["hands"][seat]
            assert row[f"held_King_{place}"] == sum(king in hand for king in kings)
            assert row[f"held_Pagad_{place}"] == ("T1" in hand)
            assert sum(row[f"held_{kind}_{place}"] for kind in KINDS) == len(hand) == 25
            assert row[f"deals_{place}"] == (seat == seen[0]["dealer"])
            any_shown += sum(row[f"shown_{name}_{place}"] for name in CLASSES)
        assert row["talon_King"] == sum(king in seen[0]["talon"] for king in kings)
        assert sum(row[f"talon_{kind}"] for kind in KINDS) == 3
    assert any_shown


def test_tarot_tells_who_has_shown_which_class():
    game = tantra_envs.game("tarot:hand")
    dealt = game.new(5)
    noted = TarotObserver(game, dealt, teams_by_place(game, np.array([1])))
    before = dealt.copy()
    before["phase"], before["seat"], before["cls"] = Phase.DECLARE, 0, CLASSES.index("seq_C")
    for action in (NO, YES):
        noted.observe(Transitions(game, np.array([0]), before, np.array([action]), before))
        assert noted._shown[0, 1].tolist() == [action == YES and name == "seq_C" for name in CLASSES]
    assert not noted._shown[0, 0].any()  # the other seat is at place 1


def test_tantra_notes_the_display_card_and_who_laid_down(tmp_path):
    game = tantra_envs.game("tantra", players=3)
    for row, deal in zip(played(game, tmp_path).iter_rows(named=True), DEALS, strict=True):
        _, seen, _ = replay(game, deal)
        last, seats = seen[-1], [(seen[0]["dealer"] + 1 + place) % 3 for place in range(3)]
        assert row["display"] == last["display"]
        assert [row[f"final_{p}"] for p in (1, 2, 3)] == [last["scores"][seat] for seat in seats]
        assert [row[f"laid_{p}"] for p in (1, 2, 3)] == [last["laid_turn"][seat] >= 0 for seat in seats]
        assert [row[f"bought_{p}"] for p in (1, 2, 3)] == [last["buys_used"][seat] for seat in seats]
        assert row["turns"] == last["game_turns"]
        assert [row[f"points_{p}"] for p in (1, 2, 3)] == [row[f"final_{p}"] for p in (1, 2, 3)]
        assert [row[f"out_{p}"] for p in (1, 2, 3)] == [row[f"points_{p}"] > 0 for p in (1, 2, 3)]


def test_partners_share_a_place():
    game = tantra_envs.game("kanastic")
    assert teams_by_place(game, np.arange(4)).tolist() == [[0, 1], [1, 0], [0, 1], [1, 0]]


def test_a_level_table_leaves_the_lead_where_it_was():
    standings = np.array([[[0, 0]], [[1, 0]], [[1, 1]], [[1, 2]], [[3, 2]], [[3, 2]]])
    leaders, lasts = (np.stack([sole_leader(sign * standing) for standing in standings]) for sign in (1, -1))
    holders = lead_holders(leaders)
    assert holders[:, 0].tolist() == [NOBODY, 0, 0, 1, 0, 0]
    assert lead_changes(holders).tolist() == [2]
    found = trajectory(leaders, lasts, np.array([5]), np.array([[1.0, 0.0]]))
    assert np.isnan(found["leader_score_1"][0])  # nobody has led at the deal
    assert [found["leader_score_4"][0], found["leader_score_6"][0], found["leader_score_9"][0]] == [1.0, 0.0, 1.0]
    assert np.isnan(found["last_score_5"][0])  # level after two of five actions


def test_every_game_has_its_questions():
    for name in tantra_envs.GAMES:
        game = tantra_envs.game(name)
        assert load(game).questions(game)
