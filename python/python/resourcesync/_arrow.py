"""Entries as a table: record batches for pyarrow, Polars, DuckDB and pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from . import _core, _sources
from ._errors import ResourceSyncError
from ._sources import ByteSource
from ._validate import options

#: Approximate rows per batch.
ROWS = 1 << 15


class ArrowStream(Protocol):
    """The result of :func:`to_arrow`: a ``pyarrow.RecordBatchReader``."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The stream in the Arrow C stream interface."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Iterates over its record batches."""
        ...

    def read_all(self) -> Any:
        """Reads everything into a ``pyarrow.Table``."""
        ...

    def read_pandas(self) -> Any:
        """Reads everything into a ``pandas.DataFrame``."""
        ...


def to_arrow(source: ByteSource, *, limits: Mapping[str, int] | None = None) -> ArrowStream:
    """The entries of a document as a stream of record batches; memory does not grow with the document.

    Needs pyarrow: ``pip install resourcesync[arrow]``. The stream implements the Arrow C stream interface (``__arrow_c_stream__``), so Polars, DuckDB
    and pandas accept it.

    =========  ==================================================  ==================================================
    column     type                                                what
    =========  ==================================================  ==================================================
    index      uint64                                              position in the document, from 1
    uri        string                                              ``loc``, as written
    lastmod    timestamp[us, UTC]                                  a date is midnight
    change     string                                              created, updated, deleted
    datetime   timestamp[us, UTC]                                  when the change happened
    length     uint64                                              bytes
    type       string                                              media type
    encoding   string                                              content codings
    path       string                                              path in the package
    at         timestamp[us, UTC]                                  when the listed snapshot began
    completed  timestamp[us, UTC]                                  when it was completed
    from       timestamp[us, UTC]                                  start of the listed interval
    until      timestamp[us, UTC]                                  end of the listed interval
    md5        string                                              digest in hexadecimal; also ``sha1`` and ``sha256``
    hashes     map<string, string>                                 all digests, by algorithm
    links      list<struct<rel, href, type: string, modified>>     in the order written
    =========  ==================================================  ==================================================

    :raises DocumentError: while iterating, if the document cannot be read to the end.

    >>> resourcesync.to_arrow("resourcelist.xml").read_all().column("length").to_pylist()
    [8876, 14599]
    """
    pa = pyarrow()
    columns = _core.Columns(options(limits=limits))
    return cast(ArrowStream, pa.RecordBatchReader.from_batches(_schema(pa), _batches(pa, columns, source)))


def pyarrow() -> Any:
    """The module."""
    return needed("pyarrow", "tables need pyarrow: pip install resourcesync[arrow]")


def needed(module: str, otherwise: str) -> Any:
    """An optional module."""
    try:
        return import_module(module)
    except ImportError:
        raise ResourceSyncError(otherwise) from None


#: The columns of entries, in their order.
COLUMNS = (
    *("index", "uri", "lastmod", "change", "datetime", "length", "type", "encoding", "path", "at", "completed", "from", "until"),
    *("md5", "sha1", "sha256", "hashes", "links"),
)
_MOMENTS = frozenset({"lastmod", "datetime", "at", "completed", "from", "until"})


def _schema(pa: Any) -> Any:
    return arrow_schema(pa, COLUMNS, number=pa.uint64(), element="item")


def arrow_schema(pa: Any, columns: Iterable[str], around: Iterable[str] = (), *, number: Any = None, element: str = "element") -> Any:
    """The schema of some columns of entries, and of texts around them. Engines that know no unsigned numbers need int64."""
    text, moment = pa.string(), pa.timestamp("us", tz="UTC")
    link = pa.struct([("rel", text), ("href", text), ("type", text), ("modified", moment)])
    odd = {"index": number or pa.int64(), "length": number or pa.int64()}
    odd |= {"hashes": pa.map_(text, text), "links": pa.list_(pa.field(element, link)), **dict.fromkeys(_MOMENTS, moment)}
    return pa.schema([(name, odd.get(name, text)) for name in columns] + [(name, text) for name in around])


def _batches(pa: Any, columns: _core.Columns, source: ByteSource) -> Iterator[Any]:
    schema = _schema(pa)
    with _sources.document(source) as pieces:
        for piece in pieces:
            if (rows := columns.push(piece)) >= ROWS:
                yield batch_of(pa, schema, rows, columns.take(), {})
    if rows := columns.push(None):
        yield batch_of(pa, schema, rows, columns.take(), {})


def batch_of(pa: Any, schema: Any, rows: int, columns: Mapping[str, tuple[int, list[bytes]]], around: Mapping[str, str | None]) -> Any:
    """A batch of the buffers of columns, and of texts that are the same in all rows."""
    text, moment = pa.string(), pa.timestamp("us", tz="UTC")

    def column(name: str, kind: Any) -> Any:
        own, buffers = columns[name]
        return pa.Array.from_buffers(kind, own, [pa.py_buffer(each) for each in buffers])

    def offsets(name: str) -> Any:
        own, (content,) = columns[name]
        return pa.Array.from_buffers(pa.int32(), own + 1, [None, pa.py_buffer(content)])

    def links(kind: Any) -> Any:
        parts = [column(name, text) for name in ("rel", "href", "link_type")] + [column("modified", moment)]
        return pa.ListArray.from_arrays(offsets("links"), pa.StructArray.from_arrays(parts, ["rel", "href", "type", "modified"]), type=kind)

    def made(name: str, kind: Any) -> Any:
        if name in around:
            return pa.repeat(pa.scalar(around[name], text), rows)
        if name == "hashes":
            return pa.MapArray.from_arrays(offsets(name), column("algorithm", text), column("digest", text))
        return links(kind) if name == "links" else column(name, kind)

    return pa.record_batch([made(each.name, each.type) for each in schema], schema=schema)
