"""Publishes a whole Source: lists, dumps, and the documents that link them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar, cast

from . import _core, _sources
from ._cancel import cancellation, going
from ._entries import CapabilityEntry, ChangeWord, Moment, Resource, ResourceChange
from ._errors import ConfigError, RefusedError
from ._parts import Accepted, Severity, accepted
from ._sources import ByteSource
from ._stores import Folder, Memory, Store
from ._validate import options
from ._values import headers, whole, written


E = TypeVar("E")
#: Called with a rejected entry, and the reason.
OnRefused = Callable[[E, RefusedError], object]


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
        """Restores what :meth:`to_json` returned. Raises :class:`ConfigError` if it is something else."""
        _core.check_history(text, False)
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
        """Restores what :meth:`to_json` returned. Raises :class:`ConfigError` if it is something else."""
        _core.check_history(text, True)
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
    """The result: the files written, in order, files of earlier publications that are still referenced, and findings that did not prevent
    publishing."""

    written: tuple[str, ...]
    kept: tuple[str, ...]
    sets: tuple[PublishedSet, ...]
    accepted: Accepted = Accepted()


class Publication:
    """A whole Source: sets of resources with their Resource Lists, Change Lists and dumps, and the documents that link them.

    ``base`` is the URI of the published folder; ``to`` is a folder, a mapping from path to bytes, or a :class:`Store`. Documents are
    written before those that link to them, so concurrent readers find no dangling links. Lists are split at the limits of the standard.
    A ``with`` statement finishes the publication at the end, unless an exception is raised.

    :param fail_on: the lowest severity that is rejected; the result has the less severe findings.
    :raises RefusedError: in every method, if the validator would report an error.

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
        max_document_entries: int = 50_000,
        max_document_bytes: int = 50_000_000,
        max_package_entries: int = 50_000,
        max_package_bytes: int = 1_000_000_000,
        ignore: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
        keep_generations: int = 0,
        fail_on: Severity = "error",
    ) -> None:
        self._store: Any
        self._base = base
        self._at = written(datetime.now(timezone.utc).replace(microsecond=0) if at is None else at)
        # The reason why nothing can be published any more.
        self._failed: BaseException | None = None
        self._previous: dict[str, dict[str, object]] = {}
        if isinstance(to, (str, os.PathLike)):
            self._store = Folder(to, whole("keep_generations", keep_generations))
            self._previous = self._store.previous()
        elif isinstance(to, MutableMapping):
            self._store = Memory(to)
        else:
            self._store = to
        self._published: Published | None = None
        self._inner = _core.Publication(
            self._store,
            base,
            self._at,
            options(ignore=ignore, limits=limits, fail_on=fail_on),
            describedby=describedby,
            max_document_entries=max_document_entries,
            max_document_bytes=max_document_bytes,
            max_package_entries=max_package_entries,
            max_package_bytes=max_package_bytes,
        )

    def history(self, name: str = "") -> ChangeHistory | None:
        """The Change Lists of a set in the published folder; ``None`` if it has none, or this is not a folder."""
        changes = self._previous.get(name, {}).get("changes")
        return None if changes is None else ChangeHistory(json.dumps(changes))

    def dump_history(self, name: str = "") -> DumpHistory | None:
        """The Change Dump of a set in the published folder."""
        dump = self._previous.get(name, {}).get("dump")
        return None if dump is None else DumpHistory(json.dumps(dump))

    def set(self, name: str = "", *, describedby: str | None = None) -> None:
        """Starts a set of resources in a folder of this name (or at the top level), and ends the previous one."""
        with self._whole():
            self._inner.set(name, describedby)

    def resource_list(
        self, resources: Iterable[Resource], *, expected: int | None = None, on_refused: OnRefused[Resource] | None = None
    ) -> None:
        """Lists the resources of the set. With ``expected``, their number, nothing is buffered.

        ``on_refused`` is called with each rejected resource and the reason, and the list continues without the resource. Without this callback,
        nothing of this publication can be published after a rejection, even if the exception is caught.
        """
        with self._whole():
            self._inner.begin_resource_list(expected)
            self._push(resources, on_refused)

    def change_lists(
        self,
        history: ChangeHistory,
        changes: Iterable[ResourceChange],
        *,
        close: Moment | None = None,
        on_refused: OnRefused[ResourceChange] | None = None,
    ) -> None:
        """Lists all changes since :attr:`ChangeHistory.open_since`, in chronological order; ``close`` ends the open list at this time."""
        with self._whole():
            self._inner.begin_change_lists(history.to_json(), close)
            self._push(changes, on_refused)

    def resource_dump(self, resources: Iterable[tuple[Resource, ByteSource]]) -> None:
        """Packages the resources of the set, each with its bytes, a path, or a file. Declared lengths and digests are checked."""
        with self._whole():
            self._inner.begin_resource_dump()
            for resource, content in resources:
                self._inner.push(resource)
                self._fill(resource, content)

    def change_dump(self, history: DumpHistory, changes: Iterable[tuple[ResourceChange, ByteSource | None]]) -> None:
        """Packages the changes since the last package, in chronological order; a deletion has no content."""
        with self._whole():
            self._inner.begin_change_dump(history.to_json())
            for change, content in changes:
                self._inner.push(change)
                self._fill(change, content)

    def _push(self, entries: Iterable[E], on_refused: OnRefused[E] | None) -> None:
        for entry in entries:
            try:
                self._inner.push(entry)
            except RefusedError as error:
                if on_refused is None:
                    raise
                on_refused(entry, error)

    @contextmanager
    def _whole(self) -> Generator[None]:
        """After a failed part the publication would be incomplete."""
        if self._failed is not None:
            raise ConfigError("a part of this publication failed, so nothing can be published") from self._failed
        try:
            yield
        except BaseException as error:
            self._failed = error
            raise

    def _fill(self, entry: Resource | ResourceChange, content: ByteSource | None) -> None:
        with _sources.member(entry, content) as pieces:
            for piece in pieces:
                self._inner.write(piece)

    def announce(self, entry: CapabilityEntry) -> None:
        """Adds a notification channel, or a document published by other means, to the capabilities of the set."""
        self._inner.announce(entry.capability, entry.uri, entry.hub)

    def finish(self) -> Published:
        """Ends the last set and writes the Source Description. Repeated calls return the same result."""
        if self._published is None:
            with self._whole():
                text = self._inner.finish()
                if isinstance(self._store, Folder):
                    self._store.publish(self._at, self._base, text)
            done = json.loads(text)
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
                accepted(done["accepted"]),
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


