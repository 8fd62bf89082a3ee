"""Publishing and crawling a whole Source, and comparing lists."""

from __future__ import annotations

import gzip
import http.server
import io
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import resourcesync as rs
from conftest import SAMPLE, serving

if sys.platform != "win32":
    import resource

BASE = "http://example.com/"
ABOUT = "http://example.com/about.xml"
AT = "2024-05-01T00:00:00Z"
NEXT = "2024-05-03T00:00:00Z"


def resources(count: int = 3) -> list[rs.Resource]:
    return [rs.Resource(f"{BASE}data/{number}", lastmod=AT, length=3, type="text/plain") for number in range(count)]


def publish(files: dict[str, bytes]) -> rs.Published:
    with rs.Publication(BASE, files, at=AT, describedby=ABOUT, max_document_entries=2) as source:
        source.set("data", describedby=ABOUT)
        source.resource_list(resources())
        source.change_lists(rs.ChangeHistory.since("2024-04-01T00:00:00Z"), [])
        source.resource_dump((resource, b"one") for resource in resources())
        source.announce(rs.CapabilityEntry("change-notification", f"{BASE}channel", hub=f"{BASE}hub"))
    return source.finish()


def web(files: Mapping[str, bytes]) -> rs.Fetch:
    """Responds like a web server with these files."""

    def fetch(request: rs.Request) -> rs.Response:
        content = files.get(urlsplit(request.uri).path.removeprefix("/"))
        return rs.Response(status=404) if content is None else rs.Response(content)

    return fetch


def test_a_source_is_published_and_walked_over_without_a_finding() -> None:
    files: dict[str, bytes] = {}
    published = publish(files)
    assert set(published.written) == set(files) and published.written[-1] == ".well-known/resourcesync"
    assert published.sets[0].resources == 3
    report = rs.crawl(BASE, web(files))
    assert [str(each) for each in report if each.severity == "error"] == []
    assert {each.kind for each in report.inputs} >= {"source-description", "resource-list-index", "package"}
    assert rs.crawl(BASE, web(files), concurrency=4).to_json() == report.to_json()


def test_changes_go_on_where_they_were(tmp_path: Path) -> None:
    history = rs.ChangeHistory.since(AT)
    changes = [rs.ResourceChange(f"{BASE}data/1", "updated", "2024-05-02T00:00:00Z", lastmod="2024-05-02T00:00:00Z")]
    for at in (NEXT, "2024-05-04T00:00:00Z"):
        with rs.Publication(BASE, tmp_path, at=at, describedby=ABOUT) as source:
            source.set("data", describedby=ABOUT)
            source.resource_list(resources())
            source.change_lists(history, changes, close=at if at == NEXT else None)
        kept = source.finish().sets[0].changes
        assert kept is not None
        history, changes = rs.ChangeHistory.from_json(kept.to_json()), []
    assert history.open_since == NEXT
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == [
        "capabilitylist.xml",
        "changelist-1.xml",
        "changelist-2.xml",
        "changelist.xml",
        "resourcelist.xml",
    ]
    assert rs.validate(tmp_path).is_valid


def test_changes_are_packaged_with_their_content() -> None:
    files: dict[str, bytes] = {}
    change = rs.ResourceChange(f"{BASE}1", "created", "2024-05-02T00:00:00Z", type="text/plain")
    gone = rs.ResourceChange(f"{BASE}2", "deleted", "2024-05-02T01:00:00Z")
    with rs.Publication(BASE, files, at=NEXT, describedby=ABOUT) as source:
        source.set(describedby=ABOUT)
        source.change_dump(rs.DumpHistory.since(AT), [(change, b"one"), (gone, None)])
    dump = source.finish().sets[0].dump
    assert dump is not None and rs.DumpHistory.from_json(dump.to_json()) == dump
    with rs.open_package(files["changedump-1.zip"]) as package:
        assert package.report.is_valid and [member.read() for member in package] == [b"one"]


