"""Record batches: read by pyarrow, Polars, DuckDB and pandas without a loop."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import resourcesync as rs
from conftest import LIST

pa: Any = pytest.importorskip("pyarrow")
UTC = datetime.timezone.utc


def test_every_column_is_filled() -> None:
    table = rs.to_arrow(LIST).read_all()
    table.validate(full=True)
    first, second = table.to_pylist()
    assert (first["uri"], first["length"], first["type"], first["change"]) == ("http://example.com/res1", 8876, "text/html", None)
    assert first["lastmod"] == datetime.datetime(2024, 4, 30, tzinfo=UTC)
    assert dict(first["hashes"])["md5"] == "1584abdf8ebdc9802ac0c6a7402c03b6" and second["hashes"] == []
    modified = datetime.datetime(2024, 4, 29, 3, 0, 0, 250000, tzinfo=UTC)
    assert first["links"] == [{"rel": "describedby", "href": "http://example.com/res1.meta.xml", "type": None, "modified": modified}]
    assert (first["index"], first["md5"], first["sha1"]) == (1, "1584abdf8ebdc9802ac0c6a7402c03b6", None)
    assert first["sha256"].startswith("854f6129") and second["index"] == 2


def test_columns_hold_what_manifests_and_indexes_state() -> None:
    manifest = rs.ResourceDumpManifest("http://example.com/c.xml", "2024-05-01T00:00:00Z")
    manifest.push(rs.Bitstream("http://example.com/1", "/res/1", "text/html", encoding="gzip"))
    (row,) = rs.to_arrow(manifest.to_bytes()).read_all().to_pylist()
    assert (row["path"], row["encoding"]) == ("/res/1", "gzip")
    index = rs.ChangeListIndex("http://example.com/c.xml", "2024-05-01T00:00:00Z")
    index.push(rs.IntervalEntry("http://example.com/1.xml", "2024-05-01T00:00:00Z", until="2024-05-02T00:00:00Z"))
    (row,) = rs.to_arrow(index.to_bytes()).read_all().to_pylist()
    assert (row["from"], row["until"]) == (datetime.datetime(2024, 5, 1, tzinfo=UTC), datetime.datetime(2024, 5, 2, tzinfo=UTC))


def test_batches_agree_with_entries() -> None:
    resources = rs.ResourceList("http://example.com/capabilitylist.xml", "2024-05-01T00:00:00Z")
    resources.extend(
        rs.Resource(f"http://example.com/{number}", length=number if number % 3 else None, lastmod="2024-04-01" if number % 5 else None)
        for number in range(45_000)
    )
    content = resources.to_bytes()
    batches = list(rs.to_arrow(content[start : start + 100_000] for start in range(0, len(content), 100_000)))
    assert len(batches) > 1
    table = pa.Table.from_batches(batches)
    table.validate(full=True)
    entries = list(rs.iter_entries(content))
    assert table.column("uri").to_pylist() == [entry.uri for entry in entries]
    assert table.column("length").to_pylist() == [entry.length for entry in entries]
    assert table.column("lastmod").to_pylist() == [entry.lastmod for entry in entries]


def test_a_broken_document_breaks_the_stream() -> None:
    with pytest.raises(rs.DocumentError):
        rs.to_arrow(LIST[:-3]).read_all()
    assert rs.to_arrow(b"<urlset/>").read_all().num_rows == 0


def test_others_read_the_stream() -> None:
    polars: Any = pytest.importorskip("polars")
    duckdb: Any = pytest.importorskip("duckdb")
    pytest.importorskip("pandas")
    assert polars.DataFrame(rs.to_arrow(LIST))["length"].sum() == 8876 + 14599
    entries = rs.to_arrow(LIST)
    assert duckdb.from_arrow(entries).aggregate("sum(length)").fetchall() == [(8876 + 14599,)]
    assert list(rs.to_arrow(LIST).read_pandas()["type"]) == ["text/html", "application/pdf"]
