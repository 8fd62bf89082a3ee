"""What happens in an application with Flask and SQLAlchemy; ends with an error if it is something else."""

from __future__ import annotations

import enum
import re
import sys
import warnings
from collections.abc import Iterator
from datetime import date, datetime, timezone
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import resourcesync
from flask import Flask, has_request_context, url_for
from resourcesync import _platform
from resourcesync.flask import Related, Resource, ResourceSync, _tables
from resourcesync import ConfigError
from sqlalchemy import CHAR, Boolean, Column, Date, DateTime, Enum, ForeignKey, Integer, LargeBinary, Numeric, String, create_engine, inspect, text as text_of, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import declarative_base, relationship, scoped_session, sessionmaker

url, folder = sys.argv[1], Path(sys.argv[2])
BASE = "http://127.0.0.1:5000/"
PUBLIC = folder / "public"

# Models as SQLAlchemy 1.4 and 2 accept them.
Base: Any = declarative_base()


def now() -> datetime:
    return datetime.now(timezone.utc).replace(tzinfo=None)


class Thesis(Base):  # type: ignore[misc]
    __tablename__ = "theses"

    id = Column(Integer, primary_key=True)
    title = Column(String(200))
    public = Column(Boolean, default=True, nullable=False)
    path = Column(String(200), unique=True)
    updated = Column(DateTime, default=now, onupdate=now)


class Special(Thesis):
    """A row of a subclass is one of the set, too."""


class Page(Base):  # type: ignore[misc]
    __tablename__ = "pages"

    slug = Column(String(100), primary_key=True)
    parts = relationship("Part", lazy="joined")


class Part(Base):  # type: ignore[misc]
    __tablename__ = "parts"

    id = Column(Integer, primary_key=True)
    page: Any = Column(ForeignKey("pages.slug"))


class Kind(enum.Enum):
    ARTICLE = "article"
    BOOK = "book"


class Daily(Base):  # type: ignore[misc]
    __tablename__ = "daily"

    key = Column(Date, primary_key=True)


class Kinds(Base):  # type: ignore[misc]
    __tablename__ = "kinds"

    key: Any = Column(Enum(Kind), primary_key=True)


class Digest(Base):  # type: ignore[misc]
    __tablename__ = "digests"

    key = Column(LargeBinary(4), primary_key=True)


class Number(Base):  # type: ignore[misc]
    __tablename__ = "numbers"

    key = Column(Integer, primary_key=True, autoincrement=False)


class Issue(Base):  # type: ignore[misc]
    __tablename__ = "issues"

    key = Column(Numeric(10, 2), primary_key=True)


class Country(Base):  # type: ignore[misc]
    __tablename__ = "countries"

    key = Column(CHAR(5), primary_key=True)


class Code(Base):  # type: ignore[misc]
    __tablename__ = "codes"

    key = Column(String(1000), primary_key=True)


class Moment(Base):  # type: ignore[misc]
    __tablename__ = "moments"

    key = Column(DateTime, primary_key=True)


app = Flask(__name__)
app.config.update(RESOURCESYNC_BASE_URI=BASE, RESOURCESYNC_FOLDER=str(PUBLIC))
engine = create_engine(url)
Session = scoped_session(sessionmaker(bind=engine))
rs = ResourceSync(app, Session)


@app.get("/theses/<name>")
def thesis(name: str) -> str:
    return name


def links(row: Any) -> list[Related]:
    return [Related("describedby", f"/metadata/{row.id}", type="application/xml")]


rs.model(Thesis, uri=lambda row: url_for("thesis", name=row.title) if row.path is None else str(row.path), lastmod="updated", where=Thesis.public, links=links)
static = {"about"}


@rs.resource_set("pages")
def pages() -> Iterator[Resource]:
    for name in sorted(static):
        yield Resource(f"{BASE}{name}")


app.register_blueprint(rs.blueprint)
runner = app.test_cli_runner()


def flask(*words: str, fails: str | None = None) -> str:
    done = runner.invoke(args=["resourcesync", *words])
    assert (done.exit_code != 0) == (fails is not None), done.output + repr(done.exception)
    assert fails is None or fails in done.output, done.output
    return str(done.output)


