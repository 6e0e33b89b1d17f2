"""What is said at chosen tables and of the actions there. Write it again with `python -m tests.words.golden`.

A case is a game, its options, a position or the seed of a deal, and actions: names, or how many that come first or last
in the list of legal ones.
"""

import difflib
import itertools
from pathlib import Path

import tantra_envs
from tantra_envs.drawing.drawings import module
from tantra_envs.games import SHIPPED
from tantra_envs.programs.files import write_content
from tantra_envs.words import sentences

FILE = Path(__file__).with_name("golden.txt")
NAMES = ["Ann", "Bob", "Cy", "Dot"]
MOST = 12  # legal actions that are listed

KARMA = {"hands": [["7", "9", "GIVE"], ["8", "9", "10"], ["2", "3", "4"]], "pile": ["3", "7"], "draw": []}
BLIND = {"hands": [[], ["8", "9"], ["2"]], "up": [[], [], []], "down": [["9"], ["3"], ["4"]], "pile": ["5"]}
LAST = {"hands": [["9"], ["8"]], "up": [[], []], "down": [[], []], "pile": ["5"], "draw": []}
OUT = {"hands": [["7"], ["8", "9"], ["2"]], "up": [[], [], []], "down": [[], ["3"], ["4"]], "pile": ["1"], "draw": []}
TRICK = {"hands": [["CK", "S2"], ["T5", "S3"]], "leader": 0, "dealer": 1}
CALL = {"hands": ["T21 WK W2 W3", "S3 S4 S5 S6"], "phase": "CALL", "cur": 0}
ROW = {"hands": ["T0 T1 T2 T3 W2", "S3 S4 S5 S6 S7"], "phase": "DECLARE", "cur": 0}
STACK = {"hands": ["7H 7D 4C 5D"], "phase": "DRAW", "tables": [{"ranks": {"K": "KH KD KC"}}]}
OPENS = {"hands": ["4G 5G 6G AH AH AD AD AC AC AS 7H 8D"]}
KINDS = ["5C", "5D", "5H", "5S", "8C", "8D", "8H", "8S", "2H", "3H", "4H", "KC"]
RUNS = ["6C", "7C", "8C", "9C", "6C", "8H", "9H", "10H", "JH", "KC"]
TURN = {"phase": "MAIN", "turn": 0, "cur": 0, "turns": 4}
DECLINED = {"hands": [["2C"], ["3D"], ["4D"]], "display": 10, "wild": "A", "phase": "DRAW", "discard": ["2H"]}

