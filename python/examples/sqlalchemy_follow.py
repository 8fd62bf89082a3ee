"""Follows a Source with SQLAlchemy in two ways: a table that is filled from changes, and a table that is the store of a copy.

``fill`` commits and acknowledges many changes at once. ``TableCopies`` keeps the bytes themselves in the database; its Destination has no
files, and is audited and guarded like a folder.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import resourcesync as rs
from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

#: Changes per transaction.
BATCH = 500


class Base(DeclarativeBase):
    """The base of the models."""


class Record(Base):
    """What is known of a resource."""

    __tablename__ = "record"

    uri: Mapped[str] = mapped_column(primary_key=True)
    sha256: Mapped[str]
    lastmod: Mapped[str | None]
    text: Mapped[str]


class Stored(Base):
    """The bytes of a resource."""

    __tablename__ = "stored"

    path: Mapped[str] = mapped_column(primary_key=True)
    uri: Mapped[str] = mapped_column(index=True)
    content: Mapped[bytes]


def batches(changes: Iterable[rs.AppliedChange]) -> Iterator[list[rs.AppliedChange]]:
    """Lists of changes."""
    rest = iter(changes)
    while batch := list(islice(rest, BATCH)):
        yield batch


def apply(session: Session, change: rs.AppliedChange) -> None:
    """Applies one change. Applying it twice does no harm: after a kill it is returned again."""
    if change.change == "deleted":
        session.execute(delete(Record).where(Record.uri == change.uri))
    else:
        lastmod = None if change.lastmod is None else change.lastmod.isoformat()
        text = change.read().decode("utf-8", "replace")
        session.merge(Record(uri=change.uri, sha256=change.sha256, lastmod=lastmod, text=text))


def fill(destination: rs.Destination, engine: Engine) -> rs.SyncReport | None:
    """Fills the table. Changes are acknowledged after the transaction that contains them was committed."""
    with destination.changes() as changes:
        for batch in batches(changes):
            with Session(engine) as session, session.begin():
                for change in batch:
                    apply(session, change)
            changes.done(batch)
        return changes.report


class TableCopies:
    """A store of bytes in a table, for ``rs.Destination(…, copies=TableCopies(engine))``. A transaction replaces them as a whole."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def length(self, path: str, /) -> int | None:
        """The number of bytes under a path."""
        with Session(self._engine) as session:
            return session.scalar(select(func.length(Stored.content)).where(Stored.path == path))

    def put(self, resource: rs.HeldResource, content: BinaryIO, /) -> None:
        """Stores the bytes of a resource."""
        with Session(self._engine) as session, session.begin():
            session.merge(Stored(path=resource.path, uri=resource.uri, content=content.read()))

    def open(self, path: str, /) -> BinaryIO:
        """Opens the bytes under a path."""
        with Session(self._engine) as session:
            return io.BytesIO(session.scalars(select(Stored.content).where(Stored.path == path)).one())

    def remove(self, uri: str, path: str, /) -> None:
        """Removes the bytes of a resource."""
        with Session(self._engine) as session, session.begin():
            session.execute(delete(Stored).where(Stored.path == path))
