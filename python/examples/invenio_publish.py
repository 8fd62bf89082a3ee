"""Publishes the public records of Invenio or WEKO3 as a Source, for example from a scheduled Celery task.

The two models stand for those of invenio-pidstore and invenio-records; in an instance import them instead:

    from invenio_pidstore.models import PersistentIdentifier
    from invenio_records.models import RecordMetadata

In WEKO3 the persistent identifiers of items have the type ``recid``, and ``publish_status`` of the metadata is ``"0"`` for a public item.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any, Optional

import resourcesync as rs
from sqlalchemy import JSON, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

REGISTERED, PUBLIC = "R", "0"


class Base(DeclarativeBase):
    """The base of the models."""


class PersistentIdentifier(Base):
    """As in invenio-pidstore."""

    __tablename__ = "pidstore_pid"

    id: Mapped[int] = mapped_column(primary_key=True)
    pid_type: Mapped[str]
    pid_value: Mapped[str]
    status: Mapped[str]
    object_uuid: Mapped[Optional[uuid.UUID]]


class RecordMetadata(Base):
    """As in invenio-records."""

    __tablename__ = "records_metadata"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    json: Mapped[Optional[dict[str, Any]]] = mapped_column(JSON)
    updated: Mapped[datetime]


def records(session: Session, base: str) -> Iterator[rs.Resource]:
    """The public records, each with a link to its metadata in JSON. Deleted records have no metadata and are left out."""
    query = (
        select(PersistentIdentifier.pid_value, RecordMetadata.updated, RecordMetadata.json)
        .join(RecordMetadata, RecordMetadata.id == PersistentIdentifier.object_uuid)
        .where(PersistentIdentifier.pid_type == "recid", PersistentIdentifier.status == REGISTERED)
        .execution_options(yield_per=1000)
    )
    for value, updated, metadata in session.execute(query):
        # An item of WEKO3 has versions such as `12.1`, which are published as `12`.
        if metadata is None or metadata.get("publish_status", PUBLIC) != PUBLIC or "." in value:
            continue
        described = rs.Related("describedby", f"{base}api/records/{value}", type="application/json")
        yield rs.Resource(f"{base}records/{value}", lastmod=updated.replace(tzinfo=timezone.utc), links=[described])


def publish(session: Session, folder: str | os.PathLike[str], base: str) -> rs.PublishedRecords:
    """One run: what changed since the last one goes into the Change List."""
    return rs.publish(folder, base, records(session, base), describedby=f"{base}about", rotate="7d", keep=52)
