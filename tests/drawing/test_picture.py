"""The command that draws a table into a file."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.commands.picture import main


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("words", "kind", "label"), [
    ("karma players=3 --seed 3 --moves 20 --seat 1 --theme dark --out new/table.svg", "te dark", "Karma · move 20"),
    ("tantrix mode=discovery puzzle=3 --moves 900 --names Ann --out new/table.svg", "te", "the end"),
])  # fmt: skip
def test_it_writes_an_svg_in_a_folder_that_it_makes_and_stops_where_the_game_ends(words, kind, label, capsys):
    assert main(words.split()) == 0
    drawn = Path("new/table.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn).get("class") == kind and label in drawn
    with pytest.raises(SystemExit):
        main(["karma", "--out", "new/table.svg/table.svg"])
    assert ".part" not in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["png", "gif"])
def test_it_writes_pixels(ending):
    pytest.importorskip("resvg_py")
    assert main(f"karma --moves 3 --scripted --width 80 --out table.{ending}".split()) == 0
    assert Path(f"table.{ending}").read_bytes()[1:4] in (b"PNG", b"IF8")


@pytest.mark.parametrize("ending", ["svg", "png", "gif"])
def test_a_full_disk_leaves_no_half_picture(here, monkeypatch, ending):
    if ending != "svg":
        pytest.importorskip("resvg_py")
    out = here / f"table.{ending}"
    out.write_bytes(b"the picture before")

    def full(file, content, *_, **__):
        with file.open("wb") as opened:
            opened.write(b"half")
        raise OSError(28, "No space left on device")

    for name in ("write_bytes", "write_text"):
        monkeypatch.setattr(Path, name, full)
    with pytest.raises(SystemExit):
        main(["karma", "--width", "80", "--out", str(out)])
    if ending != "gif":
        game = tantra_envs.game("karma")
        with pytest.raises(OSError, match="No space"):
            drawing.show(game, game.new(1)).save(out)
    assert out.read_bytes() == b"the picture before" and len(list(here.iterdir())) == 1
