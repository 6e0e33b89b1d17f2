"""The fields of a game's state, declared once: what they hold, and who may see them.

From a table of fields come the record dtype, the documentation, the number of each card in every zone, and three
kernels. `conceal` copies what a seat may see of a table into another record. `clear` and `clear_round` empty a table
for a new game or a new round. Agents, action features and drawings work on concealed records, so what a seat does not
know cannot reach them.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .compiled.jit import Kernel, kernel, leaf
from .notation import Flag, Notation, Number, Real
from .options import Config, Options
from .state import Record, States, record

Array = npt.NDArray[Any]
SeenBy = Literal["all", "owner", "nobody", "rule"] | Kernel
LAST_SEAT = "seats"  # as a bound: the number of the last seat
MOST_ACTIONS = 2**30  # far more than any game has
WORD = 2**32  # words of a random stream are smaller
NOT_CLEARED = ("rng", "seats", "opt")  # what a new game does not empty
TEAMS = "teams"  # the field of `opt` with the number of teams; seat i is in team i % teams


@dataclass(frozen=True)
class Field:
    """One field of a state.

    Args:
        name: The name of the field.
        dtype: Its NumPy dtype; nested fields have a record.
        shape: Its shape; () = one number.
        by: "seat" or "team": the first axis has a row for each of them, or `rows`. Teams need a field `teams` of `opt`.
        rows: Consecutive entries of the first axis that belong to one seat or team.
        holds: "seat": its numbers are seats; others, such as -1, mean no seat.
        length: The field with the length of a list.
        within: The lowest and the highest number; a word names an option, or is LAST_SEAT.
        zone: Where cards lie, each in one zone. "counts" = how many of each card, along the last axis; "cards" = the
            cards, up to `length`, or without a length all that are not `empty`; a function that counts the cards of
            tables (n,), shape (n, .., cards), if several fields describe the zone. Fields that repeat what is in a
            zone have none.
        limit: The option that ends the game or round when the number reaches it; 0 = no limit.
        notation: The form in positions; a word names an entry that the game writes itself.
        seen_by: "all"; "nobody"; "owner" = the seat of the row; a kernel `sees(s, observer, seat)`, which returns
            whether `observer` sees the row of `seat`; or "rule" = the kernel `reveal` of `Fields` copies it.
        reveals: With `seen_by="rule"`: "all" = `reveal` copies it for every seat.
        empty: The number at the beginning, if there is nothing yet.
        stays: True = a new round of the same game does not empty it.
        doc: Its meaning, as a phrase.
    """

    name: str
    dtype: Any
    shape: tuple[int, ...] = ()
    _: KW_ONLY
    by: Literal["", "seat", "team"] = ""
    rows: int = 1
    holds: Literal["", "seat"] = ""
    length: str = ""
    within: tuple[int, int | str] | None = None
    zone: Literal["", "counts", "cards"] | Callable[[States], Array] = ""
    limit: str = ""
    notation: Notation | str = ""
    seen_by: SeenBy
    reveals: Literal["", "all"] = ""
    empty: int = 0
    stays: bool = False
    doc: str

    @property
    def entry(self) -> str:
        """Return the name of the entry of positions that holds the field."""
        named = self.notation if isinstance(self.notation, str) else self.notation.name
        return named or self.name

    def count(self, s: Record) -> int:
        """Return the number of rows that belong to the seats or teams at the table `s`."""
        return self.rows * int(s["seats"] if self.by == "seat" else s["opt"][TEAMS])

    def bounds(self, s: Record) -> tuple[int, int] | None:
        """Return the lowest and the highest number that the field may hold at the table `s`; None = any."""
        if self.limit:
            return 0, int(s["opt"][self.limit]) or MOST_ACTIONS
        if self.within is None:
            seat = (0, int(s["seats"]) - 1) if self.holds else None
            return self.notation.bounds() or seat if isinstance(self.notation, Notation) else seat
        low, high = self.within
        if isinstance(high, int):
            return low, high
        return low, int(s["seats"]) - 1 if high == LAST_SEAT else int(s["opt"][high])


def header(max_seats: int, limit: str = "") -> list[Field]:
    """Return the fields that environments, agents and tournaments read in every game.

    Args:
        max_seats: The most seats at a table.
        limit: The field of `opt` with the number of actions that ends a game, see `Field.limit`.
    """
    fields = [
        Field("rng", np.int64, (4,), within=(0, WORD - 1), notation=Number(), seen_by="nobody", doc="random stream"),
        Field("rewards", np.float64, (max_seats,), by="seat", notation=Real(), seen_by="all",
              doc="rewards of the last action"),
        Field("plies", np.int32, within=(0, MOST_ACTIONS), limit=limit, notation=Number(name="moves"), seen_by="all",
              doc="actions so far"),
        Field("seats", np.int8, seen_by="all", doc="number of seats at this table"),
        Field("seat", np.int8, holds="seat", notation=Number(name="cur"), seen_by="all",
              doc="seat to decide; at the end the one that acted last"),
        Field("phase", np.int8, seen_by="all", doc="index of the phase"),
        Field("over", np.int8, seen_by="all", doc="1 = the game is over"),
        Field("truncated", np.int8, notation=Flag(), seen_by="all", doc="1 = a limit of actions or turns ended it"),
    ]  # fmt: skip
    return [replace(field, stays=True) for field in fields]


class Fields:
    """The fields of a game's state in their order.

    Args:
        game: The id of the game.
        fields: All fields, the `header` first.
        reveal: A kernel `reveal(s, observer, first, known)` that fills in the fields with `seen_by="rule"`.
        cards: The names of all cards or tiles, by number.

    Raises:
        ValueError: A field has rows by team, but `opt` has no field `teams`.

    Attributes:
        dtype: The record of a state.
        conceal: The kernel `conceal(s, observer, first, known)`. It fills `known`, a record that is zero or was filled
            by it before, with what `observer` may see of `s`. Rows by seat are rotated so that the row of seat `first`
            comes first, and numbers of seats are counted from there.
        clear: The kernel `clear(s)`, which empties a table for a new game. `rng`, `seats` and `opt` stay.
        clear_round: The kernel `clear_round(s)`, which empties all fields but those that stay for the whole game.
    """

    def __init__(self, game: str, *fields: Field, reveal: Kernel | None = None, cards: Sequence[str] = ()) -> None:
        self.card_names = tuple(cards)
        self._by_name = {field.name: field for field in fields}
        opt = np.dtype(self._by_name["opt"].dtype).names or () if "opt" in self else ()
        for field in fields:
            if field.by == "team" and TEAMS not in opt:
                raise ValueError(f"{game}: {field.name}: by='team' is not allowed; allowed: if `opt` has {TEAMS!r}")
        self.dtype: np.dtype[np.void] = record([(field.name, field.dtype, field.shape) for field in fields])
        names: dict[str, Any] = {"seats_ahead": seats_ahead, "reveal": reveal}
        names |= {f"sees_{field.name}": field.seen_by for field in fields if not isinstance(field.seen_by, str)}
        cleared = [field for field in fields if field.name not in NOT_CLEARED]
        of_round = [field for field in cleared if not field.stays]
        self.conceal: Kernel = _kernel(game, "conceal", _conceal(fields, reveal is not None), names)
        self.clear: Kernel = _kernel(game, "clear", _clear("clear", cleared), names)
        self.clear_round: Kernel = _kernel(game, "clear_round", _clear("clear_round", of_round), names)

    def __iter__(self) -> Iterator[Field]:
        return iter(self._by_name.values())

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Field:
        return self._by_name[name]

    def blank(self, options: Options, config: Config, **opt: Any) -> States:
        """Return one table with nothing dealt, shape (1,).

        Args:
            options: The options of the game.
            config: The value of every option.
            opt: Values of `opt` that differ from those in `config`.
        """
        states = np.zeros(1, self.dtype)
        s = states[0]
        s["seats"] = config["players"]
        options.store(config, s["opt"])
        for name, value in opt.items():
            s["opt"][name] = value
        for field in self:
            if field.empty and field.by:
                s[field.name][: field.count(s)] = field.empty
            elif field.empty:
                s[field.name] = field.empty
        return states

    def cards(self, states: States) -> Array:
        """Return how many of each card all zones of tables (n,) hold together, shape (n, cards)."""
        held: Array = np.sum([*self.zones(states).values()], axis=0)
        return held

    def zones(self, states: States) -> dict[str, Array]:
        """Return how many of each card every zone of tables (n,) holds, by field, shapes (n, cards)."""
        found = {}
        for field in self:
            if field.zone:
                counts = self._counts(field, states)
                counts = counts.reshape(len(states), -1, counts.shape[-1]).sum(axis=1, dtype=np.int64)
                found[field.name] = np.pad(counts, ((0, 0), (0, len(self.card_names) - counts.shape[1])))
        return found

    def _counts(self, field: Field, states: States) -> Array:
        """Return how many of each card a zone holds, shape (n, .., cards); the last cards may be left out."""
        if callable(field.zone):
            return field.zone(states)
        entries: Array = states[field.name]
        if field.zone == "counts":
            return entries
        if field.length:
            inside = np.arange(entries.shape[-1]) < states[field.length][..., None]
        else:
            entries = entries if field.shape else entries[:, None]
            inside = entries != field.empty
        return tally(entries, inside, len(self.card_names))

    def table(self) -> str:
        """Return the fields as a Markdown table."""
        rows = [f"| `{f.name}` | {_kind(f)} | {_seen_by(f)} | {f.doc} |" for f in self]
        return "\n".join(["| field | dtype and shape | seen by | meaning |", "|---|---|---|---|", *rows])


def tally(entries: Array, inside: Array, kinds: int) -> Array:
    """Count the numbers 0 .. kinds - 1 among the `entries` (.., k) that are `inside` (.., k); return (.., kinds)."""
    *axes, most = entries.shape
    row = np.arange(entries.size // most).reshape(*axes, 1)
    numbered = (entries.astype(np.int64) + kinds * row)[inside]
    return np.bincount(numbered, minlength=kinds * row.size).reshape(*axes, kinds)


def _kind(field: Field) -> str:
    """Return dtype and shape as a phrase."""
    kind = np.dtype(field.dtype)
    words = "record" if kind.names else kind.name
    return f"{words} {field.shape}" if field.shape else words


def _seen_by(field: Field) -> str:
    """Return as a phrase who sees a field; `owner` of a row is its seat."""
    return field.reveals or (field.seen_by if isinstance(field.seen_by, str) else "depends")


# The kernels, written as source and then compiled like any other


@leaf
def seats_ahead(seat: int, first: int, seats: int) -> int:
    """Return the number of a seat counted from seat `first`. Numbers that are not seats of the table do not change.

    There is no branch, so that loops over cards compile to vector instructions.
    """
    sits = (seat >= 0) & (seat < seats)
    return int(seat - first * sits + seats * (sits & (seat < first)))


AHEAD = "seats_ahead({}, first, seats)"


def _conceal(fields: Sequence[Field], reveal: bool) -> Iterator[str]:
    """Yield the lines of `conceal`."""
    yield "def conceal(s, observer, first, known):"
    yield '    """Fill `known` with what `observer` may see of `s`, rows by seat counted from seat `first`."""'
    yield "    seats = int(s.seats)"
    for field in fields:
        if not field.by and field.seen_by == "all":
            yield from _indented(_copy_field(field))
    yield "    for seat in range(seats):"
    yield f"        row = {AHEAD.format('seat')}"
    for field in fields:
        if field.by == "seat" and field.seen_by not in ("nobody", "rule"):
            yield from _indented(_copy_row(field, "seat"), 2)
    if by_team := [field for field in fields if field.by == "team" and field.seen_by == "all"]:
        yield f"    groups = int(s.opt.{TEAMS})"
        yield "    for team in range(groups):"
        yield "        row = seats_ahead(team, first % groups, groups)"
        for field in by_team:
            yield from _indented(_copy_row(field, "team"), 2)
    if reveal:
        yield "    reveal(s, observer, first, known)"


def _clear(name: str, fields: Sequence[Field]) -> Iterator[str]:
    """Yield the lines of a kernel that empties some fields. Rows that no seat or team has are empty already."""
    yield f"def {name}(s):"
    yield '    """Empty the fields of a game or of a round."""'
    for owner, owners in (("", ""), ("seat", "int(s.seats)"), ("team", f"int(s.opt.{TEAMS})")):
        own = [field for field in fields if field.by == owner]
        if owner and own:
            yield f"    for {owner} in range({owners}):"
        for field in own:
            yield from _indented(_empty(field), 2 if owner else 1)


def _empty(field: Field) -> Iterator[str]:
    """Yield the lines that empty a field, or its row of a seat or team."""
    target, value = f"s.{field.name}", str(field.empty)
    if not field.by:
        yield from _copy(np.dtype((field.dtype, field.shape)), "", target, (), (), value)
        return
    row = np.dtype((field.dtype, field.shape[1:]))
    if field.rows > 1:
        yield f"for k in range({field.rows}):"
        yield from _indented(_copy(row, "", target, (), (f"{field.rows} * {field.by} + k",), value))
    else:
        yield from _copy(row, "", target, (), (field.by,), value)


def _copy_field(field: Field) -> Iterator[str]:
    """Yield the lines that copy a field that everybody sees and that has no rows by seat."""
    source, target = f"s.{field.name}", f"known.{field.name}"
    if field.length and field.holds:
        yield f"for i in range({field.shape[0]}):"
        yield f"    {target}[i] = {AHEAD.format(source + '[i]')} if i < s.{field.length} else 0"
    else:
        yield from _copy(np.dtype((field.dtype, field.shape)), source, target, (), (), AHEAD if field.holds else "{}")


def _copy_row(field: Field, owner: str) -> Iterator[str]:
    """Yield the lines that copy the row of a seat or team, or zeros where the observer does not see it."""
    value = AHEAD if field.holds else "{}"
    if field.seen_by != "all":
        sees = "seat == observer" if field.seen_by == "owner" else f"sees_{field.name}(s, observer, seat)"
        yield f"sees = int({sees})"
        value += " * sees"
    row, depth, source, target = np.dtype((field.dtype, field.shape[1:])), 0, owner, "row"
    if field.rows > 1:
        yield f"for k in range({field.rows}):"
        depth, source, target = 1, f"{field.rows} * {owner} + k", f"{field.rows} * row + k"
    lines = _copy(row, f"s.{field.name}", f"known.{field.name}", (source,), (target,), value)
    yield from _indented(lines, depth)


def _copy(
    kind: np.dtype[Any], source: str, target: str, at: Sequence[str], to: Sequence[str], value: str
) -> Iterator[str]:
    """Yield the lines that copy numbers, arrays and records, each number as `value` of it.

    at, to: the indices of the entry that is copied, and of the one it goes to.
    """
    axes = [f"i{axis}" for axis in range(len(kind.shape))]
    for depth, (axis, size) in enumerate(zip(axes, kind.shape, strict=True)):
        yield " " * 4 * depth + f"for {axis} in range({size}):"
    source, target = source + _index((*at, *axes)), target + _index((*to, *axes))
    if kind.base.names:
        for name in kind.base.names:
            part = _copy(kind.base[name], f"{source}.{name}", f"{target}.{name}", (), (), value)
            yield from _indented(part, len(axes))
    else:
        yield " " * 4 * len(axes) + f"{target} = {value.format(source)}"


def _index(indices: Sequence[str]) -> str:
    return f"[{', '.join(indices)}]" if indices else ""


def _indented(lines: Iterator[str], depth: int = 1) -> Iterator[str]:
    return (" " * 4 * depth + line for line in lines)


def _kernel(game: str, name: str, lines: Iterator[str], names: dict[str, Any]) -> Kernel:
    """Return the kernel of a source text. Tracebacks show its lines."""
    file, source = f"<{name} of {game}>", "\n".join(lines)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    own = {**names, "__name__": f"tantra_envs.games.{game}"}  # stored machine code is read by importing it
    exec(compile(source, file, "exec"), own)  # the source is made above, from the game's own table
    compiled: Kernel = kernel(own[name])
    return compiled
