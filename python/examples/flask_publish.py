"""Publishes the rows of a Flask application with SQLAlchemy as a Source: ``flask --app flask_publish publish-source``.

The application serves the published folder itself; in production a web server does. ``DATABASE``, ``FOLDER`` and ``BASE_URI`` are set in the
environment, the folder as an absolute path.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timezone

import click
import resourcesync as rs
from flask import Flask, Response, send_from_directory
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

app = Flask(__name__)


class Base(DeclarativeBase):
    """The base of the models."""


class Record(Base):
    """A record: here of one table, elsewhere of your own models."""

    __tablename__ = "record"

    slug: Mapped[str] = mapped_column(primary_key=True)
    changed: Mapped[datetime]
    size: Mapped[int]
    md5: Mapped[str]


def records(session: Session, base: str) -> Iterator[rs.Resource]:
    """All records, a thousand at a time."""
    for record in session.scalars(select(Record).execution_options(yield_per=1000)):
        changed = record.changed.replace(tzinfo=timezone.utc)
        yield rs.Resource(f"{base}records/{record.slug}", lastmod=changed, length=record.size, hashes={"md5": record.md5})


@app.cli.command("publish-source")
def publish_source() -> None:
    """Publishes all records. What was published stays if it fails."""
    base = os.environ["BASE_URI"]
    with Session(create_engine(os.environ["DATABASE"])) as session:
        done = rs.publish(os.environ["FOLDER"], base, records(session, base), describedby=f"{base}about.xml")
    click.echo(f"{done.resources} resources, {done.created} created, {done.updated} updated, {done.deleted} deleted")


@app.get("/<path:name>")
def source(name: str) -> Response:
    """A document of the Source."""
    return send_from_directory(os.environ["FOLDER"], name, mimetype="application/xml")
