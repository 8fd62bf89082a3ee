"""A nightly job: publishes a table of SQLite as a Source, with Change Lists of what happened since it ran last.

``python nightly.py DATABASE FOLDER BASE-URI``: the folder is what the web server serves below the base URI. What the next run has to know lies
next to it, in ``FOLDER.state``.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import resourcesync as rs


def records(database: Path, base: str) -> Iterator[rs.Resource]:
    """What is to be published, sorted by URI."""
    with sqlite3.connect(database) as connection:
        for slug, changed, size, md5 in connection.execute("SELECT slug, changed, size, md5 FROM record ORDER BY slug"):
            yield rs.Resource(f"{base}records/{slug}", lastmod=changed, length=size, hashes={"md5": md5})


def lists(folder: Path) -> list[Path]:
    """The Resource Lists of the last run: one, or the parts of an index."""
    parts = sorted(folder.glob("resourcelist-*.xml"), key=lambda path: int(path.stem.partition("-")[2]))
    return parts or list(folder.glob("resourcelist.xml"))


def publish(database: Path, folder: Path, base: str, now: datetime) -> rs.Published:
    """One run."""
    state = folder.with_suffix(".state")
    earlier = [entry for path in lists(folder) for entry in rs.iter_entries(path)]
    changes = [found.at(now) for found in rs.diff(earlier, records(database, base))] if earlier else []
    if state.exists():
        history = rs.ChangeHistory.from_json(state.read_text())
        # The open Change List is rewritten with its previous and the new changes.
        open_list = folder / f"changelist-{history.open_number}.xml"
        changes = [*map(rs.ResourceChange.of, rs.iter_entries(open_list)), *changes]
    else:
        history = rs.ChangeHistory.since(now)
    with rs.Publication(base, folder, at=now, describedby=f"{base}about.xml") as source:
        source.set(describedby=f"{base}about.xml")
        source.resource_list(records(database, base))
        # A new Change List every Monday.
        source.change_lists(history, changes, close=now if now.weekday() == 0 and state.exists() else None)
    published = source.finish()
    following = published.sets[0].changes
    assert following is not None
    state.write_text(following.to_json())
    return published


if __name__ == "__main__":
    done = publish(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], datetime.now(timezone.utc).replace(microsecond=0))
    print(f"{done.sets[0].resources} resources, {len(done.written)} files written")
