"""Reading: typed values, nothing lost, nothing guessed."""

from __future__ import annotations

import copy
import datetime
import gzip
import io
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import pytest
import resourcesync
from conftest import LIST
from resourcesync import ConfigError, Datetime, DocumentError, Precision

UTC = datetime.timezone.utc


def test_a_document_says_what_it_says() -> None:
    document = resourcesync.read(LIST)
    assert (document.kind, document.root, document.capability) == ("resource-list", "urlset", "resourcelist")
    assert document.at == datetime.datetime(2024, 5, 1, tzinfo=UTC)
    assert [(link.rel, link.href) for link in document.links] == [("up", "http://example.com/capabilitylist.xml")]
    anything: object = document
    assert isinstance(anything, Sequence) and len(document) == 2
    assert [entry.index for entry in document] == [1, 2] == [entry.index for entry in document.entries]
    assert document[-1].uri == document[1].uri == document[::-1][0].uri == "http://example.com/res2"
    for wrong in (2, -3):
        with pytest.raises(IndexError):
            document[wrong]


def test_an_entry_is_typed() -> None:
    first, second = resourcesync.read(LIST)
    assert first.uri == first.loc == "http://example.com/res1"
    assert (first.length, first.type, first.change, first.path) == (8876, "text/html", None, None)
    assert first.hashes["md5"] == "1584abdf8ebdc9802ac0c6a7402c03b6" and set(first.hashes) == {"md5", "sha-256"}
    assert first.attributes["{urn:example:x}note"] == "kept"
    assert first.extensions == ('<x:extra xmlns:x="urn:example:x">text</x:extra>',)
    (link,) = first.links
    assert (link.rel, link.href, link.pri) == ("describedby", "http://example.com/res1.meta.xml", 1)
    assert (second.changefreq, second.priority, second.hashes, second.element) == ("daily", 0.5, {}, "url")
    assert "res1" in repr(first) and "describedby" in repr(link) and "2 entries" in repr(resourcesync.read(LIST))


def test_a_datetime_knows_how_it_was_written() -> None:
    first, second = resourcesync.read(LIST)
    assert first.lastmod is not None and second.lastmod is not None
    assert (first.lastmod.raw, first.lastmod.precision) == ("2024-04-30", Precision.DAY)
    assert first.lastmod == datetime.datetime(2024, 4, 30, tzinfo=UTC)
    assert second.lastmod.precision is Precision.SECOND and second.lastmod < first.lastmod
    assert second.lastmod.raw == "2024-04-29T13:15:00Z" and second.lastmod.tzinfo is UTC
    modified = first.links[0].modified
    assert modified is not None and modified.raw == "2024-04-29T12:00:00.25+09:00"
    assert modified.utcoffset() == datetime.timedelta(hours=9) and modified.microsecond == 250000
    for same in (pickle.loads(pickle.dumps(modified)), copy.deepcopy(modified)):
        assert same == modified and same.raw == modified.raw and same.precision is Precision.FRACTION
    later = first.lastmod + datetime.timedelta(hours=1)
    assert (later.raw, later.precision) == ("2024-04-30T01:00:00Z", Precision.SECOND)
    assert Datetime(2024, 5, 1, 2, 0, 0, 500000, tzinfo=UTC).raw == "2024-05-01T02:00:00.500000Z"


def test_text_is_read_as_a_datetime() -> None:
    assert Datetime.parse("2013").precision is Precision.YEAR
    for text in ("0033-04-03T15:00:00Z", "2013-01-03T09:00:00+00:00", "2013-01-03T09:00Z", "2013-01-03T09:00:00.0Z"):
        moment = Datetime.parse(text)
        assert (moment.raw, pickle.loads(pickle.dumps(moment)).raw, copy.copy(moment).raw) == (text, text, text)
    assert Datetime.parse("2013-01-03 09:00:00").raw == "2013-01-03 09:00:00"
    for wrong in ("yesterday", "0000-01-01", "", "2013-13"):
        with pytest.raises(ConfigError):
            Datetime.parse(wrong)


def test_what_is_not_understood_is_kept_as_text() -> None:
    document = LIST.replace(b'length="8876"', b'length="many" path="../up" change="moved"').replace(b"2024-04-30", b"yesterday")
    first, _ = resourcesync.read(document)
    assert (first.length, first.path, first.change, first.lastmod) == (None, None, None, None)
    assert (first.attributes["length"], first.attributes["path"], first.texts["lastmod"]) == ("many", "../up", "yesterday")
    entry = resourcesync.read(LIST.replace(b'length="8876"', b'path="/a b/c"'))[0]
    assert entry.path == PurePosixPath("/a b/c")


def test_entries_come_one_by_one(here: Path) -> None:
    given: list[int] = []

    def pieces() -> Iterator[bytes]:
        cut = LIST.index(b"<loc>http://example.com/res2")
        for piece in (LIST[:cut], LIST[cut:]):
            given.append(len(piece))
            yield piece

    entries = resourcesync.iter_entries(pieces())
    assert next(entries).uri == "http://example.com/res1" and len(given) == 1
    assert [entry.uri for entry in entries] == ["http://example.com/res2"]
    for source in ("resourcelist.xml", here / "resourcelist.xml", LIST, io.BytesIO(LIST), gzip.compress(LIST)):
        assert [entry.length for entry in resourcesync.iter_entries(source)] == [8876, 14599]


def test_a_broken_document_ends_after_its_last_entry() -> None:
    entries = resourcesync.iter_entries(LIST.replace(b"</urlset>", b"</url>"))
    assert [next(entries).index, next(entries).index] == [1, 2]
    with pytest.raises(DocumentError) as raised:
        next(entries)
    assert (raised.value.code, raised.value.line) == ("GEN-01", 20) and "line 20" in str(raised.value)
    assert raised.value.diagnostic.excerpt is not None
    for broken in (b"", b"{}", b"PK\x03\x04", b"\x1f\x8b\x08"):
        with pytest.raises(DocumentError):
            resourcesync.read(broken)
    with pytest.raises(DocumentError, match="LIM"):
        resourcesync.read(LIST, limits={"entries": 1})


def test_what_is_read_is_written_again(here: Path) -> None:
    document = resourcesync.read(LIST)
    written = document.to_bytes()
    again = resourcesync.read(written)
    assert again.to_bytes() == written and again[0].attributes == document[0].attributes
    document.write("copy.xml")
    assert Path("copy.xml").read_bytes() == written and (here / "copy.xml").stat().st_mode & 0o400
    buffer = io.BytesIO()
    document.write(buffer)
    assert buffer.getvalue() == written
    assert sorted(path.name for path in here.iterdir()) == ["copy.xml", "resourcelist.xml"]
    with pytest.raises(OSError):
        document.write(here / "missing" / "copy.xml")
