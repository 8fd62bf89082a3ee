"""What happens in a repository built on Invenio, with its packages; ends with an error if it is something else."""

from __future__ import annotations

import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path
from typing import Any

import resourcesync
from flask import Flask, Response
from platforms import copied, free_port, sync
from resourcesync.flask import Resource
from resourcesync.invenio import PidRecord, Related, _public
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.utils import import_string

# Packages of which the type checker knows nothing.
create_app_factory: Any = import_string("invenio_base.app:create_app_factory")
create_config_loader: Any = import_string("invenio_config:create_config_loader")
db: Any = import_string("invenio_db:db")
Record: Any = import_string("invenio_records.api:Record")
Pid: Any = import_string("invenio_pidstore.models:PersistentIdentifier")
Location: Any = import_string("invenio_files_rest.models:Location")
Bucket: Any = import_string("invenio_files_rest.models:Bucket")
ObjectVersion: Any = import_string("invenio_files_rest.models:ObjectVersion")
sa: Any = import_string("sqlalchemy")

url, folder = sys.argv[1], Path(sys.argv[2])
PUBLIC = folder / "public"
PORT = free_port()
BASE = f"http://127.0.0.1:{PORT}/"
TODAY = datetime.now(timezone.utc).date()


def factory(group: str) -> Any:
    return create_app_factory(
        "library",
        config_loader=create_config_loader(),
        extension_entry_points=[f"invenio_base.{group}apps"],
        blueprint_entry_points=[f"invenio_base.{group}blueprints"],
        instance_path=str(folder / "instance"),
        static_folder=str(folder / "instance" / "static"),
    )


def create(group: str = "", **settings: Any) -> Flask:
    database = {"SECRET_KEY": "x", "SQLALCHEMY_DATABASE_URI": url, "COLLECT_STATIC_ROOT": str(folder / "static")}
    own: Flask = factory(group)(**database, **settings)
    return own


# An application that is not configured: the package is installed, and does nothing.
plain = create()
plain.add_url_rule("/page", view_func=lambda: "a page")
with plain.app_context():
    db.create_all()
    Record.create({})
    db.session.commit()
    assert plain.test_client().get("/page").data == b"a page"
    failed = plain.test_cli_runner().invoke(args=["resourcesync", "publish"])
    assert failed.exit_code != 0 and "BASE_URI is missing" in failed.output, failed.output

settings = {"RESOURCESYNC_BASE_URI": BASE, "RESOURCESYNC_FOLDER": str(PUBLIC)}
app = create(**settings)
api = create("api_", **settings)
rs: Any = app.extensions["resourcesync"]


@app.get("/records/<pid>")
def record_page(pid: str) -> str:
    return f"the record {pid}"


@app.get("/records/<pid>/files/<path:key>")
def record_file(pid: str, key: str) -> Response:
    found = Record.get_record(Pid.get("recid", pid).object_uuid)
    version = ObjectVersion.get(found["_bucket"], key)
    if version is None:
        return Response("", 404)
    with version.file.storage().open() as file:
        return Response(file.read(), mimetype=version.mimetype)


def flask(*words: str, fails: str | None = None) -> str:
    done = app.test_cli_runner().invoke(args=["resourcesync", *words])
    assert (done.exit_code != 0) == (fails is not None), done.output + repr(done.exception)
    assert fails is None or fails in done.output, done.output
    return str(done.output)


def mint(pid: str, data: dict[str, Any], status: str = "R") -> Any:
    found = Record.create(data)
    Pid.create("recid", pid, status=status, object_type="rec", object_uuid=found.id)
    return found


def publish() -> list[str]:
    """What the next publication adds to the Change List, in order of the resources."""
    before = len(changes())
    rs.publish()
    return sorted(f"{change} {uri}" for change, uri in changes()[before:])


def changes(name: str = "records") -> list[tuple[str | None, str]]:
    found = PUBLIC / name / "changelist.xml"
    entries = resourcesync.iter_entries(found) if found.exists() else []
    return [(entry.change, str(entry.uri).removeprefix(f"{BASE}records/")) for entry in entries]


