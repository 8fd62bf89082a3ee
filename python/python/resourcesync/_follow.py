"""Follows Change Lists without a copy: the state machine, for programs that request the documents in their own way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from . import _core
from ._crawl import Headers
from ._parts import make


@dataclass(frozen=True, slots=True)
class FollowRequest:
    """A document to request, with the validators of its last response. With ``no_cache`` caches are bypassed, after ``pause`` seconds: the documents that were read
    do not belong together."""

    uri: str
    etag: str | None = None
    modified: str | None = None
    no_cache: bool = False
    pause: int = 0

    @property
    def headers(self) -> dict[str, str]:
        """The header fields of the request."""
        fields = {"Cache-Control": "no-cache"} if self.no_cache else {}
        if self.etag is not None:
            return {**fields, "If-None-Match": self.etag}
        return fields if self.modified is None else {**fields, "If-Modified-Since": self.modified}


@dataclass(frozen=True, slots=True)
class LastChange:
    """The last change of a resource, as listed. ``presence`` is ``unknown`` if the list shows neither by order nor by time whether it was deleted last:
    then its server knows, with 404 or 410."""

    uri: str
    loc: str
    presence: Literal["present", "deleted", "unknown"]
    datetime: str | None = None
    lastmod: str | None = None
    hash: str | None = None
    length: int | None = None
    encoding: str | None = None
    memento: str | None = None


@dataclass(frozen=True, slots=True)
class MissingChanges:
    """The time of changes that no list contains, as documents write it."""

    after: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class OlderDocument:
    """A document of a time before that which was seen."""

    uri: str
    at: str
    seen: str


@dataclass(frozen=True, slots=True)
class AheadDocument:
    """A document with a time ahead of the clock of its server."""

    uri: str
    at: str


@dataclass(frozen=True, slots=True)
class FollowedChanges:
    """What changed since a checkpoint.

    ``state`` is ``unchanged``, ``continued``, ``next`` or ``rewritten`` if ``changes`` has all changes. ``gap``: changes are missing, and only the Resource Lists show them;
    ``unread``: a document could not be read; ``older``: a document is older than one seen before; ``absent``: there are no Change Lists.
    ``checkpoint`` is a plain value: store it once all changes are processed. ``fresh_for`` is the number of seconds until the open lists expire.
    """

    state: Literal["unchanged", "continued", "next", "rewritten", "gap", "unread", "older", "absent"]
    changes: tuple[LastChange, ...]
    checkpoint: Mapping[str, Any] = field(hash=False)
    unreadable_entries: int
    gap: MissingChanges | None = None
    older: tuple[OlderDocument, ...] = ()
    ahead: AheadDocument | None = None
    orders: tuple[Literal["reverse", "none"], ...] = ()
    fresh_for: int | None = None

    @property
    def is_complete(self) -> bool:
        """True if ``changes`` has all changes since the checkpoint."""
        return self.state in ("unchanged", "continued", "next", "rewritten")


class ChangeFollower:
    """Reads the Change Lists of a Source since a checkpoint, with any HTTP client; :class:`Destination` uses the same machine.

    Call :meth:`poll` for the next request, and pass its result to :meth:`response` or :meth:`failed`; call :meth:`finish` at the end. The first checkpoint has the URI
    of the Capability List (``set``), those of its Change Lists or their index (``sources``), and the time from which on changes are wanted (``asOf``).

    >>> follower = resourcesync.ChangeFollower(
    ...     {"set": "https://example.com/cap.xml", "sources": ["https://example.com/changes.xml"], "asOf": "2013-01-03T00:00:00Z"}
    ... )
    >>> follower.poll().uri
    'https://example.com/changes.xml'
    """

    def __init__(self, checkpoint: Mapping[str, Any], *, now: float | None = None, accept_older: bool = False) -> None:
        moment = int(time.time() if now is None else now)
        self._inner = _core.ChangeFollower(json.dumps({"checkpoint": checkpoint, "now": moment, "acceptOlder": accept_older}))
        self._uri = ""

    def poll(self) -> FollowRequest | None:
        """The next document to request; ``None`` at the end."""
        text = self._inner.poll()
        if text is None:
            return None
        value = json.loads(text)
        self._uri = value["uri"]
        return make(FollowRequest, value, no_cache=value.get("noCache", False))

    def response(self, status: int, headers: Headers = (), body: bytes | Iterable[bytes] = b"", *, uri: str | None = None) -> None:
        """Passes the response; ``uri`` is its URI after redirects. An exception while ``body`` is read means that it broke off, if it is an ``OSError``."""
        pairs = list(cast("Mapping[str, str]", headers).items()) if isinstance(headers, Mapping) else list(headers)
        self._inner.answer(json.dumps({"uri": uri or self._uri, "status": status, "headers": pairs}))
        try:
            for piece in (body,) if isinstance(body, bytes) else body:
                self._inner.push(piece)
        except OSError as error:
            return self._inner.failed(str(error))
        self._inner.end()

    def failed(self, reason: str) -> None:
        """Passes that there is no response."""
        self._inner.failed(reason)

    def finish(self) -> FollowedChanges:
        """What changed."""
        value: dict[str, Any] = json.loads(self._inner.finish())
        return make(
            FollowedChanges,
            value,
            changes=tuple(make(LastChange, each) for each in value["changes"]),
            gap=make(MissingChanges, value["gap"]) if "gap" in value else None,
            older=tuple(make(OlderDocument, each) for each in value.get("older", ())),
            ahead=make(AheadDocument, value["ahead"]) if "ahead" in value else None,
            orders=tuple(value.get("orders", ())),
            unreadable_entries=value["unreadableEntries"],
            fresh_for=value.get("freshFor"),
        )
