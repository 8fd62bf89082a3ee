"""Crawls with the HTTP client of the caller: its responses, its exceptions, with and without asyncio."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import resourcesync as rs
from conftest import LIST, serving

BASE = "http://example.com/"


def source() -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    with rs.Publication(BASE, files, at="2024-05-01T00:00:00Z", describedby=f"{BASE}about.xml") as publication:
        publication.set(describedby=f"{BASE}about.xml")
        publication.resource_list([rs.Resource(f"{BASE}1", length=3)])
    return files


FILES = source()


def answer(request: rs.Request) -> rs.Response:
    content = FILES.get(request.uri.removeprefix(BASE))
    return rs.Response(status=404) if content is None else rs.Response(content)


class ClientError(Exception):
    """An exception as HTTP clients have: it is no OSError."""


def test_a_crawl_needs_a_start() -> None:
    with pytest.raises(rs.ConfigError, match="at least one"):
        rs.crawl([], answer)
    with pytest.raises(rs.ConfigError, match="at least one"):
        asyncio.run(rs.acrawl([]))
    assert rs.crawl([], answer, files=[f"{BASE}resourcelist.xml"]).summary.inputs > 0


@pytest.mark.parametrize("concurrency", [1, 4])
def test_one_failed_request_does_not_end_the_crawl(concurrency: int) -> None:
    def fetch(request: rs.Request) -> rs.Response:
        if request.uri.endswith("resourcelist.xml"):
            raise ClientError("connection\nreset")
        return answer(request)

    report = rs.crawl(BASE, fetch, concurrency=concurrency)
    (failed,) = (found for found in report if found.input == len(report.inputs) - 1)
    assert report.verdict == "undetermined" and failed.code == "INP-01" and "connection reset" in failed.message


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_body_that_breaks_off_does_not_end_the_crawl(concurrency: int) -> None:
    def broken() -> Iterator[bytes]:
        yield FILES["resourcelist.xml"][:100]
        raise ClientError("reset")

    def fetch(request: rs.Request) -> rs.Response:
        return rs.Response(broken()) if request.uri.endswith("resourcelist.xml") else answer(request)

    assert rs.crawl(BASE, fetch, concurrency=concurrency).verdict == "undetermined"


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_mistake_in_the_fetcher_ends_the_crawl(concurrency: int) -> None:
    def fetch(request: rs.Request) -> rs.Response:
        raise KeyError(request.uri)

    with pytest.raises(KeyError):
        rs.crawl(BASE, fetch, concurrency=concurrency)


BODIES: dict[str, tuple[int, Callable[[bytes], bytes] | None, str]] = {
    "gzip": (0, gzip.compress, "valid"),
    "cut": (1, None, "undetermined"),
    "cut gzip": (1, gzip.compress, "undetermined"),
    "two members": (0, lambda body: gzip.compress(body[:50]) + bytes(9) + gzip.compress(body[50:]) + bytes(70_000), "valid"),
    "no member": (0, lambda body: gzip.compress(body) + b"<urlset/>", "undetermined"),
    "many members": (0, lambda body: b"".join(gzip.compress(body[at : at + 1]) for at in range(len(body))), "valid"),
}


@pytest.mark.parametrize(("cut", "packed", "verdict"), BODIES.values(), ids=BODIES)
def test_bodies_by_http_are_read_as_the_command_reads_them(cut: int, packed: Callable[[bytes], bytes] | None, verdict: str) -> None:
    class Cutting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = files.get(self.path[1:])
            self.send_response(404 if content is None else 200)
            body = content or b""
            if self.path == "/resourcelist.xml" and packed is not None:
                self.send_header("Content-Encoding", "gzip")
                body = packed(body)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) - cut] if self.path == "/resourcelist.xml" else body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with serving(Cutting) as address:
        files = {name: content.replace(BASE.encode(), f"{address}/".encode()) for name, content in FILES.items()}
        assert rs.crawl(f"{address}/").verdict == verdict


def test_the_body_of_a_response_is_never_text() -> None:
    for body in ("/etc/passwd", "<urlset/>"):
        anything: Any = body
        with pytest.raises(TypeError, match="not text or a path"):
            rs.Response(anything)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        content = {"/list.xml": LIST, "/packed.xml": gzip.compress(LIST)}.get(self.path)
        self.send_response(404 if content is None else 200)
        if self.path == "/packed.xml":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("X-Two", "1")
        self.send_header("X-Two", "2")
        self.end_headers()
        self.wfile.write(content or b"<html>no such page</html>")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()
        thread.join()


def check(response: rs.Response, status: int, uri: str, content: bytes) -> None:
    assert (response.status, response.uri) == (status, uri)
    assert [value for name, value in list(response.headers or ()) if str(name).lower() == "x-two"] in (["1", "2"], ["1, 2"])
    body: Any = response.body
    assert (body if isinstance(body, bytes) else b"".join(body)) == content


def test_responses_of_requests_keep_their_status(server: str) -> None:
    requests = pytest.importorskip("requests")
    check(rs.Response.from_requests(requests.get(f"{server}/list.xml")), 200, f"{server}/list.xml", LIST)
    check(rs.Response.from_requests(requests.get(f"{server}/packed.xml", stream=True)), 200, f"{server}/packed.xml", LIST)
    raw = rs.Response.from_requests(requests.get(f"{server}/packed.xml", stream=True), is_raw_body=True)
    check(raw, 200, f"{server}/packed.xml", gzip.compress(LIST))
    check(rs.Response.from_requests(requests.get(f"{server}/no.xml")), 404, f"{server}/no.xml", b"<html>no such page</html>")

    def fetch(request: rs.Request) -> rs.Response:
        return rs.Response.from_requests(requests.request(request.method, request.uri, stream=True, timeout=10))

    report = rs.crawl(f"{server}/list.xml", fetch)
    (listed,) = (each for each in report.inputs if each.name.endswith("list.xml") and each.kind == "resource-list")
    assert listed.entries == 2
    missing = rs.crawl(f"{server}/no.xml", fetch)
    assert {found.code for found in missing} == {"INP-01", "SD-12"}
    assert "404" in next(found.message for found in missing if found.code == "INP-01")
    # The exceptions of requests are those of a failed request.
    assert rs.crawl("http://127.0.0.1:9/list.xml", fetch).verdict == "undetermined"


def test_responses_of_httpx_keep_their_status(server: str) -> None:
    httpx = pytest.importorskip("httpx")
    check(rs.Response.from_httpx(httpx.get(f"{server}/list.xml")), 200, f"{server}/list.xml", LIST)
    with httpx.stream("GET", f"{server}/packed.xml") as streamed:
        check(rs.Response.from_httpx(streamed), 200, f"{server}/packed.xml", LIST)
    with httpx.stream("GET", f"{server}/packed.xml") as streamed:
        check(rs.Response.from_httpx(streamed, is_raw_body=True), 200, f"{server}/packed.xml", gzip.compress(LIST))
    check(rs.Response.from_httpx(httpx.get(f"{server}/no.xml")), 404, f"{server}/no.xml", b"<html>no such page</html>")

    def fetch(request: rs.Request) -> rs.Response:
        return rs.Response.from_httpx(httpx.request(request.method, request.uri))

    assert rs.crawl("http://127.0.0.1:9/list.xml", fetch).verdict == "undetermined"


async def pieces(content: bytes, size: int = 100) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        await asyncio.sleep(0)
        yield content[start : start + size]


def test_an_asynchronous_crawl_gives_the_same_report() -> None:
    async def fetch(request: rs.Request) -> rs.Response:
        await asyncio.sleep(0)
        response = answer(request)
        return rs.Response(pieces(FILES[request.uri.removeprefix(BASE)])) if response.status == 200 else response

    wanted = rs.crawl(BASE, answer)
    for concurrency in (1, 5):
        assert asyncio.run(rs.acrawl(BASE, fetch, concurrency=concurrency)).to_json() == wanted.to_json()

    async def failing(request: rs.Request) -> rs.Response:
        if request.uri.endswith("resourcelist.xml"):
            raise ClientError("reset")
        return await fetch(request)

    assert asyncio.run(rs.acrawl(BASE, failing)).verdict == "undetermined"

    async def mistaken(request: rs.Request) -> rs.Response:
        raise KeyError(request.uri)

    with pytest.raises(KeyError):
        asyncio.run(rs.acrawl(BASE, mistaken))


def test_an_asynchronous_crawl_ends_its_requests_when_it_is_cancelled() -> None:
    ended: list[str] = []

    async def fetch(request: rs.Request) -> rs.Response:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append(request.uri)
            raise
        return answer(request)

    async def run() -> None:
        task = asyncio.ensure_future(rs.acrawl(BASE, fetch))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert ended


def test_asynchronous_sources_give_what_others_give() -> None:
    async def run() -> None:
        assert (await rs.avalidate(pieces(LIST))).to_json() == rs.validate(LIST).to_json()
        assert (await rs.avalidate(LIST, expect="change-list")).to_json() == rs.validate(LIST, expect="change-list").to_json()
        assert await rs.aread(pieces(LIST)) == rs.read(LIST) == await rs.aread(LIST)
        for any_source in (pieces(LIST), LIST, gzip.compress(LIST)):
            assert [entry async for entry in rs.aiter_entries(any_source)] == list(rs.iter_entries(LIST))
        with pytest.raises(rs.DocumentError):
            await rs.aread(pieces(LIST[:-10]))
        with pytest.raises(TypeError, match="bytes"):
            await rs.aread(texts())

    async def texts() -> AsyncIterator[Any]:
        yield "<urlset/>"

    asyncio.run(run())


def test_entries_arrive_before_the_source_ends() -> None:
    async def run() -> None:
        more = asyncio.Event()

        async def stalled() -> AsyncIterator[bytes]:
            yield LIST[: LIST.index(b"<loc>http://example.com/res2")]
            await more.wait()
            yield LIST[LIST.index(b"<loc>http://example.com/res2") :]

        entries = rs.aiter_entries(stalled())
        assert (await anext(entries)).uri == "http://example.com/res1"
        more.set()
        assert [entry.uri async for entry in entries] == ["http://example.com/res2"]

    asyncio.run(run())
