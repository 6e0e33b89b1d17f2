"""The whole observation computed a second time, from the position as text, and compared number by number."""

from collections import Counter

import numpy as np
import pytest

import tantra_envs
from tantra_envs.testing import play

from .model import CARDS

PHASES = ["SETUP", "PLAY", "FOLLOW", "TARGET"]


def counted(cards, copies):
    counts = Counter(cards)
    return [counts[card] / copies for card in CARDS]


def one_hot(names, name):
    return [float(name == other) for other in names]


def source(p):
    """The zone of the seat to decide: hand, up, down."""
    if p["phase"] in ("TARGET", "OVER"):
        return [0.0, 0.0, 0.0]
    zones = {zone: p[zone][p["cur"]] for zone in ("hands", "up", "down")}
    order = ["up", "down", "hands"] if p["phase"] == "FOLLOW" else ["hands", "up", "down"]
    first = next(zone for zone in order if zones[zone])
    return one_hot(["hands", "up", "down"], first)


def expected(config, p, seat):
    n, copies = config["players"], config["copies"] * config["decks"]
    deck, limit = 20 * copies, config["max_moves"] or 1000 * copies
    acting = p["cur"] if p["phase"] != "OVER" else None
    hidden = p["setup_left"] > 0 and config["setup_hidden"]
    others = [(seat + 1 + j) % n for j in range(n - 1)]
    shown_up = {other: [] if hidden else p["up"][other] for other in others}
    seen = p["hands"][seat] + p["up"][seat] + p["pile"] + list(Counter(p["gone"]).elements())
    seen += [card for other in others for card in shown_up[other] + p["known"][other]]
    ends = [p["pile"][-1], p["pile"][0]] if p["pile"] else ["none", "none"]
    view = counted(p["hands"][seat], copies) + counted(p["up"][seat], copies)
    view += counted(p["pile"], copies) + counted(Counter(p["gone"]).elements(), copies)
    view += [(copies - Counter(seen)[card]) / copies for card in CARDS]
    view += one_hot([*CARDS, "none"], ends[0]) + one_hot([*CARDS, "none"], ends[1])
    view += [p["run"] / (config["clear_set"] or config["copies"]), len(p["pile"]) / deck, len(p["draw"]) / deck]
    view += [len(p["hands"][seat]) / deck, len(p["down"][seat]) / 3]
    view += one_hot(PHASES, p["phase"]) + source(p)
    view += [float(seat in p["out"]), float(seat == acting), p["moves"] / limit]
    for other in others:
        view += counted(p["known"][other], copies) + counted(shown_up[other], copies)
        view += [len(p["hands"][other]) / deck, len(shown_up[other]) / 3, len(p["down"][other]) / 3]
        view += [float(other in p["out"]), float(other == acting)]
    return np.array(view)


@pytest.mark.parametrize("edition", [{}, {"copies": 3}, {"setup_hidden": False, "karma_sets": False}])
@pytest.mark.parametrize("players", [2, 3, 4, 12])
def test_every_number_of_every_seat_in_whole_games(edition, players):
    more = {"copies": 3, "decks": 2} if players == 12 else {}
    game = tantra_envs.game("karma", players=players, **{**edition, **more})
    assert game.view.size == 157 + 45 * (players - 1)
    for k, state in enumerate(play(game, players)):
        if k % (3 * players) and not state["over"][0]:
            continue
        position = game.position(state)
        for seat in range(players):
            view = expected(game.config, position, seat)
            np.testing.assert_allclose(game.observation(state, seat), view, rtol=3e-7, atol=0, err_msg=f"move {k}")


def test_a_cut_off_game_shows_no_phase_and_nobody_to_decide():
    game = tantra_envs.game("karma", players=3, max_moves=4)
    *_, state = play(game, 0)
    position = game.position(state)
    for seat in range(3):
        np.testing.assert_allclose(game.observation(state, seat), expected(game.config, position, seat), rtol=3e-7)
