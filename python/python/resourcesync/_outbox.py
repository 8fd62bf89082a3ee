"""Publishes the records of an application from an outbox: a table whose rows are written in the transactions that change records.

A row names a record, not its new state: the state is read when the row is processed, so that rows may be processed late, repeatedly, and in any
order. The items are the URIs under which records have been published, since a record that is gone can no longer tell its URI.

INVARIANT: A URI is stored as an item before it can be published, and an outbox row is removed after its record is published. So a process may be
killed at any moment: what it has not finished is done again.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar
from urllib.parse import urljoin

from ._entries import Resource
from ._errors import PublishError, RefusedError
from ._lock import locked
from ._source import Source

logger = logging.getLogger("resourcesync")

#: Records that are read together.
CHUNK = 500

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pending:
    """A row of the outbox. ``at`` is the time in milliseconds since 1970."""

    id: int
    set: str
    key: str
    at: int


@dataclass(frozen=True, slots=True)
class Item:
    """A URI under which a record has been published, and the last digest of its content. ``stamp`` identifies the content that was read."""

    id: int
    key: str
    uri: str
    stamp: str = ""
    length: int | None = None
    sha256: str = ""


class Content(Protocol):
    """The bytes of a record."""

    @property
    def stamp(self) -> str:
        """A text that changes when the bytes change; empty if only reading them shows that."""
        ...

    def open(self) -> BinaryIO:
        """Opens the bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Described:
    """A resource as it is published; ``content`` adds its length and digest."""

    resource: Resource
    content: Content | None = None


#: Reads what is published of a record: a resource, or several, such as a page and files. May raise any exception, since applications define it.
Describe = Callable[[], Sequence[Described]]


class RecordSet(Protocol):
    """A set of records of the application."""

    def current(self, keys: Sequence[str]) -> Mapping[str, Describe]:
        """The records with these keys that are to be published now."""
        ...

    def everything(self) -> Iterator[tuple[str, Describe]]:
        """All records that are to be published."""
        ...


class Tables(Protocol):
    """The outbox and the items, in the database of the records. Each method is a transaction.

    INVARIANT: Transactions that change items lock one row first. A process that is killed releases the lock of the folder at once, but its database may
    still commit what it has received: :meth:`begin` waits for that.
    """

    def begin(self) -> None:
        """Waits until transactions of killed processes have ended."""
        ...

    def pending(self, after: int, limit: int) -> list[Pending]:
        """Rows of the outbox with a greater ``id``, by ``id``."""
        ...

    def items(self, set: str, keys: Sequence[str]) -> list[Item]:
        """The items of these records."""
        ...

    def item_ids(self, set: str) -> Iterator[int]:
        """The ids of all items of a set."""
        ...

    def store(self, set: str, new: Sequence[Item], changed: Sequence[Item]) -> list[int]:
        """Adds items, whose ``id`` is ignored, and updates others; returns the ids of the new ones."""
        ...

    def remove(self, pending: Sequence[int], items: Sequence[int]) -> None:
        """Removes rows of the outbox, and items."""
        ...


@dataclass(frozen=True, slots=True)
class SetCounts:
    """What was published of a set. ``refused`` records would make a list invalid, ``failed`` ones raised an exception; both stay as they are published."""

    created: int = 0
    updated: int = 0
    deleted: int = 0
    unchanged: int = 0
    refused: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class PlatformPublished:
    """The result of a publication of an application, with the counts of each set. ``problems`` are the reasons why records were not published."""

    at: datetime
    kind: str
    changed: bool
    sets: Mapping[str, SetCounts]
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    waiting: int = 0

    @property
    def is_complete(self) -> bool:
        """True if every record was published as it is now."""
        return not self.problems


@dataclass(slots=True)
class _Tally:
    """Counts per set, and problems."""

    counts: dict[str, Counter[str]]
    problems: list[str] = field(default_factory=list[str])

    def add(self, set: str, name: str, number: int = 1) -> None:
        self.counts.setdefault(set, Counter())[name] += number

    def problem(self, set: str, name: str, key: str, error: Exception) -> None:
        self.add(set, name)
        text = f"{set}: record {key}: {error}" if isinstance(error, RefusedError) else f"{set}: record {key}: {type(error).__name__}: {error}"
        logger.error("not published: %s", text, exc_info=None if isinstance(error, RefusedError) else error)
        self.problems.append(text)

    def result(self) -> dict[str, SetCounts]:
        return {name: SetCounts(**counts) for name, counts in self.counts.items()}


