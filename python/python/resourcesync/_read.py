"""Reads a whole document, or entry by entry. Reading validates nothing and drops nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from . import _core, _sources
from ._core import Document, Entry
from ._sources import ByteSource
from ._validate import options

# Makes isinstance() recognize it as a sequence.
cast(Any, Sequence).register(Document)


def read(source: ByteSource, *, limits: Mapping[str, int] | None = None) -> Document:
    """Reads a whole document into memory, gzip-compressed or not, including values that are not valid.

    A value that cannot be parsed is ``None``; its text is in ``attributes`` or ``texts``.

    :param limits: overrides limits by name.
    :raises DocumentError: if it cannot be read to the end.
    :raises InputError: if a path cannot be opened.

    >>> document = resourcesync.read("resourcelist.xml")
    >>> document.kind, document.at.raw, len(document)
    ('resource-list', '2024-05-01T00:00:00Z', 2)
    >>> document[0].uri, document[0].hashes["md5"]
    ('http://example.com/res1', '1584abdf8ebdc9802ac0c6a7402c03b6')
    """
    reading = _core.ItemReader(options(limits=limits), True)
    with _sources.document(source) as pieces:
        for piece in pieces:
            reading.push(piece)
    reading.finish()
    return reading.document()


def iter_entries(source: ByteSource, *, limits: Mapping[str, int] | None = None) -> Iterator[Entry]:
    """Iterates over the entries of a document, in constant memory.

    A path is opened on the first iteration and closed after the last entry.

    :param limits: overrides limits by name.
    :raises DocumentError: after the last readable entry, if the document cannot be read to the end.
    :raises InputError: if a path cannot be opened.

    >>> for entry in resourcesync.iter_entries("resourcelist.xml"):
    ...     print(entry.uri, entry.lastmod.date(), entry.length)
    http://example.com/res1 2024-04-30 8876
    http://example.com/res2 2024-04-29 14599
    """
    reading = _core.ItemReader(options(limits=limits), False)
    with _sources.document(source) as pieces:
        for piece in pieces:
            yield from reading.push(piece)
    yield from reading.finish()
    reading.check()
