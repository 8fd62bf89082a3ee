"""Publishes single changes of a repository, from any number of threads and processes."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, cast

from . import _core
from ._cancel import cancellation
from ._entries import Moment, Resource
from ._parts import Severity
from ._publish import OnRefused, PublishedChange, PublishedRecords, options_of, publish_records, published_changes, slashed
from ._validate import options
from ._values import written


@dataclass(frozen=True, slots=True)
class PublishedEvents:
    """The result of :meth:`Source.publish`. If nothing changed, ``changed`` is false, and ``at`` is the time of the existing publication.

    ``unchanged`` is the number of events that stated what was published already, ``clamped`` of those whose time was replaced, since it was
    before the last publication or in the future. ``waiting`` is the number of notifications that no hub has accepted yet."""

    at: str
    changed: bool
    resources: int
    created: int
    updated: int
    deleted: int
    unchanged: int
    clamped: int
    changes: tuple[PublishedChange, ...]
    written: tuple[str, ...]
    warnings: tuple[str, ...]
    waiting: int = 0


class EventBatch:
    """Events that are appended together, at the end of :meth:`Source.batch`."""

    def __init__(self, events: _core.SourceEvents) -> None:
        self._events = events
        self._held: list[_core.SourceEvent] = []

    def upsert(self, resource: Resource, *, set: str = "", at: Moment | None = None) -> None:
        """States that a resource was created or updated, like :meth:`Source.upsert`."""
        self._held.append(self._events.event("upsert", resource, set, at))

    def delete(self, uri: str, *, set: str = "", at: Moment | None = None) -> None:
        """States that a resource was deleted, like :meth:`Source.delete`."""
        self._held.append(self._events.event("deleted", Resource(uri), set, at))


class Source:
    """A Source whose changes are published one by one, in proportion to their number.

    :meth:`upsert` and :meth:`delete` append to a journal next to the folder, from any number of threads and processes; :meth:`publish`
    publishes what is in the journal, in the order in which it was appended. No event is lost when a process is killed, and none is published
    twice. Every process may have its own ``Source`` of the same folder, with the same options.

    :param folder: a new or empty folder, or one that was published before, also by :func:`publish` or the command.
    :param base_uri: the URI at which the folder is published.
    :param documents_uri: the URI at which the folder is published, if the resources have another base.
    :param describedby: a document that describes the Source; by default a page is generated.
    :param rotate: closes the open Change List at this number of changes (1,000), or at an age such as ``"7d"``.
    :param keep: number of closed Change Lists to keep; all by default.
    :param snapshot: when the Resource List is written: ``"24h"``, ``"10000 changes"``, ``"never"`` or ``"now"``; by default once a day, and before
        the open Change List is closed.
    :param fail_on: the lowest severity that is rejected.
    :param hubs: WebSub hubs, which are notified of each publication; by default those of earlier publications.
    :param topics_uri: the base URI of the topics, if they are not served from the folder but e.g. by the hub.
    :param notify: sends the notifications in :meth:`publish`, with one attempt each, or later: ``resourcesync notify FOLDER`` sends what waits.
    :param header: headers for hubs by origin and name, as for :func:`publish`.
    :param wait: seconds to wait for another process that publishes.

    >>> import tempfile, resourcesync
    >>> source = resourcesync.Source(tempfile.mkdtemp() + "/public", "https://example.com/")
    >>> source.upsert(resourcesync.Resource("https://example.com/1", length=5))
    >>> source.publish().resources
    1
    >>> with source.batch() as batch:
    ...     batch.upsert(resourcesync.Resource("https://example.com/2", length=7))
    ...     batch.delete("https://example.com/1")
    >>> source.publish().changes[-1].change
    'deleted'
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        base_uri: str,
        *,
        documents_uri: str | None = None,
        describedby: str | None = None,
        rotate: int | str | None = None,
        keep: int | None = None,
        gzip: bool = False,
        snapshot: str | None = None,
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        fail_on: Severity = "error",
        hubs: Iterable[str] | None = None,
        topics_uri: str | None = None,
        notify: Literal["now", "later"] = "now",
        header: Mapping[str, Mapping[str, str]] | None = None,
        wait: float = 10.0,
    ) -> None:
        ignored = tuple(ignore)
        self._options = options(ignore=ignored, limits=limits, fail_on=fail_on)
        self._wanted = options_of(
            folder,
            base_uri,
            documents_uri=documents_uri,
            describedby=describedby,
            rotate=rotate,
            keep=keep,
            gzip=gzip,
            ignore=ignored,
            hubs=hubs,
            topics_uri=topics_uri,
            notify=notify,
            header=header,
            wait=wait,
        )
        self._snapshot = snapshot
        documents = cast(str, slashed(documents_uri or base_uri))
        self._events = _core.SourceEvents(os.fspath(folder), documents, self._options)

    def upsert(self, resource: Resource, *, set: str = "", at: Moment | None = None) -> None:
        """States that a resource was created or updated, and replaces its whole record; whether it is listed as created, updated, or not
        at all, is decided by what is published.

        :param at: when that happened; now by default.
        :raises RefusedError: if a list with it would be invalid; nothing is appended then.
        """
        self._append("upsert", resource, set, at)

    def delete(self, uri: str, *, set: str = "", at: Moment | None = None) -> None:
        """States that a resource was deleted. Deleting an unknown URI changes nothing."""
        self._append("deleted", Resource(uri), set, at)

    def _check(self, resource: Resource, *, set: str) -> None:
        """Raises the exception of :meth:`upsert`, and appends nothing."""
        self._events.event("upsert", resource, set, None)

    def _append(self, change: str, resource: Resource, set: str, at: Moment | None) -> None:
        self._events.append([self._events.event(change, resource, set, at)])

    @contextmanager
    def batch(self) -> Generator[EventBatch]:
        """Appends several events together: all of them, or none if the block raises an exception."""
        batch = EventBatch(self._events)
        yield batch
        self._events.append(batch._held)

    @property
    def is_pending(self) -> bool:
        """True if events wait for :meth:`publish`."""
        return self._events.is_pending()

    def publish(self, *, at: Moment | None = None, snapshot: str | None = None) -> PublishedEvents:
        """Publishes what all processes have appended so far. Afterwards it is on disk, and the hubs have been notified.

        If another process publishes at the same time, this waits for it; that process may have published the events of this one.

        :param at: the time of the publication; now by default, and instead of a time to come.
        :param snapshot: as for the Source, for this publication and later ones; ``"now"`` also writes the Resource List.
        :raises PublishError: if the state is damaged, something cannot be written, or another process takes too long. The events remain.
        """
        chosen = self._snapshot if snapshot is None else snapshot
        wanted = {**self._wanted, **_at(at), "snapshot": chosen}
        done = json.loads(_core.publish_events(json.dumps(wanted), self._options, cancellation()))
        counts = done["counts"]
        return PublishedEvents(
            done["at"],
            done["changed"],
            done["resources"],
            counts.get("created", 0),
            counts.get("updated", 0),
            counts.get("deleted", 0),
            done["unchanged"],
            done["clamped"],
            published_changes(done["changes"]),
            tuple(done["written"]),
            tuple(done["warnings"]),
            done["waiting"],
        )

    def reconcile(
        self,
        records: Iterable[Resource] | Mapping[str, Iterable[Resource]],
        *,
        at: Moment | None = None,
        max_delete: int | str | None = None,
        expect_entries: int | str | None = None,
        on_refused: OnRefused[Resource] | None = None,
    ) -> PublishedRecords:
        """Compares all records with what is published, after the events that were appended, and publishes what events missed.

        The result counts that. The Resource List is written if anything was published since the last one. The arguments are those of
        :func:`publish`. Hubs that were not given are those of earlier publications.
        """
        amount = {"max_delete": max_delete, "expect_entries": expect_entries}
        amounts = {name: None if value is None else str(value) for name, value in amount.items()}
        return publish_records({**self._wanted, **_at(at), **amounts, "continued": True}, self._options, records, on_refused)


def _at(at: Moment | None) -> dict[str, object]:
    return {} if at is None else {"at": written(at)}