def test_a_refused_publication_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(rs.RefusedError), rs.Publication(BASE, tmp_path, at=AT, describedby=ABOUT) as source:
        source.set(describedby=ABOUT)
        source.resource_list([rs.Resource("not a URI")], expected=100_000)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".xml"]
    with pytest.raises(rs.ConfigError, match="slash"):
        rs.Publication("http://example.com", {})
    with pytest.raises(rs.ConfigError, match="set"):
        rs.Publication(BASE, {}).resource_list([])


def test_the_store_may_be_anything_and_its_errors_come_out() -> None:
    class Full:
        def begin(self, path: str) -> None:
            raise OSError(28, "No space left on device")

        def write(self, content: bytes) -> None: ...

        def end(self) -> None: ...

    with pytest.raises(OSError, match="No space"), rs.Publication(BASE, Full(), at=AT) as source:
        source.set(describedby=ABOUT)
        source.resource_list(resources())


def test_lists_are_compared() -> None:
    old, new = resources(3), [*resources(2)[1:], rs.Resource(f"{BASE}data/2", length=4, type="text/plain", lastmod=NEXT), rs.Resource(f"{BASE}data/9")]
    found = list(rs.diff(old, new))
    assert [(each.change, each.uri[-1]) for each in found] == [("deleted", "0"), ("updated", "2"), ("created", "9")]
    assert found[0].new is None and found[0].old is not None and found[0].old.length == 3
    change = found[1].at(NEXT)
    assert (change.change, change.length, change.datetime) == ("updated", 4, NEXT)
    changes = rs.ChangeList(f"{BASE}capabilitylist.xml", AT)
    changes.extend(each.at(NEXT) for each in found)
    assert [entry.change for entry in rs.read(changes.to_bytes())] == ["deleted", "updated", "created"]
    written = rs.ResourceList(f"{BASE}capabilitylist.xml", AT)
    written.extend(old)
    assert list(rs.diff(rs.iter_entries(written.to_bytes()), old)) == []
    with pytest.raises(rs.ConfigError, match="sort"):
        list(rs.diff(reversed(old), new))

    def broken() -> Iterator[rs.Resource]:
        yield old[0]
        raise KeyError("database")

    with pytest.raises(KeyError):
        list(rs.diff(broken(), []))


def test_what_cannot_be_fetched_is_told_at_the_link() -> None:
    files: dict[str, bytes] = {}
    publish(files)
    del files["data/resourcelist-2.xml"]
    report = rs.crawl(BASE, web(files))
    assert sum(each.resources for each in report.sets) == 2
    assert report.verdict == "invalid" and any(each.code.startswith("INP") for each in report)

    def down(request: rs.Request) -> rs.Response:
        if "resourcelist" in request.uri:
            raise TimeoutError("timed out")
        if "changelist" in request.uri:
            raise rs.SkippedError("not today")
        return web(files)(request)

    assert rs.crawl(BASE, down).verdict != "valid"


def test_the_machine_can_be_driven_by_hand() -> None:
    files: dict[str, bytes] = {}
    publish(files)
    machine = rs.Crawler(BASE, packages="none")
    while isinstance(request := machine.poll(), rs.Request):
        machine.response(request, web(files)(request))
    assert machine.poll() == "done"
    documents, entries = machine.progress()
    assert documents > 5 and entries > 5
    assert machine.report().summary.errors == 0
    with pytest.raises(rs.ConfigError):
        machine.report()


