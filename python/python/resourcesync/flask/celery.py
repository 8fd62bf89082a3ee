"""Celery tasks that publish, for ``RESOURCESYNC_PUBLISH = "celery"`` and for a schedule. They run in the context of the application."""

from __future__ import annotations

from typing import Any, cast

from celery import shared_task
from flask import current_app

from . import ResourceSync


def _own() -> ResourceSync:
    return cast(ResourceSync, current_app.extensions["resourcesync"])


@shared_task(name="resourcesync.publish", ignore_result=True)
def publish(*_: Any) -> None:
    """Publishes what is in the outbox."""
    _own().publish()


@shared_task(name="resourcesync.reconcile", ignore_result=True)
def reconcile(*_: Any) -> None:
    """Publishes what the outbox missed."""
    _own().reconcile()
