"""Figures of a page as its sentences, pictures and tables ask for them."""

from __future__ import annotations

from typing import Any

import polars as pl

from ..harness.formatting import digits, with_ends
from .study import LEVELS, Row


class Told:
    """The table of a page, by rows that have a value."""

    def __init__(self, figures: pl.DataFrame) -> None:
        self._figures = figures.filter(pl.col("value").is_not_null())

    def rows(self, section: str, **named: Any) -> list[Row]:
        """Those of a section, of the question, lineup, figure .. that are named."""
        wanted = [pl.col(column) == value for column, value in named.items()]
        return self._figures.filter(pl.col("section") == section, *wanted).to_dicts()

    def one(self, section: str, **named: Any) -> Row | None:
        """The first of them, if there is any."""
        return next(iter(self.rows(section, **named)), None)

    def lineups(self, section: str, **named: Any) -> list[str]:
        """Who played them, in their order."""
        return list(dict.fromkeys(row["lineup"] for row in self.rows(section, **named)))

    def levels(self) -> list[str]:
        """The players whose games against themselves are told, weakest first."""
        return [name for name in self.lineups(LEVELS) if " - " not in name]


def said(row: Row, signed: bool = False) -> str:
    """A figure with its interval."""
    return with_ends(row["value"], row["low"], row["high"], digits(row["value"]), signed)


def changed(row: Row) -> str:
    """How far it is from the base, with the interval; as many digits as it has itself."""
    return with_ends(row["change"], row["change_low"], row["change_high"], digits(row["value"]), signed=True)
