"""An application with Flask that follows a Source: its changes are applied exactly once, and its hubs are answered."""

from __future__ import annotations

import functools
import json
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import resourcesync
from flask import Flask
from resourcesync import notify
from resourcesync.flask import ResourceSync, metadata
from sqlalchemy import Column, Integer, String, create_engine, delete, func, insert, select, update
from sqlalchemy.orm import Session, declarative_base, sessionmaker
from werkzeug.test import EnvironBuilder, run_wsgi_app

source, state, transcript, url = sys.argv[1:]
Base: Any = declarative_base()


class Thesis(Base):  # type: ignore[misc]
    __tablename__ = "theses"

    id = Column(Integer, primary_key=True)
    title = Column(String(200))


engine = create_engine(url)
Sessions = sessionmaker(bind=engine)
Base.metadata.create_all(engine)
applied: list[str] = []
fails: list[str] = []


def apply(session: Session, change: resourcesync.AppliedChange) -> None:
    applied.append(f"{change.change} {change.uri.rpartition('/')[2]}")
    session.execute(delete(Thesis).where(Thesis.title == change.uri))
    if change.change != "deleted":
        session.add(Thesis(title=change.uri))
    session.flush()
    if fails:
        raise ValueError(fails.pop())


# The settings name the function by its module.
sys.modules["partner"] = sys.modules[__name__]
OPTIONS = {"max_delete": "100%", "limits": {"http_requests_per_second": 0}}
FOLLOW: dict[str, Any] = {"SOURCE": source, "STATE": state, "APPLY": "partner.apply", "OPTIONS": OPTIONS}
app = Flask(__name__)
app.config["RESOURCESYNC_FOLLOW"] = {"partner": FOLLOW, "hub": {"SOURCE": source, "STATE": f"{state}2", "CALLBACK": "https://me.example/rs/"}}
rs = ResourceSync(app, Sessions)
app.add_url_rule("/rs/<path:token>", view_func=lambda token: rs.answer("hub"), methods=["GET", "POST", "PUT"])
runner = app.test_cli_runner()


def flask(*words: str, fails: str | None = None) -> str:
    done = runner.invoke(args=["resourcesync", *words])
    assert (done.exit_code != 0) == (fails is not None), done.output + repr(done.exception)
    assert fails is None or fails in done.output, done.output
    return str(done.output)


def told(word: str) -> str:
    """The next state of the Source, which the test publishes."""
    print(word, flush=True)
    return sys.stdin.readline().strip()


def follow() -> list[str]:
    applied.clear()
    flask("follow", "partner")
    return sorted(applied)


def rows() -> tuple[int, int]:
    with Sessions() as session:
        theses, held = (session.execute(select(func.count()).select_from(table)).scalar_one() for table in (Thesis.__table__, metadata.tables["resourcesync_held"]))
        return theses, held


class Killed(BaseException):
    pass


flask("init")
told("first")
assert follow() == ["created a", "created b"] and follow() == [] and rows() == (2, 2)

# Killed between the transaction and its acknowledgement: the change is returned again, and not applied again.
told("second")
acknowledge = resourcesync.Changes.done


def killed(self: resourcesync.Changes, changes: Iterable[resourcesync.AppliedChange]) -> None:
    raise Killed


setattr(resourcesync.Changes, "done", killed)
try:
    applied.clear()
    rs.follow("partner")
except Killed:
    pass
else:
    raise AssertionError
assert sorted(applied) == ["created c", "updated a"]
setattr(resourcesync.Changes, "done", acknowledge)


def other_database(fails: str) -> None:
    """The database is that of an older backup for one run, which fails."""
    followed = metadata.tables["resourcesync_followed"]
    for step in (-1, 1):
        with Sessions() as session, session.begin():
            session.execute(update(followed).values(sequence=followed.c.sequence + step))
        if step < 0:
            flask("follow", "partner", fails=fails)


# A database that was restored from an older backup lacks changes, also if the acknowledgement was not reached.
other_database(fails="the database is older than")
assert follow() == [] and rows() == (3, 3)
shutil.copytree(state, f"{state}-backup")

# An exception rolls back, and the next run applies.
told("third")
fails.append("full")
try:
    rs.follow("partner")
except ValueError as error:
    assert str(error) == "full"
else:
    raise AssertionError
assert rows() == (3, 3) and follow() == ["deleted b"] and rows() == (2, 2)

other_database(fails="the database is older than")

# A state folder that was restored from an older backup numbers other changes with what the database has applied.
Path(state).rename(f"{state}-newest")
Path(f"{state}-backup").rename(state)
for _ in range(2):
    flask("follow", "partner", fails=f"{state} is older than the database")
(Path(state) / "application.acknowledged").write_text("")
flask("follow", "partner", fails="application.acknowledged is damaged")
shutil.rmtree(state)
Path(f"{state}-newest").rename(state)
assert follow() == [] and rows() == (2, 2)

# Another state folder: everything is applied again.
FOLLOW["STATE"] = f"{state}-new"
assert follow() == ["created a", "created c"] and rows() == (2, 2)

# A Source that is away, and one that is not named.
told("gone")
away = flask("follow", "partner", fails="not in step")
assert re.search(r"^http://\S+: \w", away, re.MULTILINE), away
flask("follow", "partnr", fails="did you mean 'partner'")

# The callback, as the transcript says, in a store of the database.
with open(transcript) as file:
    begin, now, exchanges = json.load(file)
with Sessions() as session, session.begin():
    session.execute(insert(metadata.tables["resourcesync_subscription"]), [{"name": "hub", "key": key, "value": value} for key, value in begin.items()])
notify.Subscriber = functools.partial(notify.Subscriber, clock=lambda: now)  # type: ignore[assignment, misc]
client = app.test_client()
for request, reply in exchanges:
    target = request["path"] + (f"?{request['query']}" if "query" in request else "")
    answer = client.open(target, method=request["method"], headers=list(request.get("headers", ())), data=request.get("body", "").encode())
    fields = sorted((name.lower(), value) for name, value in answer.headers.items() if name.lower() != "content-length")
    expected = sorted((name.lower(), value) for name, value in reply["headers"])
    assert (answer.status_code, fields) == (reply["status"], expected), (request, answer.status_code, fields)
    assert answer.data == reply.get("body", "").encode()
read: list[int] = []


class Endless:
    """A body that is never over."""

    def read(self, size: int = -1) -> bytes:
        read.append(size)
        return b" " * max(size, 0)


environ: dict[str, Any] = {**EnvironBuilder(path="/rs/x", method="POST").get_environ(), "wsgi.input": Endless(), "wsgi.input_terminated": True}
environ.pop("CONTENT_LENGTH", None)
status = run_wsgi_app(app, environ)[1]
assert status[:3] in ("410", "413") and 0 < sum(read) < 20 << 20, (status, read)
