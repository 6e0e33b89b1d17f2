"""What the servers of one folder share: the secret that their links follow from, their port, and the open games.

A link follows from the secret and from words that a saved game contains. So it leads to the same game after a restart.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import zlib
from pathlib import Path
from typing import IO

from ..programs.files import open_folder, take, write_content

LINKS = ".links"  # name of the file with the secret and the port
OPEN = ".open"  # name of the file whose bytes are locked, one for each open game
FEW = 1 << 30  # number of these bytes
_held: dict[Path, IO[bytes]] = {}  # closing such a file would give up all locks on it


class Home:
    """The folder of a server.

    Args:
        folder: The folder. It is created when something has to be kept.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / LINKS
        self._secret = ""

    def token(self, *words: object) -> str:
        """Return the secret part of a link. The same words always have the same token."""
        text = "\n".join(map(str, words))
        return hmac.new(self._key().encode(), text.encode(), hashlib.sha256).hexdigest()[:32]

    @property
    def port(self) -> int:
        """The port of the last server of this folder; 0 = unknown."""
        port = self._read().get("port")
        return port if isinstance(port, int) and 0 < port < 1 << 16 else 0

    @port.setter
    def port(self, number: int) -> None:
        self._write({"secret": self._key(), "port": number})

    def _key(self) -> str:
        """Return the secret; without one, or with one that can be guessed, make it."""
        secret = self._secret or self._read().get("secret")
        if not isinstance(secret, str) or len(secret) < secrets.DEFAULT_ENTROPY:
            secret = secrets.token_urlsafe()
            self._write({"secret": secret})
        self._secret = secret
        return secret

    def _read(self) -> dict[str, object]:
        with contextlib.suppress(OSError, ValueError):  # there is none yet, or it is damaged: links change
            content = json.loads(self._file.read_bytes())
            return content if isinstance(content, dict) else {}
        return {}

    def _write(self, content: dict[str, object]) -> None:
        """Write the file so that no other user of the machine can read it."""
        open_folder(self._file.parent)
        self._file.touch(mode=0o600)
        self._file.chmod(0o600)
        write_content(self._file, json.dumps(content))


def claim(file: Path) -> None:
    """Keep other processes from continuing a saved game until this process ends.

    Raises:
        ValueError: Another process has claimed it.
        OSError: The folder cannot be written.
    """
    lock = file.resolve().parent / OPEN
    if lock not in _held:
        _held[lock] = os.fdopen(os.open(lock, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    if not take(_held[lock].fileno(), zlib.crc32(file.name.encode()) % FEW):
        raise ValueError(f"{file} is open at another server. Go on there, or stop that server.")
