"""Harvest and check OAI-PMH repositories, prove that a harvest is complete, and publish a repository as a ResourceSync Source.

>>> from resourcesync import oai
>>> page = oai.read(b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate>'
...     b'<request>http://a.example/oai</request><error code="noRecordsMatch">nothing new</error></OAI-PMH>')
>>> page.is_whole, page.errors
(True, (OaiError(code='noRecordsMatch', text='nothing new'),))
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Union, cast

from . import _core
from ._arrow import ArrowStream
from ._cancel import cancellation
from ._core import OaiRecord as Record
from ._errors import HarvestError, ResourceSyncError
from ._oai_check import Checked, CheckRequest, CheckStep, ProviderCheck, Wait, validate
from ._parts import accepted
from ._publish import PublishedRecords, options_of, published_changes

__all__ = [
    "BridgeResult",
    "CheckRequest",
    "CheckStep",
    "Checked",
    "Done",
    "Format",
    "Harvest",
    "HarvestError",
    "Header",
    "IncompleteError",
    "Note",
    "OaiError",
    "Page",
    "Proof",
    "ProviderCheck",
    "Record",
    "Records",
    "Request",
    "SetEntry",
    "Step",
    "Wait",
    "bridge",
    "harvest",
    "read",
    "to_arrow",
    "validate",
]

#: Whether a harvest is complete.
HarvestStatus = Literal["complete", "suspect", "incomplete"]
Names = Union[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a repository did, or that contradicts a harvest, by its code ``OAI-nn``; ``identifiers`` are the first records concerned."""

    code: str
    count: int
    identifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a harvest is complete, with all evidence: every list and every page of it."""

    _json: str

    def to_json(self) -> str:
        """The whole proof, as the command stores it."""
        return self._json

    def as_dict(self) -> dict[str, Any]:
        """The whole proof as plain values."""
        return cast("dict[str, Any]", json.loads(self._json))

    @property
    def status(self) -> HarvestStatus:
        """``complete``; ``suspect`` if something contradicts it; ``incomplete`` if a list did not end."""
        return cast("HarvestStatus", self.as_dict()["status"])

    @property
    def reasons(self) -> tuple[Note, ...]:
        """Why it is not complete."""
        return _notes(self.as_dict()["reasons"])

    @property
    def notes(self) -> tuple[Note, ...]:
        """What else was noted."""
        return _notes(self.as_dict()["notes"])

    @property
    def requests(self) -> int:
        """The number of requests."""
        return cast(int, self.as_dict()["requests"])


def _notes(notes: Iterable[Mapping[str, Any]]) -> tuple[Note, ...]:
    return tuple(Note(note["code"], note["count"], tuple(note.get("identifiers", ()))) for note in notes)


class IncompleteError(ResourceSyncError):
    """A harvest ended and is not complete: ``proof`` says why. The records before are right; others may be missing."""

    def __init__(self, proof: Proof) -> None:
        super().__init__(proof)
        self.proof = proof

    def __str__(self) -> str:
        codes = ", ".join(note.code for note in self.proof.reasons)
        return f"the harvest is {self.proof.status}: {codes} (`resourcesync explain {codes.split(',')[0]}` explains it)"


IncompleteError.__module__ = "resourcesync.oai"


class Records(Iterator[Record]):
    """The records of a harvest, in the order of its pages. A context manager; :attr:`proof` is there at the end."""

    def __init__(self, native: _core.OaiHarvest, is_checked: bool) -> None:
        self._native = native
        self._is_checked = is_checked
        self._next = native.next

    def __next__(self) -> Record:
        record = self._next()
        if record is not None:
            return record
        proof = self.proof
        if self._is_checked and proof is not None and proof.status != "complete":
            raise IncompleteError(proof)
        raise StopIteration

    @property
    def proof(self) -> Proof | None:
        """The proof, once all records were taken or the harvest was closed."""
        text = self._native.proof()
        return None if text is None else Proof(text)

    def close(self) -> None:
        """Ends the harvest; no request is sent any more."""
        self._native.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def harvest(
    url: str,
    *,
    prefix: Names = "oai_dc",
    set: Names = (),
    since: str | None = None,
    until: str | None = None,
    contact: str | None = None,
    into: str | os.PathLike[str] | None = None,
    window: str | None = None,
    overlap: int | None = None,
    reconcile: str | int | None = None,
    max_delete: str | int | None = None,
    tolerance: str | int | None = None,
    repair: str | None = None,
    allow_quarantine: int = 0,
    delay: float | None = None,
    max_wait: int | None = None,
    max_records: int | None = None,
    post: bool = False,
    on_loop: str | None = None,
    limits: Mapping[str, int] | None = None,
    allow_host: Iterable[str] = (),
    check: bool = True,
) -> Records:
    """Harvests a repository: an iterator over its records, which raises :class:`IncompleteError` rather than end early.

    Requests are sent in a thread of their own, one at a time, with the pauses that the server requests. Records arrive page by page; those of a page
    that was cut are not among them.

    :param url: the base URL.
    :param prefix: the format, or several; ``"a|b"`` is the first one that the repository offers, ``"all"`` every one.
    :param set: the set, or several.
    :param since: only records changed since this day or second.
    :param contact: your e-mail address, for the people who run the repository.
    :param into: also keeps the records in a store, as ``resourcesync oai harvest --into`` does. The next call with it harvests what changed since.
    :param delay: seconds between a response and the next request (0.1).
    :param max_wait: the longest single wait in seconds (300); a harvest ends before a longer one.
    :param check: ``False`` ends the loop without an exception; look at :attr:`Records.proof` then.
    :raises ConfigError: if an option is wrong.
    :raises HarvestError: if the store cannot be used.

    The other options are those of the command.
    """
    options = _options(
        prefix=prefix,
        set=set,
        since=since,
        until=until,
        window=window,
        overlap=overlap,
        reconcile=reconcile,
        max_delete=max_delete,
        tolerance=tolerance,
        repair=repair,
        allow_quarantine=allow_quarantine,
        delay=delay,
        max_wait=max_wait,
        max_records=max_records,
        post=post,
        on_loop=on_loop,
        limits=limits,
    )
    given = {
        "into": None if into is None else os.fspath(into),
        "servers": {"from": contact, "allow_host": list(allow_host)},
        "config": _config(url, options, contact),
    }
    return Records(_core.OaiHarvest(url, json.dumps(options), json.dumps(given), secrets.randbits(64)), check)


def _names(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _options(**given: Any) -> dict[str, Any]:
    delay = given.pop("delay")
    options = {name: value for name, value in given.items() if value is not None}
    for name in ("prefix", "set"):
        options[name] = _names(options[name])
    for name in ("reconcile", "max_delete", "tolerance"):
        if name in options:
            options[name] = str(options[name])
    if delay is not None:
        options["delay"] = round(delay * 1000)
    return options


def _config(url: str, options: Mapping[str, Any], contact: str | None, store: str = "files") -> dict[str, Any]:
    is_all = "all" in options["prefix"]
    config: dict[str, Any] = {
        "url": url,
        "prefixes": [] if is_all else options["prefix"],
        "all_formats": is_all,
        "sets": options["set"],
        "store": store,
        "since": options.get("since"),
        "contact": contact,
    }
    return {name: value for name, value in config.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send: GET, or POST with ``form`` as its body (``application/x-www-form-urlencoded``)."""

    url: str
    form: str | None = None

    @property
    def method(self) -> Literal["GET", "POST"]:
        """The method."""
        return "GET" if self.form is None else "POST"


