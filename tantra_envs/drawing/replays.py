"""A whole game as one HTML file to step through, without other files and without a network, or as an animated GIF.

A replay for one seat contains nothing that the seat could not know.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..core.game import Game
from ..core.opinions import MISTAKE, Opinion
from ..core.options import Within, require_in
from ..core.state import States
from ..programs.files import ending, write_content
from ..words.sentences import action_words
from . import colours
from .chart import chart, legend
from .drawings import check_reader, draw, log_line, module, move, sheet_of
from .reel import PAGE, Reel
from .sheet import Move
from .text import escape

BEST = 5  # number of actions that are shown with their values
FRAMES = 24  # tables of a film
EVEN = 0.5  # the mean score of all teams, with any number of teams
FOLDER = Path(__file__).parent / "page"
Tables = Sequence[tuple[States, Move | None]]  # each table with the action before it
Thoughts = Mapping[int, Opinion]  # an agent's values of the actions, by index of the decision
Scores = Mapping[int | None, Mapping[int, Sequence[float]]]  # at every table, by reader and team; None sees all cards


class Luck(NamedTuple):
    """The parts of the result of a seat: `EVEN + deal + own + others + play` is the result."""

    seat: int
    deal: float  # chances at the first decision of the seat, less EVEN
    deal_error: float  # its standard error
    own: float  # chances that marked actions of the seat gave away; 0 or less
    others: float  # what marked actions of the other seats changed
    play: float  # the rest
    play_error: float
    result: float  # share of the other teams beaten


class Replay:
    """A game to step through, which notebooks display."""

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: str | Path) -> None:
        """Write the page, whole or not at all. Raise ValueError unless the name ends in .html."""
        path = Path(path)
        require_in("path", path, ending(".html"))
        write_content(path, self.html)

    def _repr_html_(self) -> str:
        inside = self.html.replace("&", "&amp;").replace("'", "&#x27;")
        return f"<iframe srcdoc='{inside}' style='width:100%;height:720px;border:0' title='replay'></iframe>"


def replay(
    game: Game,
    start: States,
    actions: Sequence[int],
    names: Sequence[str] | None = None,
    *,
    seat: int | None = None,
    opened: bool = False,
    title: str | None = None,
    thoughts: Thoughts | None = None,
    scores: Scores | None = None,
    luck: Sequence[Luck] = (),
    no_luck: str = "",
    reasons: Thoughts | None = None,
    methods: Sequence[str] = (),
    theme: str = "auto",
    palette: str = "plain",
) -> Replay:
    """Return the game that `actions` play from `start`, with all cards open and as each seat saw it.

    Args:
        game: The game.
        start: The first table, shape (1,). It is not changed.
        actions: All actions in playing order.
        names: Names of all seats.
        seat: Show the game only as this seat saw it.
        opened: Show it with all cards open as well.
        title: Title of the page, by default the title of the game.
        thoughts: Values of actions by an agent, by the index of the action (see `tantra_envs.core.opinions`).
        scores: Expected scores of teams at every table, from 0 to 1 (see `tantra_envs.expected_scores`).
        luck: The parts of the result of every seat (see `tantra_envs.table.review`), for readers who see all cards.
        no_luck: Why a judged game has no such parts, for the same readers.
        reasons: How the agents that played rate their own actions, by the index of the action.
        methods: How the agent of each seat chooses, as a sentence, or "". It is shown where there are no reasons.
        theme: auto, light or dark.
        palette: plain, colour-blind or felt.

    Raises:
        ValueError: An action is illegal, or another argument is not allowed.
    """
    colours.check_look(theme, palette)
    seat, names = check_reader(game, seat, names)
    tables = list(played(game, start, actions))
    seats = [None, *range(game.players)] if seat is None else [seat, None] if opened else [seat]
    thoughts, methods = thoughts or {}, methods or [""] * game.players
    game.check("methods", methods, len(methods) == game.players, f"{game.players} texts, or none")
    choices = {ply: opinion for ply, opinion in (reasons or {}).items() if len(opinion.values) > 1}
    fields: dict[str, Any] = {
        "thoughts": _thoughts(game, tables, thoughts, seats, names),
        "reasons": _reasons(game, tables, choices, thoughts, seats, names),
        "methods": methods,
        "mistake": MISTAKE,
        "scores": [_scores(game, tables, (scores or {}).get(reader, {})) for reader in seats],
    }
    look = {
        "TITLE": escape(title or game.title),
        "THEME": PAGE if theme == "auto" else f"{PAGE} {theme}",
        "STYLE": colours.style(PAGE, colours.PALETTES[palette]) + _file("replay.css") + colours.felt_style(),
        "SCRIPT": _file("enlarge.js") + _file("replay.js"),
    }
    best = {ply: opinion.best for ply, opinion in thoughts.items() if opinion.values}
    fields["luck"] = [[seat_luck._asdict() for seat_luck in luck] if reader is None else [] for reader in seats]
    fields["no_luck"] = [no_luck if reader is None else "" for reader in seats]
    words = look | parts(game, tables, names, seats, fields, best)
    page = _file("replay.html").split("@@")  # every `@@NAME@@` is replaced; replaced text is not searched again
    return Replay("".join(words[part] if i % 2 else part for i, part in enumerate(page)))


def parts(
    game: Game,
    tables: Tables,
    names: Sequence[str],
    seats: Sequence[int | None],
    fields: Mapping[str, Any],
    best: Mapping[int, int] | None = None,
) -> dict[str, str]:
    """Return the parts of the page that depend on the game, by placeholder, for the readers in `seats`.

    `fields` adds fields to the JSON of the page. `best` has actions that are outlined on the tables before them, for
    readers who see the hand of the seat.
    The JSON is inside a script element. It contains no `<`, so that it cannot end the script.
    """
    reel = _drawn(game, tables, names, seats, best or {})
    content = {
        "names": names,
        "teams": list(game.team_numbers),
        "moves": [played.seat for _, played in tables if played],
        **fields,
        "views": [[seen, "all cards open" if seen is None else names[seen]] for seen in seats],
        "drawings": reel.packed(),
    }
    standings = [module(game).standing(game, state) for state, _ in tables]
    teams = [" + ".join(names[member] for member in team) for team in game.teams]
    return {
        "DEFS": reel.defs(),
        "FIRST": reel.first(),
        "UNIT": escape(standings[0].unit),
        "CHART": chart(standings, teams),
        "LEGEND": legend(teams),
        "JSON": json.dumps(content, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
    }


def played(game: Game, start: States, actions: Sequence[int]) -> Iterator[tuple[States, Move | None]]:
    """Yield the table before and after every action, with the last action.

    Raises:
        ValueError: An action is illegal.
    """
    state, last = start, None
    yield state, last
    for ply, action in enumerate(actions):
        try:
            game.check_action(state, game.mask(state), action)
        except ValueError as error:
            raise ValueError(f"ply {ply}: {error}") from None
        last = move(game, state, action, last)
        state = last.after
        yield state, last


def film(
    game: Game,
    start: States,
    actions: Sequence[int],
    names: Sequence[str] | None = None,
    *,
    seat: int | None = None,
    frames: int = FRAMES,
    width: int = 520,
    theme: str = "light",
    palette: str = "felt",
    seconds: float = 0.7,
) -> bytes:
    """Return tables of the game that `actions` play from `start`, evenly spread, as the bytes of a GIF.

    Args:
        game: The game.
        start: The first table, shape (1,). It is not changed.
        actions: All actions in playing order.
        names: Names of all seats.
        seat: The seat whose view is shown; None = all cards open.
        frames: The number of tables, with the first and the last one. A short game has fewer.
        width: Width in pixels.
        theme: light or dark.
        palette: plain, colour-blind or felt.
        seconds: Time of each table. The last one stays longer.

    Raises:
        ValueError: An action is illegal, or another argument is not allowed.
        ModuleNotFoundError: The extra `render` is not installed.
    """
    from .raster import gif

    game.check_in("frames", frames, Within(1))
    tables = list(played(game, start, actions))
    shown = [tables[i] for i in sorted(set(np.linspace(0, len(tables) - 1, frames).round().astype(int).tolist()))]
    drawings = [
        draw(game, state, seat, last=last, legal=False, names=names, theme=theme, palette=palette, bare=True)
        for state, last in shown
    ]
    return gif(drawings, width, seconds=seconds)


def _drawn(
    game: Game, tables: Tables, names: Sequence[str], seats: Sequence[int | None], best: Mapping[int, int]
) -> Reel:
    reel = Reel()
    for seat in seats:
        reel.begin()
        for ply, (state, last) in enumerate(tables):
            line = log_line(game, last, seat, names) if last else ""
            knows = seat is None or seat == state["seat"][0]
            only = best.get(ply) if knows else None
            reel.add(sheet_of(game, state, seat, last=last, legal=False, names=names, only=only), line)
    return reel


def _thoughts(
    game: Game, tables: Tables, thoughts: Thoughts, seats: Sequence[int | None], names: Sequence[str]
) -> dict[int, dict[str, Any]]:
    """Return what the page shows of the thoughts before each action, where the reader may know them."""
    entries = {}
    for ply, opinion in thoughts.items():
        if ply not in range(len(tables) - 1):
            raise ValueError(f"{game.name}: thoughts of ply {ply!r} are not allowed; allowed: 0..{len(tables) - 2}")
        for action, value in opinion.values.items():
            game.check("thoughts of action", action, action in range(game.actions.size), f"0..{game.actions.size - 1}")
            game.check(f"the value of action {action}", value, math.isfinite(value), "finite numbers")
        state, played = tables[ply][0], tables[ply + 1][1]
        if opinion.values and played is not None and (None in seats or played.seat in seats):
            mark, best = opinion.mark(played.action), _best(game, state, opinion, played, names)
            entries[ply] = {"worth": opinion.worth, "mark": mark, "best": best}
    return entries


def _reasons(
    game: Game, tables: Tables, reasons: Thoughts, thoughts: Thoughts, seats: Sequence[int | None], names: Sequence[str]
) -> dict[int, dict[str, Any]]:
    """Return what the page shows of the reasons of agents, with the chances of each action by the judge's thoughts."""
    entries = _thoughts(game, tables, reasons, seats, names)
    for ply, entry in entries.items():
        judged = thoughts.get(ply)
        chances = judged.values if judged and judged.is_share else {}
        errors = judged.errors if judged else {}
        shown = _shown(reasons[ply], tables[ply + 1][1])
        for row, action in zip(entry["best"], shown, strict=True):
            row.extend([_rounded(chances[action]) if action in chances else None, errors.get(action)])
    return entries