@dataclass(frozen=True, slots=True)
class PublishedChange:
    """A change that was published. ``set`` is empty without sets."""

    change: ChangeWord
    uri: str
    set: str
    datetime: str


@dataclass(frozen=True, slots=True)
class PublishedRecords:
    """The result of :func:`publish`. If nothing changed, ``changed`` is false, and ``at`` is the time of the existing publication.
    ``changes`` are those of this publication, sorted by set and time; the first publication has none. ``waiting`` is the number of
    notifications that no hub has accepted yet, ``withdrawn`` the topics that are no longer published. ``accepted`` has the findings that did
    not prevent publishing."""

    at: str
    changed: bool
    resources: int
    created: int
    updated: int
    deleted: int
    refused: int
    written: tuple[str, ...]
    kept: tuple[str, ...]
    warnings: tuple[str, ...]
    accepted: Accepted
    changes: tuple[PublishedChange, ...] = ()
    withdrawn: tuple[str, ...] = ()
    waiting: int = 0


def publish(
    folder: str | os.PathLike[str],
    base_uri: str,
    records: Iterable[Resource] | Mapping[str, Iterable[Resource]],
    *,
    documents_uri: str | None = None,
    at: Moment | None = None,
    describedby: str | None = None,
    max_delete: int | str | None = None,
    expect_entries: int | str | None = None,
    rotate: int | str | None = None,
    keep: int | None = None,
    keep_generations: int = 0,
    gzip: bool = False,
    force: bool = False,
    ignore: Iterable[str] = (),
    limits: Mapping[str, int] | None = None,
    fail_on: Severity = "error",
    on_refused: OnRefused[Resource] | None = None,
    hubs: Iterable[str] | None = None,
    topics_uri: str | None = None,
    notify: Literal["now", "later"] = "now",
    header: Mapping[str, Mapping[str, str]] | None = None,
    wait: float = 0.0,
) -> PublishedRecords:
    """Publishes all records of a repository as a Source, with Change Lists of the changes since the last call.

    The folder is replaced atomically, by a complete generation. The state for the next call is next to it, in a folder with
    ``.resourcesync`` added to its name, which must not be published. Foreign files in the folder are kept.

    :param folder: a new or empty folder, or one that was published before.
    :param base_uri: the URI at which the folder is published.
    :param records: all resources, in any order; or a mapping from the name of a set to its resources.
    :param documents_uri: the URI at which the folder is published, if the resources have another base.
    :param describedby: a document that describes the Source; by default a page is generated.
    :param max_delete: maximum deletions, as a number or a percentage such as ``"25%"``; by default 20, or a tenth of the published resources if that is more, but
        never all of them.
    :param expect_entries: the required number of records: exact, or a minimum percentage of the published ones.
    :param rotate: closes the open Change List at this number of changes (10,000), or at an age such as ``"7d"``.
    :param keep: number of closed Change Lists to keep; all by default.
    :param keep_generations: number of earlier generations to keep next to the folder.
    :param force: publishes even if nothing changed.
    :param fail_on: the lowest severity that is rejected; the result has the less severe findings.
    :param on_refused: called with each rejected record and the reason; the others are published. What is published of a rejected record
        stays as it is. If the URI of one cannot be read, nothing is published as deleted, and ``warnings`` says so.
    :param hubs: WebSub hubs. Each set gets notification channels, and the hubs are notified of the changes; ``[]`` withdraws the channels
        of earlier publications.
    :param topics_uri: the base URI of the topics, if they are not served from the folder but e.g. by the hub.
    :param notify: sends the notifications now, with one attempt each, or later: the next call and ``resourcesync notify FOLDER`` send what
        waits.
    :param header: headers for hubs by origin and name, such as ``{"https://hub.example": {"Authorization": "Bearer …"}}``; sent to this origin
        only.
    :param wait: seconds to wait for another run.
    :raises GuardError: if the records are probably incomplete.
    :raises RefusedError: if a record would make a list invalid, or is given twice.
    :raises PublishError: if the folder was not published here, its state is damaged, or something cannot be written.

    After an exception the folder is unchanged, unless it names the outbox of the notifications: then it may be published, and the next call sends what waits.

    >>> import tempfile, resourcesync
    >>> folder = tempfile.mkdtemp() + "/public"
    >>> records = [resourcesync.Resource("https://example.com/1", length=5, lastmod="2024-05-01T00:00:00Z")]
    >>> resourcesync.publish(folder, "https://example.com/", records).resources
    1
    >>> resourcesync.publish(folder, "https://example.com/", records).changed
    False
    """
    wanted = options_of(
        folder,
        base_uri,
        documents_uri=documents_uri,
        describedby=describedby,
        rotate=rotate,
        keep=keep,
        keep_generations=keep_generations,
        gzip=gzip,
        ignore=ignore,
        hubs=hubs,
        topics_uri=topics_uri,
        notify=notify,
        header=header,
        wait=wait,
    )
    amount = {"max_delete": max_delete, "expect_entries": expect_entries}
    wanted |= {name: None if value is None else str(value) for name, value in amount.items()}
    wanted |= {"at": None if at is None else written(at), "force": force}
    builders = options(ignore=wanted["ignore"], limits=limits, fail_on=fail_on)
    return publish_records(wanted, builders, records, on_refused)


