"""The examples, run like a user would."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(autouse=True)
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "records.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE record (slug TEXT PRIMARY KEY, changed TEXT, size INTEGER, md5 TEXT, text TEXT)")
    for slug in ("one", "two", "three"):
        write(path, slug, slug)
    return path


def write(database: Path, slug: str, text: str) -> None:
    with sqlite3.connect(database) as connection:
        row = (slug, "2024-05-01T00:00:00Z", len(text), hashlib.md5(text.encode()).hexdigest(), text)
        connection.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?)", row)


@contextmanager
def flask(database: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[str]:
    pytest.importorskip("flask")
    serving: Any = pytest.importorskip("werkzeug.serving")
    monkeypatch.setenv("DATABASE", str(database))
    import flask_source

    server = serving.make_server("127.0.0.1", 0, flask_source.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_flask_application_publishes_a_source(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with flask(database, monkeypatch) as source:
        report = rs.crawl(source, resources="all")
        assert [str(each) for each in report if each.severity == "error"] == []
        assert [(each.resources, each.documents) for each in report.sets] == [(3, {"resource-list": 1})]


def test_a_source_is_checked_by_pytest(database: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with flask(database, monkeypatch) as source:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLES / "test_own_source.py")]
        told = subprocess.run(command, env={**os.environ, "SOURCE": source}, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told.returncode == 0 and " passed" in told.stdout, told.stdout


def test_httpx_crawls_asynchronously(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("httpx")
    import async_crawl

    with flask(database, monkeypatch) as source:
        reports = [asyncio.run(async_crawl.crawl(source)), rs.crawl(source)]
    # The lists say when they were requested.
    one, other = (re.sub(rb'"20[0-9T:-]+Z"', b"", report.to_json()) for report in reports)
    assert one == other and reports[0].is_valid


def test_a_nightly_job_lists_what_changed(database: Path, tmp_path: Path) -> None:
    import nightly

    folder, base = tmp_path / "public", "http://example.com/"

    def run(day: int) -> rs.PublishedRecords:
        done = nightly.publish(database, folder, base, datetime(2024, 5, day, 3, tzinfo=timezone.utc))
        assert rs.validate(folder).summary.errors == 0
        return done

    assert run(1).resources == 3
    write(database, "four", "four")
    assert run(2).created == 1
    write(database, "one", "another")
    assert run(3).updated == 1
    assert not run(4).changed
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM record WHERE slug = 'two'")
    assert run(9).deleted == 1
    # The list is a week old: it ends with this change.
    assert [entry.change for entry in rs.iter_entries(folder / "changelist-1.xml")] == ["created", "updated", "deleted"]
    assert list(rs.iter_entries(folder / "changelist-2.xml")) == []
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM record")
    with pytest.raises(rs.GuardError, match="max_delete"):
        run(10)
    assert rs.validate(folder).is_valid and len(list(rs.iter_entries(folder / "resourcelist.xml"))) == 3


def test_polars_sums_a_million_entries(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    import largest

    # More than the standard allows in one list, which reading accepts.
    path = tmp_path / "resourcelist.xml"
    with path.open("w") as file:
        file.write('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">')
        for number in range(1_000_000):
            kind = "text/html" if number % 4 else "image/tiff"
            file.write(f'<url><loc>http://example.com/{number}</loc><rs:md length="{number}" type="{kind}"/></url>\n')
        file.write("</urlset>")
    found = largest.largest(str(path))
    assert found["resources"].sum() == 1_000_000 and found["bytes"].sum() == sum(range(1_000_000))
    assert found["type"].to_list() == ["text/html", "image/tiff"]


def check(folder: Path, base: str, names: set[str]) -> None:
    """The folder is a valid Source that lists these records."""

    def fetch(request: rs.Request) -> rs.Response:
        path = folder / request.uri.removeprefix(base)
        return rs.Response(path.read_bytes()) if path.is_file() else rs.Response(status=404)

    report = rs.crawl(base, fetch)
    assert [str(found) for found in report if found.severity == "error" and found.code != "SD-12"] == []
    assert {str(entry.uri).rpartition("/")[2] for entry in rs.iter_entries(folder / "resourcelist.xml")} == names


def test_invenio_publishes_its_public_records(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", minversion="2")
    import uuid

    import invenio_publish as invenio
    from sqlalchemy import create_engine
    from sqlalchemy.orm import Session

    base = "http://example.com/"
    engine = create_engine("sqlite://")
    invenio.Base.metadata.create_all(engine)

    def add(session: Session, value: str, metadata: dict[str, Any] | None, status: str = "R") -> uuid.UUID:
        key = uuid.uuid4()
        session.add(invenio.PersistentIdentifier(pid_type="recid", pid_value=value, status=status, object_uuid=key))
        session.add(invenio.RecordMetadata(id=key, json=metadata, updated=datetime(2024, 5, 1)))
        return key

    with Session(engine) as session:
        for number in range(1, 6):
            add(session, str(number), {"title": "one"})
        add(session, "6", {"publish_status": "1"})
        add(session, "7", {"publish_status": "0"})
        add(session, "7.1", {"publish_status": "0"})
        add(session, "8", None)
        gone = add(session, "9", {"title": "nine"})
        add(session, "10", {}, status="D")
        session.commit()
        assert invenio.publish(session, tmp_path / "public", base).resources == 7
        record = session.get(invenio.RecordMetadata, gone)
        assert record is not None
        record.json = None
        session.commit()
        done = invenio.publish(session, tmp_path / "public", base)
    assert (done.resources, done.deleted, done.created) == (6, 1, 0)
    check(tmp_path / "public", base, {"1", "2", "3", "4", "5", "7"})
