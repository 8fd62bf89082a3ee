"""Publishes the records of a repository built on Invenio by their persistent identifiers."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from flask import Blueprint, Flask
from sqlalchemy.orm import Session
from werkzeug.utils import import_string

from .._entries import Related
from .._settings import Settings
from ..flask import PlatformPublished, ResourceSync, SetCounts, Sessions, metadata
from ..flask._sets import ResourceSet
from ._public import is_public, is_public_file
from ._records import PidRecord, Records
from ._settings import RecordSettings

__all__ = ["InvenioResourceSync", "PidRecord", "PlatformPublished", "Related", "SetCounts", "blueprint", "is_public", "is_public_file", "metadata"]


class InvenioResourceSync(ResourceSync):
    """The extension. Without ``RESOURCESYNC_BASE_URI`` and ``RESOURCESYNC_FOLDER`` it does nothing, since Invenio loads the extensions of all installed packages."""

    _kind: ClassVar[type[Settings]] = RecordSettings

    def __init__(self, app: Flask | None = None, session: Sessions | None = None) -> None:
        self._records: dict[str, ResourceSet] | None = None
        super().__init__(app, session)

    def init_app(self, app: Flask, session: Sessions | None = None) -> None:
        """Connects the extension with an application; the sessions are those of ``invenio_db``, unless others are passed."""
        if _is_configured(app) and session is None:
            session = cast(Sessions, import_string("invenio_db:db").session)
        super().init_app(app, session)

    def _registered(self) -> dict[str, ResourceSet]:
        # The models may not be imported before all extensions are initialized.
        if self._records is None:
            own = cast(RecordSettings, self.settings.to_publish())
            self._records = dict(Records.of(own))
        return {**self._records, **self._sets}

    def _new_session(self) -> Session:
        self.settings.to_publish()
        return super()._new_session()


def _is_configured(app: Flask) -> bool:
    config = dict[str, Any](app.config)
    return bool(config.get("RESOURCESYNC_BASE_URI")) and bool(config.get("RESOURCESYNC_FOLDER"))


def blueprint(app: Flask) -> Blueprint:
    """The blueprint that serves the published documents; an empty one for an application that publishes nothing."""
    if not _is_configured(app):
        return Blueprint("resourcesync", __name__)
    return cast(InvenioResourceSync, app.extensions["resourcesync"]).blueprint
