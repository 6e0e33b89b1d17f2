"""The whole observation computed a second time, from the position as text, and compared number by number."""

from collections import Counter

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantra.material import CARD_NAMES, DISPLAY_CARDS
from tantra_envs.testing import play

from . import oracle
from .contract import BASE
from .table import Table

PHASES = ["ASK", "DRAW", "REPLY", "PEEK", "MAIN", "TEMPLATE", "PLACE"]
RANKS, SUITS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], "CDHS"
FLAGS = {"no buying": 1, "no jokers": 2, "no wild cards": 4, "identical": 8, "nineteen": 16}


def counted(cards):
    counts = Counter(cards)
    return [counts[card] for card in CARD_NAMES]


def one_hot(names, name):
    return [float(name == other) for other in names]


def natural(suit, place):
    return RANKS[(place - 1) % 13] + suit


def may_be_paired(lies, high):
    """Is the end card of a run natural in its place, and nobody's mate? (R-33)"""
    inward = -1 if high else 1
    cards = lies["cards"]
    place = lies["start"] + (len(cards) - 1 if high else 0)
    if not cards or cards[-1 if high else 0] != natural(lies["run"], place):
        return 0.0
    neighbour = cards[inward + (-1 if high else 0)] if len(cards) > 1 else None
    return float(neighbour != natural(lies["run"], place))


def of_set(lies):
    if "kind" in lies:
        return [1, 0, RANKS.index(lies["kind"]) + 1, 0, 0, 0, 0, 0, 0, len(lies["cards"]), 0, 0]
    first = lies["start"]
    last = first + len(lies["cards"]) - 1
    ends = [may_be_paired(lies, False), may_be_paired(lies, True)]
    return [0, 1, 0, *one_hot(SUITS, lies["run"]), first, last, len(lies["cards"]), *ends]


def being_built(p):
    """The set that is being laid down or off as it lies, its owner and slot, and the direction."""
    build, way = p["build"], 0
    if build["mode"] == "lay down":
        words, owner, slot = (build["template"] or "").split(), p["turn"], build["slot"]
        lies = {"seat": owner, "slot": slot, "cards": build["placed"]}
        if not words:
            return None, owner, slot, way
        lies.update({"kind": words[1]} if words[0] == "kind" else {"run": words[1], "start": int(words[2])})
        return lies, owner, slot, way
    where, *end = build["on"].split()
    owner, slot = map(int, where.split("."))
    lies = dict(next(lies for lies in p["sets"] if (lies["seat"], lies["slot"]) == (owner, slot)))
    if end == ["high"]:
        lies["cards"], way = lies["cards"] + build["placed"], 1
    elif end == ["low"]:
        lies["cards"], way = build["placed"][::-1] + lies["cards"], -1
        lies["start"] -= len(build["placed"])
    return lies, owner, slot, way


def of_build(p, sizes):
    """Slot, mode, template, and where the next card goes."""
    lies, _, slot, way = being_built(p)
    down = p["build"]["mode"] == "lay down"
    view = [*one_hot(range(5), slot), float(down), float(not down)]
    view += one_hot(RANKS, lies and lies.get("kind")) + one_hot(SUITS, lies and lies.get("run"))
    if lies is None:
        return [*view, *[0] * 6]
    placed = p["build"]["placed"]
    rest = sizes[slot] - len(placed) if down else 1
    if "kind" in lies:
        return [*view, 0, 0, rest, 0, 0, way]
    cards, first = lies["cards"], lies["start"]
    place = first - 1 if way < 0 else first + len(cards)
    must = free = False
    if cards:
        outward = way or 1
        at, card = place - outward, cards[0 if way < 0 else -1]
        must = bool(placed) and 1 <= place <= 14 and card == natural(lies["run"], place)
        free = bool(may_be_paired(lies, outward > 0))
        if placed and way:
            free = card == natural(lies["run"], at)  # a group that goes on ends with a duplicate
    return [*view, first, place, rest, float(must), float(free), way]


def lacking(p, seat):
    """The fewest jokers more with which the sets could be made."""
    kinds, runs, flags = DISPLAY_CARDS[p["display"] - 1]
    contract = [("kind", size) for size in kinds] + [("run", size) for size in runs]
    hand = [CARD_NAMES.index(card) for card in p["hands"][seat]]
    if flags & FLAGS["no jokers"]:
        hand = [card for card in hand if card != oracle.JOKER]
    rainbow = bool(flags & 8)
    for more in range(1 + sum(size for _, size in contract)):
        if oracle.can_lay_down(contract, hand + [oracle.WILD] * more, rainbow, True, 0):
            return more
    raise AssertionError(f"{hand} and jokers in every place make no {contract}")


POINTS = {**dict.fromkeys(["2", "3", "4", "5", "6", "7"], 5), "JK": 25, "WILD": 100}


def points(card):
    return POINTS.get(card, POINTS.get(card[:-1], 10))