def last_changes(number: int) -> list[tuple[str | None, str]]:
    entries = list(resourcesync.iter_entries(PUBLIC / "theses" / "changelist.xml"))[-number:]
    return [(entry.change, str(entry.uri).removeprefix(f"{BASE}theses/")) for entry in entries]


def published(name: str, own: ResourceSync) -> set[str]:
    """What another application has published in a set."""
    done = own.publish(snapshot="now")
    assert done.is_complete, done.problems
    return {str(entry.uri).removeprefix(BASE) for entry in resourcesync.iter_entries(own.settings.folder / name / "resourcelist.xml")}


def application(name: str, sessions: Any) -> ResourceSync:
    """Another application, with a folder of its own."""
    found = Flask(name)
    found.config.update(RESOURCESYNC_BASE_URI=BASE, RESOURCESYNC_FOLDER=str(folder / name))
    return ResourceSync(found, sessions)


# Tables of a version without the index of URIs, which is added.
flask("init")
with engine.begin() as connection:
    connection.execute(text_of("DROP INDEX resourcesync_item_uri"))
flask("init")
flask("init")
assert "resourcesync_item_uri" in {index["name"] for index in inspect(engine).get_indexes("resourcesync_item")}
Base.metadata.create_all(engine)
Session.add_all(Thesis(title=f"t{n}") for n in range(30))
Session.commit()
text = flask("publish")
assert "theses: 30 created, 0 updated, 0 deleted, 0 unchanged" in text and "pages: 1 created" in text, text

# Added, changed, hidden and deleted.
found: Any = Session.query(Thesis).order_by(Thesis.id).limit(3)
one, two, three = found
one.title = "first"
two.public = False
Session.delete(three)
Session.add(Special(title="special"))
Session.commit()
done = rs.publish()
assert (done.sets["theses"].created, done.sets["theses"].updated, done.sets["theses"].deleted) == (2, 0, 3), done
assert sorted(last_changes(5)) == [("created", "first"), ("created", "special"), ("deleted", "t0"), ("deleted", "t1"), ("deleted", "t2")]
(entry,) = (each for each in resourcesync.iter_entries(PUBLIC / "theses" / "changelist.xml") if str(each.uri).endswith("special"))
assert entry.links[0].href is not None and entry.links[0].href.startswith(f"{BASE}metadata/")
assert entry.lastmod is not None and abs((datetime.now(timezone.utc) - entry.lastmod).total_seconds()) < 600

# What is rolled back, wholly or to a savepoint, leaves nothing.
Session.add(Thesis(title="rolled back"))
Session.flush()
Session.rollback()
assert not rs.publish().changed
Session.add(Thesis(title="kept"))
Session.flush()
nested = Session.begin_nested()
Session.add(Thesis(title="nested"))
Session.flush()
nested.rollback()
Session.commit()
assert rs.publish().sets["theses"].created == 1 and last_changes(1) == [("created", "kept")]
assert "nothing waits" in flask("status")

# Statements are found by a comparison, or stated; so is what a function yields.
Session.execute(update(Thesis).where(Thesis.title == "kept").values(public=False).execution_options(synchronize_session=False))
Session.commit()
static.add("imprint")
assert not rs.publish().changed
text = flask("reconcile")
assert "0 created, 0 updated, 1 deleted" in text and "pages: 1 created, 0 updated, 0 deleted, 1 unchanged" in text, text
Session.execute(update(Thesis).where(Thesis.title == "kept").values(public=True).execution_options(synchronize_session=False))
Session.commit()
assert rs.changed(Session.query(Thesis).filter(Thesis.title == "kept")) == 1
Session.rollback()
assert rs.publish().sets["theses"].created == 1
Session.execute(update(Thesis).where(Thesis.title.like("t%")).values(public=False).execution_options(synchronize_session=False))
Session.commit()
flask("reconcile", fails="--max-delete")
assert "deleted" in flask("reconcile", "--max-delete", "95%")

# Two versions of a work have its URI, as long as the old one is the newest: what is published under it stays.
version = Thesis(title="work")
Session.add(version)
Session.commit()
rs.publish()
Session.add(Thesis(title="work"))
Session.commit()
rs.publish()
version.public = False
Session.commit()
assert rs.publish().sets["theses"].deleted == 0