CASES = [
    ("karma", {"players": 3}, KARMA, ["play 7"]),
    ("karma", {"players": 3}, KARMA, ["play GIVE", "give 1"]),
    ("karma", {"players": 3, "copies": 3}, {**KARMA, "hands": [["7", "7", "9", "16"], ["8"], ["2"]]}, ["first"]),
    *(("karma", {"players": 3}, {**KARMA, "pile": [top]}, []) for top in ("1", "15", "16")),
    ("karma", {"players": 3}, BLIND, ["flip"]),
    ("karma", {"players": 3}, {**BLIND, "pile": ["1"]}, []),
    ("karma", {"players": 3, "voluntary_pickup": False}, {**KARMA, "hands": [["2", "TABLE"], ["8"], ["3"]]},
     ["play TABLE"]),
    ("karma", {"players": 3, "voluntary_pickup": False},
     {"hands": [["2", "3"], ["8"], ["9"]], "up": [["4"], [], []], "pile": ["9"], "draw": []}, ["first"]),
    ("karma", {"players": 2}, {"hands": [["TABLE", "2"], ["8"]], "up": [["9"], []], "pile": ["5"], "draw": []},
     ["play TABLE", "play 9"]),
    ("karma", {"players": 2}, 3, ["first"] * 7),
    ("karma", {"players": 2, "max_moves": 2}, 3, ["first"] * 2),
    ("karma", {"players": 2}, LAST, ["play 9"]),
    ("karma", {"players": 3, "reward": "winlose"}, OUT, ["play 7"]),
    ("karma", {"players": 3, "reward": "placement"}, OUT, ["play 7"]),
    ("tarot", {"players": 2}, TRICK, ["CK", "T5"]),
    ("tarot", {"players": 2}, CALL, ["YES"]),
    ("tarot", {"players": 2, "call_points": 0}, CALL, ["YES"]),
    ("tarot", {"players": 2, "max_moves": 1}, {**CALL, "hands": ["T21 WK W2 W3", "T0 T1 S5 S6"]}, ["YES"]),
    ("tarot", {"players": 2}, {**CALL, "hands": ["T21 WK W2 W3", "T0 T1 S5 S6"]}, ["YES", "first", "first"]),
    ("tarot", {"players": 2, "dealer": 1, "max_moves": 1}, 1, ["first"]),
    ("tarot", {"players": 2, "dealer": 1}, 170, ["last"] * 9),
    ("tarot", {"players": 2, "episode": "hand"}, {"hands": [["CK"], ["T5"]], "leader": 0, "dealer": 1, "trick_no": 24},
     ["CK", "T5"]),
    *(("tarot", {"dealer": 0, "discard_rule": rule}, 1, []) for rule in ("none", "no_tarots", "no_trumps_kings")),
    *(("kanastic", {}, {**STACK, "pile": pile}, []) for pile in ("7C", "9H 7C", "9H 8H 7C")),
    *(("kanastic", {"partial_suit_opens": any_suit}, {**OPENS, "scores": [score, 0]}, [])
      for any_suit in (False, True) for score in (0, 2000, 5000)),
    ("tantra", {"players": 3}, 3, ["pass"] * 2),
    ("tantra", {"players": 3}, {"hands": [KINDS, ["9C"], ["9D"]], "display": 12, "wild": "2", **TURN},
     ["lay down", *["first"] * 4]),
    ("tantra", {"players": 3}, {"hands": [RUNS, ["9C"], ["9D"]], "display": 21, **TURN}, ["lay down"]),
    ("tantra", {"players": 3, "auto_forced": False},
     {"hands": [KINDS, ["9C"], ["9D"]], "display": 12, "wild": "2", **TURN}, ["lay down", "kind 5", "place 5C"]),
    ("tantra", {"players": 3, "n_packs": 4},
     {"hands": [[*["7C"] * 4, *["8D"] * 3, "8H", "KC"], ["9C"], ["9D"]], "display": 6, **TURN}, ["lay down"]),
    ("tantra", {"players": 3, "buy_order": "turn_player_first"}, {**DECLINED, "stock": ["5D", "6D", "7D"]},
     ["draw", "pass", "pass"]),
    *((name, {}, 5, ["first"] * 12 + ["last"] * 12) for name in SHIPPED),
]  # fmt: skip
GLOSSARIES = [*((name, {}) for name in SHIPPED), ("kanastic", {"suit_rule": "any", "shield_penalty": 35})]


def lines():
    """Yield the lines of the file."""
    for name, config, start, actions in CASES:
        yield from ("", f"# {name} {config} {start}")
        game = tantra_envs.game(name, **config)
        state = game.from_position(start) if isinstance(start, dict) else game.new(start)
        yield from played(game, state, actions)
    for name, config in GLOSSARIES:
        yield from ("", f"# glossary of {name} {config}")
        for term, meaning in sentences.glossary(tantra_envs.game(name, **config)).items():
            yield f"{term}: {meaning}"


def played(game, state, actions):
    """Yield what is asked of every seat, the legal actions, and what every seat is told of those that are played."""
    for action in (*actions, None):
        if state["over"][0]:
            yield module(game).result(game, state, names(game, 0))
            return
        seat, legal = int(state["seat"][0]), game.legal(state)
        yield from by_reader("?", [sentences.prompt(game, state, i, names(game, i)) for i in range(game.players)])
        phrases = [sentences.action_words(game, state, one, seat, names(game, seat)) for one in legal[:MOST]]
        yield f"   {'; '.join(phrases)}"
        if action is not None:
            place = {"first": 0, "last": -1}.get(action)
            chosen = game.parse_action(state, action) if place is None else legal[place]
            before = state.copy()
            game.apply_action(state, chosen)
            said = [sentences.log_line(game, before, chosen, state, i, names(game, i)) for i in range(game.players)]
            yield from by_reader(":", said)
            yield f"= {sentences.effect(game, before, chosen, state)}"


def by_reader(mark, said):
    """Yield what the seats are told, once for all that are told the same."""
    for text in dict.fromkeys(said):
        yield f"{' '.join(str(seat) for seat, other in enumerate(said) if other == text)}{mark} {text}"


def names(game, reader):
    return ["You" if seat == reader else name for seat, name in enumerate(NAMES[: game.players])]


def difference():
    """Return the lines in which the file differs from what is said now."""
    kept = FILE.read_text(encoding="utf-8").splitlines()
    return list(itertools.islice(difflib.unified_diff(kept, [*lines()], lineterm="", n=1), 40))


if __name__ == "__main__":
    write_content(FILE, "\n".join(lines()) + "\n")