@dataclass(frozen=True, slots=True)
class Done:
    """The harvest is over."""

    proof: Proof


#: What to do next.
Step = Union[Request, Wait, Done]


class Harvest:
    """A harvest as a state machine, for any HTTP client: synchronous, asynchronous, or a framework for crawlers.

    Take a :meth:`step`; send the request and pass the response to :meth:`answer`, or wait; until the step is :class:`Done`. Records count once their
    page was read to its end, so that :meth:`answer` returns none of a page that was cut. A request is repeated by the machine: do not repeat it yourself.

    >>> from resourcesync import oai
    >>> machine = oai.Harvest("https://repository.example/oai")
    >>> machine.step()
    Request(url='https://repository.example/oai?verb=Identify', form=None)
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: Names = "oai_dc",
        set: Names = (),
        since: str | None = None,
        until: str | None = None,
        window: str | None = None,
        tolerance: str | int | None = None,
        repair: str | None = None,
        allow_quarantine: int = 0,
        delay: float | None = None,
        max_wait: int | None = None,
        max_records: int | None = None,
        post: bool = False,
        on_loop: str | None = None,
        limits: Mapping[str, int] | None = None,
    ) -> None:
        options = _options(
            prefix=prefix,
            set=set,
            since=since,
            until=until,
            window=window,
            tolerance=tolerance,
            repair=repair,
            allow_quarantine=allow_quarantine,
            delay=delay,
            max_wait=max_wait,
            max_records=max_records,
            post=post,
            on_loop=on_loop,
            limits=limits,
        )
        self._native = _core.OaiMachine(url, json.dumps(options), _now(), secrets.randbits(64))

    def step(self) -> Step:
        """What to do next. It is the same until it was done."""
        kind, text, form, milliseconds = self._native.step(_now())
        if kind == "request":
            return Request(text, form)
        if kind == "wait":
            return Wait(milliseconds / 1000, text)
        return Done(Proof(cast(str, self._native.proof())))

    def answer(self, status: int, headers: Mapping[str, str], body: bytes | Iterable[bytes]) -> list[Record]:
        """Reads the response, and returns the records of its page.

        :param headers: all fields; ``Content-Type``, ``Retry-After`` and ``Date`` count.
        :param body: the bytes, without content coding; or its pieces.
        """
        fields = {name.lower(): value for name, value in headers.items()}
        self._native.begin(_now(), status, fields.get("content-type"), fields.get("retry-after"), fields.get("date"))
        for piece in (body,) if isinstance(body, (bytes, bytearray, memoryview)) else body:
            if not self._native.push(bytes(piece)):
                break
        return self._native.end(_now())

    def failed(self, reason: object, *, is_timeout: bool = False) -> None:
        """There is no response to the request: the connection failed, or took too long."""
        self._native.failed(_now(), str(reason), is_timeout)

    def interrupt(self) -> None:
        """Ends the harvest, which is not complete then."""
        self._native.interrupt(_now())


def _now() -> int:
    return int(time.time() * 1000)


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a record in a list of identifiers."""

    identifier: str
    datestamp: str | None
    is_deleted: bool
    sets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OaiError:
    """An OAI-PMH error."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Format:
    """A format."""

    prefix: str | None = None
    schema: str | None = None
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class SetEntry:
    """A set."""

    spec: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A response of a repository. ``reason`` is why it was not read to its end; ``token`` is empty at the end of a list."""

    records: tuple[Record, ...]
    headers: tuple[Header, ...]
    _json: str

    def as_dict(self) -> dict[str, Any]:
        """Everything but records and headers, as plain values."""
        return cast("dict[str, Any]", json.loads(self._json))

    def to_json(self) -> str:
        """The same as JSON."""
        return self._json

    @property
    def is_whole(self) -> bool:
        """True if it was read to its end."""
        return cast(bool, self.as_dict()["isWhole"])

    @property
    def reason(self) -> str | None:
        """Why it was not."""
        return cast("str | None", self.as_dict().get("reason"))

    @property
    def token(self) -> str | None:
        """The ``resumptionToken``."""
        return cast("str | None", self.as_dict().get("token"))

    @property
    def errors(self) -> tuple[OaiError, ...]:
        """The OAI-PMH errors."""
        return tuple(OaiError(**error) for error in self.as_dict().get("errors", ()))

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats of a ``ListMetadataFormats`` response."""
        return tuple(Format(**own) for own in self.as_dict().get("formats", ()))

    @property
    def sets(self) -> tuple[SetEntry, ...]:
        """The sets of a ``ListSets`` response."""
        return tuple(SetEntry(**own) for own in self.as_dict().get("sets", ()))


def read(page: bytes | str | os.PathLike[str], *, charset: str | None = None) -> Page:
    """Reads one response: bytes, or a file. One damaged record costs one record: the others are there.

    :param charset: that of ``Content-Type``, if the response had one.
    """
    data = page if isinstance(page, bytes) else Path(page).read_bytes()
    records, headers, facts = _core.oai_read(data, charset)
    return Page(tuple(records), tuple(Header(one, at, gone, tuple(sets)) for one, at, gone, sets in headers), facts)


#: Approximate rows per batch.
_ROWS = 1 << 13


def to_arrow(source: str | os.PathLike[str] | Page | Iterable[Record]) -> ArrowStream:
    """Records as a stream of record batches for pyarrow, Polars, DuckDB and pandas: the folder of a store, a page, or any records, also those of
    :func:`harvest`.

    Needs pyarrow: ``pip install resourcesync[arrow]``.

    ==========  ============  ================================================
    column      type          what
    ==========  ============  ================================================
    identifier  string        of the item
    datestamp   string        as the repository has it
    deleted     bool          whether the record was deleted
    sets        list<string>  of the header
    prefix      string        the format; null for a page, which does not say it
    metadata    binary        as a standalone document; null if it was deleted, or if a store has lines
    digest      string        the SHA-256 of it
    ==========  ============  ================================================
    """
    try:
        pa: Any = import_module("pyarrow")
    except ImportError:
        raise ResourceSyncError("to_arrow needs pyarrow: pip install resourcesync[arrow]") from None
    schema = pa.schema(
        [
            ("identifier", pa.string()),
            ("datestamp", pa.string()),
            ("deleted", pa.bool_()),
            ("sets", pa.list_(pa.string())),
            ("prefix", pa.string()),
            ("metadata", pa.binary()),
            ("digest", pa.string()),
        ]
    )
    if isinstance(source, (str, os.PathLike)):
        rows = _stored(Path(source))
    else:
        rows = map(_row, source.records if isinstance(source, Page) else source)

    def batches() -> Iterator[Any]:
        columns: list[list[Any]] = [[] for _ in schema]
        for row in rows:
            for column, value in zip(columns, row):
                column.append(value)
            if len(columns[0]) >= _ROWS:
                yield pa.record_batch(columns, schema=schema)
                columns = [[] for _ in schema]
        if columns[0]:
            yield pa.record_batch(columns, schema=schema)

    return cast(ArrowStream, pa.RecordBatchReader.from_batches(schema, batches()))


def _row(record: Record) -> tuple[Any, ...]:
    return (record.identifier, record.datestamp, record.is_deleted, record.sets, record.prefix, record.standalone(), record.sha256)


def _stored(folder: Path) -> Iterator[tuple[Any, ...]]:
    for line in _core.oai_entries(folder):
        entry = json.loads(line)
        is_gone = entry.get("status") is not None
        location = entry.get("location", "")
        metadata = None if is_gone or not location.endswith(".xml") else (folder / location).read_bytes()
        yield (entry["identifier"], entry.get("datestamp"), is_gone, entry.get("sets", []), entry["prefix"], metadata, entry.get("sha256"))


@dataclass(frozen=True, slots=True)
class BridgeResult:
    """What :func:`bridge` did. ``proof`` is that of the harvest, if there was one; ``withheld`` is the status of a harvest that was not published since
    it is not complete; ``published`` what was published, also if nothing had changed."""

    proof: Proof | None
    withheld: str | None
    published: PublishedRecords


def bridge(
    target: str | os.PathLike[str],
    base_uri: str,
    out: str | os.PathLike[str],
    *,
    form: Literal["files", "pointers"] = "files",
    collections: bool = False,
    describes: str | None = None,
    publish_incomplete: bool = False,
    dump: bool = False,
    hash: Names = "sha-256",
    documents_uri: str | None = None,
    rotate: int | str | None = None,
    keep: int | None = None,
    keep_generations: int = 0,
    gzip: bool = False,
    hubs: Iterable[str] | None = None,
    topics_uri: str | None = None,
    notify: Literal["now", "later"] = "now",
    wait: float = 0.0,
    prefix: Names = "oai_dc",
    set: Names = (),
    since: str | None = None,
    contact: str | None = None,
    reconcile: str | int | None = None,
    max_delete: str | int | None = None,
    tolerance: str | int | None = None,
    repair: str | None = None,
    allow_quarantine: int = 0,
    delay: float | None = None,
    max_wait: int | None = None,
    limits: Mapping[str, int] | None = None,
    allow_host: Iterable[str] = (),
) -> BridgeResult:
    """Publishes a repository as a ResourceSync Source, and in later calls what changed, as ``resourcesync oai bridge`` does.

    :param target: the base URL of a repository, which is harvested first, or the folder of a store.
    :param base_uri: the URI below which the records are served.
    :param out: the published folder. The harvest of a URL is in the folder ``harvest`` next to it, in ``OUT.resourcesync``.
    :param form: ``files``, or ``pointers`` to the GetRecord URLs of the repository, without digests.
    :param publish_incomplete: publishes although the harvest is not complete.
    :raises HarvestError: if the store cannot be used.
    :raises PublishError: if the folder cannot be published; it is unchanged then.
    """
    is_url = isinstance(target, str) and target.startswith(("http://", "https://"))
    options = _options(
        prefix=prefix,
        set=set,
        since=since,
        reconcile=reconcile,
        max_delete=max_delete,
        tolerance=tolerance,
        repair=repair,
        allow_quarantine=allow_quarantine,
        delay=delay,
        max_wait=max_wait,
        limits=limits,
    )
    store = "files" if form == "files" or dump or describes is not None else "jsonl"
    wanted = options_of(
        out,
        base_uri,
        documents_uri=documents_uri,
        describedby=None,
        rotate=rotate,
        keep=keep,
        keep_generations=keep_generations,
        gzip=gzip,
        ignore=(),
        hubs=hubs,
        topics_uri=topics_uri,
        notify=notify,
        wait=wait,
    )
    wanted |= {
        "at": None,
        "max_delete": None if max_delete is None else "100%" if max_delete == "all" else str(max_delete),
        "expect_entries": None,
        "form": form,
        "collections": collections,
        "describes": describes,
        "publish_incomplete": publish_incomplete,
        "dump": dump,
        "hash": _names(hash),
        "config": _config(cast(str, target), options, contact, store) if is_url else None,
        "servers": {"from": contact, "allow_host": list(allow_host)},
    }
    text = _core.oai_bridge(os.fspath(target), json.dumps(wanted), json.dumps(options), secrets.randbits(64), cancellation())
    done = json.loads(text)
    counts = done["counts"]
    published = PublishedRecords(
        done["at"],
        done["changed"],
        done["resources"],
        counts.get("created", 0),
        counts.get("updated", 0),
        counts.get("deleted", 0),
        0,
        tuple(done["written"]),
        tuple(done["kept"]),
        tuple(done["warnings"]),
        accepted(done["accepted"]),
        published_changes(done["changes"]),
        tuple(done["withdrawn"]),
        done["waiting"],
    )
    proof = None if done["proof"] is None else Proof(done["proof"])
    return BridgeResult(proof, done["withheld"], published)
