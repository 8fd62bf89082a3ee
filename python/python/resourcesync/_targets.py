"""Targets of documents: a path, or a file opened for writing bytes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Protocol, Union

from ._errors import InputError


class WritableFile(Protocol):
    """A binary file opened for writing, or a compatible object."""

    def write(self, content: bytes, /) -> object:
        """Writes bytes."""
        ...


Target = Union[str, "os.PathLike[str]", WritableFile]


def write(target: Target, pieces: Iterable[bytes]) -> None:
    """Writes all chunks. A file at a path is replaced atomically."""
    if not isinstance(target, (str, os.PathLike)):
        for piece in pieces:
            target.write(piece)
        return
    path = os.fsdecode(target)
    temporary = os.path.join(os.path.dirname(path), f".resourcesync-{os.urandom(8).hex()}")
    try:
        # With the mode of a new file: the umask of the process, which all threads share, is left alone.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise InputError(*error.args[:2], path) from None
    try:
        with open(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
        _settle(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _settle(temporary: str, path: str) -> None:
    """Moves a complete file into place, with the mode of the file that it replaces."""
    try:
        os.chmod(temporary, os.stat(path).st_mode & 0o777)
    except FileNotFoundError:
        pass
    os.replace(temporary, path)
