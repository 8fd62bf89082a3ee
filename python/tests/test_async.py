"""Asynchronous sources, work in threads, and what happens when a task is cancelled."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
import resourcesync as rs
from conftest import BROKEN, FAST, LIST, Site

#: The windows of a long document; it is read to its end unless somebody stops.
WINDOWS = 200
ENTRY = b"<url><loc>http://example.com/%d</loc></url>"


class Watched(io.RawIOBase):
    """A file that counts its windows, and waits in one of them."""

    def __init__(self, waits_at: int) -> None:
        self.read_windows = 0
        self.reached, self.goes_on = threading.Event(), threading.Event()
        self._waits_at = waits_at

    def read(self, size: int = -1, /) -> bytes:
        self.read_windows += 1
        if self.read_windows == self._waits_at:
            self.reached.set()
            self.goes_on.wait()
        if self.read_windows > WINDOWS:
            return b""
        return LIST.partition(b"<url>")[0] if self.read_windows == 1 else b" " * 1000


class Chunks:
    """The ``content`` of a response of aiohttp: it iterates over lines, and ``iter_chunked`` over chunks."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __aiter__(self) -> AsyncIterator[bytes]:
        raise ValueError("Chunk too big")

    async def iter_chunked(self, size: int) -> AsyncIterator[bytes]:
        assert size > 1000
        for start in range(0, len(self._content), 100):
            yield self._content[start : start + 100]


class ClientResponse:
    """A response of aiohttp."""

    status = 200

    def __init__(self, content: bytes) -> None:
        self.content = Chunks(content)

    async def read(self) -> bytes:
        return b""


class HttpxResponse:
    """A response of httpx."""

    status_code = 404

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        raise AssertionError("it was read whatever its status")


async def cancelled(source: Watched, verb: Any) -> None:
    """Cancels a verb while its source waits for the third window."""
    task = asyncio.ensure_future(verb)
    await asyncio.to_thread(source.reached.wait)
    task.cancel()
    asyncio.get_running_loop().call_soon(source.goes_on.set)
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("verb", [rs.avalidate, rs.aread])
def test_cancelled_work_reads_no_further_window(verb: Any) -> None:
    source = Watched(waits_at=3)

    async def run() -> None:
        await cancelled(source, verb(source))

    # Ends when all threads have ended.
    asyncio.run(run())
    assert source.read_windows == 3


def test_a_source_that_blocks_does_not_hold_up_its_task() -> None:
    source = Watched(waits_at=3)

    async def run() -> None:
        task = asyncio.ensure_future(rs.avalidate(source))
        await asyncio.to_thread(source.reached.wait)
        task.cancel()
        # It ends although the window never comes.
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not source.goes_on.is_set()
        source.goes_on.set()

    asyncio.run(run())
    assert source.read_windows == 3


def test_a_cancelled_publication_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    folder, taken = tmp_path / "public", 0
    reached, goes_on = threading.Event(), threading.Event()

    def records() -> Iterator[rs.Resource]:
        nonlocal taken
        for number in range(WINDOWS):
            taken += 1
            if taken == 3:
                reached.set()
                goes_on.wait()
            yield rs.Resource(f"https://example.com/{number}", length=1)

    async def run() -> None:
        task = asyncio.ensure_future(rs.apublish(folder, "https://example.com/", records()))
        await asyncio.to_thread(reached.wait)
        task.cancel()
        asyncio.get_running_loop().call_soon(goes_on.set)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert taken == 3 and not folder.exists()


