"""A nightly job: publishes an SQLite table as a Source, with Change Lists of the changes since the last run.

``python nightly.py DATABASE FOLDER BASE-URI``: the web server serves the folder below the base URI. The state for the next run is next to it, in
``FOLDER.resourcesync``. A run that fails or is killed does not change the folder, and neither does a query with no or few results.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import resourcesync as rs


def records(database: Path, base: str) -> Iterator[rs.Resource]:
    """The resources to publish."""
    with sqlite3.connect(database) as connection:
        for slug, changed, size, md5 in connection.execute("SELECT slug, changed, size, md5 FROM record"):
            yield rs.Resource(f"{base}records/{slug}", lastmod=changed, length=size, hashes={"md5": md5})


def publish(database: Path, folder: Path, base: str, now: datetime) -> rs.PublishedRecords:
    """Performs one run; starts a new Change List every week."""
    return rs.publish(folder, base, records(database, base), at=now, describedby=f"{base}about.xml", rotate="7d")


if __name__ == "__main__":
    done = publish(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], datetime.now(timezone.utc).replace(microsecond=0))
    print(f"{done.resources} resources, {done.created} created, {done.updated} updated, {done.deleted} deleted")
