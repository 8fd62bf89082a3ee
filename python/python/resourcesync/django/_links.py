"""Links to the Capability Lists, by which clients find the sets."""

from __future__ import annotations

from . import _settings
from ._sets import registry


def capability_lists() -> list[str]:
    """The URIs of the Capability Lists of all sets."""
    own = _settings.read_to_publish()
    return [own.capability_list(name) for name in registry]


def header() -> str:
    """The value of ``Link`` for pages of the site."""
    return ", ".join(f'<{uri}>; rel="resourcesync"' for uri in capability_lists())
