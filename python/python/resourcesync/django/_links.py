"""Links to the Capability Lists, by which clients find the sets."""

from __future__ import annotations

from . import _settings
from ._sets import registry


def capability_lists() -> list[str]:
    """The URIs of the Capability Lists of all sets."""
    base = _settings.read_to_publish().BASE_URI
    return [f"{base.rstrip('/')}/{name}/capabilitylist.xml{'.gz' if _settings.read().GZIP else ''}" for name in registry]


def header() -> str:
    """The value of ``Link`` for pages of the site."""
    return ", ".join(f'<{uri}>; rel="resourcesync"' for uri in capability_lists())