class Publisher:
    """Publishes the sets of an application in a folder, from any number of processes: one at a time holds the lock next to the folder.

    :param source: the Source of the folder.
    :param wait: seconds to wait for another process.
    """

    def __init__(self, source: Source, folder: str | os.PathLike[str], tables: Tables, sets: Mapping[str, RecordSet], *, wait: float = 10.0) -> None:
        self._source = source
        self._folder = Path(folder)
        self._tables = tables
        self._sets = sets
        self._lock = f"{os.fspath(folder)}.resourcesync.lock"
        self._wait = wait

    def _recover(self) -> None:
        """Completes what a killed process has begun: while it exchanges the folder, there may be none."""
        self._tables.begin()
        if not self._folder.exists() and Path(f"{self._folder}.resourcesync", "published").exists():
            self._source.publish()

    def _published(self) -> set[str]:
        """The sets that have a Capability List."""
        return {name for name in self._sets if any((self._folder / name).glob("capabilitylist.xml*"))}

    def _new(self) -> set[str]:
        """The sets that have records and no Capability List yet."""
        return {name for name in self._sets.keys() - self._published() if next(self._sets[name].everything(), None) is not None}

    def _sets_to_begin(self) -> set[str] | None:
        """The sets that have records and no Capability List yet; ``None`` if nothing was published and there is nothing to publish: a Source without
        records would have no sets, and could not get any later."""
        new = self._new()
        if new or self._published():
            return new
        # Their records are gone, unless one came since. Where there are items, the folder may only be away, and deletions wait for it.
        pending = self._pending_ids()
        new = self._new()
        if not new and not any(True for name in self._sets for _ in self._tables.item_ids(name)):
            self._tables.remove(pending, [])
        return new or None

    def publish(self, *, snapshot: str | None = None) -> PlatformPublished:
        """Publishes what is in the outbox. A set that was never published is reconciled."""
        with locked(self._lock, self._wait):
            self._recover()
            new = self._sets_to_begin()
            if new is None:
                return PlatformPublished(datetime.now(timezone.utc), "publish", False, {name: SetCounts() for name in self._sets})
            reconciled = self._reconcile(new, None) if new else None
            tally = _Tally({name: Counter() for name in self._sets})
            done: list[int] = []
            gone: set[int] = set()
            taken: dict[tuple[str, str], str] = {}
            after = 0
            while rows := self._tables.pending(after, CHUNK):
                after = rows[-1].id
                done += self._append(rows, gone, taken, tally)
            result = self._source.publish(snapshot=snapshot)
            self._tables.remove(done, sorted(gone))
        for change in result.changes:
            tally.add(change.set, change.change)
            tally.add(change.set, "unchanged", -1)
        for counts in tally.counts.values():
            counts["unchanged"] = max(counts["unchanged"], 0)
        at = datetime.fromisoformat(result.at.replace("Z", "+00:00"))
        own = PlatformPublished(at, "publish", result.changed, tally.result(), tuple(tally.problems), result.warnings, result.waiting)
        return own if reconciled is None else replace(reconciled, problems=reconciled.problems + own.problems, waiting=own.waiting)

    def reconcile(self, *, max_delete: int | str | None = None) -> PlatformPublished:
        """Compares all records with what is published, and publishes what the outbox missed.

        :raises GuardError: if more would be deleted than ``max_delete`` allows.
        """
        with locked(self._lock, self._wait):
            self._recover()
            new = self._sets_to_begin()
            if new is None:
                return PlatformPublished(datetime.now(timezone.utc), "reconcile", False, {name: SetCounts() for name in self._sets})
            return self._reconcile(new, max_delete)

    def _append(self, rows: Sequence[Pending], gone: set[int], taken: dict[tuple[str, str], str], tally: _Tally) -> list[int]:
        """Appends the current state of these records to the journal of the Source. Returns the rows that are done, keeps the items that are no
        longer needed in ``gone``, and adds the records by their URIs to ``taken``."""
        # The last row of a record has the time of its last change.
        latest = {(row.set, row.key): row for row in rows}
        described: dict[tuple[str, str], tuple[list[Resource], list[Item]]] = {}
        for name, keys in _grouped(latest).items():
            records = self._sets.get(name)
            if records is None:
                logger.warning("%d changes of the set %r, which is no longer registered, are ignored", len(keys), name)
                continue
            current = records.current(keys)
            for key, items, resources in self._described(name, [(key, current.get(key)) for key in keys], tally):
                described[name, key] = (resources, items)
        # A URI that one record has left and another one has taken is not deleted.
        taken.update({(name, resource.uri): key for (name, key), (resources, _) in described.items() for resource in resources})
        with self._source.batch() as batch:
            for (name, key), (resources, items) in described.items():
                at = datetime.fromtimestamp(latest[name, key].at / 1000, timezone.utc)
                uris = {resource.uri for resource in resources}
                # A record may have gone and come back since this publication began.
                gone -= {item.id for item in items if item.uri in uris}
                left = [item for item in items if item.id not in gone and item.uri not in uris]
                tally.add(name, "unchanged", max(len(resources), 1))
                try:
                    for item in left:
                        if taken.get((name, item.uri), key) == key:
                            batch.delete(item.uri, set=name, at=at)
                    for resource in resources:
                        batch.upsert(resource, set=name, at=at)
                except RefusedError as error:
                    tally.add(name, "unchanged", -1)
                    tally.problem(name, "refused", key, error)
                else:
                    gone |= {item.id for item in left}
        return [row.id for row in rows if row.set not in self._sets or (row.set, row.key) in described]

    def _described(
        self, name: str, records: Sequence[tuple[str, Describe | None]], tally: _Tally
    ) -> Iterator[tuple[str, list[Item], list[Resource]]]:
        """What is published of these records, after their items are stored. Records that raise an exception are reported and left out."""
        known: dict[str, list[Item]] = {}
        for item in self._tables.items(name, [key for key, _ in records]):
            known.setdefault(item.key, []).append(item)
        found: list[tuple[str, list[Resource]]] = []
        new: list[Item] = []
        changed: list[Item] = []
        for key, describe in records:
            before = {item.uri: item for item in known.get(key, [])}
            try:
                complete = [self._complete(key, each, before) for each in describe()] if describe is not None else []
            except Exception as error:
                tally.problem(name, "failed", key, error)
                continue
            found.append((key, [resource for resource, _ in complete]))
            for _, item in complete:
                if item.uri not in before:
                    new.append(item)
                elif before[item.uri] != item:
                    changed.append(item)
        if new or changed:
            ids = self._tables.store(name, new, changed)
            for id, item in zip(ids, new, strict=True):
                known.setdefault(item.key, []).append(replace(item, id=id))
        for key, current in found:
            yield key, known.get(key, []), current

    def _complete(self, key: str, described: Described, known: Mapping[str, Item]) -> tuple[Resource, Item]:
        """The resource with length and digest of its content, which is read only if it may have changed."""
        resource, content = described.resource, described.content
        before = known.get(resource.uri) or Item(0, key, resource.uri)
        if content is None:
            return resource, before
        stamp = content.stamp
        if not stamp or stamp != before.stamp or before.length is None:
            with content.open() as file:
                length, sha256 = digest(file)
                before = replace(before, stamp=stamp, length=length, sha256=sha256)
        hashes = {**resource.hashes, "sha-256": before.sha256}
        return replace(resource, length=before.length, hashes=hashes), before

    def _reconcile(self, new: set[str], max_delete: int | str | None) -> PlatformPublished:
        pending = self._pending_ids()
        tally = _Tally({name: Counter() for name in self._sets})
        seen: dict[str, set[int]] = {name: set() for name in self._sets}

        last = ("", "")

        def records(name: str) -> Iterator[Resource]:
            nonlocal last
            for chunk in batched(self._sets[name].everything(), CHUNK):
                for key, items, resources in self._described(name, chunk, tally):
                    last = (name, key)
                    uris = {resource.uri for resource in resources}
                    seen[name] |= {item.id for item in items if item.uri in uris}
                    tally.add(name, "unchanged", len(resources))
                    yield from resources
            if tally.counts[name]["failed"]:
                raise PublishError(f"nothing was published, since records that fail would be published as deleted: {tally.problems[-1]}")

        def refused(_: Resource, error: RefusedError) -> None:
            tally.add(last[0], "unchanged", -1)
            tally.problem(last[0], "refused", last[1], error)

        done = self._source.reconcile({name: records(name) for name in self._sets}, max_delete=max_delete, on_refused=refused)
        gone = [id for name in self._sets for id in self._tables.item_ids(name) if id not in seen[name]]
        self._tables.remove(pending, gone)
        for change in done.changes:
            tally.add(change.set, change.change)
            if change.change != "deleted":
                tally.add(change.set, "unchanged", -1)
        for name in new - {change.set for change in done.changes}:
            # The first publication lists no changes.
            tally.counts[name]["created"], tally.counts[name]["unchanged"] = tally.counts[name]["unchanged"], 0
        at = datetime.fromisoformat(done.at.replace("Z", "+00:00"))
        return PlatformPublished(at, "reconcile", done.changed, tally.result(), tuple(tally.problems), done.warnings, done.waiting)

    def _pending_ids(self) -> list[int]:
        ids: list[int] = []
        while rows := self._tables.pending(ids[-1] if ids else 0, 10 * CHUNK):
            ids += [row.id for row in rows]
        return ids


def joined(base: str, uri: str) -> str:
    """The URI of a record, which may be a path."""
    return urljoin(base, uri)


def digest(file: BinaryIO) -> tuple[int, str]:
    """The length and the digest of a file."""
    hashed = hashlib.sha256()
    length = 0
    while piece := file.read(1 << 16):
        hashed.update(piece)
        length += len(piece)
    return length, hashed.hexdigest()


def batched(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of values."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch


def _grouped(places: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, key in places:
        groups.setdefault(name, []).append(key)
    return groups


