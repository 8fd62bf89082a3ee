"""Sets of resources: the rows of a model, or what a function yields."""

from __future__ import annotations

import mimetypes
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timezone
from decimal import Decimal
from enum import Enum
from io import BytesIO
from typing import Any, BinaryIO, Protocol, Union, cast
from uuid import UUID

from sqlalchemy import CHAR, Date, func, inspect, or_, select
from sqlalchemy.orm import Session

from .. import _platform
from .._entries import Related, Resource
from .._errors import ConfigError
from .._settings import Mistake

#: The content of a row: a path, or bytes.
ContentOf = Union[str, "os.PathLike[str]", bytes, None]


class Content:
    """The bytes of a path, or bytes."""

    def __init__(self, content: str | os.PathLike[str] | bytes) -> None:
        self._content = content

    @property
    def stamp(self) -> str:
        """The name, length and time of a file."""
        if isinstance(self._content, bytes):
            return ""
        found = os.stat(self._content)
        return f"{os.fspath(self._content)} {found.st_size} {found.st_mtime_ns}"

    def open(self) -> BinaryIO:
        """Opens the bytes."""
        return BytesIO(self._content) if isinstance(self._content, bytes) else open(self._content, "rb")


class ResourceSet(Protocol):
    """A set of an application."""

    #: The mapper of the model whose database has the rows of the outbox; ``None`` is the database of the session.
    mapper: Any

    def touched(self, session: Session, rows: Sequence[Any]) -> Iterable[str]:
        """The keys of the records whose publication may differ after these rows of any model were added, changed or deleted."""
        ...

    def within(self, session: Session) -> _platform.RecordSet:
        """The records in a session."""
        ...


class Rows:
    """The rows of a model that are published."""

    def __init__(
        self,
        model: type[Any],
        base: str,
        uri: Callable[[Any], str],
        lastmod: str | None,
        where: Any,
        links: Callable[[Any], Iterable[Related]] | None,
        content: Callable[[Any], ContentOf] | None,
        media_type: str | None,
        options: Sequence[Any],
    ) -> None:
        mapper = cast(Any, inspect(model))
        keys = mapper.primary_key
        if len(keys) != 1:
            raise ConfigError(f"{model.__name__} has a composite primary key, which is not supported")
        self.model = model
        self.mapper = mapper
        self._base = base
        self._uri = uri
        self._lastmod = lastmod
        self._links = links
        self._content = content
        self._type = media_type
        self._key: Any = mapper.get_property_by_column(keys[0]).key
        self.read = _reader(model.__name__, keys[0].type)
        self._longest: int = getattr(keys[0].type, "length", None) or sys.maxsize
        self._query = select(model).options(*options)
        if where is not None:
            self._query = self._query.where(where)

    def key(self, row: Any) -> str:
        """The primary key as text."""
        return self.text(getattr(row, self._key))

    def text(self, key: Any) -> str:
        """A primary key as text, in the spelling of the database: a row that was not read since it was written may have other values for which the database
        takes them, such as the name of a member. No exception: it would end the transaction of the application."""
        with suppress(Exception):
            key = self.read(key)
        if isinstance(key, Enum):
            key = key.name
        return _platform.short(key.hex() if isinstance(key, bytes) else str(key))

    def touched(self, session: Session, rows: Sequence[Any]) -> Iterable[str]:
        """The keys of the rows that are of this model, and those that they had before."""
        found: dict[str, None] = {}
        for row in rows:
            if isinstance(row, self.model):
                state: Any = inspect(row)
                # Reading an attribute that has expired needs a session, which a row may no longer have; the identity has its value.
                keys = [*(state.identity or ()), state.dict.get(self._key)]
                found.update((self.text(key), None) for key in keys if key is not None)
        return found

    def mistakes(self) -> Iterator[Mistake]:
        """What is wrong in the arguments."""
        column = getattr(getattr(self.model, self._lastmod or "", None), "type", None)
        if isinstance(column, Date) and self._content is None:
            hint = "A second change on the same day is not published: use a DateTime, or pass content."
            yield Mistake("W014", f"{self.model.__name__}.{self._lastmod} is a date", hint)

    def within(self, session: Session) -> _platform.RecordSet:
        """The rows in a session."""
        return _RowsOfSession(self, session)

    def select(self, session: Session, *criteria: Any, limit: int | None = _platform.CHUNK) -> list[Any]:
        """Rows, as they are now: in a transaction that begins here."""
        session.rollback()
        column = getattr(self.model, self._key)
        # A joined collection repeats its row.
        return list(session.scalars(self._query.where(*criteria).order_by(column).limit(limit)).unique())

    def among(self, values: Sequence[Any], keys: Sequence[str]) -> Any:
        """The criterion for values of the primary key, and for all long ones if the tables have a digest of one."""
        column = getattr(self.model, self._key)
        is_own = column.in_(values)
        has_digest = self._longest > _platform.LONG and any(map(_platform.may_be_digest, keys))
        return or_(is_own, func.length(column) > _platform.LONG) if has_digest else is_own

    def after(self, row: Any) -> Any:
        """The criterion for rows after another one."""
        return getattr(self.model, self._key) > getattr(row, self._key)

    def describe(self, row: Any) -> _platform.Described:
        """What is published of a row."""
        content = None if self._content is None else self._content(row)
        kind = self._type
        if kind is None and isinstance(content, (str, os.PathLike)):
            kind = mimetypes.guess_type(content)[0]
        links = [replace(link, href=_platform.joined(self._base, link.href)) for link in self._links(row)] if self._links else []
        modified = None if self._lastmod is None else getattr(row, self._lastmod)
        if isinstance(modified, datetime) and modified.tzinfo is None:
            # SQLAlchemy has no time zone of the project: a time without one is in UTC.
            modified = modified.replace(tzinfo=timezone.utc)
        resource = Resource(_platform.joined(self._base, self._uri(row)), lastmod=modified, type=kind, links=links)
        return _platform.Described(resource, Content(content) if content is not None else None)


