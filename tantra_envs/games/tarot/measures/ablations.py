"""Ablations of Tarot: showing and calling before the play, trumps and the Fool during the play."""

from __future__ import annotations

import numpy as np

from tantra_envs.ablations import Ablation, Bools, Taking, blocks, during, never
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.games.tarot.material import FOOL, SUIT_OF, SUITS
from tantra_envs.games.tarot.view import suit_led

TRUMP_SUIT = 0


def ablations(game: Game) -> dict[str, Ablation]:
    """Return the ablations by name."""
    answers, cards = blocks(game, "yes"), blocks(game)
    trumps, fool = cards.copy(), cards.copy()
    trumps[np.flatnonzero(SUIT_OF == TRUMP_SUIT)] = True
    fool[FOOL] = True
    return {
        "calling": Ablation("never calls", never(answers, "CALL")),
        "showing": Ablation("never shows a class, so it scores none", never(answers, "DECLARE")),
        "leading-trumps": Ablation("never leads a trump while it has another card", _unless_trumps(trumps, led=False)),
        "trumping": Ablation("never trumps a suit while it has another card", _unless_trumps(trumps, led=True)),
        "fool": Ablation("plays the Fool only when no other card is legal", never(fool, "PLAY")),
    }


def _unless_trumps(actions: Bools, led: bool) -> Taking:
    """Deny these actions in the play: where a plain suit is led if `led`, else where nothing is led yet."""

    def taking(obs: Observation) -> Bools:
        suit = suit_led(obs.known)[:, None]
        fits = (suit > TRUMP_SUIT) & (suit < SUITS) if led else suit >= SUITS
        return np.asarray(actions & during(obs, ("PLAY",)) & fits)

    return taking
