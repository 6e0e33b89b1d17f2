"""Questions about formations: what may be laid, what it is worth, and whether a team can open this turn.

A placement is tried by laying it and taking it back, so `lay` is written once for both directions.
`feasible` is exact: it says whether some further placements of this turn make the initial meld with a legal
finish. Two quick tests answer nearly always; a dynamic programme over the ranks answers the rest.
"""

from __future__ import annotations

from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .actions import (
    ADD,
    ADD_ARTIFACT,
    ADD_SWORD,
    NEEDS,
    NEW,
    NEW_SUIT,
    SUIT_GOLD,
    SUIT_HIGH,
    SUIT_LOW,
    TEMPLATES,
    TRIPLE,
    TRIPLES,
)
from .material import (
    ACE,
    ARTIFACT,
    ARTIFACT_POINTS,
    CANASTA,
    CANASTA_STAGE,
    CLUBS,
    COMPLETE_SUIT,
    DIAMONDS,
    FULL,
    GOLD,
    HEARTS,
    MIXED_ACES,
    MIXED_CANASTA,
    MIXED_SUIT,
    MOST_WILDS,
    NATURAL_ACES,
    NATURAL_CANASTA,
    NATURALS,
    NEW_SIZE,
    POT_POINTS,
    RANK_POINTS,
    RANKS,
    REQUIRED_POINTS,
    ROYAL_SUIT,
    SMALLEST_POINTS,
    SPADES,
    SWORD,
    SWORD_POINTS,
    VARIANTS,
    WILD_CAPS,
)
from .state import ANSWER, ANY, OVER, PICKUP, REACH_CARDS, REACH_WILDS, STACK, SUIT

# Seats and teams


@leaf
def team_of(s: Record, seat: int) -> int:
    """The team a seat plays for [KN-10]."""
    return int(seat % s.opt.teams)


@leaf
def turn_seat(s: Record) -> int:
    """Whose turn it is: while the partner answers, the seat that asked [KN-63]."""
    return int(s.asker) if s.phase == ANSWER else int(s.seat)


@leaf
def aside(s: Record) -> bool:
    """Does an old stack wait to be taken into the hand? [KN-54]"""
    return bool(s.taken == STACK and s.pile_n > 0)


# Formations on the table


@leaf
def size_of(s: Record, team: int, r: int) -> int:
    """Cards in the formation of a rank, 0 = there is none."""
    return int(s.n[team, r] + s.w[team, r])


@leaf
def suit_length(s: Record, team: int) -> int:
    """Cards in the golden suit, 0 = there is none."""
    return int(s.suit_hi[team] - s.suit_lo[team] + 1) if s.suit_lo[team] >= 0 else 0


@kernel
def bits(number: int) -> int:
    """How many bits are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@kernel
def has_canasta(s: Record, team: int) -> bool:
    """Does the team have a rank formation of seven or eight? [KN-23]"""
    longest = 0
    for r in range(RANKS):
        longest = max(longest, size_of(s, team, r))
    return longest >= CANASTA


@kernel
def finishable(s: Record, team: int) -> bool:
    """May the team go out: has it a canasta or a complete suit? [KN-61]"""
    return suit_length(s, team) >= COMPLETE_SUIT or has_canasta(s, team)


@kernel
def has_laid(s: Record, team: int) -> bool:
    """Is anything but pots on the team's table?"""
    cards = 0
    for r in range(RANKS):
        cards += s.n[team, r]
    return cards > 0 or s.suit_lo[team] >= 0


@kernel
def table_points(s: Record, team: int) -> int:
    """What cards, canastas, suit and pots on the table are worth now [KN-25, KN-33, KN-70, KN-72]."""
    points = int(POT_POINTS[s.pots[team]])
    for r in range(RANKS):
        points += int(s.n[team, r]) * int(RANK_POINTS[r])
        points += int(s.sw[team, r]) * SWORD_POINTS + int(s.ar[team, r]) * ARTIFACT_POINTS
        if size_of(s, team, r) >= CANASTA:
            points += canasta_bonus(r, s.w[team, r] == 0)
    return points + _suit_points(s, team)


