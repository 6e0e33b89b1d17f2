"""Cards stay in their box however many they are."""

import itertools

import pytest

from tantra_envs.drawing.layout import CARD_H, CARD_W, Box, fan, spread

BOXES = [Box(5, 5, 119, 40), Box(0, 0, 390, 100), Box(10, 20, 60, 30)]


def inside(spot, box):
    right, bottom = spot.x + CARD_W * spot.scale, spot.y + CARD_H * spot.scale
    return (
        box.x - 0.1 <= spot.x
        and right <= box.x + box.w + 0.1
        and box.y - 0.1 <= spot.y
        and bottom <= box.y + box.h + 0.1
    )


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("n", [0, 1, 2, 5, 11, 25, 40])
def test_a_fan_stays_inside(box, n):
    spots = fan(box, n, 46)
    assert len(spots) == n and all(inside(spot, box) for spot in spots)


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("sizes", [[], [3], [8] * 11, [1, 2, 3, 4, 5], [14, 14]])
def test_groups_stay_inside(box, sizes):
    groups = spread(box, sizes, 30)
    assert [len(spots) for spots in groups] == sizes
    assert all(inside(spot, box) for spots in groups for spot in spots)


def test_few_cards_do_not_overlap():
    spots = fan(Box(0, 0, 390, 70), 5, 46)
    assert all(b.x - a.x >= CARD_W * a.scale for a, b in itertools.pairwise(spots))
