"""The crawl of a whole Source with any HTTP client: the crawler returns requests, a callable sends them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Union, cast

from . import _core, _sources
from ._errors import ConfigError, ResourceSyncError
from ._parts import Reason, Severity
from ._report import Lang, Report
from ._sources import ByteSource
from ._validate import Profile, options

Headers = Union[Mapping[str, str], Iterable[tuple[str, str]]]
Purpose = Literal["document", "discovery", "robots", "topic", "package", "resource"]


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the crawl: the URI, its purpose, the method, and the link that leads to it."""

    id: int
    uri: str
    purpose: Purpose
    method: Literal["GET", "HEAD"]
    via: str
    parent: str | None = None
    hash: str | None = None
    encoding: str | None = None
    probe: bool = False
    _json: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """A response: its status, its header fields, and its body as bytes, a binary file or an iterable of bytes.

    ``uri`` is the final URI, after redirects. The body is content-decoded unless ``is_raw_body``: a resource that is listed with an ``encoding``
    is compared only if its body is raw. Without ``headers``, as in a folder, headers are not checked.
    """

    body: ByteSource = b""
    status: int = 200
    headers: Headers | None = None
    uri: str | None = None
    is_raw_body: bool = False


class SkippedError(ResourceSyncError):
    """Raised by a fetcher: the request was not sent, because of a policy. The link is then undetermined."""

    def __init__(self, message: str, reason: Reason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class Fetch(Protocol):
    """Fetches. It raises ``OSError`` if the request fails, :class:`SkippedError` if it does not send it."""

    def __call__(self, request: Request, /) -> Response:
        """The response."""
        ...


class Crawler:
    """The state machine behind :func:`crawl`, for clients that fetch in their own way, such as asynchronous ones.

    Call :meth:`poll` for the next request; pass the result to :meth:`response`, :meth:`not_found`, :meth:`skipped` or :meth:`failed`, in any order; call
    :meth:`report` at the end.
    """

    def __init__(
        self,
        start: str | Iterable[str],
        *,
        files: Iterable[str] = (),
        documents: int = 10_000,
        resources: Literal["none", "all"] | int = "none",
        packages: Literal["none", "structure", "full"] = "full",
        earlier: Report | None = None,
        profile: Profile = "standard",
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        severity: Mapping[str, Severity] | None = None,
        limits: Mapping[str, int] | None = None,
        max_per_rule: int = 100,
        lang: Lang = "en",
    ) -> None:
        crawl_options: dict[str, Any] = {
            "start": [start] if isinstance(start, str) else list(start),
            "files": list(files),
            "documents": documents,
            "resources": resources if isinstance(resources, str) else {"sample": resources},
            "packages": packages,
        }
        if earlier is not None:
            crawl_options["earlier"] = earlier.to_dict()
        fixity = packages == "full"
        chosen = options(None, profile, select, ignore, severity, limits, max_per_rule, fixity)
        try:
            self._inner = _core.Crawler(chosen, json.dumps(crawl_options))
        except ValueError as error:
            raise ConfigError(str(error)) from None
        self._lang: Lang = lang

    def poll(self) -> Request | Literal["wait", "done"]:
        """The next request; ``wait`` if the result of an open one is needed first; ``done`` if there is nothing more."""
        step = self._inner.poll()
        if step == "wait":
            return "wait"
        if step == "done":
            return "done"
        fetch = json.loads(step)
        names = ("id", "uri", "purpose", "method", "via", "parent", "hash", "encoding", "probe")
        return Request(**{name: fetch[name] for name in names if name in fetch}, _json=step)

    def response(self, request: Request, response: Response) -> None:
        """Takes a response. An ``OSError`` of its body ends it there."""
        head = _head(request, response)
        if request.purpose == "package" and 200 <= response.status < 300:
            self._package(request, response, head)
            return
        reader = self._inner.reader(request._json, head)
        try:
            with _sources.pieces(response.body) as pieces:
                for piece in pieces:
                    if not reader.push(piece):
                        break
        except OSError as error:
            self._inner.handle(reader, _given(_reason(error)))
        else:
            self._inner.handle(reader)

    def _package(self, request: Request, response: Response, head: str) -> None:
        if _sources.can_seek(response.body):
            self._inner.package(request._json, head, _sources.origin(response.body))
            return
        # A package is read from its end, so that all of it is needed first.
        with tempfile.TemporaryFile() as spool:
            try:
                with _sources.pieces(response.body) as pieces:
                    spool.writelines(pieces)
            except OSError as error:
                self.failed(request, _reason(error))
                return
            spool.seek(0)
            self._inner.package(request._json, head, _sources.origin(spool))

    def failed(self, request: Request, reason: str | Reason) -> None:
        """The request failed: no connection, a timeout. The reason is one of the library's, or one line of text."""
        self._inner.fail(request._json, _error("failed", reason))

    def not_found(self, request: Request, reason: str | Reason) -> None:
        """It does not exist. A response with status 404 or 410 means the same."""
        self._inner.fail(request._json, _error("notFound", reason))

    def skipped(self, request: Request, reason: str | Reason) -> None:
        """The request was not sent, because of a policy."""
        self._inner.fail(request._json, _error("skipped", reason))

    def progress(self) -> tuple[int, int]:
        """Documents and packages fetched so far, and the entries in them."""
        return self._inner.progress()

    def report(self, *, interrupted: bool = False) -> Report:
        """The report. If the crawl was ``interrupted``, the report says so."""
        return Report._of(self._inner.report(interrupted), self._lang)


def crawl(
    start: str | Iterable[str],
    fetch: Fetch | None = None,
    *,
    files: Iterable[str] = (),
    documents: int = 10_000,
    resources: Literal["none", "all"] | int = "none",
    packages: Literal["none", "structure", "full"] = "full",
    concurrency: int = 1,
    earlier: Report | None = None,
    profile: Profile = "standard",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    lang: Lang = "en",
) -> Report:
    """Crawls and validates a whole Source from its start.

    :param start: URIs to start from. For one that ends at its host, ``/.well-known/resourcesync`` is tried first.
    :param fetch: fetches; default: :class:`resourcesync.HttpFetcher`, which uses the standard library.
    :param files: URIs of documents and packages that exist whether or not anything links to them, as in a folder.
    :param documents: maximum number of documents and packages.
    :param resources: how many resources of each Resource List to read and compare: ``none``, a number, ``all``.
    :param packages: how far to verify packages.
    :param concurrency: number of threads that fetch; the report does not depend on it.
    :param earlier: the report of an earlier crawl of the same Source, to check that closed documents have not changed.
    """
    if fetch is None:
        from ._http import HttpFetcher

        fetch = HttpFetcher(allow=[start] if isinstance(start, str) else list(start))
    crawler = Crawler(
        start,
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
    if concurrency <= 1:
        _one_by_one(crawler, fetch)
    else:
        _side_by_side(crawler, fetch, concurrency)
    return crawler.report()


def _one_by_one(crawler: Crawler, fetch: Fetch) -> None:
    while isinstance(request := crawler.poll(), Request):
        _take(crawler, request, _ask(fetch, request))


def _side_by_side(crawler: Crawler, fetch: Fetch, concurrency: int) -> None:
    open_: dict[Future[Response | OSError | SkippedError], Request] = {}
    with ThreadPoolExecutor(concurrency) as pool:
        while True:
            step = crawler.poll() if len(open_) < concurrency else "wait"
            if isinstance(step, Request):
                open_[pool.submit(_ask, fetch, step)] = step
            elif open_:
                done, _ = wait(open_, return_when=FIRST_COMPLETED)
                for future in done:
                    _take(crawler, open_.pop(future), future.result())
            else:
                return


def _ask(fetch: Fetch, request: Request) -> Response | OSError | SkippedError:
    try:
        return fetch(request)
    except (OSError, SkippedError) as error:
        return error


def _take(crawler: Crawler, request: Request, response: Response | OSError | SkippedError) -> None:
    if isinstance(response, Response):
        crawler.response(request, response)
    elif isinstance(response, SkippedError):
        crawler.skipped(request, response.reason or str(response))
    else:
        crawler.failed(request, _reason(response))


def _head(request: Request, response: Response) -> str:
    head: dict[str, Any] = {"uri": response.uri or request.uri, "status": response.status}
    head["isRawBody"] = response.is_raw_body
    if response.headers is not None:
        given = response.headers
        head["headers"] = list(cast("Mapping[str, str]", given).items() if isinstance(given, Mapping) else given)
    return json.dumps(head)


def _reason(error: OSError) -> str | Reason:
    if isinstance(error, ConnectionRefusedError):
        return Reason("connection-refused")
    text: Sequence[str] = str(error.strerror or error or type(error).__name__).split()
    return " ".join(text)[:200]


def _given(reason: str | Reason) -> str:
    return json.dumps(reason if isinstance(reason, str) else {"code": reason.code, "args": dict(reason.args)})


def _error(kind: str, reason: str | Reason) -> str:
    return f'{{"{kind}": {{"reason": {_given(reason)}}}}}'
