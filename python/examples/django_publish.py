"""Publishes a Django queryset as a Source, nightly or after a change.

Copy ``publish_source`` into a management command of your application (``myapp/management/commands/publish_source.py``) and call it with
``python manage.py publish_source``. The web server serves the folder below the base URI; what the next run needs is next to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import resourcesync as rs
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


def records(queryset: Iterable[Any], base: str) -> Iterator[rs.Resource]:
    """The records of a queryset with the fields slug, changed, size and md5. Pass ``queryset.iterator()`` to keep memory constant."""
    for record in queryset:
        yield rs.Resource(f"{base}records/{record.slug}", lastmod=record.changed, length=record.size, hashes={"md5": record.md5})


def publish_source(queryset: Iterable[Any]) -> rs.PublishedRecords:
    """One run. The folder and the base URI are settings of the project."""
    base = settings.RESOURCESYNC_BASE_URI
    return rs.publish(settings.RESOURCESYNC_FOLDER, base, records(queryset, base), describedby=f"{base}about.xml", rotate="7d")


class Command(BaseCommand):
    """Publishes all records; ``RESOURCESYNC_QUERYSET`` of the settings is a function that returns them."""

    help = "Publishes all records as a ResourceSync Source"

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs the command. What was published stays if it fails."""
        try:
            done = publish_source(settings.RESOURCESYNC_QUERYSET())
        except (rs.GuardError, rs.PublishError, rs.RefusedError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{done.resources} resources, {done.created} created, {done.updated} updated, {done.deleted} deleted")
