"""Single responses of OAI-PMH repositories, and tables of records."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from . import _core
from ._arrow import ArrowStream
from ._core import OaiRecord as Record
from ._errors import ResourceSyncError


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a record in a list of identifiers."""

    identifier: str
    datestamp: str | None
    is_deleted: bool
    sets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OaiError:
    """An OAI-PMH error."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Format:
    """A format."""

    prefix: str | None = None
    schema: str | None = None
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class SetEntry:
    """A set."""

    spec: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A response of a repository. ``reason`` is why it was not read to its end; ``token`` is empty at the end of a list."""

    records: tuple[Record, ...]
    headers: tuple[Header, ...]
    _json: str

    def as_dict(self) -> dict[str, Any]:
        """Everything but records and headers, as plain values."""
        return cast("dict[str, Any]", json.loads(self._json))

    def to_json(self) -> str:
        """The same as JSON."""
        return self._json

    @property
    def is_whole(self) -> bool:
        """True if it was read to its end."""
        return cast(bool, self.as_dict()["isWhole"])

    @property
    def reason(self) -> str | None:
        """Why it was not."""
        return cast("str | None", self.as_dict().get("reason"))

    @property
    def token(self) -> str | None:
        """The ``resumptionToken``."""
        return cast("str | None", self.as_dict().get("token"))

    @property
    def errors(self) -> tuple[OaiError, ...]:
        """The OAI-PMH errors."""
        return tuple(OaiError(**error) for error in self.as_dict().get("errors", ()))

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats of a ``ListMetadataFormats`` response."""
        return tuple(Format(**own) for own in self.as_dict().get("formats", ()))

    @property
    def sets(self) -> tuple[SetEntry, ...]:
        """The sets of a ``ListSets`` response."""
        return tuple(SetEntry(**own) for own in self.as_dict().get("sets", ()))


def read(page: bytes | str | os.PathLike[str], *, charset: str | None = None) -> Page:
    """Reads one response: bytes, or a file. One damaged record costs one record: the others are there.

    :param charset: that of ``Content-Type``, if the response had one.
    """
    data = page if isinstance(page, bytes) else Path(page).read_bytes()
    records, headers, facts = _core.oai_read(data, charset)
    return Page(tuple(records), tuple(Header(one, at, gone, tuple(sets)) for one, at, gone, sets in headers), facts)


#: Approximate rows per batch.
_ROWS = 1 << 13


def to_arrow(source: str | os.PathLike[str] | Page | Iterable[Record]) -> ArrowStream:
    """Records as a stream of record batches for pyarrow, Polars, DuckDB and pandas: the folder of a store, a page, or any records, also those of
    :func:`harvest`.

    Needs pyarrow: ``pip install resourcesync[arrow]``.

    ==========  ============  ================================================
    column      type          what
    ==========  ============  ================================================
    identifier  string        of the item
    datestamp   string        as the repository has it
    deleted     bool          whether the record was deleted
    sets        list<string>  of the header
    prefix      string        the format; null for a page, which does not say it
    metadata    binary        as a standalone document; null if it was deleted, or if a store has lines
    digest      string        the SHA-256 of it
    ==========  ============  ================================================
    """
    try:
        pa: Any = import_module("pyarrow")
    except ImportError:
        raise ResourceSyncError("to_arrow needs pyarrow: pip install resourcesync[arrow]") from None
    schema = record_schema(pa)
    if isinstance(source, (str, os.PathLike)):
        rows = _stored(Path(source))
    else:
        rows = map(_row, source.records if isinstance(source, Page) else source)

    def batches() -> Iterator[Any]:
        columns: list[list[Any]] = [[] for _ in schema]
        for row in rows:
            for column, value in zip(columns, row):
                column.append(value)
            if len(columns[0]) >= _ROWS:
                yield pa.record_batch(columns, schema=schema)
                columns = [[] for _ in schema]
        if columns[0]:
            yield pa.record_batch(columns, schema=schema)

    return cast(ArrowStream, pa.RecordBatchReader.from_batches(schema, batches()))


def record_schema(pa: Any, element: str = "item") -> Any:
    """The schema of records."""
    text = pa.string()
    sets = pa.list_(pa.field(element, text))
    return pa.schema(
        [("identifier", text), ("datestamp", text), ("deleted", pa.bool_()), ("sets", sets), ("prefix", text), ("metadata", pa.binary()), ("digest", text)]
    )


def _row(record: Record) -> tuple[Any, ...]:
    return (record.identifier, record.datestamp, record.is_deleted, record.sets, record.prefix, record.standalone(), record.sha256)


def _stored(folder: Path) -> Iterator[tuple[Any, ...]]:
    for line in _core.oai_entries(folder):
        entry = json.loads(line)
        is_gone = entry.get("status") is not None
        location = entry.get("location", "")
        metadata = None if is_gone or not location.endswith(".xml") else (folder / location).read_bytes()
        yield (entry["identifier"], entry.get("datestamp"), is_gone, entry.get("sets", []), entry["prefix"], metadata, entry.get("sha256"))
