"""Tarot, after S. L. MacGregor Mathers, "The Tarot" (1888): the game for two and three.

Kernels over one record: `deal`, `legal_actions`, `apply`; then the phases in playing order as pairs
`_x_legal` / `_x`; then what follows by itself. Numbers T-nn are the rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.rng import below, seed_stream, shuffle
from ...core.state import Record
from .actions import NO, YES
from .hand_scores import can_call, class_points, show_call, show_class, tarots_held
from .material import (
    CALL_WORTH,
    CARDS,
    FIRST_OF_SUIT,
    FOOL,
    FOOL_WORTH,
    HAND,
    IS_PIP,
    IS_TAROT,
    KING,
    KING_CUT,
    MAX_DECKS,
    MAX_HANDS,
    MAX_SEATS,
    NO_SUIT,
    PACKET,
    PLAIN_TRICK,
    RANK_OF,
    SUIT_OF,
    SUITS,
    TALON_SIZE,
    TRICK_WORTH,
    TRUMPS,
)
from .state import (
    ANSWER,
    ASK_ALL,
    BEST_CARD,
    BLIND,
    BY_CARDS,
    CALL,
    CLASSES,
    CUT_LED,
    DECLARE,
    DISCARD,
    DISCARDED,
    NO_TAROTS,
    NO_TRUMPS_KINGS,
    OVER,
    PLAY,
    PLAYED,
    RETURN,
    SCORE,
    SINGLE_HAND,
    SMALL,
    TAKE_FIRST,
    TALON,
    TAROT_COUNT,
    THIRD,
    TRICK,
    WIN,
)

THE_CALL = len(CLASSES)  # what a declarer comes to after the last class (T-37)
FIRST_RUFF = CARDS  # added to a trump, so that it beats every card of a suit (T-57)


@kernel
def deal(s: Record, seed: int) -> None:
    """A new game under `s.opt` with `s.seats` players; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear_table(s)
    s.dealer = s.opt.dealer if s.opt.dealer >= 0 else below(s.rng, s.seats)  # T-10
    deal_hand(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.phase == PLAY:
        _play_legal(s, mask)
    elif s.phase == DISCARD:
        _discard_legal(s, mask)
    elif s.phase in (DECLARE, CALL):
        _question_legal(mask)
    elif s.phase == ANSWER:
        _answer_legal(s, mask)
    elif s.phase == RETURN:
        _return_legal(s, mask)


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and run on to the next decision."""
    actor = int(s.seat)
    s.plies += 1
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    if s.phase == PLAY:
        _play(s, action)
    elif s.phase == DISCARD:
        _discard(s, action)
    elif s.phase == DECLARE:
        _declare(s, action)
    elif s.phase == CALL:
        _call(s, action)
    elif s.phase == ANSWER:
        _answer(s, action)
    else:
        _return(s, action)
    _cut_off(s, actor)


# [Deal]


@kernel
def clear_table(s: Record) -> None:
    """No hand dealt, no score; `opt`, `seats` and the random stream stay."""
    for seat in range(MAX_SEATS):
        s.totals[seat] = 0
        s.rewards[seat] = 0.0
    for i in range(MAX_HANDS):
        s.scored[i] = 0
        s.scorer[i] = 0
    for i in range(MAX_DECKS):
        for card in range(CARDS):
            s.decks[i, card] = 0
    s.decks_n = 0
    s.hand_no = 0
    s.plies = 0
    s.over = 0
    s.truncated = 0
    s.winner = -1


@kernel
def deal_hand(s: Record) -> None:
    """A new hand by `s.dealer`, from the next given deck or a shuffled one [T-11]."""
    clear_hand(s)
    if s.decks_n > 0:
        _next_given_deck(s)
    else:
        for card in range(CARDS):
            s.deck[card] = card
        shuffle(s.rng, s.deck, CARDS)
    _hand_out(s)
    for i in range(CARDS):
        s.deck[i] = 0
    s.seat = s.dealer
    s.phase = DISCARD
    if s.opt.talon == TAKE_FIRST:
        _take_talon(s)


@kernel
def clear_hand(s: Record) -> None:
    """Nothing made, shown or known of the hand to come."""
    for seat in range(s.seats):
        s.points[seat] = 0
        s.taken[seat] = 0
        s.hand_n[seat] = 0
        s.no_tarot[seat] = 0
        s.trick[seat] = 0
        for suit in range(SUITS):
            s.void[seat, suit] = 0
    for card in range(CARDS):
        s.exposed[card] = 0
        s.giver[card] = -1
    s.trick_no = 0
    s.trick_n = 0
    s.discards_n = 0
    s.declarer_no = 0
    s.cls = -1
    s.tarots_shown = 0
    s.replier = -1
    s.leader = (s.dealer + 1) % s.seats


@kernel
def _next_given_deck(s: Record) -> None:
    """The first given deck becomes the deck, the others move up."""
    for card in range(CARDS):
        s.deck[card] = s.decks[0, card]
        for i in range(1, MAX_DECKS):
            s.decks[i - 1, card] = s.decks[i, card]
        s.decks[MAX_DECKS - 1, card] = 0
    s.decks_n -= 1


@kernel
def _hand_out(s: Record) -> None:
    """Packets of five go round three places; with two players the middle one is the third hand [T-11, T-12]."""
    for i in range(CARDS):
        place = i // PACKET % MAX_SEATS
        if i >= CARDS - TALON_SIZE:
            to = TALON
        elif place == MAX_SEATS - 1:
            to = int(s.dealer)
        elif s.seats == 2 and place == 1:
            to = THIRD
        else:
            to = (s.dealer + 1 + place) % s.seats
        s.loc[s.deck[i]] = to
    for seat in range(s.seats):
        s.hand_n[seat] = HAND


@kernel
def _take_talon(s: Record) -> None:
    """The talon goes into the dealer's hand."""
    for card in range(CARDS):
        if s.loc[card] == TALON:
            s.loc[card] = s.dealer
    s.hand_n[s.dealer] += TALON_SIZE


# [The dealer discards the three most useless cards]


@kernel
def _discard_legal(s: Record, mask: Any) -> None:
    """Any card; or one that is not protected while there is one [T-21]."""
    if not _fill_discards(s, mask, int(s.opt.discard_rule)) and not _fill_discards(s, mask, NO_TAROTS):
        _hand_legal(s, mask)


@kernel
def _fill_discards(s: Record, mask: Any, rule: int) -> bool:
    """Mark the cards that may be laid away under a rule; is there any?"""
    found = 0
    for card in range(CARDS):
        if s.loc[card] == s.seat and may_discard(rule, card):
            mask[card] = 1
            found += 1
    return found > 0


@kernel
def may_discard(rule: int, card: int) -> bool:
    """Does the rule leave the card unprotected [T-21]?"""
    if rule == NO_TRUMPS_KINGS:
        return card >= TRUMPS and RANK_OF[card] != KING
    return rule != NO_TAROTS or IS_TAROT[card] == 0


@kernel
def _discard(s: Record, card: int) -> None:
    """Lay a card away; after the third the reckoning begins [T-20]."""
    s.loc[card] = DISCARDED
    s.hand_n[s.seat] -= 1
    s.discards_n += 1
    if s.discards_n == TALON_SIZE:
        if s.opt.talon == BLIND:
            _take_talon(s)
        reckon(s, 0)


# [Before the play: the classes and the call]


@kernel
def _question_legal(mask: Any) -> None:
    mask[YES] = 1
    mask[NO] = 1


@kernel
def _declare(s: Record, action: int) -> None:
    """Show the class under decision for its points, or keep it to oneself [T-32]."""
    cls = int(s.cls)
    if action == YES:
        _score_class(s, cls)
    reckon(s, cls + 1)


@kernel
def _score_class(s: Record, cls: int) -> None:
    s.points[s.seat] += class_points(s, int(s.seat), cls)
    show_class(s, int(s.seat), cls)
    if cls == TAROT_COUNT:
        s.tarots_shown = 1


@kernel
def _call(s: Record, action: int) -> None:
    """Ask for a Tarot Trump: the first who holds one must give one up [T-42, T-43, T-45]."""
    if action == NO:
        reckon(s, THE_CALL + 1)
        return
    caller = int(s.seat)
    show_call(s, caller)
    asked = s.seats - 1 if s.opt.call_scope == ASK_ALL else 1
    for ahead in range(1, asked + 1):
        seat = (caller + ahead) % s.seats
        if tarots_held(s, seat) > 0:
            ask(s, seat)
            return
        s.no_tarot[seat] = 1
    s.points[caller] += CALL_WORTH
    reckon(s, THE_CALL + 1)


@kernel
def ask(s: Record, seat: int) -> None:
    """Call upon a seat that holds Tarot Trumps; with a single one it has no choice [T-46]."""
    s.replier = seat
    if tarots_held(s, seat) > 1:
        s.phase = ANSWER
        s.seat = seat
        return
    for card in range(CARDS):
        if IS_TAROT[card] == 1 and s.loc[card] == seat:
            _give_up(s, card)
            return


@kernel
def _answer_legal(s: Record, mask: Any) -> None:
    for card in range(CARDS):
        mask[card] = 1 if IS_TAROT[card] == 1 and s.loc[card] == s.seat else 0


@kernel
def _answer(s: Record, card: int) -> None:
    _give_up(s, card)


@kernel
def _give_up(s: Record, card: int) -> None:
    """The card goes to the caller before all eyes [T-46]."""
    _move(s, card, int(s.replier), declarer(s))
    s.exposed[card] = 1
    ask_return(s)


@kernel
def ask_return(s: Record) -> None:
    """The caller gives a card back; with a single one that may be given it goes without asking [T-44]."""
    choices = legal_returns(s)
    if choices > 1:
        s.phase = RETURN
        s.seat = declarer(s)
        return
    if choices == 1:
        _return(s, _only_return(s))
    else:  # only where a position gave the caller nothing but Tarot Trumps
        reckon(s, THE_CALL + 1)


@kernel
def legal_returns(s: Record) -> int:
    """How many cards the caller may give back."""
    choices, pips = 0, _has_pip(s)
    for card in range(CARDS):
        choices += _may_return(s, card, pips)
    return choices


@kernel
def _only_return(s: Record) -> int:
    """The one card the caller may give back."""
    card, pips = 0, _has_pip(s)
    while not _may_return(s, card, pips):
        card += 1
    return card


@kernel
def _return_legal(s: Record, mask: Any) -> None:
    pips = _has_pip(s)
    for card in range(CARDS):
        mask[card] = 1 if _may_return(s, card, pips) else 0


@kernel
def _return(s: Record, card: int) -> None:
    """Face down: no longer public, but its giver knows where it is [T-44]."""
    caller = declarer(s)
    _move(s, card, caller, int(s.replier))
    s.exposed[card] = 0
    s.giver[card] = caller
    reckon(s, THE_CALL + 1)


@kernel
def _has_pip(s: Record) -> bool:
    """Must the caller give a pip [T-44]?"""
    if s.opt.return_rule != SMALL:
        return False
    caller, pips = declarer(s), 0
    for card in range(TRUMPS, CARDS):
        pips += s.loc[card] == caller and IS_PIP[card] == 1
    return pips > 0


@kernel
def _may_return(s: Record, card: int, pips: bool) -> bool:
    return bool(s.loc[card] == declarer(s) and (IS_PIP[card] == 1 if pips else IS_TAROT[card] == 0))


@kernel
def _move(s: Record, card: int, giver: int, taker: int) -> None:
    s.loc[card] = taker
    s.giver[card] = -1
    s.hand_n[giver] -= 1
    s.hand_n[taker] += 1


@kernel
def declarer(s: Record) -> int:
    """Who reckons [T-37]."""
    return int((s.dealer + 1 + s.declarer_no) % s.seats)


@kernel
def reckon(s: Record, first: int) -> None:
    """Run on from class `first` of the declarer to the next question, or to the first lead [T-37]."""
    while s.declarer_no < s.seats:
        s.seat = declarer(s)
        s.replier = -1
        if _ask_class(s, first) or (first <= THE_CALL and _ask_call(s)):
            return
        s.declarer_no += 1
        s.tarots_shown = 0
        first = 0
    _close_reckoning(s)
    s.phase = PLAY
    s.seat = s.leader


@kernel
def _ask_class(s: Record, first: int) -> bool:
    """Stop at the next class worth points; with `auto_declare` score them all instead [T-32]."""
    for cls in range(first, THE_CALL):
        if class_points(s, int(s.seat), cls) > 0:
            if s.opt.auto_declare == 1:
                _score_class(s, cls)
            else:
                s.phase = DECLARE
                s.cls = cls
                return True
    return False


@kernel
def _ask_call(s: Record) -> bool:
    """Stop at the call if the declarer can make it [T-40]."""
    s.cls = -1
    if can_call(s, int(s.seat)):
        s.phase = CALL
        return True
    return False


@kernel
def _close_reckoning(s: Record) -> None:
    s.declarer_no = 0
    s.cls = -1
    s.tarots_shown = 0
    s.replier = -1


# [The play]


@kernel
def _play_legal(s: Record, mask: Any) -> None:
    """A card of the suit led, or the Fool; without one any card, or with `must_trump` a trump [T-53 to T-56]."""
    suit = led_suit(s)
    if suit == NO_SUIT:
        _hand_legal(s, mask)
    elif _suit_legal(s, mask, suit) or (s.opt.must_trump == 1 and _suit_legal(s, mask, 0)):
        mask[FOOL] = 1 if s.loc[FOOL] == s.seat else 0
    else:
        _hand_legal(s, mask)


@kernel
def _hand_legal(s: Record, mask: Any) -> None:
    for card in range(CARDS):
        mask[card] = 1 if s.loc[card] == s.seat else 0


@kernel
def _suit_legal(s: Record, mask: Any, suit: int) -> bool:
    """Mark the cards of a suit in the hand; is there any?"""
    found, seat = 0, s.seat
    for card in range(FIRST_OF_SUIT[suit], FIRST_OF_SUIT[suit + 1]):
        own = 1 if s.loc[card] == seat else 0
        mask[card] = own
        found += own
    return found > 0


@kernel
def _play(s: Record, card: int) -> None:
    """Play a card to the trick; the last one ends it."""
    seat, suit = int(s.seat), led_suit(s)
    if suit != NO_SUIT and card != FOOL and SUIT_OF[card] != suit:
        s.void[seat, suit] = 1  # T-56
    s.loc[card] = TRICK
    s.exposed[card] = 0
    s.giver[card] = -1
    s.hand_n[seat] -= 1
    s.trick[s.trick_n] = card
    s.trick_n += 1
    if card == FOOL:
        s.points[seat] += FOOL_WORTH  # T-62
    if s.trick_n < s.seats:
        s.seat = (seat + 1) % s.seats
    else:
        _end_trick(s)


@kernel
def led_suit(s: Record) -> int:
    """The suit of the first card of the trick that is not the Fool, NO_SUIT before there is one [T-53, T-56]."""
    for i in range(s.trick_n):
        if s.trick[i] != FOOL:
            return int(SUIT_OF[s.trick[i]])
    return NO_SUIT


@kernel
def winning_place(s: Record) -> int:
    """Place in the trick of the card that wins so far, -1 before there is one [T-57, T-58]."""
    suit, best, place = led_suit(s), -1, -1
    for i in range(s.trick_n):
        card = int(s.trick[i])
        if card != FOOL and (card < TRUMPS or SUIT_OF[card] == suit):
            strength = card + FIRST_RUFF if card < TRUMPS else card
            if strength > best:
                best = strength
                place = i
    return place


@kernel
def _end_trick(s: Record) -> None:
    """The winner scores the trick and leads to the next; without cards the hand ends [T-52, T-61]."""
    place = winning_place(s)
    seat = (s.leader + place) % s.seats
    s.points[seat] += trick_points(s) + _kings_cut(s, int(s.trick[place]))
    s.taken[seat] += 1
    s.trick_no += 1
    for i in range(s.trick_n):
        s.loc[s.trick[i]] = PLAYED
        s.trick[i] = 0
    s.trick_n = 0
    s.leader = seat
    s.seat = seat
    fewest = HAND
    for other in range(s.seats):
        fewest = min(fewest, int(s.hand_n[other]))
    if fewest == 0:
        _end_hand(s)


@kernel
def trick_points(s: Record) -> int:
    """What the cards of the trick count [T-61, T-63, T-64]."""
    worths, total, best = 0, 0, 0
    for i in range(s.trick_n):
        worth = int(TRICK_WORTH[s.trick[i]])
        best = max(best, worth)
        if s.opt.trick_points == BY_CARDS or worths & (1 << worth) == 0:
            total += worth
        worths |= 1 << worth
    return max(PLAIN_TRICK, best if s.opt.trick_points == BEST_CARD else total)


@kernel
def _kings_cut(s: Record, winning: int) -> int:
    """For Kings in a trick of a plain suit led that a trump wins [T-50]."""
    suit = led_suit(s)
    if suit == 0 or winning >= TRUMPS:
        return 0
    points = 0
    for i in range(s.trick_n):
        card = int(s.trick[i])
        if RANK_OF[card] == KING and (s.opt.king_cut != CUT_LED or SUIT_OF[card] == suit):
            points += KING_CUT
    return points


# [The result]


@kernel
def _end_hand(s: Record) -> None:
    """Only the player with most points scores, the excess over the second; then the next hand or the end [T-70]."""
    first, gain = _net_score(s)
    s.totals[first] += gain
    s.scored[s.hand_no] = gain
    s.scorer[s.hand_no] = first if gain > 0 else 0
    s.hand_no += 1
    if s.opt.reward == SCORE:
        _pay(s, first, gain / 100.0)
    if s.totals[first] >= s.opt.target or s.opt.episode == SINGLE_HAND:  # T-72
        _end_game(s, first if gain > 0 else -1)
    elif s.hand_no >= s.opt.max_hands:  # T-73
        _end_game(s, -1)
        s.truncated = 1
    else:
        s.dealer = (s.dealer + 1) % s.seats
        deal_hand(s)


@kernel
def _net_score(s: Record) -> Any:
    """Who has most points, and by how many more than the second; on a tie nothing [T-71]."""
    first = 0
    for seat in range(1, s.seats):
        if s.points[seat] > s.points[first]:
            first = seat
    second = -1
    for seat in range(s.seats):
        if seat != first:
            second = max(second, int(s.points[seat]))
    return first, int(s.points[first]) - second


@kernel
def _end_game(s: Record, winner: int) -> None:
    s.over = 1
    s.phase = OVER
    s.winner = winner
    if winner >= 0 and s.opt.reward == WIN:
        _pay(s, winner, 1.0)


@kernel
def _pay(s: Record, seat: int, amount: float) -> None:
    """Pay one seat, at the cost of the others in equal parts."""
    for other in range(s.seats):
        s.rewards[other] = amount if other == seat else -amount / (s.seats - 1)


@kernel
def _cut_off(s: Record, actor: int) -> None:
    """A game that is still running after `max_moves` ends without a winner [T-73]."""
    if s.over == 0 and 0 < s.opt.max_moves <= s.plies:
        _close_reckoning(s)
        _end_game(s, -1)
        s.truncated = 1
    if s.over == 1:
        s.seat = actor


# Positions


@kernel
def settle(s: Record) -> None:
    """Take at once the steps of a set-up table that leave no choice, up to a decision of the reckoning."""
    if s.phase == DECLARE:
        reckon(s, max(0, int(s.cls)))
    elif s.phase == CALL:
        reckon(s, THE_CALL)
    elif s.phase == ANSWER:
        ask(s, int(s.replier))
    elif s.phase == RETURN:
        ask_return(s)
