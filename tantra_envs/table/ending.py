"""The end of a round or game as text and numbers: who won, the score sheet, and the tally of a session."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.state import States
from ..drawing import Move
from ..drawing.chart import Standing
from ..drawing.drawings import module
from ..extras import module_of
from ..words.english import ORDINALS, listed

COUNTERS = {"round": "round", "round_no": "round", "hand_no": "hand"}  # fields that count finished rounds, and words
POINTS = ("totals", "scores", "score")  # fields with the points of seats or teams over all rounds


@dataclass(frozen=True)
class Sheet:
    """A score sheet as a table of text. A row is a name and one text for each team."""

    heads: list[str]
    reasons: list[list[str]]  # of the last round
    parts: list[list[str]]  # of the reasons
    rows: list[list[str]]


@dataclass
class Tally:
    """The games that were played to their end at a table, and the wins of its teams.

    The teams are counted from that of the first person, who may change seats.
    """

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)

    def count(self, places: Sequence[int], first: int) -> None:
        """Add a finished game by the places of all teams. Nobody wins a draw."""
        self.games += 1
        if max(places) > 1:
            self.wins.update((team - first) % len(places) for team, place in enumerate(places) if place == 1)

    def words(self, teams: Sequence[str], first: int) -> str:
        """Return the games won by each team: `3 games so far: You won 2, scripted won 1`; "" without opponents."""
        if not self.games or len(teams) < 2:
            return ""
        wins = [f"{name} won {self.wins[(team - first) % len(teams)]}" for team, name in enumerate(teams)]
        return f"{self.games} game{'s' * (self.games != 1)} so far: {', '.join(wins)}."


def round_word(game: Game) -> str:
    """Return the word for a round of the game: "hand", "round", or "" if the game has no rounds."""
    return next((word for field, word in COUNTERS.items() if field in game.fields), "")


def is_one_round(game: Game) -> bool:
    """Return whether the end of the first round ends the game."""
    word = round_word(game)
    return bool(word) and (game.config.get("episode") == word or game.config.get("n_rounds") == 1)


def rounds_finished(game: Game, state: States) -> int:
    """Return the number of finished rounds, 0 for games without rounds."""
    return next((int(state[field][0]) for field in COUNTERS if field in game.fields), 0)


def end_of_round(game: Game, past: Move) -> States:
    """Return the table at the end of the round that an action ended: the action also dealt the next round.

    It is the table of a game that ends with this round.
    """
    single = {"n_rounds": 1} if "n_rounds" in game.config else {"episode": round_word(game)}
    after = past.before.copy()
    after["opt"] = game.build(**{**game.config, **single}).blank["opt"]
    game.drivers.apply_row(after, 0, past.action)
    after["opt"] = past.before["opt"]
    return after


def points(game: Game, state: States) -> list[int]:
    """Return the points of every team over all rounds, or its standing in a game without points."""
    field = next((field for field in POINTS if field in game.fields), None)
    if field is None:
        standing: Standing = module(game).standing(game, state)
        return standing.teams
    return [int(number) for number in state[field][0][: len(game.teams)]]


def places(game: Game, totals: npt.NDArray[np.float64]) -> list[int]:
    """Return the place of every team, from 1, by the rewards of the seats. Equal rewards share a place."""
    rewards = [round(float(totals[team[0]]), 9) for team in game.teams]
    return [1 + sum(other > reward for other in rewards) for reward in rewards]


def is_solved(game: Game, state: States) -> bool | None:
    """Return whether a puzzle is solved; None for a game that is no puzzle."""
    own = getattr(module(game), "is_solved", None)
    solved: bool | None = own(game, state) if own else None
    return solved


def is_puzzle(game: Game) -> bool:
    """Return whether a game is a puzzle, which can be solved."""
    return is_solved(game, game.blank) is not None


def is_won(game: Game, state: States, totals: npt.NDArray[np.float64], seat: int) -> bool | None:
    """Return whether a seat won a finished game, or solved a puzzle; None for a draw or a game for one with points."""
    if len(game.teams) == 1:
        return is_solved(game, state)
    place = places(game, totals)
    return None if max(place) == 1 else place[game.team_numbers[seat]] == 1


def verdict(game: Game, state: States, totals: npt.NDArray[np.float64], seat: int | None, names: Sequence[str]) -> str:
    """Return who won and by what, as one sentence for the reader in `seat`; None = a watcher.

    Args:
        game: The game.
        state: The finished table.
        totals: The rewards of all seats.
        seat: The seat of the reader.
        names: The names of the seats for this reader, with "You" for the own seat.
    """
    if len(game.teams) == 1:
        return f"{module(game).result(game, state, names)}."
    place = places(game, totals)
    if max(place) == 1:
        return "The game was stopped at its limit. Nobody won." if state["truncated"][0] else "It is a draw."
    winners = [team for team, rank in enumerate(place) if rank == 1]
    own = winners[0] if seat is None else game.team_numbers[seat]
    figures = _figures(game, state, own, place)
    if seat is None:
        return f"{listed([names[member] for team in winners for member in game.teams[team]])} won: {figures}."
    return f"{_verdict_of(place[own], place, len(game.team_of(seat)) > 1)}: {figures}."


def _figures(game: Game, state: States, own: int, place: Sequence[int]) -> str:
    """Return the points of a team and those of the teams behind it, or of the winner: `61 points against 45`."""
    unit, made = _counted(game, state)
    behind = sorted((team for team, rank in enumerate(place) if rank > 1), key=lambda team: place[team])
    others = behind if place[own] == 1 else [place.index(1)]
    return f"{amount(made[own], unit)} against {listed([str(made[team]) for team in others])}"


def amount(number: int, unit: str) -> str:
    """Return a number of points or things: `1 point`, `3 tiles left`."""
    return f"{number} {unit.replace('s', '', 1) if number == 1 else unit}"


def _counted(game: Game, state: States) -> tuple[str, list[int]]:
    """Return what decides the game, and its number for every team: points, or for example cards left."""
    made = _made(game, state) if rounds_finished(game, state) == 1 else []
    if made or any(field in game.fields for field in POINTS):
        return "points", made or points(game, state)
    standing: Standing = module(game).standing(game, state)
    return standing.unit, standing.teams


def round_verdict(game: Game, scores: Sequence[Sequence[int]], end: States, names: Sequence[str]) -> str:
    """Return who won a finished round and by what, such as "You won the hand: 54 - 28 = +26".

    Args:
        game: The game.
        scores: The points of every team after each finished round, from the start.
        end: The table at the end of the round.
        names: The names of the seats for the reader.
    """
    word, made = round_word(game), sorted(_made(game, end))
    gains = [now - before for before, now in zip(*scores[-2:], strict=True)]
    best = min(gains) if module(game).standing(game, end).low else max(gains)
    winners = [team for team, gain in enumerate(gains) if gain == best]
    if len(winners) == len(gains):
        return f"Nobody won the {word}."
    behind = listed([f"{gain:+d}" for gain in gains if gain != best])
    figures = f"{made[-1]} - {made[-2]} = {best:+d}" if made else f"{best:+d} points against {behind}"
    return f"{listed([names[member] for team in winners for member in game.teams[team]])} won the {word}: {figures}."


def others(game: Game, totals: npt.NDArray[np.float64], seat: int | None, names: Sequence[str]) -> str:
    """Return what `verdict` leaves out: who lost if the reader is among all but one winner, or who won."""
    place = places(game, totals)
    if seat is None or len(place) < 3 or max(place) == 1:
        return ""
    own = place[game.team_numbers[seat]]
    if own == 1 and place.count(1) < len(place) - 1:
        return ""
    teams = [team for team, rank in zip(game.teams, place, strict=True) if (rank == 1) != (own == 1)]
    return f"{listed([names[member] for team in teams for member in team])} {'lost' if own == 1 else 'won'}."


def _verdict_of(own: int, place: Sequence[int], team: bool) -> str:
    """Return the verdict for a reader by its own place and the places of all teams."""
    you = "Your team" if team else "You"
    all_but_one_win = place.count(1) == len(place) - 1
    if own == 1:
        shared = place.count(1) > 1 and not all_but_one_win
        return f"{you} {'share' + 's' * team + ' first place' if shared else 'won'}"
    nobody_between = len(set(place)) == 2  # all who did not win share a place
    return f"{you} lost" if nobody_between else f"{you} came {ORDINALS[own - 1]}"


def team_names(game: Game, names: Sequence[str]) -> list[str]:
    """Return the name of every team: the names of its seats."""
    return [listed([names[member] for member in team]) for team in game.teams]


def score_sheet(
    game: Game, scores: Sequence[Sequence[int]], final: States, names: Sequence[str], moves: Sequence[Move] = ()
) -> Sheet:
    """Return the score sheet as a table of text.

    Args:
        game: The game.
        scores: The points of every team after each finished round, from the start; the first entry is the beginning.
        final: The table at the end of the last round.
        names: The names of the seats.
        moves: The actions of the last round; without them no reasons are given.
    """
    heads = ["", *team_names(game, names)]
    word = round_word(game)
    if not word:
        standing = module(game).standing(game, final)
        return Sheet(heads, [], [], [[standing.unit, *map(str, standing.teams)]])
    rows = [
        [f"{word} {number}", *(f"{now - before:+d}" for before, now in zip(*pair, strict=True))]
        for number, pair in enumerate(itertools.pairwise(scores), 1)
    ]
    reasons, parts = _reasons(game, moves, final, names) if moves else ([], [])
    if made := _made(game, final):
        reasons.append([f"points of the {word}", *map(str, made)])
    elif reasons and len(rows) > 1:  # with one round its row follows at once
        reasons.append(rows[-1])
    return Sheet(heads, reasons, parts, [*rows, ["total", *map(str, scores[-1])]])


def _reasons(
    game: Game, moves: Sequence[Move], final: States, names: Sequence[str]
) -> tuple[list[list[str]], list[list[str]]]:
    """Return where the points of the last round come from, and their parts, as rows of text, by `words.reasons`."""
    own = module_of(game, "words.reasons")
    rows: list[tuple[str, list[int]]] = own.reasons(game, moves, final) if own else []
    parts: dict[str, list[list[tuple[str, int]]]] = (
        own.parts(game, final, names) if own and hasattr(own, "parts") else {}
    )
    reasons = [[name, *(f"{points:+d}" if points else "" for points in row)] for name, row in rows]
    heads = team_names(game, names)
    return reasons, [["", *_in_words(parts[name], heads)] if name in parts else [] for name, _ in rows]


def _in_words(parts: Sequence[Sequence[tuple[str, int]]], heads: Sequence[str]) -> list[str]:
    """Return the parts of the points of every team as text. A single part has no points, and no word of the head."""
    return [
        ", ".join(f"{words} {points:+d}" for words, points in row)
        if len(row) > 1
        else "".join(words for words, _ in row if words != head)
        for row, head in zip(parts, heads, strict=True)
    ]


def _made(game: Game, final: States) -> list[int]:
    """Return the points made by every team in the last round, in a game that scores only their differences."""
    if not final["over"][0] or "points" not in game.fields or "totals" not in game.fields:
        return []
    return [int(final["points"][0][list(team)].sum()) for team in game.teams]
