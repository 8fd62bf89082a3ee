"""Whether anonymous users may see a record, or a file of it, by the metadata of InvenioRDM and WEKO3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import Any, cast
from zoneinfo import ZoneInfo

from flask import current_app

from ._records import PidRecord


def is_public(record: PidRecord) -> bool:
    """Whether a record is public: for WEKO3, ``publish_status`` is "0" and the day of publication has come; for InvenioRDM, ``access.record``
    is "public" and the record has no tombstone; records with neither key are public. ``access`` of another shape is not."""
    data = record.data
    if "publish_status" in data:
        # WEKO3 takes the day from the item, and keeps a copy of it in `publish_date`.
        day = _mapping(data.get("pubdate")).get("attribute_value") or data.get("publish_date")
        return data["publish_status"] == "0" and _has_come(day)
    status = getattr(record.model, "deletion_status", None)
    if getattr(status, "value", status) not in (None, "P"):
        return False
    return _is_accessible(data, "record")


def is_public_file(record: PidRecord, key: str) -> bool:
    """Whether a file of a public record is public: for WEKO3, its ``accessrole`` is "open_access" or "open_date" and its day has come; for
    InvenioRDM, ``access.files`` is "public"; files of records without either key are public."""
    if "publish_status" in record.data:
        found = next((file for file in _weko_files(record.data) if file.get("filename") == key), None)
        return found is not None and _is_open(found)
    return _is_accessible(record.data, "files")


def _is_accessible(data: Mapping[str, Any], part: str) -> bool:
    """Whether ``access`` permits reading the record or its files. Whatever is not understood may be a restriction."""
    return "access" not in data or _mapping(data["access"]).get(part) == "public"


def _weko_files(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in data.values():
        if _mapping(item).get("attribute_type") == "file":
            yield from item.get("attribute_value_mlt") or []


def _is_open(file: Mapping[str, Any]) -> bool:
    role = file.get("accessrole")
    dates: list[Any] = file.get("date") or []
    days = [_mapping(each).get("dateValue") for each in dates]
    if role == "open_access":
        return not days or not days[0] or _has_come(days[0])
    return role == "open_date" and bool(days) and _has_come(days[0])


def _has_come(day: object) -> bool:
    """Whether a day has begun, in the time zone of the site."""
    try:
        begin = datetime.strptime(str(day), "%Y-%m-%d")
    except ValueError:
        return False
    config = dict[str, Any](current_app.config)
    zone = ZoneInfo(config.get("BABEL_DEFAULT_TIMEZONE") or "UTC")
    return begin.replace(tzinfo=zone) <= datetime.now(timezone.utc)


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
