"""The drawing of Kanastic: golden cards, the formations of each team, and the stack with its lock.

The reader clicks a card of the hand first (`data-choose` is its name). The formation or the stack where it can go has
the action (`data-for` that name). Actions that begin a formation have buttons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....drawing.cards import back, backs, empty, face, lock, suited
from ....drawing.cards import badge as number
from ....drawing.chart import Standing
from ....drawing.layout import BACKS, CARD_W, Box, Spot, bounds, fan, spread
from ....drawing.shapes import shape
from ....drawing.sheet import Sheet
from ....drawing.table import bottom, headline, hidden_card, others, panel, to_decide
from ....words.english import PLURALS, counted, in_digits
from ..agents.standing import points
from ..material import CARD_NAMES, NATURALS, POT, RANK_NAMES, RANKS, VARIANTS
from ..state import Taken
from .positions import formation, golden_suit
from .reasons import LAID, held_points, laid_points
from .sentences import blocked, title, why_not_taken

STAGES = ("I", "II", "III", "IV")
SPECIALS = {  # shape and colour
    "SW": ("blade", "blue"),
    "AR": ("gem", "violet"),
    "SH": ("shield", "red"),
    "TP": ("pot", "amber"),
}
ORDERS = ("rank", "suit")
SHOWN = 12  # cards of the stack that are drawn
LINE = 11.0  # height of a line of facts
NARROW = 150.0  # width of a panel without room for further facts
TURN = 96.0  # width of the card taken in this turn


def paint(sheet: Sheet, game: Game, state: States) -> None:
    """Draw the table: other seats on top, then stock, stack and formations, the observer below."""
    s, n = state[0], game.players
    rest = headline(
        sheet, f"Kanastic · round {s['round_no'] + 1 - s['over']} · turn {s['turn']}", _now(sheet, game, state)
    )
    above, rest = rest.top(104 if sheet.is_open else 68, 4)
    for seat, box in zip(others(sheet), above.grid(n - 1, n - 1), strict=True):
        _seat(sheet, game, s, seat, box)
    piles, rest = rest.top(78, 2)
    _piles(sheet, game, state, piles)
    tables, rest = rest.top(162, 4)
    own = sheet.front % len(game.teams)
    boxes = tables.grid(len(game.teams), len(game.teams))
    for i, box in enumerate(boxes):
        _team(sheet, game, s, (own + i) % len(game.teams), box)
    _seat(sheet, game, s, sheet.front, bottom(sheet, rest, 112))


def result(game: Game, state: States, names: Sequence[str]) -> str:
    """Return who won, and all totals."""
    s = state[0]
    winners = [_team_name(game, team, names) for team in range(len(game.teams)) if s["winner"][team]]
    scores = " : ".join(str(s["score"][team]) for team in range(len(game.teams)))
    return f"{'Stopped at the limit: ' if s['truncated'] else ''}{' and '.join(winners) or 'nobody'} won, {scores}"


def standing(game: Game, state: States) -> Standing:
    """Return the totals; during a round they include the points on the table."""
    return Standing("points", points(game, state)[0].tolist())


def _now(sheet: Sheet, game: Game, state: States) -> str:
    s = state[0]
    if game.phases[s["phase"]] == "ANSWER":
        return f"{sheet.names[s['asker']]} asks: may I go out?"
    return to_decide(sheet, game, state)


def _team_name(game: Game, team: int, names: Sequence[str]) -> str:
    """Return the names of a team. A word with which all of them begin is said once: "Opponent 1 + 2"."""
    first, *others = [names[seat] for seat in game.teams[team]]
    word = first.rpartition(" ")[0]
    return " + ".join([first, *(other.removeprefix(f"{word} ") if word else other for other in others)])


# The stock and the stack


def _piles(sheet: Sheet, game: Game, state: States, box: Box) -> None:
    s = state[0]
    stock, rest = box.left(70)
    sheet.text(stock.x + 35, stock.y + 9, "stock", 8.2, "soft m")
    spot = Spot(stock.x + 16, stock.y + 15, 0.8)
    n = int(s["stock_n"])
    if n:
        for i in (3, 1.5):
            backs(sheet, [Spot(spot.x + i, spot.y + i, spot.scale)])
        action = game.actions["draw"].start
        does = ": draw a card" if action in sheet.legal else ""
        sheet.use(sheet.symbol("back", back), spot, f"stock of {counted(n, 'card')}{does}", action=action)
        number(sheet, spot.x + CARD_W * spot.scale, spot.y + 2, str(n))
    else:
        empty(sheet, spot)
    turn, w = bool(s["taken"] or s["asked"]), rest.w - 8
    _stack(sheet, game, s, _why_not(sheet, game, state), Box(rest.x + 8, rest.y, w - TURN - 6 if turn else w, rest.h))
    _turn(sheet, s, Box(rest.x + rest.w - TURN, rest.y, TURN, rest.h))


def _why_not(sheet: Sheet, game: Game, state: States) -> str:
    """Return why the reader, who is to draw, cannot take discards; "" for others, and if an action takes them."""
    s = state[0]
    if game.phases[s["phase"]] != "DRAW" or sheet.seat not in (None, int(s["seat"])):
        return ""
    takes = {game.actions[name].start for name in ("take_top", "take_stack")}
    return "" if takes & set(game.legal(state)) else why_not_taken(game, state, sheet.names)


def _stack(sheet: Sheet, game: Game, s: Any, why: str, box: Box) -> None:
    """Draw the discards, the top one last and with their number, and with a lock while the stack is blocked."""
    pile = s["pile"][: s["pile_n"]].tolist()
    waits = " · waits for the discard" if s["taken"] == Taken.STACK and pile else ""
    is_blocked = s["block_left"] and not s["over"]
    fact = f" · {blocked(s, sheet.names)}" if is_blocked else waits
    sheet.text(box.x + box.w / 2, box.y + 9, f"stack of {len(pile)}{fact}", 8.2, "soft m")
    zone = Box(box.x + 10, box.y + 14, box.w - 20, box.h - 18)
    spots = fan(zone, max(1, min(SHOWN, len(pile))), 40)
    if not pile:
        empty(sheet, spots[0])
    for card, spot in zip(pile[-SHOWN:], spots, strict=False):
        top = spot is spots[min(SHOWN, len(pile)) - 1]
        where = f", on top of the stack{f', which you cannot take: {why}' if why else ''}" if top else ""
        sheet.use(_face(sheet, card), spot, f"{title(card)}{where}", mark="last" if top else "")
    if len(pile) > SHOWN:
        number(sheet, spots[0].x, spots[0].y + 4, f"+{len(pile) - SHOWN}")
    if len(pile) > 1:
        number(sheet, spots[-1].x + CARD_W * spots[-1].scale, spots[-1].y + 3, str(len(pile)))
    if is_blocked:
        lock(sheet, spots[-1].x + 30, spots[-1].y + 40, 22, "ink")
    area = bounds(spots, 2)
    sheet.spot(area, action=game.actions["take_top"].start)
    sheet.spot(area, action=game.actions["take_stack"].start)
    for kind in range(NATURALS + 3):
        action = game.actions["discard"].start + kind
        sheet.spot(area, action=action, choose=CARD_NAMES[kind])


def _turn(sheet: Sheet, s: Any, box: Box) -> None:
    """Draw the card taken in this turn, and the question to the partner."""
    if s["taken"]:
        sheet.text(box.x + box.w / 2, box.y + 9, "with the stack" if s["taken"] == 2 else "taken", 8.2, "soft m")
        spot = Spot(box.x + box.w / 2 - 18, box.y + 15, 0.72)
        sheet.use(_face(sheet, int(s["top_taken"])), spot, f"{title(int(s['top_taken']))}, taken in this turn")
    if s["asked"] and not s["over"]:
        said = {-1: "May I go out?", 0: "partner: rather not", 1: "partner: yes"}[int(s["answer"])]  # KN-63
        sheet.text(box.x + box.w / 2, box.y + box.h - 4, said, 8.2, "b m", box.w)


# Teams


def _team(sheet: Sheet, game: Game, s: Any, team: int, box: Box) -> None:
    """Draw the formations of a team by rank, its golden suit and its pots."""
    active = not s["over"] and s["seat"] in game.teams[team]
    room = panel(sheet, box, _team_name(game, team, sheet.names), "", turn=active)
    lines = _facts(s, team, box.w > NARROW)
    room, below = room.top(room.h - LINE * len(lines))
    for i, line in enumerate(lines):
        sheet.text(below.x + 1, below.y + 9 + LINE * i, line, 8.2, "soft", below.w)
    groups = [(RANK_NAMES[r], formation(s, team, r)) for r in range(RANKS)]
    groups += [("suit", golden_suit(s, team)), ("pots", [POT] * int(s["pots"][team]))]
    groups = [(what, cards) for what, cards in groups if cards]
    spots = spread(room, [len(cards) for _, cards in groups], 30)
    wheres = {"suit": "in the golden suit", "pots": "laid out"}
    for (what, cards), places in zip(groups, spots, strict=True):
        where = wheres.get(what) or f"in the {PLURALS[what]}"
        for card, spot in zip(cards, places, strict=True):
            sheet.use(_face(sheet, card), spot, f"{title(card)}, {where}")
        if len(cards) >= 7 and what != "pots":
            last = places[-1]
            number(sheet, last.x + CARD_W * last.scale - 3, last.y + 3, str(len(cards)), "turn")
        _places(sheet, game, s, team, what, bounds(places, 1))


def _facts(s: Any, team: int, wide: bool) -> list[str]:
    """Return lines about the points of a team. Its total and stage change at the end of a round [KN-40]."""
    if s["over"]:
        return [f"total {s['score'][team]}"]
    total = [f"at the start {s['score'][team]}", f"stage {STAGES[s['stage'][team] - 1]}"]
    points = zip(LAID, laid_points(s)[team].tolist(), strict=True)
    laid = " · ".join(f"{name.removeprefix('cards ')} {value}" for name, value in points if value)
    return [*([" · ".join(total)] if wide else total), *([laid] if laid else [])]


def _places(sheet: Sheet, game: Game, s: Any, team: int, what: str, area: Box) -> None:
    """Mark where the seat in turn can add cards to a formation."""
    if s["seat"] not in game.teams[team]:
        return
    first = {name: game.actions[name].start for name in ("add", "add_sword", "add_artifact", "suit_gold")}
    if what in RANK_NAMES:
        r = RANK_NAMES.index(what)
        for kind in range(VARIANTS * r, VARIANTS * (r + 1)):
            name = CARD_NAMES[kind]
            sheet.spot(area, action=first["add"] + kind, choose=name)
        for name, block in (("SW", "add_sword"), ("AR", "add_artifact")):
            sheet.spot(area, action=first[block] + r, choose=name)
    elif what == "suit":
        for r in range(RANKS):
            name = f"{RANK_NAMES[r]}G"
            sheet.spot(area, action=first["suit_gold"] + r, choose=name)
        half = area.left(area.w / 2)
        for side, end in zip(half, ("low", "high"), strict=True):
            sheet.spot(side, action=game.actions[f"suit_{end}"].start, choose="AR")


# Seats


def _seat(sheet: Sheet, game: Game, s: Any, seat: int, box: Box) -> None:
    turn = seat == s["seat"] and not s["over"]
    dealer = "dealer · " if seat == s["dealer"] and box.w > NARROW else ""
    counts = np.maximum(s["hand"][seat], s["known"][seat]).tolist()
    cards = [kind for kind, count in enumerate(counts) for _ in range(count)]
    if sheet.order == "suit":  # cards of one suit stand together, and wild cards at the end
        cards.sort(key=lambda card: (card >= NATURALS, card % VARIANTS, card))
    hidden = int(s["hand_n"][seat]) - len(cards)
    cost = "" if hidden or not cards else f" · hand -{held_points(s)[seat]}"  # if the round ended now
    facts = f"{dealer}{in_digits(int(s['hand_n'][seat]), 'card')}{cost}"
    room = panel(sheet, box, sheet.names[seat], facts, turn=turn, seat=seat)
    spots = fan(room, hidden + len(cards), 46, 0.5 if cards else BACKS)
    backs(sheet, spots[:hidden], hidden_card(sheet, seat))
    useful = _useful(sheet, game) if turn else set()
    for card, spot in zip(cards, spots[hidden:], strict=True):
        name = CARD_NAMES[card]
        sheet.use(_face(sheet, card), spot, title(card), choose=name if name in useful else "")


def _useful(sheet: Sheet, game: Game) -> set[str]:
    """Return the names of the cards in hand that have a legal action on the table."""
    blocks = game.actions
    names = {"add_sword": "SW", "add_artifact": "AR", "suit_low": "AR", "suit_high": "AR"}
    useful = set()
    for action in sheet.legal:
        block = blocks.at(action)
        k = action - block.start
        if block.name in ("add", "discard"):
            useful.add(CARD_NAMES[k])
        elif block.name == "suit_gold":
            useful.add(f"{RANK_NAMES[k]}G")
        elif block.name in names:
            useful.add(names[block.name])
    return useful


# Faces


def _face(sheet: Sheet, card: int) -> str:
    return sheet.symbol(f"c{card}", lambda: _print(CARD_NAMES[card]))


def _print(name: str) -> str:
    """Return the face of a card; golden cards are spades on gold."""
    if name in SPECIALS:
        art, colour = SPECIALS[name]
        return face(shape(art, 13, 15, 18, colour) + shape(art, 29, 43, 38, colour), "vellum")
    if name[-1] == "G":
        return suited(name[:-1], "S", paper="gold")
    return suited(name[:-1], name[-1])
