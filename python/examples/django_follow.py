"""Fills a table of Django from the changes of a Source: what is created and updated with its bytes, and what is deleted.

Copy ``Command`` into a management command of your application (``myapp/management/commands/follow_source.py``) and call it from cron. The
settings name the Source, a folder for the state, and the model, which has the fields uri (unique), lastmod, sha256 and content.
"""

from __future__ import annotations

from typing import Any

import resourcesync as rs
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction


def apply(change: rs.AppliedChange, records: Any) -> None:
    """Applies one change. Applying it twice does no harm: after a kill it is returned again."""
    if change.change == "deleted":
        records.filter(uri=change.uri).delete()
    else:
        row = {"lastmod": change.lastmod, "sha256": change.sha256, "content": change.read()}
        records.update_or_create(uri=change.uri, defaults=row)


def follow(**options: Any) -> rs.SyncReport | None:
    """One run. A change is acknowledged after the transaction that contains it was committed."""
    records = apps.get_model(settings.RESOURCESYNC_MODEL)._default_manager
    with rs.Destination(settings.RESOURCESYNC_SOURCE, state=settings.RESOURCESYNC_STATE, **options) as destination:
        changes = destination.changes()
        for change in changes:
            with transaction.atomic():
                apply(change, records)
            change.done()
        return changes.report


class Command(BaseCommand):
    """Follows the Source of the settings."""

    help = "Fills the table from a ResourceSync Source"

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs the command; what failed is tried again by the next run."""
        try:
            report = follow(**getattr(settings, "RESOURCESYNC_OPTIONS", {}))
        except rs.SyncError as error:
            raise CommandError(str(error)) from error
        if report is not None and not report.in_step:
            raise CommandError(f"{report.outcome}: {report.counts.failed} failed")
