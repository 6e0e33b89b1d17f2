"""The whole observation computed a second time, from the position as text, and compared number by number."""

from collections import Counter

import numpy as np
import pytest

import tantra_envs
from tantra_envs.testing import play

from .table import Table

RANKS = ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
KINDS = [f"{rank}{suit}" for rank in RANKS for suit in "HDSCG"] + ["SW", "AR", "SH"]
VALUE = dict(zip(RANKS, [5] * 5 + [10] * 5 + [20], strict=True))
PHASES = ["FIRST", "DRAW", "PICKUP", "MELD", "ANSWER"]


def copies(rule):
    few = [2, 2, 1, 2, 1] if rule == "three_suits" else [7, 0, 0, 0, 1]
    return np.array(few * 11 + [8, 4, 4])


def counted(cards):
    counts = Counter(cards)
    return np.array([counts[kind] for kind in KINDS], float)


def one_hot(size, index):
    return [float(i == index) for i in range(size)]


def laid(table):
    cards = [card for rank in table["ranks"].values() for card in rank]
    return cards + (table["suit"][1] if table["suit"] else [])


def points_of(card):
    return {"SW": 25, "AR": 50}.get(card) or VALUE[card[:-1]]


def table_points(table, pots):
    points = sum(map(points_of, laid(table))) + [0, 100, 200, 300, 1200][pots]
    for rank, cards in table["ranks"].items():
        if len(cards) >= 7:
            natural = not {"SW", "AR"} & set(cards)
            points += (1000 if natural else 500) if rank == "A" else (600 if natural else 300)
    if table["suit"] and len(table["suit"][1]) >= 7:
        points += 2500 if "AR" in table["suit"][1] else 5000
    return points


def team_block(config, p, team):
    table, ranks = p["tables"][team], p["tables"][team]["ranks"]
    suit = table["suit"] or ["4", []]
    at = {RANKS.index(suit[0]) + i: card for i, card in enumerate(suit[1])}
    naturals = [len([c for c in ranks.get(r, []) if c not in ("SW", "AR")]) for r in RANKS]
    wild = {w: [ranks.get(r, []).count(w) for r in RANKS] for w in ("SW", "AR")}
    long = [len(ranks.get(r, [])) >= 7 for r in RANKS]
    mixed = [bool(a + b) for a, b in zip(wild["SW"], wild["AR"], strict=True)]
    block = [n / 8 for n in naturals] + [n / 3 for n in wild["SW"]] + [n / 3 for n in wild["AR"]]
    block += [float(a and not b) for a, b in zip(long, mixed, strict=True)]
    block += [float(a and b) for a, b in zip(long, mixed, strict=True)]
    block += [float(at.get(r, "AR") != "AR") for r in range(11)] + [float(at.get(r) == "AR") for r in range(11)]
    complete = len(at) >= 7
    block += [float(complete and "AR" not in suit[1]), float(complete and "AR" in suit[1]), p["pots"][team] / 4]
    block += [float(p["opened"][team]), float(p["unlocked"][team]), float(complete or any(long))]
    block += [max(-2, min(2, p["scores"][team] / config["target_score"])), *one_hot(4, p["stage"][team] - 1)]
    return [*block, min(2, table_points(table, p["pots"][team]) / 5000)]