def _reader(name: str, column: Any) -> Callable[[Any], Any]:
    """Reads the values of a type, also from their texts."""
    try:
        kind: Any = column.python_type
    except NotImplementedError:
        kind = object
    if kind is UUID or getattr(column, "as_uuid", None) is False:
        return lambda value: kind(str(UUID(str(value))))
    if kind is Decimal:
        return lambda value: _scaled(Decimal(str(value)), column.scale)
    if kind is str and isinstance(column, CHAR):
        # PostgreSQL fills them up with blanks, and compares them without.
        return lambda value: str(value).rstrip(" ")
    if kind in (int, str, float):
        return cast("Callable[[Any], Any]", kind)
    if kind is date:
        return lambda value: date.fromisoformat(str(value)[:10])
    if issubclass(kind, Enum):
        return lambda value: value if isinstance(value, kind) else kind.__members__.get(value) or kind(value)
    if issubclass(kind, bytes):
        return lambda value: bytes.fromhex(value) if isinstance(value, str) else bytes(value)
    raise ConfigError(f"{name} has a primary key of the type {column!r}, which is not supported")


def _scaled(value: Decimal, scale: int | None) -> Decimal:
    return value.normalize() if scale is None else value.quantize(Decimal(1).scaleb(-scale))


class _RowsOfSession:
    def __init__(self, rows: Rows, session: Session) -> None:
        self._rows = rows
        self._session = session

    def key(self, text: str, /) -> str:
        """A key in the spelling of the database."""
        return self._rows.text(text)

    def current(self, keys: Sequence[str]) -> Mapping[str, _platform.Describe]:
        """The rows with these keys."""
        values, found = _platform.read_keys(keys, self._rows.read)
        rows = self._rows.select(self._session, self._rows.among(values, keys), limit=None)
        found.update((self._rows.key(row), self._describe(row)) for row in rows)
        return found

    def everything(self) -> Iterator[tuple[str, _platform.Describe]]:
        """All rows, in pages."""
        page = self._rows.select(self._session)
        while page:
            last = self._rows.after(page[-1])
            for row in page:
                yield self._rows.key(row), self._describe(row)
            page = self._rows.select(self._session, last)

    def _describe(self, row: Any) -> _platform.Describe:
        return lambda: [self._rows.describe(row)]


class Yielded:
    """What a function yields. It has no events, so it is reconciled only."""

    mapper = None

    def __init__(self, function: Callable[[], Iterable[Resource]]) -> None:
        self._function = function

    def touched(self, session: Session, rows: Sequence[Any]) -> Iterable[str]:
        """None: no row is known to change what the function yields."""
        return ()

    def within(self, session: Session) -> _platform.RecordSet:
        """The resources, which need no session."""
        return self

    def key(self, text: str, /) -> str:
        """The key, which is a URI."""
        return text

    def current(self, keys: Sequence[str]) -> Mapping[str, _platform.Describe]:
        """Those of the resources that have these keys. Only the first publication writes rows for them into the outbox."""
        wanted = set(keys)
        return {key: describe for key, describe in self.everything() if key in wanted}

    def everything(self) -> Iterator[tuple[str, _platform.Describe]]:
        """All resources. A resource is known by its URI, or the digest of a long one."""
        for resource in self._function():
            # The function may use what it yields, and what the links are made of, for the next resource.
            yield _platform.short(resource.uri), _described(replace(resource, links=tuple(resource.links)))


def _described(resource: Resource) -> _platform.Describe:
    return lambda: [_platform.Described(resource)]
