"""The native part. Private but for the classes that the package shows: Document, Entry, Link, Metadata."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import PurePosixPath
from typing import Literal, final, overload

from typing_extensions import disjoint_base

from ._build import Head
from ._entries import NotifiedChange
from ._targets import Target
from ._values import Datetime

VERSION: str

@disjoint_base
class Metadata:
    """What an `rs:md` or `rs:ln` says. A value that cannot be understood is `None` here and stays in `attributes`."""

    @property
    def at(self) -> Datetime | None:
        """When the snapshot was begun."""
    @property
    def capability(self) -> str | None:
        """What kind of document this is, or leads to."""
    @property
    def change(self) -> Literal["created", "updated", "deleted"] | None:
        """What happened to the resource: created, updated or deleted."""
    @property
    def completed(self) -> Datetime | None:
        """When the snapshot was finished."""
    @property
    def datetime(self) -> Datetime | None:
        """When the change happened."""
    @property
    def encoding(self) -> str | None:
        """Content codings, as in `Content-Encoding`."""
    @property
    def from_(self) -> Datetime | None:
        """The beginning of the interval whose changes are listed."""
    @property
    def hashes(self) -> Mapping[str, str]:
        """Digests of the bitstream: hexadecimal in lower case, by the name of the algorithm."""
    @property
    def length(self) -> int | None:
        """Bytes of the bitstream."""
    @property
    def modified(self) -> Datetime | None:
        """When the linked resource was last modified."""
    @property
    def path(self) -> PurePosixPath | None:
        """Where the bitstream lies in the package, from its root."""
    @property
    def type(self) -> str | None:
        """Media type of the bitstream."""
    @property
    def until(self) -> Datetime | None:
        """The end of the interval whose changes are listed."""
    @property
    def attributes(self) -> Mapping[str, str]:
        """All attributes as text, as written; those of other vocabularies as `{namespace}name`."""

@final
class Link(Metadata):
    """A link to something related."""

    @property
    def rel(self) -> str | None:
        """What the link means."""
    @property
    def href(self) -> str | None:
        """Where it leads."""
    @property
    def pri(self) -> int | None:
        """How much it is preferred among links of its kind; low is better."""

@final
class Entry(Metadata):
    """An entry, with what its `rs:md` says."""

    @property
    def index(self) -> int:
        """Its number in the document, from 1."""
    @property
    def line(self) -> int:
        """The line it begins in, from 1."""
    @property
    def element(self) -> Literal["url", "sitemap"]:
        """`url` or `sitemap`."""
    @property
    def uri(self) -> str | None:
        """What is listed: the URI in `loc`, if it is one."""
    @property
    def loc(self) -> str | None:
        """The text of `loc`, as written."""
    @property
    def lastmod(self) -> Datetime | None:
        """When it was last modified."""
    @property
    def changefreq(self) -> str | None:
        """How often it is said to change."""
    @property
    def priority(self) -> float | None:
        """`priority` of the Sitemap protocol, from 0 to 1."""
    @property
    def links(self) -> tuple[Link, ...]:
        """Its links, in the order written."""
    @property
    def extensions(self) -> tuple[str, ...]:
        """Elements of other vocabularies as XML, where they were kept."""
    @property
    def texts(self) -> Mapping[str, str]:
        """Texts of the entry's own elements as written: loc, lastmod, changefreq, priority; of a repeated one the first."""
    @property
    def element_attributes(self) -> Mapping[str, str]:
        """Attributes of the entry element itself; the standard has none."""

@final
class Document(Metadata):
    """A document, with what its root's `rs:md` says; a sequence of its entries."""

    @property
    def kind(self) -> str:
        """What kind of document this is, such as `resource-list`."""
    @property
    def root(self) -> str:
        """The name of the root element: `urlset`, `sitemapindex` or anything else."""
    @property
    def root_attributes(self) -> Mapping[str, str]:
        """Attributes of the root element itself."""
    @property
    def links(self) -> tuple[Link, ...]:
        """Links of the document, in the order written."""
    @property
    def extensions(self) -> tuple[str, ...]:
        """Elements of other vocabularies beside the entries, as XML."""
    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its entries, in order. The document itself is a sequence of them that makes each when it is asked for."""
    def to_bytes(self) -> bytes:
        """The document written again; comments and the order of parts within head and entry are not kept."""
    def write(self, target: Target) -> None:
        """Writes the document to a path or a binary file; a file at a path is replaced when all of it is written."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int, /) -> Entry: ...
    @overload
    def __getitem__(self, place: slice, /) -> tuple[Entry, ...]: ...
    def __iter__(self) -> Iterator[Entry]: ...

@final
class Options:
    def __new__(
        cls,
        *,
        expect: str | None = None,
        profile: str | None = None,
        select: list[str] = ...,
        ignore: list[str] = ...,
        severity: list[tuple[str, str]] = ...,
        limits: list[tuple[str, int]] = ...,
        max_per_rule: int | None = None,
        fixity: bool = True,
    ) -> Options: ...

@final
class Builder:
    def __new__(cls, kind: str, head: Head, options: Options) -> Builder: ...
    def push(self, entry: object) -> None: ...
    def take(self) -> bytes: ...
    def finish(self) -> bytes: ...

