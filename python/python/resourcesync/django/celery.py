"""A Celery task that publishes what is in the outbox, for ``PUBLISH = "celery"`` and for a schedule."""

from __future__ import annotations

from importlib import import_module
from typing import Any


from . import _publishing


#: Celery has no types.
_shared: Any = import_module("celery").shared_task


def _publish(*_: Any) -> None:
    """Publishes what is in the outbox."""
    _publishing.publish()


def _reconcile(*_: Any) -> None:
    """Publishes what the outbox missed."""
    _publishing.reconcile()


publish: Any = _shared(name="resourcesync.publish", ignore_result=True)(_publish)
reconcile: Any = _shared(name="resourcesync.reconcile", ignore_result=True)(_reconcile)
