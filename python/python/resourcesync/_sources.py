"""The types of sources: a path, bytes, a binary file, an iterable of bytes. A ``str`` is always a path, never XML."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Protocol, Union, cast, runtime_checkable

from . import _core
from ._cancel import going
from ._errors import ConfigError, InputError

if TYPE_CHECKING:
    from typing import TypeGuard

    from ._entries import Bitstream, ChangedBitstream, Resource, ResourceChange

    Member = Union[Bitstream, ChangedBitstream, Resource, ResourceChange]

#: Bytes read at a time.
WINDOW = 1 << 16


#: Bytes in memory.
Buffer = Union[bytes, bytearray, memoryview]


@runtime_checkable
class BinaryFile(Protocol):
    """A binary file opened for reading, or a compatible object."""

    def read(self, size: int = ..., /) -> Buffer:
        """Reads up to this number of bytes; returns none at the end."""
        ...


Path = Union[str, "os.PathLike[str]"]
Content = Union[bytes, bytearray, memoryview]
ByteSource = Union[Path, Content, BinaryFile, Iterable[Buffer]]


def is_path(source: object) -> bool:
    """True for text and path objects."""
    return isinstance(source, (str, os.PathLike))


def is_content(source: object) -> bool:
    """True for objects that hold all bytes in memory."""
    return isinstance(source, (bytes, bytearray, memoryview))


def path(source: Path) -> str:
    """The path as text, after checking that it can be opened."""
    text = os.fsdecode(source)
    if text.lower().startswith(("http://", "https://")):
        raise ConfigError(f"`{text}` is a URL; fetch it and give its content, or use resourcesync.crawl")
    try:
        if not os.path.isdir(text):
            if os.path.exists(text) and not os.access(text, os.R_OK):
                raise PermissionError(13, "Permission denied", text)
            os.stat(text)
    except (OSError, ValueError) as error:
        if text.lstrip("\ufeff \t\r\n").startswith("<"):
            raise ConfigError("a str is a path, and this is a document: give it as bytes, such as text.encode()") from None
        if isinstance(error, OSError):
            raise InputError(*error.args[:2], text) from None
        raise InputError(22, str(error), text) from None
    return text


def shown(path: str) -> str:
    """A path as it is shown: bytes of a file name that are not UTF-8 are replaced, as by the command."""
    return os.fsencode(path).decode("utf-8", "replace")


def name(source: object) -> str | None:
    """The name of a file object."""
    given = getattr(source, "name", None)
    return shown(given) if isinstance(given, str) else None


class SeekableFile(BinaryFile, Protocol):
    """A file with random access."""

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Seeks to a position."""
        ...

    def tell(self) -> int:
        """The current position."""
        ...


def can_seek(source: object) -> TypeGuard[SeekableFile]:
    """True if a file has random access."""
    seekable = getattr(source, "seekable", None)
    return isinstance(source, BinaryFile) and callable(seekable) and bool(seekable())


class Window:
    """Random access to a file from its current position to its end."""

    def __init__(self, file: SeekableFile) -> None:
        self._file = file
        self._base = file.tell()
        self.size = max(file.seek(0, os.SEEK_END) - self._base, 0)
        file.seek(self._base)

    def read_at(self, offset: int, length: int) -> bytes:
        """Reads these bytes, or fewer at the end of the file."""
        self._file.seek(self._base + offset)
        pieces: list[Buffer] = []
        while length > 0:
            piece = _read(self._file.read, length)
            if not piece:
                break
            pieces.append(piece)
            length -= len(piece)
        return b"".join(pieces)

    def rewind(self) -> None:
        """Restores the position."""
        self._file.seek(self._base)


def package(file: SeekableFile) -> _core.Origin:
    """A package for the extension module; raises :class:`InputError` if the file is at its end, since it was read before."""
    if file.tell() > 0 and Window(file).size == 0:
        raise nothing()
    return origin(file)


def origin(file: SeekableFile) -> _core.Origin:
    """The same for the extension module."""
    window = Window(file)
    return _core.Origin.calls(window.read_at, window.size)


def opened(path: str) -> BinaryIO:
    """The file at a path."""
    try:
        return open(path, "rb")
    except OSError as error:
        raise InputError(*error.args[:2], path) from None


@contextmanager
def pieces(source: ByteSource) -> Generator[Iterator[bytes]]:
    """The bytes of any source in chunks. A file opened here is closed at the end; others belong to the caller."""
    if is_path(source):
        with opened(path(cast(Path, source))) as file:
            yield going(_windows(file.read))
    else:
        yield iter_pieces(source)