@leaf
def canasta_bonus(r: int, natural: bool) -> int:
    """The bonus of a canasta [KN-25]."""
    if r == ACE:
        return NATURAL_ACES if natural else MIXED_ACES
    return NATURAL_CANASTA if natural else MIXED_CANASTA


@kernel
def _suit_points(s: Record, team: int) -> int:
    if s.suit_lo[team] < 0:
        return 0
    points = 0
    for r in range(s.suit_lo[team], s.suit_hi[team] + 1):
        points += ARTIFACT_POINTS if (s.suit_art[team] >> r) & 1 else int(RANK_POINTS[r])
    if suit_length(s, team) >= COMPLETE_SUIT:
        points += ROYAL_SUIT if s.suit_art[team] == 0 else MIXED_SUIT
    return points


# Cards in the hand


@leaf
def naturals(s: Record, seat: int, r: int) -> int:
    """Cards of a rank in a hand, the gold one included."""
    hand, k = s.hand[seat], VARIANTS * r
    return int(hand[k] + hand[k + DIAMONDS] + hand[k + SPADES] + hand[k + CLUBS] + hand[k + GOLD])


@kernel
def can_begin(s: Record, seat: int, r: int, without_gold: int) -> bool:
    """Does the hand hold what begins a formation of the rank, `without_gold` (0 or 1) gold cards? [KN-03]"""
    hand, k = s.hand[seat], VARIANTS * r
    gold = int(hand[k + GOLD]) - without_gold
    if s.opt.suit_rule == ANY:
        return bool(hand[k] + gold >= NEW_SIZE and hand[k] >= NEW_SIZE - 1)
    suits = int(hand[k + HEARTS] > 0) + int(hand[k + DIAMONDS] > 0) + int(hand[k + CLUBS] > 0)
    return bool(suits + int(hand[k + SPADES] + gold > 0) >= NEW_SIZE)


@kernel
def golds_held(s: Record, seat: int) -> int:
    """Bit r: the gold card of rank r is in the hand."""
    held = 0
    for r in range(RANKS):
        if s.hand[seat, VARIANTS * r + GOLD] > 0:
            held |= 1 << r
    return held


# Placements


@kernel
def placeable(s: Record, seat: int, action: int) -> bool:
    """Do the cards and formations allow it, whatever is left in the hand? [KN-20 to KN-23, KN-30 to KN-35]"""
    team = team_of(s, seat)
    if action < NEW_SUIT:
        return _new_placeable(s, seat, team, action - NEW)
    if action < ADD:
        return _suit_placeable(s, seat, team, action - NEW_SUIT)
    if action < SUIT_GOLD:
        return _addable(s, seat, team, action)
    lo, hi = int(s.suit_lo[team]), int(s.suit_hi[team])
    if action < SUIT_LOW:
        r = action - SUIT_GOLD
        return lo >= 0 and (r in (lo - 1, hi + 1)) and s.hand[seat, VARIANTS * r + GOLD] > 0
    if s.hand[seat, ARTIFACT] == 0 or bits(int(s.suit_art[team])) >= MOST_WILDS or wild_barred(s, SUIT):
        return False
    return lo > 0 if action == SUIT_LOW else 0 <= hi < RANKS - 1


@leaf
def wild_barred(s: Record, formation: int) -> bool:
    """Was the formation begun with a card taken this turn, so that no wild card may join it yet? [KN-55]"""
    return bool(s.pick == formation and s.opt.pickup_wilds == 0)


