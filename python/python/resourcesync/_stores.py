"""Where a publication puts its files: a folder, a mapping, or anything that takes them one after the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import MutableMapping
from pathlib import Path
from typing import IO, Protocol, cast

from . import _targets
from ._errors import InputError


class Store(Protocol):
    """Takes files one after the other. A path is relative, with ``/`` between its segments, and never leads out of where it goes."""

    def begin(self, path: str, /) -> object:
        """Begins a file."""
        ...

    def write(self, content: bytes, /) -> object:
        """Adds to it."""
        ...

    def end(self) -> object:
        """Ends it."""
        ...


class Folder:
    """A folder: each file is written beside its place and moved there when it is complete."""

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
        """Throws away what was begun and not ended."""
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