@contextmanager
def server(files: Mapping[str, bytes]) -> Generator[str]:
    """Serves files on the loopback interface; every second one compressed."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.removeprefix("/")
            if path == "moved":
                self.send_response(301)
                self.send_header("Location", "/.well-known/resourcesync")
                self.end_headers()
                return
            content = files.get(path)
            assert self.headers["User-Agent"].startswith(f"resourcesync/{rs.__version__}")
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Type", "application/zip" if path.endswith(".zip") else "application/xml")
            if content is not None and path.endswith("list.xml"):
                content = gzip.compress(content)
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content or b"")

        do_HEAD = do_GET

        def log_message(self, format: str, *args: object) -> None: ...

    own = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=own.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{own.server_port}/"
    finally:
        own.shutdown()
        own.server_close()
        thread.join()


def test_the_client_of_the_standard_library_walks_over_http() -> None:
    files: dict[str, bytes] = {}
    with server(files) as base:
        with rs.Publication(base, files, at=AT, describedby=f"{base}about.xml", max_document_entries=2) as source:
            source.set("data", describedby=f"{base}about.xml")
            source.resource_list(rs.Resource(f"{base}data/{number}") for number in range(3))
            source.resource_dump([(rs.Resource(f"{base}data/0", type="text/plain"), b"one")])
        report = rs.crawl(f"{base}moved")
        assert [str(each) for each in report if each.severity == "error"] == []
        assert report.summary.inputs >= 6 and "package" in {each.kind for each in report.inputs}


@pytest.mark.parametrize("location", ["http://a.example:99999/", "http://[", "http://[x]/", f"http://{'a' * 70}.example/", "http://a\u2488b.example/"])
def test_a_redirect_to_a_malformed_uri_fails_that_request_alone(location: str) -> None:
    class Redirect(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", location.encode().decode("latin-1"))
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with serving(Redirect) as base:
        fetcher = rs.HttpFetcher(allow=[base])
        with pytest.raises((OSError, rs.SkippedError)):
            fetcher(rs.Request(1, f"{base}/", "document", "GET", "loc"))
        with pytest.raises(OSError):
            fetcher.exchange(rs.notify.Request(1, "GET", location, (), b"", 10))
        report = rs.crawl(f"{base}/capabilitylist.xml", fetcher)
        assert report.verdict == "undetermined"


def test_a_private_place_is_allowed_with_its_port() -> None:
    with server({}) as base, server({}) as other:
        for allowed in (base, urlsplit(base).netloc):
            fetcher = rs.HttpFetcher(allow=[allowed])
            assert fetcher(rs.Request(1, base, "document", "GET", "loc")).status == 404
            with pytest.raises(rs.SkippedError, match="not public"):
                fetcher(rs.Request(1, other, "document", "GET", "loc"))
        for wrong in ("http://h:99999/", "h:99999", "h:x", "[::1"):
            with pytest.raises(rs.ConfigError, match="allow"):
                rs.HttpFetcher(allow=[wrong])


def found(monkeypatch: pytest.MonkeyPatch, *places: object) -> None:
    """The addresses of every host."""

    def getaddrinfo(*_: object, **__: object) -> list[object]:
        return list(places)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.mark.parametrize("host", ["64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "::ffff:127.0.0.1", "fec0::1", "fe80::1"])
def test_addresses_that_lead_to_private_ones_are_not_public(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, (socket.AF_INET6, socket.SOCK_STREAM, 0, "", (host, 80, 0, 0)))
    with pytest.raises(rs.SkippedError, match="not public"):
        rs.HttpFetcher()(rs.Request(1, "http://a.example/", "document", "GET", "loc"))


def test_each_address_of_a_host_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with server({}) as base:
        port = urlsplit(base).port
        places = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port)) for address in ("127.0.0.2", "127.0.0.1")]
        found(monkeypatch, *places)
        fetcher = rs.HttpFetcher(allow=["a.example"])
        assert fetcher(rs.Request(1, f"http://a.example:{port}/", "document", "GET", "loc")).status == 404


def test_a_body_longer_than_its_limit_fails() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"PK" * 1_000

    def fetch(request: rs.Request) -> rs.Response:
        return rs.Response(endless(), headers={"Content-Type": "application/zip"})

    crawler = rs.Crawler(["https://a.example/d.zip"], files=["https://a.example/d.zip"], limits={"package_bytes": 100_000})
    request = crawler.poll()
    assert isinstance(request, rs.Request)
    crawler.response(replace(request, purpose="package"), fetch(request))


def test_places_that_are_not_public_are_left_alone() -> None:
    with server({}) as base:
        with pytest.raises(rs.SkippedError, match="not public"):
            rs.HttpFetcher()(rs.Request(1, base, "document", "GET", "loc"))
        assert rs.HttpFetcher(allow=["127.0.0.1"])(rs.Request(1, base, "document", "GET", "loc")).status == 404
    with pytest.raises(rs.SkippedError, match="only http"):
        rs.HttpFetcher()(rs.Request(1, "file:///etc/passwd", "document", "GET", "loc"))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_publication_that_fails_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    with rs.Publication(BASE, folder, at=AT, describedby=ABOUT, max_document_entries=2) as source:
        source.set(describedby=ABOUT)
        source.resource_list(resources(5))
        source.change_lists(rs.ChangeHistory.since(AT), [])
    before = tree(folder)
    assert "resourcelist-3.xml" in before
    def cut() -> Iterator[rs.Resource]:
        yield from resources(2)
        raise RuntimeError("the connection is gone")

    for broken in ([*resources(4), rs.Resource("not a URI")], cut()):
        with pytest.raises((rs.RefusedError, RuntimeError)), rs.Publication(BASE, folder, at=NEXT, describedby=ABOUT) as source:
            source.set(describedby=ABOUT)
            source.resource_list(broken)
        assert tree(folder) == before
    # The next publication is complete: nothing of the earlier, larger list remains, including its history.
    (folder / "index.html").write_text("home")
    with rs.Publication(BASE, folder, at=NEXT, describedby=ABOUT) as source:
        first = source.history()
        assert first is not None and first.open_since == AT
        source.set(describedby=ABOUT)
        source.resource_list(resources(1))
        source.change_lists(rs.ChangeHistory.since(AT), [], close=NEXT)
    assert not list(folder.glob("resourcelist-*.xml")) and (folder / "index.html").read_text() == "home"
    assert rs.validate(folder).is_valid
    source = rs.Publication(BASE, folder, at="2024-05-04T00:00:00Z", describedby=ABOUT)
    history = source.history()
    assert history is not None and (history.open_since, history.open_number) == (NEXT, 2)


def test_a_list_that_failed_is_never_published() -> None:
    files: dict[str, bytes] = {}
    wrong = [*resources(2), rs.Resource("not a URI")]
    with pytest.raises(rs.ConfigError, match="a part of this publication failed"), rs.Publication(BASE, files, at=AT) as source:
        source.set(describedby=ABOUT)
        with pytest.raises(rs.RefusedError):
            source.resource_list(wrong)
    skipped: list[str] = []
    with rs.Publication(BASE, files, at=AT, describedby=ABOUT) as source:
        source.set(describedby=ABOUT)
        source.resource_list(wrong, on_refused=lambda resource, error: skipped.append(resource.uri))
    assert skipped == ["not a URI"] and source.finish().sets[0].resources == 2
    built = rs.ResourceList(ABOUT, at=AT)
    built.to_bytes()
    with pytest.raises(rs.ConfigError, match="finished"):
        built.write(io.BytesIO(), resources(1))


def test_records_are_published_with_what_changed(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    assert rs.publish(folder, BASE, [], at=AT).resources == 0
    # Resources missing in the first generation are reported as created, even if it was empty.
    done = rs.publish(folder, BASE, resources(40), at=NEXT)
    assert (done.created, done.updated, done.deleted) == (40, 0, 0)
    before = tree(folder)
    with pytest.raises(rs.GuardError, match="40 of 40 published resources would be deleted; .* max_delete=40"):
        rs.publish(folder, BASE, [], at="2024-05-04T00:00:00Z")
    with pytest.raises(rs.GuardError, match="expect_entries"):
        rs.publish(folder, BASE, resources(39), at="2024-05-04T00:00:00Z", expect_entries=40)
    with pytest.raises(rs.RefusedError):
        rs.publish(folder, BASE, [*resources(40), rs.Resource("not a URI")], at="2024-05-04T00:00:00Z")
    with pytest.raises(rs.PublishError, match="base_uri is http://example.org/, .*; publish to another folder"):
        rs.publish(folder, "http://example.org/", resources(40), at="2024-05-04T00:00:00Z")
    with pytest.raises(rs.PublishError, match="published without gzip; omit the option"):
        rs.publish(folder, BASE, resources(40), at="2024-05-04T00:00:00Z", gzip=True)
    assert tree(folder) == before
    refused: list[str] = []
    done = rs.publish(
        folder,
        BASE,
        [*resources(10), rs.Resource("not a URI")],
        at="2024-05-04T00:00:00Z",
        max_delete="75%",
        on_refused=lambda resource, error: refused.append(resource.uri),
    )
    assert (done.deleted, done.refused, refused) == (0, 1, ["not a URI"])
    assert "30 published resources are missing but stay published" in done.warnings[0]
    done = rs.publish(folder, BASE, resources(10), at="2024-05-04T01:00:00Z", max_delete="75%")
    assert done.deleted == 30 and done.changes[0].change == "deleted"
    assert rs.validate(folder).is_valid
    state = next(tmp_path.glob("public.resourcesync/*/changes.jsonl"))
    state.unlink()
    with pytest.raises(rs.PublishError, match=r"changes\.jsonl is damaged"):
        rs.publish(folder, BASE, resources(10), at="2024-05-05T00:00:00Z")


REFUSED = [
    rs.Resource(f"{BASE}data/1", hashes={"md5": "not a digest"}),
    rs.Resource(f"{BASE}data/1", length=-1),
    rs.Resource(f"{BASE}data/1", lastmod="yesterday"),
    rs.Resource(f"{BASE}data/1", lastmod=datetime(2024, 5, 1)),
    rs.Resource(f"{BASE}data/1", priority=7),
    rs.Resource(f"{BASE}data/1", type="text/\udc80"),
    rs.Resource(f"{BASE}data/1", links=[rs.Related("describedby", "not a URI")]),
]


@pytest.mark.parametrize("wrong", REFUSED, ids=lambda wrong: str(wrong).partition(", ")[2][:40])
def test_what_is_published_of_a_refused_record_stays(tmp_path: Path, wrong: rs.Resource) -> None:
    folder, (first, second, third) = tmp_path / "public", resources()
    rs.publish(folder, BASE, [first, second, third], at=AT)
    refused: list[str] = []

    def publish(records: list[rs.Resource], day: int) -> rs.PublishedRecords:
        refused.clear()
        return rs.publish(
            folder, BASE, records, at=f"2024-05-{day:02}T00:00:00Z", on_refused=lambda resource, error: refused.append(error.code)
        )

    with pytest.raises(rs.RefusedError):
        rs.publish(folder, BASE, [first, wrong, third], at="2024-05-02T00:00:00Z")
    # One night refused, with a real deletion and a new record that is wrong from the start.
    new = rs.Resource(f"{BASE}data/new", hashes={"md5": "not a digest"})
    done = publish([first, wrong, new], 2)
    assert (done.created, done.updated, done.deleted, done.refused, len(refused)) == (0, 0, 1, 2, 2)
    assert done.resources == 2 and [change.uri for change in done.changes] == [third.uri]
    # The next night right again.
    done = publish([first, second], 3)
    assert not done.changed and done.resources == 2
    assert publish([first], 4).deleted == 1
    assert rs.validate(folder).is_valid


@pytest.mark.parametrize("uri", ["not a URI", f"{BASE}data/a b", "", None, f"{BASE}data/\udc80"])
def test_nothing_is_deleted_while_the_uri_of_a_refused_record_is_unknown(tmp_path: Path, uri: str) -> None:
    folder = tmp_path / "public"
    rs.publish(folder, BASE, resources(5), at=AT)
    refused: list[rs.RefusedError] = []
    done = rs.publish(
        folder, BASE, [*resources(3), rs.Resource(uri)], at=NEXT, ignore=["GEN-11"], on_refused=lambda resource, error: refused.append(error)
    )
    assert (done.changed, done.deleted, done.refused, len(refused), done.resources) == (False, 0, 1, 1, 5)
    assert done.warnings == ("2 published resources are missing but stay published: the URIs of 1 rejected records are unknown",)
    assert rs.publish(folder, BASE, resources(3), at=NEXT).deleted == 2


def test_a_record_that_is_given_twice_is_refused_and_blocks_no_other(tmp_path: Path) -> None:
    folder, (first, second, third) = tmp_path / "public", resources()
    with pytest.raises(rs.RefusedError, match=r"data/1.*RL-13"):
        rs.publish(folder, BASE, [first, second, third, second], at=AT)
    assert not folder.exists()
    refused: list[tuple[int | None, str]] = []
    other = rs.Resource(second.uri, length=4)
    done = rs.publish(
        folder, BASE, [first, second, third, other], at=AT, on_refused=lambda resource, error: refused.append((resource.length, error.code))
    )
    assert (done.resources, done.refused, refused) == (3, 1, [(4, "RL-13")])
    # The first one counts; a refused one and a right one are one record. In another set it is another resource.
    wrong = rs.Resource(second.uri, hashes={"md5": "x"})
    for records in ([first, wrong, second, third], [first, second, wrong, third]):
        assert not rs.publish(folder, BASE, records, at=NEXT, on_refused=lambda resource, error: None).changed
    sets = {"a": [first], "b": [first]}
    assert rs.publish(tmp_path / "sets", BASE, sets, at=AT).resources == 2


def test_packages_of_the_command_do_not_vanish(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "1").write_text("1")
    folder = tmp_path / "public"
    command = [sys.executable, "-m", "resourcesync", "build", str(tmp_path / "files"), "--base-uri", BASE, "--out", str(folder), "--dump"]
    subprocess.run(command, check=True, capture_output=True)
    before = tree(folder)
    with pytest.raises(rs.PublishError, match="published with packages by the command"):
        rs.publish(folder, BASE, [rs.Resource(f"{BASE}1", length=1)])
    assert tree(folder) == before


def test_hubs_are_advertised_and_notified_and_withdrawn_on_request(tmp_path: Path) -> None:
    taken: list[bytes] = []

    class Hub(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hub = f"http://127.0.0.1:{server.server_port}/"
    folder = tmp_path / "public"
    try:
        done = rs.publish(folder, BASE, resources(), at=AT, hubs=[hub])
        assert (done.waiting, done.changes) == (0, ())
        assert hub in (folder / "capabilitylist.xml").read_text()
        done = rs.publish(folder, BASE, resources(4), at=NEXT, hubs=[hub], notify="later")
        assert done.waiting == 2 and not taken
        assert done.changes == (rs.PublishedChange("created", f"{BASE}data/3", "", NEXT),)
        done = rs.publish(folder, BASE, resources(4), at="2024-05-04T00:00:00Z", hubs=[hub])
        assert (done.changed, done.waiting, done.warnings) == (False, 0, ())
        bodies = b"".join(taken)
        assert len(taken) == 2 and b'change="created"' in bodies and f"{BASE}data/3".encode() in bodies
        with pytest.raises(rs.PublishError, match=r"(?s)hubs is missing, .*hubs=\[\]"):
            rs.publish(folder, BASE, resources(4), at="2024-05-05T00:00:00Z")
        done = rs.publish(folder, BASE, resources(4), at="2024-05-05T00:00:00Z", hubs=[])
        assert done.withdrawn == ("notifications/changes.xml", "notifications/framework.xml")
        assert "notification" not in (folder / "capabilitylist.xml").read_text()
    finally:
        server.shutdown()
        server.server_close()
    refused: tuple[dict[str, Any], ...] = ({"hubs": hub}, {"hubs": ["not a URI"]}, {"notify": "soon"})
    for wrong in refused:
        with pytest.raises(rs.ConfigError):
            rs.publish(tmp_path / "wrong", BASE, resources(), **wrong)


def attempt(folder: Path, model: dict[str, int], at: str, fault: str, after: float) -> bool:
    """One run with a fault, in a process of its own if that is killed; true if it succeeded."""

    def records() -> Iterator[rs.Resource]:
        for number, (uri, version) in enumerate(model.items()):
            if fault == "raise" and number == 3:
                raise RuntimeError("the connection is gone")
            yield rs.Resource(uri, length=version, hashes={"md5": f"{version:032x}"})

    def run() -> None:
        rs.publish(folder, BASE, [] if fault == "empty" else records(), at=at, rotate=6, describedby=ABOUT)

    if fault not in ("kill", "full"):
        try:
            run()
        except (rs.ResourceSyncError, RuntimeError):
            return False
        return True
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if fault == "full":
                # Writing fails at a place that depends on the limit, as on a full disk. Bytecode would be cut as well.
                sys.dont_write_bytecode = True
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                limit = int(after * 20_000)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            run()
            code = 0
        except BaseException:
            pass
        finally:
            os._exit(code)
    if fault == "kill":
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_random_histories_with_faults_lose_no_change(tmp_path: Path) -> None:
    chance = random.Random(17)
    for number in range(max(200 // SAMPLE, 20)):
        folder, model, baseline = tmp_path / f"public-{number}", {f"{BASE}always": 1}, None
        for step in range(1, 5):
            for _ in range(chance.randrange(5)):
                model[f"{BASE}{chance.randrange(20)}"] = number * 10 + step + 1
            if len(model) > 3:
                model.pop(chance.choice([uri for uri in model if not uri.endswith("always")]))
            fault = "none" if step == 4 else chance.choice(["none", "kill", "full", "raise", "empty", "clock"])
            at = "2024-05-01T00:00:00Z" if fault == "clock" else f"2024-05-01T00:{step:02}:00Z"
            before = published(folder)
            succeeded = attempt(folder, model, at, fault, chance.random() * 0.05)
            after = published(folder)
            if after is None:
                assert not succeeded
                continue
            baseline = after[0] if baseline is None else baseline
            if succeeded:
                assert after[0] == ({} if fault == "empty" else model)
            else:
                assert fault != "none" and (after == before or fault in ("kill", "full") and after[0] == model)
            copy = dict(baseline)
            for entry in after[1]:
                copy.pop(entry[1], None) if entry[0] == "deleted" else copy.update({entry[1]: entry[2]})
            assert copy == after[0], (number, step, fault)
        assert published(folder) is not None and rs.validate(folder).is_valid
        shutil.rmtree(folder)
        shutil.rmtree(f"{folder}.resourcesync")


def published(folder: Path) -> tuple[dict[str, int], list[tuple[str, str, int]]] | None:
    if not (folder / "resourcelist.xml").exists():
        return None
    resources = {entry.uri or "": entry.length or 0 for entry in rs.iter_entries(folder / "resourcelist.xml")}
    lists = [folder / "changelist.xml"]
    if rs.read(lists[0]).kind == "change-list-index":
        lists = [folder / (entry.uri or "").rpartition("/")[2] for entry in rs.iter_entries(lists[0])]
    return resources, [(entry.change or "", entry.uri or "", entry.length or 0) for path in lists for entry in rs.iter_entries(path)]


def test_a_sitemap_is_read_with_the_sitemaps_of_its_index(tmp_path: Path) -> None:
    head = '<{0} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    (tmp_path / "site").mkdir()
    one = head.format("urlset") + "<url><loc>https://example.com/1</loc><lastmod>2024-05-01</lastmod></url></urlset>"
    (tmp_path / "site/one.xml").write_text(one)
    (tmp_path / "site/two.txt").write_text("https://example.com/2\n")
    members = "".join(f"<sitemap><loc>https://example.com/{name}</loc></sitemap>" for name in ("one.xml", "two.txt"))
    index = tmp_path / "index.xml"
    index.write_text(head.format("sitemapindex") + members + "</sitemapindex>")
    folders = {"https://example.com/": tmp_path / "site"}
    resources = list(rs.read_sitemap(index, folders=folders))
    assert [(each.uri, each.lastmod is not None) for each in resources] == [
        ("https://example.com/1", True),
        ("https://example.com/2", False),
    ]
    out = tmp_path / "public"
    assert rs.publish(out, "https://example.com/", rs.read_sitemap(index, folders=folders)).resources == 2
    assert "<lastmod>2024-05-01</lastmod>" in (out / "resourcelist.xml").read_text()
    with pytest.raises(rs.InputError, match="--map"):
        list(rs.read_sitemap(index))
    with pytest.raises(rs.InputError, match="could not be read"):
        next(rs.read_sitemap(tmp_path / "none.xml"))
    with pytest.raises(rs.ConfigError, match="zone"):
        next(rs.read_sitemap(index, zone="Tokyo"))
