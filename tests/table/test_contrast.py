"""Words and borders on felt can be seen, light and dark."""

import re

import pytest

from tantra_envs.table.page import FELT


def luminance(colour):
    """The relative luminance of `#rrggbb`, as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("dark", [False, True])
def test_words_and_borders_are_clear_on_felt(dark):
    pairs = re.findall(r"--(\w+): (?:light-dark\((#\w{6}), )?(#\w{6})", FELT.split("}")[0])
    colours = {name: light if light and not dark else single for name, light, single in pairs}
    assert {"felt", "panel", "ink", "soft", "turn", "go", "last"} <= set(colours)
    for ground in ("felt", "panel"):
        below = luminance(colours[ground]) + 0.05
        for name, least in (("ink", 4.5), ("soft", 4.5), ("turn", 3), ("go", 3), ("last", 3)):
            assert (luminance(colours[name]) + 0.05) / below >= least, (name, ground)