@kernel
def _new_placeable(s: Record, seat: int, team: int, choice: int) -> bool:
    r, t = choice // len(TEMPLATES), choice % len(TEMPLATES)
    if size_of(s, team, r) > 0:  # KN-21
        return False
    enough = True
    for j in range(VARIANTS):
        enough &= s.hand[seat, VARIANTS * r + j] >= NEEDS[s.opt.suit_rule, t, j]
    return bool(enough)


@kernel
def _suit_placeable(s: Record, seat: int, team: int, choice: int) -> bool:
    if s.suit_lo[team] >= 0:  # KN-32
        return False
    low, middle, high = int(TRIPLE[choice, 0]), int(TRIPLE[choice, 1]), int(TRIPLE[choice, 2])
    hand = s.hand[seat]
    held = hand[VARIANTS * low + GOLD] > 0 and hand[VARIANTS * middle + GOLD] > 0 and hand[VARIANTS * high + GOLD] > 0
    return bool(held and hand[ARTIFACT] >= high - low + 1 - NEW_SIZE)


@kernel
def _addable(s: Record, seat: int, team: int, action: int) -> bool:
    natural = action < ADD_SWORD
    r = (action - ADD) // VARIANTS if natural else (action - ADD_SWORD) % RANKS
    if not 1 <= size_of(s, team, r) < FULL:
        return False
    if natural:
        return bool(s.hand[seat, action - ADD] > 0)
    wild = SWORD if action < ADD_ARTIFACT else ARTIFACT
    return bool(s.hand[seat, wild] > 0 and s.w[team, r] < MOST_WILDS and not wild_barred(s, r))


@leaf
def cards_of(action: int) -> int:
    """How many cards a placement takes from the hand."""
    if action < NEW_SUIT:
        return NEW_SIZE
    if action < ADD:
        return int(TRIPLE[action - NEW_SUIT, 2] - TRIPLE[action - NEW_SUIT, 0] + 1)
    return 1


@kernel
def lay(s: Record, seat: int, action: int, sign: int) -> None:
    """Move the cards of a placement from the hand to the table (sign 1), or back (sign -1).

    `open_pts` and `open_wild` follow; what is known of the hand and whether the team has opened do not.
    """
    team = team_of(s, seat)
    if action < NEW_SUIT:
        r, t = (action - NEW) // len(TEMPLATES), (action - NEW) % len(TEMPLATES)
        for j in range(VARIANTS):
            count = int(NEEDS[s.opt.suit_rule, t, j])
            if count > 0:
                _lay_natural(s, seat, team, VARIANTS * r + j, sign * count)
    elif action < ADD:
        _lay_suit(s, seat, team, action - NEW_SUIT, sign)
    elif action < ADD_SWORD:
        _lay_natural(s, seat, team, action - ADD, sign)
    elif action < SUIT_GOLD:
        _lay_wild(s, seat, team, action, sign)
    else:
        _lay_at_end(s, seat, team, action, sign)


@kernel
def _lay_natural(s: Record, seat: int, team: int, kind: int, count: int) -> None:
    r = kind // VARIANTS
    s.hand[seat, kind] -= count
    s.hand_n[seat] -= count
    s.nat[team, kind] += count
    s.n[team, r] += count
    s.open_pts += count * int(RANK_POINTS[r])


@kernel
def _lay_wild(s: Record, seat: int, team: int, action: int, sign: int) -> None:
    r = (action - ADD_SWORD) % RANKS
    if action < ADD_ARTIFACT:
        s.hand[seat, SWORD] -= sign
        s.sw[team, r] += sign
        s.open_pts += sign * SWORD_POINTS
    else:
        s.hand[seat, ARTIFACT] -= sign
        s.ar[team, r] += sign
        s.open_pts += sign * ARTIFACT_POINTS
    s.hand_n[seat] -= sign
    s.w[team, r] += sign
    s.open_wild += sign


