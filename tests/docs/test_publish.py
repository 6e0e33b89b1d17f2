"""The command that publishes the site replaces one branch of a remote, and nothing else."""

from __future__ import annotations

import filecmp

import pytest

from docs._site import publish

PAGES = {"index.html": "<p>front", ".nojekyll": "", "_static/lines.css": "a\r\nb\n", "build/page.html": "<p>page"}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a site that git ignores, and a bare remote with an older site."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ann@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-config"))
    folder = tmp_path / "repository"
    site = folder / "runs/site/html"
    write(site, PAGES | {"old.html": "<p>old"})
    write(folder, {".gitignore": "runs/\nbuild/\n*.css\n", "page.md": "# Page"})
    publish.git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    publish.git(folder, "init", "--quiet")
    publish.git(folder, "remote", "add", "host", str(tmp_path / "remote.git"))
    publish.git(folder, "add", ".")
    publish.git(folder, "commit", "--quiet", "-m", "first")
    publish.publish(folder, site, "host")
    (site / "old.html").unlink()
    return folder


def write(folder, contents):
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode())


def published(repository):
    """Return the only commits of the branch at the remote, and the names of its files."""
    remote = repository.parent / "remote.git"
    names = publish.git(remote, "ls-tree", "-r", "--name-only", publish.BRANCH).splitlines()
    return publish.git(remote, "rev-list", publish.BRANCH).splitlines(), set(names)


def test_the_branch_has_one_commit_with_the_files_of_the_folder(repository, tmp_path):
    site, before = repository / "runs/site/html", publish.git(repository, "rev-parse", "HEAD")
    commit = publish.publish(repository, site, "host")
    assert published(repository) == ([commit], set(PAGES))
    publish.git(tmp_path, "clone", "--quiet", "--branch", publish.BRANCH, "remote.git", "copy")
    assert filecmp.cmpfiles(site, tmp_path / "copy", PAGES, shallow=False) == (list(PAGES), [], [])
    assert publish.git(repository, "rev-parse", "HEAD") == before
    assert not publish.git(repository, "status", "--porcelain")


def run(repository, monkeypatch, *words):
    monkeypatch.setattr(publish, "ROOT", repository)
    monkeypatch.chdir(repository)
    return publish.main(words)


def test_the_command_publishes_at_a_remote_by_name(repository, monkeypatch, capsys):
    assert run(repository, monkeypatch, "--remote", "host") == 0
    (commit,), _ = published(repository)
    assert commit in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "change", "reason"),
    [
        ((), {"page.md": "# Changed"}, "page.md"),
        ((), {"new.md": "# New"}, "new.md"),
        (("--site", "runs"), {}, "index.html"),
        (("--remote", "nowhere"), {}, "nowhere"),
    ],
    ids=["changed", "untracked", "no site", "no remote"],
)
def test_what_cannot_be_published_leaves_the_branch_as_it_is(repository, monkeypatch, capsys, words, change, reason):
    before = published(repository)
    write(repository, change)
    with pytest.raises(SystemExit) as ended:
        run(repository, monkeypatch, *(words if "--remote" in words else ("--remote", "host", *words)))
    message = capsys.readouterr().err
    assert ended.value.code in (1, 2)
    assert reason in message and message.count("\n") == 1
    assert published(repository) == before
