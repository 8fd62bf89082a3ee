"""Sets of resources: the rows of a model, or what a function yields."""

from __future__ import annotations

import hashlib
import mimetypes
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timezone
from decimal import Decimal
from enum import Enum
from io import BytesIO
from typing import Any, BinaryIO, Protocol, Union, cast
from uuid import UUID

from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from .. import _outbox
from .._entries import Related, Resource
from .._errors import ConfigError

#: The content of a row: a path, or bytes.
ContentOf = Union[str, "os.PathLike[str]", bytes, None]
#: Characters of the longest key that the tables hold.
_LONGEST = 512


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

    def within(self, session: Session) -> _outbox.RecordSet:
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
        self._text, self._value = _texts(model.__name__, keys[0].type)
        self._query = select(model).options(*options)
        if where is not None:
            self._query = self._query.where(where)

    def key(self, row: Any) -> str:
        """The primary key as text."""
        return self._text(getattr(row, self._key))

    def touched(self, session: Session, rows: Sequence[Any]) -> Iterable[str]:
        """The keys of the rows that are of this model, and those that they had before."""
        own = [row for row in rows if isinstance(row, self.model)]
        before = (inspect(row).identity for row in own)
        return dict.fromkeys([*(self._text(identity[0]) for identity in before if identity is not None), *map(self.key, own)])

    def within(self, session: Session) -> _outbox.RecordSet:
        """The rows in a session."""
        return _RowsOfSession(self, session)

    def select(self, session: Session, *criteria: Any) -> list[Any]:
        """Rows, as they are now: in a transaction that begins here."""
        session.rollback()
        column = getattr(self.model, self._key)
        # A joined collection repeats its row.
        return list(session.scalars(self._query.where(*criteria).order_by(column).limit(_outbox.CHUNK)).unique())

    def among(self, keys: Sequence[str]) -> Any:
        """The criterion for keys."""
        return getattr(self.model, self._key).in_([self._value(key) for key in keys])

    def after(self, row: Any) -> Any:
        """The criterion for rows after another one."""
        return getattr(self.model, self._key) > getattr(row, self._key)

    def describe(self, row: Any) -> _outbox.Described:
        """What is published of a row."""
        content = None if self._content is None else self._content(row)
        kind = self._type
        if kind is None and isinstance(content, (str, os.PathLike)):
            kind = mimetypes.guess_type(content)[0]
        links = [replace(link, href=_outbox.joined(self._base, link.href)) for link in self._links(row)] if self._links else []
        modified = None if self._lastmod is None else getattr(row, self._lastmod)
        if isinstance(modified, datetime) and modified.tzinfo is None:
            # SQLAlchemy has no time zone of the project: a time without one is in UTC.
            modified = modified.replace(tzinfo=timezone.utc)
        resource = Resource(_outbox.joined(self._base, self._uri(row)), lastmod=modified, type=kind, links=links)
        return _outbox.Described(resource, Content(content) if content is not None else None)


def _texts(name: str, column: Any) -> tuple[Callable[[Any], str], Callable[[str], Any]]:
    """Writes primary keys of a type as text, and reads them. A row that was not read since it was written may have other values for which the database
    takes them, such as the name of a member; an exception would end the transaction of the application."""
    try:
        kind: Any = column.python_type
    except NotImplementedError:
        kind = object
    if kind in (int, str, float, Decimal, UUID):
        return str, kind
    if kind is date:
        return lambda day: str(day)[:10], date.fromisoformat
    if issubclass(kind, Enum):
        return lambda member: str(getattr(member, "name", member)), lambda text: kind.__members__.get(text, text)
    if issubclass(kind, bytes):
        return lambda value: bytes(value).hex(), bytes.fromhex
    raise ConfigError(f"{name} has a primary key of the type {column!r}, which is not supported")


class _RowsOfSession:
    def __init__(self, rows: Rows, session: Session) -> None:
        self._rows = rows
        self._session = session

    def current(self, keys: Sequence[str]) -> Mapping[str, _outbox.Describe]:
        """The rows with these keys."""
        return {self._rows.key(row): self._describe(row) for row in self._rows.select(self._session, self._rows.among(keys))}

    def everything(self) -> Iterator[tuple[str, _outbox.Describe]]:
        """All rows, in pages."""
        page = self._rows.select(self._session)
        while page:
            last = self._rows.after(page[-1])
            for row in page:
                yield self._rows.key(row), self._describe(row)
            page = self._rows.select(self._session, last)

    def _describe(self, row: Any) -> _outbox.Describe:
        return lambda: [self._rows.describe(row)]


class Yielded:
    """What a function yields. It has no events, so it is reconciled only."""

    mapper = None

    def __init__(self, function: Callable[[], Iterable[Resource]]) -> None:
        self._function = function

    def touched(self, session: Session, rows: Sequence[Any]) -> Iterable[str]:
        """None: no row is known to change what the function yields."""
        return ()

    def within(self, session: Session) -> _outbox.RecordSet:
        """The resources, which need no session."""
        return self

    def current(self, keys: Sequence[str]) -> Mapping[str, _outbox.Describe]:
        """Those of the resources that have these keys. Only the first publication writes rows for them into the outbox."""
        wanted = set(keys)
        return {key: describe for key, describe in self.everything() if key in wanted}

    def everything(self) -> Iterator[tuple[str, _outbox.Describe]]:
        """All resources. A resource is known by its URI, or the digest of a long one."""
        for resource in self._function():
            uri = resource.uri
            key = uri if len(uri) <= _LONGEST else hashlib.sha256(uri.encode("utf-8", "surrogatepass")).hexdigest()
            # The function may use what it yields, and what the links are made of, for the next resource.
            yield key, _described(replace(resource, links=tuple(resource.links)))


def _described(resource: Resource) -> _outbox.Describe:
    return lambda: [_outbox.Described(resource)]
