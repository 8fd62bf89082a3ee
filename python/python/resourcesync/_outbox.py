"""Publishes the records of an application from an outbox: a table whose rows are written in the transactions that change records.

A row names a record, not its new state: the state is read when the row is processed, so that rows may be processed late, repeatedly, and in any
order. The items are the URIs under which records have been published, since a record that is gone can no longer tell its URI.

INVARIANT: A URI is stored as an item before it can be published, and an outbox row is removed after its record is published. So a process may be
killed at any moment: what it has not finished is done again.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from . import _platform
from ._entries import Resource
from ._errors import ConfigError, GuardError, PublishError, RefusedError
from ._lock import locked
from ._platform import Describe, Described, Item, Pending, RecordSet, Tables, batched, digest
from ._publish import PublishedChange, PublishedRecords
from ._source import Source

logger = logging.getLogger("resourcesync")

#: How often a publication goes on with what was added meanwhile. Where changes never end, the next one has its own.
_ROUNDS = 100

#: Begins the stamp of an item that has the time of a row, in place of that of a content.
_SAVED = "saved "

#: Problems that are stored of a publication.
_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class SetCounts:
    """What was published of a set. ``refused`` records would make a list invalid, ``failed`` ones raised an exception; both stay as they are published,
    and are tried again."""

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

    def is_news(self, problems: Sequence[str], waiting: int) -> bool:
        """True if something changed, or the first problems and the number of unsent notifications are not those of the last publication."""
        return self.changed or self.first_problems != tuple(problems) or self.waiting != waiting

    @property
    def first_problems(self) -> tuple[str, ...]:
        """As many problems as are stored of a publication."""
        return self.problems[:_PROBLEMS]


@dataclass(frozen=True, slots=True)
class _Record:
    """A record with its items, and the resources that are published of it by their URIs; ``None`` if it has a problem, and stays as it is published."""

    key: str
    items: list[Item]
    resources: dict[str, Resource] | None

    def has(self, uri: str) -> bool:
        """True if it is to be published under a URI of its items."""
        return self.resources is None or uri in self.resources


@dataclass(frozen=True, slots=True)
class _Holder:
    """The record that is published under a URI: of several, the one that took it last. Without a resource it stays as it is published. ``items`` are the
    ids of the items of all of them."""

    item: Item
    resource: Resource | None
    items: frozenset[int]


@dataclass(slots=True)
class _Run:
    """What a run has done so far: counts per set, problems, the records that have them, those to publish again, and the ids of items that are new, and no
    longer needed."""

    counts: dict[str, Counter[str]]
    problems: list[str] = field(default_factory=list[str])
    left: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    again: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    added: list[int] = field(default_factory=list[int])
    gone: set[int] = field(default_factory=set[int])

    def add(self, set: str, name: str, number: int = 1) -> None:
        self.counts.setdefault(set, Counter())[name] += number

    def listed(self, changes: Iterable[PublishedChange]) -> None:
        """Counts changes that were published, of records that were counted as unchanged before."""
        for change in changes:
            self.add(change.set, change.change)
            if change.change != "deleted":
                self.add(change.set, "unchanged", -1)

    def problem(self, set: str, name: str, key: str, error: Exception) -> None:
        self.add(set, name)
        is_refused = name == "refused"
        text = f"{set}: record {key}: {error}" if is_refused else f"{set}: record {key}: {type(error).__name__}: {error}"
        logger.error("not published: %s", text, exc_info=None if is_refused else error)
        self.problems.append(text)

    def leave(self, set: str, name: str, key: str, error: Exception) -> None:
        """Reports a record that stays as it is published, and in the outbox, once."""
        if (set, key) not in self.left:
            self.left.add((set, key))
            self.problem(set, name, key, error)

    def is_kept(self, set: str, key: str) -> bool:
        """True if the row of a record stays in the outbox."""
        return (set, key) in self.left or (set, key) in self.again

    def result(self) -> dict[str, SetCounts]:
        return {name: SetCounts(**{each: max(number, 0) for each, number in counts.items()}) for name, counts in self.counts.items()}


class _AsPublished(Resource):
    """Takes the place of a record that is not published as it is now: what is published under the URI stays, as under that of a rejected resource."""

    _says = ("uri", "rejected")

    @property
    def rejected(self) -> str:
        """A value that no list can have."""
        raise ConfigError("stays as it is published")


class _Gone(Exception):
    """The records of a first publication are gone since it began."""


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
        self._lock = f"{self._folder}.resourcesync.lock"
        self._wait = wait

    def _recover(self) -> None:
        """Drops what an attempt appended that failed or was killed, since its rows are still in the outbox, and its records may have changed. Completes
        what it has begun to publish: while it exchanges the folder, there may be none."""
        self._tables.begin()
        state = Path(f"{self._folder}.resourcesync")
        journals = [path for path in (state / "journal", state / "journal.taken") if path.exists()]
        if journals:
            with locked(state / "lock", self._wait):
                for path in journals:
                    path.unlink(missing_ok=True)
        if not self._folder.exists() and (state / "published").exists():
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
        pending = self._pending()
        new = self._new()
        if not new and not any(True for name in self._sets for _ in self._tables.item_ids(name)):
            self._tables.remove([row.id for row in pending], [])
        return new or None

    def publish(self, *, snapshot: str | None = None) -> PlatformPublished:
        """Publishes what is in the outbox, also what is added meanwhile: a process that waited in vain may rely on it. A set that was never published is
        published as a whole."""
        with locked(self._lock, self._wait):
            self._recover()
            new = self._sets_to_begin()
            if new is None:
                return self._nothing("publish")
            run = self._run()
            try:
                first = None if self._published() else self._reconcile(new, None, run)
            except _Gone:
                return self._nothing("publish")
            done = {id for name in sorted(new) for id in self._begin(name, run)} if first is None else set[int]()
            changed, warnings = first is not None and first.changed, [] if first is None else [*first.warnings]
            rounds = 0
            while True:
                done |= self._append_rows(done, run)
                result = self._source.publish(snapshot=snapshot)
                self._tables.remove(sorted(done), sorted(run.gone))
                run.listed(result.changes)
                changed |= result.changed
                warnings += result.warnings
                rounds += 1
                if rounds == _ROUNDS or all((row.set, row.key) in run.left for row in self._pending()):
                    break
                snapshot = None
                done.clear()
                run.gone.clear()
        return self._result("publish", result.at, changed, run, warnings, result.waiting)

    def reconcile(self, *, max_delete: int | str | None = None) -> PlatformPublished:
        """Compares all records with what is published, and publishes what the outbox missed.

        :raises GuardError: if more would be deleted than ``max_delete`` allows.
        """
        with locked(self._lock, self._wait):
            self._recover()
            new = self._sets_to_begin()
            if new is None:
                return self._nothing("reconcile")
            run = self._run()
            try:
                done = self._reconcile(new, max_delete, run)
            except _Gone:
                return self._nothing("reconcile")
        return self._result("reconcile", done.at, done.changed, run, done.warnings, done.waiting)

    def _run(self) -> _Run:
        return _Run({name: Counter() for name in self._sets})

    def _nothing(self, kind: str) -> PlatformPublished:
        return PlatformPublished(datetime.now(timezone.utc), kind, False, self._run().result())

    def _result(self, kind: str, at: str, changed: bool, run: _Run, warnings: Iterable[str], waiting: int) -> PlatformPublished:
        moment = datetime.fromisoformat(at.replace("Z", "+00:00"))
        return PlatformPublished(moment, kind, changed, run.result(), tuple(run.problems), tuple(dict.fromkeys(warnings)), waiting)

    def _begin(self, name: str, run: _Run) -> Iterator[int]:
        """Appends all records of a set that was never published; the other sets are not read. Returns the rows that are done."""
        rows: dict[str, list[int]] = {}
        for row in self._pending():
            if row.set == name:
                rows.setdefault(row.key, []).append(row.id)
        for chunk in batched(self._sets[name].everything(), _platform.CHUNK):
            for key in self._append(name, chunk, {}, run):
                yield from rows.get(key, ())
        self._keep(name, rows.keys(), run)

    def _keep(self, name: str, pending: Collection[str], run: _Run) -> None:
        """Adds rows for records that are to be tried or published again and have none. Has to precede the publication, after which the set counts as
        published."""
        if missing := sorted(key for set, key in run.left | run.again if set == name and key not in pending):
            self._tables.add(name, missing)

    def _append_rows(self, done: Collection[int], run: _Run) -> set[int]:
        """Appends the records of the outbox, except those that are done or have problems. Returns the rows that are done."""
        found: set[int] = set()
        after = 0
        while rows := self._rows(after, _platform.CHUNK):
            after = rows[-1].id
            rows = [row for row in rows if row.id not in done and (row.set, row.key) not in run.left]
            # The last row of a record has the time of its last change.
            latest = {(row.set, row.key): row for row in rows}
            for name, keys in _grouped(latest).items():
                current = self._sets[name].current(keys)
                times = {key: datetime.fromtimestamp(latest[name, key].at / 1000, timezone.utc) for key in keys}
                self._append(name, [(key, current.get(key)) for key in keys], times, run)
            found |= {row.id for row in rows if (row.set, row.key) not in run.left}
        return found

    def _append(self, name: str, records: Sequence[tuple[str, Describe | None]], times: Mapping[str, datetime], run: _Run) -> list[str]:
        """Appends the current state of these records to the journal of the Source. Returns the keys of those without problems."""
        described = self._described(name, records, run, times)
        for record in described:
            if record.resources is not None:
                # A record may have gone and come back since this publication began.
                run.gone -= {item.id for item in record.items if item.uri in record.resources}
        holders = self._holders(name, described, run)
        appended: list[str] = []
        stated: set[str] = set()
        with self._source.batch() as batch:
            for record in described:
                key, resources = record.key, record.resources
                if resources is None:
                    continue
                left = [item for item in record.items if item.id not in run.gone and item.uri not in resources]
                taken = [item.uri for item in left if item.uri in holders]
                if any(holders[uri].resource is None for uri in taken):
                    # The problem of the record that has the URI now is reported; that one need not have a row in the outbox.
                    run.left.add((name, key))
                    continue
                deleted = [item.uri for item in left if item.uri not in holders]
                refusal = self._refusal(name, map(Resource, deleted))
                if refusal is not None:
                    run.leave(name, "refused", key, refusal)
                    continue
                for uri in deleted:
                    batch.delete(uri, set=name, at=times.get(key))
                for uri in [uri for uri in (*resources, *taken) if uri not in stated]:
                    holder = holders[uri]
                    if holder.resource is not None:
                        batch.upsert(holder.resource, set=name, at=times.get(holder.item.key, times.get(key)))
                        run.add(name, "unchanged")
                        stated.add(uri)
                run.gone |= {item.id for item in left}
                appended.append(key)
        return appended

    def _holders(self, name: str, described: Sequence[_Record], run: _Run) -> dict[str, _Holder]:
        """The records that are published under the URIs of these ones. Others are read if they took a URI later, or have it when these ones do not."""
        records = {record.key: record for record in described}
        rivals: dict[str, list[Item]] = {}
        for uris in batched(sorted({item.uri for record in described for item in record.items}), _platform.CHUNK):
            for item in sorted(self._tables.items_at(name, uris), key=lambda item: item.id):
                if item.id not in run.gone:
                    rivals.setdefault(item.uri, []).append(item)
        items = {uri: frozenset(item.id for item in each) for uri, each in rivals.items()}
        while True:
            for uri, each in rivals.items():
                while each and each[-1].key in records and not records[each[-1].key].has(uri):
                    each.pop()
            last = {uri: each[-1] for uri, each in rivals.items() if each}
            unknown = sorted({item.key for item in last.values()} - records.keys())
            if not unknown:
                break
            for keys in batched(unknown, _platform.CHUNK):
                current = self._sets[name].current(keys)
                records |= {record.key: record for record in self._described(name, [(key, current.get(key)) for key in keys], run)}
        return {uri: _Holder(item, (records[item.key].resources or {}).get(uri), items[uri]) for uri, item in last.items()}

    def _refusal(self, name: str, resources: Iterable[Resource]) -> Exception | None:
        """The reason why one of these resources cannot be published, whatever it is: applications make their values."""
        try:
            for resource in resources:
                self._source._check(resource, set=name)
        except Exception as error:
            return error
        return None

    def _described(
        self, name: str, records: Sequence[tuple[str, Describe | None]], run: _Run, times: Mapping[str, datetime] | None = None
    ) -> list[_Record]:
        """What is published of these records, after their items are stored. Problems are reported."""
        saved = times or {}
        known: dict[str, list[Item]] = {key: [] for key, _ in records}
        for item in self._tables.items(name, list(known)):
            known.setdefault(item.key, []).append(item)
        found: list[_Record] = []
        new: list[Item] = []
        changed: list[Item] = []
        for key, describe in records:
            before = {item.uri: item for item in known[key]}
            record = _Record(key, known[key], None)
            try:
                complete = [self._complete(key, each, before, saved.get(key)) for each in describe()] if describe is not None else []
            except Exception as error:
                run.leave(name, "failed", key, error)
                found.append(record)
                continue
            refusal = self._refusal(name, (resource for resource, _ in complete))
            if refusal is not None:
                run.leave(name, "refused", key, refusal)
                found.append(record)
                continue
            found.append(replace(record, resources={resource.uri: resource for resource, _ in complete}))
            for uri, item in {item.uri: item for _, item in complete}.items():
                if uri not in before:
                    new.append(item)
                elif before[uri] != item:
                    changed.append(item)
        if new or changed:
            ids = self._tables.store(name, new, changed)
            run.added += ids
            for id, item in zip(ids, new, strict=True):
                known[item.key].append(replace(item, id=id))
        return found

    def _complete(self, key: str, described: Described, known: Mapping[str, Item], at: datetime | None) -> tuple[Resource, Item]:
        """The resource with length and digest of its content, which is read only if it may have changed. Without any of them the time of its last row tells
        that it has changed."""
        # The check reads the links before the publication does.
        resource, content = replace(described.resource, links=tuple(described.resource.links)), described.content
        before = known.get(resource.uri) or Item(0, key, resource.uri)
        if content is None:
            if resource.lastmod is not None or resource.length is not None or resource.hashes:
                return resource, before
            if at is not None:
                before = replace(before, stamp=f"{_SAVED}{at.isoformat()}")
            is_saved = before.stamp.startswith(_SAVED)
            return replace(resource, lastmod=before.stamp.removeprefix(_SAVED) if is_saved else None), before
        stamp = content.stamp
        if not stamp or stamp != before.stamp or before.length is None:
            with content.open() as file:
                length, sha256 = digest(file)
                before = replace(before, stamp=stamp, length=length, sha256=sha256)
        hashes = {**resource.hashes, "sha-256": before.sha256}
        return replace(resource, length=before.length, hashes=hashes), before

    def _reconcile(self, new: set[str], max_delete: int | str | None, run: _Run) -> PublishedRecords:
        pending, is_first, names = self._pending(), not self._published(), list(self._sets)
        seen: dict[str, set[int]] = {name: set() for name in self._sets}

        last = ("", "")

        def records(name: str) -> Iterator[Resource]:
            nonlocal last
            own = seen[name]
            for chunk in batched(self._sets[name].everything(), _platform.CHUNK):
                described = self._described(name, chunk, run)
                holders = self._holders(name, described, run)
                for record in described:
                    last = (name, record.key)
                    for uri in record.resources if record.resources is not None else [item.uri for item in record.items]:
                        holder = holders[uri]
                        if holder.item.id in own:
                            continue
                        if not holder.items.isdisjoint(own):
                            # It takes the URI of a record that was read before.
                            run.again.add((name, holder.item.key))
                        elif holder.resource is None:
                            yield _AsPublished(uri)
                        else:
                            run.add(name, "unchanged")
                            yield holder.resource
                        own.add(holder.item.id)
                    own |= {item.id for item in record.items if record.has(item.uri)}
            self._keep(name, {row.key for row in pending if row.set == name}, run)
            if is_first and name == names[-1] and not any(counts["unchanged"] for counts in run.counts.values()):
                # A Source without records would have no sets, and could not get any later.
                if not run.problems:
                    raise _Gone
                raise PublishError(f"no record can be published; the last one: {run.problems[-1]}")

        def refused(resource: Resource, error: RefusedError) -> None:
            if not isinstance(resource, _AsPublished):
                # Another one has its URI in another spelling: trying again would publish each of them in turn.
                run.add(last[0], "unchanged", -1)
                run.problem(last[0], "refused", last[1], error)

        try:
            done = self._source.reconcile({name: records(name) for name in names}, max_delete=max_delete, on_refused=refused)
        except GuardError:
            # Nothing was published.
            self._tables.remove([], run.added)
            raise
        gone = [id for name in self._sets for id in self._tables.item_ids(name) if id not in seen[name]]
        self._tables.remove([row.id for row in pending if not run.is_kept(row.set, row.key)], gone)
        run.listed(done.changes)
        for name in new - {change.set for change in done.changes}:
            # The first publication lists no changes.
            run.counts[name]["created"], run.counts[name]["unchanged"] = run.counts[name]["unchanged"], 0
        return done

    def _pending(self) -> list[Pending]:
        found: list[Pending] = []
        while rows := self._rows(found[-1].id if found else 0, 10 * _platform.CHUNK):
            found += rows
        return found

    def _rows(self, after: int, limit: int) -> list[Pending]:
        return [replace(row, key=self._sets[row.set].key(row.key)) for row in self._tables.pending(after, limit)]


def _grouped(places: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, key in places:
        groups.setdefault(name, []).append(key)
    return groups


