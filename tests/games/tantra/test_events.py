"""Events of Tantra on known positions; sentences and measures count the same sales and cards laid off."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.games.tantra.material import CARD_NAMES
from tantra_envs.games.tantra.measures import SECTIONS, Behaviour, behaviour
from tantra_envs.games.tantra.words.events import events
from tantra_envs.measures import AgentTransitions, Counter
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


def test_sentences_and_measures_count_the_same_sales_and_cards_laid_off():
    game, rng, names = tantra_envs.game("tantra", players=3, n_rounds=1), np.random.default_rng(5), ["Ann", "Bob", "Cy"]
    counter, agent = Counter([one for section in SECTIONS for one in section.measures], 1), opponent("scripted", game)
    bought, cards = 0, 0
    for seed in range(3):
        after = game.new(seed)
        observer = Behaviour(game, np.array([[0]]), np.array([900]), counter)
        while not after["over"][0]:
            before, action = after.copy(), int(agent.act(Observation(game, after), rng)[0])
            game.apply_action(after, action)
            observer.observe(AgentTransitions(game, np.arange(1), before, np.array([action]), after, np.array([[0]])))
            line = log_line(game, before, action, after, None, names)
            bought += " sells " in line and "to Ann" in line
            cards += events(before, action, after)[0]["placed"].sum() if line.startswith("Ann adds") else 0
    assert counter.sums(behaviour.BUYS)[0, 0, 0] == bought > 0
    assert counter.sums(behaviour.LAID_OFF)[0, :, 0].sum() == cards > 0
