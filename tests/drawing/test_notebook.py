"""A notebook, executed: it shows a table, an environment and a replay."""

import html
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .test_replay import content

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

pytestmark = pytest.mark.whole
ROOT = Path(__file__).resolve().parents[2]
CELLS = (
    'import tantra_envs\ngame = tantra_envs.game("karma", players=3)\ngame.show(game.new(seed=1), seat=0)',
    'env = tantra_envs.make_raw("karma", players=3)\nenv.reset(seed=1)\nenv',
    'for _ in range(9):\n    env.step(int(env.last()[0]["action_mask"].argmax()))\nenv.replay(["Ann", "Bert", "Cy"])',
)


@pytest.fixture(scope="module")
def shown():
    """What each cell shows, by MIME type."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
    return [
        next(out["data"] for out in cell["outputs"] if out["output_type"] == "execute_result") for cell in book["cells"]
    ]


def test_a_table_and_an_environment_show_themselves(shown):
    for data in shown[:2]:
        root = ElementTree.fromstring(data["image/svg+xml"])
        assert root.get("aria-label").startswith("Karma · move 0")
    assert shown[0] != shown[1]  # one as a seat sees it, one open


def test_a_replay_shows_itself_in_a_frame(shown):
    page = html.unescape(re.fullmatch(r"<iframe srcdoc='(.*?)'[^>]*></iframe>", shown[2]["text/html"], re.DOTALL)[1])
    told, drawn = content(page)
    assert told["names"] == ["Ann", "Bert", "Cy"] and len(drawn[0]) == 10
