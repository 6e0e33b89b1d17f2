"""Kinds of actions are the blocks of a game, with the features that tell their actions apart."""

import tantra_envs
from benchmarks.harness import records
from benchmarks.harness.plans import scripted_games
from benchmarks.views import losses

DEALS = 4


def played(name):
    """Return the phase and the kind of every action in some games."""
    game, found = tantra_envs.game(name), []

    def observe(t):
        phases = [game.phases[phase] for phase in t.before["phase"]]
        found.extend(zip(phases, losses.kinds_of(game, t.before, t.actions), strict=True))

    records.replay(scripted_games(game, 0, DEALS), observe)
    return found


def test_kinds_are_blocks():
    assert {kind for _, kind in played("karma")} <= {block.name for block in tantra_envs.game("karma").actions}


def test_half_of_the_cards_of_tarot_for_two_lead_and_the_others_follow():
    """The card after a Fool that was led counts as leading, too."""
    cards = [kind for phase, kind in played("tarot:hand") if phase == "PLAY"]
    assert len(cards) == 200 and 100 <= sum("leads" in kind for kind in cards) <= 100 + DEALS
    assert {"card, leads", "card, ruffs, is_trump"} <= set(cards)