@kernel
def _lay_suit(s: Record, seat: int, team: int, choice: int, sign: int) -> None:
    low, middle, high = int(TRIPLE[choice, 0]), int(TRIPLE[choice, 1]), int(TRIPLE[choice, 2])
    s.suit_lo[team] = low if sign > 0 else -1
    s.suit_hi[team] = high if sign > 0 else -1
    for r in range(low, high + 1):
        if r in (low, middle, high):
            _lay_gold(s, seat, r, sign)
        else:
            _lay_artifact(s, seat, team, r, sign)


@kernel
def _lay_at_end(s: Record, seat: int, team: int, action: int, sign: int) -> None:
    """One card at an end of the suit, or the end card back into the hand."""
    low = action == SUIT_LOW or action - SUIT_GOLD == (s.suit_lo[team] - 1 if sign > 0 else s.suit_lo[team])
    if low:
        r = int(s.suit_lo[team]) - (1 if sign > 0 else 0)
        s.suit_lo[team] -= sign
    else:
        r = int(s.suit_hi[team]) + (1 if sign > 0 else 0)
        s.suit_hi[team] += sign
    if action in (SUIT_LOW, SUIT_HIGH):
        _lay_artifact(s, seat, team, r, sign)
    else:
        _lay_gold(s, seat, r, sign)


@kernel
def _lay_gold(s: Record, seat: int, r: int, sign: int) -> None:
    s.hand[seat, VARIANTS * r + GOLD] -= sign
    s.hand_n[seat] -= sign
    s.open_pts += sign * int(RANK_POINTS[r])


@kernel
def _lay_artifact(s: Record, seat: int, team: int, r: int, sign: int) -> None:
    s.hand[seat, ARTIFACT] -= sign
    s.hand_n[seat] -= sign
    s.suit_art[team] ^= 1 << r
    s.open_pts += sign * ARTIFACT_POINTS
    s.open_wild += sign


# What must be left [Legal finish]


@kernel
def legal_placement(s: Record, seat: int, action: int) -> bool:
    """May a placeable action be played, seen from its end: a discard, and for a new team the initial meld? [KN-43]"""
    if s.opened[team_of(s, seat)]:
        return _leaves_discard(s, seat, action)
    lay(s, seat, action, 1)
    fine = good(s, seat)
    lay(s, seat, action, -1)
    return fine


@kernel
def _leaves_discard(s: Record, seat: int, action: int) -> bool:
    team = team_of(s, seat)
    left = int(s.hand_n[seat]) - cards_of(action)
    if left != 1:
        return left > 1
    return aside(s) or _completes(s, team, action) or finishable(s, team)


@kernel
def _completes(s: Record, team: int, action: int) -> bool:
    """Does the placement make a canasta or a complete suit?"""
    if action < ADD:
        return False
    if action >= SUIT_GOLD:
        return suit_length(s, team) + 1 >= COMPLETE_SUIT
    r = (action - ADD) // VARIANTS if action < ADD_SWORD else (action - ADD_SWORD) % RANKS
    return size_of(s, team, r) + 1 >= CANASTA


@kernel
def good(s: Record, seat: int) -> bool:
    """Has the team opened with a legal finish, or can it still in this turn?"""
    team = team_of(s, seat)
    if requirement_met(s, team):
        return s.hand_n[seat] > 1 or (s.hand_n[seat] == 1 and finishable(s, team))
    return feasible(s, seat)


@kernel
def requirement_met(s: Record, team: int) -> bool:
    """Do the formations laid in this turn make the initial meld? [KN-34, KN-41]"""
    if suit_length(s, team) >= (1 if s.opt.partial_suit_opens else COMPLETE_SUIT):
        return True
    stage = int(s.stage[team])
    if stage == CANASTA_STAGE:
        return has_canasta(s, team)
    return bool(s.open_pts >= REQUIRED_POINTS[stage] and s.open_wild <= WILD_CAPS[stage])


# Can the team still open in this turn? [KN-41, KN-42]


