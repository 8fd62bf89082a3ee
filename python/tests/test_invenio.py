"""Invenio: the tutorial, what happens in a repository with its packages, and the database of a WEKO3 as a Source. scripts/invenio runs it."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import urllib.parse
import uuid
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
import tutorial
from conftest import ROOT
from platforms import Cluster, copied, environment, free_port, postgres

pytest.importorskip("invenio_base")

PAGE = ROOT / "docs" / "python" / "invenio.md"
CASES = Path(__file__).with_name("invenio_cases.py")
#: Warnings of Invenio's packages about each other are no errors.
OWN = environment(PYTHONWARNINGS="ignore")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cluster]:
    with postgres(tmp_path_factory.mktemp("postgres")) as found:
        yield found


def test_the_tutorial_leads_to_a_follower_in_step(tmp_path: Path) -> None:
    output = tutorial.run(PAGE, tmp_path, OWN, {"5000": str(free_port())}, until="Settings")
    assert "records: 3 created, 0 updated, 0 deleted, 0 unchanged" in output, output
    assert "records: 1 created, 0 updated, 2 deleted, 0 unchanged" in output, output
    assert output.lower().count("in step") >= 2 and "VALID: no findings" in output and "nothing waits" in output, output
    assert set(copied(tmp_path / "copy").values()) == {"On dumps", "On changes"}
    assert sorted(str(entry.change) for entry in rs.iter_entries(tmp_path / "public" / "records" / "changelist.xml")) == ["created", "deleted", "deleted"]


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_what_happens_in_a_repository(database: str, tmp_path: Path, cluster: Cluster) -> None:
    url = f"sqlite:///{tmp_path}/d.sqlite"
    if database == "postgresql":
        url = f"postgresql+psycopg2://postgres@/{cluster.database()}?host={cluster.folder}"
    done = subprocess.run([sys.executable, str(CASES), url, str(tmp_path)], env=OWN, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


#: Metadata as WEKO3 writes it: an item, its version and its draft, and an application for the use of data.
ITEM: dict[str, Any] = {
    "path": ["1758900000001"],
    "pubdate": {"attribute_name": "PubDate", "attribute_value": "2026-09-17"},
    "publish_date": "2026-09-17",
    "publish_status": "0",
    "item_type_id": "15",
    "item_1617605131499": {
        "attribute_name": "File",
        "attribute_type": "file",
        "attribute_value_mlt": [
            {"filename": "本文.pdf", "accessrole": "open_access", "date": [{"dateType": "Available", "dateValue": "2026-09-17"}]},
            {"filename": "data.csv", "accessrole": "open_restricted", "date": [{"dateType": "Available", "dateValue": "2026-09-17"}]},
        ],
    },
}
#: Makes the tables as the versions of the packages in WEKO3 do, which have times without zones.
TABLES = """
from invenio_db import db
from weko import create_app
with create_app().app_context():
    db.create_all()
    for table in ("records_metadata", "pidstore_pid", "files_object", "files_files", "files_bucket"):
        for column in ("created", "updated"):
            db.session.execute(db.text(f"ALTER TABLE {table} ALTER {column} TYPE timestamp USING {column} AT TIME ZONE 'UTC'"))
            db.session.execute(db.text(f"ALTER TABLE {table} ALTER {column} SET DEFAULT (now() AT TIME ZONE 'UTC')"))
    db.session.commit()
