"""A Destination: keeps copies in a folder or in a store of the program, and returns what changed until it is acknowledged."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Protocol, cast

from . import _core
from ._cancel import cancellation
from ._errors import ConfigError, SyncError
from ._sync import (
    AuditReport,
    Folder,
    OnSyncProgress,
    SyncItem,
    SyncOptions,
    SyncReport,
    audit_options,
    audit_report,
    run_options,
    sync_report,
    take_items,
    tell_progress,
)
from ._values import Datetime

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


@dataclass(frozen=True, slots=True)
class HeldResource:
    """A resource as it is stored. ``path`` is its file below the folder, or the name of its bytes in a store; ``hash`` has its digests as the
    standard writes them, ``sha256`` one of them in hexadecimal; ``lastmod`` is what the Source lists."""

    uri: str
    path: str
    length: int
    hash: str
    sha256: str
    lastmod: Datetime | None


class Copies(Protocol):
    """A store of bytes: a database, an object store, anything that replaces the bytes of a path as a whole.

    The bytes were verified before they are stored. What a run was storing when it was killed is stored again by the next run. The methods
    are called in the thread that called the run; an exception ends the run, and is propagated.
    """

    def length(self, path: str, /) -> int | None:
        """The number of bytes under a path; ``None`` if there are none."""
        ...

    def put(self, resource: HeldResource, content: BinaryIO, /) -> object:
        """Stores the bytes of a resource under its path, whole or not at all: readers find the old or the new bytes at every moment. They are durable
        when this returns."""
        ...

    def open(self, path: str, /) -> BinaryIO:
        """Opens the bytes under a path; the file is closed after use."""
        ...

    def remove(self, uri: str, path: str, /) -> object:
        """Removes the bytes of a resource that the Source has deleted; they may have been removed already."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class AppliedChange:
    """A change that has been applied to the copy, which is durable.

    It is returned again until :meth:`done` is called, also after a kill: so store what is ``created`` as what is ``updated``, and accept that nothing is
    there of what is ``deleted``. The other attributes describe the resource as it is stored, or as it was. ``datetime`` is when it changed:
    its ``lastmod``, or the ``datetime`` with which the Source lists the deletion. ``sequence`` increases from change to change.
    """

    change: Literal["created", "updated", "deleted"]
    uri: str
    path: str
    length: int
    hash: str
    sha256: str
    lastmod: Datetime | None
    datetime: Datetime | None
    sequence: int
    _inner: _core.AppliedChange = field(repr=False)

    def open(self) -> BinaryIO:
        """Opens the bytes. They are hashed again while they are read: ``OSError`` at the end if they are not those that were verified.

        Raises :class:`SyncError` with the code ``deleted`` if the resource was deleted.
        """
        content = self._inner.open()
        if content is None:
            raise SyncError("deleted", f"{self.uri} was deleted")
        return _file(content)

    def read(self) -> bytes:
        """The bytes, like :meth:`open`."""
        with self.open() as content:
            return content.read()

    def done(self) -> None:
        """Acknowledges the change: it is not returned again. Durable when this returns."""
        self._inner.done()