def listed(name: str = "records") -> dict[str, Any]:
    rs.publish(snapshot="now")
    return {str(entry.uri).removeprefix(f"{BASE}records/"): entry for entry in resourcesync.iter_entries(PUBLIC / name / "resourcelist.xml")}


class Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None: ...


@contextmanager
def served() -> Iterator[None]:
    server = make_server("127.0.0.1", PORT, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


context = app.app_context()
context.push()
flask("init")

# The first publication has everything that is registered, and its files.
for number in range(30):
    mint(str(number), {"title": f"t{number}"})
mint("reserved", {"title": "reserved"}, status="K")
Pid.create("doi", "10.1234/5", status="R", object_type="rec", object_uuid=Pid.get("recid", "5").object_uuid)
Location.query.delete()
db.session.add(Location(name="local", uri=(folder / "files").as_uri(), default=True))
db.session.commit()
bucket = Bucket.create()
with_file = mint("with file", {"_bucket": str(bucket.id)})
ObjectVersion.create(bucket, "a b.pdf", stream=BytesIO(b"content"))
db.session.commit()
text = flask("publish")
assert "records: 32 created, 0 updated, 0 deleted, 0 unchanged" in text, text
file = listed()["with%20file/files/a%20b.pdf"]
assert (file.length, file.hashes, file.type) == (7, {"md5": "9a0364b9e99bb480dd25e1f0284c8555"}, "application/pdf"), file
assert [(link.rel, link.href) for link in file.links] == [("collection", f"{BASE}records/with%20file")]
page = listed()["0"]
assert page.lastmod is not None and abs((datetime.now(timezone.utc) - page.lastmod).total_seconds()) < 600 and page.length is None


def record(pid: str) -> Any:
    return Record.get_record(Pid.get("recid", pid).object_uuid)


# Changed, registered, deleted with a tombstone or without a trace, withdrawn by its identifier, redirected.
own = record("0")
own["title"] = "changed"
own.commit()
Pid.get("recid", "reserved").register()
record("1").delete()
record("2").delete(force=True)
Pid.get("recid", "3").delete()
Pid.get("recid", "4").redirect(Pid.get("recid", "5"))
db.session.commit()
assert publish() == ["created reserved", "deleted 1", "deleted 2", "deleted 3", "deleted 4", "updated 0"]
assert not rs.publish().changed and "nothing waits" in flask("status")
Pid.get("recid", "5").assign("rec", record("6").id, overwrite=True)
db.session.commit()
assert publish() == ["updated 5"], changes()[-3:]

# Files: replaced, added, deleted; the record is committed with them.
ObjectVersion.create(bucket, "a b.pdf", stream=BytesIO(b"other content"))
ObjectVersion.create(bucket, "c.txt", stream=BytesIO(b"c"))
with_file.commit()
db.session.commit()
assert publish() == ["created with%20file/files/c.txt", "updated with%20file", "updated with%20file/files/a%20b.pdf"]
ObjectVersion.delete(bucket, "c.txt")
with_file.commit()
db.session.commit()
assert publish() == ["deleted with%20file/files/c.txt", "updated with%20file"]

# What is rolled back, wholly or to a savepoint, leaves nothing. The driver of SQLite begins no transaction before a savepoint, and keeps it.
if not url.startswith("sqlite"):
    mint("rolled back", {})
    db.session.rollback()
    assert publish() == []
    mint("kept", {})
    nested = db.session.begin_nested()
    mint("nested", {})
    nested.rollback()
    db.session.commit()
    assert publish() == ["created kept"]

# An application for the API in the same process has the same sessions: a change is written once, by the one in which it happens.
with api.app_context():
    mint("by the API", {})
    db.session.commit()
    own = db.session.execute(sa.text("SELECT count(*) FROM resourcesync_outbox")).scalar()
    # The record has no identifier when it is created.
    assert own == 1, own
assert publish() == ["created by%20the%20API"]

# WEKO3: public from the day of publication on, in the time zone of the site; versions and drafts are not published.
tomorrow = str(TODAY + timedelta(days=2))
weko = {"publish_status": "0", "publish_date": str(TODAY - timedelta(days=2)), "path": ["1"]}
mint("100", weko)
mint("100.1", weko)
mint("100.0", weko)
mint("101", {**weko, "publish_status": "1"})
mint("102", {**weko, "pubdate": {"attribute_value": tomorrow}, "publish_date": tomorrow})
mint("103", {"publish_status": "0"})
db.session.commit()
assert publish() == ["created 100"]
withdrawn = record("100")
withdrawn["publish_status"] = "1"
withdrawn.commit()
opened = record("101")
opened["publish_status"] = "0"
opened.commit()
db.session.commit()
assert publish() == ["created 101", "deleted 100"]


class Later(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return datetime.now(tz) + timedelta(days=3)


original: Any = getattr(_public, "datetime")
setattr(_public, "datetime", Later)
try:
    assert publish() == []
    text = flask("reconcile")
    assert "records: 1 created, 0 updated, 0 deleted" in text and changes()[-1] == ("created", "102"), text
finally:
    setattr(_public, "datetime", original)
assert "1 deleted" in flask("reconcile")


def is_open(role: str, day: str | None = None) -> bool:
    file = {"filename": "f", "accessrole": role, **({"date": [{"dateType": "Available", "dateValue": day}]} if day else {})}
    return _public.is_public_file(PidRecord("1", {**weko, "item_1": {"attribute_type": "file", "attribute_value_mlt": [file]}}, None), "f")


assert is_open("open_access") and is_open("open_access", str(TODAY - timedelta(days=2))) and is_open("open_date", str(TODAY - timedelta(days=2)))
assert not is_open("open_access", tomorrow) and not is_open("open_date", tomorrow) and not is_open("open_date")
assert not is_open("open_login") and not is_open("open_no") and not is_open("open_restricted") and not is_open("")
assert not _public.is_public_file(PidRecord("1", weko, None), "f") and _public.is_public_file(PidRecord("1", {}, None), "f")
app.config["BABEL_DEFAULT_TIMEZONE"] = "Pacific/Kiritimati"
begun = str((datetime.now(timezone.utc) + timedelta(hours=14)).date())
assert is_open("open_date", begun)
app.config["BABEL_DEFAULT_TIMEZONE"] = "Etc/GMT+12"
assert not is_open("open_date", begun)
del app.config["BABEL_DEFAULT_TIMEZONE"]

# InvenioRDM: access to a record, and to its files.
limited = record("with file")
limited["access"] = {"record": "public", "files": "restricted"}
limited.commit()
db.session.commit()
assert publish() == ["deleted with%20file/files/a%20b.pdf", "updated with%20file"]
limited["access"] = {"record": "restricted", "files": "public"}
limited.commit()
db.session.commit()
assert publish() == ["deleted with%20file"]
limited["access"] = {"record": "public", "files": "public"}
limited.commit()
db.session.commit()
assert publish() == ["created with%20file", "created with%20file/files/a%20b.pdf"]
for unknown in ("restricted", ["restricted"], None, {}, {"Record": "public"}, {"metadata": True, "files": True}):
    found = PidRecord("1", {"access": unknown}, with_file.model)
    assert not _public.is_public(found) and not _public.is_public_file(found, "f"), unknown

# A record with no bucket that could be one stays as it is published; the others are published, and deleted.
for number, buckets in enumerate([{"_bucket": "abc"}, {"_bucket": {"id": 1}}, {"_buckets": ["x"]}, {"_buckets": "x"}]):
    bad = mint(f"bad {number}", {})
    db.session.commit()
    assert publish() == [f"created bad%20{number}"]
    bad.update(buckets)
    bad.commit()
    good = mint(f"good {number}", {})
    db.session.commit()
    for command in ("publish", "reconcile"):
        text = flask(command, fails="records that were not published: 1")
        assert "1 failed" in text, text
    assert changes()[-1] == ("created", f"good%20{number}")
    Pid.get("recid", f"bad {number}").delete()
    db.session.commit()
    assert publish() == [f"deleted bad%20{number}"]

# Statements that no session reports.
db.session.execute(sa.text("UPDATE pidstore_pid SET status = 'D' WHERE pid_value = '7'"))
db.session.commit()
assert publish() == [] and "0 created, 0 updated, 1 deleted" in flask("reconcile") and changes()[-1] == ("deleted", "7")
db.session.execute(sa.text("UPDATE pidstore_pid SET status = 'D' WHERE pid_value = '8'"))
db.session.commit()
db.session.expire_all()
assert rs.changed([record("8").model]) == 1 and publish() == ["deleted 8"]

# A function that fails leaves the record as it is published, and is tried again.
def failing(found: PidRecord) -> bool:
    if found.pid == "9":
        raise ValueError("no answer")
    return _public.is_public(found)


app.config["RESOURCESYNC_PUBLIC"] = failing
rs._records = None
for pid in ("9", "10"):
    own = record(pid)
    own["title"] = "again"
    own.commit()
db.session.commit()
text = flask("publish", fails="records that were not published: 1")
assert "ValueError: no answer" in text and changes()[-1] == ("updated", "10")
del app.config["RESOURCESYNC_PUBLIC"]
app.config["RESOURCESYNC_LINKS"] = lambda found: [Related("describedby", f"/api/records/{found.pid}", type="application/json")]
rs._records = None
assert publish() == ["updated 9"]
assert [(link.rel, link.href) for link in listed()["9"].links] == [("describedby", f"{BASE}api/records/9")]

# The copy equals the table.
with served():
    copy = folder / "copy"
    sync(BASE, copy)
    # A page that is a folder of files, too, has another name in the copy.
    here = {name.removesuffix("^"): text for name, text in copied(copy).items()}
    truth = {each.pid_value for each in Pid.query.filter_by(pid_type="recid", status="R")} - {"1", "2", "100", "100.0", "100.1", "102", "103"}
    assert {name for name, text in here.items() if text.startswith("the record")} == truth, (set(here) ^ truth)
    assert here["a b.pdf"] == "other content" and len(here) == len(truth) + 1
    client = app.test_client()
    response = client.get("/records/capabilitylist.xml")
    assert (response.status_code, response.content_type) == (200, "application/xml")
    assert client.get("/.well-known/resourcesync").status_code == 200

    # Index trees as sets. A record moves from one to another, is in both, and is in none.
    INDEXES = {"1": "physics", "2": "history"}
    app.config["RESOURCESYNC_SETS"] = ["physics", "history"]
    app.config["RESOURCESYNC_SETS_OF"] = lambda found: [INDEXES[each] for each in found.data.get("path", ()) if each in INDEXES]
    app.config["RESOURCESYNC_FOLDER"] = str(PUBLIC := folder / "indexes")
    rs._records = None
    for pid in ("201", "202", "203"):
        mint(pid, {**weko, "path": ["1"]})
    mint("204", {**weko, "path": ["2"]})
    db.session.commit()
    rs.publish()
    assert set(listed("physics")) == {"101", "201", "202", "203"} and set(listed("history")) == {"204"}
    sync(BASE, folder / "sets")
    for pid, path in (("201", ["2"]), ("202", ["1", "2"]), ("203", ["3"]), ("204", ["1", "2"])):
        own = record(pid)
        own["path"] = path
        own.commit()
    db.session.commit()
    rs.publish()
    assert set(listed("physics")) == {"101", "202", "204"} and set(listed("history")) == {"201", "202", "204"}
    sync(BASE, folder / "sets")
    assert set(copied(folder / "sets")) == {"101", "201", "202", "204"}
    own = record("202")
    own["path"] = ["2"]
    own.commit()
    db.session.commit()
    rs.publish()
    sync(BASE, folder / "sets")
    assert set(copied(folder / "sets")) == {"101", "201", "202", "204"}
assert "VALID" in flask("validate")
app.config["RESOURCESYNC_SETS_OF"] = lambda found: ["chemistry"]
rs._records = None
own.commit()
db.session.commit()
flask("publish", fails="SETS_OF returned 'chemistry', which is not in SETS")
app.config["RESOURCESYNC_SETS"] = "physics"
rs._records = None
flask("publish", fails="SETS is a list of names")
app.config.update(RESOURCESYNC_SETS=["records"], RESOURCESYNC_SETS_OF="library:nothing")
flask("publish", fails="SETS_OF is 'library:nothing', which cannot be imported")

# All versions; Celery, which runs its tasks at once here; and a set that a function yields.
app.config.update(RESOURCESYNC_SETS=["records"], RESOURCESYNC_SETS_OF=None, RESOURCESYNC_VERSIONS="all", RESOURCESYNC_FOLDER=str(PUBLIC := folder / "all"))
rs._records = None
rs.resource_set("pages")(lambda: [Resource(f"{BASE}about")])
rs.publish()
assert {"101", "102.1"} & set(listed()) == {"101"} and "100.0" not in listed()
mint("101.1", weko)
db.session.commit()
assert publish() == ["created 101.1"] and [str(each.uri) for each in resourcesync.iter_entries(PUBLIC / "pages" / "resourcelist.xml")] == [f"{BASE}about"]
tasks: Any = app.extensions["invenio-celery"]
tasks.load_entry_points()
assert {"resourcesync.publish", "resourcesync.reconcile"} <= set(tasks.celery.tasks)
tasks.celery.conf.update(task_always_eager=True)
app.config["RESOURCESYNC_PUBLISH"] = "celery"
mint("celery", {})
db.session.commit()
assert changes()[-1] == ("created", "celery")
app.config["RESOURCESYNC_PUBLISH"] = "inline"
mint("inline", {})
db.session.commit()
assert changes()[-1] == ("created", "inline")
app.config["RESOURCESYNC_PUBLISH"] = "watch"
app.config["RESOURCESYNC_VERSION"] = "all"
flask("status", fails="did you mean 'VERSIONS'")
del app.config["RESOURCESYNC_VERSION"]


# Records as InvenioRDM has them: their rows have buckets and tombstones, and a table has the newest version of each.
Mixin: Any = import_string("invenio_records.models:RecordMetadataBase")
UUID: Any = import_string("sqlalchemy_utils.types:UUIDType")


class Work(db.Model, Mixin):  # type: ignore[misc]
    __tablename__ = "works"

    parent_id = db.Column(UUID)
    bucket_id = db.Column(UUID)
    deletion_status = db.Column(db.String(1), default="P")


class Versions(db.Model):  # type: ignore[misc]
    __tablename__ = "works_versions"

    parent_id = db.Column(UUID, primary_key=True)
    latest_id = db.Column(UUID)


class Works(Record):  # type: ignore[misc]
    model_cls = Work
    versions_model_cls = Versions


db.create_all()
PUBLIC = folder / "works"
app.config.update(RESOURCESYNC_RECORD=Works, RESOURCESYNC_VERSIONS="newest", RESOURCESYNC_FOLDER=str(PUBLIC))
rs._sets.clear()
rs._records = None


parent = uuid.uuid4()


def version(pid: str) -> Any:
    found = Works.create({"access": {"record": "public", "files": "public"}})
    found.model.parent_id, found.model.bucket_id = parent, Bucket.create().id
    ObjectVersion.create(found.model.bucket_id, "data.csv", stream=BytesIO(pid.encode()))
    Pid.create("recid", pid, status="R", object_type="rec", object_uuid=found.id)
    return found


first = version("w1")
versions = Versions(parent_id=parent, latest_id=first.id)
db.session.add(versions)
db.session.commit()
rs.publish()
assert set(listed()) == {"w1", "w1/files/data.csv"}
second = version("w2")
db.session.commit()
assert publish() == []
versions.latest_id = second.id
db.session.commit()
assert publish() == ["created w2", "created w2/files/data.csv", "deleted w1", "deleted w1/files/data.csv"]
second.model.deletion_status = "D"
db.session.commit()
assert publish() == ["deleted w2", "deleted w2/files/data.csv"]
db.session.remove()
context.pop()