@kernel
def feasible(s: Record, seat: int) -> bool:
    """Is there a sequence of placements from here to the initial meld with a legal finish? It is not yet met."""
    team = team_of(s, seat)
    golds = golds_held(s, seat)
    if s.suit_lo[team] >= 0 or bits(golds) >= NEW_SIZE:
        if _suit_route(s, seat, team, golds) or _begun_suit_route(s, seat):
            return True
    if s.stage[team] == CANASTA_STAGE:
        return _canasta_route(s, seat, team)
    return _points_route(s, seat, team, golds)


@kernel
def _suit_route(s: Record, seat: int, team: int, golds: int) -> bool:
    """A complete golden suit of seven around what is laid."""
    lo, hi = int(s.suit_lo[team]), int(s.suit_hi[team])
    artifacts = _suit_artifacts(s, seat, team)
    for first in range(RANKS - COMPLETE_SUIT + 1):
        last = first + COMPLETE_SUIT - 1
        if lo >= 0 and (first > lo or last < hi):
            continue
        missing, needed = 0, 0
        for r in range(first, last + 1):
            if lo < 0 or r < lo or r > hi:
                needed += 1
                missing += 1 - ((golds >> r) & 1)
        if missing <= artifacts and s.hand_n[seat] > needed:
            return True
    return False


@leaf
def _suit_artifacts(s: Record, seat: int, team: int) -> int:
    """Artifacts of the hand that may still enter the suit."""
    room = MOST_WILDS - bits(int(s.suit_art[team]))
    return 0 if wild_barred(s, SUIT) else min(int(s.hand[seat, ARTIFACT]), room)


@kernel
def _begun_suit_route(s: Record, seat: int) -> bool:
    """With `partial_suit_opens`: begin a suit and keep two cards [KN-34]."""
    if s.opt.partial_suit_opens == 0:
        return False
    for choice in range(len(TRIPLES)):
        action = NEW_SUIT + choice
        if placeable(s, seat, action) and s.hand_n[seat] - cards_of(action) > 1:
            return True
    return False


@kernel
def _canasta_route(s: Record, seat: int, team: int) -> bool:
    """Stage IV: seven cards of one rank."""
    wilds = int(s.hand[seat, SWORD] + s.hand[seat, ARTIFACT])
    for r in range(RANKS):
        size = size_of(s, team, r)
        if size > 0 or can_begin(s, seat, r, 0):
            usable = 0 if wild_barred(s, r) else min(MOST_WILDS - int(s.w[team, r]), wilds)
            need = CANASTA - size
            if naturals(s, seat, r) + usable >= need and s.hand_n[seat] > need:
                return True
    return False


@kernel
def _points_route(s: Record, seat: int, team: int, golds: int) -> bool:
    """Stages I to III: quick tests for no and for yes before the search."""
    stage = int(s.stage[team])
    need, cap = int(REQUIRED_POINTS[stage]) - int(s.open_pts), int(WILD_CAPS[stage]) - int(s.open_wild)
    if cap < 0:
        return False
    suit = s.suit_lo[team] >= 0 or bits(golds) >= NEW_SIZE
    most, cards, points, room = 0, 0, 0, 0
    for r in range(RANKS):
        held, value = naturals(s, seat, r), int(RANK_POINTS[r])
        size = size_of(s, team, r)
        if held > 0 and (size > 0 or (held >= NEW_SIZE and can_begin(s, seat, r, 0))):
            laid = min(held, FULL - size)
            most += held * value
            points += laid * value
            cards += laid
            size += laid
        elif suit:
            most += ((golds >> r) & 1) * value
        if size > 0 and not wild_barred(s, r):
            room += min(MOST_WILDS - int(s.w[team, r]), FULL - size)
    if most + _wild_points(s, seat, 0, cap) < need:
        return False
    wilds = min(cap, room, int(s.hand[seat, SWORD] + s.hand[seat, ARTIFACT]))
    if cards + wilds + 2 <= s.hand_n[seat] and points + _wild_points(s, seat, 0, wilds) >= need:
        return True
    return _search(s, seat, team, golds, need, cap)


