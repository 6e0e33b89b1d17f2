"""The files of the package for OpenEnv, which the command writes without that library."""

import shlex

import pytest

from tantra_envs import __main__ as program
from tantra_envs.adapters import openenv_package


def test_every_word_of_the_templates_is_replaced():
    contents = openenv_package.files()
    assert set(contents) == {
        "openenv.yaml", "pyproject.toml", "Dockerfile", "README.md", "__init__.py", "server/__init__.py",
        "server/app.py", "validation/oracle.py", "validation/runtime.json",
    }  # fmt: skip
    assert not any("$" in text for text in contents.values())
    for name in ("__init__.py", "server/app.py", "validation/oracle.py"):
        compile(contents[name], name, "exec")


def test_a_folder_with_files_is_not_overwritten(tmp_path, refusal):
    (tmp_path / "mine.txt").write_text("mine")
    assert "not empty" in refusal(program.main, ["openenv", str(tmp_path)])
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("name", ["openenv", "numpy", "tantra_envs", "json"])
def test_a_folder_does_not_hide_a_library(tmp_path, monkeypatch, refusal, name):
    """Programs that run beside the folder would import it in place of the library."""
    monkeypatch.chdir(tmp_path)
    assert f"in place of the library {name}" in refusal(program.main, ["openenv", f"{name}/"])
    assert not list(tmp_path.iterdir())


def test_the_commands_that_are_printed_have_quoted_paths(tmp_path, capsys):
    folder = tmp_path / "my environment"
    folder.mkdir()
    assert program.main(["openenv", str(folder)]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    commands = [shlex.split(line) for line in lines if line.startswith("openenv ")]
    assert commands == [["openenv", "validate", str(folder)], ["openenv", "validate", "--url", "http://localhost:8000"]]


def test_the_image_installs_a_wheel_of_the_folder(tmp_path):
    wheel = tmp_path / "tantra_envs-9.9.9-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    assert program.main(["openenv", str(tmp_path / "new"), "--wheel", str(wheel)]) == 0
    assert (tmp_path / "new" / wheel.name).read_bytes() == b"wheel"
    assert f"{wheel.name}[openenv]" in (tmp_path / "new/Dockerfile").read_text(encoding="utf-8")
