"""A Celery task that publishes what is in the outbox, for ``PUBLISH = "celery"`` and for a schedule."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from . import _publishing


@shared_task(name="resourcesync.publish", ignore_result=True)
def publish(*_: Any) -> None:
    """Publishes what is in the outbox."""
    _publishing.publish()


@shared_task(name="resourcesync.reconcile", ignore_result=True)
def reconcile(*_: Any) -> None:
    """Publishes what the outbox missed."""
    _publishing.reconcile()
