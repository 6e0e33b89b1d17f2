"""The command that draws a table into a file."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.commands.picture import main


def test_it_writes_an_svg(tmp_path):
    out = tmp_path / "table.svg"
    assert (
        main(
            ["karma", "players=3", "--seed", "3", "--moves", "20", "--seat", "1", "--theme", "dark", "--out", str(out)]
        )
        == 0
    )
    root = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    assert root.get("class") == "te dark" and "Karma · move 20" in root.get("aria-label")


def test_it_stops_where_the_game_ends(tmp_path):
    out = tmp_path / "table.svg"
    words = ["tantrix", "mode=discovery", "puzzle=3", "--moves", "900", "--names", "Ann", "--out", str(out)]
    assert main(words) == 0
    assert "the end" in out.read_text(encoding="utf-8")


def test_it_makes_the_folder_of_the_picture(tmp_path, capsys):
    assert main(["karma", "--out", str(tmp_path / "new" / "table.svg")]) == 0
    with pytest.raises(SystemExit):
        main(["karma", "--out", str(tmp_path / "new" / "table.svg" / "table.svg")])
    assert ".part" not in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["png", "gif"])
def test_it_writes_pixels(tmp_path, ending):
    pytest.importorskip("resvg_py")
    out = tmp_path / f"table.{ending}"
    words = ["karma", "--moves", "3", "--scripted", "--width", "80", "--out", str(out)]
    assert main(words) == 0
    assert out.read_bytes()[1:4] in (b"PNG", b"IF8")


@pytest.mark.parametrize("ending", ["svg", "png", "gif"])
def test_a_full_disk_leaves_no_half_picture(tmp_path, monkeypatch, ending):
    if ending != "svg":
        pytest.importorskip("resvg_py")
    out = tmp_path / f"table.{ending}"
    out.write_bytes(b"the picture before")

    def full(file, content, *_, **__):
        with file.open("wb") as opened:
            opened.write(b"half")
        raise OSError(28, "No space left on device")

    for name in ("write_bytes", "write_text"):
        monkeypatch.setattr(Path, name, full)
    with pytest.raises(SystemExit):
        main(["karma", "--width", "80", "--out", str(out)])
    game = tantra_envs.game("karma")
    if ending != "gif":
        with pytest.raises(OSError, match="No space"):
            drawing.show(game, game.new(1)).save(out)
    assert out.read_bytes() == b"the picture before" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess", "--out", "a.svg"], "chess"),
        (["karma", "--out", "a.jpg"], "--out a.jpg is not allowed; allowed: a file name that ends in .svg, .png, .gif"),
        (["karma", "--moves", "-1", "--out", "a.svg"], "moves=-1 is not allowed; allowed: 0 or more"),
        (["karma", "--seed", "-1", "--out", "a.svg"], "seed=-1 is not allowed; allowed: 0 or more"),
        (["karma", "--frames", "0", "--out", "a.gif"], "frames=0 is not allowed; allowed: 1 or more"),
        (["karma", "--seat", "7", "--out", "a.svg"], "seat=7 is not allowed; allowed: 0..1"),
        (["karma", "players", "--out", "a.svg"], "'players' is not allowed; allowed: OPTION=VALUE"),
        (["karma", "players=40", "--out", "a.svg"], "players=40 is not allowed"),
        (["karma", "--names", "A", "--out", "a.svg"], "1 names are given"),
        (["karma", "--palette", "red", "--out", "a.svg"], '"red" for --palette'),
    ],
)
def test_mistakes_are_told_in_one_line_and_write_nothing(tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1
    assert not list(tmp_path.iterdir())
