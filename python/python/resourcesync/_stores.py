"""Destinations of a publication: a folder, a mapping, or any store that receives one file after the other."""

from __future__ import annotations

import json
import os
from collections.abc import MutableMapping
from pathlib import Path
from typing import Protocol, cast

from . import _core
from ._errors import InputError


class Store(Protocol):
    """Receives one file after the other. Paths are relative, with ``/`` between segments, and without ``..``."""

    def begin(self, path: str, /) -> object:
        """Starts a file."""
        ...

    def write(self, content: bytes, /) -> object:
        """Appends bytes."""
        ...

    def end(self) -> object:
        """Ends the file."""
        ...


class Folder:
    """A folder: all files are written to a folder next to it, which replaces it in one step when the publication is finished."""

    def __init__(self, path: str | os.PathLike[str], keep: int) -> None:
        place = Path(path)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(*error.args[:2], str(place)) from None
        self._inner = _core.Generation(place, keep)

    def begin(self, path: str) -> None:
        self._inner.begin(path)

    def write(self, content: bytes) -> None:
        self._inner.write(content)

    def end(self) -> None:
        self._inner.end()

    def previous(self) -> dict[str, dict[str, object]]:
        """The histories of the published sets."""
        return cast("dict[str, dict[str, object]]", json.loads(self._inner.previous()))

    def publish(self, at: str, base: str, published: str) -> None:
        """Replaces the published folder."""
        self._inner.publish(at, base, published)

    def drop(self) -> None:
        """Discards unpublished files."""
        self._inner.drop()


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
