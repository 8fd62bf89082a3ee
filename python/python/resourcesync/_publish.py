"""Publishing a whole Source: lists, dumps, and what links them, leaves before roots; and one package by itself."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Protocol, Union, cast

from . import _core, _sources, _targets
from ._build import ChangeDumpManifest, Head, ResourceDumpManifest
from ._core import Entry
from ._entries import Bitstream, CapabilityEntry, ChangedBitstream, ChangeWord, Moment, Related, Resource, ResourceChange
from ._errors import ConfigError, InputError
from ._sources import Source
from ._targets import Target
from ._validate import options
from ._values import written


class Store(Protocol):
    """Takes files one after the other. A path is relative, with ``/`` between its segments, and never leads out of where it goes."""

    def begin(self, path: str, /) -> object:
        """Begins a file."""
        ...

    def write(self, content: bytes, /) -> object:
        """Adds to it."""
        ...

    def end(self) -> object:
        """Ends it."""
        ...


class _Folder:
    """A folder: each file is written beside its place and moved there when it is complete."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._root = Path(path)
        self._place: Path | None = None
        self._file: IO[bytes] | None = None

    def begin(self, path: str) -> None:
        self._place = self._root / path
        try:
            self._place.parent.mkdir(parents=True, exist_ok=True)
            self._file = cast(
                "IO[bytes]", tempfile.NamedTemporaryFile(dir=self._place.parent, prefix=".resourcesync-", delete=False)
            )
        except OSError as error:
            raise InputError(*error.args[:2], str(self._place)) from None

    def write(self, content: bytes) -> None:
        if self._file is not None:
            self._file.write(content)

    def end(self) -> None:
        if self._file is not None and self._place is not None:
            self._file.close()
            _targets.settle(self._file.name, str(self._place))
            self._file = None

    def drop(self) -> None:
        """Throws away what was begun and not ended."""
        if self._file is not None:
            self._file.close()
            os.unlink(self._file.name)
            self._file = None


class _Memory:
    """A mapping from path to content."""

    def __init__(self, files: MutableMapping[str, bytes]) -> None:
        self._files = files
        self._path = ""
        self._pieces: list[bytes] = []

    def begin(self, path: str) -> None:
        self._path, self._pieces = path, []

    def write(self, content: bytes) -> None:
        self._pieces.append(content)

    def end(self) -> None:
        self._files[self._path] = b"".join(self._pieces)


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """The Change Lists of a set so far. Keep it between publications as :meth:`to_json`."""

    _json: str

    @staticmethod
    def since(moment: Moment) -> ChangeHistory:
        """Nothing yet: changes are listed from this moment on."""
        return ChangeHistory(json.dumps({"closed": [], "open": {"number": 1, "from": written(moment)}}))

    @property
    def open_since(self) -> str:
        """The beginning of the open Change List: all changes from here on are to be pushed, old and new."""
        return cast(str, json.loads(self._json)["open"]["from"])

    @property
    def open_number(self) -> int:
        """Its number: it is the file ``changelist-N.xml`` of the set."""
        return cast(int, json.loads(self._json)["open"]["number"])

    def to_json(self) -> str:
        """As text, for :meth:`from_json`."""
        return self._json

    @staticmethod
    def from_json(text: str) -> ChangeHistory:
        """What :meth:`to_json` gave."""
        return ChangeHistory(text)


@dataclass(frozen=True, slots=True)
class DumpHistory:
    """The Change Dump of a set so far. Keep it between publications as :meth:`to_json`."""

    _json: str

    @staticmethod
    def since(moment: Moment) -> DumpHistory:
        """Nothing yet: changes are packaged from this moment on."""
        return DumpHistory(json.dumps({"from": written(moment), "packages": [], "next": 1}))

    def to_json(self) -> str:
        """As text, for :meth:`from_json`."""
        return self._json

    @staticmethod
    def from_json(text: str) -> DumpHistory:
        """What :meth:`to_json` gave."""
        return DumpHistory(text)


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """What was published of a set, and what its next publication needs."""

    name: str
    resources: int
    changes: ChangeHistory | None
    dump: DumpHistory | None


