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


def test_pixels_do_not_depend_on_the_names_of_ids(svg):
    game = tantra_envs.game("karma", players=2)
    named = drawing.draw(game, game.new(1), 0, root="my-table-1")
    assert (raster.rgb_array(named, 200) == raster.rgb_array(svg, 200)).all()


def test_png_and_gif_can_be_read(svg):
    with image.open(io.BytesIO(raster.png(svg, 200))) as one:
        assert one.format == "PNG" and one.width == 200
    game = tantra_envs.game("tarot", players=2)
    with image.open(io.BytesIO(raster.gif([svg, drawing.draw(game, game.new(1))], 120))) as film:
        assert film.format == "GIF" and film.n_frames == 2 and film.width == 120


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


def test_a_film_needs_a_drawing():
    with pytest.raises(ValueError, match="at least one"):
        raster.gif([])
