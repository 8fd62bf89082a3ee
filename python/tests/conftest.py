"""Shared by all tests: the corpus, and a list to read."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
#: Inputs and reports of the cases from the Rust code, written by scripts/inputs.
INPUTS = ROOT / "target" / "corpus"
#: One case in this many is run.
SAMPLE = int(os.environ.get("RESOURCESYNC_SAMPLE", "1"))


@dataclass
class Case:
    """A case file; its format is in the README of the corpus."""

    path: Path
    fields: dict[str, str]
    body: bytes

    @classmethod
    def load(cls, path: Path) -> Case:
        head, _, body = path.read_bytes().partition(b"\n---\n")
        # What repeats, `input`, `must` and `may`, is held against the native report.
        fields = dict(line.split(": ", 1) for line in head.decode().split("\n"))
        return cls(path, fields, body)

    @property
    def name(self) -> str:
        return self.path.relative_to(CORPUS).as_posix().removesuffix(".case")

    def json(self, key: str) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.fields.get(key, "{}"))
        return value

    @property
    def is_package(self) -> bool:
        return self.json("generate").get("kind") == "package"

    @property
    def file(self) -> str:
        """The name of the input as a file."""
        if "generate" in self.fields:
            return "package.zip" if self.is_package else "generated.xml"
        return self.fields.get("file", "input.xml")

    def content(self) -> bytes:
        if "generate" in self.fields:
            return (INPUTS / self.name / self.file).read_bytes()
        return self.path.with_name(self.file).read_bytes() if "file" in self.fields else self.body

    def report(self) -> bytes:
        """The report of the Rust code."""
        return (INPUTS / self.name / "report.json").read_bytes()

LIST = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <lastmod>2024-04-30</lastmod>
    <rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6 sha-256:854f61290e2e197a11bc91063afce22e43f8ccc655237050ace766adc68dc784"
           length="8876" type="text/html" x:note="kept" xmlns:x="urn:example:x"/>
    <rs:ln rel="describedby" href="http://example.com/res1.meta.xml" pri="1" modified="2024-04-29T12:00:00.25+09:00"/>
    <x:extra xmlns:x="urn:example:x">text</x:extra>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
    <lastmod>2024-04-29T13:15:00Z</lastmod>
    <changefreq>daily</changefreq>
    <priority>0.5</priority>
    <rs:md length="14599" type="application/pdf"/>
  </url>
</urlset>
"""

BROKEN = LIST.replace(b' at="2024-05-01T00:00:00Z"', b"")


@contextmanager
def serving(handler: Callable[..., http.server.BaseHTTPRequestHandler]) -> Generator[str]:
    """A server on this machine; its address has no slash at the end."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


#: The bodies of a server, by their paths.
Pages = dict[str, bytes]


@contextmanager
def served(pages: Pages, *, ranges: bool = True) -> Generator[tuple[str, list[tuple[str, str | None]]]]:
    """A server with or without range requests, and the ranges that were requested."""
    asked: list[tuple[str, str | None]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body are sent one after the other.
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            body, wanted = pages.get(self.path), self.headers["Range"]
            asked.append((self.path, wanted))
            found = re.fullmatch(r"bytes=(\d+)-(\d+)", wanted or "") if ranges and body is not None else None
            whole = body or b""
            part = whole[int(found[1]) : int(found[2]) + 1] if found else whole
            self.send_response(404 if body is None else 206 if found else 200)
            if found:
                self.send_header("Content-Range", f"bytes {found[1]}-{int(found[1]) + len(part) - 1}/{len(whole)}")
            self.send_header("ETag", f'"{hash(whole)}"')
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            self.wfile.write(part)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        yield f"{address}/", asked


@contextmanager
def proxied(pages: Mapping[str, bytes | str]) -> Generator[tuple[str, list[str]]]:
    """A proxy that answers for all hosts: with bodies, or with redirects to other URIs. It records the URIs that are requested."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_CONNECT(self) -> None:
            self.send_response_only(200)
            self.end_headers()

        def do_GET(self) -> None:
            uri = f"http://{self.headers['Host']}{self.path}"
            asked.append(uri)
            page = pages.get(uri)
            self.send_response(404 if page is None else 302 if isinstance(page, str) else 200)
            if isinstance(page, str):
                self.send_header("Location", page)
            body = page if isinstance(page, bytes) else b""
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        yield address, asked


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a Resource List."""
    (tmp_path / "resourcelist.xml").write_bytes(LIST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


#: A server on the loopback interface is not slowed down by politeness.
FAST = {"http_requests_per_second": 0}


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None: ...


class Site:
    """A repository: its files, and the Source that is published of them."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.base = f"http://127.0.0.1:{port}/"
        self.days = 0

    def publish(self, files: dict[str, bytes]) -> None:
        data = self.folder / "files"
        data.mkdir(exist_ok=True)
        for old in data.iterdir():
            old.unlink()
        records: list[rs.Resource] = []
        for name, content in files.items():
            (data / name).write_bytes(content)
            records.append(rs.Resource.from_file(data / name, f"{self.base}files/{name}", algorithms=["sha-256"]))
        self.days += 1
        # The documents are served from the folder of the server, next to the files.
        rs.publish(self.folder / "source", f"{self.base}source/", records, at=f"2024-05-{self.days:02}T00:00:00Z", max_delete="100%")

    @property
    def uri(self) -> str:
        return f"{self.base}source/capabilitylist.xml"


@pytest.fixture
def site(tmp_path: Path) -> Generator[Site]:
    top = tmp_path / "site"
    top.mkdir()
    with serving(functools.partial(Handler, directory=str(top))) as address:
        yield Site(top, int(address.rpartition(":")[2]))
