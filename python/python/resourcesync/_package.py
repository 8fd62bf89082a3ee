"""The members of a dump package: their resources, their state, and their verified bytes."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import TracebackType
from typing import IO, Any, Literal, cast

from . import _core, _sources, _targets
from ._cancel import cancellation
from ._errors import ConfigError
from ._parts import Severity
from ._report import Report
from ._sources import Content, ByteSource
from ._targets import Target
from ._validate import PACKAGE, OnProgress, Profile, options, teller

MemberKind = Literal["file", "folder", "manifest", "special"]
State = Literal["verified", "sound", "unchecked", "unlisted", "differs", "damaged", "refused"]

#: Members up to this size are kept in memory while they are verified, larger ones in a temporary file.
SPOOL = 1 << 20


@dataclass(frozen=True, slots=True)
class PackagedResource:
    """The manifest entry of a member, with values as written."""

    role: Literal["bitstream", "patch"]
    uri: str | None = None
    path: str | None = None
    change: str | None = None
    datetime: str | None = None
    lastmod: str | None = None
    type: str | None = None
    encoding: str | None = None
    length: int | None = None
    hash: str | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a package.

    ``state`` is the result of verification, ``why`` the reason for it, and ``checked`` what was compared: ``crc-32``, ``length``, ``md5`` …
    """

    index: int
    name: str
    kind: MemberKind
    state: State
    size: int
    packed_size: int
    checked: tuple[str, ...]
    resources: tuple[PackagedResource, ...]
    why: str | None = None
    _package: OpenPackage | None = field(default=None, repr=False, compare=False)

    @property
    def path(self) -> PurePosixPath:
        """Its path in the package."""
        return PurePosixPath("/", self.name)

    @property
    def uri(self) -> str | None:
        """The URI of its first resource."""
        return self.resources[0].uri if self.resources else None

    def open(self) -> IO[bytes]:
        """Verifies its bytes and returns them as a file.

        :raises MemberError: if they do not match the archive or the manifest.
        :raises ConfigError: if it cannot be unpacked, because it is a folder or was refused.
        """
        # Loads the compression modules of Python.
        import tempfile

        spool = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=SPOOL))
        try:
            self._unpack(spool.write)
        except BaseException:
            spool.close()
            raise
        spool.seek(0)
        return spool

    def read(self) -> bytes:
        """Verifies and returns its bytes; raises as :meth:`open`."""
        pieces: list[bytes] = []
        self._unpack(pieces.append)
        return b"".join(pieces)

    def save(self, target: Target) -> None:
        """Verifies its bytes and writes them to a path or a binary file; raises as :meth:`open`."""
        with self.open() as file:
            _targets.write(target, iter(lambda: file.read(_sources.WINDOW), b""))

    def _unpack(self, take: Any) -> None:
        if self._package is None:
            raise ConfigError("the member belongs to no open package")
        self._package._unpack(self.index, take)


class OpenPackage:
    """A verified package and its members. Close it, or use it in a ``with`` statement.

    Iterating yields the verified members; :attr:`members` contains all.
    """

    def __init__(self, report: Report, contents: _core.Contents, origin: _core.Origin) -> None:
        self._contents = contents
        self._origin: _core.Origin | None = origin
        #: The report on the package.
        self.report = report
        listed = json.loads(contents.list)
        #: The kind of the manifest.
        self.kind: str = listed["package"]["manifest"]
        #: All members, in the order of the archive.
        self.members: tuple[Member, ...] = tuple(map(self._member, listed["members"]))
        self._by_index = {member.index: member for member in self.members}
        #: Entries without a member: deletions, and those whose member is missing.
        self.absent: tuple[PackagedResource, ...] = tuple(PackagedResource(**each) for each in listed.get("absent", ()))

    def _member(self, row: dict[str, Any]) -> Member:
        return Member(
            index=row["index"],
            name=row["name"],
            kind=row["kind"],
            state=row["state"],
            size=row["size"],
            packed_size=row["packedSize"],
            checked=tuple(row.get("checked", ())),
            resources=tuple(PackagedResource(**each) for each in row.get("resources", ())),
            why=row.get("why"),
            _package=self,
        )

    def __iter__(self) -> Iterator[Member]:
        return (member for member in self.members if member.state == "verified")

    def __getitem__(self, name: str | PurePosixPath) -> Member:
        """The member at a path, with or without a leading slash."""
        index = self._contents.find(str(name).removeprefix("/"))
        if index is None:
            raise KeyError(str(name))
        return self._by_index[index]

    def to_json(self) -> bytes:
        """The members as JSON: the same bytes as ``resourcesync list --format json``."""
        return self._contents.list.encode()

    def close(self) -> None:
        """Closes the file; members cannot be opened afterwards."""
        self._origin = None

    def __enter__(self) -> OpenPackage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _unpack(self, index: int, take: Any) -> None:
        if self._origin is None:
            raise ConfigError("the package is closed")
        self._contents.unpack(self._origin, index, take)


def open_package(
    source: ByteSource,
    *,
    name: str | None = None,
    uri: str | None = None,
    profile: Profile = "standard",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, Severity] | None = None,
    fixity: bool = True,
    limits: Mapping[str, int] | None = None,
    max_per_rule: int = 100,
    progress: OnProgress | None = None,
) -> OpenPackage:
    """Verifies a package (ZIP) and returns its members. The arguments are those of :func:`verify_package`.

    With ``fixity=False`` it opens immediately; members are verified when they are opened in any case.

    >>> with resourcesync.open_package("part1.zip") as package:
    ...     for member in package:
    ...         print(member.uri, member.path, len(member.read()))
    http://example.com/res1 /resources/res1 8
    """
    chosen = options(None, profile, select, ignore, severity, limits, max_per_rule, fixity)
    tell = teller(progress)
    if _sources.is_path(source):
        path = _sources.path(cast("str | os.PathLike[str]", source))
        if os.path.isdir(path):
            raise ConfigError(f"`{path}` is a folder")
        name, origin = name or _sources.shown(path), _core.Origin.file(path)
    else:
        if _sources.is_content(source):
            source = io.BytesIO(cast(Content, source))
        if not _sources.can_seek(source):
            raise ConfigError("a package is read from its end: give a path, bytes, or a file that can seek")
        name, origin = name or _sources.name(source) or PACKAGE, _sources.package(source)
    report, contents = _core.open_package(origin, chosen, name, uri, tell, cancellation())
    return OpenPackage(Report._of(report, "en"), contents, origin)
