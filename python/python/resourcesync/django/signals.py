"""Writes a row of the outbox when an object is saved or deleted, in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from typing import Any

from django.apps import apps
from django.db import models, transaction
from django.db.models.signals import post_delete

from ._sets import Records, records
from .models import Outbox

#: The sets of each model, by name.
_sets: dict[type[models.Model], dict[str, Records]] = {}


def connect() -> None:
    """Observes the models of all sets, and their proxies, children and parents, of which an object may be an instance."""
    for name, own in records().items():
        concrete = own.concrete
        for model in apps.get_models():
            if issubclass(model, concrete) or model._meta.concrete_model in concrete._meta.get_parent_list():
                _sets.setdefault(model, {})[name] = own
                # Django sends the signal in the transaction of the deletion.
                post_delete.connect(_changed, sender=model, dispatch_uid="resourcesync")
                _record_with_table(model)


def _changed(instance: models.Model, using: str, **_: Any) -> None:
    for name, own in _sets.get(type(instance), {}).items():
        if own.database == using:
            for key in own.keys(instance):
                Outbox.objects.using(using).create(set=name, key=key)
                wake(using)


def record(objects: Iterable[models.Model]) -> int:
    """Records objects that were changed without signals; returns the number of rows."""
    rows: dict[str, list[Outbox]] = {}
    for instance in objects:
        if instance.pk is None:
            remedy = "pass objects that were read from the database, since bulk_create(ignore_conflicts=True) does not set the key"
            raise ValueError(f"an object of {type(instance).__name__} has no primary key; {remedy}")
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


def _record_with_table(model: type[models.Model]) -> None:
    """Writes the row in one transaction with the tables of the object. Without a transaction of the application, Django commits them before it sends
    ``post_save``, which its receivers rely on; a process that is killed in between would lose the change."""
    original: Any = model._save_table
    if getattr(original, "is_recorded", False):
        return

    @wraps(original)
    def _save_table(
        self: models.Model,
        raw: bool = False,
        cls: Any = None,
        force_insert: bool = False,
        force_update: bool = False,
        using: Any = None,
        update_fields: Any = None,
    ) -> Any:
        # What fails in a transaction of the application is the application's to handle, as without the row.
        with transaction.atomic(using=using, savepoint=False):
            updated = original(self, raw, cls, force_insert, force_update, using, update_fields)
            # Those of its parents are written before, in the transaction of Django.
            if cls is type(self)._meta.concrete_model:
                _changed(self, using)
        return updated

    setattr(_save_table, "is_recorded", True)
    setattr(model, "_save_table", _save_table)
