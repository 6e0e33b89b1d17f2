"""Events of Kanastic on known positions; sentences have the openings and blocks of the tables."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.kanastic.actions import ASK, DISCARD
from tantra_envs.games.kanastic.material import RANK_NAMES, SWORD
from tantra_envs.games.kanastic.words.events import EVENT, events
from tantra_envs.words.sentences import log_line

NINES = "9H 9H 9D 9D 9S 9C"
TURN = {"phase": "MELD", "cur": 0, "turn": 3, "stock": "4*4C 4*5C"}
OTHER = "QH QD 7H 8D"
FORMS = {**TURN, "hands": ["9H SW 4H 5D", OTHER], "tables": [{"ranks": {"9": NINES}}]}
LAST = {**FORMS, "tables": [{"ranks": {"9": f"{NINES} 9C"}}]}
SUIT = {"suit": ["7", "7G 8G 9G 10G JG QG"]}
TAKES = {**TURN, "phase": "DRAW", "hands": ["AH AD KS 4H 5D", OTHER], "pile": "9H QH AC"}
LAID = [{"ranks": {"K": "KH KD KC"}}]


@pytest.mark.parametrize(("position", "actions", "facts"), [
    (FORMS, ["ADD 9H"], {"canastas": ["9"], "first": 1}),
    ({**FORMS, "tables": [{"ranks": {"9": NINES, "K": "KH KH KD KD KC KC KS"}}]}, ["ADD 9H"],
     {"canastas": ["9"]}),
    (FORMS, ["DISCARD 4H"], {}),
    (FORMS, ["DISCARD SW"], {"blocks": 1}),
    ({**LAST, "hands": ["4H", OTHER]}, ["DISCARD 4H"], {"ended": 1, "out": 1}),
    ({**LAST, "hands": ["SW", OTHER]}, ["DISCARD SW"], {"blocks": 1, "ended": 1, "out": 1, "doubled": 1}),
    ({**FORMS, "hands": ["KG 4H 5D", OTHER], "tables": [SUIT]}, ["SUIT + KG"], {"suit": 1}),
    ({**TURN, "hands": ["AH AD AC 4H 5D", OTHER]}, ["NEW A {HDC}"], {"opened": 1}),
    ({**TURN, "phase": "DRAW", "hands": ["4H 5D", OTHER], "stock": "4C TP"}, ["DRAW"], {"pots": 1}),
    ({**TAKES, "tables": LAID}, ["TAKE_STACK", "NEW A {HDC}"], {}),
    ({**TAKES, "tables": LAID}, ["TAKE_STACK", "NEW A {HDC}", "DISCARD 4H"], {"stack": 2}),
])  # fmt: skip
def test_what_an_action_did(position, actions, facts):
    game = tantra_envs.game("kanastic", players=2, episode="round")
    after = game.from_position(position)
    for word in actions:
        before, action = after.copy(), game.parse_action(after, word)
        game.apply_action(after, action)
    event = events(before, action, after)[0]
    canastas = [RANK_NAMES[r] for r in np.flatnonzero(event["canastas"])]
    found = {name: event[name] for name in EVENT.names if name not in ("padding", "canastas") and event[name]}
    assert {**found, **({"canastas": canastas} if canastas else {})} == facts


def test_events_and_sentences_have_the_openings_and_blocks_of_the_tables():
    game, rng = tantra_envs.game("kanastic", players=2, episode="round"), np.random.default_rng(5)
    said, counted = {"opens": 0, "blocks": 0}, {"opens": 0, "blocks": 0}
    after = game.new(1)
    while not after["over"][0]:
        before, action = after.copy(), rng.choice(game.legal(after))
        game.apply_action(after, action)
        event = events(before, action, after)[0]
        assert event["opened"] == (after["opened"].sum() > before["opened"].sum())
        if before["seat"][0] == 0 and not after["over"][0]:  # the line of the last discard says how the round ended
            line = log_line(game, before, action, after, None, ["Ann", "Bob"])
            said["opens"] += "opens the team" in line
            said["blocks"] += "is blocked" in line
            counted["opens"] += event["opened"]
            counted["blocks"] += DISCARD + SWORD <= action < ASK
    assert said == counted and min(said.values()) > 0
