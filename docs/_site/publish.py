"""Publish the site as it is: `make publish`, or `python -m docs._site.publish --remote origin`.

The branch `gh-pages` of a remote gets one commit with the folder of the site and nothing else; what it had before is
replaced. Checkout, index and branches of this repository stay as they are. GitHub Pages, and any other host that serves
a branch, can show it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tantra_envs.programs import cli

ROOT = Path(__file__).resolve().parents[2]
BRANCH = "gh-pages"


@dataclass(frozen=True, kw_only=True)
class Args:
    """Publish the site as the only commit of the branch gh-pages of a remote.

    Example: python -m docs._site.publish --remote origin
    """

    remote: str = "origin"
    """Name or address of the remote."""
    site: Path = Path("runs/site/html")
    """Folder to publish."""


def main(words: Sequence[str] | None = None) -> int:
    """Publish the site and return the exit code."""
    with cli.user_errors("docs"):
        args = cli.read(Args, "docs._site.publish", words)
        check(ROOT, args.site)
    with cli.work():
        print(f"{BRANCH} of {args.remote}: {publish(ROOT, args.site, args.remote)}")
    return 0


def check(repository: Path, site: Path) -> None:
    """Raise ValueError unless the folder holds a site and everything in the repository is committed."""
    if not (site / "index.html").is_file():
        raise ValueError(f"site={str(site)!r} has no index.html; allowed: the folder that `make docs` builds")
    if changes := git(repository, "status", "--porcelain").splitlines():
        raise ValueError(
            f"not committed: {changes[0].strip()}, {len(changes)} in all; commit or remove all changes first"
        )


def publish(repository: Path, site: Path, remote: str) -> str:
    """Replace the branch of a remote by one commit with the files of a folder, and return the commit."""
    head, place = git(repository, "rev-parse", "--short", "HEAD"), git(repository, "rev-parse", "--absolute-git-dir")
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": f"{folder}/index"}  # so that the index of the checkout stays as it is
        as_it_is = ("-c", "core.autocrlf=false", f"--git-dir={place}", "--work-tree=.")
        git(site, *as_it_is, "add", "--all", "--force", ".", **index)
        tree = git(repository, "write-tree", **index)
    commit = git(repository, "commit-tree", tree, "-m", f"Site of commit {head}")
    git(repository, "push", "--force", remote, f"{commit}:refs/heads/{BRANCH}")
    return commit


def git(folder: Path, *words: str, **variables: str) -> str:
    """Return the output of git in a folder; raise OSError with its message if it fails."""
    command, environment = ["git", *words], os.environ | variables
    ended = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    if ended.returncode:
        raise OSError(f"git: {' '.join(ended.stderr.split()) or 'no reason given'}")
    return ended.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
