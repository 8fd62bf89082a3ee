"""Entries as a table: record batches for pyarrow, Polars, DuckDB and pandas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    try:
        pa: Any = import_module("pyarrow")
    except ImportError:
        raise ResourceSyncError("to_arrow needs pyarrow: pip install resourcesync[arrow]") from None
    columns = _core.Columns(options(limits=limits))
    return cast(ArrowStream, pa.RecordBatchReader.from_batches(_schema(pa), _batches(pa, columns, source)))


def _schema(pa: Any) -> Any:
    moment = pa.timestamp("us", tz="UTC")
    link = pa.struct([("rel", pa.string()), ("href", pa.string()), ("type", pa.string()), ("modified", moment)])
    return pa.schema(
        [
            ("index", pa.uint64()),
            ("uri", pa.string()),
            ("lastmod", moment),
            ("change", pa.string()),
            ("datetime", moment),
            ("length", pa.uint64()),
            ("type", pa.string()),
            ("encoding", pa.string()),
            ("path", pa.string()),
            ("at", moment),
            ("completed", moment),
            ("from", moment),
            ("until", moment),
            ("md5", pa.string()),
            ("sha1", pa.string()),
            ("sha256", pa.string()),
            ("hashes", pa.map_(pa.string(), pa.string())),
            ("links", pa.list_(link)),
        ]
    )


def _batches(pa: Any, columns: _core.Columns, source: ByteSource) -> Iterator[Any]:
    schema = _schema(pa)
    with _sources.document(source) as pieces:
        for piece in pieces:
            if columns.push(piece) >= ROWS:
                yield _batch(pa, schema, columns.take())
    if columns.push(None):
        yield _batch(pa, schema, columns.take())


def _batch(pa: Any, schema: Any, columns: Mapping[str, tuple[int, list[bytes]]]) -> Any:
    def column(name: str, kind: Any) -> Any:
        rows, buffers = columns[name]
        return pa.Array.from_buffers(kind, rows, [pa.py_buffer(each) for each in buffers])

    def offsets(name: str) -> Any:
        rows, (content,) = columns[name]
        return pa.Array.from_buffers(pa.int32(), rows + 1, [None, pa.py_buffer(content)])

    text = pa.string()
    digests = pa.MapArray.from_arrays(offsets("hashes"), column("algorithm", text), column("digest", text))
    link = [column(name, text) for name in ("rel", "href", "link_type")] + [column("modified", schema.field("lastmod").type)]
    links = pa.ListArray.from_arrays(offsets("links"), pa.StructArray.from_arrays(link, ["rel", "href", "type", "modified"]))
    plain = [column(field.name, field.type) for field in list(schema)[:-2]]
    return pa.record_batch([*plain, digests, links], schema=schema)
