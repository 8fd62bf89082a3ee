"""Building: every kind, with rejection if validation would report an error."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import resourcesync as rs
from resourcesync import RefusedError

UP = "http://example.com/capabilitylist.xml"
WELL_KNOWN = "http://example.com/.well-known/resourcesync"
ABOUT = "http://example.com/about.xml"
AT = "2024-05-01T00:00:00Z"
LATER = datetime.datetime(2024, 5, 2, 9, tzinfo=datetime.timezone(datetime.timedelta(hours=9)))
MD5 = {"md5": "1584abdf8ebdc9802ac0c6a7402c03b6"}
ONE = "http://example.com/1"

EVERY: list[tuple[Callable[[], rs.Builder[Any]], object]] = [
    (lambda: rs.SourceDescription(ABOUT), rs.CapabilityListEntry(UP, describedby=ABOUT)),
    (lambda: rs.SourceDescriptionIndex(), rs.SourceDescriptionEntry(WELL_KNOWN, lastmod=AT)),
    (lambda: rs.CapabilityList(WELL_KNOWN, ABOUT), rs.CapabilityEntry("resourcelist", "http://example.com/resourcelist.xml")),
    (lambda: rs.ResourceList(UP, AT, completed=LATER), rs.Resource(ONE, lastmod=AT, hashes=MD5, length=8, type="text/html")),
    (lambda: rs.ResourceListIndex(UP, AT), rs.SnapshotEntry("http://example.com/resourcelist-1.xml", at=AT)),
    (lambda: rs.ResourceDump(UP, AT), rs.Package("http://example.com/1.zip", 8, hashes=MD5, contents="http://example.com/1.xml")),
    (lambda: rs.ResourceDumpIndex(UP, AT), rs.SnapshotEntry("http://example.com/resourcedump-1.xml")),
    (lambda: rs.ResourceDumpManifest(UP, AT), rs.Bitstream(ONE, PurePosixPath("/res/1"), "text/html", hashes=MD5, length=8)),
    (lambda: rs.ChangeList(UP, AT), rs.ResourceChange(ONE, "updated", LATER, hashes=MD5)),
    (lambda: rs.ChangeListIndex(UP, AT), rs.IntervalEntry("http://example.com/changelist-1.xml", AT)),
    (lambda: rs.ChangeDump(UP, AT), rs.ChangePackage("http://example.com/1.zip", 8, AT, until=LATER)),
    (lambda: rs.ChangeDumpIndex(UP, AT), rs.IntervalEntry("http://example.com/changedump-1.xml", AT)),
    (lambda: rs.ChangeDumpManifest(UP, AT), rs.ChangedBitstream(ONE, "created", "/res/1", "text/html", LATER)),
    (lambda: rs.ChangeNotification(AT, LATER), rs.NotifiedChange(ONE, "deleted", AT)),
    (lambda: rs.FrameworkNotification(), rs.FrameworkChange("http://example.com/changelist.xml", "updated", "changelist", AT)),
]


@pytest.mark.parametrize(("begin", "entry"), EVERY, ids=lambda each: type(each).__name__)
def test_every_kind_is_built_without_a_finding(begin: Callable[[], rs.Builder[Any]], entry: object) -> None:
    builder = begin()
    builder.push(entry)
    content = builder.to_bytes()
    assert content == builder.to_bytes()
    report = rs.validate(content)
    assert (report.inputs[0].kind, list(report)) == (builder.kind, [])
    assert len(builder) == 1 == len(rs.read(content))


def test_moments_are_written_as_the_standard_does() -> None:
    day = datetime.date(2024, 4, 30)
    resources = rs.ResourceList(UP, rs.Datetime.parse("2024-05-01T00:00:00.00Z"))
    resources.push(rs.Resource(ONE, lastmod=day))
    resources.push(rs.Resource("http://example.com/2", lastmod=LATER))
    document = rs.read(resources.to_bytes())
    assert document.at is not None and document.at.raw == "2024-05-01T00:00:00.00Z"
    assert [entry.texts["lastmod"] for entry in document] == ["2024-04-30", "2024-05-02T00:00:00Z"]
    with pytest.raises(rs.ConfigError, match="time zone"):
        rs.ResourceList(UP, datetime.datetime(2024, 5, 1))


def test_links_are_written() -> None:
    link = rs.Related("duplicate", "http://mirror.example.com/1", pri=1, modified=LATER, hashes=MD5, length=8, type="text/html")
    resources = rs.ResourceList(UP, AT)
    resources.push(rs.Resource(ONE, links=[link, rs.Related("describedby", ABOUT)], extensions=('<x xmlns="urn:x"/>',)))
    (entry,) = rs.read(resources.to_bytes())
    duplicate, _ = entry.links
    assert (duplicate.rel, duplicate.pri, duplicate.hashes, duplicate.length) == ("duplicate", 1, MD5, 8)
    assert entry.extensions == ('<x xmlns="urn:x"></x>',)


def test_a_refused_change_leaves_the_list_as_it_was() -> None:
    changes = rs.ChangeList(UP, AT)
    changes.push(rs.ResourceChange(ONE, "created", LATER))
    with pytest.raises(RefusedError, match="CL-13") as raised:
        changes.push(rs.ResourceChange(ONE, "updated", AT))
    assert raised.value.code == "CL-13" and not raised.value.is_full
    assert raised.value.diagnostics[0].entry == rs.Place(2, ONE)
    assert [entry.change for entry in rs.read(changes.to_bytes())] == ["created"]
    with pytest.raises(rs.ConfigError, match="finished"):
        changes.push(rs.ResourceChange(ONE, "deleted", LATER))


def test_a_wrong_head_is_refused_at_once_unless_it_may_pass() -> None:
    with pytest.raises(RefusedError):
        rs.ResourceList("capabilitylist.xml", AT)
    with pytest.raises(RefusedError, match="AT-13"):
        rs.ResourceList(UP, AT, fail_on="info").push(rs.Resource(ONE, type="text/made-up"))
    rs.ResourceList(UP, AT, fail_on="info", ignore=["AT-13"]).push(rs.Resource(ONE, type="text/made-up"))
    with pytest.raises(rs.ConfigError, match="fail_on: `never` is not error, warning or info"):
        rs.ResourceList(UP, AT, fail_on="never")  # type: ignore[arg-type]


def test_what_is_no_error_is_built_and_reported(tmp_path: Path) -> None:
    resources = rs.ResourceList(UP, AT)
    odd = [rs.Resource(f"http://example.com/{number}", type="text/made-up") for number in range(120)]
    resources.extend(odd)
    assert resources.accepted.counts == {"AT-13": 120} and len(resources.accepted.diagnostics) == 100
    content = resources.to_bytes()
    first = resources.accepted.diagnostics[0]
    assert (first.code, first.severity, first.entry) == ("AT-13", "info", rs.Place(1, odd[0].uri))
    assert resources.accepted.counts == {"AT-13": 120} and rs.validate(content).summary.infos == 120
    with rs.Publication("http://example.com/", {}, at=AT, describedby=ABOUT) as source:
        source.set(describedby=ABOUT)
        source.resource_list(odd)
    assert source.finish().accepted.counts == {"AT-13": 120}
    done = rs.publish(tmp_path / "public", "http://example.com/", odd)
    assert done.accepted.counts == {"AT-13": 120}
    for strict in ("warning", "info"):
        rs.publish(tmp_path / strict, "http://example.com/", odd[:1], fail_on="warning")
        with pytest.raises(RefusedError, match="AT-13"):
            rs.publish(tmp_path / strict, "http://example.com/", odd, fail_on="info")
    member = rs.Bitstream(ONE, "/1", "text/made-up")
    assert rs.create_package(tmp_path / "1.zip", [(member, b"one")], up=UP, at=AT).accepted.counts == {"AT-13": 1}
    with pytest.raises(RefusedError, match="AT-13"):
        rs.create_package(tmp_path / "2.zip", [(member, b"one")], up=UP, at=AT, fail_on="info")


def test_what_is_no_entry_is_a_type_error() -> None:
    resources = rs.ResourceList(UP, AT)
    with pytest.raises(TypeError, match="str is not an entry"):
        resources.push(ONE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Resource.length"):
        resources.push(rs.Resource(ONE, length="8"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Resource.hashes"):
        resources.push(rs.Resource(ONE, hashes="md5:1"))  # type: ignore[arg-type]


def test_a_document_is_written_while_it_is_built(tmp_path: Path) -> None:
    def resources() -> Iterator[rs.Resource]:
        for number in range(5000):
            yield rs.Resource(f"http://example.com/{number}", length=number)

    pieces = list(rs.ResourceList(UP, AT).stream(resources()))
    assert len(pieces) > 3
    whole = rs.ResourceList(UP, AT)
    whole.extend(resources())
    assert b"".join(pieces) == whole.to_bytes()
    path = tmp_path / "resourcelist.xml"
    rs.ResourceList(UP, AT).write(path, resources())
    assert path.read_bytes() == whole.to_bytes() and rs.is_valid(path)
    buffer = io.BytesIO()
    whole.write(buffer)
    assert buffer.getvalue() == whole.to_bytes()


def test_a_refused_document_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "resourcelist.xml"
    path.write_text("old")
    with pytest.raises(RefusedError):
        rs.ResourceList(UP, AT).write(path, [rs.Resource(ONE), rs.Resource("relative")])
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1


def test_a_full_document_says_so() -> None:
    resources = rs.ResourceList(UP, AT)
    resources.extend(rs.Resource(f"http://example.com/{number}") for number in range(50_000))
    with pytest.raises(RefusedError) as raised:
        resources.push(rs.Resource(ONE + "x"))
    assert raised.value.is_full and len(resources) == 50_000


def test_what_is_read_can_be_built_again() -> None:
    resources = rs.ResourceList(UP, AT)
    resources.push(rs.Resource(ONE, lastmod="2024-04", hashes=MD5, links=[rs.Related("describedby", ABOUT)]))
    (entry,) = rs.read(resources.to_bytes())
    again = rs.ResourceList(UP, AT)
    again.push(rs.Resource.of(entry))
    assert again.to_bytes() == resources.to_bytes()


def test_a_limit_that_is_out_of_range_is_named_with_its_value() -> None:
    for value, kind, words in [
        (-1, rs.ConfigError, "limits: entries: -1 is negative"),
        (1 << 64, rs.ConfigError, "limits: entries: 18446744073709551616 is too large"),
        ("5", TypeError, "limits: entries: expected a whole number, not str"),
        (None, TypeError, "limits: entries: expected a whole number, not NoneType"),
        (True, TypeError, "limits: entries: expected a whole number, not bool"),
    ]:
        limits: Any = {"entries": value}
        for use in (lambda: rs.ResourceList(UP, AT, limits=limits), lambda: rs.validate(b"<urlset/>", limits=limits)):
            with pytest.raises(kind) as found:
                use()
            assert str(found.value) == words


def test_a_full_list_says_which_option_lifts_the_limit() -> None:
    entries = [rs.Resource(f"http://example.com/{number}") for number in range(50_001)]
    limits = {"entries": 60_000}
    with pytest.raises(RefusedError, match=r"`limits` does not change this limit of the standard, ignore=\['GEN-18'\] lifts it") as found:
        rs.ResourceList(UP, AT, limits=limits).extend(entries)
    assert found.value.is_full
    longer = rs.ResourceList(UP, AT, limits=limits, ignore=["GEN-18"])
    longer.extend(entries)
    assert len(longer) == 50_001


def test_values_that_no_document_can_have_are_named() -> None:
    class NotATime(datetime.datetime):
        """As pandas.NaT."""

        def __ne__(self, other: object) -> bool:
            return True

        def __eq__(self, other: object) -> bool:
            return False

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            return "NaT"

    class Exact(datetime.datetime):
        """As pandas.Timestamp."""

        nanosecond = 7

    for entry, words in [
        (rs.Resource(ONE, lastmod=NotATime(2024, 1, 1)), r"^Resource\.lastmod: NaT is not a time; use None$"),
        (rs.Resource(f"{ONE}\udc80"), r"^Resource\.uri: 'http://example\.com/1\\udc80' has a lone surrogate, which no document can contain$"),
        (rs.Resource(ONE, type="text/\udc80"), r"^Resource\.type: .* has a lone surrogate"),
        (rs.Resource(ONE, lastmod="2024\udc80"), r"^Resource\.lastmod: .* has a lone surrogate"),
        (rs.Resource(None), r"^Resource\.uri: expected a URI, not None$"),  # type: ignore[arg-type]
    ]:
        with pytest.raises(rs.ConfigError, match=words):
            rs.ResourceList(UP, AT).push(entry)
    exact = rs.ResourceList(UP, AT)
    exact.push(rs.Resource(ONE, lastmod=Exact(2024, 1, 1, 9, 0, 0, 5, datetime.timezone.utc)))
    assert b"<lastmod>2024-01-01T09:00:00.000005007Z</lastmod>" in exact.to_bytes()
