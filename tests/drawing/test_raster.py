"""Pixels and films, where the extra `render` is installed."""

import io
import re

import numpy as np
import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.drawing import raster

pytest.importorskip("resvg_py")
image = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def svg():
    game = tantra_envs.game("karma", players=2)
    return drawing.draw(game, game.new(1), 0)


def test_pixels_have_the_width_wanted_and_three_colours(svg):
    pixels = raster.rgb_array(svg, 300)
    _, _, width, height = map(float, re.search(r'viewBox="(.*?)"', svg)[1].split())
    assert pixels.dtype == np.uint8 and pixels.flags.writeable
    assert pixels.shape == (pytest.approx(300 * height / width, abs=1), 300, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    game = tantra_envs.game("karma", players=2)
    named = drawing.draw(game, game.new(1), 0, root="my-table-1")  # other ids
    assert (raster.rgb_array(named, 300) == pixels).all()


def test_a_film_has_the_height_of_its_highest_drawing(svg):
    game = tantra_envs.game("tarot", players=2)
    drawings = [svg, drawing.draw(game, game.new(1))]
    with image.open(io.BytesIO(raster.gif(drawings, 120))) as film:
        heights = [len(raster.rgb_array(each, 120)) for each in drawings]
        assert (film.format, film.n_frames, film.size) == ("GIF", 2, (120, max(heights))) and min(heights) < max(
            heights
        )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"width": 0}, "width=0 is not allowed; allowed: 1..8192 pixels"),
        ({"theme": "red"}, "theme='red' is not allowed"),
        ({"svg": "<svg/>"}, "svg is not allowed"),
    ],
)
def test_what_is_wrong_is_named(svg, given, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        raster.rgb_array(**{"svg": svg, **given})
    with pytest.raises(ValueError, match="at least one"):
        raster.gif([])
