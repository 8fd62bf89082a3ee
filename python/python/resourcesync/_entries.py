"""The entries of each kind of document, for building it: mandatory fields come first, fields without a meaning do not exist.

A time is an aware datetime, a date, or text in one of the formats of the standard.
"""

from __future__ import annotations

import datetime as _datetime
import errno
import os
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields
from pathlib import PurePosixPath
from typing import ClassVar, Literal, Union, cast

from . import _core
from ._core import Entry, Link
from ._errors import ConfigError, InputError

Moment = Union[_datetime.datetime, _datetime.date, str]
ChangeWord = Literal["created", "updated", "deleted"]
Algorithm = Literal["md5", "sha-1", "sha-256", "sha-384", "sha-512"]
Path = Union[PurePosixPath, str]


class _Said:
    """Names its fields for the extension module, including class variables."""

    __slots__ = ()
    _says: ClassVar[tuple[str, ...]]
    _constants: ClassVar[tuple[str, ...]] = ()


def _hashes() -> Mapping[str, str]:
    return {}


@dataclass(slots=True)
class Related(_Said):
    """A link of an entry to a related resource. The relation is a name registered with IANA or a URI.

    ``pri`` is the priority among links of the same relation, from 1; lower is better.
    """

    rel: str
    href: str
    _: KW_ONLY
    pri: int | None = None
    modified: Moment | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    length: int | None = None
    type: str | None = None
    encoding: str | None = None
    path: Path | None = None

    @staticmethod
    def of(link: Link) -> Related:
        """Converts a link that was read."""
        return Related(
            link.rel or "",
            link.href or "",
            pri=link.pri,
            modified=link.modified,
            hashes=link.hashes,
            length=link.length,
            type=link.type,
            encoding=link.encoding,
            path=link.path,
        )


