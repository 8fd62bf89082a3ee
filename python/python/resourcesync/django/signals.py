"""Writes a row of the outbox when an object is saved or deleted, in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from typing import Any

from django.apps import apps
from django.db import models, router, transaction
from django.db.models.signals import post_delete, post_save

from ._sets import Records, records
from .models import Outbox

#: The sets of each model, by name.
_sets: dict[type[models.Model], dict[str, Records]] = {}


def connect() -> None:
    """Connects the signals of the models of all sets, and of their proxies, children and parents, since the sender is the class of the object."""
    for name, own in records().items():
        concrete = own.concrete
        for model in apps.get_models():
            if issubclass(model, concrete) or model._meta.concrete_model in concrete._meta.get_parent_list():
                _sets.setdefault(model, {})[name] = own
                post_save.connect(_changed, sender=model, dispatch_uid="resourcesync")
                post_delete.connect(_changed, sender=model, dispatch_uid="resourcesync")
                _save_in_transaction(model)


def _changed(sender: type[models.Model], instance: models.Model, using: str, **_: Any) -> None:
    for name, own in _sets.get(sender, {}).items():
        if own.database == using:
            for key in own.keys(instance):
                Outbox.objects.using(using).create(set=name, key=key)
                wake(using)


def record(objects: Iterable[models.Model]) -> int:
    """Records objects that were changed without signals; returns the number of rows."""
    rows: dict[str, list[Outbox]] = {}
    for instance in objects:
        for name, own in _sets.get(type(instance), {}).items():
            rows.setdefault(own.database, []).extend(Outbox(set=name, key=key) for key in own.keys(instance))
    for using, new in rows.items():
        with transaction.atomic(using=using):
            Outbox.objects.using(using).bulk_create(new, batch_size=1000)
            wake(using)
    return sum(len(new) for new in rows.values())


def wake(using: str) -> None:
    """Wakes the publisher after the transaction, once."""
    from ._publishing import wake as publisher

    waiting = transaction.get_connection(using).run_on_commit
    if not (waiting and waiting[-1][1] is publisher):
        transaction.on_commit(publisher, using=using, robust=True)


def _save_in_transaction(model: type[models.Model]) -> None:
    """Without a transaction, Django commits an object before it sends ``post_save``; a process that is killed in between would lose the change."""
    original: Any = model.save_base
    if getattr(original, "is_in_transaction", False):
        return

    @wraps(original)
    def save_base(self: models.Model, *args: Any, **options: Any) -> None:
        # raw, force_insert, force_update, using
        using = (args[3] if len(args) > 3 else options.get("using")) or router.db_for_write(type(self), instance=self)
        # What fails in a transaction of the caller is the caller's to handle.
        if transaction.get_connection(using).in_atomic_block:
            original(self, *args, **options)
            return
        with transaction.atomic(using=using, savepoint=False):
            original(self, *args, **options)

    setattr(save_base, "is_in_transaction", True)
    setattr(model, "save_base", save_base)
