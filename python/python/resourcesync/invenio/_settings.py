"""The settings of a repository built on Invenio."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .._settings import Settings


@dataclass(frozen=True, slots=True)
class RecordSettings(Settings):
    """The keys of the setting, with their defaults. A function is given as such, or as ``"module:name"``."""

    RECORD: str | type[Any] = "invenio_records.api:Record"
    PID_TYPE: str = "recid"
    RECORD_URI: str = "/records/{pid}"
    FILE_URI: str | None = "/records/{pid}/files/{key}"
    PUBLIC: str | Callable[..., bool] = "resourcesync.invenio:is_public"
    PUBLIC_FILE: str | Callable[..., bool] = "resourcesync.invenio:is_public_file"
    VERSIONS: Literal["newest", "all"] = "newest"
    SETS: Sequence[str] = ("records",)
    SETS_OF: str | Callable[..., Any] | None = None
    LINKS: str | Callable[..., Any] | None = None
