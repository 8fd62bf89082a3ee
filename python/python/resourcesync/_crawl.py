"""The crawl of a whole Source with any HTTP client: the crawler returns requests, a callable sends them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, Union, cast

from . import _core, _sources
from ._errors import ConfigError, ResourceSyncError
from ._parts import Reason, Severity
from ._report import Lang, Report, language
from ._sources import BinaryFile, Buffer, ByteSource, Content
from ._validate import Profile, options
from ._values import whole

if TYPE_CHECKING:
    from concurrent.futures import Future

#: What a fetcher returned or raised.
Fetched = Union["Response", Exception]
Headers = Union[Mapping[str, str], Iterable[tuple[str, str]]]
Body = Union[bytes, bytearray, memoryview, BinaryFile, Iterable[Buffer], AsyncIterable[Buffer]]
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
    """A response: its status, its header fields, and its body as bytes, a binary file or an iterable of bytes, which for :func:`acrawl`
    may be an async one.

    :meth:`from_requests` and :meth:`from_httpx` make one of the response of these clients. ``uri`` is the final URI, after redirects. The body is content-decoded unless ``is_raw_body``: a resource that is listed with an ``encoding``
    is compared only if its body is raw. Without ``headers``, as in a folder, headers are not checked.
    """

    body: Body = b""
    status: int = 200
    headers: Headers | None = None
    uri: str | None = None
    is_raw_body: bool = False

    def __post_init__(self) -> None:
        # A text would be taken for the path of a local file.
        if _sources.is_path(self.body):
            raise TypeError("the body of a response is bytes, a binary file or an iterable of bytes, not text or a path")

    @classmethod
    def from_requests(cls, response: Any, *, is_raw_body: bool = False) -> Response:
        """Converts a response of requests.

        :param is_raw_body: do not content-decode the body; needs a request with ``stream=True``. For resources that are listed with an
            ``encoding``.
        """
        raw = response.raw
        body: Iterable[bytes]
        if is_raw_body:
            body = raw.stream(_sources.WINDOW, decode_content=False)
        else:
            body = response.iter_content(_sources.WINDOW)
        # urllib3 keeps repeated fields apart.
        fields = getattr(raw, "headers", None) or response.headers
        return cls(body, response.status_code, list(fields.items()), response.url, is_raw_body)

    @classmethod
    def from_httpx(cls, response: Any, *, is_raw_body: bool = False) -> Response:
        """Converts a response of httpx. The body of an asynchronous response has to be read first, with ``aread()``.

        :param is_raw_body: do not content-decode the body; needs a request that is streamed. For resources that are listed with an
            ``encoding``.
        """
        body: Iterable[bytes]
        if is_raw_body:
            body = response.iter_raw(_sources.WINDOW)
        elif hasattr(response, "_content"):
            body = response.content
        else:
            body = response.iter_bytes(_sources.WINDOW)
        return cls(body, response.status_code, response.headers.multi_items(), str(response.url), is_raw_body)


class SkippedError(ResourceSyncError):
    """Raised by a fetcher: the request was not sent, because of a policy. The link is then undetermined."""

    def __init__(self, message: str, reason: Reason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class Fetch(Protocol):
    """Fetches. It raises ``OSError``, or an exception of its HTTP client, if the request fails, and :class:`SkippedError` if it does not
    send it. Other built-in exceptions end the crawl: they are mistakes in the program.
    """

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
        starts, others = [start] if isinstance(start, str) else list(start), list(files)
        if not starts and not others:
            raise ConfigError("start: a crawl needs at least one URI")
        if isinstance(resources, str) and resources not in ("none", "all"):
            raise ConfigError(f"resources: `{resources}` is not none, all or a number")
        if packages not in ("none", "structure", "full"):
            raise ConfigError(f"packages: `{packages}` is not none, structure or full")
        crawl_options: dict[str, Any] = {
            "start": starts,
            "files": others,
            "documents": whole("documents", documents),
            "resources": resources if isinstance(resources, str) else {"sample": whole("resources", resources)},
            "packages": packages,
        }
        if earlier is not None:
            crawl_options["earlier"] = earlier.to_dict()
        fixity = packages != "structure"
        chosen = options(None, profile, select, ignore, severity, limits, max_per_rule, fixity)
        try:
            self._inner = _core.Crawler(chosen, json.dumps(crawl_options))
        except ValueError as error:
            raise ConfigError(str(error)) from None
        self._lang: Lang = language(lang)

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
        """Takes a response. An exception of its body that :class:`Fetch` may raise ends it there."""
        head = _head(request, response)
        if request.purpose == "package" and 200 <= response.status < 300:
            self._package(request, response, head)
            return
        reader = self._inner.reader(request._json, head)
        try:
            with _sources.pieces(cast(ByteSource, response.body)) as pieces:
                for piece in pieces:
                    if not reader.push(piece):
                        break
        except Exception as error:
            if not is_failure(error):
                raise
            self._inner.handle(reader, _given(reason_of(error)))
        else:
            self._inner.handle(reader)

    def _package(self, request: Request, response: Response, head: str) -> None:
        if _sources.can_seek(response.body):
            self._inner.package(request._json, head, _sources.origin(response.body))
            return
        # Loads the compression modules of Python.
        import tempfile

        # A package is read from its end, so that all of it is needed first.
        with tempfile.TemporaryFile() as spool:
            try:
                with _sources.pieces(cast(ByteSource, response.body)) as pieces:
                    spool.writelines(bounded(pieces, self.most_bytes("package")))
            except Exception as error:
                if not is_failure(error):
                    raise
                self.failed(request, reason_of(error))
                return
            spool.seek(0)
            self._inner.package(request._json, head, _sources.origin(spool))

    def most_bytes(self, purpose: Purpose) -> int:
        """Maximum bytes of a body that is stored before it is read."""
        return self._inner.document_bytes if purpose == "document" else self._inner.package_bytes

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
        take(crawler, request, _ask(fetch, request))


def _side_by_side(crawler: Crawler, fetch: Fetch, concurrency: int) -> None:
    # Loads the logging module of Python.
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    open_: dict[Future[Fetched], Request] = {}
    with ThreadPoolExecutor(concurrency) as pool:
        while True:
            step = crawler.poll() if len(open_) < concurrency else "wait"
            if isinstance(step, Request):
                open_[pool.submit(_ask, fetch, step)] = step
            elif open_:
                done, _ = wait(open_, return_when=FIRST_COMPLETED)
                for future in done:
                    take(crawler, open_.pop(future), future.result())
            else:
                return


def _ask(fetch: Fetch, request: Request) -> Fetched:
    try:
        return fetch(request)
    except Exception as error:
        if not is_failure(error):
            raise
        return error


def take(crawler: Crawler, request: Request, response: Fetched) -> None:
    """Passes what a fetcher returned or raised to the crawler."""
    if isinstance(response, Response):
        crawler.response(request, response)
    elif isinstance(response, SkippedError):
        crawler.skipped(request, response.reason or str(response))
    else:
        crawler.failed(request, reason_of(response))


class TooLong(ConnectionError):
    """A body is longer than its limit."""

    def __init__(self) -> None:
        super().__init__("the body is longer than the limit package_bytes")


def bounded(pieces: Iterable[Content], most: int) -> Iterator[Content]:
    """The pieces of a body, which fails if it has more bytes."""
    for piece in pieces:
        most -= len(piece)
        if most < 0:
            raise TooLong
        yield piece


def is_failure(error: Exception) -> bool:
    """True if an exception means that a request failed: that of an HTTP client, not a mistake in the program."""
    if isinstance(error, ResourceSyncError):
        return isinstance(error, (SkippedError, OSError))
    return isinstance(error, (OSError, EOFError)) or type(error).__module__ != "builtins"


def _head(request: Request, response: Response) -> str:
    head: dict[str, Any] = {"uri": response.uri or request.uri, "status": response.status}
    head["isRawBody"] = response.is_raw_body
    if response.headers is not None:
        given = response.headers
        head["headers"] = list(cast("Mapping[str, str]", given).items() if isinstance(given, Mapping) else given)
    return json.dumps(head)


def reason_of(error: Exception) -> str | Reason:
    """Why a request failed."""
    if isinstance(error, ConnectionRefusedError):
        return Reason("connection-refused")
    strerror = error.strerror if isinstance(error, OSError) else None
    return " ".join(str(strerror or str(error) or type(error).__name__).split())[:200]


def _given(reason: str | Reason) -> str:
    return json.dumps(reason if isinstance(reason, str) else {"code": reason.code, "args": dict(reason.args)})


def _error(kind: str, reason: str | Reason) -> str:
    return f'{{"{kind}": {{"reason": {_given(reason)}}}}}'
