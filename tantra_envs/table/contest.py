"""A match of a person: numbered deals that are played once each, and then by agents in the same seat.

A match continues from the records of its finished games. A game with a hint or with an undone decision would say
nothing about the person, so a table allows neither during a match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..core.game import Game
from ..core.observation import Agent
from ..matches.comparison import Comparison, PersonalGame, compare
from ..matches.seeds import deal_seeds
from .history import History, people_at, saved_history


class Contest:
    """The deals of a match and the games that have been played on them.

    Args:
        game: The game.
        seats: The word of each seat; one is a person.
        seed: Seed of the deals.
        deals: Number of deals.
        agents: Names of the agents that play the deals at the end.
        build: Returns the agent of a name.
        report: Called with the result of the match as text.
        finished: Games that were played before. Those of other matches are left out.

    Raises:
        ValueError: Not exactly one seat is a person, an agent cannot play, or no deal is left.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: int,
        deals: int,
        agents: Sequence[str],
        build: Callable[[str], Agent],
        report: Callable[[str], object] = print,
        finished: Iterable[History] = (),
    ) -> None:
        people = people_at(seats)
        if len(people) != 1:
            raise ValueError(f"a match is for one person against agents, not for {len(people)} people")
        self.game, self.seats, self.report = game, list(seats), report
        self.deals = [int(number) for number in deal_seeds(seed, 0, deals)]
        self.agents = {name: build(name) for name in agents}
        self.others = {word: build(word) for i, word in enumerate(seats) if i != people[0]}
        self.games: dict[int, PersonalGame] = {}
        for history in finished:
            self.enter(history)
        if self.next_deal is None:
            raise ValueError(f"deals={deals} is not allowed: all of them are recorded; allowed: more, or another seed")

    @property
    def next_deal(self) -> int | None:
        """The first deal that has no game; None at the end of the match."""
        return next((number for number in self.deals if number not in self.games), None)

    @property
    def status(self) -> str:
        """The number of finished games as a sentence."""
        return f"{len(self.games)} of {len(self.deals)} deals of the match are played."

    def enter(self, history: History) -> None:
        """Enter a finished game, unless it belongs to another match or had help."""
        facts = history.facts
        if (
            history.game.config == self.game.config
            and history.game.id == self.game.id
            and [_role(word) for word in facts.seats] == [_role(word) for word in self.seats]
            and facts.deal in self.deals
            and facts.deal not in self.games
            and not why_not(history)
        ):
            self.games[facts.deal] = personal_game(history)

    def conclude(self) -> Comparison:
        """Let the agents play all deals, report the result and return it."""
        comparison = compare(self.game, [self.games[deal] for deal in self.deals], self.agents, self.others)
        against = ", ".join(word for i, word in enumerate(self.seats) if i not in people_at(self.seats))
        self.report(f"{len(self.deals)} deals of {self.game.name} against {against}:\n{comparison.text()}")
        return comparison


def _role(word: str) -> str:
    """Return a word of `--seats` without the name of a person."""
    return "me" if people_at([word]) else word


def why_not(history: History) -> str:
    """Return why a game says nothing about how well a person plays its deal, or ""."""
    facts = history.facts
    if not history.state["over"][0]:
        return "is not finished"
    if len(people_at(facts.seats)) != 1:
        return "is not of one person against agents"
    if not history.is_whole:
        return "does not begin with a numbered deal"
    if facts.hints or facts.undone:
        return "had hints" if facts.hints else "had undone decisions"
    return "repeats a deal" if facts.repeated else ""


def personal_game(history: History) -> PersonalGame:
    """Return the result of a finished game of one person."""
    facts = history.facts
    assert facts.deal is not None
    return PersonalGame(facts.deal, tuple(facts.seats), people_at(facts.seats)[0], history.totals.tolist())


def recorded(folder: Path) -> list[History]:
    """Return the saved games of a folder, in the order of their names. Raise ValueError if one is damaged."""
    histories = []
    for file in sorted(folder.glob("*.json"), key=lambda file: file.stem):  # in the order of their times
        try:
            histories.append(saved_history(file.read_bytes()))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
    return histories
