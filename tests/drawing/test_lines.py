"""The lines that Tantrix emphasises are those that it scores."""

import pytest

from tantra_envs.games.tantrix import drawing

from .tables import built, moments


@pytest.mark.parametrize("config", [{"players": 4}, {"mode": "solitaire"}])
def test_the_emphasised_line_is_worth_the_score(config):
    game = built("tantrix", config)
    for seed in range(4):
        for state, _ in moments(game, seed):
            s = state[0]
            cells = {t: drawing._cell(int(s["cell"][t])) for t in range(1, 57) if s["cell"][t]}
            board = {cell: (tile, int(s["rot"][tile])) for tile, cell in cells.items()}
            for number, colour in enumerate("RYGB", start=1):
                line = drawing._longest(board, colour, 2)
                assert s["best"][number] in (len(line), 2 * len(line))
