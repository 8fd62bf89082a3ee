"""Publishes querysets of Django, and follows other Sources.

Add ``"resourcesync.django"`` to ``INSTALLED_APPS``, and register sets in ``resourcesync.py`` of an application.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .._entries import Related, Resource
from .._outbox import PlatformPublished, SetCounts
from ._sets import ResourceSet, register

if TYPE_CHECKING:
    from django.db.models import Model

__all__ = ["PlatformPublished", "Related", "Resource", "ResourceSet", "SetCounts", "changed", "publish", "reconcile", "register"]


def changed(objects: Iterable[Model]) -> int:
    """Publishes objects that were changed without signals, by ``QuerySet.update``, ``bulk_create`` or ``bulk_update``; returns their number.

    >>> changed(Thesis.objects.filter(year=2024))  # doctest: +SKIP
    """
    from .signals import record

    return record(objects)


def publish(*, snapshot: str | None = None) -> PlatformPublished:
    """Publishes what is in the outbox; ``snapshot="now"`` also writes the Resource Lists. A set that was never published is reconciled."""
    from . import _publishing

    return _publishing.publish(snapshot=snapshot)


def reconcile(*, max_delete: int | str | None = None) -> PlatformPublished:
    """Compares all objects with what is published, and publishes what the outbox missed.

    :raises GuardError: if more would be deleted than ``max_delete`` allows.
    """
    from . import _publishing

    return _publishing.reconcile(max_delete=max_delete)