@dataclass(slots=True)
class Resource(_Said):
    """A resource in a Resource List."""

    uri: str
    _: KW_ONLY
    lastmod: Moment | None = None
    changefreq: str | None = None
    priority: float | str | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    length: int | None = None
    type: str | None = None
    encoding: str | None = None
    links: Iterable[Related] = ()
    extensions: tuple[str, ...] = ()

    @staticmethod
    def from_file(
        path: str | os.PathLike[str], uri: str, *, algorithms: Iterable[Algorithm] = ("sha-256",), type: str | None = None
    ) -> Resource:
        """Describes a file: its length, its time of modification, its digests and, by its extension, its media type.

        :raises OSError: if it cannot be read, or changes while it is read.

        >>> from pathlib import Path
        >>> _ = Path("one.txt").write_bytes(b"one")
        >>> one = resourcesync.Resource.from_file("one.txt", "http://example.com/one.txt", algorithms=["md5"])
        >>> one.length, one.type, one.hashes
        (3, 'text/plain', {'md5': 'f97c5d29941bfb1b2fdab0874906ab82'})
        """
        import hashlib

        chosen: dict[str, str] = {name: name.replace("-", "") for name in algorithms}
        for name, own in chosen.items():
            if own not in hashlib.algorithms_guaranteed:
                raise ConfigError(f"algorithms: `{name}` is not md5, sha-1, sha-256, sha-384 or sha-512")
        digests = {name: hashlib.new(own, usedforsecurity=False) for name, own in chosen.items()}
        with open(path, "rb") as file:
            before = os.fstat(file.fileno())
            length = 0
            while content := file.read(1 << 18):
                length += len(content)
                for digest in digests.values():
                    digest.update(content)
            after = os.fstat(file.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or length != after.st_size:
            raise InputError(errno.EAGAIN, "the file changed while it was read", os.fsdecode(path))
        modified = _datetime.datetime.fromtimestamp(after.st_mtime_ns // 10**9, _datetime.timezone.utc)
        hashes = {name: digest.hexdigest() for name, digest in digests.items()}
        return Resource(uri, lastmod=modified, hashes=hashes, length=length, type=type or _core.media_type(os.fsdecode(path)))

    @staticmethod
    def of(entry: Entry) -> Resource:
        """Converts an entry that was read. Values that could not be parsed are omitted."""
        return Resource(
            entry.uri or "",
            lastmod=entry.lastmod,
            changefreq=entry.changefreq,
            priority=None if entry.priority is None else entry.texts["priority"],
            hashes=entry.hashes,
            length=entry.length,
            type=entry.type,
            encoding=entry.encoding,
            links=tuple(map(Related.of, entry.links)),
            extensions=entry.extensions,
        )


@dataclass(slots=True)
class ResourceChange(_Said):
    """A change of a resource in a Change List."""

    uri: str
    change: ChangeWord
    datetime: Moment | None = None
    _: KW_ONLY
    lastmod: Moment | None = None
    changefreq: str | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    length: int | None = None
    type: str | None = None
    encoding: str | None = None
    links: Iterable[Related] = ()
    extensions: tuple[str, ...] = ()

    @staticmethod
    def of(entry: Entry) -> ResourceChange:
        """Converts an entry that was read. Values that could not be parsed are omitted."""
        return ResourceChange(
            entry.uri or "",
            cast(ChangeWord, entry.change or ""),
            entry.datetime,
            lastmod=entry.lastmod,
            changefreq=entry.changefreq,
            hashes=entry.hashes,
            length=entry.length,
            type=entry.type,
            encoding=entry.encoding,
            links=tuple(map(Related.of, entry.links)),
            extensions=entry.extensions,
        )


@dataclass(slots=True)
class NotifiedChange(_Said):
    """A change of a resource in a Change Notification."""

    uri: str
    change: ChangeWord
    datetime: Moment | None = None
    _: KW_ONLY
    lastmod: Moment | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    length: int | None = None
    type: str | None = None
    encoding: str | None = None
    links: Iterable[Related] = ()
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class FrameworkChange(_Said):
    """A change of a ResourceSync document of a capability, in a Framework Notification; ``index`` is the index it is listed in."""

    uri: str
    change: ChangeWord
    capability: str
    datetime: Moment | None = None
    _: KW_ONLY
    index: str | None = None
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class Bitstream(_Said):
    """A bitstream in a Resource Dump Manifest: the URI of its resource, its path in the package, its media type."""

    uri: str
    path: Path
    type: str
    _: KW_ONLY
    lastmod: Moment | None = None
    changefreq: str | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    length: int | None = None
    encoding: str | None = None
    links: Iterable[Related] = ()
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class ChangedBitstream(_Said):
    """A change in a Change Dump Manifest. A deletion has neither path nor type, since it has no bitstream."""

    uri: str
    change: ChangeWord
    path: Path | None = None
    type: str | None = None
    datetime: Moment | None = None
    _: KW_ONLY
    lastmod: Moment | None = None
    changefreq: str | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    length: int | None = None
    encoding: str | None = None
    links: Iterable[Related] = ()
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class Package(_Said):
    """A ZIP package in a Resource Dump, with its length in bytes; ``contents`` is a copy of its manifest."""

    type: ClassVar[str] = "application/zip"
    _constants: ClassVar[tuple[str, ...]] = ("type",)

    uri: str
    length: int
    _: KW_ONLY
    lastmod: Moment | None = None
    at: Moment | None = None
    completed: Moment | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    contents: str | None = None
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class ChangePackage(_Said):
    """A ZIP package in a Change Dump, with its length in bytes and the start of its interval; ``contents`` is a copy of its manifest."""

    type: ClassVar[str] = "application/zip"
    _constants: ClassVar[tuple[str, ...]] = ("type",)

    uri: str
    length: int
    from_: Moment
    _: KW_ONLY
    until: Moment | None = None
    lastmod: Moment | None = None
    hashes: Mapping[str, str] = field(default_factory=_hashes)
    contents: str | None = None
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class SnapshotEntry(_Said):
    """A Resource List or Resource Dump in its index."""

    uri: str
    _: KW_ONLY
    lastmod: Moment | None = None
    at: Moment | None = None
    completed: Moment | None = None
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class IntervalEntry(_Said):
    """A Change List or Change Dump in its index, with the start of its interval."""

    uri: str
    from_: Moment
    _: KW_ONLY
    until: Moment | None = None
    lastmod: Moment | None = None
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class CapabilityEntry(_Said):
    """A capability in a Capability List: the URI of its document or index, or the topic and ``hub`` of a notification channel."""

    capability: str
    uri: str
    _: KW_ONLY
    hub: str | None = None
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class CapabilityListEntry(_Said):
    """A Capability List in a Source Description; ``describedby`` is a document about its set of resources."""

    capability: ClassVar[str] = "capabilitylist"
    _constants: ClassVar[tuple[str, ...]] = ("capability",)

    uri: str
    _: KW_ONLY
    describedby: str | None = None
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class SourceDescriptionEntry(_Said):
    """A Source Description in its index."""

    uri: str
    _: KW_ONLY
    lastmod: Moment | None = None
    extensions: tuple[str, ...] = ()


#: Whatever can be listed.
ENTRIES = (
    Related,
    Resource,
    ResourceChange,
    NotifiedChange,
    FrameworkChange,
    Bitstream,
    ChangedBitstream,
    Package,
    ChangePackage,
    SnapshotEntry,
    IntervalEntry,
    CapabilityEntry,
    CapabilityListEntry,
    SourceDescriptionEntry,
)
for _class in ENTRIES:
    _class._says = tuple(each.name for each in fields(_class)) + _class._constants