def options_of(
    folder: str | os.PathLike[str],
    base_uri: str,
    *,
    documents_uri: str | None,
    describedby: str | None,
    rotate: int | str | None,
    keep: int | None,
    keep_generations: int = 0,
    gzip: bool,
    ignore: Iterable[str],
    hubs: Iterable[str] | None,
    topics_uri: str | None,
    notify: Literal["now", "later"],
    header: Mapping[str, Mapping[str, str]] | None = None,
    wait: float,
) -> dict[str, Any]:
    """The options of a publication, for the extension module."""
    if isinstance(hubs, str):
        raise ConfigError(f"hubs is a list of URIs, such as hubs=[{hubs!r}]")
    if notify not in ("now", "later"):
        raise ConfigError(f"notify: {notify!r} is not 'now' or 'later'")
    Path(folder).parent.mkdir(parents=True, exist_ok=True)
    return {
        "folder": os.fspath(folder),
        "base": slashed(base_uri),
        "documents": slashed(documents_uri),
        "hubs": None if hubs is None else list(dict.fromkeys(hubs)),
        "topics_uri": slashed(topics_uri),
        "notify": notify == "now",
        "header": headers("header", header or {}),
        "describedby": describedby,
        "rotate": None if rotate is None else str(rotate),
        "keep": None if keep is None else whole("keep", keep, 1),
        "keep_generations": whole("keep_generations", keep_generations),
        "gzip": gzip,
        "ignore": list(ignore),
        "wait": wait,
    }


def publish_records(
    wanted: Mapping[str, object],
    builders: _core.Options,
    records: Iterable[Resource] | Mapping[str, Iterable[Resource]],
    on_refused: OnRefused[Resource] | None,
) -> PublishedRecords:
    """Publishes all records with the options of :func:`options_of`."""
    spool = _core.Records(builders)
    spool.begin(json.dumps(wanted), cancellation())
    refused = 0
    sets = cast("Mapping[str, Iterable[Resource]]", records if isinstance(records, Mapping) else {"": records})
    try:
        for name, resources in sets.items():
            for resource in going(resources):
                try:
                    spool.push(resource, name)
                except RefusedError as error:
                    if on_refused is None:
                        raise
                    on_refused(resource, error)
                    refused += 1
        done = json.loads(spool.publish(cancellation()))
    finally:
        # Whoever catches an exception has this frame, and may publish again.
        spool.end()
    counts = done["counts"]
    return PublishedRecords(
        done["at"],
        done["changed"],
        done["resources"],
        counts.get("created", 0),
        counts.get("updated", 0),
        counts.get("deleted", 0),
        refused,
        tuple(done["written"]),
        tuple(done["kept"]),
        tuple(done["warnings"]),
        accepted(done["accepted"]),
        published_changes(done["changes"]),
        tuple(done["withdrawn"]),
        done["waiting"],
    )


def published_changes(changes: Iterable[tuple[ChangeWord, str, str, str]]) -> tuple[PublishedChange, ...]:
    """The changes of a result of the extension module."""
    return tuple(PublishedChange(change, uri, set, datetime) for change, uri, set, datetime in changes)


def slashed(uri: str | None) -> str | None:
    """A URI with a slash at its end."""
    return uri if uri is None or uri.endswith("/") else f"{uri}/"
