"""Action features of Kanastic, compared with counts from the record."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.kanastic.actions import ADD, ADD_SWORD, DISCARD, DRAW, TAKE_STACK
from tantra_envs.games.kanastic.agents.features import A, T
from tantra_envs.games.kanastic.material import CANASTA, FULL, HAND_POINTS, NATURALS, RANK_POINTS, SHIELD, VARIANTS
from tantra_envs.games.kanastic.melds import can_begin
from tantra_envs.games.kanastic.state import Phase

from ..features import action_features, positions


def rank_of(action):
    """Of an addition or a discard of a natural card."""
    return (action - (ADD if action < ADD_SWORD else DISCARD)) // VARIANTS


def test_a_rank_is_described_by_the_cards_of_all():
    game, seen = tantra_envs.game("kanastic", episode="round"), set()
    for state, seat in positions(game, 4, every=9, share=0.05):
        s, team = state[0], seat % 2
        actions, features, _ = action_features(game, state, seat)
        for action, row in zip(actions, features, strict=True):
            if not (ADD <= action < ADD_SWORD or DISCARD <= action < DISCARD + NATURALS):
                continue
            r = rank_of(action)
            kinds = slice(VARIANTS * r, VARIANTS * (r + 1))
            own, held = s["n"][team, r] + s["w"][team, r], s["hand"][seat, kinds]
            other = s["n"][1 - team, r] + s["w"][1 - team, r]
            in_pile = [(s["pile"][: s["pile_n"]] == kind).sum() for kind in range(kinds.start, kinds.stop)]
            known = [s["known"][(seat + j) % 4, kinds].sum() for j in (1, 2, 3)]
            unseen = 8 - held.sum() - sum(in_pile) - sum(known) - s["n"][:, r].sum() - suit_golds(s, r)
            assert row[A.worth : A.held_copies] == pytest.approx(
                [RANK_POINTS[r] / 20, own / FULL, s["w"][team, r] / 3, float(own == CANASTA - 1),
                 max(0, CANASTA - own - held.sum()) / CANASTA, float(0 < own < FULL),
                 held.sum() / 4, (held > 0).sum() / 3]
            )  # fmt: skip
            assert row[A.unseen : A.is_gold] == pytest.approx(
                [unseen / 7, known[1] / 3, known[0] / 3, (known[0] + known[2]) / 3, other / FULL,
                 float(s["opened"][1 - team] and s["n"][1 - team, r] == 0), sum(in_pile) / 3]
            )  # fmt: skip
            seen.add((own > 0, other > 0, sum(known) > 0))
    assert len(seen) > 5


def suit_golds(s, r):
    """Gold cards of a rank that lie in golden suits."""
    inside = [s["suit_lo"][team] <= r <= s["suit_hi"][team] and s["suit_lo"][team] >= 0 for team in (0, 1)]
    return sum(lies and not (int(s["suit_art"][team]) >> r) & 1 for team, lies in enumerate(inside))


def test_taking_the_stack_is_described_by_what_it_holds():
    game, seen = tantra_envs.game("kanastic", episode="round"), 0
    for state, seat in positions(game, 4, share=0.05):
        actions, features, table = action_features(game, state, seat)
        if table[T.phase + Phase.DRAW] == 0:
            continue
        assert DRAW in actions and max(actions) <= TAKE_STACK
        s, team = state[0], seat % 2
        pile, ranks = s["pile"][: s["pile_n"]], s["hand"][seat, :NATURALS].reshape(-1, VARIANTS).sum(axis=1)
        size = s["n"][team] + s["w"][team]
        natural = pile[pile < NATURALS] // VARIANTS
        stack = [len(pile) / 20, HAND_POINTS[pile].sum() / 100, ((size > 0) & (size < FULL))[natural].sum() / 5,
                 (ranks > 1)[natural].sum() / 5, ((pile >= NATURALS) & (pile < SHIELD)).sum() / 2]  # fmt: skip
        for row in features:
            assert row[A.stack_cards : A.first_turn] == pytest.approx([*stack, (pile == SHIELD).sum()])
        seen += len(pile) > 4
    assert seen > 20


@pytest.mark.parametrize(
    "config", [{"start_scores": (2000, 3500)}, {"start_scores": (4000, 0), "suit_rule": "any"},
               {"players": 3, "start_scores": (6000, 0, 2000)}], ids=str
)  # fmt: skip
def test_the_table_has_the_stages_and_what_the_hand_could_open_with(config):
    game = tantra_envs.game("kanastic", episode="round", **config)
    teams, seen = len(game.teams), set()
    for state, seat in positions(game, 4, every=5, share=0.05):
        s, team = state[0], seat % teams
        table = action_features(game, state, seat)[2]
        points, ranks, near, most = opening(s, seat, team)
        stages = [*(s["stage"][(team + j) % teams] / 4 for j in range(1, teams)), 0][:2]
        assert table[T.open_points : T.unseen_wilds] == pytest.approx(
            [points / 120, ranks / 4, near / CANASTA, most / CANASTA, *stages]
        )
        seen.add((ranks, near))
    assert len(seen) > 5


def opening(s, seat, team):
    """Points that the hand could lay to open, ranks to begin, cards of the nearest canasta, most cards of a rank."""
    hand = s["hand"][seat].astype(int)
    ranks, swords, artifacts = hand[:NATURALS].reshape(-1, VARIANTS), hand[NATURALS], hand[NATURALS + 1]
    suits = np.column_stack([ranks[:, 0], ranks[:, 1], ranks[:, 2] + ranks[:, 4], ranks[:, 3]]) > 0
    begins = ranks.sum(axis=1) >= 3 if s["opt"]["suit_rule"] else suits.sum(axis=1) >= 3
    limit = 0 if s["opened"][team] else (3, 1, 2, 3)[s["stage"][team] - 1]
    wild = sorted([25] * swords + [50] * artifacts, reverse=True)
    points = (ranks.sum(axis=1) * RANK_POINTS)[begins].sum() + sum(wild[:limit])
    near = max(ranks.sum(axis=1)[begins] + min(3, len(wild)), default=0)
    return points, begins.sum(), near, ranks.sum(axis=1).max()


def test_a_rank_is_described_by_what_it_could_become():
    game, seen = tantra_envs.game("kanastic", start_scores=(6000, 0), episode="round"), set()
    for state, seat in positions(game, 4, every=7, share=0.05):
        s, team = state[0], seat % 2
        held = s["hand"][seat, :NATURALS].reshape(-1, VARIANTS).sum(axis=1)
        wild = int(s["hand"][seat, NATURALS : NATURALS + 2].sum())
        actions, features, _ = action_features(game, state, seat)
        for action, row in zip(actions, features, strict=True):
            if ADD <= action < ADD_SWORD or DISCARD <= action < DISCARD + NATURALS:
                r = rank_of(action)
                laid = s["n"][team, r] + s["w"][team, r]
                lacking = max(0, CANASTA - laid - held[r] - min(wild, 3 - s["w"][team, r])) / CANASTA
                begins = laid == 0 and can_begin(s, seat, r, 0)
                further = (held.max() - held[r]) / CANASTA
                assert row[A.missing_with_wilds : A.stack_cards] == pytest.approx([lacking, float(begins), further])
                seen.add((lacking > 0, bool(begins)))
    assert len(seen) > 2
