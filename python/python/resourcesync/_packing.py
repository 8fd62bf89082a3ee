"""Writing one dump package by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Union

from . import _core, _sources, _targets
from ._build import ChangeDumpManifest, Head, ResourceDumpManifest
from ._entries import Bitstream, ChangedBitstream, Moment
from ._errors import ConfigError
from ._parts import Accepted, Severity, accepted
from ._sources import ByteSource
from ._targets import Target
from ._validate import options


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """A package that was written: its length and SHA-256 for the entry in the dump, its manifest for a separate copy, and findings that did not
    prevent packing."""

    length: int
    sha256: str
    manifest: bytes
    accepted: Accepted


def create_package(
    target: Target,
    members: Iterable[tuple[Union[Bitstream, ChangedBitstream], Union[ByteSource, None]]],
    *,
    up: str,
    at: Moment | None = None,
    completed: Moment | None = None,
    from_: Moment | None = None,
    until: Moment | None = None,
    ignore: Iterable[str] = (),
    limits: Mapping[str, int] | None = None,
    fail_on: Severity = "error",
) -> PackageFacts:
    """Writes one dump package from entries of its manifest with their content; a deletion has none.

    With ``at`` it is the package of a Resource Dump, with ``from_`` that of a Change Dump. Lengths and digests that entries list are compared
    with the content. ``fail_on`` is the lowest severity that is rejected. A file at the path is replaced atomically.

    :raises InputError: if content is ``None`` without a deletion, or has no bytes since it was read before.

    >>> members = [(resourcesync.Bitstream("http://example.com/1", "/1.txt", "text/plain"), b"one")]
    >>> made = resourcesync.create_package("part1.zip", members, up="http://example.com/capabilitylist.xml", at="2024-05-01T00:00:00Z")
    >>> resourcesync.verify_package("part1.zip").verdict
    'valid'
    """
    if (at is None) == (from_ is None):
        raise ConfigError("give at for a Resource Dump, or from_ for a Change Dump")
    kind = ResourceDumpManifest.kind if from_ is None else ChangeDumpManifest.kind
    head = Head(up=up, at=at, completed=completed, from_=from_, until=until)
    packer = _core.Packer(kind, head, options(ignore=ignore, limits=limits, fail_on=fail_on))
    made: list[PackageFacts] = []

    def pieces() -> Iterator[bytes]:
        for entry, content in members:
            packer.push(entry)
            with _sources.member(entry, content) as windows:
                for window in windows:
                    packer.write(window)
                    yield packer.take()
        rest, manifest, length, sha256, found = packer.finish()
        made.append(PackageFacts(length, sha256, manifest.encode(), accepted(found)))
        yield rest

    _targets.write(target, pieces())
    return made[0]
