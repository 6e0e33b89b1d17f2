"""What a tournament found: standings and matrix on the screen, the matrix as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from . import pairings
from .pairings import Cell, Pairing
from .round_robin import Tournament


def report(tournament: Tournament) -> None:
    """Print the tables and write `payoff.png` beside the results."""
    names, game = tournament.settings["agents"], tournament.game
    pairs = pairings.pairings(len(names), len(game.teams))
    matches = {pair: pairings.from_json(tournament.pairings[tournament.key(pair)]) for pair in pairs}
    cells = pairings.cells(matches, len(game.teams))
    title = f"{game.name}, {game.players} players, {tournament.settings['deals']} deals a pairing"
    screen = Console()
    screen.print(_standings(names, cells, title))
    screen.print(_matrix(names, cells))
    _draw(tournament.folder / "payoff.png", names, cells, title)
    screen.print(f"kept in {tournament.folder}: {tournament.file.name}, payoff.png")


def _standings(names: Sequence[str], cells: Mapping[Pairing, Cell], title: str) -> Table:
    table = Table("", "agent", "score", "reward", title=f"{title}; 95 % intervals")
    found = {i: pairings.standing([cell for pair, cell in cells.items() if pair[0] == i]) for i in range(len(names))}
    for place, i in enumerate(sorted(found, key=lambda i: -found[i][0].mean), start=1):
        score, reward = found[i]
        table.add_row(str(place), names[i], str(score), str(reward))
    return table


def _matrix(names: Sequence[str], cells: Mapping[Pairing, Cell]) -> Table:
    table = Table("score against", *names)
    for i, name in enumerate(names):
        met = [cells.get((i, j)) for j in range(len(names))]
        table.add_row(name, *("" if cell is None else str(cell[0].score(cell[1])) for cell in met))
    return table


def _draw(file: Path, names: Sequence[str], cells: Mapping[Pairing, Cell], title: str) -> None:
    """The pay-off matrix; agents do not meet themselves."""
    size = 2.5 + 0.9 * len(names)
    figure = Figure(figsize=(size + 1, size), layout="constrained")
    axes = figure.add_subplot(title=title, xlabel="opponent")
    scores = [[_mean(cells.get((i, j))) for j in range(len(names))] for i in range(len(names))]
    image = axes.imshow(scores, cmap="RdYlGn", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
    for i, j in cells:
        axes.text(j, i, f"{scores[i][j]:.2f}", ha="center", va="center")
    figure.colorbar(image, ax=axes, label="score, 0.5 = even", shrink=0.8)
    figure.savefig(file, dpi=120)


def _mean(cell: Cell | None) -> float:
    return float("nan") if cell is None else cell[0].score(cell[1]).mean
