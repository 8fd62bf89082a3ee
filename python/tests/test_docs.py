"""The examples in docstrings, on the pages and in the README, and the reference."""

from __future__ import annotations

import doctest
import functools
import http.server
import io
import os
import re
import runpy
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import resourcesync
from conftest import LIST, ROOT
from oai_repository import answer
from resourcesync.pytest_plugin import CheckResourceSync

NAMES = [name for name in resourcesync.__all__ if ">>>" in (getattr(resourcesync, name).__doc__ or "")]


@pytest.mark.parametrize("name", ["", *NAMES])
def test_examples_do_what_they_say(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ("to_arrow", "dataset"):
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    Path("resourcelist.xml").write_bytes(LIST)
    content = b"x" * 8
    entry = resourcesync.Bitstream("http://example.com/res1", "/resources/res1", "text/plain")
    resourcesync.create_package("part1.zip", [(entry, content)], up="http://example.com/c.xml", at="2024-05-01T00:00:00Z")
    value = getattr(resourcesync, name) if name else resourcesync
    names = {"resourcesync": resourcesync, "Datetime": resourcesync.Datetime, "Precision": resourcesync.Precision}
    test = doctest.DocTestParser().get_doctest(value.__doc__ or "", names, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    told: list[str] = []
    runner.run(test, out=told.append)
    assert test.examples and not told, "".join(told)


def test_the_examples_of_the_readme_run_as_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out.startswith("invalid 1\nhttps://example.com/files/stations.csv 2024-04-02 09:00:00+00:00 ")


PAGES = [ROOT / "docs" / "python.md", ROOT / "docs" / "notifications.md", *sorted((ROOT / "docs" / "python").glob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in PAGES
    # The tutorials are run by tests of their own.
    if page.stem not in ("reference", "django", "flask", "invenio")
    # A page in Japanese has the same examples: cli/tests/command/readme.rs compares them.
    if not page.stem.endswith(".ja")
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL), 1)
]
BASE = "https://example.com/"


def stage(folder: Path) -> dict[str, bytes]:
    """The files that the pages name, and what is published at the base URI."""
    files: dict[str, bytes] = {}
    for to in (files, folder / "public"):
        with resourcesync.Publication(BASE, to, at="2024-05-01T00:00:00Z", describedby=f"{BASE}about.xml") as source:
            source.set(describedby=f"{BASE}about.xml")
            source.resource_list([resourcesync.Resource(f"{BASE}1", length=3)])
    changes = resourcesync.ChangeList(f"{BASE}capabilitylist.xml", "2024-05-01T00:00:00Z")
    changes.push(resourcesync.ResourceChange(f"{BASE}1", "updated", "2024-05-02T00:00:00Z"))
    changes.write(folder / "changelist.xml")
    members = [(resourcesync.Bitstream(f"{BASE}1", "/1.txt", "text/plain"), b"one")]
    resourcesync.create_package(folder / "part1.zip", members, up=f"{BASE}capabilitylist.xml", at="2024-05-01T00:00:00Z")
    (folder / "resourcelist.xml").write_bytes(LIST)
    return files


#: What is requested by the extension module is on a local server.
REPOSITORY = "https://repository.example"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, and an OAI-PMH repository."""

    def do_GET(self) -> None:
        if self.path.partition("?")[0] == "/oai":
            answer(self)
        else:
            super().do_GET()


@pytest.fixture
def repository(tmp_path: Path) -> Generator[str]:
    """The address of a local server with a Source."""
    folder = tmp_path / "repository"
    folder.mkdir()
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        base = f"http://127.0.0.1:{server.server_port}"
        for name in ("1.txt", "2.txt"):
            (folder / name).write_text(name)
        records = [resourcesync.Resource.from_file(folder / name, f"{base}/{name}") for name in ("1.txt", "2.txt")]
        resourcesync.publish(tmp_path / "published", f"{base}/", records)
        for path in (tmp_path / "published").rglob("*"):
            if path.is_file():
                to = folder / path.relative_to(tmp_path / "published")
                to.parent.mkdir(exist_ok=True)
                to.write_bytes(path.read_bytes())
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield base
        server.shutdown()
        thread.join()


def test_the_tables_of_large_sources_run_as_printed(repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "polars", "duckdb"):
        pytest.importorskip(module)
    stage(tmp_path)
    monkeypatch.chdir(tmp_path)
    part = (ROOT / "docs" / "scale.md").read_text("utf-8").split("\n## Sources as tables, in Python\n")[1].split("\n## ")[0]
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", part, re.DOTALL):
        block = re.sub(r"https://(repository|a|b)\.example", repository, block)
        block = block.replace("/mnt/store/public/", f"{tmp_path}/public/").replace("/mnt/store/packages", str(tmp_path))
        # Recipes for engines that scripts/spark installs.
        exec("\n\n".join(recipe for recipe in block.split("\n\n") if not re.match(r"import (ray|dask)", recipe)), names)
    assert names["reports"] and names["data"]


@pytest.mark.parametrize("block", BLOCKS)
def test_every_example_of_the_pages_runs_as_it_stands(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check_resourcesync: CheckResourceSync, request: pytest.FixtureRequest
) -> None:
    for module in ("httpx", "requests", "pyarrow"):
        if module in block or (module == "pyarrow" and "to_arrow" in block):
            pytest.importorskip(module)
    # A check of a repository waits for a second before each request: two minutes, on the first version of Python only.
    if "oai.validate(" in block and os.environ.get("RESOURCESYNC_SAMPLE", "1") != "1":
        pytest.skip("is run on the first version")
    monkeypatch.chdir(tmp_path)
    # What is no excerpt needs neither files nor a network.
    is_excerpt = block.startswith("# excerpt: ")
    files = stage(tmp_path) if is_excerpt else {}
    if REPOSITORY in block and is_excerpt:
        block = block.replace(REPOSITORY, request.getfixturevalue("repository"))

    def own(_: object, request: resourcesync.Request) -> resourcesync.Response:
        assert is_excerpt
        content = files.get(request.uri.removeprefix(BASE))
        return resourcesync.Response(status=404, uri=request.uri) if content is None else resourcesync.Response(content, uri=request.uri)

    # The network of the examples; everything else is as it is for users.
    monkeypatch.setattr(resourcesync.HttpFetcher, "__call__", own)
    if "import requests" in block:
        requests: Any = pytest.importorskip("requests")

        def send(_: object, request: Any, **options: object) -> Any:
            content = files.get(request.url.removeprefix(BASE))
            response = requests.Response()
            response.status_code, response.url, response.raw = 200 if content else 404, request.url, io.BytesIO(content or b"")
            return response

        monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", send)
    if "import httpx" in block:
        httpx: Any = pytest.importorskip("httpx")

        async def handle(_: object, request: Any) -> Any:
            content = files.get(str(request.url).removeprefix(BASE))
            return httpx.Response(200 if content else 404, content=content or b"", request=request)

        monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", handle)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(block, "the page", "exec"), names)
    for name, value in names.items():
        if name.startswith("test_"):
            value(check_resourcesync)


def test_there_are_examples_on_every_page() -> None:
    assert len(BLOCKS) > 20 and {page.stem for page in PAGES} >= {"validate", "read", "build", "publish", "packages", "crawl", "async", "sync"}


def test_every_public_name_is_in_the_reference_and_documented() -> None:
    reference = runpy.run_path(str(ROOT / "python" / "reference.py"))["reference"]
    # A name that is in no group is an error.
    page: str = reference()
    heading, *sections = re.split(r"^### (?:notify\.)?(\w+)\n", page, flags=re.M)
    assert heading.startswith("## ")
    written = dict(zip(sections[::2], sections[1::2], strict=True))
    code = re.compile(r"```python\n.*?```", re.DOTALL)
    bare = [name for name, section in written.items() if not code.sub("", section.split("\n## ")[0]).strip()]
    assert not bare, f"without documentation: {bare}"
    assert set(resourcesync.__all__) - {"__version__"} <= set(written)
    assert reference() == page
