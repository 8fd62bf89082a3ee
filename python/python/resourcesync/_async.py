"""Asynchronous variants: asynchronous sources, work in threads that ends when its task is cancelled, and crawls with an asynchronous client."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import wait
from contextlib import aclosing, asynccontextmanager
from contextvars import copy_context
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar, Union, cast

from . import _core, _sources
from ._cancel import CANCEL
from ._core import Document, Entry
from ._crawl import Crawler, Fetched, Request, Response, TooLong, is_failure, take
from ._destination import AppliedChange, Changes, Copies, Destination
from ._entries import Moment, Resource
from ._parts import Severity
from ._publish import OnRefused, PublishedRecords, publish
from ._read import read
from ._report import Lang, Report, language
from ._source import EventBatch, PublishedEvents, Source
from ._sources import Buffer, ByteSource, SeekableFile
from ._sync import AuditReport, Folder, OnSyncProgress, SyncItem, SyncOptions, SyncReport, sync
from ._validate import DOCUMENT, Kind, OnProgress, Profile, Progress, options, stored, validate

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

T = TypeVar("T")


class AsyncFile(Protocol):
    """A binary file that is read asynchronously, such as those of aiofiles and anyio, and ``asyncio.StreamReader``."""

    async def read(self, size: int = ..., /) -> Buffer:
        """Reads up to this number of bytes; returns none at the end."""
        ...


#: An asynchronous source: an async iterable of bytes, a file that is read asynchronously, or the ``content`` of a response of aiohttp.
AsyncByteSource = Union[AsyncIterable[Buffer], AsyncFile]

#: An async function that fetches.
FetchAsync = Callable[[Request], Awaitable[Response]]

#: Seconds in which cancelled work may end before its task does. A source that blocks does not hold up the task.
_PATIENCE = 0.1
#: Records that a thread requests together.
_TOGETHER = 256
#: Seconds after which it looks whether it was cancelled.
_LOOK = 0.1


async def _in_thread(work: Callable[[], T]) -> T:
    """Does work in a thread. When the task is cancelled, the work ends at its next window."""
    cancel = _core.Cancel()
    context = copy_context()
    context.run(CANCEL.set, cancel)
    running = asyncio.get_running_loop().run_in_executor(None, functools.partial(context.run, work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        cancel.cancel()
        # Nobody waits for the exception that ends the work.
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait([running], timeout=_PATIENCE)
        raise


def _parts(source: object) -> AsyncIterable[object] | None:
    """The pieces of an asynchronous source; ``None`` if it is something else."""
    given = cast(Any, source)
    if hasattr(given, "status") and hasattr(getattr(given, "content", None), "iter_chunked"):
        raise TypeError("a response may be an error page: look at its status, then give its content")
    if hasattr(given, "status_code") and hasattr(given, "aiter_bytes"):
        raise TypeError("a response may be an error page: look at its status_code, then give its aiter_bytes()")
    # Streams and files iterate over lines.
    if hasattr(given, "iter_chunked"):
        return cast("AsyncIterable[object]", given.iter_chunked(_sources.WINDOW))
    if inspect.iscoroutinefunction(getattr(given, "read", None)):
        return _reads(given)
    return cast("AsyncIterable[object]", given) if hasattr(given, "__aiter__") else None


async def _reads(file: AsyncFile) -> AsyncIterator[object]:
    while piece := await file.read(_sources.WINDOW):
        yield piece


async def _pieces(parts: AsyncIterable[object]) -> AsyncGenerator[bytes]:
    """The bytes of a document."""
    is_empty = True
    async for piece in parts:
        for window in _sources.windows(_sources.piece_of_bytes(piece)):
            is_empty = is_empty and not window
            yield window
            # Work on a large piece lets other tasks run.
            await asyncio.sleep(0)
    if is_empty:
        raise _sources.nothing()


async def avalidate(
    source: AsyncByteSource | ByteSource,
    *,
    name: str | None = None,
    uri: str | None = None,
    expect: Kind | None = None,
    profile: Profile = "standard",
    lang: Lang = "en",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    fixity: bool = True,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    baseline: Report | None = None,
    progress: OnProgress | None = None,
) -> Report:
    """Validates a document from an asynchronous source while it arrives; any other source is validated in a thread.

    The arguments are those of :func:`validate`. A package from an asynchronous source is not verified: read it into a file first. When the task
    is cancelled, the work ends at its next window. ``progress`` is called in the thread that validates.

    >>> import asyncio
    >>> asyncio.run(resourcesync.avalidate("resourcelist.xml")).verdict
    'valid'
    """
    language(lang)
    parts = _parts(source)
    if parts is None:
        work = functools.partial(
            validate,
            cast(ByteSource, source),
            name=name,
            uri=uri,
            expect=expect,
            profile=profile,
            lang=lang,
            select=select,
            ignore=ignore,
            severity=severity,
            fixity=fixity,
            limits=limits,
            max_per_rule=max_per_rule,
            baseline=baseline,
            progress=progress,
        )
        return await _in_thread(work)
    chosen = options(expect, profile, select, ignore, severity, limits, stored(max_per_rule, baseline), fixity)
    validation = _core.Validation(chosen, name or DOCUMENT, uri)
    tell = _Teller(progress)
    async with aclosing(_pieces(parts)) as pieces:
        async for piece in pieces:
            validation.push(piece)
            tell.read(len(piece), validation)
            if not validation.wants_more():
                break
    report = Report._of(validation.finish()[1], lang)
    return report if baseline is None else report.without(baseline)


class _Teller:
    """Reports the progress of one document, about ten times per second."""

    def __init__(self, progress: OnProgress | None) -> None:
        self._progress = progress
        self._bytes = 0
        self._last = time.monotonic()

    def read(self, count: int, validation: _core.Validation) -> None:
        self._bytes += count
        if self._progress is not None and time.monotonic() - self._last >= 0.1:
            self._progress(Progress(self._bytes, 0, 0, validation.entries()))
            self._last = time.monotonic()


async def aiter_entries(
    source: AsyncByteSource | ByteSource, *, limits: Mapping[str, int] | None = None
) -> AsyncIterator[Entry]:
    """Iterates over the entries of a document from an asynchronous source while it arrives, like :func:`iter_entries`.

    >>> import asyncio
    >>> async def uris():
    ...     return [entry.uri async for entry in resourcesync.aiter_entries("resourcelist.xml")]
    >>> asyncio.run(uris())
    ['http://example.com/res1', 'http://example.com/res2']
    """
    reading = _core.ItemReader(options(limits=limits), False)
    parts = _parts(source)
    if parts is not None:
        async for piece in _pieces(parts):
            for entry in reading.push(piece):
                yield entry
    else:
        with _sources.document(cast(ByteSource, source)) as pieces:
            for piece in pieces:
                for entry in await asyncio.to_thread(reading.push, piece):
                    yield entry
    for entry in reading.finish():
        yield entry
    reading.check()


async def aread(source: AsyncByteSource | ByteSource, *, limits: Mapping[str, int] | None = None) -> Document:
    """Reads a whole document from an asynchronous source, like :func:`read`; any other source is read in a thread.

    >>> import asyncio
    >>> len(asyncio.run(resourcesync.aread("resourcelist.xml")))
    2
    """
    parts = _parts(source)
    if parts is None:
        return await _in_thread(lambda: read(cast(ByteSource, source), limits=limits))
    reading = _core.ItemReader(options(limits=limits), True)
    async for piece in _pieces(parts):
        reading.push(piece)
    reading.finish()
    return reading.document()


async def acrawl(
    start: str | Iterable[str],
    fetch: FetchAsync | None = None,
    *,
    files: Iterable[str] = (),
    documents: int = 10_000,
    resources: Literal["none", "all"] | int = "none",
    packages: Literal["none", "structure", "full"] = "full",
    concurrency: int = 4,
    earlier: Report | None = None,
    profile: Profile = "standard",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    lang: Lang = "en",
) -> Report:
    """Crawls and validates a whole Source with an asynchronous client, like :func:`crawl`.

    :param fetch: an async function that fetches, raising as described at :class:`Fetch`; the body of its response may be an async iterable.
        Default: :class:`resourcesync.HttpFetcher` in threads.
    :param concurrency: number of requests that are open at a time; the report does not depend on it.
    """
    starts = [start] if isinstance(start, str) else list(start)
    crawler = Crawler(
        starts,
        files=files,
        documents=documents,
        resources=resources,
        packages=packages,
        earlier=earlier,
        profile=profile,
        select=select,
        ignore=ignore,
        severity=severity,
        limits=limits,
        max_per_rule=max_per_rule,
        lang=lang,
    )
    run = _Run(crawler, fetch or _in_threads(starts))
    open_: set[asyncio.Task[None]] = set()
    try:
        while True:
            step = await run.poll() if len(open_) < max(concurrency, 1) else "wait"
            if isinstance(step, Request):
                open_.add(asyncio.ensure_future(run.fetch(step)))
            elif open_:
                done, open_ = await asyncio.wait(open_, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            else:
                return crawler.report()
    finally:
        for task in open_:
            task.cancel()
        await asyncio.gather(*open_, return_exceptions=True)


class _Run:
    """Passes responses to the crawler, which is used by one task at a time."""

    def __init__(self, crawler: Crawler, fetch: FetchAsync) -> None:
        self._crawler = crawler
        self._fetch = fetch
        self._lock = asyncio.Lock()

    async def poll(self) -> Request | Literal["wait", "done"]:
        async with self._lock:
            return self._crawler.poll()

    async def fetch(self, request: Request) -> None:
        fetched: Fetched
        try:
            response = await self._fetch(request)
            parts = _parts(response.body)
            if parts is not None:
                response = replace(response, body=await _spooled(parts, self._crawler.most_bytes(request.purpose), is_document=request.purpose == "document"))
            fetched = response
        except Exception as error:
            if not is_failure(error):
                raise
            fetched = error
        async with self._lock:
            await _in_thread(lambda: take(self._crawler, request, fetched))


async def _spooled(source: AsyncIterable[object], most: int, *, is_document: bool) -> SeekableFile:
    """The bytes of an asynchronous source as a file. If there are more, a document is cut, and others fail."""
    # Loads the compression modules of Python.
    import tempfile

    file = tempfile.SpooledTemporaryFile(max_size=1 << 20)
    async for piece in source:
        file.write(_sources.piece_of_bytes(piece))
        if file.tell() > most:
            if not is_document:
                raise TooLong
            # The crawler reports that it is too long.
            break
    file.seek(0)
    return cast(SeekableFile, file)


def _in_threads(starts: list[str]) -> FetchAsync:
    from ._http import HttpFetcher

    fetch = HttpFetcher(allow=starts)

    async def get(request: Request) -> Response:
        return await asyncio.to_thread(fetch, request)

    return get


class PublishOptions(TypedDict, total=False):
    """The options of :func:`publish`."""

    documents_uri: str | None
    at: Moment | None
    describedby: str | None
    max_delete: int | str | None
    expect_entries: int | str | None
    rotate: int | str | None
    keep: int | None
    keep_generations: int
    gzip: bool
    force: bool
    ignore: Iterable[str]
    limits: Mapping[str, int] | None
    fail_on: Severity
    on_refused: OnRefused[Resource] | None
    hubs: Iterable[str] | None
    topics_uri: str | None
    notify: Literal["now", "later"]
    header: Mapping[str, Mapping[str, str]] | None
    wait: float


async def apublish(
    folder: str | os.PathLike[str],
    base_uri: str,
    records: AsyncIterable[Resource] | Iterable[Resource] | Mapping[str, Iterable[Resource]],
    **options: Unpack[PublishOptions],
) -> PublishedRecords:
    """Publishes all records of a repository as a Source in a thread, like :func:`publish`; the records may be an async iterable.

    When the task is cancelled before the publication takes effect, the folder is unchanged. What was not sent to hubs waits for the next call.
    """
    found = _for_thread(records) if isinstance(records, AsyncIterable) else records
    return await _in_thread(lambda: publish(folder, base_uri, found, **options))


def _for_thread(records: AsyncIterable[T]) -> Iterator[T]:
    """The records for a thread, which requests them from the event loop, some at a time."""
    loop, iterator = asyncio.get_running_loop(), aiter(records)

    async def some() -> list[T]:
        found: list[T] = []
        async for record in iterator:
            found.append(record)
            if len(found) == _TOGETHER:
                break
        return found

    def given() -> Iterator[T]:
        while True:
            future = asyncio.run_coroutine_threadsafe(some(), loop)
            while not wait([future], timeout=_LOOK).done:
                if (cancel := CANCEL.get()) is not None and cancel.is_cancelled():
                    future.cancel()
                    raise InterruptedError("the work was cancelled")
            found = future.result()
            yield from found
            if len(found) < _TOGETHER:
                return

    return given()


class SourceOptions(TypedDict, total=False):
    """The options of :class:`Source`."""

    documents_uri: str | None
    describedby: str | None
    rotate: int | str | None
    keep: int | None
    gzip: bool
    snapshot: str | None
    ignore: Iterable[str]
    limits: Mapping[str, int] | None
    fail_on: Severity
    hubs: Iterable[str] | None
    topics_uri: str | None
    notify: Literal["now", "later"]
    header: Mapping[str, Mapping[str, str]] | None
    wait: float


class AsyncSource:
    """A Source whose changes are published one by one, as an asynchronous program uses it. The arguments are those of :class:`Source`.

    Everything is done in threads. When a task is cancelled, what it appended remains for the next publication.
    """

    def __init__(self, folder: str | os.PathLike[str], base_uri: str, **options: Unpack[SourceOptions]) -> None:
        self._inner = Source(folder, base_uri, **options)

    async def upsert(self, resource: Resource, *, set: str = "", at: Moment | None = None) -> None:
        """States that a resource was created or updated, like :meth:`Source.upsert`."""
        await _in_thread(lambda: self._inner.upsert(resource, set=set, at=at))

    async def delete(self, uri: str, *, set: str = "", at: Moment | None = None) -> None:
        """States that a resource was deleted, like :meth:`Source.delete`."""
        await _in_thread(lambda: self._inner.delete(uri, set=set, at=at))

    @asynccontextmanager
    async def batch(self) -> AsyncGenerator[EventBatch]:
        """Appends several events together at the end of the block, like :meth:`Source.batch`."""
        batch = EventBatch(self._inner._events)
        yield batch
        await _in_thread(lambda: self._inner._events.append(batch._held))

    async def publish(self, *, at: Moment | None = None, snapshot: str | None = None) -> PublishedEvents:
        """Publishes what all processes have appended so far, like :meth:`Source.publish`."""
        return await _in_thread(lambda: self._inner.publish(at=at, snapshot=snapshot))

    async def reconcile(
        self,
        records: AsyncIterable[Resource] | Iterable[Resource] | Mapping[str, Iterable[Resource]],
        *,
        at: Moment | None = None,
        max_delete: int | str | None = None,
        expect_entries: int | str | None = None,
        on_refused: OnRefused[Resource] | None = None,
    ) -> PublishedRecords:
        """Publishes what events missed, like :meth:`Source.reconcile`; the records may be an async iterable."""
        found = _for_thread(records) if isinstance(records, AsyncIterable) else records
        return await _in_thread(
            lambda: self._inner.reconcile(
                found, at=at, max_delete=max_delete, expect_entries=expect_entries, on_refused=on_refused
            )
        )


async def async_sync(
    uri: str | None,
    folder: Folder,
    *,
    dry_run: bool = False,
    state: Folder | None = None,
    progress: OnSyncProgress | None = None,
    on_item: Callable[[SyncItem], object] | None = None,
    **options: Unpack[SyncOptions],
) -> SyncReport:
    """Makes a folder hold what a Source lists in a thread, like :func:`sync`; callbacks are called in that thread.

    When the task is cancelled, the run ends; what is verified stays, and the next run continues.
    """
    return await _in_thread(
        lambda: sync(uri, folder, dry_run=dry_run, state=state, progress=progress, on_item=on_item, **options)
    )


class AsyncDestination:
    """A copy of a Source, as an asynchronous program uses it. The arguments are those of :class:`Destination`.

    Everything is done in threads: callbacks, and the methods of ``copies``, are called there. When a task is cancelled, its run ends, and the next
    one continues.
    """

    def __init__(
        self,
        uri: str | None,
        folder: Folder | None = None,
        *,
        state: Folder | None = None,
        copies: Copies | None = None,
        **options: Unpack[SyncOptions],
    ) -> None:
        self._inner = Destination(uri, folder, state=state, copies=copies, **options)

    async def sync(
        self,
        *,
        dry_run: bool = False,
        progress: OnSyncProgress | None = None,
        on_item: Callable[[SyncItem], object] | None = None,
        **options: Unpack[SyncOptions],
    ) -> SyncReport:
        """Makes the copy hold what the Source lists, like :meth:`Destination.sync`."""
        return await _in_thread(lambda: self._inner.sync(dry_run=dry_run, progress=progress, on_item=on_item, **options))

    async def changes(
        self,
        *,
        sync: bool = True,
        progress: OnSyncProgress | None = None,
        on_item: Callable[[SyncItem], object] | None = None,
        **options: Unpack[SyncOptions],
    ) -> AsyncChanges:
        """Synchronizes, unless ``sync`` is false, and returns all changes that were not acknowledged, like :meth:`Destination.changes`."""
        return AsyncChanges(
            await _in_thread(lambda: self._inner.changes(sync=sync, progress=progress, on_item=on_item, **options))
        )

    async def audit(
        self,
        *,
        offline: bool = False,
        quick: bool = False,
        download: bool = False,
        via: bool = False,
        foreign: bool = False,
        max_listed: int = 1000,
        progress: OnSyncProgress | None = None,
    ) -> AuditReport:
        """Compares the copy with its Source, like :meth:`Destination.audit`."""
        return await _in_thread(
            lambda: self._inner.audit(
                offline=offline, quick=quick, download=download, via=via, foreign=foreign, max_listed=max_listed, progress=progress
            )
        )

    async def close(self) -> None:
        """Closes the changes that are still open."""
        await _in_thread(self._inner.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncChanges(AsyncIterator[AppliedChange]):
    """The changes that were not acknowledged, from the oldest to the newest, like :class:`Changes`.

    Each is read and acknowledged by the methods of this class; those of :class:`AppliedChange` would block other tasks.
    """

    def __init__(self, inner: Changes) -> None:
        self._inner = inner

    @property
    def report(self) -> SyncReport | None:
        """The report of the run; ``None`` if there was none."""
        return self._inner.report

    @property
    def total(self) -> int:
        """The number of changes that were pending at first."""
        return self._inner.total

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> AppliedChange:
        found = await _in_thread(lambda: next(self._inner, None))
        if found is None:
            raise StopAsyncIteration
        return found

    async def read(self, change: AppliedChange) -> bytes:
        """The bytes of a change, like :meth:`AppliedChange.read`."""
        return await _in_thread(change.read)

    async def done(self, *changes: AppliedChange) -> None:
        """Acknowledges changes in one transaction."""
        await _in_thread(lambda: self._inner.done(changes))

    async def close(self) -> None:
        """Releases the copy, like :meth:`Changes.close`."""
        await _in_thread(self._inner.close)