@final
class Publication:
    def __new__(
        cls,
        store: object,
        base: str,
        at: object,
        options: Options,
        *,
        describedby: str | None = None,
        document_entries: int | None = None,
        document_bytes: int | None = None,
        package_entries: int | None = None,
        package_bytes: int | None = None,
    ) -> Publication: ...
    def set(self, name: str, describedby: str | None = None) -> None: ...
    def begin_resource_list(self, expected: int | None = None) -> None: ...
    def begin_change_lists(self, history: str, close: object = None) -> None: ...
    def begin_resource_dump(self) -> None: ...
    def begin_change_dump(self, history: str) -> None: ...
    def push(self, entry: object) -> None: ...
    def write(self, bytes: bytes) -> None: ...
    def announce(self, capability: str, at: str, hub: str | None = None) -> None: ...
    def finish(self) -> str: ...

@final
class Packer:
    def __new__(cls, kind: str, head: Head, options: Options) -> Packer: ...
    def push(self, entry: object) -> None: ...
    def write(self, bytes: bytes) -> None: ...
    def take(self) -> bytes: ...
    def finish(self) -> tuple[bytes, str, int, str]: ...

@final
class Differences:
    def __new__(cls, old: Iterable[object], new: Iterable[object]) -> Differences: ...
    def __iter__(self) -> Differences: ...
    def __next__(self) -> Difference: ...

@final
class Difference:
    @property
    def uri(self) -> str: ...
    @property
    def change(self) -> Literal["created", "updated", "deleted"]: ...
    def sides(self) -> tuple[str | None, str | None]: ...
    def at(self, moment: object) -> str: ...

@final
class Crawler:
    def __new__(cls, options: Options, crawl: str) -> Crawler: ...
    def poll(self) -> str: ...
    def reader(self, fetch: str, response: str) -> ResponseReader: ...
    def handle(self, reader: ResponseReader, error: str | None = None) -> None: ...
    def fail(self, fetch: str, error: str) -> None: ...
    def package(self, fetch: str, response: str, origin: Origin) -> None: ...
    def progress(self) -> tuple[int, int]: ...
    def report(self, interrupted: bool) -> bytes: ...

@final
class ResponseReader:
    def push(self, piece: bytes) -> bool: ...

@final
class Columns:
    def __new__(cls, options: Options) -> Columns: ...
    def push(self, piece: bytes | None) -> int: ...
    def take(self) -> dict[str, tuple[int, list[bytes]]]: ...

@final
class Origin:
    @staticmethod
    def file(path: str | PathLike[str]) -> Origin: ...
    @staticmethod
    def calls(read_at: Callable[[int, int], bytes], size: int) -> Origin: ...

@final
class Contents:
    @property
    def list(self) -> str: ...
    def find(self, name: str) -> int | None: ...
    def unpack(self, origin: Origin, index: int, take: Callable[[bytes], object]) -> None: ...

@final
class ItemReader:
    def __new__(cls, options: Options, whole: bool) -> ItemReader: ...
    def push(self, piece: bytes) -> list[Entry]: ...
    def finish(self) -> list[Entry]: ...
    def check(self) -> None: ...
    def document(self) -> Document: ...

@final
class Validation:
    def __new__(cls, options: Options, name: str, uri: str | None = None) -> Validation: ...
    def push(self, piece: bytes) -> list[str]: ...
    def finish(self) -> tuple[list[str], bytes]: ...

def without(report: bytes, baseline: bytes) -> bytes: ...
def validate_paths(
    paths: list[str],
    options: Options,
    name: str | None = None,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
) -> bytes: ...
def validate_bytes(
    content: bytes,
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
) -> bytes: ...
def validate_chunks(
    pieces: Iterable[bytes],
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
) -> bytes: ...
def validate_package(
    origin: Origin,
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
) -> bytes: ...
def open_package(
    origin: Origin,
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
) -> tuple[bytes, Contents]: ...
def takes_for_package(head: bytes, name: str) -> bool: ...
def parse_datetime(text: str) -> Datetime | None: ...
def render(
    report: bytes,
    format: str,
    *,
    lang: str,
    color: bool = False,
    max_per_rule: int = 5,
    width: int | None = None,
) -> str: ...
def explain(name: str, lang: str) -> str: ...
def rules(select: list[str], lang: str) -> str: ...
def run(args: list[str]) -> int: ...

@final
class NotifyPublisher:
    def __new__(cls, options: str, state: str | None = None) -> NotifyPublisher: ...
    def turn(self, now: int, random: Callable[[int], bytes], input: str, body: bytes | None = None) -> list[tuple[str, bytes | None]]: ...
    def last(self, topic: str) -> str | None: ...
    def until(self, topic: str) -> str | None: ...
    def waiting(self) -> int: ...

@final
class NotifySubscriber:
    def __new__(cls, options: str, state: str | None = None) -> NotifySubscriber: ...
    def turn(self, now: int, random: Callable[[int], bytes], input: str, body: bytes | None = None) -> list[tuple[str, bytes | None]]: ...

def notify_sign(algorithm: str, secret: bytes, body: bytes) -> str: ...
def notify_verify(secret: bytes, headers: list[str], body: bytes, allowed: list[str]) -> tuple[bool, str]: ...
def notify_read(body: bytes, kind: str) -> tuple[str, str | None]: ...
def notify_announce(
    from_: str, until: str, changes: list[NotifiedChange], options: str
) -> list[tuple[str, bytes | None]]: ...
def notify_announce_documents(
    before: str, after: str, datetime: str | None, options: str
) -> list[tuple[str, bytes | None]]: ...
def notify_topic_reply(
    topic: str, method: str, if_none_match: str | None = None, last: bytes | None = None
) -> tuple[str, bytes]: ...
