"""Tarot: showing and calling before the play, trumps and the Fool in it."""

from __future__ import annotations

import numpy as np

from tantra_envs.ablations import Ablation, Bools, Taking, blocks, during, never
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.games.tarot.material import FOOL, SUIT_OF

TRUMP_SUIT = 0


def ablations(game: Game) -> dict[str, Ablation]:
    """Return the ablations by name."""
    answers, cards = blocks(game, "yes"), blocks(game)
    trumps, fool = cards.copy(), cards.copy()
    trumps[np.flatnonzero(SUIT_OF == TRUMP_SUIT)] = True
    fool[FOOL] = True
    return {
        "calling": Ablation("never calls", never(answers, "CALL")),
        "showing": Ablation("never shows a class, and scores none", never(answers, "DECLARE")),
        "leading-trumps": Ablation("leads no trump while it has another card", _unless_trumps(trumps, led=False)),
        "trumping": Ablation("trumps no suit while it has another card", _unless_trumps(trumps, led=True)),
        "fool": Ablation("plays the Fool only when nothing else is left to play", never(fool, "PLAY")),
    }


def _unless_trumps(actions: Bools, led: bool) -> Taking:
    """These actions go in the play, where a suit but trumps is led, or where nothing is."""

    def taking(obs: Observation) -> Bools:
        shown = obs.observation[:, obs.game.view["suit_led"].slice] > 0
        led_to = shown[:, TRUMP_SUIT + 1 :].any(axis=1, keepdims=True)
        fits = led_to if led else ~shown.any(axis=1, keepdims=True)
        return np.asarray(actions & during(obs, ("PLAY",)) & fits)

    return taking