# A row that cannot be published is reported, blocks no other, and is tried again.
bad = Thesis(title="bad", path="/about.html")
Session.add(bad)
Session.add(Thesis(title="good"))
Session.commit()
text = flask("publish", fails="records that were not published: 1")
assert "1 created" in text and "1 refused" in text and f"record {bad.id}: {BASE}about.html has the URI of a document" in text, text
assert " published, 1 waiting\n" in (text := flask("status")) and re.search(r"lag: \d+\.\d s", text), text
bad.path = "/good.html"
Session.commit()
assert rs.publish().sets["theses"].created == 1 and "nothing waits" in flask("status")

# In the request.
app.config["RESOURCESYNC_PUBLISH"] = "inline"
with Session.begin_nested():
    Session.add(Thesis(title="inline"))
assert ("created", "inline") not in last_changes(3)
Session.commit()
assert last_changes(1) == [("created", "inline")]

# A publication in a request, or outside of all contexts, ends none of them. The functions are those of Flask's documentation.
closing = application("closing", Session)
closing.app.config["RESOURCESYNC_PUBLISH"] = "inline"
closing.model(Thesis, set="closing", uri=lambda row: url_for("saved", title=row.title, _external=row.id % 2 == 0))
ended: list[str] = []


@closing.app.teardown_request
def request_ended(_: object) -> None:
    ended.append("request")


@closing.app.teardown_appcontext
def context_ended(_: object) -> None:
    Session.remove()


@closing.app.get("/save/<title>")
def saved(title: str) -> str:
    own = Thesis(title=title)
    Session.add(own)
    Session.commit()
    assert not ended and has_request_context()
    return str(own.title)


for title in ("in a request", "in another one"):
    assert closing.app.test_client().get(f"/save/{title}", base_url="http://internal.example/").text == title and ended.pop() == "request"
row = Thesis(title="outside")
Session.add(row)
Session.commit()
assert row.title == "outside" and not ended
assert {"save/in%20a%20request", "save/in%20another%20one", "save/outside"} <= published("closing", closing)
closing.app.config["RESOURCESYNC_PUBLISH"] = "watch"
rs.publish()

# A savepoint that fails, or is rolled back, does not cancel what was written before it.
for number, error in enumerate([IntegrityError, RuntimeError]):
    Session.add(Thesis(title=f"before {number}"))
    Session.flush()
    try:
        with Session.begin_nested():
            Session.add(Thesis(title="nested", path="/good.html" if error is IntegrityError else None))
            Session.flush()
            raise RuntimeError
    except error:
        pass
    Session.commit()
    assert last_changes(1) == [("created", f"before%20{number}")], last_changes(1)
Session.add(Thesis(title="rolled back"))
Session.flush()
Session.rollback()
assert not any("rolled" in str(uri) for _, uri in last_changes(9))

# Celery, which runs its tasks at once here.
if "celery" in sys.argv:
    celery: Any = import_module("celery")
    celery.Celery("library", set_as_current=True).conf.update(task_always_eager=True)
    app.config["RESOURCESYNC_PUBLISH"] = "celery"
    with app.app_context():
        Session.add(Thesis(title="celery"))
        Session.commit()
    assert last_changes(1) == [("created", "celery")]
app.config["RESOURCESYNC_PUBLISH"] = "watch"

# Two records exchange their URIs, and are read one after the other: neither deletes what the other has taken.
found = Session.query(Thesis).filter(Thesis.title.in_(["first", "special"])).order_by(Thesis.id)
one, two = found
one.title = "special"
Session.commit()
two.title = "first"
Session.commit()
chunk = _platform.CHUNK
setattr(_platform, "CHUNK", 1)
rs.publish()
setattr(_platform, "CHUNK", chunk)
rs.publish(snapshot="now")
assert {f"{BASE}theses/first", f"{BASE}theses/special"} <= {entry.uri for entry in resourcesync.iter_entries(PUBLIC / "theses" / "resourcelist.xml")}

