"""Destinations of a publication: a folder, a mapping, or any store that receives one file after the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import MutableMapping
from pathlib import Path
from typing import IO, Protocol, cast

from . import _targets
from ._errors import InputError


class Store(Protocol):
    """Receives one file after the other. Paths are relative, with ``/`` between segments, and without ``..``."""

    def begin(self, path: str, /) -> object:
        """Begins a file."""
        ...

    def write(self, content: bytes, /) -> object:
        """Appends bytes."""
        ...

    def end(self) -> object:
        """Ends the file."""
        ...


class Folder:
    """A folder. Each file is replaced atomically."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._root = Path(path)
        self._place: Path | None = None
        self._file: IO[bytes] | None = None

    def begin(self, path: str) -> None:
        self._place = self._root / path
        try:
            self._place.parent.mkdir(parents=True, exist_ok=True)
            self._file = cast(
                "IO[bytes]", tempfile.NamedTemporaryFile(dir=self._place.parent, prefix=".resourcesync-", delete=False)
            )
        except OSError as error:
            raise InputError(*error.args[:2], str(self._place)) from None

    def write(self, content: bytes) -> None:
        if self._file is not None:
            self._file.write(content)

    def end(self) -> None:
        if self._file is not None and self._place is not None:
            self._file.close()
            _targets.settle(self._file.name, str(self._place))
            self._file = None

    def drop(self) -> None:
        """Discards an unfinished file."""
        if self._file is not None:
            self._file.close()
            os.unlink(self._file.name)
            self._file = None


class Memory:
    """A mapping from path to content."""

    def __init__(self, files: MutableMapping[str, bytes]) -> None:
        self._files = files
        self._path = ""
        self._pieces: list[bytes] = []

    def begin(self, path: str) -> None:
        self._path, self._pieces = path, []

    def write(self, content: bytes) -> None:
        self._pieces.append(content)

    def end(self) -> None:
        self._files[self._path] = b"".join(self._pieces)
