"""Tantra in plain sentences: names of cards, questions, actions and their effects, see `words.sentences`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....core.game import Game
from ....core.state import States
from ....words.english import (
    ORDINALS,
    PLURALS,
    SUITS,
    capital,
    counted,
    is_you,
    listed,
    mentioned,
    number,
    owner,
    playing_card,
    rank_name,
)
from ..actions import DISCARD, DRAW_STOCK, ENDS, KEEP, KIND, LAY_DOWN, LAY_OFF, PASS, PLACE, RUN
from ..material import FLAGS as FLAGS_OF
from ..material import (
    IDENTICAL,
    JOKER,
    KINDS,
    MAX_SETS,
    NATURALS,
    NO_JOKERS,
    RANK_NAMES,
    RANKS,
    SETS,
    SIZES,
    SUIT_NAMES,
    WILD,
    SetType,
)
from ..options import buys_allowed
from ..sets.card_counts import cards_in
from ..state import Mode, Phase
from .events import events

SECRET: frozenset[str] = frozenset()  # phases in which others do not see the action of a seat
WAITS = {
    "ASK": "deciding whether to buy the discard",
    "DRAW": "taking a card",
    "REPLY": "deciding whether to sell the discard",
    "PEEK": "looking at the next card of the pick-up pile",
    "MAIN": "laying cards or discarding",
    "TEMPLATE": "choosing the next set to lay down",
    "PLACE": "choosing the cards of a set",
}
THUMB = "complete the Display Card, and lay down when you can go out or waiting is too dangerous"
SALE = "If you sell, you see the next card of the pick-up pile, and keep it or hand it over."
ENDINGS = {2: "at once", 3: "with a Grand Slam"}  # ways to go out that score more


def title(s: Any, card: int) -> str:
    """Return the name of a card, as drawings show it: "queen of hearts", "Joker", "wild 4"."""
    if card >= JOKER:
        return "Joker" if card == JOKER else f"wild {rank_name(RANK_NAMES[s['wild']])}"
    return playing_card(RANK_NAMES[card % RANKS], SUIT_NAMES[card // RANKS])


def the(s: Any, card: int) -> str:
    """Return the name of a card inside a sentence: Jokers and wild cards exist several times."""
    return f"{'the' if card < NATURALS else 'a'} {title(s, card)}"


# Questions


def question(game: Game, state: States, names: Sequence[str]) -> str:
    """Return what the seat to decide is asked."""
    s = state[0]
    phase = Phase(int(s["phase"]))
    if phase == Phase.ASK:
        return _to_buy(s, names)
    if phase == Phase.DRAW:
        return _to_take(s, game.legal(state))
    if phase == Phase.REPLY:
        return (
            f"{names[s['requester']]} wants to buy {_discard(s)}: sell it, or refuse and take it as your draw? {SALE}"
        )
    if phase == Phase.PEEK:
        buyer = mentioned(names, int(s["requester"]))
        return f"You look at {the(s, int(s['peeked']))}: keep it, or hand it over to {buyer}?"
    if phase == Phase.MAIN:
        return _to_lay(game.legal(state))
    return _to_choose(s) if phase == Phase.TEMPLATE else _to_place(s, names)


def _discard(s: Any) -> str:
    return the(s, int(s["discard"][s["discard_n"] - 1])) if s["discard_n"] else "the discard"


def _offered(s: Any, names: Sequence[str]) -> str:
    """Return where the discard came from: the seat before the one in turn, or the deal."""
    if not s["turns"]:
        return f"{capital(_discard(s))} was turned up"
    return f"{names[(int(s['turn']) - 1) % len(names)]} discarded {_discard(s)}"


def _to_buy(s: Any, names: Sequence[str]) -> str:
    """Return the question of phase ASK, with what a purchase brings and who can prevent it [R-46, R-47]."""
    back = s["turns"] and (int(s["turn"]) - 1) % len(names) == s["seat"]
    unless = "" if s["declined"] else f", unless {mentioned(names, int(s['turn']))} refuses and takes it"
    asked = f"Buy it{' back' if back else ''}?"
    left = counted(buys_allowed(s["opt"], int(s["display"])) - int(s["buys_used"][s["seat"]]), "buy")
    return f"{_offered(s, names)}. {asked} You get it and one extra card{unless}. You have {left} left."


def _to_take(s: Any, legal: Sequence[int]) -> str:
    if len(legal) == 1:
        return "Draw from the pick-up pile." if legal[0] == DRAW_STOCK else f"Take {_discard(s)}."
    return f"Draw from the pick-up pile, or take {_discard(s)}?"


def _to_lay(legal: Sequence[int]) -> str:
    parts = ["lay down all your sets"] if LAY_DOWN in legal else []
    parts += ["add cards to sets on the table"] if legal[-1] >= LAY_OFF else []
    parts += ["discard a card to end your turn"] if any(DISCARD <= action < KIND for action in legal) else []
    sentence = listed(parts, "or")
    return f"{capital(sentence)}{'?' if len(parts) > 1 else '.'}"


def _to_choose(s: Any) -> str:
    slot, display = int(s["slot"]), int(s["display"])
    size = number(int(SIZES[display, slot]))
    which = f"your {ORDINALS[slot]} set" if SETS[display] > 1 else "your set"
    if slot < KINDS[display]:
        return f"Which rank has {which}, a kind of {size}?"
    return f"Where does {which}, a run of {size}, begin?"


def _to_place(s: Any, names: Sequence[str]) -> str:
    lies = s["sets"][s["target"] * MAX_SETS + s["slot"]]
    if s["mode"] == Mode.LAYING_OFF:
        target = int(s["target"])
        whose = "your" if target == s["seat"] else owner(names, target)
        return f"Which card do you add to {_set_of(s, target, int(s['slot']), whose)}?"
    left = f": {number(int(s['rest']))} to go"
    if lies["kind"] == SetType.KIND:
        return f"Choose the cards of your {PLURALS[RANK_NAMES[lies['rank']]]}{left}."
    return f"Which card stands for {_of_place(lies, int(s['place']))}?"


def _of_place(lies: Any, place: int) -> str:
    """Return the card whose place in a run is given."""
    return f"the {playing_card(RANK_NAMES[(place - 1) % RANKS], SUIT_NAMES[lies['suit']])}"


def _set_of(s: Any, seat: int, slot: int, whose: str) -> str:
    """Return a set on the table: "Ann's nines", "your run of hearts from 4 to 7"."""
    lies = s["sets"][seat * MAX_SETS + slot]
    if lies["kind"] == SetType.RUN:
        first, last = (rank_name(RANK_NAMES[(int(lies[end]) - 1) % RANKS]) for end in ("lo", "hi"))
        return f"{whose} run of {SUITS[SUIT_NAMES[lies['suit']]]} from {first} to {last}"
    return f"{whose} {PLURALS[RANK_NAMES[lies['rank']]]}"


# Actions


def action_words(game: Game, state: States, action: int, names: Sequence[str]) -> str:
    """Return an action as a phrase, "" if its description is one."""
    s = state[0]
    if action < DISCARD:
        return _simple(s, action, names)
    if action < KIND:
        return f"discard {the(s, action - DISCARD)}"
    if action < RUN:
        return _kind(action - KIND)
    if action < PLACE:
        return _run(s, int(s["slot"]), *divmod(action - RUN, RANKS))
    if action < LAY_OFF:
        return _placing(s, action - PLACE)
    seat, slot, end = _target(game, s, action - LAY_OFF)
    return _laying_off(s, (seat, slot, end), [the(s, card) for card in fitting(s, seat, slot, end)], names)


def consequence(game: Game, state: States, action: int) -> str:
    """Return what follows laying down where cards can be chosen: "you choose their cards next", otherwise ""."""
    s, after = state[0], state.copy()
    if action != LAY_DOWN or s["hands"][s["seat"]].sum() < s["hand_n"][s["seat"]]:  # a reader who does not see the hand
        return ""
    game.drivers.apply_row(after, 0, action)
    return "you choose their cards next" if after["phase"][0] in (Phase.TEMPLATE, Phase.PLACE) else ""


def _simple(s: Any, action: int, names: Sequence[str]) -> str:
    buyer = mentioned(names, int(s["requester"])) if s["requester"] >= 0 else "the buyer"
    peeked = the(s, int(s["peeked"])) if s["peeked"] >= 0 else "the next card of the pick-up pile"
    buy = "buy" if s["declined"] else "ask to buy"  # nobody can refuse once the seat in turn has declined
    take = "refuse to sell" if s["phase"] == Phase.REPLY else "take"
    phrases = ("", f"{buy} {_discard(s)}", "", f"{take} {_discard(s)}", f"sell {_discard(s)} to {buyer}",
               f"keep {peeked}", f"hand {peeked} over to {buyer}", "")  # fmt: skip
    return phrases[action]


def _kind(rank: int) -> str:
    return f"make a kind of {PLURALS[RANK_NAMES[rank]]}"


def _run(s: Any, slot: int, suit: int, first: int) -> str:
    """Return the choice of a run, whose size the Display Card says; places count from 0."""
    last = first + int(SIZES[s["display"], slot]) - 1
    ends = " to ".join(rank_name(RANK_NAMES[place % RANKS]) for place in (first, last))
    return f"make a run of {SUITS[SUIT_NAMES[suit]]} from {ends}"


def _placing(s: Any, card: int) -> str:
    lies = s["sets"][s["target"] * MAX_SETS + s["slot"]]
    if lies["kind"] != SetType.RUN:
        return f"place {the(s, card)}"
    place = _of_place(lies, int(s["place"]))
    return f"place {the(s, card)}" if the(s, card) == place else f"place {the(s, card)} as {place}"


def _target(game: Game, s: Any, chosen: int) -> tuple[int, int, int]:
    """Return the seat, the set and the end of a lay-off, counted from the first lay-off."""
    return (int(s["turn"]) + chosen // (ENDS * MAX_SETS)) % game.players, chosen // ENDS % MAX_SETS, chosen % ENDS


def _laying_off(s: Any, target: tuple[int, int, int], cards: Sequence[str], names: Sequence[str]) -> str:
    """Return a lay-off of one of the cards, or of any card if there are none."""
    seat, slot, end = target
    run = s["sets"][seat * MAX_SETS + slot]["kind"] == SetType.RUN
    where = f", at the {'high' if end else 'low'} end" if run else ""
    whose = "its own" if seat == s["seat"] and not is_you(names, seat) else owner(names, seat)
    return f"add {listed(cards, 'or')}{' ' if cards else ''}to {_set_of(s, seat, slot, whose)}{where}"


def fitting(s: Any, seat: int, slot: int, end: int) -> list[int]:
    """Return the cards of the seat to decide that may be added to a set at its low (0) or high (1) end.

    Return [] if the reader does not see the hand, or if cards inside the run decide as well [identical in runs].
    """
    lies, hand, flags = s["sets"][seat * MAX_SETS + slot], s["hands"][s["seat"]], int(FLAGS_OF[s["display"]])
    if lies["kind"] == SetType.KIND:
        own = [suit * RANKS + int(lies["rank"]) for suit in range(len(SUIT_NAMES))]
    elif flags & IDENTICAL:
        return []
    else:
        place = int(lies["hi"]) + 1 if end else int(lies["lo"]) - 1
        own = [int(lies["suit"]) * RANKS + (place - 1) % RANKS]
    return [card for card in (*own, WILD, JOKER) if hand[card] and not (card == JOKER and flags & NO_JOKERS)]


# Effects


def is_quiet(game: Game, before: States, action: int, after: States) -> bool:
    """Return whether a log can do without an action: a later line says more.

    A seat that does not buy is worth no line unless somebody draws at once. Laying down is one line, at its end.
    """
    s = after[0]
    if s["over"] or s["round"] > before["round"][0]:
        return False
    return bool((action == PASS and s["phase"] in (Phase.ASK, Phase.DRAW)) or s["mode"] == Mode.LAYING_DOWN)


def says_action(game: Game, action: int | None) -> bool:
    """Return whether the first effect says the action: cards that are placed are named together, set by set."""
    return action is not None and action >= KIND


def effects(
    game: Game, before: States, action: int | None, after: States, names: Sequence[str]
) -> list[tuple[int, str]]:
    """Return the effects of an action as subjects and phrases."""
    was, s = before[0], after[0]
    assert action is not None  # this game has no secret phase
    actor, event, found = int(was["seat"]), events(before, action, after)[0], list[tuple[int, str]]()
    if s["round"] > was["round"] or s["over"]:
        said = [(actor, action_words(game, before, action, names))] if says_action(game, action) else []
        return said + _round(game, s, names)
    if was["phase"] == Phase.REPLY and not event["bought"]:
        found.append((actor, "take it"))
    elif was["phase"] == Phase.PEEK:
        found.extend(_peeked(was, s, action == KEEP))
    elif s["phase"] == Phase.MAIN and action in (PASS, DRAW_STOCK):  # after the last PASS the seat in turn draws
        found.extend(_drawn(was, s, int(s["turn"])))
    elif was["phase"] in (Phase.MAIN, Phase.TEMPLATE, Phase.PLACE):
        found.extend(_placed(game, before, after, action, event, names))
        laid_down = was["mode"] == Mode.LAYING_DOWN or action == LAY_DOWN
        if laid_down and s["laid_turn"][actor] >= 0 and s["mode"] == Mode.NOT_BUILDING:
            sets = [_set_of(s, actor, slot, "").strip() for slot in range(int(SETS[s["display"]]))]
            found.append((actor, f"have laid down all sets: {listed(sets)}"))
    if s["recycles"] > was["recycles"]:
        found.append((-1, "the discards are turned over and become the pick-up pile"))
    return found


def _drawn(was: Any, s: Any, seat: int) -> list[tuple[int, str]]:
    """Return the card drawn, if the reader sees it."""
    came = [card for card in range(NATURALS + 2) if s["hands"][seat][card] > was["hands"][seat][card]]
    return [(seat, f"get {the(s, came[0])}")] if came else []


def _peeked(was: Any, s: Any, kept: bool) -> list[tuple[int, str]]:
    """Return the cards that the buyer and the seat in turn get after a sale, by name if the reader sees them."""
    buyer, turn = int(was["requester"]), int(was["turn"])
    own = [] if kept else _drawn(was, s, turn)
    extra = _drawn(was, s, buyer) or ([(buyer, "get one more card")] if kept else [])  # a card handed over is named
    return [*extra, *own]


def _placed(
    game: Game, before: States, after: States, action: int, event: Any, names: Sequence[str]
) -> list[tuple[int, str]]:
    """Return the cards placed by the action, and those that the table placed because there was no choice."""
    was, s = before[0], after[0]
    actor, more = int(was["seat"]), event["placed"].tolist()
    if PLACE <= action < LAY_OFF:
        more[action - PLACE] -= 1
    sets = {} if was["mode"] == Mode.LAYING_OFF else _new_sets(was, s, actor, more)
    if action >= LAY_OFF:
        return [(actor, _laying_off(was, _target(game, was, action - LAY_OFF), _listed(s, more), names))]
    if says_action(game, action):
        said = action_words(game, before, action, names)
        alone = int(was["slot"]) if sets else -1
        together = sets.pop(alone, [] if sets else _listed(s, more))
        return [(actor, _with(said, together, action)), *_made(s, actor, sets)]
    if sets and action == LAY_DOWN:
        return _made(s, actor, sets)
    return [(actor, f"place {listed(_listed(s, more))}")] if _listed(s, more) else []


def _made(s: Any, seat: int, sets: Mapping[int, Sequence[str]]) -> list[tuple[int, str]]:
    """Return the sets that the table began, in the words of the actions that begin one."""
    found = list[tuple[int, str]]()
    for slot, cards in sets.items():
        lies = s["sets"][seat * MAX_SETS + slot]
        run = lies["kind"] == SetType.RUN
        words = _run(s, slot, int(lies["suit"]), int(lies["lo"]) - 1) if run else _kind(int(lies["rank"]))
        found.append((seat, f"{words}: {listed(cards)}"))
    return found


def _with(said: str, cards: Sequence[str], action: int) -> str:
    """Return an action with the cards that were placed with it in one set: "make a kind of fives: the 5 of clubs"."""
    if action < PLACE:
        return f"{said}: {listed(cards)}" if cards else said
    return listed([said, *cards])


def _listed(s: Any, more: Sequence[int]) -> list[str]:
    return [_several(s, card, count) for card, count in enumerate(more) if count > 0]


def _new_sets(was: Any, s: Any, seat: int, placed: Sequence[int]) -> dict[int, list[str]]:
    """Return the cards that each set of a seat got, by its slot; {} if it is not clear which did."""
    phrases, rest = dict[int, list[str]](), list(placed)
    own = slice(MAX_SETS * seat, MAX_SETS * (seat + 1))
    for slot, came in enumerate((cards_in(s["sets"][own]) - cards_in(was["sets"][own])).tolist()):
        more = [min(left, count) for left, count in zip(rest, came, strict=True)]
        rest = [left - count for left, count in zip(rest, more, strict=True)]
        if cards := _listed(s, more):
            phrases[slot] = cards
    return {} if any(rest) else phrases


def _several(s: Any, card: int, count: int) -> str:
    if card >= NATURALS and count > 1:
        return counted(count, title(s, card))
    return the(s, card) + {1: "", 2: " twice", 3: " thrice"}.get(count, f" {number(count)} times")


def _round(game: Game, s: Any, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return who went out and the scores of the round."""
    last, found = s["last"], list[tuple[int, str]]()
    if last["out"] >= 0:
        how = ENDINGS.get(int(last["ending"]), "")
        found.append((int(last["out"]), f"go out {how}".strip()))
    else:
        found.append((-1, "the round is stopped"))
    scores = ", ".join(f"{mentioned(names, seat)} {last['scores'][seat]}" for seat in range(game.players))
    return [*found, (-1, f"scores of the round: {scores}")]