# A second application of the process with the same sessions: a change is written by the one in which it happens.
other = Flask("other")
other.config.update(RESOURCESYNC_BASE_URI=BASE, RESOURCESYNC_FOLDER=str(PUBLIC))
ResourceSync(other, Session).model(Thesis, uri=lambda row: f"/theses/{row.title}")
with app.app_context():
    Session.add(Thesis(title="once"))
    Session.commit()
assert ", 1 waiting" in flask("status") and rs.publish().sets["theses"].created == 1

# A third one does not have the extension.
with Flask("plain").app_context():
    Session.add(Thesis(title="plain"))
    Session.commit()
assert rs.publish().sets["theses"].created == 1 and last_changes(1) == [("created", "plain")]

# Primary keys that change, and rows with a joined collection.
Sessions = sessionmaker(bind=engine)
slugs = application("slugs", Sessions)
slugs.model(Page, set="slugs", uri=lambda row: f"/{row.slug}")
with Sessions() as session:
    session.add_all([Page(slug="a", parts=[Part(), Part()]), Page(slug="b")])
    session.commit()
assert published("slugs", slugs) == {"a", "b"}
with Sessions() as session:
    session.get(Page, "b").slug = "c"
    session.commit()
assert published("slugs", slugs) == {"a", "c"}

# Long URIs that differ only at their beginning.
slugs.resource_set("long")(lambda: [Resource(f"{BASE}{name}?{'q' * 600}") for name in "abc"])
assert slugs.publish().sets["long"].created == 3 and len(published("long", slugs)) == 3
assert slugs.reconcile().sets["long"].unchanged == 3

# Links that are read when the function yields.
slugs.resource_set("linked")(lambda: (Resource(f"{BASE}{n}", links=(Related("describedby", f"{BASE}{n}.json") for _ in "1")) for n in "ab"))
slugs.publish()
for entry in resourcesync.iter_entries(slugs.settings.folder / "linked" / "resourcelist.xml"):
    assert [link.href for link in entry.links] == [f"{entry.uri}.json"]

# Primary keys that are no numbers or texts.
keys = application("keys", Sessions)
for model in (Daily, Kinds, Digest):
    keys.model(model, uri=lambda row: f"/{getattr(row.key, 'name', row.key.hex() if isinstance(row.key, bytes) else row.key)}")
for values in ((date(2024, 5, 1), Kind.ARTICLE, b"\0\1"), (datetime(2024, 5, 2), "BOOK", memoryview(b"\xff"))):
    with Sessions() as session:
        session.add_all(model(key=key) for model, key in zip((Daily, Kinds, Digest), values))
        session.commit()
    keys.publish()
assert published("daily", keys) == {"2024-05-01", "2024-05-02"}
assert published("kinds", keys) == {"ARTICLE", "BOOK"} and published("digests", keys) == {"0001", "ff"}
try:
    keys.model(Moment, uri=lambda row: f"/{row.key}")
except ConfigError as error:
    assert "Moment has a primary key of the type DateTime()" in str(error)
else:
    raise AssertionError

# Keys in another spelling than that of the database, longer ones than the outbox has place for, and one that has become none.
# Of SQLite, whose numbers are not exact, SQLAlchemy warns.
warnings.filterwarnings("ignore", "Dialect sqlite")
spelled = application("spelled", Sessions)
# PostgreSQL takes a text for a number in some drivers only.
spellings: list[tuple[Any, list[Any]]] = [(Number, [9.0]), (Issue, [Decimal("1.5")]), (Country, ["ab"]), (Code, ["a" * 600, "b" * 600])]
for model, _ in spellings:
    spelled.model(model, uri=lambda row: f"/{str(row.key).strip()}")
with Sessions() as session:
    session.add(Number(key=1))
    session.commit()
spelled.publish()
with Sessions() as session:
    session.add_all(model(key=key) for model, values in spellings for key in values)
    session.execute(_tables.outbox.insert(), [_tables.row("numbers", "no number")])
    session.commit()
