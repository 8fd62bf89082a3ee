"""Follows other Sources: their changes are applied in Django's database, each exactly once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from django.db import DatabaseError, connections, router, transaction
from django.utils.module_loading import import_string

from .. import _commands, _following, notify
from .._destination import AppliedChange
from . import _settings
from .models import Followed, Held, Subscription


def _database() -> str:
    """The database of all tables of what is followed, whatever the router chooses for the others."""
    return router.db_for_write(Followed)


class _Place:
    """The row of a Source that is followed."""

    def __init__(self, row: Followed) -> None:
        self._row = row

    def sequence(self, token: str, /) -> int:
        """The last sequence."""
        if self._row.token != token:
            self._row.token, self._row.sequence = token, 0
        return self._row.sequence

    def store(self, change: AppliedChange, key: str, /) -> None:
        """Stores what is held."""
        name, held = self._row.name, Held.objects.using(self._row._state.db)
        if change.change == "deleted":
            held.filter(name=name, key=key).delete()
        else:
            lastmod = "" if change.lastmod is None else change.lastmod.raw
            values = {"uri": change.uri, "lastmod": lastmod, "length": change.length, "sha256": change.sha256, "sequence": change.sequence}
            held.update_or_create(name=name, key=key, defaults=values)
        self._row.sequence = change.sequence
        self._row.save()


@contextmanager
def _locked(name: str) -> Generator[Followed]:
    """The row, locked until the end of the transaction."""
    rows = Followed.objects.using(_database())
    rows.get_or_create(name=name)
    with transaction.atomic(using=rows.db):
        # A write locks the row. SQLite lets no transaction write that began with reading, if another one has written since.
        rows.filter(name=name).update(name=name)
        yield rows.get(name=name)


@contextmanager
def _place(name: str) -> Generator[_following.Place]:
    with _locked(name) as row:
        yield _Place(row)


def follow(name: str) -> _following.Applied:
    """Applies what changed since the last run."""
    own = _settings.read().followed(name)
    apply = None if own.APPLY is None else cast(_following.Apply, import_string(own.APPLY))
    Followed.objects.using(_database()).filter(name=name).update(is_due=False)
    return _following.follow(name, own.SOURCE, own.STATE, own.OPTIONS, lambda: _place(name), apply)


def answer(name: str, method: str, path: str, query: str, headers: Any, body: bytes) -> notify.Reply:
    """Answers a request of a hub, in one transaction: 202 means that it is stored."""
    callback = _settings.read().followed(name).CALLBACK or ""
    with _locked(name) as row:
        reply, values, is_due = _following.answer(callback, _state(name), method, path, query, headers, body)
        _keep(name, values)
        if is_due:
            row.is_due = True
            row.save()
    return reply


def _state(name: str) -> dict[str, Any]:
    return dict(Subscription.objects.using(_database()).filter(name=name).values_list("key", "value"))


def _keep(name: str, values: Mapping[str, Any]) -> None:
    rows = Subscription.objects.using(_database())
    for key, value in values.items():
        if value is None:
            rows.filter(name=name, key=key).delete()
        else:
            rows.update_or_create(name=name, key=key, defaults={"value": value})


def _subscribing(name: str) -> _following.Subscribing | None:
    own = _settings.read().followed(name)
    if own.CALLBACK is None:
        return None

    def swap(key: str, before: Any, after: Any) -> None:
        with _locked(name):
            if _state(name).get(key) == before:
                _keep(name, {key: after})

    allow = own.OPTIONS.get("allow_host", ())
    return _following.Subscribing(own.CALLBACK, own.SOURCE, lambda: _state(name), swap, allow)


def watch(name: str, write: Callable[[str], object]) -> None:
    """Follows at once, after each notification, and at the latest after ``EVERY`` seconds, until the process is told to end."""
    subscribing = _subscribing(name)
    _commands.watch_source(
        name,
        _settings.read().followed(name).EVERY,
        None if subscribing is None else subscribing.run,
        lambda: Followed.objects.using(_database()).filter(name=name, is_due=True).exists(),
        lambda: follow(name),
        connections.close_all,
        (DatabaseError,),
        write,
    )
