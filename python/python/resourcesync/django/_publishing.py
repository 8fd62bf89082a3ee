"""Publishes the registered sets: the outbox and the items in Django's database."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import cast

from django.db import models, transaction
from django.utils import timezone

from .. import _outbox, _platform
from .._errors import ConfigError
from . import _settings
from ._sets import records, registry
from .models import Item, Outbox, Publication, Turn

logger = logging.getLogger("resourcesync")

#: Publications that are kept.
_KEPT = 1000
#: Findings that are kept of a validation.
_FINDINGS = 100


class Tables:
    """The outbox and the items."""

    def __init__(self, using: str) -> None:
        self._using = using

    def begin(self) -> None:
        """Waits for transactions of killed processes."""
        Turn.objects.using(self._using).get_or_create(pk=1)
        with self._turn():
            pass

    @contextmanager
    def _turn(self) -> Generator[None]:
        with transaction.atomic(using=self._using):
            # A write locks the row. SQLite lets no transaction write that began with reading, if another one has written since.
            Turn.objects.using(self._using).filter(pk=1).update(id=1)
            yield

    def pending(self, after: int, limit: int) -> list[_platform.Pending]:
        """Rows of the outbox."""
        rows = waiting(self._using).filter(id__gt=after).order_by("id")[:limit]
        return [_platform.Pending(row.id, row.set, row.key, row.at) for row in rows]

    def add(self, set: str, keys: Sequence[str]) -> None:
        """Adds rows to the outbox."""
        Outbox.objects.using(self._using).bulk_create([Outbox(set=set, key=key) for key in keys], batch_size=1000)

    def items(self, set: str, keys: Sequence[str]) -> list[_platform.Item]:
        """The items of these objects."""
        return [_item(row) for row in Item.objects.using(self._using).filter(set=set, key__in=keys)]

    def items_at(self, set: str, uris: Sequence[str]) -> list[_platform.Item]:
        """The items with these URIs."""
        return [_item(row) for row in Item.objects.using(self._using).filter(set=set, uri__in=uris)]

    def item_ids(self, set: str) -> Iterator[int]:
        """The ids of all items of a set."""
        yield from Item.objects.using(self._using).filter(set=set).values_list("id", flat=True).iterator()

    def store(self, set: str, new: Sequence[_platform.Item], changed: Sequence[_platform.Item]) -> list[int]:
        """Adds and updates items."""
        rows = Item.objects.using(self._using)
        with self._turn():
            added = rows.bulk_create([_row(set, item) for item in new])
            if changed:
                rows.bulk_update([_row(set, item) for item in changed], ["stamp", "length", "sha256"])
            if all(row.pk is not None for row in added):
                return [row.pk for row in added]
            # A database without RETURNING.
            ids = {(row.key, row.uri): row.id for row in rows.filter(set=set, key__in=[item.key for item in new])}
            return [ids[item.key, item.uri] for item in new]

    def remove(self, pending: Sequence[int], items: Sequence[int]) -> None:
        """Removes rows of the outbox, and items."""
        with self._turn():
            for chunk in _platform.batched(pending, _platform.CHUNK):
                Outbox.objects.using(self._using).filter(pk__in=chunk).delete()
            for chunk in _platform.batched(items, _platform.CHUNK):
                Item.objects.using(self._using).filter(pk__in=chunk).delete()


def waiting(using: str) -> models.QuerySet[Outbox]:
    """The rows of the outbox of the registered sets; others are of another project, or of a process that runs another version of the code."""
    return cast("models.QuerySet[Outbox]", Outbox.objects.using(using).filter(set__in=list(registry)))


def _item(row: Item) -> _platform.Item:
    return _platform.Item(row.id, row.key, row.uri, row.stamp, row.length, row.sha256)


def _row(set: str, item: _platform.Item) -> Item:
    return Item(id=item.id or None, set=set, key=item.key, uri=item.uri, stamp=item.stamp, length=item.length, sha256=item.sha256)


def database() -> str:
    """The database of all sets."""
    databases = {own.database for own in records().values()}
    if not databases:
        raise ConfigError("no set is registered: is there a resourcesync.py in an application of INSTALLED_APPS?")
    if len(databases) > 1:
        raise ConfigError(f"the sets are in several databases: {', '.join(sorted(databases))}")
    return databases.pop()


def _publisher() -> _outbox.Publisher:
    own, using = _settings.read_to_publish(), database()
    # A publication inside a transaction would publish what may be rolled back.
    with transaction.atomic(using=using, durable=True):
        pass
    return _outbox.Publisher(own.source(), own.FOLDER, Tables(using), records(), wait=own.WAIT)


def publish(*, snapshot: str | None = None) -> _outbox.PlatformPublished:
    """Publishes what is in the outbox; ``snapshot="now"`` also writes the Resource Lists."""
    return _recorded(_publisher().publish(snapshot=snapshot))


def reconcile(*, max_delete: int | str | None = None) -> _outbox.PlatformPublished:
    """Compares all objects with what is published, and publishes what was missed."""
    return _recorded(_publisher().reconcile(max_delete=max_delete))


def pending() -> tuple[int, int]:
    """The last row of the outbox and the number of rows; two equal values mean that nothing was added."""
    found = waiting(database()).aggregate(last=models.Max("id"), number=models.Count("id"))
    return found["last"] or 0, found["number"]


def wake() -> None:
    """Publishes after a transaction, in the way of the settings. A publisher that watches needs no signal."""
    kind = _settings.read().PUBLISH
    if kind == "inline":
        if pending()[1]:
            publish()
    elif kind == "celery":
        from .celery import publish as celery_task

        celery_task.delay()
    elif kind == "tasks":
        from .tasks import publish as task

        task.enqueue()


def record(kind: str, problems: Sequence[str], done: _outbox.PlatformPublished | None = None) -> None:
    """Stores what was done, for the admin pages."""
    sets = {} if done is None else {name: asdict(counts) for name, counts in done.sets.items()}
    total = {each: sum(counts[each] for counts in sets.values()) for each in ("created", "updated", "deleted", "unchanged")}
    now = timezone.now()
    rows = Publication.objects.using(database())
    own = rows.create(
        at=now, kind=kind, sets=sets, problems=list(problems[:_FINDINGS]), waiting=0 if done is None else done.waiting, **total
    )
    rows.filter(pk__lte=own.pk - _KEPT).delete()


def last() -> Publication | None:
    """The last publication that was recorded."""
    found: Publication | None = Publication.objects.using(database()).exclude(kind="validate").first()
    return found


def _recorded(done: _outbox.PlatformPublished) -> _outbox.PlatformPublished:
    before = last()
    if done.is_news(*((), 0) if before is None else (before.problems, before.waiting)):
        record(done.kind, done.first_problems, done)
    return done
