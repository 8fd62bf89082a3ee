"""A Flask application that publishes its database as a Source.

Run it with ``flask --app flask_source run`` after ``DATABASE`` is set in the environment. The lists are generated while they are sent.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timezone

import resourcesync as rs
from flask import Flask, Response, url_for

app = Flask(__name__)


def records() -> Iterator[rs.Resource]:
    """The published records: here the rows of a table, elsewhere a queryset."""
    with sqlite3.connect(os.environ["DATABASE"]) as database:
        for slug, changed, size, md5 in database.execute("SELECT slug, changed, size, md5 FROM record ORDER BY slug"):
            uri = url_for("record", slug=slug, _external=True)
            yield rs.Resource(uri, lastmod=changed, length=size, type="text/html", hashes={"md5": md5})


def at(endpoint: str) -> str:
    """The URI of one of the views below."""
    return url_for(endpoint, _external=True)


@app.get("/.well-known/resourcesync")
def description() -> Response:
    """The starting point of harvesters."""
    source = rs.SourceDescription(at("about"))
    source.push(rs.CapabilityListEntry(at("capabilities"), describedby=at("about")))
    return Response(source.to_bytes(), mimetype="application/xml")


@app.get("/capabilitylist.xml")
def capabilities() -> Response:
    """The capabilities of the only set of records."""
    source = rs.CapabilityList(at("description"), at("about"))
    source.push(rs.CapabilityEntry("resourcelist", at("resources")))
    return Response(source.to_bytes(), mimetype="application/xml")


@app.get("/resourcelist.xml")
def resources() -> Response:
    """All records; up to 50,000 go into one list."""
    source = rs.ResourceList(at("capabilities"), datetime.now(timezone.utc).replace(microsecond=0))
    # Streamed: the list is never in memory as a whole. The records need URLs, which Flask can generate only during a request.
    return Response(source.stream(list(records())), mimetype="application/xml")


@app.get("/records/<slug>")
def record(slug: str) -> Response:
    """A record: exactly the bytes whose length and digest are listed."""
    with sqlite3.connect(os.environ["DATABASE"]) as database:
        row = database.execute("SELECT text FROM record WHERE slug = ?", (slug,)).fetchone()
    return Response(status=404) if row is None else Response(row[0], mimetype="text/html")


@app.get("/about.xml")
def about() -> Response:
    """The description of the Source, in any vocabulary."""
    return Response("<about>Records of an example</about>", mimetype="application/xml")
