"""The cards that a hand lacks, and what is not shown. `test_meanings_of_observations.py` checks all other numbers."""

import tantra_envs
from tantra_envs.games.tantra.agents import standing
from tantra_envs.games.tantra.material import CARD_NAMES, DISPLAY_CARDS, IDENTICAL, NO_JOKERS
from tantra_envs.testing import play

from . import reference
from .table import Table


def lacking(p, seat):
    """The fewest jokers more with which the sets could be made."""
    kinds, runs, flags = DISPLAY_CARDS[p["display"] - 1]
    contract = [("kind", size) for size in kinds] + [("run", size) for size in runs]
    hand = [CARD_NAMES.index(card) for card in p["hands"][seat]]
    if flags & NO_JOKERS:
        hand = [card for card in hand if card != reference.JOKER]
    for more in range(1 + sum(size for _, size in contract)):
        if reference.can_lay_down(contract, hand + [reference.WILD] * more, bool(flags & IDENTICAL), True, 0):
            return more
    raise AssertionError(f"{hand} and jokers in every place make no {contract}")


def test_cards_lacking_are_as_by_brute_force():
    game = tantra_envs.game("tantra", players=3, max_turns_per_player=2)
    for display in (6, 11, 21, 27, 41):
        for state in play(game.build(**{**game.config, "display_cards": [display]}), display):
            p = game.position(state)
            if p["phase"] == "MAIN" and p["laid_turn"][p["turn"]] < 0:
                assert standing.lacking(state, p["turn"]) == lacking(p, p["turn"])


def test_without_memory_nothing_is_known_of_others():
    table = Table({"track_known": False}, display=41, wild="A", hands=["2C", "3D", "4S"], phase="DRAW", stock="",
                  discard="2H 4D 8D").do("draw")  # fmt: skip
    assert not any(table.seen(1, "known")) and not any(table.seen(1, "stock")) and not any(table.seen(1, "next"))


def test_where_naturals_are_needed_no_number_of_wild_cards_may_help():
    for naturals, lacks in ((2, [12, 12]), (0, [10, 11])):  # 12 are all cards of three kinds of four
        table = Table({"min_naturals_per_set": naturals}, display=10, wild="A", hands=["2C WILD", "3D", "4S"])
        assert [standing.lacking(table.state, seat) for seat in (0, 1)] == lacks