def expected(game, p, seat):
    """What `seat` sees; `aux` is looked at by itself."""
    n, config = game.players, game.config
    kinds, runs, flags = DISPLAY_CARDS[p["display"] - 1]
    sizes = [*kinds, *runs]
    public = p["recycles"] > 0
    buys = 0 if flags & 1 else 4 if flags & 16 else 3
    sets = {(lies["seat"], lies["slot"]): lies for lies in p["sets"]}
    if "build" in p:
        lies, owner, slot, _ = being_built(p)
        if lies:
            sets[owner, slot] = lies
    placed = p["build"]["placed"] if "build" in p else []
    tabled = [card for lies in p["sets"] for card in lies["cards"]] + placed
    view = counted(p["hands"][seat])
    for j in range(1, n):
        view += counted(p["known"][seat][(seat + j) % n])
    view += counted(p["discard"]) + one_hot(CARD_NAMES, p["discard"][-1] if p["discard"] else None)
    view += counted(tabled) + counted(p["stock"] if public else [])
    coming = list(p["stock"][:2]) if public else []
    if p["phase"] == "PEEK":
        coming = [p["peeked"] if public or seat == p["turn"] else None, *p["stock"][: 1 if public else 0]]
    for card in [*coming, None, None][:2]:
        view += one_hot(CARD_NAMES, card)
    for j in range(n):
        other = (seat + j) % n
        laid = p["laid_turn"][other] >= 0
        left = 0 if laid else buys - p["buys_used"][other]
        view += [len(p["hands"][other]), laid, p["buys_used"][other], left, p["scores"][other]]
        view += [p["dealer"] == other, p["turn"] == other, p.get("requester", -1) == other]
    for j in range(n):
        for slot in range(5):
            lies = sets.get(((seat + j) % n, slot))
            view += of_set(lies) if lies else [0] * 12
    for i in range(5):
        view += [i < len(kinds), len(kinds) <= i < len(sizes), sizes[i] if i < len(sizes) else 0]
    view += [bool(flags & bit) for bit in (1, 2, 4, 8)] + [buys, sum(sizes), 11 + 2 * buys]
    view += one_hot(RANKS, p["wild"]) + one_hot(PHASES, p["phase"])
    view += of_build(p, sizes) if "build" in p and seat == p["turn"] else [0] * 30
    limit = config["max_turns_per_player"] * n
    view += [len(p["stock"]), len(p["discard"]), p["turns"], limit - p["turns"], p["round"]]
    view += [max(0, config["n_rounds"] - p["round"] - 1), p["recycles"], len(p["hands"][seat])]
    packs = config["n_packs"] or (2 if n < 6 else 3 if n < 8 else 4)
    return np.array([*view, packs, n], np.float64)


@pytest.mark.parametrize(
    "config",
    [BASE, {**BASE, "display_cards": [4, 9, 30], "n_rounds": 1}, {"players": 9, "max_turns_per_player": 8}],
    ids=["every phase", "identical pairs", "nine seats"],
)
def test_every_number_of_every_seat_in_whole_games(config):
    game = tantra_envs.game("tantra", **config)
    assert game.view.size == 409 + 122 * game.players and game.actions.size == 181 + 10 * game.players
    aux = game.view["aux"].start
    for k, state in enumerate(play(game, 3)):
        p = game.position(state)
        if k % 5 and p["phase"] not in ("TEMPLATE", "PLACE"):
            continue
        for seat in range(game.players):
            seen, view = game.observation(state, seat), expected(game, p, seat)
            wrong = np.flatnonzero(seen[:aux] != view)
            named = [(game.view.at(int(i)).name, i - game.view.at(int(i)).start) for i in wrong]
            assert not named, f"move {k}, seat {seat}, {p['phase']}: {named}"
            laying = p["phase"] == "MAIN" and p["turn"] == seat and "lay down" in words(game, state)
            assert seen[aux:].tolist() == [laying, -1, sum(map(points, p["hands"][seat]))]


def words(game, state):
    return {game.action_name(state, action) for action in game.legal(state)}


def test_cards_lacking_are_as_by_brute_force():
    game = tantra_envs.game("tantra", players=3, aux_deficit=True, max_turns_per_player=2)
    told = game.view["aux"].start + 1
    for display in (6, 11, 21, 27, 41):
        for state in play(game.build(**{**game.config, "display_cards": [display]}), display):
            p = game.position(state)
            if p["phase"] == "MAIN" and p["laid_turn"][p["turn"]] < 0:
                assert game.observation(state, p["turn"])[told] == lacking(p, p["turn"])


def test_without_memory_nothing_is_known_of_others():
    table = Table({"track_known": False}, display=41, wild="A", hands=["2C", "3D", "4S"], phase="DRAW", stock="",
                  discard="2H 4D 8D").do("draw")  # fmt: skip
    assert not any(table.seen(1, "known")) and not any(table.seen(1, "stock")) and not any(table.seen(1, "next"))


def test_where_naturals_are_needed_no_number_of_wild_cards_may_help():
    config = {"aux_deficit": True, "min_naturals_per_set": 2}
    table = Table(config, display=10, wild="A", hands=["2C WILD", "3D", "4S"])
    assert table.seen(0, "aux")[1] == 12  # all cards of three kinds of four
    assert table.seen(1, "aux")[1] == 12
    assert Table({"aux_deficit": True}, display=10, wild="A", hands=["2C WILD", "3D", "4S"]).seen(0, "aux")[1] == 10
