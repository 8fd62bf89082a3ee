"""The setting ``RESOURCESYNC``."""

from __future__ import annotations

from django.conf import settings

from .. import _settings
from .._settings import Settings as Settings


def read() -> Settings:
    """The settings of the project. Raises :class:`ConfigError` for what is wrong in them."""
    return _settings.read(getattr(settings, "RESOURCESYNC", {}), Settings)


def read_to_publish() -> Settings:
    """The same, if they suffice to publish."""
    return read().to_publish()