def _scores(game: Game, tables: Tables, scores: Mapping[int, Sequence[float]]) -> list[tuple[int, list[int]]]:
    """Return the team and the scores of every curve of a reader, in thousandths."""
    for team, curve in scores.items():
        game.check("scores of team", team, team in range(len(game.teams)), f"0..{len(game.teams) - 1}")
        size = len(curve) == len(tables)
        game.check(f"scores of team {team}", len(curve), size, f"{len(tables)} numbers, one for each table")
        wrong = [score for score in curve if not 0 <= score <= 1]
        game.check(f"scores of team {team}", wrong, not wrong, "numbers from 0 to 1")
    return [(team, [round(1000 * score) for score in curve]) for team, curve in scores.items()]


def _best(game: Game, state: States, opinion: Opinion, played: Move, names: Sequence[str]) -> list[list[Any]]:
    """Return the best actions and the one played: words, value, whether it was played, standard error or None."""
    shown = _shown(opinion, played)
    words = {action: action_words(game, state, action, played.seat, names) for action in shown}
    return [[words[a], _rounded(opinion.values[a]), a == played.action, opinion.errors.get(a)] for a in shown]


def _rounded(value: float) -> float:
    """Round a value for the page. Ties leave tiny negative shares, which must not become -0."""
    return round(value, 5) + 0.0


def _shown(opinion: Opinion, played: Move | None) -> list[int]:
    """Return the actions that the page shows: the agent's choice, the next ones by value, and the one played."""
    order = sorted(opinion.values, key=lambda action: (action != opinion.best, -opinion.values[action]))
    return [a for i, a in enumerate(order) if i < BEST or (played is not None and a == played.action)]


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
