"""The tables in the database of an application: the outbox, what has been published, and what is followed."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, cast

from sqlalchemy import JSON, BigInteger, Boolean, Column, Index, Integer, MetaData, String, Table, Text, UniqueConstraint, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection, CursorResult
from sqlalchemy.orm import Session

from .. import _platform
from .._destination import AppliedChange

#: The tables, for migrations: add them to the ``target_metadata`` of Alembic.
metadata = MetaData()

# SQLite numbers rows only in a column of this type.
_Id = BigInteger().with_variant(Integer(), "sqlite")

outbox = Table(
    "resourcesync_outbox",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("set", String(100), nullable=False),
    Column("key", String(512), nullable=False),
    Column("at", BigInteger, nullable=False),
)
item = Table(
    "resourcesync_item",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("set", String(100), nullable=False),
    Column("key", String(512), nullable=False),
    Column("uri", Text, nullable=False),
    Column("stamp", Text, nullable=False),
    Column("length", BigInteger),
    Column("sha256", String(64), nullable=False),
    Index("resourcesync_item_key", "set", "key"),
    # URIs may be longer than the values of the default indexes of PostgreSQL and MySQL.
    Index("resourcesync_item_uri", "uri", postgresql_using="hash", mysql_length=255),
)
# The only row is locked by transactions that change items.
turn = Table("resourcesync_turn", metadata, Column("id", Integer, primary_key=True, autoincrement=False))
followed = Table(
    "resourcesync_followed",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("token", String(64), nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("is_due", Boolean, nullable=False),
)
held = Table(
    "resourcesync_held",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("key", String(64), nullable=False),
    Column("uri", Text, nullable=False),
    Column("lastmod", String(64), nullable=False),
    Column("length", BigInteger, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("sequence", BigInteger, nullable=False),
    UniqueConstraint("name", "key", name="resourcesync_held_key"),
)
subscription = Table(
    "resourcesync_subscription",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("key", String(255), nullable=False),
    Column("value", JSON, nullable=False),
    UniqueConstraint("name", "key", name="resourcesync_subscription_key"),
)


def create(connection: Connection) -> None:
    """Creates the tables and indexes that are missing."""
    metadata.create_all(connection)
    for table in metadata.sorted_tables:
        for index in table.indexes:
            index.create(connection, checkfirst=True)


def row(set: str, key: str) -> dict[str, Any]:
    """A row of the outbox."""
    return {"set": set, "key": key, "at": time.time_ns() // 1_000_000}


class Tables:
    """The outbox and the items.

    :param sets: the sets whose rows of the outbox are read; others are of another application, or of one that runs an older version of the code.
    """

    def __init__(self, factory: Callable[[], Session], sets: Iterable[str]) -> None:
        self._factory = factory
        self._is_own = outbox.c.set.in_(list(sets))

    def begin(self) -> None:
        """Waits for transactions of killed processes."""
        with self._turn():
            pass

    @contextmanager
    def _turn(self) -> Generator[Session]:
        with self._factory() as session, session.begin():
            _lock(session, turn, turn.c.id, 1)
            yield session

    def pending(self, after: int, limit: int) -> list[_platform.Pending]:
        """Rows of the outbox."""
        with self._factory() as session:
            rows = session.execute(select(outbox).where(outbox.c.id > after, self._is_own).order_by(outbox.c.id).limit(limit))
            return [_platform.Pending(each.id, each.set, each.key, each.at) for each in rows]

    def last(self) -> tuple[int, int]:
        """The last row of the outbox, and the number of rows."""
        with self._factory() as session:
            last, number = session.execute(select(func.max(outbox.c.id), func.count()).where(self._is_own)).one()
            return last or 0, number

    def numbers(self, set: str) -> tuple[int, int]:
        """The numbers of items and of rows of the outbox of a set."""
        with self._factory() as session:
            published, waiting = (session.scalar(select(func.count()).where(table.c.set == set)) for table in (item, outbox))
            return published or 0, waiting or 0

    def lag(self) -> timedelta | None:
        """The age of the oldest row of the outbox."""
        with self._factory() as session:
            at = session.scalar(select(outbox.c.at).where(self._is_own).order_by(outbox.c.id).limit(1))
            return None if at is None else timedelta(milliseconds=time.time_ns() // 1_000_000 - at)

    def add(self, set: str, keys: Sequence[str]) -> None:
        """Adds rows to the outbox."""
        with self._factory() as session, session.begin():
            session.connection().execute(insert(outbox), [row(set, key) for key in keys])

    def items(self, set: str, keys: Sequence[str]) -> list[_platform.Item]:
        """The items of these records."""
        return self._items(item.c.set == set, item.c.key.in_(list(keys)))

    def items_at(self, set: str, uris: Sequence[str]) -> list[_platform.Item]:
        """The items with these URIs."""
        return self._items(item.c.set == set, item.c.uri.in_(list(uris)))

    def _items(self, *criteria: Any) -> list[_platform.Item]:
        with self._factory() as session:
            rows = session.execute(select(item).where(*criteria))
            return [_platform.Item(each.id, each.key, each.uri, each.stamp, each.length, each.sha256) for each in rows]

    def item_ids(self, set: str) -> Iterator[int]:
        """The ids of all items of a set."""
        with self._factory() as session:
            yield from session.execute(select(item.c.id).where(item.c.set == set)).scalars()

    def store(self, set: str, new: Sequence[_platform.Item], changed: Sequence[_platform.Item]) -> list[int]:
        """Adds and updates items."""
        with self._turn() as session:
            connection = session.connection()
            if new:
                rows = [{"set": set, "key": each.key, "uri": each.uri, "stamp": each.stamp, "length": each.length, "sha256": each.sha256} for each in new]
                connection.execute(insert(item), rows)
            if changed:
                own = update(item).where(item.c.id == bindparam("own")).values(stamp=bindparam("s"), length=bindparam("l"), sha256=bindparam("d"))
                connection.execute(own, [{"own": each.id, "s": each.stamp, "l": each.length, "d": each.sha256} for each in changed])
            keys = {each.key for each in new}
            found = connection.execute(select(item.c.id, item.c.key, item.c.uri).where(item.c.set == set, item.c.key.in_(keys)))
            ids = {(each.key, each.uri): each.id for each in found}
            return [ids[each.key, each.uri] for each in new]

    def remove(self, pending: Sequence[int], items: Sequence[int]) -> None:
        """Removes rows of the outbox, and items."""
        with self._turn() as session:
            for table, ids in ((outbox, pending), (item, items)):
                for chunk in _platform.batched(ids, _platform.CHUNK):
                    session.execute(delete(table).where(table.c.id.in_(chunk)))


class Place:
    """The row of a Source that is followed, in a transaction that locks it."""

    def __init__(self, session: Session, name: str) -> None:
        self.session = session
        self._name = name
        self._token = ""

    def sequence(self, token: str, /) -> int:
        """The last sequence."""
        self._token = token
        found = self.session.execute(select(followed.c.token, followed.c.sequence).where(followed.c.name == self._name)).one()
        return int(found.sequence) if found.token == token else 0

    def store(self, change: AppliedChange, key: str, /) -> None:
        """Stores what is held."""
        session, name = self.session, self._name
        session.execute(delete(held).where(held.c.name == name, held.c.key == key))
        if change.change != "deleted":
            lastmod = "" if change.lastmod is None else change.lastmod.raw
            values = {"name": name, "key": key, "uri": change.uri, "lastmod": lastmod, "length": change.length, "sha256": change.sha256}
            session.execute(insert(held).values(**values, sequence=change.sequence))
        session.execute(update(followed).where(followed.c.name == name).values(token=self._token, sequence=change.sequence))

    def state(self) -> dict[str, Any]:
        """The values of the subscriber."""
        rows = self.session.execute(select(subscription.c.key, subscription.c.value).where(subscription.c.name == self._name))
        return {each.key: each.value for each in rows}

    def keep(self, values: Mapping[str, Any]) -> None:
        """Stores values of the subscriber."""
        for key, value in values.items():
            self.session.execute(delete(subscription).where(subscription.c.name == self._name, subscription.c.key == key))
            if value is not None:
                self.session.execute(insert(subscription).values(name=self._name, key=key, value=value))

    def due(self, is_due: bool) -> None:
        """Stores whether the Source has to be read."""
        self.session.execute(update(followed).where(followed.c.name == self._name).values(is_due=is_due))

    def is_due(self) -> bool:
        """Whether the Source has to be read."""
        return bool(self.session.execute(select(followed.c.is_due).where(followed.c.name == self._name)).scalar_one())


@contextmanager
def place(factory: Callable[[], Session], name: str) -> Generator[Place]:
    """The row of a Source that is followed, locked until the transaction ends."""
    with factory() as session, session.begin():
        _lock(session, followed, followed.c.name, name, token="", sequence=0, is_due=False)
        yield Place(session, name)


def _lock(session: Session, table: Table, column: Column[Any], key: Any, **values: Any) -> None:
    """Locks a row, and with SQLite the database, by a statement that writes; inserts the row if it is not there."""
    done = cast("CursorResult[Any]", session.execute(update(table).where(column == key).values({column: key})))
    if not done.rowcount:
        session.execute(insert(table).values({column.name: key, **values}))
