"""The settings of an application that publishes or follows, by the names that Django and Flask share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args
from urllib.parse import SplitResult, urlsplit

from ._errors import ConfigError
from ._source import Source

Publishing = Literal["watch", "inline", "celery", "tasks"]


@dataclass(frozen=True, slots=True)
class FollowSettings:
    """A Source that is followed: an item of ``FOLLOW``."""

    SOURCE: str
    STATE: str | PathLike[str]
    APPLY: str | None = None
    CALLBACK: str | None = None
    EVERY: float = 3600.0
    OPTIONS: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong. ``code`` begins with E for an error, and with W for a warning."""

    code: str
    message: str
    hint: str | None = None

    @property
    def is_error(self) -> bool:
        """True if publishing fails, or clients cannot read what is published."""
        return self.code.startswith("E")

    def __str__(self) -> str:
        kind = "error" if self.is_error else "warning"
        return f"{kind}: {self.message} ({self.code})" + (f"\n  {self.hint}" if self.hint else "")


@dataclass(frozen=True, slots=True)
class Settings:
    """The keys of the setting, with their defaults."""

    BASE_URI: str = ""
    FOLDER: str | PathLike[str] = ""
    HUBS: Sequence[str] | None = None
    PUBLISH: Publishing = "watch"
    DESCRIBEDBY: str | None = None
    TOPICS_URI: str | None = None
    HEADER: Mapping[str, Mapping[str, str]] | None = None
    ROTATE: int | str | None = None
    KEEP: int | None = None
    SNAPSHOT: str | None = None
    GZIP: bool = False
    WAIT: float = 10.0
    SENDFILE: tuple[str, str] | None = None
    FOLLOW: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    @property
    def folder(self) -> Path:
        """The published folder."""
        return Path(self.FOLDER)

    def followed(self, name: str) -> FollowSettings:
        """The Source that is followed under a name."""
        if name not in self.FOLLOW:
            raise ConfigError(f"FOLLOW has no {name!r}{_hint(name, self.FOLLOW)}")
        return cast(FollowSettings, _read(FollowSettings, self.FOLLOW[name], f"FOLLOW[{name!r}]"))

    def to_publish(self) -> Settings:
        """These settings, if they suffice to publish."""
        missing = [name for name in ("BASE_URI", "FOLDER") if not getattr(self, name)]
        if missing:
            raise ConfigError(f"the setting {missing[0]} is missing")
        return self

    def mistakes(self, sets: Iterable[str]) -> Iterator[Mistake]:
        """What is wrong in settings that suffice to publish, and in the names of sets."""
        for name, uri in [("BASE_URI", self.BASE_URI), *(("HUBS", uri) for uri in self.HUBS or ())]:
            parts = _split(uri)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                yield Mistake("E002", f"{name} is not an absolute HTTP URI: {uri!r}")
            elif parts.query or parts.fragment:
                yield Mistake("E002", f"{name} has a query or a fragment: {uri!r}")
            elif name == "HUBS" and parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
                yield Mistake("W003", f"the hub {uri!r} is not requested over HTTPS")
        base = _split(self.BASE_URI)
        if base.hostname and base.path not in ("", "/"):
            hint = "Serve FOLDER/.well-known/resourcesync at the root of the host, or link to the Capability Lists from your pages."
            yield Mistake("W004", "BASE_URI has a path, so clients do not find the Source at /.well-known/resourcesync", hint)
        if not self.folder.is_absolute():
            yield Mistake("E005", f"FOLDER is relative: {self.FOLDER}", "Use a path below that of the application.")
        for name in sets:
            if not name or name != name.strip(".") or not all(each.isalnum() and each.isascii() or each in "-_." for each in name):
                yield Mistake("E006", f"the set {name!r} has not the name of a folder", "Use letters, digits, hyphens and underscores.")

    def source(self) -> Source:
        """The Source of the folder."""
        return Source(
            self.FOLDER,
            self.BASE_URI,
            describedby=self.DESCRIBEDBY,
            rotate=self.ROTATE,
            keep=self.KEEP,
            gzip=self.GZIP,
            snapshot=self.SNAPSHOT,
            hubs=self.HUBS,
            topics_uri=self.TOPICS_URI,
            header=self.HEADER,
            wait=self.WAIT,
        )

    def capability_list(self, name: str) -> str:
        """The URI of the Capability List of a set."""
        return f"{self.BASE_URI.rstrip('/')}/{name}/capabilitylist.xml{'.gz' if self.GZIP else ''}"


#: The settings of a platform, which may have more keys.
S = TypeVar("S", bound="Settings")


def read(given: object, kind: type[S]) -> S:
    """The settings in a dictionary. Raises :class:`ConfigError` for what is wrong in them."""
    found = cast(S, _read(kind, given, "RESOURCESYNC"))
    if isinstance(found.HUBS, str):
        raise ConfigError(f"HUBS is a list of URIs, such as [{found.HUBS!r}]")
    if found.PUBLISH not in get_args(Publishing):
        raise ConfigError(f"PUBLISH is {found.PUBLISH!r}, and not one of {', '.join(get_args(Publishing))}")
    return found


def _read(kind: Any, given: Any, name: str) -> Any:
    if not isinstance(given, Mapping):
        raise ConfigError(f"{name} is not a dictionary")
    values = {str(key): value for key, value in cast("Mapping[object, Any]", given).items()}
    known = {each.name for each in fields(kind)}
    for key in values:
        if key not in known:
            raise ConfigError(f"{name} has the unknown key {key!r}{_hint(key, known)}")
    try:
        return kind(**values)
    except TypeError as error:
        raise ConfigError(f"{name}: {error}") from None


def _hint(name: str, known: Any) -> str:
    close = get_close_matches(name, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(sorted(known))}" if known else ""


def _split(uri: str) -> SplitResult:
    """The parts of a URI; those of an empty one if it is malformed."""
    try:
        return urlsplit(uri)
    except ValueError:
        return urlsplit("")