done = spelled.publish()
assert done.problems == ("numbers: record no number: ValueError: invalid literal for int() with base 10: 'no number'",), done.problems
assert {name: counts.created for name, counts in done.sets.items()} == {"numbers": 1, "issues": 1, "countries": 1, "codes": 2}, done
assert spelled.reconcile().is_complete and not any(each.created or each.deleted for each in spelled.reconcile().sets.values())
with Sessions() as session:
    for model, _ in spellings:
        session.delete(session.query(model).order_by(model.key.desc()).first())
    session.commit()
assert {name: counts.deleted for name, counts in spelled.publish().sets.items()} == dict.fromkeys(["numbers", "issues", "countries", "codes"], 1)

# Rows that have expired, and are in no session any more, still have their keys; without a key they cannot be found again.
with Sessions() as session:
    gone = session.get(Number, 1)
    session.commit()
session.close()
assert spelled.changed([gone]) == 1 and spelled.changed([Number(key=1)]) == 1
try:
    spelled.changed([gone, Number()])
except ValueError as error:
    assert "a row of Number has no primary key; pass rows" in str(error)
else:
    raise AssertionError
assert spelled.publish().sets["numbers"].updated == 1

# Applications with the same sessions and other sets: a change is recorded by that with the set, wherever it happens. Each leaves the rows of the other.
for name, own in (("d", keys), ("e", app)):
    with getattr(own, "app", own).app_context(), Sessions() as session:
        session.add_all([Page(slug=name), Digest(key=name.encode())])
        session.commit()
assert keys.publish().sets["digests"].created == 2 and rs.publish().is_complete
done = slugs.app.test_cli_runner().invoke(args=["resourcesync", "status"]).output
assert ", 2 waiting" in done and "lag: none" not in done, done
assert "lag: none" in keys.app.test_cli_runner().invoke(args=["resourcesync", "status"]).output
assert published("slugs", slugs) == {"a", "c", "d", "e"}

# Served: documents only, with ranges and conditional requests.
client = app.test_client()
response = client.get("/theses/capabilitylist.xml")
assert (response.status_code, response.content_type, response.data) == (200, "application/xml", (PUBLIC / "theses" / "capabilitylist.xml").read_bytes())
assert client.get("/theses/capabilitylist.xml", headers={"If-None-Match": response.headers["ETag"]}).status_code == 304
part = client.get("/theses/resourcelist.xml", headers={"Range": "bytes=0-4"})
assert (part.status_code, part.data) == (206, b"<?xml")
assert client.get("/.well-known/resourcesync").status_code == 200 and client.get("/theses/first").data == b"first"
assert client.get("/nothing").status_code == 404 and client.get("/../d.sqlite").status_code == 404
packed = client.get("/theses/resourcelist.xml", headers={"Accept-Encoding": "gzip"})
assert packed.headers["Content-Encoding"] == "gzip"
assert "VALID" in flask("validate")

# Below a prefix, as a server mounts it.
app.config["RESOURCESYNC_BASE_URI"] = f"{BASE}repo/"
assert client.get("/theses/capabilitylist.xml", base_url=f"{BASE}repo").content_type == "application/xml"
assert client.get("/.well-known/resourcesync").status_code == 404
assert "warning: BASE_URI has a path" in flask("check")
app.config["RESOURCESYNC_BASE_URI"] = BASE

# The web server sends the files.
app.config["RESOURCESYNC_SENDFILE"] = ("X-Accel-Redirect", "/internal")
sent = client.get("/theses/capabilitylist.xml")
assert (sent.status_code, sent.data, sent.headers["X-Accel-Redirect"]) == (200, b"", "/internal/theses/capabilitylist.xml")
del app.config["RESOURCESYNC_SENDFILE"]

# Mistakes in the settings.
assert flask("check") == ""
dated = application("dated", Sessions)
dated.model(Daily, uri=lambda row: f"/{row.key}", lastmod="key")
assert "warning: Daily.key is a date" in dated.app.test_cli_runner().invoke(args=["resourcesync", "check"]).output
app.config["RESOURCESYNC_HUBS"] = ["ftp://hub.example/"]
flask("check", fails="error: HUBS is not an absolute HTTP URI")
del app.config["RESOURCESYNC_HUBS"]
app.config["RESOURCESYNC_FOLDR"] = "x"
flask("status", fails="did you mean 'FOLDER'")
Session.remove()
engine.dispose()
