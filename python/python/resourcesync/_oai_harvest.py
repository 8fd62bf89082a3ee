"""Harvests of OAI-PMH repositories, and their proofs."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Union, cast

from . import _core
from ._core import OaiRecord as Record
from ._errors import ResourceSyncError
from ._oai_check import Wait

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
        codes = [note.code for note in self.proof.reasons]
        why = f"{', '.join(codes)} (`resourcesync explain {codes[0]}` explains it)" if codes else stopped(self.proof)
        return f"the harvest is {self.proof.status}: {why}"


def stopped(proof: Proof) -> str:
    """Why a harvest without reasons is not complete: the repository is not to blame."""
    ends = {each["ended"] for each in proof.as_dict()["sequences"]}
    return "max_records was reached" if "max-records" in ends else "it was ended early"


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
        """Ends the harvest; no request is sent any more. The records that were read before can still be taken."""
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
    options = options_given(
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
        "config": config_of(url, options, contact),
    }
    return Records(_core.OaiHarvest(url, json.dumps(options), json.dumps(given), secrets.randbits(64)), check)


def names_of(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def options_given(**given: Any) -> dict[str, Any]:
    delay = given.pop("delay")
    options = {name: value for name, value in given.items() if value is not None}
    for name in ("prefix", "set"):
        options[name] = names_of(options[name])
    for name in ("reconcile", "max_delete", "tolerance"):
        if name in options:
            options[name] = str(options[name])
    if delay is not None:
        options["delay"] = round(delay * 1000)
    return options


def config_of(url: str, options: Mapping[str, Any], contact: str | None) -> dict[str, Any]:
    is_all = "all" in options["prefix"]
    config: dict[str, Any] = {
        "url": url,
        "prefixes": [] if is_all else options["prefix"],
        "all_formats": is_all,
        "sets": options["set"],
        "store": "files",
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
        options = options_given(
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
