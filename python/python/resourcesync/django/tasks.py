"""A task of Django (from 6.0, before that of django-tasks) that publishes what is in the outbox, for ``PUBLISH = "tasks"``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import _publishing

try:
    _tasks: Any = import_module("django.tasks")
except ImportError:
    _tasks = import_module("django_tasks")


def _publish() -> None:
    _publishing.publish()


#: The task.
publish: Any = _tasks.task()(_publish)
