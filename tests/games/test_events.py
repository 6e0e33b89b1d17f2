"""Events on known positions and in whole games: they follow from the tables, and sentences say them."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.drawing import move
from tantra_envs.extras import module_of
from tantra_envs.games.kanastic.material import RANK_NAMES
from tantra_envs.games.tantra.state import Mode
from tantra_envs.games.tantrix.board.hexes import cell_at
from tantra_envs.games.tantrix.state import Phase
from tantra_envs.games.tantrix.words.placements import decode
from tantra_envs.games.tarot.material import CARD_NAMES
from tantra_envs.games.tarot.words.events import Source
from tantra_envs.games.tarot.words.reasons import reasons
from tantra_envs.opponents import opponent
from tantra_envs.words.sentences import log_line

NAMES = ["Ann", "Bob", "Cy"]
NOBODY = {"taker": -1, "owner": -1, "winner": -1, "card": -1}  # of all other fields nothing is 0

PILE = {"hands": [["7", "9", "GIVE"], ["8", "9", "10"], ["2", "3", "4"]], "pile": ["3", "7"], "draw": []}
DOWN = {"hands": [[], ["8", "9"], ["2"]], "up": [[], [], []], "down": [["4"], ["3"], ["5"]], "pile": ["6", "7"]}
KARMA = [
    (PILE, ["play 9"], {"card": "9", "count": 1}),
    (PILE, ["play 7"], {"card": "7", "count": 1, "cleared": 3}),  # K-40
    (PILE, ["pickup"], {"taker": 0, "taken": 2}),  # K-31
    (PILE, ["play GIVE"], {"card": "GIVE", "count": 1}),  # whom, is still asked
    (PILE, ["play GIVE", "give 2"], {"taker": 2, "taken": 2}),  # K-60
    ({**PILE, "hands": PILE["hands"][:2]}, ["play GIVE"], {"card": "GIVE", "count": 1, "taker": 1, "taken": 2}),
    ({**PILE, "pile": []}, ["play GIVE"], {"card": "GIVE", "count": 1}),
    (DOWN, ["flip"], {"card": "4", "taker": 0, "taken": 3}),  # K-33
    ({**DOWN, "pile": ["6", "3"]}, ["flip"], {"card": "4", "count": 1}),
    ({**DOWN, "pile": ["6", "4"]}, ["flip"], {"card": "4", "count": 1, "cleared": 3}),
]
NINES, OTHER = "9H 9H 9D 9D 9S 9C", "QH QD 7H 8D"
TURN = {"phase": "MELD", "cur": 0, "turn": 3, "stock": "4*4C 4*5C"}
FORMS = {**TURN, "hands": ["9H SW 4H 5D", OTHER], "tables": [{"ranks": {"9": NINES}}]}
LAST = {**FORMS, "tables": [{"ranks": {"9": f"{NINES} 9C"}}]}
SUIT = {"suit": ["7", "7G 8G 9G 10G JG QG"]}
TAKES = {**TURN, "phase": "DRAW", "hands": ["AH AD KS 4H 5D", OTHER], "pile": "9H QH AC",
         "tables": [{"ranks": {"K": "KH KD KC"}}]}  # fmt: skip
KANASTIC = [
    (FORMS, ["ADD 9H"], {"canastas": {"9": 1}, "first": 1}),
    ({**FORMS, "tables": [{"ranks": {"9": NINES, "K": "KH KH KD KD KC KC KS"}}]}, ["ADD 9H"], {"canastas": {"9": 1}}),
    (FORMS, ["DISCARD 4H"], {}),
    (FORMS, ["DISCARD SW"], {"blocks": 1}),
    ({**LAST, "hands": ["4H", OTHER]}, ["DISCARD 4H"], {"ended": 1, "out": 1}),
    ({**LAST, "hands": ["SW", OTHER]}, ["DISCARD SW"], {"blocks": 1, "ended": 1, "out": 1, "doubled": 1}),
    ({**FORMS, "hands": ["KG 4H 5D", OTHER], "tables": [SUIT]}, ["SUIT + KG"], {"suit": 1}),
    ({**TURN, "hands": ["AH AD AC 4H 5D", OTHER]}, ["NEW A {HDC}"], {"opened": 1}),
    ({**TURN, "phase": "DRAW", "hands": ["4H 5D", OTHER], "stock": "4C TP"}, ["DRAW"], {"pots": 1}),
    (TAKES, ["TAKE_STACK", "NEW A {HDC}"], {}),
    (TAKES, ["TAKE_STACK", "NEW A {HDC}", "DISCARD 4H"], {"stack": 2}),
]
TRADE = {"display": 10, "wild": "A", "hands": ["2C", "3D", "4D"], "phase": "ASK", "cur": 1, "stock": "5D 6D 7D",
         "discard": "9S 2H"}  # fmt: skip
DRAWS = {**TRADE, "phase": "DRAW", "cur": 0}
RUN = {"sets": [{"seat": 1, "slot": 0, "run": "H", "start": 5, "cards": "5H 6H 7H"}], "laid_turn": [0, 0, -1]}
LAYING = {"display": 15, "wild": "9", "hands": ["8H 4C WILD", "3D", "3D"], **RUN}
TANTRA = [
    (TRADE, ["pass"], {}),
    (TRADE, ["buy"], {}),
    (TRADE, ["buy", "refuse"], {"taker": 0}),
    (TRADE, ["buy", "allow"], {"taker": 1, "bought": 1}),
    (TRADE, ["buy", "allow", "keep"], {}),
    (TRADE, ["pass", "pass", "take"], {"taker": 0}),
    ({**DRAWS, "config": {"buy_order": "turn_player_first"}}, ["draw", "buy"], {"taker": 1, "bought": 1}),
    (DRAWS, ["draw"], {}),
    (LAYING, ["lay off on 1.0 high", "place 8H"], {"owner": 1, "placed": {"8H": 1}}),
    (LAYING, ["lay off on 1.0 high"], {"owner": 1}),
    (LAYING, ["discard 4C"], {}),
]
PLAY = {"hands": [["CK", "S2", "T0"], ["T5", "S3", "S4"]], "leader": 0, "dealer": 1}
SHOW = {"hands": [["W2", "W3", "W4"], ["T17", "T18", "T19"]], "dealer": 0, "phase": "DECLARE", "cur": 1,
        "class": "greater"}  # fmt: skip
CALL = {"hands": [["T17", "T18", "T19"], ["CK", "SK", "W2"]], "dealer": 0, "phase": "CALL", "cur": 1}
CUT = {"points": {"TRICKS 1": 5, "KINGS 1": 5}, "winner": 1, "trick": "CK T5"}  # T-50
TAROT = [
    (PLAY, ["CK"], {}),
    (PLAY, ["CK", "T5"], CUT),
    (PLAY, ["S2", "S4"], {"points": {"TRICKS 1": 1}, "winner": 1, "trick": "S2 S4"}),  # T-64
    (PLAY, ["T0"], {"points": {"FOOL 0": 5}}),  # T-62
    ({**PLAY, "hands": [["CK"], ["T5"]], "trick_no": 24}, ["CK", "T5"], CUT),
    (SHOW, ["YES"], {"points": {"SHOWN 1": 5}}),  # T-31
    (SHOW, ["NO"], {}),
    (CALL, ["YES"], {"points": {"CALLED 1": 5}}),  # T-45
    ({**CALL, "config": {"auto_declare": True}}, ["YES"], {"points": {"CALLED 1": 5, "SHOWN 0": 5}}),
]
PLACES = {  # names of the places of a field with several numbers
    "canastas": RANK_NAMES,
    "placed": tantra_envs.game("tantra").fields.card_names,
    "points": [f"{source.name} {seat}" for source in Source for seat in range(3)],
}


def played(name, position, *words):
    """Return the game, the tables before and after the last of some actions, and its number."""
    seats = {"tantra": 3, "kanastic": 2}.get(name) or len(position["hands"])
    config = position.get("config", {}) | ({"episode": "round"} if name == "kanastic" else {})
    game = tantra_envs.game(name, players=seats, **config)
    after = game.from_position({field: value for field, value in position.items() if field != "config"})
    for word in words:
        before, action = after.copy(), game.parse_action(after, word)
        game.apply_action(after, action)
    return game, before, action, after


def facts(game, event):
    """Return what an event has, in words."""
    found = {name: event[name] for name in event.dtype.names if name != "padding"}
    found = {name: value for name, value in found.items() if np.any(value != NOBODY.get(name, 0))}
    for name, value in found.items():
        if name == "trick":
            found[name] = " ".join(CARD_NAMES[card] for card in value[: game.players])
        elif name == "card":
            found[name] = game.fields.card_names[value]
        elif name in PLACES:
            found[name] = {PLACES[name][i]: value.flat[i] for i in np.flatnonzero(value)}
    return found


@pytest.mark.parametrize(
    ("name", "position", "actions", "expected"),
    [(name, *row) for name, rows in (("karma", KARMA), ("kanastic", KANASTIC), ("tantra", TANTRA), ("tarot", TAROT))
     for row in rows],
)  # fmt: skip
def test_what_an_action_did(name, position, actions, expected):
    game, before, action, after = played(name, position, *actions)
    assert facts(game, module_of(game, "words.events").events(before, action, after)[0]) == expected


def test_points_shown_after_a_call_are_not_for_the_call():
    """Without questions the next seat shows its cards at once."""
    game, before, action, after = played("tarot", {**CALL, "config": {"auto_declare": True}}, "YES")
    assert dict(reasons(game, [move(game, before, action)], after)) == {"calls": [0, 5], "cards shown": [5, 0]}


def follows_in_tantrix(game, event, before, action, after):
    """Without the names and numbers of actions: they differ between encodings."""
    placement, was, now = decode(game, before, action), before[0], after[0]
    assert event["tile"] == (placement[0] if placement else 0)
    assert not placement or event["cell"] == cell_at(*placement[1:3])
    if game.config["mode"] == "strategy":
        colours = now["colours"][: game.players]
        assert event["gained"][: game.players].tolist() == (now["best"] - was["best"])[colours].tolist()
        assert event["fills"] == (was["phase"] != Phase.FREE)


def follows(game, event, before, action, after):
    """Check an event against the tables before and after it."""
    was, now = before[0], after[0]
    if game.id == "tantrix":
        follows_in_tantrix(game, event, before, action, after)
    elif game.id == "karma":
        assert event["taker"] < 0 or now["pile_n"] == 0
        assert event["cleared"] <= now["gone"].sum() - was["gone"].sum()
    elif game.id == "kanastic":
        assert event["opened"] == now["opened"].sum() - was["opened"].sum()
    elif game.id == "tarot":
        assert (event["points"].sum(axis=0) == now["points"] - was["points"]).all()
    elif event["owner"] >= 0 and not now["over"]:
        assert event["placed"].sum() == was["hand_n"][was["turn"]] - now["hand_n"][was["turn"]]
        assert now["mode"] != Mode.LAYING_OFF or event["owner"] == now["target"]


SOLD = {"bought": (lambda event, was: event["taker"] == 0 and event["bought"], r" sells .*to Ann")}
PILES = {
    "taken": (lambda event, was: event["taker"] == 0, r"Ann picks up|^Ann takes the pile"),
    "cleared": (lambda event, was: was["seat"] == 0 and event["cleared"], r"^Ann.*leaves the game"),
}
TEAM = {
    "opened": (lambda event, was: was["seat"] == 0 and event["opened"], r"^Ann.*opens the team"),
    "blocks": (lambda event, was: was["seat"] == 0 and event["blocks"], r"^Ann.*is blocked"),
}
TRICKS = {"won": (lambda event, was: event["winner"] == 0, r"(^|; )Ann [^;]*wins the (last )?trick")}
MODES = ["strategy", "points", "gobble", "race", "solitaire", "discovery", "pyramid", "daily"]


@pytest.mark.parametrize(("name", "config", "agent", "games", "told"), [
    ("karma", {"players": 3}, "uniform", 6, PILES),
    ("kanastic", {"players": 2, "episode": "round"}, "uniform", 2, TEAM),
    ("tantra", {"players": 3, "n_rounds": 1}, "scripted", 3, SOLD),
    ("tarot", {"players": 2, "episode": "hand"}, "uniform", 4, TRICKS),
    ("tarot", {"players": 3, "auto_declare": True, "king_cut": "any", "episode": "hand"}, "uniform", 4, TRICKS),
    *((f"tantrix:{mode}", {}, "uniform", 1, {}) for mode in MODES),
    ("tantrix", {"players": 3}, "uniform", 2, {}),
])  # fmt: skip
def test_events_follow_from_the_tables_and_sentences_say_them(name, config, agent, games, told):
    game, rng, counted, said = tantra_envs.game(name, **config), np.random.default_rng(5), Counter(), Counter()
    player, own = opponent(agent, game), module_of(game, "words.events")
    for seed in range(games):
        after = game.new(seed)
        while not after["over"][0] and after["plies"][0] < 400:
            before, action = after.copy(), int(player.act(Observation(game, after), rng)[0])
            game.apply_action(after, action)
            event = own.events(before, action, after)[0]
            follows(game, event, before, action, after)
            line = log_line(game, before, action, after, None, NAMES[: game.players]) if told else ""
            for fact, (happens, words) in told.items() if not after["over"][0] else ():
                counted[fact] += bool(happens(event, before[0]))
                said[fact] += bool(re.search(words, line))
    assert said == counted and all(counted[fact] > 0 for fact in told)
