"""Walking over a whole Source, with any client: the machine says what to fetch, a callable fetches."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Union, cast

from . import _core, _sources
from ._errors import ConfigError, ResourceSyncError
from ._parts import Severity
from ._report import Lang, Report
from ._sources import Source
from ._validate import Profile, options

Headers = Union[Mapping[str, str], Iterable[tuple[str, str]]]
Purpose = Literal["document", "discovery", "robots", "topic", "package", "resource"]


@dataclass(frozen=True, slots=True)
class Request:
    """Something to fetch: what, what it is wanted for, how to ask, and what led to it."""

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
    """An answer: its status, its header fields, and its body as bytes, a binary file or an iterable of bytes.

    ``uri`` is where it came from in the end, after redirects. The body is as it was before a ``Content-Encoding``, unless it ``is_as_sent``: a
    resource that is listed with an ``encoding`` is compared as it is sent, or else not at all. Without ``headers``, as a folder answers, what
    headers should say is not judged.
    """

    body: Source = b""
    status: int = 200
    headers: Headers | None = None
    uri: str | None = None
    is_as_sent: bool = False


class LeftOutError(ResourceSyncError):
    """Raised by whoever fetches: it was not asked for, because a rule forbids it. What led to it is then not judged."""


class Fetch(Protocol):
    """Fetches. An ``OSError`` says that it could not be had, :class:`LeftOutError` that it was not asked for."""

    def __call__(self, request: Request, /) -> Response:
        """The answer."""
        ...


class Walk:
    """The machine behind :func:`walk`, for clients that fetch in their own way: asynchronously, say.

    Ask with :meth:`poll`; answer each request with :meth:`answer`, :meth:`failed` or :meth:`left_out`, in any order; in the end take the :meth:`report`.
    """

    def __init__(
        self,
        start: str | Iterable[str],
        *,
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
        following: dict[str, Any] = {
            "start": [start] if isinstance(start, str) else list(start),
            "documents": documents,
            "resources": resources if isinstance(resources, str) else {"some": resources},
            "packages": packages,
        }
        if earlier is not None:
            following["earlier"] = earlier.to_dict()
        fixity = packages == "full"
        chosen = options(None, profile, select, ignore, severity, limits, max_per_rule, fixity)
        try:
            self._inner = _core.Walk(chosen, json.dumps(following))
        except ValueError as error:
            raise ConfigError(str(error)) from None
        self._lang: Lang = lang

    def poll(self) -> Request | Literal["wait", "done"]:
        """What to fetch next; ``wait`` if something under way has to be answered first; ``done`` if there is nothing more."""
        told = self._inner.poll()
        if told == "wait":
            return "wait"
        if told == "done":
            return "done"
        fetch = json.loads(told)
        names = ("id", "uri", "purpose", "method", "via", "parent", "hash", "encoding", "probe")
        return Request(**{name: fetch[name] for name in names if name in fetch}, _json=told)

    def answer(self, request: Request, response: Response) -> None:
        """Takes an answer. An ``OSError`` of its body cuts it there."""
        head = _head(request, response)
        if request.purpose == "package" and 200 <= response.status < 300:
            self._package(request, response, head)
            return
        visit = self._inner.visit(request._json, head)
        try:
            with _sources.pieces(response.body) as pieces:
                for piece in pieces:
                    if not visit.push(piece):
                        break
        except OSError as error:
            self._inner.take(visit, _reason(error))
        else:
            self._inner.take(visit)

    def _package(self, request: Request, response: Response, head: str) -> None:
        if _sources.can_seek(response.body):
            self._inner.package(request._json, head, _sources.origin(response.body))
            return
        # A package is read from its end, so all of it has to be there first.
        with tempfile.TemporaryFile() as spool:
            try:
                with _sources.pieces(response.body) as pieces:
                    spool.writelines(pieces)
            except OSError as error:
                self.failed(request, _reason(error))
                return
            spool.seek(0)
            self._inner.package(request._json, head, _sources.origin(spool))

    def failed(self, request: Request, reason: str) -> None:
        """Takes it that nobody knows whether it is there: no connection, a timeout. The reason is one line."""
        self._inner.missed(request._json, json.dumps({"failed": {"reason": reason}}))

    def missing(self, request: Request, reason: str) -> None:
        """Takes it that it is not there. A 404 or 410 is as well given as an answer."""
        self._inner.missed(request._json, json.dumps({"missing": {"reason": reason}}))

    def left_out(self, request: Request, reason: str) -> None:
        """Takes it that it was not asked for, because a rule forbids it."""
        self._inner.missed(request._json, json.dumps({"leftOut": {"reason": reason}}))

    def progress(self) -> tuple[int, int]:
        """Documents and packages that were had so far, and the entries in them."""
        return self._inner.progress()

    def report(self, *, interrupted: bool = False) -> Report:
        """What the walk found. One that was ``interrupted`` says so."""
        return Report._of(self._inner.report(interrupted), self._lang)


def walk(
    start: str | Iterable[str],
    fetch: Fetch | None = None,
    *,
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
    """Follows a whole Source from its start, document by document, and reports on all of it.

    :param start: URIs to begin at. One that ends at its host is tried at ``/.well-known/resourcesync`` first.
    :param fetch: fetches; without it, :class:`resourcesync.HttpFetcher` on the standard library does.
    :param documents: documents and packages fetched at most.
    :param resources: how many resources of each Resource List to read and compare: ``none``, a number, ``all``.
    :param packages: how far to verify packages.
    :param concurrency: how many threads fetch; the report is the same.
    :param earlier: a report of an earlier walk over the same Source, to see what was changed in closed documents.
    """
    if fetch is None:
        from ._http import HttpFetcher

        fetch = HttpFetcher(allow=[start] if isinstance(start, str) else list(start))
    machine = Walk(
        start,
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
        _one_by_one(machine, fetch)
    else:
        _side_by_side(machine, fetch, concurrency)
    return machine.report()


def _one_by_one(machine: Walk, fetch: Fetch) -> None:
    while isinstance(request := machine.poll(), Request):
        _take(machine, request, _ask(fetch, request))


def _side_by_side(machine: Walk, fetch: Fetch, concurrency: int) -> None:
    open_: dict[Future[Response | OSError | LeftOutError], Request] = {}
    with ThreadPoolExecutor(concurrency) as pool:
        while True:
            told = machine.poll() if len(open_) < concurrency else "wait"
            if isinstance(told, Request):
                open_[pool.submit(_ask, fetch, told)] = told
            elif open_:
                done, _ = wait(open_, return_when=FIRST_COMPLETED)
                for future in done:
                    _take(machine, open_.pop(future), future.result())
            else:
                return


def _ask(fetch: Fetch, request: Request) -> Response | OSError | LeftOutError:
    try:
        return fetch(request)
    except (OSError, LeftOutError) as error:
        return error


def _take(machine: Walk, request: Request, answer: Response | OSError | LeftOutError) -> None:
    if isinstance(answer, Response):
        machine.answer(request, answer)
    elif isinstance(answer, LeftOutError):
        machine.left_out(request, str(answer))
    else:
        machine.failed(request, _reason(answer))


def _head(request: Request, response: Response) -> str:
    head: dict[str, Any] = {"uri": response.uri or request.uri, "status": response.status}
    head["isAsSent"] = response.is_as_sent
    if response.headers is not None:
        given = response.headers
        head["headers"] = list(cast("Mapping[str, str]", given).items() if isinstance(given, Mapping) else given)
    return json.dumps(head)


def _reason(error: OSError) -> str:
    words: Sequence[str] = str(error.strerror or error or type(error).__name__).split()
    return " ".join(words)[:200]
