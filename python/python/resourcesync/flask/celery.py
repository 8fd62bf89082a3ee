"""Celery tasks that publish, for ``RESOURCESYNC_PUBLISH = "celery"`` and for a schedule. They run in the context of the application."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from flask import current_app

from . import ResourceSync


#: Celery has no types.
_shared: Any = import_module("celery").shared_task


def _own() -> ResourceSync:
    return cast(ResourceSync, current_app.extensions["resourcesync"])


def _publish(*_: Any) -> None:
    """Publishes what is in the outbox."""
    _own().publish()


def _reconcile(*_: Any) -> None:
    """Publishes what the outbox missed."""
    _own().reconcile()


publish: Any = _shared(name="resourcesync.publish", ignore_result=True)(_publish)
reconcile: Any = _shared(name="resourcesync.reconcile", ignore_result=True)(_reconcile)
