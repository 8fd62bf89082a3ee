"""The extension module. Private except for the classes that the package re-exports: Document, Entry, Link, Metadata."""

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
FORMATS: tuple[str, ...]

@disjoint_base
class Metadata:
    """The metadata of an `rs:md` or `rs:ln`. A value that cannot be parsed is `None`; its text is in `attributes`."""

    @property
    def at(self) -> Datetime | None:
        """When taking the snapshot began."""
    @property
    def capability(self) -> str | None:
        """The capability of the document or of its target."""
    @property
    def change(self) -> Literal["created", "updated", "deleted"] | None:
        """The kind of change: created, updated or deleted."""
    @property
    def completed(self) -> Datetime | None:
        """When taking the snapshot was completed."""
    @property
    def datetime(self) -> Datetime | None:
        """When the change happened."""
    @property
    def encoding(self) -> str | None:
        """Content codings, as in `Content-Encoding`."""
    @property
    def from_(self) -> Datetime | None:
        """The start of the interval of changes."""
    @property
    def hashes(self) -> Mapping[str, str]:
        """Digests of the bitstream in lower-case hexadecimal, by algorithm."""
    @property
    def length(self) -> int | None:
        """Length of the bitstream in bytes."""
    @property
    def modified(self) -> Datetime | None:
        """When the linked resource was last modified."""
    @property
    def path(self) -> PurePosixPath | None:
        """Path of the bitstream in the package."""
    @property
    def type(self) -> str | None:
        """Media type of the bitstream."""
    @property
    def until(self) -> Datetime | None:
        """The end of the interval of changes."""
    @property
    def attributes(self) -> Mapping[str, str]:
        """All attributes as written; those in other namespaces as `{namespace}name`."""

@final
class Link(Metadata):
    """A link to a related resource. Links with the same attributes are equal."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

    @property
    def rel(self) -> str | None:
        """The link relation."""
    @property
    def href(self) -> str | None:
        """The target of the link."""
    @property
    def pri(self) -> int | None:
        """Priority among links of the same relation; lower is better."""

@final
class Entry(Metadata):
    """An entry with the metadata of its `rs:md`. Entries with the same content are equal, wherever they are in a document."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

    @property
    def index(self) -> int:
        """Its 1-based position in the document."""
    @property
    def line(self) -> int:
        """The line in which it starts, 1-based."""
    @property
    def element(self) -> Literal["url", "sitemap"]:
        """`url` or `sitemap`."""
    @property
    def uri(self) -> str | None:
        """The URI in `loc`, if it is valid."""
    @property
    def loc(self) -> str | None:
        """The text of `loc`, as written."""
    @property
    def lastmod(self) -> Datetime | None:
        """When it was last modified."""
    @property
    def changefreq(self) -> str | None:
        """The declared frequency of changes."""
    @property
    def priority(self) -> float | None:
        """`priority` of the Sitemap protocol, from 0 to 1."""
    @property
    def links(self) -> tuple[Link, ...]:
        """Its links, in the order written."""
    @property
    def extensions(self) -> tuple[str, ...]:
        """Elements in other namespaces as XML, if kept."""
    @property
    def texts(self) -> Mapping[str, str]:
        """The text of the elements loc, lastmod, changefreq and priority as written; the first if one is repeated."""
    @property
    def element_attributes(self) -> Mapping[str, str]:
        """Attributes of the entry element; the standard defines none."""