def expected(config, p, seat):
    n, teams = config["players"], len(p["scores"])
    own = seat % teams
    have, over = copies(config["suit_rule"]), p["phase"] == "OVER"
    others = [(seat + j) % n for j in range(1, n)]
    shown = p["top_taken"] if p["phase"] == "PICKUP" else (p["pile"] or [None])[-1] if p["taken"] != 2 else None
    seen = [*p["hands"][seat], *p["pile"], *[card for table in p["tables"] for card in laid(table)]]
    seen += [card for other in others for card in p["known"][other]]
    seen += [p["top_taken"]] if p["phase"] == "PICKUP" and seat != p["cur"] else []
    share = np.maximum(have, 1)
    view = [*(counted(p["hands"][seat]) / share), *(counted(p["pile"]) / share), *counted([shown])]
    view += [*((have - counted(seen)) / share)]
    for j in range(3):
        view += [*(counted(p["known"][others[j]] if j < n - 1 else []) / share)]
    for j in range(3):
        view += team_block(config, p, (own + j) % teams) if j < teams else [0.0] * 89
    view += [min(2, len(p["hands"][(seat + j) % n]) / 40) if j < n else 0.0 for j in range(4)]
    view += [len(p["stock"]) / 108, len(p["pile"]) / 108, *one_hot(4, p["block_left"]), float(p["turn"] == 1)]
    view += [*one_hot(5, -1 if over else PHASES.index(p["phase"])), float(not over and p["cur"] == seat)]
    view += one_hot(4, -1 if over else (p["cur"] - seat) % n) + one_hot(4, (p["dealer"] - seat) % n)
    view += one_hot(2, p["taken"] - 1)
    view += one_hot(12, -1 if p["pick"] is None else [*RANKS, "SUIT"].index(p["pick"]))
    opening = bool(laid(p["tables"][own])) and not p["opened"][own]
    view += [float(opening)]
    stage = p["stage"][own] - 1
    need = [[45, 90, 120, 0][stage] / 120, 0.0, 0.0, [3, 1, 2, 3][stage] / 3]
    if opening:
        cards = laid(p["tables"][own])
        need[1] = min(1, sum(map(points_of, cards)) / 120)
        need[2] = min(1, sum(card in ("SW", "AR") for card in cards) / 3)
    view += [0.0] * 4 if p["opened"][own] else need
    view += [float(p["asked"]), float(p["answer"] == "YES"), float(p["answer"] == "NO")]
    view += [
        min(1, p["reshuffles"] / 10),
        p["turn"] / config["max_turns"],
        min(1, p["round_no"] / config["max_rounds"]),
    ]
    return np.array(view + one_hot(3, n - 2))


@pytest.mark.parametrize(
    "config",
    [
        {"episode": "round"},
        {"players": 3, "episode": "round", "start_scores": (6000, 2000, -500)},
        {"players": 2, "suit_rule": "any", "pickup_wilds": True, "max_rounds": 2},
        {"target_score": 500, "partial_suit_opens": True},
        {"players": 2, "max_moves": 40},
    ],
    ids=str,
)
def test_every_number_of_every_seat(config):
    game = tantra_envs.game("kanastic", **config)
    assert game.view.size == 726
    for k, state in enumerate(play(game, 5)):
        if k % 5 and not state["over"][0] and game.phases[state["phase"][0]] not in ("PICKUP", "ANSWER"):
            continue
        position = game.position(state)
        for seat in range(game.players):
            view = expected(game.config, position, seat)
            np.testing.assert_allclose(game.observation(state, seat), view, rtol=3e-7, atol=0, err_msg=f"move {k}")


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"hands": ["AH AD 4H 5D 6C 7H"], "pile": "9H AC"}, ["TAKE_TOP", "NEW A {HDC}", "DISCARD 4H", "DRAW"]),
        (
            {"hands": ["8G 9G 10S AR 5D"], "pile": "9H 7C 10G", "tables": [{"suit": None, "ranks": {"K": "KH KD KC"}}]},
            ["TAKE_STACK", "NEWSUIT 8-9-10", "ADD AR to K", "DISCARD 5D", "DRAW"],
        ),
        (
            {
                "hands": ["8G 9G 4H 5D"],
                "pile": "9H",
                "tables": [{"suit": ["4", "4G AR 6G 7G"]}, {"suit": ["Q", "QG KG AG"]}],
            },
            ["DRAW", "SUIT + 8G", "DISCARD 5D", "DRAW"],
        ),
    ],
)
def test_every_number_of_a_turn_step_by_step(position, words):
    table = Table(phase="DRAW", stock="5*9C", **position)
    for text in [None, *words]:
        if text:
            table.do(text)
        for seat in range(4):
            view = expected(table.game.config, table.game.position(table.state), seat)
            np.testing.assert_allclose(table.game.observation(table.state, seat), view, rtol=3e-7, atol=0, err_msg=text)
