"""A task of Django (from 6.0, before that of django-tasks) that publishes what is in the outbox, for ``PUBLISH = "tasks"``."""

from __future__ import annotations

try:
    from django.tasks import task
except ImportError:
    from django_tasks import task

from . import _publishing


@task()
def publish() -> None:
    """Publishes what is in the outbox."""
    _publishing.publish()