"""


def test_the_database_of_a_weko3_is_published(tmp_path: Path, cluster: Cluster) -> None:
    for name, text in re.findall(r"```\w+\n(?:#|--) (weko\.\w+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        (tmp_path / name).write_text(text, "utf-8")
    database = cluster.database()
    own = {**OWN, "WEKO_DATABASE": f"postgresql+psycopg2://postgres@/{database}?host={cluster.folder}", "FLASK_APP": "weko:create_app"}

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    table: Any = pytest.importorskip("psycopg").connect(f"host={cluster.folder} user=postgres dbname={database}", autocommit=True)

    def insert(pid: str, data: dict[str, Any], files: Iterable[str] = ()) -> None:
        record, bucket = uuid.uuid4(), uuid.uuid4()
        with table.transaction():
            table.execute("INSERT INTO files_bucket (id, default_location, default_storage_class, size, locked, deleted) VALUES (%s, 1, 'S', 0, false, false)", [bucket])
            for key in files:
                file = uuid.uuid4()
                table.execute("INSERT INTO files_files (id, size, checksum, readable, writable) VALUES (%s, 7, 'sha256:' || repeat('0', 64), true, false)", [file])
                table.execute("INSERT INTO files_object (version_id, key, bucket_id, file_id, is_head) VALUES (%s, %s, %s, %s, true)", [uuid.uuid4(), key, bucket, file])
            json_ = json.dumps({**data, "recid": pid, "_buckets": {"deposit": str(bucket)}})
            table.execute("INSERT INTO records_metadata (id, json, version_id) VALUES (%s, %s, 1)", [record, json_])
            for kind in ("recid", "depid"):
                pids = "INSERT INTO pidstore_pid (pid_type, pid_value, status, object_type, object_uuid) VALUES (%s, %s, 'R', 'rec', %s)"
                table.execute(pids, [kind, pid, record])

    def update(pid: str, **data: object) -> None:
        change = "UPDATE records_metadata SET json = json || %s::jsonb WHERE json ->> 'recid' = %s"
        assert table.execute(change, [json.dumps(data), pid]).rowcount == 1

    def listed(name: str) -> set[str]:
        run("flask", "resourcesync", "snapshot")
        return {urllib.parse.unquote(str(entry.uri)).removeprefix("https://weko.example.org/") for entry in rs.iter_entries(tmp_path / "public" / name / "resourcelist.xml")}

    run(sys.executable, "-c", TABLES)
    table.execute("INSERT INTO files_location (id, created, updated, name, uri, \"default\") VALUES (1, now(), now(), 'local', '/data', true)")
    run("flask", "resourcesync", "init")
    table.execute((tmp_path / "weko.sql").read_text())
    for pid in ("2003976", "2003976.1", "2003976.0"):
        insert(pid, ITEM, ["本文.pdf", "data.csv"])
    insert("2003977", {**ITEM, "item_type_id": "31001"})
    insert("2003978", {**ITEM, "path": ["1758900000009"]})
    insert("2003979", {**ITEM, "path": ["1758900000002"]})
    assert "theses: 2 created" in (text := run("flask", "resourcesync", "publish")) and "papers: 1 created" in text, text
    assert listed("theses") == {"records/2003976", "record/2003976/files/本文.pdf"} and listed("papers") == {"records/2003979"}

    # What WEKO3 changes is reported by the triggers: withdrawn, moved, opened, deleted.
    update("2003976", publish_status="1")
    insert("2003980", ITEM)
    assert "theses: 1 created, 0 updated, 2 deleted" in (text := run("flask", "resourcesync", "publish")), text
    update("2003979", path=["1758900000001"])
    update("2003976", publish_status="0")
    table.execute("UPDATE pidstore_pid SET status = 'D' WHERE pid_value = '2003980'")
    assert "theses: 3 created, 0 updated, 1 deleted" in (text := run("flask", "resourcesync", "publish")), text
    assert listed("theses") == {"records/2003976", "record/2003976/files/本文.pdf", "records/2003979"} and listed("papers") == set()
    with contextlib.suppress(ZeroDivisionError), table.transaction():
        update("2003976", publish_status="1")
        raise ZeroDivisionError
    assert "0 deleted" in run("flask", "resourcesync", "publish") and "0 created, 0 updated, 0 deleted" in run("flask", "resourcesync", "reconcile")
    table.execute("DELETE FROM records_metadata WHERE json ->> 'recid' = '2003979'")
    assert "theses: 0 created, 0 updated, 1 deleted" in run("flask", "resourcesync", "publish")
    assert rs.validate(tmp_path / "public").is_valid
    table.close()