@final
class Document(Metadata):
    """A document with the metadata of its root `rs:md`; a sequence of its entries."""

    @property
    def kind(self) -> str:
        """The kind of the document, such as `resource-list`."""
    @property
    def root(self) -> str:
        """The name of the root element: `urlset`, `sitemapindex` or anything else."""
    @property
    def root_attributes(self) -> Mapping[str, str]:
        """Attributes of the root element."""
    @property
    def links(self) -> tuple[Link, ...]:
        """Links of the document, in the order written."""
    @property
    def extensions(self) -> tuple[str, ...]:
        """Elements in other namespaces outside of entries, as XML."""
    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries, in order. The document is also a sequence of entries, which creates each on access."""
    def index(self, entry: object, start: int = 0, stop: int = ...) -> int:
        """The place of the first entry equal to this one, from 0. Raises `ValueError` if there is none."""
    def count(self, entry: object) -> int:
        """The number of entries equal to this one."""
    def __contains__(self, entry: object, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def to_bytes(self) -> bytes:
        """Serializes the document. Comments and the order of elements within root and entries are not preserved."""
    def write(self, target: Target) -> None:
        """Writes the document to a path or a binary file. A file at the path is replaced atomically."""
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
        fail_on: str = "error",
    ) -> Options: ...

@final
class Cancel:
    def __new__(cls) -> Cancel: ...
    def cancel(self) -> None: ...
    def is_cancelled(self) -> bool: ...

@final
class Builder:
    def __new__(cls, kind: str, head: Head, options: Options) -> Builder: ...
    def push(self, entry: object) -> None: ...
    def take(self) -> bytes: ...
    def finish(self) -> bytes: ...
    def accepted(self) -> str: ...

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
        max_document_entries: int | None = None,
        max_document_bytes: int | None = None,
        max_package_entries: int | None = None,
        max_package_bytes: int | None = None,
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
class Generation:
    def __new__(cls, folder: object, keep: int) -> Generation: ...
    def begin(self, path: str) -> None: ...
    def write(self, bytes: bytes) -> None: ...
    def end(self) -> None: ...
    def previous(self) -> str: ...
    def publish(self, at: str, base: str, published: str) -> None: ...
    def drop(self) -> None: ...

@final
class Records:
    def __new__(cls, options: Options) -> Records: ...
    def push(self, entry: object, set: str) -> None: ...
    def publish(self, wanted: str, cancel: Cancel | None = None) -> str: ...

@final
class Packer:
    def __new__(cls, kind: str, head: Head, options: Options) -> Packer: ...
    def push(self, entry: object) -> None: ...
    def write(self, bytes: bytes) -> None: ...
    def take(self) -> bytes: ...
    def finish(self) -> tuple[bytes, str, int, str, str]: ...

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
class Findings:
    def __new__(cls, json: bytes) -> Findings: ...
    def rest(self) -> bytes: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> bytes: ...

@final
class Validation:
    def __new__(cls, options: Options, name: str, uri: str | None = None) -> Validation: ...
    def push(self, piece: bytes) -> list[str]: ...
    def wants_more(self) -> bool: ...
    def entries(self) -> int: ...
    def finish(self) -> tuple[list[str], bytes]: ...

def without(report: bytes, baseline: bytes) -> bytes: ...
def validate_paths(
    paths: list[str],
    options: Options,
    name: str | None = None,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
    cancel: Cancel | None = None,
) -> bytes: ...
def validate_bytes(
    content: bytes,
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
    cancel: Cancel | None = None,
) -> bytes: ...
def validate_chunks(
    pieces: Iterable[bytes],
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
    cancel: Cancel | None = None,
) -> bytes: ...
def validate_package(
    origin: Origin,
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
    cancel: Cancel | None = None,
) -> bytes: ...
def open_package(
    origin: Origin,
    options: Options,
    name: str,
    uri: str | None = None,
    tell: Callable[[int, int, int, int], object] | None = None,
    cancel: Cancel | None = None,
) -> tuple[bytes, Contents]: ...
def sync_options() -> list[tuple[str, str]]: ...
def check_sync_options(options: str) -> None: ...
def sync_folder(
    uri: str | None,
    folder: str,
    options: str,
    tell: Callable[[str, int, int | None, int], object] | None = None,
    on_item: Callable[[str], object] | None = None,
    copies: object | None = None,
    cancel: Cancel | None = None,
) -> str: ...
def pending_changes(
    uri: str | None,
    folder: str,
    options: str,
    runs: bool,
    tell: Callable[[str, int, int | None, int], object] | None = None,
    on_item: Callable[[str], object] | None = None,
    copies: object | None = None,
    cancel: Cancel | None = None,
) -> PendingChanges: ...
def audit_folder(
    uri: str | None,
    folder: str,
    options: str,
    tell: Callable[[str, int, int | None, int], object] | None = None,
    copies: object | None = None,
    cancel: Cancel | None = None,
) -> str: ...
def check_history(text: str, is_dump: bool) -> None: ...
def media_type(path: str) -> str | None: ...
def restore_document(content: bytes, lines: list[int]) -> Document: ...
def restore_entry(content: bytes, index: int, line: int) -> Entry: ...
def restore_link(content: bytes) -> Link: ...
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
def explanation(name: str, lang: str, format: str) -> str: ...
def words(code: str, args: str, cause: str | None, lang: str) -> tuple[str, str] | None: ...
def reason(reason: str, lang: str) -> str: ...
def rules(select: list[str], lang: str) -> str: ...
def run(args: list[str]) -> int: ...

@final
class PendingChanges:
    def report(self) -> str | None: ...
    def total(self) -> int: ...
    def next(self) -> tuple[str, AppliedChange] | None: ...
    def done(self, changes: list[AppliedChange]) -> None: ...
    def close(self) -> None: ...

@final
class AppliedChange:
    def open(self) -> Content | None: ...
    def done(self) -> None: ...

@final
class Content:
    def read(self, most: int) -> bytes: ...

@final
class ChangeFollower:
    def __new__(cls, options: str) -> ChangeFollower: ...
    def poll(self) -> str | None: ...
    def answer(self, head: str) -> None: ...
    def push(self, bytes: bytes) -> None: ...
    def end(self) -> None: ...
    def failed(self, reason: str) -> None: ...
    def finish(self) -> str: ...

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

@final
class NotifyListener:
    def __new__(cls, options: str, state: str | None = None) -> NotifyListener: ...
    def turn(self, now: int, random: Callable[[int], bytes], input: str, body: bytes | None = None) -> list[tuple[str, bytes | None]]: ...

@final
class NotifyHub:
    def __new__(cls, options: str, state: str | None = None) -> NotifyHub: ...
    def turn(self, now: int, random: Callable[[int], bytes], input: str, body: bytes | None = None) -> list[tuple[str, bytes | None]]: ...
    def step(self, now: int, random: Callable[[int], bytes], input: str) -> list[tuple[str, bytes | None]]: ...
    def allows(self, uri: str, address: str) -> bool: ...

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