def iter_pieces(source: ByteSource) -> Iterator[bytes]:
    """The bytes of a source other than a path."""
    if is_content(source):
        return windows(cast(Content, source))
    if isinstance(source, BinaryFile):
        return going(_windows(source.read))
    if isinstance(source, str) or not isinstance(source, Iterable):
        hint = "; an asynchronous source is for avalidate, aread or aiter_entries" if is_asynchronous(source) else ""
        raise TypeError(f"a source is a path, bytes, a binary file or an iterable of bytes, not {type(source).__name__}{hint}")
    return going(_checked(source))


def is_asynchronous(source: object) -> bool:
    """True for objects that are read asynchronously."""
    return any(hasattr(source, name) for name in ("__aiter__", "iter_chunked", "aiter_bytes"))


@contextmanager
def document(source: ByteSource) -> Generator[Iterator[bytes]]:
    """The same for a document, which is not taken for an empty one if it was read before."""
    with pieces(source) as found:
        yield document_pieces(source, found)


def document_pieces(source: ByteSource, found: Iterator[bytes] | None = None) -> Iterator[bytes]:
    """The bytes of a document, which is not taken for an empty one if it was read before."""
    if isinstance(source, bytes):
        no_place(source)
    found = iter_pieces(source) if found is None else found
    return filled(found) if _may_be_read(source) else found


@contextmanager
def member(entry: Member, content: ByteSource | None) -> Generator[Iterator[bytes]]:
    """The bytes of a member of a package, of which a deletion has none. What was read before is not taken for empty, unless the entry lists no bytes."""
    if content is None:
        if getattr(entry, "change", None) != "deleted":
            raise InputError(f"{entry.uri} has no content")
        yield iter(())
        return
    may_be_read = _may_be_read(content) and entry.length != 0
    with pieces(content) as found:
        yield filled(found) if may_be_read else found


def _may_be_read(source: ByteSource) -> bool:
    """True if a source without bytes was perhaps read before."""
    if can_seek(source):
        return source.tell() > 0
    return not is_content(source) and not is_path(source) and isinstance(source, (BinaryFile, Iterator))


#: The length from which bytes are not taken for a path or a URL.
_LONGEST = 4096
#: A path or a URL in one line. A document has a tag.
_PLACE = re.compile(rb"(?i)[a-z][a-z0-9+.-]*://[^<\s]+|(?:~|\.{0,2})[/\\][^<\r\n]*|[^<\r\n]*\.(?:xml|gz|zip)")


def no_place(content: bytes) -> None:
    """Raises :class:`ConfigError` if bytes are a path or a URL."""
    if len(content) < _LONGEST and _PLACE.fullmatch(content):
        raise ConfigError(f"bytes are the document itself, and this is a path or a URL: {content!r}; a path is a str")


def filled(found: Iterator[bytes]) -> Iterator[bytes]:
    """The bytes of a source that can be read only once; raises :class:`InputError` if there are none."""
    is_empty = True
    for piece in found:
        is_empty = is_empty and not piece
        yield piece
    if is_empty:
        raise nothing()


def nothing() -> InputError:
    """The error for a source that was probably read before."""
    return InputError("the source was empty: was it read before? Rewind a file with seek(0); pass bytes if it is really empty")


def windows(content: Content) -> Iterator[bytes]:
    """The bytes of one object in chunks, so that nothing waits for all of it."""
    if isinstance(content, bytes) and len(content) <= WINDOW:
        yield content
        return
    with memoryview(content) as whole:
        # A view of other items or with gaps has no bytes to cut.
        plain = whole.cast("B") if whole.c_contiguous else memoryview(whole.tobytes())
        with plain:
            for start in range(0, len(plain), WINDOW):
                yield bytes(plain[start : start + WINDOW])


def _read(read: Callable[[int], Buffer], length: int) -> Buffer:
    piece: Buffer | str = read(length)
    if isinstance(piece, (bytes, bytearray, memoryview)):
        return piece
    if isinstance(piece, str):
        raise TypeError("the file was opened for text; open it with mode 'rb'")
    raise TypeError(f"read() of the file returned {type(piece).__name__}, not bytes")


def _windows(read: Callable[[int], Buffer]) -> Iterator[bytes]:
    while piece := _read(read, WINDOW):
        yield from windows(piece)


def _checked(source: Iterable[object]) -> Iterator[bytes]:
    for piece in source:
        yield from windows(piece_of_bytes(piece))


def piece_of_bytes(piece: object) -> Content:
    """One of the pieces of a source, if it is bytes."""
    if is_content(piece):
        return cast(Content, piece)
    hint = "; for several paths there is validate_all" if is_path(piece) else ""
    raise TypeError(f"pieces have to be bytes, not {type(piece).__name__}{hint}")
