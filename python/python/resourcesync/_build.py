"""Builders: one class for each kind of document. Mandatory values are arguments.

An entry that would make the document invalid is rejected by the rules of the validator, and the builder does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Generic, TypeVar

from . import _core, _targets
from ._entries import (
    Bitstream,
    CapabilityEntry,
    CapabilityListEntry,
    ChangedBitstream,
    ChangePackage,
    FrameworkChange,
    IntervalEntry,
    Moment,
    NotifiedChange,
    Package,
    Resource,
    ResourceChange,
    SnapshotEntry,
    SourceDescriptionEntry,
)
from ._errors import ConfigError
from ._parts import Accepted, Severity, accepted
from ._targets import Target
from ._validate import options

E = TypeVar("E", contravariant=True)

#: Bytes per chunk.
PIECE = 1 << 16


class Head:
    """The root metadata of a document."""

    _says: ClassVar[tuple[str, ...]] = (
        "up", "index", "describedby", "at", "completed", "from_", "until", "extensions",
    )  # fmt: skip

    def __init__(
        self,
        *,
        up: str | None = None,
        index: str | None = None,
        describedby: str | None = None,
        at: Moment | None = None,
        completed: Moment | None = None,
        from_: Moment | None = None,
        until: Moment | None = None,
        extensions: Iterable[str] = (),
    ) -> None:
        self.up = up
        self.index = index
        self.describedby = describedby
        self.at = at
        self.completed = completed
        self.from_ = from_
        self.until = until
        self.extensions = list(extensions)


class Builder(Generic[E]):
    """Base class of all builders.

    ``ignore`` and ``limits`` are those of :func:`resourcesync.validate`. ``fail_on`` is the lowest severity that is rejected; :attr:`accepted`
    has the less severe findings.

    :raises RefusedError: in every method, if the validator would report an error.
    """

    #: The kind of document.
    kind: ClassVar[str]

    def __init__(self, head: Head, ignore: Iterable[str], limits: Mapping[str, int] | None, fail_on: Severity) -> None:
        self._inner = _core.Builder(self.kind, head, options(ignore=ignore, limits=limits, fail_on=fail_on))
        self._done: bytes | None = None
        self._pieces: list[bytes] = []
        self._count = 0

    def push(self, entry: E) -> None:
        """Adds an entry. A rejected entry does not change the builder."""
        self._inner.push(entry)
        self._count += 1
        # Output taken occasionally is kept as a few large chunks.
        if not self._count % 1024:
            self._pieces.append(self._inner.take())

    def extend(self, entries: Iterable[E]) -> None:
        """Adds entries until one is rejected."""
        for entry in entries:
            self.push(entry)

    def __len__(self) -> int:
        return self._count

    @property
    def accepted(self) -> Accepted:
        """The findings so far that did not prevent building, such as warnings; complete when the document is finished."""
        return accepted(self._inner.accepted())

    def to_bytes(self) -> bytes:
        """Finishes and returns the document. No entries can be added afterwards."""
        if self._done is None:
            self._done = b"".join((*self._pieces, self._inner.finish()))
            self._pieces.clear()
        return self._done

    def write(self, target: Target, entries: Iterable[E] = ()) -> None:
        """Adds entries and writes the finished document to a path or a binary file, in constant memory.

        A file at the path is replaced atomically, and not changed if an entry is rejected.
        """
        _targets.write(target, self.stream(entries))

    def stream(self, entries: Iterable[E] = ()) -> Iterator[bytes]:
        """Generates the document from entries in chunks, e.g. for a streaming HTTP response, in constant memory."""
        if self._done is not None:
            for _ in entries:
                raise ConfigError("this document is finished: no entry can be added")
            yield self._done
            return
        yield from self._pieces
        self._pieces.clear()
        held = b""
        for entry in entries:
            self._inner.push(entry)
            self._count += 1
            if not self._count % 64:
                held += self._inner.take()
                if len(held) >= PIECE:
                    yield held
                    held = b""
        yield held + self._inner.finish()


class SourceDescription(Builder[CapabilityListEntry]):
    """Lists the Capability Lists of a Source; ``describedby`` is a document about the Source."""

    kind = "source-description"

    def __init__(
        self,
        describedby: str,
        *,
        index: str | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(describedby=describedby, index=index, extensions=extensions), ignore, limits, fail_on)


class SourceDescriptionIndex(Builder[SourceDescriptionEntry]):
    """Groups Source Descriptions."""

    kind = "source-description-index"

    def __init__(
        self,
        *,
        describedby: str | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(describedby=describedby, extensions=extensions), ignore, limits, fail_on)


class CapabilityList(Builder[CapabilityEntry]):
    """Lists the capabilities of one set of resources; ``up`` is the Source Description, ``describedby`` a document about the set."""

    kind = "capability-list"

    def __init__(
        self,
        up: str,
        describedby: str,
        *,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(up=up, describedby=describedby, extensions=extensions), ignore, limits, fail_on)


class _Snapshot(Builder[E]):
    """Base class of lists of a snapshot."""

    def __init__(
        self,
        up: str,
        at: Moment,
        *,
        completed: Moment | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(up=up, at=at, completed=completed, extensions=extensions), ignore, limits, fail_on)


class _IndexedSnapshot(Builder[E]):
    """Base class of those that can be part of an index."""

    def __init__(
        self,
        up: str,
        at: Moment,
        *,
        completed: Moment | None = None,
        index: str | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(up=up, at=at, completed=completed, index=index, extensions=extensions), ignore, limits, fail_on)


class _Interval(Builder[E]):
    """Base class of lists of changes since a point in time."""

    def __init__(
        self,
        up: str,
        from_: Moment,
        *,
        until: Moment | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(up=up, from_=from_, until=until, extensions=extensions), ignore, limits, fail_on)


class _IndexedInterval(Builder[E]):
    """Base class of those that can be part of an index."""

    def __init__(
        self,
        up: str,
        from_: Moment,
        *,
        until: Moment | None = None,
        index: str | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(up=up, from_=from_, until=until, index=index, extensions=extensions), ignore, limits, fail_on)


class ResourceList(_IndexedSnapshot[Resource]):
    """Lists the resources of a set at a point in time; ``up`` is the Capability List.

    >>> resources = resourcesync.ResourceList("http://example.com/capabilitylist.xml", "2024-05-01T00:00:00Z")
    >>> resources.push(resourcesync.Resource("http://example.com/1", length=8, hashes={"md5": "1584abdf8ebdc9802ac0c6a7402c03b6"}))
    >>> resourcesync.is_valid(resources.to_bytes())
    True
    """

    kind = "resource-list"


class ResourceListIndex(_Snapshot[SnapshotEntry]):
    """Groups Resource Lists; ``up`` is the Capability List."""

    kind = "resource-list-index"


class ResourceDump(_IndexedSnapshot[Package]):
    """Lists packages of bitstreams; ``up`` is the Capability List."""

    kind = "resource-dump"


class ResourceDumpIndex(_Snapshot[SnapshotEntry]):
    """Groups Resource Dumps; ``up`` is the Capability List."""

    kind = "resource-dump-index"


class ResourceDumpManifest(_Snapshot[Bitstream]):
    """Lists the bitstreams of a package; ``up`` is the Capability List."""

    kind = "resource-dump-manifest"


class ChangeList(_IndexedInterval[ResourceChange]):
    """Lists the changes of an interval in the order they happened; ``up`` is the Capability List.

    >>> changes = resourcesync.ChangeList("http://example.com/capabilitylist.xml", "2024-05-01T00:00:00Z")
    >>> changes.push(resourcesync.ResourceChange("http://example.com/1", "deleted", "2024-05-02T09:00:00Z"))
    >>> changes.push(resourcesync.ResourceChange("http://example.com/2", "created", "2024-05-01T09:00:00Z"))
    Traceback (most recent call last):
    ...
    resourcesync.RefusedError: ...
    >>> len(changes)
    1
    """

    kind = "change-list"


class ChangeListIndex(_Interval[IntervalEntry]):
    """Groups Change Lists; ``up`` is the Capability List."""

    kind = "change-list-index"


class ChangeDump(_IndexedInterval[ChangePackage]):
    """Lists packages of changed bitstreams; ``up`` is the Capability List."""

    kind = "change-dump"


class ChangeDumpIndex(_Interval[IntervalEntry]):
    """Groups Change Dumps; ``up`` is the Capability List."""

    kind = "change-dump-index"


class ChangeDumpManifest(_Interval[ChangedBitstream]):
    """Lists the changed bitstreams of a package; ``up`` is the Capability List."""

    kind = "change-dump-manifest"


class ChangeNotification(Builder[NotifiedChange]):
    """Announces the changes of an interval."""

    kind = "change-notification"

    def __init__(
        self,
        from_: Moment,
        until: Moment,
        *,
        up: str | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(from_=from_, until=until, up=up, extensions=extensions), ignore, limits, fail_on)


class FrameworkNotification(Builder[FrameworkChange]):
    """Announces changes of ResourceSync documents."""

    kind = "framework-notification"

    def __init__(
        self,
        *,
        up: str | None = None,
        from_: Moment | None = None,
        until: Moment | None = None,
        extensions: Iterable[str] = (),
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
    ) -> None:
        super().__init__(Head(up=up, from_=from_, until=until, extensions=extensions), ignore, limits, fail_on)
