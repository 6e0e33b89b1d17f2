"""A Tantra table set up by a position and played by the names of actions."""

from tantra_envs.games.tantra.material import CARD_NAMES

from ..table import GameTable

DECK = [card for card in CARD_NAMES[:53] for _ in range(4 if card == "JK" else 2)]  # two packs with their jokers


class Table(GameTable):
    """`Table(config, display=10, hands=["7C 7D", ..], stock="..")`; then `do("draw")`, `legal`, `table["discard"]`."""

    id = "tantra"
