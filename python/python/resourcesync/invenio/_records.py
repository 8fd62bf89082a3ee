"""The records of a repository, each with its persistent identifier and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote
from uuid import UUID

from sqlalchemy import inspect, or_, select
from sqlalchemy.orm import Session
from werkzeug.utils import import_string

from .. import _platform
from .._entries import Related, Resource
from .._errors import ConfigError
from ._settings import RecordSettings

#: The names of digests in the checksums of Invenio, such as "md5:…".
_DIGESTS = {"md5": "md5", "sha1": "sha-1", "sha256": "sha-256", "sha384": "sha-384", "sha512": "sha-512"}


@dataclass(frozen=True, slots=True)
class PidRecord:
    """A record as the functions of the settings get it: its persistent identifier, its metadata, and its row."""

    pid: str
    data: Mapping[str, Any]
    model: Any


class Records:
    """A set of records. A record is known by the id of its persistent identifier, which survives the record."""

    def __init__(self, name: str, settings: RecordSettings) -> None:
        self._name = name
        self._settings = settings
        api = _imported(settings, "RECORD")
        self._model: Any = api.model_cls
        self._versions: Any = getattr(api, "versions_model_cls", None)
        self._pid: Any = import_string("invenio_pidstore.models:PersistentIdentifier")
        self.mapper: Any = inspect(self._pid)
        self._is_public: Callable[[PidRecord], bool] = _imported(settings, "PUBLIC")
        self._is_public_file: Callable[[PidRecord, str], bool] = _imported(settings, "PUBLIC_FILE")
        self._sets_of: Callable[[PidRecord], Iterable[str]] | None = _imported(settings, "SETS_OF")
        self._links: Callable[[PidRecord], Iterable[Related]] | None = _imported(settings, "LINKS")
        has_files = settings.FILE_URI is not None and find_spec("invenio_files_rest") is not None
        self._object: Any = import_string("invenio_files_rest.models:ObjectVersion") if has_files else None
        self._file: Any = import_string("invenio_files_rest.models:FileInstance") if has_files else None

    @staticmethod
    def of(settings: RecordSettings) -> Iterator[tuple[str, Records]]:
        """The sets of the settings, by their names."""
        if settings.VERSIONS not in ("newest", "all"):
            raise ConfigError(f"VERSIONS is {settings.VERSIONS!r}, and not one of newest, all")
        if isinstance(settings.SETS, str) or not settings.SETS or (len(settings.SETS) > 1 and settings.SETS_OF is None):
            raise ConfigError("SETS is a list of names; several need SETS_OF, a function that returns those of a record")
        for name in settings.SETS:
            yield name, Records(name, settings)

    # What changed.

    def touched(self, session: Session, rows: Sequence[Any]) -> Iterable[str]:
        """The keys of identifiers that changed, or whose records did."""
        pid, model = self._pid, self._model
        keys = [str(row.id) for row in rows if isinstance(row, pid) and row.pid_type == self._settings.PID_TYPE]
        records: list[Any] = [row.id for row in rows if isinstance(row, model)]
        # Another version becomes the newest.
        parents = [row.parent_id for row in rows if self._versions is not None and isinstance(row, self._versions)]
        if records or parents:
            own = select(pid.id).join(model, model.id == pid.object_uuid, isouter=True)
            own = own.where(pid.object_type == "rec", pid.pid_type == self._settings.PID_TYPE)
            criterion = or_(pid.object_uuid.in_(records), model.parent_id.in_(parents)) if parents else pid.object_uuid.in_(records)
            keys += map(str, session.connection(bind_arguments={"mapper": self.mapper}).execute(own.where(criterion)).scalars())
        return dict.fromkeys(keys)

    # What is published.

    def within(self, session: Session) -> _platform.RecordSet:
        """The records in a session."""
        return _RecordsOfSession(self, session)

    def read(self, session: Session, *criteria: Any) -> tuple[list[tuple[str, _platform.Describe]], Any]:
        """What is published of records, by their keys, in a transaction of its own, so that nothing is locked while others write; and the last identifier
        of the page, if it may have a next one. Nothing is published of records that are deleted, not public, or not in this set."""
        session.rollback()
        pid, model = self._pid, self._model
        query = select(pid, model).join(model, model.id == pid.object_uuid)
        registered = (pid.pid_type == self._settings.PID_TYPE, pid.object_type == "rec", pid.status == "R")
        if self._versions is not None and self._settings.VERSIONS == "newest":
            query = query.where(model.id.in_(select(self._versions.latest_id)))
        rows = session.execute(query.where(*registered, *criteria).order_by(pid.id).limit(_platform.CHUNK)).all()
        found = self._described(session, rows)
        last = rows[-1][0].id if rows else None
        session.rollback()
        return found, last

    def among(self, keys: Sequence[str]) -> Any:
        """The criterion for keys."""
        return self._pid.id.in_([int(key) for key in keys])

    def after(self, id: int) -> Any:
        """The criterion for identifiers after another one."""
        return self._pid.id > id

    def _described(self, session: Session, rows: Iterable[Any]) -> list[tuple[str, _platform.Describe]]:
        described: list[tuple[str, _platform.Describe]] = []
        published: list[tuple[str, PidRecord, UUID | None]] = []
        # The publisher reports what fails, and leaves the record as it is published.
        for pid, model in rows:
            key = str(pid.id)
            try:
                record = self._published(pid, model)
                bucket = None if record is None or self._object is None else _bucket(record)
            except Exception as error:
                described.append((key, _platform.failing(error)))
            else:
                published += [(key, record, bucket)] if record is not None else []
        files = self._files(session, {bucket for _, _, bucket in published if bucket is not None})
        for key, record, bucket in published:
            try:
                described.append((key, _known(self._resources(record, files.get(bucket, ())))))
            except Exception as error:
                described.append((key, _platform.failing(error)))
        return described

    def _published(self, pid: Any, model: Any) -> PidRecord | None:
        if model.is_deleted or model.json is None:
            return None
        record = PidRecord(pid.pid_value, model.data, model)
        if self._is_former(record) or not self._is_public(record):
            return None
        if self._sets_of is not None:
            names = set(self._sets_of(record))
            if unknown := names - set(self._settings.SETS):
                raise ConfigError(f"SETS_OF returned {min(unknown)!r}, which is not in SETS")
            if self._name not in names:
                return None
        return record

    def _is_former(self, record: PidRecord) -> bool:
        """Whether a record of WEKO3 is a version, "5.1", of the record "5", or a draft of it, "5.0"."""
        _, point, number = record.pid.rpartition(".")
        return "publish_status" in record.data and bool(point) and (number == "0" or self._settings.VERSIONS == "newest")

    def _files(self, session: Session, buckets: Set[UUID]) -> dict[UUID | None, list[tuple[Any, Any]]]:
        """The newest versions of the files in these buckets."""
        found: dict[UUID | None, list[tuple[Any, Any]]] = {}
        if not buckets:
            return found
        own, file = self._object, self._file
        query = select(own, file).join(file, own.file_id == file.id).where(own.bucket_id.in_(buckets), own.is_head.is_(True), file.readable.is_(True))
        for row in session.execute(query.order_by(own.key)):
            found.setdefault(row[0].bucket_id, []).append((row[0], row[1]))
        return found

    def _resources(self, record: PidRecord, files: Sequence[tuple[Any, Any]]) -> list[Resource]:
        """The page of a record, and its files."""
        base = self._settings.BASE_URI
        uri = _platform.joined(base, self._settings.RECORD_URI.format(pid=quote(record.pid)))
        links = [replace(link, href=_platform.joined(base, link.href)) for link in self._links(record)] if self._links else []
        page = Resource(uri, lastmod=_utc(record.model.updated), links=links)
        return [page, *(self._file_resource(record, uri, *each) for each in files if self._is_public_file(record, each[0].key))]

    def _file_resource(self, record: PidRecord, page: str, version: Any, file: Any) -> Resource:
        template = self._settings.FILE_URI or ""
        uri = _platform.joined(self._settings.BASE_URI, template.format(pid=quote(record.pid), key=quote(version.key)))
        name, _, digest = (file.checksum or "").partition(":")
        hashes = {_DIGESTS[name]: digest} if name in _DIGESTS else {}
        links = [Related("collection", page)]
        return Resource(uri, lastmod=_utc(version.updated), length=file.size, hashes=hashes, type=version.mimetype, links=links)


class _RecordsOfSession:
    def __init__(self, records: Records, session: Session) -> None:
        self._records = records
        self._session = session

    def key(self, text: str, /) -> str:
        """The key: only numbers are written."""
        return text

    def current(self, keys: Sequence[str]) -> Mapping[str, _platform.Describe]:
        """The records with these keys."""
        found, _ = self._records.read(self._session, self._records.among(keys))
        return dict(found)

    def everything(self) -> Iterator[tuple[str, _platform.Describe]]:
        """All records, in pages."""
        found, last = self._records.read(self._session)
        while last is not None:
            yield from found
            found, last = self._records.read(self._session, self._records.after(last))


def _bucket(record: PidRecord) -> UUID | None:
    """The bucket of a record: of its row (InvenioRDM), or of its metadata (invenio-records-files, WEKO3)."""
    deposit: Any = record.data.get("_buckets") or {}
    own = getattr(record.model, "bucket_id", None) or record.data.get("_bucket") or deposit.get("deposit")
    return None if own is None else UUID(str(own))


def _known(resources: Sequence[Resource]) -> _platform.Describe:
    return lambda: [_platform.Described(each) for each in resources]


def _imported(settings: RecordSettings, key: str) -> Any:
    value = getattr(settings, key)
    try:
        return import_string(value) if isinstance(value, str) else value
    except ImportError as error:
        raise ConfigError(f"{key} is {value!r}, which cannot be imported: {error}") from error


def _utc(moment: datetime) -> datetime:
    # The tables of older versions of Invenio have times without a zone, in UTC.
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=timezone.utc)
