"""Events of Tantra on known positions; sentences have the sales and the cards laid off of the tables."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.games.tantra.material import CARD_NAMES
from tantra_envs.games.tantra.words.events import events
from tantra_envs.opponents import opponent
from tantra_envs.words.sentences import log_line

NOTHING = {"taker": -1, "bought": 0, "owner": -1, "placed": {}}
TRADE = {"display": 10, "wild": "A", "hands": ["2C", "3D", "4D"], "phase": "ASK", "cur": 1}
TRADE |= {"stock": "5D 6D 7D", "discard": "9S 2H"}
RUN = {"sets": [{"seat": 1, "slot": 0, "run": "H", "start": 5, "cards": "5H 6H 7H"}], "laid_turn": [0, 0, -1]}
LAYING = {"display": 15, "wild": "9", "hands": ["8H 4C WILD", "3D", "3D"], **RUN}
DOWN = {"display": 6, "hands": ["5C 5D 5H 5S 8C 8D 8H 8S 2H 3H 4H KC", "9C", "9D"], "turns": 4, "phase": "MAIN"}


@pytest.mark.parametrize(("position", "actions", "facts"), [
    (TRADE, ["pass"], {}),
    (TRADE, ["buy"], {}),
    (TRADE, ["buy", "refuse"], {"taker": 0}),
    (TRADE, ["buy", "allow"], {"taker": 1, "bought": 1}),
    (TRADE, ["buy", "allow", "keep"], {}),
    (TRADE, ["pass", "pass", "take"], {"taker": 0}),
    ({**TRADE, "phase": "DRAW", "cur": 0}, ["draw"], {}),
    (LAYING, ["lay off on 1.0 high", "place 8H"], {"owner": 1, "placed": {"8H": 1}}),
    (LAYING, ["lay off on 1.0 high"], {"owner": 1}),
    (LAYING, ["discard 4C"], {}),
])  # fmt: skip
def test_what_an_action_did(position, actions, facts):
    game = tantra_envs.game("tantra", players=3)
    after = game.from_position(position)
    for word in actions:
        before, action = after.copy(), game.parse_action(after, word)
        game.apply_action(after, action)
    event = events(before, action, after)[0]
    placed = {CARD_NAMES[card]: int(event["placed"][card]) for card in np.flatnonzero(event["placed"])}
    assert {**{name: event[name] for name in NOTHING}, "placed": placed} == {**NOTHING, **facts}


def test_in_the_other_order_a_buyer_gets_the_discard_at_once():
    game = tantra_envs.game("tantra", players=3, buy_order="turn_player_first")
    after = game.from_position({**TRADE, "phase": "DRAW", "cur": 0})
    game.apply_action(after, game.parse_action(after, "draw"))
    before, action = after.copy(), game.parse_action(after, "buy")
    game.apply_action(after, action)
    event = events(before, action, after)[0]
    assert (event["taker"], event["bought"]) == (1, 1)


def test_events_and_sentences_have_the_sales_and_the_cards_laid_off_of_the_tables():
    game, rng, names = tantra_envs.game("tantra", players=3, n_rounds=1), np.random.default_rng(5), ["Ann", "Bob", "Cy"]
    agent, (said, bought, cards) = opponent("scripted", game), np.zeros(3, int)
    for seed in range(3):
        after = game.new(seed)
        while not after["over"][0]:
            before, action = after.copy(), int(agent.act(Observation(game, after), rng)[0])
            game.apply_action(after, action)
            event, line = events(before, action, after)[0], log_line(game, before, action, after, None, names)
            said += " sells " in line and "to Ann" in line
            bought += event["taker"] == 0 and event["bought"]
            if line.startswith("Ann adds"):
                placed = before["hands"][0, 0].sum() - after["hands"][0, 0].sum()
                assert event["placed"].sum() == placed or after["over"][0]
                cards += placed
    assert bought == said > 0
    assert cards > 0