@leaf
def _wild_points(s: Record, seat: int, spent: int, count: int) -> int:
    """The value of the best `count` wild cards of the hand when `spent` Artifacts are gone."""
    artifacts = min(count, int(s.hand[seat, ARTIFACT]) - spent)
    return ARTIFACT_POINTS * artifacts + SWORD_POINTS * min(count - artifacts, int(s.hand[seat, SWORD]))


@kernel
def _search(s: Record, seat: int, team: int, golds: int, need: int, cap: int) -> bool:
    """Every way to begin or extend the golden suit, the first being none, and then the ranks."""
    if _reaches(s, seat, team, 0, 0, need, cap):
        return True
    lo, hi = int(s.suit_lo[team]), int(s.suit_hi[team])
    if lo < 0 and bits(golds) < NEW_SIZE:
        return False
    for low in range(RANKS if lo < 0 else lo + 1):
        for high in range(low if lo < 0 else hi, RANKS):
            span = (1 << (high + 1)) - (1 << low)
            if lo >= 0:
                span &= ~((1 << (hi + 1)) - (1 << lo))
            if span and _reaches_with_suit(s, seat, team, golds, span, need, cap):
                return True
    return False


@kernel
def _reaches_with_suit(s: Record, seat: int, team: int, golds: int, span: int, need: int, cap: int) -> bool:
    """The suit takes the ranks of `span`: Artifacts where no gold is held, and perhaps where one is."""
    most = min(cap, _suit_artifacts(s, seat, team))
    missing = bits(span & ~golds)
    if missing > most:
        return False
    held = span & golds
    spared = held  # golds an Artifact stands for, as their rank may need them: every subset, the empty one last
    while True:
        artifacts = missing + bits(spared)
        begins = s.suit_lo[team] >= 0 or bits(held & ~spared) >= NEW_SIZE
        if artifacts <= most and begins and _reaches(s, seat, team, held & ~spared, artifacts, need, cap):
            return True
        if spared == 0:
            return False
        spared = (spared - 1) & held


