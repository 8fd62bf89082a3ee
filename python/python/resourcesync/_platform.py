"""What an application gives for a publication: its sets of records, the tables of the outbox, and the keys in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO, Protocol, TypeVar
from urllib.parse import urljoin

from ._entries import Resource

#: Records that are read together.
CHUNK = 500

#: Characters of the longest key that the tables hold.
_LONGEST = 512

#: Length of the longest primary key, of characters or bytes, whose text is never longer than that.
LONG = 256

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pending:
    """A row of the outbox. ``at`` is the time in milliseconds since 1970."""

    id: int
    set: str
    key: str
    at: int


@dataclass(frozen=True, slots=True)
class Item:
    """A URI under which a record has been published, and the last digest of its content. ``stamp`` identifies the content that was read, or has the time
    of the last row of a record without content."""

    id: int
    key: str
    uri: str
    stamp: str = ""
    length: int | None = None
    sha256: str = ""


class Content(Protocol):
    """The bytes of a record."""

    @property
    def stamp(self) -> str:
        """A text that changes when the bytes change; empty if only reading them shows that."""
        ...

    def open(self) -> BinaryIO:
        """Opens the bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Described:
    """A resource as it is published; ``content`` adds its length and digest."""

    resource: Resource
    content: Content | None = None


#: Reads what is published of a record: a resource, or several, such as a page and files. May raise any exception, since applications define it.
Describe = Callable[[], Sequence[Described]]


class RecordSet(Protocol):
    """A set of records of the application."""

    def key(self, text: str, /) -> str:
        """The key of a row in the spelling of :meth:`current` and :meth:`everything`: applications and earlier versions may have written another one."""
        ...

    def current(self, keys: Sequence[str]) -> Mapping[str, Describe]:
        """The records with these keys that are to be published now. A text that is no key of the set is a record that fails."""
        ...

    def everything(self) -> Iterator[tuple[str, Describe]]:
        """All records that are to be published."""
        ...


class Tables(Protocol):
    """The outbox and the items, in the database of the records. Each method is a transaction.

    INVARIANT: Transactions that change items lock one row first. A process that is killed releases the lock of the folder at once, but its database may
    still commit what it has received: :meth:`begin` waits for that.
    """

    def begin(self) -> None:
        """Waits until transactions of killed processes have ended."""
        ...

    def pending(self, after: int, limit: int) -> list[Pending]:
        """Rows of the outbox of these sets with a greater ``id``, by ``id``. Other rows wait for their application."""
        ...

    def add(self, set: str, keys: Sequence[str]) -> None:
        """Adds rows to the outbox."""
        ...

    def items(self, set: str, keys: Sequence[str]) -> list[Item]:
        """The items of these records."""
        ...

    def items_at(self, set: str, uris: Sequence[str]) -> list[Item]:
        """The items with these URIs."""
        ...

    def item_ids(self, set: str) -> Iterator[int]:
        """The ids of all items of a set."""
        ...

    def store(self, set: str, new: Sequence[Item], changed: Sequence[Item]) -> list[int]:
        """Adds items, whose ``id`` is ignored, and updates others; returns the ids of the new ones."""
        ...

    def remove(self, pending: Sequence[int], items: Sequence[int]) -> None:
        """Removes rows of the outbox, and items."""
        ...


def short(key: str) -> str:
    """A key as the tables hold it: of a long one the digest."""
    return key if len(key) <= _LONGEST else hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def may_be_digest(key: str) -> bool:
    """True if a key may be the digest of a long one."""
    return len(key) == 64 and all(each in "0123456789abcdef" for each in key)


def read_keys(keys: Sequence[str], read: Callable[[str], Any]) -> tuple[list[Any], dict[str, Describe]]:
    """The values of keys; and those that have none, as records that fail."""
    values: list[Any] = []
    failed: dict[str, Describe] = {}
    for key in keys:
        try:
            values.append(read(key))
        except Exception as error:
            failed[key] = failing(error)
    return values, failed


def failing(error: Exception) -> Describe:
    """A record that fails."""

    def describe() -> Sequence[Described]:
        raise error

    return describe


def joined(base: str, uri: str | None) -> str:
    """The URI of a record, which may be a path. What is neither stays as it is, and is refused: nothing would become the URI of the site, and two slashes
    another host."""
    return urljoin(base, uri) if uri and not uri.startswith("//") else uri or ""


def digest(file: BinaryIO) -> tuple[int, str]:
    """The length and the digest of a file."""
    hashed = hashlib.sha256()
    length = 0
    while piece := file.read(1 << 16):
        hashed.update(piece)
        length += len(piece)
    return length, hashed.hexdigest()


def batched(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of values."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch
