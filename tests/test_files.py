"""Files are written whole or not at all."""

import re
from pathlib import Path

import pytest

from tantra_envs.files import locked, new_file, open_folder, write_whole

ROOT = Path(__file__).resolve().parents[1]


def test_a_file_takes_its_place_in_one_step(tmp_path):
    file = tmp_path / "figures.json"
    file.write_text("before")
    write_whole(file, lambda part: (part.write_text("after"), file.read_text() == "before" or pytest.fail("too early")))
    assert [found.name for found in tmp_path.iterdir()] == ["figures.json"]
    assert file.read_text() == "after"


@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_half_way_leaves_all_as_it_was(tmp_path, trouble):
    def half(part):
        part.write_text("half")
        raise trouble

    file = tmp_path / "figures.json"
    file.write_text("before")
    with pytest.raises(type(trouble)):
        write_whole(file, half)
    assert [found.name for found in tmp_path.iterdir()] == ["figures.json"]
    assert file.read_text() == "before"


def test_a_folder_that_cannot_be_written_is_told_at_once(tmp_path):
    open_folder(tmp_path / "a" / "b")
    assert not list((tmp_path / "a" / "b").iterdir())
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        open_folder(tmp_path / "file" / "b")


def test_a_new_file_takes_the_place_of_none(tmp_path):
    for number in range(3):
        assert len(list(tmp_path.iterdir())) == number
        assert new_file(tmp_path, "karma").read_bytes() == b""


@pytest.mark.parametrize("package", ["tantra_envs", "agents", "training", "benchmarks"])
def test_text_does_not_depend_on_the_encoding_of_the_system(package):
    for file in (ROOT / package).rglob("*.py"):
        assert not re.search(r"(read|write)_text\((?!.*encoding)", file.read_text(encoding="utf-8")), file


def test_a_locked_folder_names_the_process_that_holds_it(tmp_path, locked_by_another):
    with locked_by_another(tmp_path) as other:
        for _ in range(2):
            with pytest.raises(ValueError, match=rf"is in use by process {other.pid} on "), locked(tmp_path):
                pass


def test_a_lock_ends_with_its_block_or_its_process(tmp_path, locked_by_another):
    with locked_by_another(tmp_path):
        pass  # killed at the end of the block
    for _ in range(2):
        with locked(tmp_path):
            pass