@kernel
def _reaches(s: Record, seat: int, team: int, golds: int, artifacts: int, need: int, cap: int) -> bool:
    """With these golds and Artifacts in the suit: do rank formations bring the rest of the points?

    `s.reach[cards, wilds, canasta]` is 1 + the most points of naturals, in units of five and up to the need;
    0 where nothing leads.
    """
    cards = bits(golds) + artifacts
    limit = min(int(s.hand_n[seat]) - 1, REACH_CARDS - 1)
    if cards > limit:
        return False
    points = ARTIFACT_POINTS * artifacts
    for r in range(RANKS):
        points += ((golds >> r) & 1) * int(RANK_POINTS[r])
    enough = 1 + need // SMALLEST_POINTS
    wilds = min(cap, int(s.hand[seat, SWORD] + s.hand[seat, ARTIFACT])) - artifacts
    wilds = min(wilds, REACH_WILDS - 1)
    s.reach[_at(cards, 0, int(has_canasta(s, team)))] = min(1 + points // SMALLEST_POINTS, enough)
    for r in range(RANKS):
        spent = (golds >> r) & 1
        held = naturals(s, seat, r) - spent
        size = size_of(s, team, r)
        if size > 0:
            _extend(s, team, r, 0, min(held, FULL - size), limit, wilds, enough)
        elif held >= NEW_SIZE and can_begin(s, seat, r, spent):
            _extend(s, team, r, NEW_SIZE, held, limit, wilds, enough)
    return _reached(s, seat, artifacts, limit, wilds, need)


@leaf
def _at(cards: int, wilds: int, canasta: int) -> int:
    return (cards * REACH_WILDS + wilds) * 2 + canasta


@kernel
def _extend(s: Record, team: int, r: int, fewest: int, most: int, limit: int, wilds: int, enough: int) -> None:
    """Let a rank take fewest .. most naturals and some wild cards, or nothing. From many cards to few: each once."""
    for cards in range(limit, 0, -1):
        for used in range(wilds + 1):
            for canasta in range(2):
                at = _at(cards, used, canasta)
                best = int(s.reach[at])
                for m in range(fewest, most + 1):
                    best = max(best, _best_before(s, team, r, m, cards, used, canasta, enough))
                s.reach[at] = best


@kernel
def _best_before(s: Record, team: int, r: int, m: int, cards: int, used: int, canasta: int, enough: int) -> int:
    """The most points if the rank takes m naturals and any number of wild cards as the last step; 0 = no way."""
    size = size_of(s, team, r) + m
    room = 0 if wild_barred(s, r) else min(MOST_WILDS - int(s.w[team, r]), FULL - size)
    best = 0
    for y in range(min(room, used, cards - m) + 1):
        full = size + y >= CANASTA
        if m + y == 0 or m + y > cards or (full and canasta == 0):
            continue
        before = int(s.reach[_at(cards - m - y, used - y, canasta)])
        if full:
            before = max(before, int(s.reach[_at(cards - m - y, used - y, 0)]))
        if before > 0:
            best = max(best, min(before + m * int(RANK_POINTS[r]) // SMALLEST_POINTS, enough))
    return best


@kernel
def _reached(s: Record, seat: int, artifacts: int, limit: int, wilds: int, need: int) -> bool:
    """Is the need met with a legal finish: two cards left, or one and a canasta? Clears the notes."""
    found = False
    for cards in range(limit + 1):
        for used in range(wilds + 1):
            for canasta in range(2):
                at = _at(cards, used, canasta)
                if s.reach[at] > 0 and cards + 2 - canasta <= s.hand_n[seat]:
                    points = SMALLEST_POINTS * (int(s.reach[at]) - 1) + _wild_points(s, seat, artifacts, used)
                    found |= points >= need
                s.reach[at] = 0
    return found


# Formations begun with a card from the discard stack [KN-52 to KN-55]


@kernel
def next_pickup(s: Record, seat: int, after: int) -> int:
    """The first legal NEW or NEWSUIT action behind `after` that uses the taken card, which is in the hand; or -1."""
    card = int(s.top_taken)
    r, j = card // VARIANTS, card % VARIANTS
    for t in range(len(TEMPLATES)):
        action = NEW + len(TEMPLATES) * r + t
        if action > after and NEEDS[s.opt.suit_rule, t, j] > 0 and _pickup_legal(s, seat, action, r):
            return action
    if j == GOLD:
        for i in range(len(TRIPLES)):
            low, middle, high = int(TRIPLE[i, 0]), int(TRIPLE[i, 1]), int(TRIPLE[i, 2])
            fits = r in (low, middle, high) and (s.opt.pickup_wilds == 1 or high - low + 1 == NEW_SIZE)
            if fits and NEW_SUIT + i > after and _pickup_legal(s, seat, NEW_SUIT + i, SUIT):
                return NEW_SUIT + i
    return -1


@kernel
def _pickup_legal(s: Record, seat: int, action: int, formation: int) -> bool:
    if not placeable(s, seat, action):
        return False
    s.pick = formation
    fine = legal_placement(s, seat, action)
    s.pick = -1
    return fine


@kernel
def possible(s: Record) -> bool:
    """Can whoever's turn it is go on, with this hand? What he began he must be able to end."""
    seat = turn_seat(s)
    team = team_of(s, seat)
    if s.phase == OVER:
        return True
    if s.phase == PICKUP:
        return next_pickup(s, seat, -1) >= 0
    return s.opened[team] == 1 or not has_laid(s, team) or feasible(s, seat)


@leaf
def is_natural(kind: int) -> bool:
    """Is it one of the 88 rank cards?"""
    return 0 <= kind < NATURALS
