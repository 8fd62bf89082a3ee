"""Serving a published folder with WSGI and ASGI: one table of requests, on gunicorn, uvicorn and a mounted application."""

from __future__ import annotations

import gzip
import http.client
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
import resourcesync as rs
from platforms import environment, free_port, running

HUB = "https://hub.example/"
MOUNTED = """
from starlette.applications import Starlette
from starlette.routing import Mount
from resourcesync.asgi import Folder
app = Starlette(routes=[Mount("/", Folder("public"))])
"""
SERVERS = {
    "gunicorn": ["-m", "gunicorn", "--bind", "127.0.0.1:PORT", "resourcesync.wsgi:Folder('public')"],
    "uvicorn": ["-m", "uvicorn", "--port", "PORT", "plain:app"],
    "starlette": ["-m", "uvicorn", "--port", "PORT", "mounted:app"],
}
REFERENCE = """
import sys
from wsgiref.simple_server import make_server
from resourcesync.wsgi import Folder
make_server("127.0.0.1", int(sys.argv[1]), Folder("public")).serve_forever()
"""


def publish(folder: Path, base: str) -> None:
    source = rs.Source(folder / "public", base, hubs=[HUB], notify="later")
    source.reconcile({"theses": [rs.Resource(f"{base}{n}", length=n) for n in range(50)]})
    (folder / "public" / "about.txt").write_text("text")
    (folder / "secret.xml").write_text("<secret/>")
    os.symlink(folder / "secret.xml", folder / "public" / "link.xml")


@pytest.fixture(params=["wsgiref", *SERVERS])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[tuple[Path, int]]:
    for module in {"starlette": ("uvicorn", "starlette")}.get(request.param, () if request.param == "wsgiref" else (request.param,)):
        pytest.importorskip(module)
    port = free_port()
    publish(tmp_path, f"http://127.0.0.1:{port}/")
    (tmp_path / "plain.py").write_text('from resourcesync.asgi import Folder\napp = Folder("public")\n')
    (tmp_path / "mounted.py").write_text(MOUNTED)
    arguments = SERVERS.get(request.param, ["-c", REFERENCE, "PORT"])
    # Servers have deprecated functions of their own.
    own = environment(PYTHONPATH=str(tmp_path), PYTHONWARNINGS="default")
    with running([sys.executable, *(each.replace("PORT", str(port)) for each in arguments)], tmp_path, own, f"http://127.0.0.1:{port}/"):
        yield tmp_path / "public", port


def test_documents_are_served_as_clients_need_them(server: tuple[Path, int]) -> None:
    folder, port = server

    def ask(path: str, method: str = "GET", **fields: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in fields.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body

    whole = (folder / "theses" / "resourcelist.xml").read_bytes()
    os.utime(folder / "theses" / "resourcelist.xml", (1_700_000_000, 1_700_000_000))
    status, fields, body = ask("/theses/resourcelist.xml")
    assert (status, body, fields["content-type"], fields["content-length"]) == (200, whole, "application/xml", str(len(whole)))
    assert fields["accept-ranges"] == "bytes" and "link" not in fields
    tag, modified = fields["etag"], fields["last-modified"]
    # Within its second a document may be replaced by one of the same time.
    os.utime(folder / "about.txt", (now := time.time() + 3600, now))
    assert "last-modified" not in ask("/about.txt")[1]
    assert ask("/.well-known/resourcesync")[1]["content-type"] == "application/xml"
    assert ask("/about.txt")[1]["content-type"] == "text/plain; charset=utf-8"
    # Conditional requests.
    assert ask("/theses/resourcelist.xml", If_None_Match=f'"x", {tag}')[0] == 304
    assert ask("/theses/resourcelist.xml", If_None_Match='"x"', If_Modified_Since=modified)[0] == 200
    assert ask("/theses/resourcelist.xml", If_Modified_Since=modified)[0] == 304
    assert ask("/theses/resourcelist.xml", If_Modified_Since="yesterday")[0] == 200
    # Ranges.
    for wanted, expected in (("0-4", whole[:5]), ("-7", whole[-7:]), (f"{len(whole) - 3}-", whole[-3:]), ("5-999999", whole[5:])):
        status, fields, body = ask("/theses/resourcelist.xml", Range=f"bytes={wanted}", Accept_Encoding="gzip")
        assert (status, body) == (206, expected), wanted
        assert fields["content-range"].endswith(f"/{len(whole)}") and "content-encoding" not in fields
    for wanted in (f"bytes={len(whole)}-", f"Bytes={len(whole)}-{len(whole) + 5}", "bytes=-0"):
        status, fields, _ = ask("/theses/resourcelist.xml", Range=wanted)
        assert (status, fields["content-range"]) == (416, f"bytes */{len(whole)}")
    for ignored in ("bytes=0-1,3-4", "lines=1-2", "bytes=", "bytes=-", "bytes=x-", "bytes=5-2", f"bytes={'9' * 5000}-"):
        status, fields, body = ask("/theses/resourcelist.xml", Range=ignored)
        assert (status, body) == (200, whole) and "content-range" not in fields, ignored
    assert ask("/theses/resourcelist.xml", Range="bytes=0-4", If_Range='"old"')[0] == 200
    assert ask("/theses/resourcelist.xml", Range="bytes=0-4", If_Range=tag)[0] == 206
    # Compression, which is another representation.
    status, fields, body = ask("/theses/resourcelist.xml", Accept_Encoding="br, gzip;q=0.5")
    assert (fields["content-encoding"], gzip.decompress(body), fields["etag"]) == ("gzip", whole, f"W/{tag}") and len(body) < len(whole)
    for other in ("gzip;q=0", "*, gzip;q=0", "br", "*;q=0", ""):
        assert "content-encoding" not in ask("/theses/resourcelist.xml", Accept_Encoding=other)[1], other
    assert "content-encoding" in ask("/theses/resourcelist.xml", Accept_Encoding="gzip;q=0.1, *;q=0")[1]
    assert ask("/theses/resourcelist.xml", If_None_Match=f"W/{tag}", Accept_Encoding="gzip")[0] == 304
    # A head has no body; other methods are refused.
    status, fields, body = ask("/theses/resourcelist.xml", "HEAD")
    assert (status, body, fields["content-length"]) == (200, b"", str(len(whole)))
    status, fields, _ = ask("/theses/resourcelist.xml", "HEAD", Range="bytes=0-4")
    assert (status, fields["content-length"]) == (200, str(len(whole))) and "content-range" not in fields
    assert ask("/theses/resourcelist.xml", "POST")[0] == 405
    # A topic has the links that subscribers need.
    topic = f"http://127.0.0.1:{port}/theses/notifications/changes.xml"
    assert ask("/theses/notifications/changes.xml")[1]["link"] == f'<{topic}>; rel="self", <{HUB}>; rel="hub"'
    # Nothing else is served.
    for path in ("/", "/theses", "/theses/", "/../secret.xml", "/%2e%2e/secret.xml", "/link.xml", "/theses%5Cresourcelist.xml", "/a%00b"):
        assert ask(path)[0] in (400, 404), path
