"""The application: finds ``resourcesync.py`` in the installed applications, as the admin finds ``admin.py``."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ResourceSyncConfig(AppConfig):
    """Publishes querysets with ResourceSync."""

    name = "resourcesync.django"
    label = "resourcesync"
    verbose_name = "ResourceSync"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Finds the sets, and connects their signals."""
        from . import checks as checks
        from . import signals

        autodiscover_modules("resourcesync")
        signals.connect()
