"""Drawings of chosen tables: their words, and a digest of all. Write them again with `python -m tests.drawing.golden`.

A drawing whose digest differs while its words stay has other shapes, places or colours: look at it before you write.
"""

import hashlib
import html
import itertools
import re
from pathlib import Path

import tantra_envs
from tantra_envs import drawing
from tantra_envs.programs.files import write_content

from .tables import CONFIGURATIONS, moments

FILE = Path(__file__).with_name("golden.txt")
MOST = 6  # tables of a configuration
WORDS = re.compile(r"<(?:title|text)\b[^>]*>(.*?)</(?:title|text)>", re.DOTALL)


def lines():
    """Yield the lines of the file."""
    for name, config in CONFIGURATIONS:
        game = tantra_envs.game(name, **config)
        yield f"# {name} {config}"
        for number, (state, last) in enumerate(itertools.islice(moments(game, longest=300), MOST)):
            seat = (None, 0, int(state["seat"][0]))[number % 3]
            svg = drawing.draw(game, state, seat, last=last, root="te")
            texts = [" ".join(re.sub(r"<[^>]+>", " ", text).split()) for text in WORDS.findall(svg)]
            digest = hashlib.sha256(svg.encode()).hexdigest()[:12]
            yield f"{digest} {' | '.join(dict.fromkeys(html.unescape(text) for text in texts))}"


if __name__ == "__main__":
    write_content(FILE, "\n".join(lines()) + "\n")
