"""Positions of games for the tests of action features, and the features of their legal actions."""

import numpy as np

from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import chosen


def positions(game, deals, every=1, share=0.0):
    """Yield positions of games by the scripted agent, with a share of random actions, and the seat to decide."""
    for deal in range(deals):
        state, rng = game.new(deal), np.random.default_rng(deal)
        while not state["over"][0]:
            if state["plies"][0] % every == 0:
                yield state.copy(), int(state["seat"][0])
            action = scripted(game, state) if rng.random() < 1 - share else rng.choice(game.legal(state))
            game.apply_action(state, int(action))


def scripted(game, state):
    """Return the action of the scripted agent."""
    obs = Observation(game, state)
    return int(chosen(game, obs.known, obs.action_mask)[0])


def action_features(game, state, seat):
    """Return the ids of the legal actions, their features, and those of the table."""
    known = game.conceal(state, seat)
    before = known.tobytes()
    _, actions, features, table = game.describe(known)
    assert known.tobytes() == before, "the table itself was changed"
    return actions.tolist(), features, table[0]