class Held:
    """A store that waits while it stores the first resource."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.reached, self.goes_on = threading.Event(), threading.Event()

    def length(self, path: str, /) -> int | None:
        return len(self.held[path]) if path in self.held else None

    def put(self, resource: rs.HeldResource, content: BinaryIO, /) -> None:
        self.held[resource.path] = content.read()
        self.reached.set()
        self.goes_on.wait()

    def open(self, path: str, /) -> BinaryIO:
        return io.BytesIO(self.held[path])

    def remove(self, uri: str, path: str, /) -> None:
        del self.held[path]


def test_a_cancelled_run_ends_and_the_next_one_continues(site: Site, tmp_path: Path) -> None:
    # Files are stored in groups of at most 256; a group that is begun is ended.
    files = {f"{number}.txt": b"one" for number in range(600)}
    site.publish(files)
    store = Held()

    async def run() -> tuple[int, rs.SyncReport]:
        destination = rs.AsyncDestination(site.uri, state=tmp_path / "state", copies=store, limits=FAST, wait=60)
        task = asyncio.ensure_future(destination.sync())
        await asyncio.to_thread(store.reached.wait)
        task.cancel()
        asyncio.get_running_loop().call_soon(store.goes_on.set)
        with pytest.raises(asyncio.CancelledError):
            await task
        # The lock is free when the thread has ended.
        await destination.sync(dry_run=True)
        return len(store.held), await destination.sync()

    held, report = asyncio.run(run())
    assert held < len(files) and report.in_step and len(store.held) == len(files)


def test_a_publication_of_an_async_iterable_is_that_of_publish(tmp_path: Path) -> None:
    resources = [rs.Resource(f"https://example.com/{number}", length=number, lastmod="2024-05-01T00:00:00Z") for number in range(5)]

    async def records() -> AsyncIterator[rs.Resource]:
        for resource in resources:
            await asyncio.sleep(0)
            yield resource

    async def run() -> None:
        for given in (records(), resources, {"a": resources[:2], "b": resources[2:]}):
            folder = tmp_path / type(given).__name__
            done = await rs.apublish(folder, "https://example.com/", given, at="2024-05-02T00:00:00Z", keep_generations=1)
            assert done.resources == 5 and done.changed and rs.validate(folder).is_valid

    asyncio.run(run())


def test_a_destination_can_be_used_asynchronously(site: Site, tmp_path: Path) -> None:
    site.publish({"1.txt": b"one", "2.txt": b"two"})

    async def run() -> None:
        async with rs.AsyncDestination(site.uri, state=tmp_path / "state", limits=FAST) as destination:
            changes = await destination.changes()
            assert changes.total == 2 and changes.report is not None and changes.report.in_step
            read: dict[str, bytes] = {}
            async for change in changes:
                read[change.uri.rpartition("/")[2]] = await changes.read(change)
                await changes.done(change)
            assert read == {"1.txt": b"one", "2.txt": b"two"}
            await changes.close()
            assert (await destination.sync()).in_step
            assert [change async for change in await destination.changes(sync=False)] == []
        copy = rs.AsyncDestination(site.uri, tmp_path / "copy", limits=FAST)
        assert (await copy.sync(dry_run=True)).counts.created == 2
        assert (await copy.sync()).in_step and (await copy.audit()).is_equal
        await copy.close()

    asyncio.run(run())


def test_streams_and_files_of_asynchronous_libraries_are_sources() -> None:
    async def stream() -> asyncio.StreamReader:
        # A line longer than its limit, over which it cannot iterate.
        reader = asyncio.StreamReader(limit=100)
        reader.feed_data(LIST.replace(b"\n", b" "))
        reader.feed_eof()
        return reader

    async def run() -> None:
        wanted = rs.validate(LIST).groups
        assert (await rs.avalidate(Chunks(LIST))).groups == wanted
        assert (await rs.avalidate(await stream())).groups == wanted
        assert len(await rs.aread(await stream())) == len([entry async for entry in rs.aiter_entries(Chunks(LIST))]) == 2

        async def fetch(request: rs.Request) -> rs.Response:
            if request.uri != "http://example.com/resourcelist.xml":
                return rs.Response(status=404)
            body: Any = Chunks(LIST)
            return rs.Response(body, headers={"Content-Type": "application/xml"})

        report = await rs.acrawl("http://example.com/resourcelist.xml", fetch)
        assert report.inputs[0].entries == 2

    asyncio.run(run())


def test_a_response_is_not_judged_whatever_its_status() -> None:
    aiohttp, httpx = ClientResponse(LIST), HttpxResponse()
    for verb in (rs.avalidate, rs.aread):
        given: Any = verb
        with pytest.raises(TypeError, match="look at its status, then give its content"):
            asyncio.run(given(aiohttp))
        with pytest.raises(TypeError, match=r"look at its status_code, then give its aiter_bytes\(\)"):
            asyncio.run(given(httpx))
    other: Any = aiohttp.content
    with pytest.raises(TypeError, match="an asynchronous source is for avalidate"):
        rs.validate(other)


def test_an_asynchronous_source_that_was_read_before_is_not_an_empty_document() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield LIST

    async def run() -> None:
        source = pieces()
        assert (await rs.avalidate(source)).is_valid
        for verb in (rs.avalidate, rs.aread):
            given: Any = verb
            with pytest.raises(rs.InputError, match="was it read before"):
                await given(source)
        with pytest.raises(rs.InputError, match="was it read before"):
            [entry async for entry in rs.aiter_entries(source)]

    asyncio.run(run())


def test_avalidate_takes_all_arguments_of_validate(tmp_path: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield BROKEN

    async def run() -> None:
        baseline = rs.validate(BROKEN, max_per_rule=0)
        for source in (BROKEN, pieces()):
            report = await rs.avalidate(source, baseline=baseline, fixity=False, progress=lambda progress: None)
            assert report.summary.suppressed == 1 and report.summary.errors == 0

    asyncio.run(run())
