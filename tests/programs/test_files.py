"""Files are written whole or not at all."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest

from tantra_envs.programs.files import (
    check_file,
    expanded,
    locked,
    new_file,
    open_folder,
    read_toml,
    write_content,
    write_json,
    write_parquet,
    write_whole,
)

ROOT = Path(__file__).resolve().parents[2]


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_a_file_takes_its_place_in_one_step(tmp_path):
    file = tmp_path / "figures.json"
    file.write_text("before")
    write_whole(file, lambda part: (part.write_text("after"), file.read_text() == "before" or pytest.fail("too early")))
    assert names(tmp_path) == ["figures.json"] and file.read_text() == "after"


@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_half_way_leaves_all_as_it_was(tmp_path, trouble):
    def half(part):
        part.write_text("half")
        raise trouble

    file = tmp_path / "figures.json"
    file.write_text("before")
    with pytest.raises(type(trouble)):
        write_whole(file, half)
    assert names(tmp_path) == ["figures.json"] and file.read_text() == "before"


def test_several_writers_leave_a_reader_no_broken_file(tmp_path):
    file, reads = tmp_path / "figures.json", 0
    file.write_text("0" * 100_000)

    def write(number):
        for _ in range(200):
            write_content(file, str(number) * 100_000)

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, number) for number in range(4)]
        while not all(writer.done() for writer in writers):
            content = file.read_text()
            assert len(content) == 100_000 and len(set(content)) == 1
            reads += 1
    assert [writer.exception() for writer in writers] == [None] * 4 and reads > 10
    assert names(tmp_path) == ["figures.json"]


def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path):
    target, link, further, missing = (tmp_path / name for name in ("target", "link", "further", "missing"))
    target.write_text("before")
    target.chmod(0o640)
    for file, leads_to in ((link, target), (further, "link"), (missing, "none"), (tmp_path / "circle", "circle")):
        file.symlink_to(leads_to)
    for file in (further, missing):
        write_content(file, "after")
        assert file.is_symlink() and file.read_text() == "after"
    assert link.is_symlink() and target.read_text() == "after" and target.stat().st_mode & 0o777 == 0o640
    with pytest.raises(OSError, match="circle"):
        write_content(tmp_path / "circle", "lost")
    assert (tmp_path / "circle").is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_is_refused_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for write in (lambda: check_file("json", pipe), lambda: write_json(pipe, {"score": 0.5})):
        with pytest.raises(OSError, match="is a device or a pipe; allowed: a file"):
            write()
    assert pipe.is_fifo()


def test_a_folder_or_a_file_that_cannot_be_written_is_told_at_once(tmp_path):
    with pytest.raises(ValueError, match=r"json='.*' is not allowed: it is a folder"):
        check_file("json", tmp_path)
    check_file("json", tmp_path / "a" / "b.json")
    assert names(tmp_path) == ["a"] and not names(tmp_path / "a")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        open_folder(tmp_path / "file" / "b")


def test_parts_of_a_killed_writer_are_removed_by_the_next_process_that_locks_the_folder(tmp_path):
    (tmp_path / "records").mkdir()
    left = [tmp_path / ".0123.part", tmp_path / "records" / ".4567.part"]
    for file in [*left, tmp_path / "own.part"]:
        file.touch()
    with locked(tmp_path):
        assert not any(file.exists() for file in left)
    assert (tmp_path / "own.part").exists()


@pytest.mark.parametrize("content", [b"seed = ", b"seed = \xff", b"seed = " + b"[" * 20_000])
def test_a_file_that_is_not_toml_is_refused_by_name(tmp_path, content):
    file = tmp_path / "options.toml"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"options\.toml: "):
        read_toml(file)


def test_a_home_folder_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match="~no-such-user"):
        expanded("~no-such-user/runs")


def test_a_new_file_takes_the_place_of_none(tmp_path):
    assert len({new_file(tmp_path, "karma") for _ in range(3)}) == len(names(tmp_path)) == 3


@pytest.mark.parametrize("package", ["tantra_envs", "agents", "training", "benchmarks"])
def test_text_does_not_depend_on_the_encoding_of_the_system(package):
    for file in (ROOT / package).rglob("*.py"):
        assert not re.search(r"(read|write)_text\((?!.*encoding)", file.read_text(encoding="utf-8")), file


def test_a_locked_folder_names_the_process_that_holds_it_until_that_has_ended(tmp_path, locked_by_another):
    with locked_by_another(tmp_path) as other:  # which is killed at the end of the block
        for _ in range(2):
            with pytest.raises(ValueError, match=rf"is in use by process {other.pid} on "), locked(tmp_path):
                pass
    for _ in range(2):
        with locked(tmp_path):
            pass


def test_a_full_disk_is_an_os_error_for_a_table_too(tmp_path, monkeypatch):
    polars = pytest.importorskip("polars")
    file = tmp_path / "games.parquet"
    write_parquet(file, polars.DataFrame({"deal": [1]}))
    before = file.read_bytes()

    full = Mock(side_effect=polars.exceptions.ComputeError("No space left on device"))
    monkeypatch.setattr(polars.DataFrame, "write_parquet", full)
    with pytest.raises(OSError, match="No space left"):
        write_parquet(file, polars.DataFrame({"deal": [2]}))
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]
