"""A Destination as a program uses it: changes until they are acknowledged, and bytes in a store of the program."""

from __future__ import annotations

import io
import json
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
import resourcesync as rs
from conftest import CORPUS, FAST, Site

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def files(copy: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in copy.rglob("*") if path.is_file() and ".resourcesync" not in path.parts}


def name(change: rs.AppliedChange) -> str:
    return change.uri.rsplit("/", 1)[1]


def test_changes_are_returned_until_they_are_acknowledged(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    site.publish({"1.txt": b"one", "2.txt": b"two"})
    with rs.Destination(site.uri, copy, limits=FAST) as destination:
        changes = destination.changes()
        assert changes.total == 2 and changes.report is not None and changes.report.in_step
        first, second = sorted(changes, key=name)
        assert (first.change, first.uri, first.length, first.read()) == ("created", f"{site.base}files/1.txt", 3, b"one")
        assert (copy / first.path).read_bytes() == b"one" and first.sha256 in ("", first.hash.partition("sha-256:")[2])
        assert first.lastmod is not None and first.datetime == first.lastmod and first.sequence != second.sequence
        with second.open() as content:
            assert content.read(2) == b"tw" and content.read() == b"o"
        first.done()
        # Nobody else works on the copy meanwhile.
        assert rs.sync(None, copy, limits=FAST).outcome == "locked"
    site.publish({"2.txt": b"TWO", "3.txt": b"three"})
    with rs.Destination(None, copy, limits=FAST) as destination:
        found = sorted(destination.changes(), key=name)
        assert [(each.change, name(each)) for each in found] == [("deleted", "1.txt"), ("created", "2.txt"), ("created", "3.txt")]
        with pytest.raises(rs.SyncError) as raised:
            found[0].open()
        assert raised.value.code == "deleted" and found[0].length == 3 and found[0].datetime is not None
        assert found[1].read() == b"TWO"
        again = destination.changes(sync=False)
        assert again.report is None
        again.done(list(again))
        assert list(destination.changes()) == []
    with pytest.raises(rs.SyncError) as raised:
        found[1].done()
    assert raised.value.code == "closed"
    assert rs.audit(copy, limits=FAST).is_equal


def test_an_exception_before_the_acknowledgement_loses_nothing(site: Site, tmp_path: Path) -> None:
    site.publish({f"{number}.txt": b"x" * number for number in range(1, 10)})
    table: dict[str, bytes] = {}
    with pytest.raises(ZeroDivisionError), rs.Destination(site.uri, state=tmp_path / "state", limits=FAST) as destination:
        for change in destination.changes():
            table[name(change)] = change.read()
            if len(table) == 5:
                raise ZeroDivisionError
            change.done()
    with rs.Destination(site.uri, state=tmp_path / "state", limits=FAST) as destination:
        changes = destination.changes()
        assert changes.total == 5
        for change in changes:
            table[name(change)] = change.read()
            change.done()
        assert table == {f"{number}.txt": b"x" * number for number in range(1, 10)}
        # Nothing is kept, and nothing is fetched again.
        assert files(tmp_path / "state") == {}
        report = destination.sync()
        assert report.in_step and report.bytes == 0
        assert destination.audit(offline=True).is_equal
    with pytest.raises(rs.SyncError) as raised:
        rs.sync(site.uri, tmp_path / "state", limits=FAST)
    assert raised.value.code == "other-store"


class Memory:
    """A store that may raise an exception, in the thread of the caller."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.fails_on: str | None = None
        self.thread = threading.get_ident()

    def length(self, path: str, /) -> int | None:
        assert threading.get_ident() == self.thread
        return len(self.held[path]) if path in self.held else None

    def put(self, resource: rs.HeldResource, content: BinaryIO, /) -> None:
        assert threading.get_ident() == self.thread
        if self.fails_on is not None and resource.uri.endswith(self.fails_on):
            raise KeyError(resource.uri)
        self.held[resource.path] = content.read()
        assert len(self.held[resource.path]) == resource.length

    def open(self, path: str, /) -> BinaryIO:
        return io.BytesIO(self.held[path])

    def remove(self, uri: str, path: str, /) -> None:
        self.held.pop(path, None)


def test_bytes_are_kept_in_a_store(site: Site, tmp_path: Path) -> None:
    store = Memory()
    destination = rs.Destination(site.uri, state=tmp_path / "state", copies=store, limits=FAST)
    site.publish({"1.txt": b"one", "2.txt": b"two"})
    store.fails_on = "2.txt"
    with pytest.raises(KeyError):
        destination.sync()
    store.fails_on = None
    assert destination.sync().in_step and sorted(store.held.values()) == [b"one", b"two"]
    assert destination.audit().is_equal and files(tmp_path / "state") == {}
    with destination.changes() as changes:
        assert sorted(change.read() for change in changes) == [b"one", b"two"]
    site.publish({"2.txt": b"TWO"})
    assert destination.sync(dry_run=True).counts.deleted == 1 and len(store.held) == 2
    assert destination.sync().in_step and list(store.held.values()) == [b"TWO"]
    (path,) = store.held
    store.held[path] = b"tow"
    assert [each.sign for each in destination.audit().differences] == ["damaged"]
    del store.held[path]
    assert [each.sign for each in destination.audit(offline=True).differences] == ["missing"]
    assert destination.sync(full=True).in_step and destination.audit().is_equal


def test_misuse_of_a_destination_is_an_error_at_once(tmp_path: Path) -> None:
    def make(*args: Any, **options: Any) -> rs.Destination:
        made: rs.Destination = cast("Any", rs.Destination)("https://example.com/", *args, **options)
        return made

    with pytest.raises(rs.ConfigError, match="has a folder"):
        make()
    with pytest.raises(rs.ConfigError, match="in a folder or in copies"):
        make(tmp_path / "copy", copies=Memory())
    with pytest.raises(TypeError, match="no option includes"):
        make(tmp_path / "copy", includes=["*"])
    with pytest.raises(rs.ConfigError, match="exclude each other"):
        make(tmp_path / "copy", no_delete=True, max_delete=1)
    with pytest.raises(rs.SyncError) as raised:
        make(tmp_path / "copy").changes(sync=False)
    assert raised.value.code == "not-a-copy" and not (tmp_path / "copy").exists()


def test_tables_of_sqlalchemy_are_filled_although_a_transaction_fails(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sqlalchemy: Any = pytest.importorskip("sqlalchemy", minversion="2")
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    import sqlalchemy_follow

    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'table.sqlite'}")
    sqlalchemy_follow.Base.metadata.create_all(engine)
    monkeypatch.setattr(sqlalchemy_follow, "BATCH", 4)
    held = {f"{number}.txt": b"x" * number for number in range(1, 11)}
    site.publish(held)
    destination = rs.Destination(site.uri, state=tmp_path / "state", limits=FAST)

    def rows(query: str = "SELECT uri, text FROM record") -> dict[str, bytes]:
        with engine.connect() as connection:
            found = [(row[0], row[1]) for row in connection.execute(sqlalchemy.text(query))]
        return {uri.rsplit("/", 1)[1]: text if isinstance(text, bytes) else text.encode() for uri, text in found}

    apply = sqlalchemy_follow.apply
    applied: list[str] = []

    def failing(session: Any, change: rs.AppliedChange) -> None:
        applied.append(change.uri)
        apply(session, change)
        if len(applied) == 6:
            raise ZeroDivisionError

    monkeypatch.setattr(sqlalchemy_follow, "apply", failing)
    with pytest.raises(ZeroDivisionError):
        sqlalchemy_follow.fill(destination, engine)
    # The transaction that failed is not seen, and all of its changes are returned again.
    assert len(rows()) == 4
    report = sqlalchemy_follow.fill(destination, engine)
    assert report is not None and report.in_step and rows() == held and len(applied) == 12
    # The other table is the store of a copy.
    copies = rs.Destination(site.uri, state=tmp_path / "other", copies=sqlalchemy_follow.TableCopies(engine), limits=FAST)
    del held["1.txt"]
    site.publish(held)
    assert copies.sync().in_step and copies.audit().is_equal
    assert rows("SELECT uri, content FROM stored") == held
    assert json.loads(copies.sync().to_json())["counts"]["unchanged"] == 9


NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"'


def document(lines: list[str]) -> str:
    """A document of a transcript: its root, and an entry or link for each further line."""
    if not lines or lines[0].startswith("<"):
        return "".join(lines)
    (capability, *given), *rest = [line.split(" ") for line in lines]

    def attributes(words: list[str]) -> str:
        return "".join(' {}="{}"'.format(*word.split("=", 1)) for word in words)

    kind = capability.removesuffix("-index")
    root, entry = ("urlset", "url") if kind == capability else ("sitemapindex", "sitemap")
    text = f'<{root} {NAMESPACES}><rs:md capability="{kind}"{attributes(given)}/>'
    for first, *words in rest:
        link = f"<rs:ln{attributes(words)}/>"
        text += link if first == "link" else f"<{entry}><loc>{first}</loc><rs:md{attributes(words)}/></{entry}>"
    return f"{text}</{root}>"


def played(case: dict[str, Any]) -> list[str]:
    """The lines of a transcript."""
    follower = rs.ChangeFollower(case["checkpoint"], now=case["now"], accept_older=case.get("acceptOlder", False))
    lines: list[str] = []
    while (request := follower.poll()) is not None:
        lines.append(f"out read {request.uri}" + (f" if-none-match {request.etag}" if request.etag else ""))
        sent = case["server"].get(request.uri, {"status": 404})
        headers = [tuple(header.split(": ", 1)) for header in sent.get("headers", [])]
        etag = dict(headers).get("ETag")
        status = sent.get("status", 304 if etag is not None and etag == request.headers.get("If-None-Match") else 200)
        if status == 0:
            lines.append("in no response")
            follower.failed("no response")
            continue
        lines.append(f"in {status}")
        body = document(sent.get("document", [])).encode() if status == 200 else b""
        follower.response(status, headers, [body[:10], body[10:]])
    followed = follower.finish()
    words = {"present": "fetch", "deleted": "delete", "unknown": "ask"}
    for change in followed.changes:
        listed = f" {change.hash}" if change.hash and change.presence == "present" else ""
        lines.append(f"out {words[change.presence]} {change.uri}{listed}")
    lines.append(f"out state {followed.state}")
    if followed.gap is not None:
        lines.append(f"out gap {followed.gap.after or '?'} {followed.gap.before or '?'}")
    lines += [f"out older {each.uri} {each.at} {each.seen}" for each in followed.older]
    if followed.ahead is not None:
        lines.append(f"out ahead {followed.ahead.uri} {followed.ahead.at}")
    lines += [f"out order {order}" for order in followed.orders]
    if followed.unreadable_entries:
        lines.append(f"out unreadable {followed.unreadable_entries}")
    lines.append(f"out as-of {followed.checkpoint.get('asOf', '?')}")
    lines += [f"out open {each['uri']} {each['entries']}" for each in followed.checkpoint["open"]]
    return lines


TRANSCRIPTS = sorted((CORPUS / "sync").glob("*.json"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[path.stem for path in TRANSCRIPTS])
def test_transcripts_of_following_are_played_as_they_are_written(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    assert played(case) == case["lines"]


def test_a_follower_needs_only_the_change_lists_and_a_time(site: Site) -> None:
    import urllib.request

    site.publish({"1.txt": b"one", "2.txt": b"two"})
    site.publish({"1.txt": b"ONE"})
    sources = [f"{site.base}source/changelist.xml"]
    follower = rs.ChangeFollower({"set": site.uri, "sources": sources, "asOf": "2024-05-01T00:00:00Z"})
    while (request := follower.poll()) is not None:
        with urllib.request.urlopen(urllib.request.Request(request.uri, headers=request.headers)) as response:
            follower.response(response.status, response.headers.items(), response.read())
    followed = follower.finish()
    assert followed.is_complete and {(each.uri[-5:], each.presence) for each in followed.changes} >= {("1.txt", "present"), ("2.txt", "deleted")}
    with pytest.raises(RuntimeError):
        follower.poll()
    with pytest.raises(rs.ConfigError, match="checkpoint"):
        rs.ChangeFollower({"set": 1})
