"""Numba's disk cache, with two differences.

A copy of the same sources in another place finds the machine code again, because cache files are named after the place
of a source file within its package. Numba names them after the whole path.

Damaged files are replaced. Numba would raise an error in every process until somebody removes the file, or would run
machine code with flipped bits. Each file begins with a digest of the rest. Checking it takes milliseconds: the machine
code of a game has two to three megabytes.
"""

from __future__ import annotations

import hashlib
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

DIGEST = hashlib.sha256().digest_size  # bytes


class StoredCode(FunctionCache):
    """The stored machine code of one function, below `folder`, which is named after a digest of all sources."""

    def __init__(self, function: Callable[..., Any], folder: str, root: Path) -> None:
        file = Path(function.__code__.co_filename).resolve()
        place = file.relative_to(root.parent) if root.parent in file.parents else file
        name = f"{file.parent.name}_{hashlib.sha256(str(place).encode()).hexdigest()[:12]}"
        self._impl_class = lambda _: _Impl(function, Path(folder) / name)
        super().__init__(function)
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored code for a signature, or None without one; remove files that cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # pickle raises almost anything on damaged bytes
            told = f"{self.cache_path} is damaged ({type(error).__name__}); it is removed and compiled again"
            print(f"tantra_envs: {told}", file=sys.stderr, flush=True)
            shutil.rmtree(self.cache_path, ignore_errors=True)
            return None


class _CheckedFiles(IndexDataCacheFile):
    """The index of a function and the files it names, each behind a digest of its bytes."""

    def _load_index(self) -> dict[Any, str]:
        try:
            index: dict[Any, str] = _read(self._index_path)
        except FileNotFoundError:
            return {}
        return index

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, overloads)

    def _load_data(self, name: str) -> Any:
        return _read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, content: Any) -> None:
        payload = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(payload).digest() + payload)


def _read(path: str) -> Any:
    """Return the content of a file; ValueError if its bytes are not those that were written."""
    stored = Path(path).read_bytes()
    digest, payload = stored[:DIGEST], stored[DIGEST:]
    if hashlib.sha256(payload).digest() != digest:
        raise ValueError("its digest is that of other bytes")
    return pickle.loads(payload)


class _Impl(CompileResultCacheImpl):
    """Numba's reading and writing of compiled functions, at a place of our choice."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._locator_classes = [_Locator(function, folder)]
        super().__init__(function)


class _Locator:
    """The folder for the compiled functions of one source file, which are named after their lines."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_file = function.__code__.co_filename
        self._line = function.__code__.co_firstlineno
        self._folder = folder

    def from_function(self, *_: Any) -> _Locator:
        """Return this locator, which Numba takes because it is the only one in the list."""
        return self

    def ensure_cache_path(self) -> None:
        """Create the folder; OSError if that is not possible."""
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return a constant: an edited source has another folder, so nothing in this one is out of date."""
        return ""

    def get_disambiguator(self) -> str:
        """Return the line of the function."""
        return str(self._line)
