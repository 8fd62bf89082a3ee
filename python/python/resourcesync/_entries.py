"""The entries of each kind of document, for building it: mandatory fields come first, fields without a meaning do not exist.

A time is an aware datetime, a date, or text in one of the formats of the standard.
"""

from __future__ import annotations

import datetime as _datetime
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields
from pathlib import PurePosixPath
from typing import ClassVar, Literal, Union, cast

from ._core import Entry, Link

Moment = Union[_datetime.datetime, _datetime.date, str]
ChangeWord = Literal["created", "updated", "deleted"]
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
    def of(entry: Entry) -> Resource:
        """Converts an entry that was read. Values that could not be parsed are omitted."""
        return Resource(
            entry.uri or "",
            lastmod=entry.lastmod,
            changefreq=entry.changefreq,
            priority=entry.texts.get("priority"),
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

