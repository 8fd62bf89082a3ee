"""A part of a URL that is the path of a published document."""

from __future__ import annotations

from .. import _serving
from . import _settings


class DocumentConverter:
    """Matches the paths of files in ``FOLDER``."""

    regex = ".+"

    def to_python(self, value: str) -> str:
        """The path. ``ValueError`` means that this URL is not meant."""
        if _serving.found(_settings.read_to_publish().folder, value) is None:
            raise ValueError(value)
        return value

    def to_url(self, value: str) -> str:
        """The path."""
        return value