class Changes(Iterator[AppliedChange]):
    """The changes that were not acknowledged, from the oldest to the newest.

    The copy is locked for other runs until all are taken and :meth:`close` is called, or the ``with`` statement or that of the :class:`Destination` ends.
    """

    def __init__(self, inner: _core.PendingChanges) -> None:
        self._inner = inner
        report = inner.report()
        self._report = None if report is None else sync_report(report)

    @property
    def report(self) -> SyncReport | None:
        """The report of the run; ``None`` if there was none. Changes are valid whatever its outcome."""
        return self._report

    @property
    def total(self) -> int:
        """The number of changes that were pending at first."""
        return self._inner.total()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> AppliedChange:
        found = self._inner.next()
        if found is None:
            raise StopIteration
        text, inner = found
        value: dict[str, Any] = json.loads(text)
        held = _held(value)
        moment = Datetime.parse(value["moment"]) if "moment" in value else held.lastmod
        return AppliedChange(
            value["change"], held.uri, held.path, held.length, held.hash, held.sha256, held.lastmod, moment, value["sequence"], inner
        )

    def done(self, changes: Iterable[AppliedChange]) -> None:
        """Acknowledges several changes in one transaction, which takes as long as acknowledging one."""
        self._inner.done([each._inner for each in changes])  # pyright: ignore[reportPrivateUsage]

    def close(self) -> None:
        """Releases the copy. Changes that were taken can no longer be read or acknowledged."""
        self._inner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Destination:
    """A copy of a Source, as a program uses it: in a folder, in a store, or as changes only.

    :param uri: where the Source is found, as for :func:`sync`; ``None`` for that of the copy.
    :param folder: the folder of the copy. Without one, ``state`` is a folder for the state, and the bytes are kept in ``copies``, or, without these, until
        their changes are acknowledged.
    :param copies: a store of bytes.
    :param options: those of :func:`sync`, for all calls.
    """

    def __init__(
        self,
        uri: str | None,
        folder: Folder | None = None,
        *,
        state: Folder | None = None,
        copies: Copies | None = None,
        **options: Unpack[SyncOptions],
    ) -> None:
        place = state if folder is None else folder
        if place is None:
            raise ConfigError("a Destination has a folder, or a folder for its state")
        if folder is not None and copies is not None:
            raise ConfigError("the bytes are kept in a folder or in copies")
        self._uri = uri
        self._folder = os.fspath(place)
        self._around = {"state": None if folder is None else state, "until_done": folder is None and copies is None}
        self._copies = None if copies is None else _Copies(copies)
        self._options: dict[str, Any] = {**options}
        self._open: list[Changes] = []
        _core.check_sync_options(run_options({**self._options, **self._around}))

    def sync(
        self,
        *,
        dry_run: bool = False,
        progress: OnSyncProgress | None = None,
        on_item: Callable[[SyncItem], object] | None = None,
        **options: Unpack[SyncOptions],
    ) -> SyncReport:
        """Makes the copy hold what the Source lists, like :func:`sync`."""
        given = self._given(options, dry_run)
        return sync_report(
            _core.sync_folder(self._uri, self._folder, given, tell_progress(progress), take_items(on_item), self._copies, cancellation())
        )

    def changes(
        self,
        *,
        sync: bool = True,
        progress: OnSyncProgress | None = None,
        on_item: Callable[[SyncItem], object] | None = None,
        **options: Unpack[SyncOptions],
    ) -> Changes:
        """Synchronizes, unless ``sync`` is false, and returns all changes that were not acknowledged; the first time everything that is held.

        :raises SyncError: if no run is possible, or another one is at work.
        """
        found = Changes(
            _core.pending_changes(
                self._uri,
                self._folder,
                self._given(options, False),
                sync,
                tell_progress(progress),
                take_items(on_item),
                self._copies,
                cancellation(),
            )
        )
        self._open.append(found)
        return found

    def audit(
        self,
        *,
        offline: bool = False,
        quick: bool = False,
        download: bool = False,
        via: bool = False,
        foreign: bool = False,
        max_listed: int = 1000,
        progress: OnSyncProgress | None = None,
    ) -> AuditReport:
        """Compares the copy with its Source, like :func:`audit`; bytes that are kept only until they are acknowledged are not compared."""
        options = {**self._options, **self._around, "max_listed": max_listed}
        given = audit_options(options, offline=offline, quick=quick, download=download, via=via, foreign=foreign)
        return audit_report(_core.audit_folder(self._uri, self._folder, given, tell_progress(progress), self._copies, cancellation()))

    def close(self) -> None:
        """Closes the changes that are still open."""
        while self._open:
            self._open.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _given(self, options: SyncOptions, dry_run: bool) -> str:
        self.close()
        return run_options({**self._options, **options, **self._around, "dry_run": dry_run})


class _Copies:
    """A store as the extension module calls it."""

    def __init__(self, copies: Copies) -> None:
        self._own = copies

    def length(self, path: str) -> int | None:
        return self._own.length(path)

    def put(self, resource: str, content: _core.Content) -> None:
        with _file(content) as opened:
            self._own.put(_held(json.loads(resource)), opened)

    def open(self, path: str) -> BinaryIO:
        return self._own.open(path)

    def remove(self, uri: str, path: str) -> None:
        self._own.remove(uri, path)


class _Raw(io.RawIOBase):
    """Bytes of the extension module as a file."""

    def __init__(self, content: _core.Content) -> None:
        self._content = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read = self._content.read(len(buffer))
        buffer[: len(read)] = read
        return len(read)


def _file(content: _core.Content) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(_Raw(content), 1 << 16))


def _held(value: dict[str, Any]) -> HeldResource:
    lastmod = None if value["lastmod"] is None else Datetime.parse(value["lastmod"])
    return HeldResource(value["uri"], value["path"], value["length"], value["hash"], value["sha256"], lastmod)
