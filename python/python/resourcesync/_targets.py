"""Targets of documents: a path, or a file opened for writing bytes."""

from __future__ import annotations

import os
import tempfile
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
    path = os.fspath(target)
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".resourcesync-", dir=os.path.dirname(path) or ".")
    except OSError as error:
        raise InputError(*error.args[:2], path) from None
    try:
        with open(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
        settle(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def settle(temporary: str, path: str) -> None:
    """Moves a complete file into place, with the mode that a newly created file would have."""
    os.chmod(temporary, _mode(path))
    os.replace(temporary, path)


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