@dataclass(frozen=True, slots=True)
class Published:
    """What was published: the files written, in order, and files of earlier publications that are still referred to."""

    written: tuple[str, ...]
    kept: tuple[str, ...]
    sets: tuple[PublishedSet, ...]


class Publication:
    """A whole Source: sets of resources with their Resource Lists, Change Lists and dumps, and all that links them.

    ``base`` is the URI below which all documents lie; ``to`` is a folder, a mapping from path to bytes, or a :class:`Store`. Leaves are
    written before roots, so that whoever reads meanwhile finds nothing that is not there. Lists are split at the bounds of the standard.
    In a ``with`` statement it is finished at the end, unless an exception comes out.

    :raises RefusedError: by every method, where validating would find something.

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
            self._store = _Folder(to)
        elif isinstance(to, MutableMapping):
            self._store = _Memory(to)
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
        """Begins a set of resources in a folder of this name, or in none; ends the one before."""
        self._inner.set(name, describedby)

    def resource_list(self, resources: Iterable[Resource], *, expected: int | None = None) -> None:
        """Lists the resources of the set. With ``expected``, how many there will be, nothing is held back."""
        self._inner.begin_resource_list(expected)
        for resource in resources:
            self._inner.push(resource)

    def change_lists(
        self, history: ChangeHistory, changes: Iterable[ResourceChange], *, close: Moment | None = None
    ) -> None:
        """Lists all changes since :attr:`ChangeHistory.open_since`, in the order they happened; ``close`` ends the open list there."""
        self._inner.begin_change_lists(history.to_json(), close)
        for change in changes:
            self._inner.push(change)

    def resource_dump(self, resources: Iterable[tuple[Resource, Source]]) -> None:
        """Packages the resources of the set: each with its bytes, a path, or a file. Lengths and digests it lists are compared."""
        self._inner.begin_resource_dump()
        for resource, content in resources:
            self._inner.push(resource)
            self._fill(content)

    def change_dump(self, history: DumpHistory, changes: Iterable[tuple[ResourceChange, Source | None]]) -> None:
        """Packages the changes since the last package, in the order they happened; a deletion has no content."""
        self._inner.begin_change_dump(history.to_json())
        for change, content in changes:
            self._inner.push(change)
            if content is not None:
                self._fill(content)

    def _fill(self, content: Source) -> None:
        with _sources.pieces(content) as pieces:
            for piece in pieces:
                self._inner.write(piece)

    def announce(self, entry: CapabilityEntry) -> None:
        """Lists a notification channel, or a document that is published by other means, among the capabilities of the set."""
        self._inner.announce(entry.capability, entry.uri, entry.hub)

    def finish(self) -> Published:
        """Ends the last set, then writes the Source Description; asked again, says again what was published."""
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
            if isinstance(self._store, _Folder):
                self._store.drop()


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """A package that was made: its length and SHA-256 for the entry of the dump, and its manifest for a copy beside it."""

    length: int
    sha256: str
    manifest: bytes


def create_package(
    target: Target,
    members: Iterable[tuple[Union[Bitstream, ChangedBitstream], Union[Source, None]]],
    *,
    up: str,
    at: Moment | None = None,
    completed: Moment | None = None,
    from_: Moment | None = None,
    until: Moment | None = None,
    ignore: Iterable[str] = (),
    limits: Mapping[str, int] | None = None,
) -> PackageFacts:
    """Writes one dump package: entries of its manifest, each with its content; a deletion has none.

    With ``at`` it is the package of a Resource Dump, with ``from_`` that of a Change Dump. Lengths and digests that entries list are compared
    with the content. A file at a path is replaced when all of the package is written.

    >>> members = [(resourcesync.Bitstream("http://example.com/1", "/1.txt", "text/plain"), b"one")]
    >>> made = resourcesync.create_package("part1.zip", members, up="http://example.com/capabilitylist.xml", at="2024-05-01T00:00:00Z")
    >>> resourcesync.verify_package("part1.zip").verdict
    'valid'
    """
    if (at is None) == (from_ is None):
        raise ConfigError("give at for a Resource Dump, or from_ for a Change Dump")
    kind = ResourceDumpManifest.kind if from_ is None else ChangeDumpManifest.kind
    head = Head(up=up, at=at, completed=completed, from_=from_, until=until)
    packer = _core.Packer(kind, head, options(ignore=ignore, limits=limits))
    made: list[PackageFacts] = []

    def pieces() -> Iterator[bytes]:
        for entry, content in members:
            packer.push(entry)
            if content is None:
                continue
            with _sources.pieces(content) as windows:
                for window in windows:
                    packer.write(window)
                    yield packer.take()
        rest, manifest, length, sha256 = packer.finish()
        made.append(PackageFacts(length, sha256, manifest.encode()))
        yield rest

    _targets.write(target, pieces())
    return made[0]


class Difference:
    """A resource that is not the same in two lists."""

    __slots__ = ("_inner",)

    def __init__(self, inner: _core.Difference) -> None:
        self._inner = inner

    @property
    def uri(self) -> str:
        """The URI of the resource."""
        return self._inner.uri

    @property
    def change(self) -> ChangeWord:
        """What happened to it."""
        return self._inner.change

    @property
    def old(self) -> Resource | None:
        """As it was, unless it was created."""
        old, _ = self._inner.sides()
        return None if old is None else Resource(**_plain(old))

    @property
    def new(self) -> Resource | None:
        """As it is, unless it was deleted."""
        _, new = self._inner.sides()
        return None if new is None else Resource(**_plain(new))

    def at(self, moment: Moment) -> ResourceChange:
        """The change as a Change List says it, happened at a moment."""
        return ResourceChange(**_plain(self._inner.at(moment)))

    def __repr__(self) -> str:
        return f"<resourcesync.Difference {self.change} {self.uri}>"


def diff(old: Iterable[Resource | Entry], new: Iterable[Resource | Entry]) -> Iterator[Difference]:
    """What changed between two lists of resources, in the order of their URIs, in constant memory.

    Both are sorted by URI (``key=lambda resource: resource.uri``), and list no URI twice. Unchanged is what has the same digests; where there is
    none in common, the same length and lastmod. A changed type or encoding is an update.

    :raises ConfigError: if a list is out of order.

    >>> old = [resourcesync.Resource("http://example.com/1", length=1), resourcesync.Resource("http://example.com/2", length=2)]
    >>> new = [resourcesync.Resource("http://example.com/2", length=3), resourcesync.Resource("http://example.com/3", length=3)]
    >>> [(found.change, found.uri) for found in resourcesync.diff(old, new)]
    [('deleted', 'http://example.com/1'), ('updated', 'http://example.com/2'), ('created', 'http://example.com/3')]
    """
    return map(Difference, _core.Differences(_resources(old), _resources(new)))


def _resources(entries: Iterable[Resource | Entry]) -> Iterator[Resource]:
    return (Resource.of(entry) if isinstance(entry, Entry) else entry for entry in entries)


_NAMES: Mapping[str, Literal["extensions"]] = {"elements": "extensions"}


def _plain(text: str) -> dict[str, Any]:
    """The fields of an entry of its JSON."""
    values: dict[str, Any] = json.loads(text)
    values.pop("attributes", None)
    links = values.get("links", ())
    for link in links:
        link.pop("attributes", None)
    if links:
        values["links"] = tuple(Related(**link) for link in links)
    return {_NAMES.get(name, name): tuple(value) if name == "elements" else value for name, value in values.items()}
