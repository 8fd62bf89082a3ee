"""Publishes a whole Source: lists, dumps, and the documents that link them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, cast

from . import _core, _sources
from ._entries import CapabilityEntry, Moment, Resource, ResourceChange
from ._sources import ByteSource
from ._stores import Folder, Memory, Store
from ._validate import options
from ._values import written


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """The Change Lists of a set so far. Store :meth:`to_json` between publications."""

    _json: str

    @staticmethod
    def since(moment: Moment) -> ChangeHistory:
        """An empty history; changes are listed from this time on."""
        return ChangeHistory(json.dumps({"closed": [], "open": {"number": 1, "from": written(moment)}}))

    @property
    def open_since(self) -> str:
        """The start of the open Change List. Pass all changes since then, old and new."""
        return cast(str, json.loads(self._json)["open"]["from"])

    @property
    def open_number(self) -> int:
        """The number N of the open list, ``changelist-N.xml``."""
        return cast(int, json.loads(self._json)["open"]["number"])

    def to_json(self) -> str:
        """Serializes the history for :meth:`from_json`."""
        return self._json

    @staticmethod
    def from_json(text: str) -> ChangeHistory:
        """Restores what :meth:`to_json` returned."""
        return ChangeHistory(text)


@dataclass(frozen=True, slots=True)
class DumpHistory:
    """The Change Dump of a set so far. Store :meth:`to_json` between publications."""

    _json: str

    @staticmethod
    def since(moment: Moment) -> DumpHistory:
        """An empty history; changes are packaged from this time on."""
        return DumpHistory(json.dumps({"from": written(moment), "packages": [], "next": 1}))

    def to_json(self) -> str:
        """Serializes the history for :meth:`from_json`."""
        return self._json

    @staticmethod
    def from_json(text: str) -> DumpHistory:
        """Restores what :meth:`to_json` returned."""
        return DumpHistory(text)


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """The published documents of a set, and the input of its next publication."""

    name: str
    resources: int
    changes: ChangeHistory | None
    dump: DumpHistory | None


@dataclass(frozen=True, slots=True)
class Published:
    """The result: the files written, in order, and files of earlier publications that are still referenced."""

    written: tuple[str, ...]
    kept: tuple[str, ...]
    sets: tuple[PublishedSet, ...]


class Publication:
    """A whole Source: sets of resources with their Resource Lists, Change Lists and dumps, and the documents that link them.

    ``base`` is the URI of the published folder; ``to`` is a folder, a mapping from path to bytes, or a :class:`Store`. Documents are
    written before those that link to them, so concurrent readers find no dangling links. Lists are split at the limits of the standard.
    A ``with`` statement finishes the publication at the end, unless an exception is raised.

    :raises RefusedError: in every method, if the validator would report a finding.

    >>> files = {}
    >>> with resourcesync.Publication("http://example.com/", files, at="2024-05-01T00:00:00Z", describedby="http://example.com/about.xml") as source:
    ...     source.set("articles", describedby="http://example.com/articles/about.xml")
    ...     source.resource_list([resourcesync.Resource("http://example.com/articles/1", length=8)])
    >>> sorted(files)
    ['.well-known/resourcesync', 'articles/capabilitylist.xml', 'articles/resourcelist.xml']
    """

    def __init__(
        self,
        base: str,
        to: str | os.PathLike[str] | MutableMapping[str, bytes] | Store,
        *,
        at: Moment | None = None,
        describedby: str | None = None,
        document_entries: int = 50_000,
        document_bytes: int = 50_000_000,
        package_entries: int = 50_000,
        package_bytes: int = 1_000_000_000,
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
    ) -> None:
        self._store: Any
        if isinstance(to, (str, os.PathLike)):
            self._store = Folder(to)
        elif isinstance(to, MutableMapping):
            self._store = Memory(to)
        else:
            self._store = to
        self._published: Published | None = None
        self._inner = _core.Publication(
            self._store,
            base,
            datetime.now(timezone.utc).replace(microsecond=0) if at is None else at,
            options(ignore=ignore, limits=limits),
            describedby=describedby,
            document_entries=document_entries,
            document_bytes=document_bytes,
            package_entries=package_entries,
            package_bytes=package_bytes,
        )

    def set(self, name: str = "", *, describedby: str | None = None) -> None:
        """Begins a set of resources in a folder of this name (or at the top level), and ends the previous one."""
        self._inner.set(name, describedby)

    def resource_list(self, resources: Iterable[Resource], *, expected: int | None = None) -> None:
        """Lists the resources of the set. With ``expected``, their number, nothing is buffered."""
        self._inner.begin_resource_list(expected)
        for resource in resources:
            self._inner.push(resource)

    def change_lists(
        self, history: ChangeHistory, changes: Iterable[ResourceChange], *, close: Moment | None = None
    ) -> None:
        """Lists all changes since :attr:`ChangeHistory.open_since`, in chronological order; ``close`` ends the open list at this time."""
        self._inner.begin_change_lists(history.to_json(), close)
        for change in changes:
            self._inner.push(change)

    def resource_dump(self, resources: Iterable[tuple[Resource, ByteSource]]) -> None:
        """Packages the resources of the set, each with its bytes, a path, or a file. Declared lengths and digests are checked."""
        self._inner.begin_resource_dump()
        for resource, content in resources:
            self._inner.push(resource)
            self._fill(content)

    def change_dump(self, history: DumpHistory, changes: Iterable[tuple[ResourceChange, ByteSource | None]]) -> None:
        """Packages the changes since the last package, in chronological order; a deletion has no content."""
        self._inner.begin_change_dump(history.to_json())
        for change, content in changes:
            self._inner.push(change)
            if content is not None:
                self._fill(content)

    def _fill(self, content: ByteSource) -> None:
        with _sources.pieces(content) as pieces:
            for piece in pieces:
                self._inner.write(piece)

    def announce(self, entry: CapabilityEntry) -> None:
        """Adds a notification channel, or a document published by other means, to the capabilities of the set."""
        self._inner.announce(entry.capability, entry.uri, entry.hub)

    def finish(self) -> Published:
        """Ends the last set and writes the Source Description. Repeated calls return the same result."""
        if self._published is None:
            done = json.loads(self._inner.finish())
            self._published = Published(
                tuple(done["written"]),
                tuple(done["kept"]),
                tuple(
                    PublishedSet(
                        each["name"],
                        each["resources"],
                        None if each["changes"] is None else ChangeHistory(json.dumps(each["changes"])),
                        None if each["dump"] is None else DumpHistory(json.dumps(each["dump"])),
                    )
                    for each in done["sets"]
                ),
            )
        return self._published

    def __enter__(self) -> Publication:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.finish()
        finally:
            if isinstance(self._store, Folder):
                self._store.drop()
