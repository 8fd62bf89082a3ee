"""Asynchronous variants: sources that are async iterables of bytes, and crawls with an asynchronous HTTP client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal, cast

from . import _core, _sources
from ._core import Document, Entry
from ._crawl import Crawler, Fetched, Request, Response, is_failure, take
from ._parts import Severity
from ._report import Lang, Report, language
from ._sources import Buffer, ByteSource, SeekableFile
from ._validate import DOCUMENT, Kind, Profile, options, validate

#: An async iterable of bytes, such as the body of a response.
AsyncByteSource = AsyncIterable[Buffer]

#: An async function that fetches.
FetchAsync = Callable[[Request], Awaitable[Response]]


async def _pieces(source: AsyncByteSource) -> AsyncIterator[bytes]:
    async for piece in source:
        for window in _sources.windows(_sources.piece_of_bytes(piece)):
            yield window
            # Work on a large piece lets other tasks run.
            await asyncio.sleep(0)


def _is_async(source: object) -> bool:
    return hasattr(source, "__aiter__")


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
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
) -> Report:
    """Validates a document from an async iterable of bytes while it arrives; any other source is validated in a thread.

    The arguments are those of :func:`validate`. A package is not a document: read it into a file first.

    >>> import asyncio
    >>> asyncio.run(resourcesync.avalidate("resourcelist.xml")).verdict
    'valid'
    """
    language(lang)
    if not _is_async(source):
        return await asyncio.to_thread(
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
            limits=limits,
            max_per_rule=max_per_rule,
        )
    chosen = options(expect, profile, select, ignore, severity, limits, max_per_rule, True)
    validation = _core.Validation(chosen, name or DOCUMENT, uri)
    async for piece in _pieces(cast(AsyncByteSource, source)):
        validation.push(piece)
    return Report._of(validation.finish()[1], lang)


async def aiter_entries(
    source: AsyncByteSource | ByteSource, *, limits: Mapping[str, int] | None = None
) -> AsyncIterator[Entry]:
    """Iterates over the entries of a document from an async iterable of bytes while it arrives, like :func:`iter_entries`.

    >>> import asyncio
    >>> async def uris():
    ...     return [entry.uri async for entry in resourcesync.aiter_entries("resourcelist.xml")]
    >>> asyncio.run(uris())
    ['http://example.com/res1', 'http://example.com/res2']
    """
    reading = _core.ItemReader(options(limits=limits), False)
    if _is_async(source):
        async for piece in _pieces(cast(AsyncByteSource, source)):
            for entry in reading.push(piece):
                yield entry
    else:
        with _sources.pieces(cast(ByteSource, source)) as pieces:
            for piece in pieces:
                for entry in await asyncio.to_thread(reading.push, piece):
                    yield entry
    for entry in reading.finish():
        yield entry
    reading.check()


async def aread(source: AsyncByteSource | ByteSource, *, limits: Mapping[str, int] | None = None) -> Document:
    """Reads a whole document from an async iterable of bytes, like :func:`read`; any other source is read in a thread.

    >>> import asyncio
    >>> len(asyncio.run(resourcesync.aread("resourcelist.xml")))
    2
    """
    if not _is_async(source):
        from ._read import read

        return await asyncio.to_thread(read, cast(ByteSource, source), limits=limits)
    reading = _core.ItemReader(options(limits=limits), True)
    async for piece in _pieces(cast(AsyncByteSource, source)):
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
            if _is_async(response.body):
                response = replace(response, body=await _spooled(cast(AsyncByteSource, response.body)))
            fetched = response
        except Exception as error:
            if not is_failure(error):
                raise
            fetched = error
        async with self._lock:
            await asyncio.to_thread(take, self._crawler, request, fetched)


async def _spooled(source: AsyncByteSource) -> SeekableFile:
    """The bytes of an async iterable as a file."""
    # Loads the compression modules of Python.
    import tempfile

    file = tempfile.SpooledTemporaryFile(max_size=1 << 20)
    async for piece in source:
        file.write(_sources.piece_of_bytes(piece))
    file.seek(0)
    return cast(SeekableFile, file)


def _in_threads(starts: list[str]) -> FetchAsync:
    from ._http import HttpFetcher

    fetch = HttpFetcher(allow=starts)

    async def get(request: Request) -> Response:
        return await asyncio.to_thread(fetch, request)

    return get
