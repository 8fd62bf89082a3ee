"""Shared by the callback examples: subscriptions and events in SQLite, both stored before the reply to the hub."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import Any

from resourcesync import notify

CALLBACK = os.environ["CALLBACK"]


def connect() -> sqlite3.Connection:
    """The database; a request waits until the previous one has committed."""
    connection = sqlite3.connect(os.environ["SUBSCRIPTIONS"], isolation_level=None)
    connection.execute("CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT)")
    connection.execute("CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, kind TEXT, said TEXT)")
    return connection


def _keep(connection: sqlite3.Connection, keep: Any) -> None:
    for key, value in keep.items():
        if value is None:
            connection.execute("DELETE FROM state WHERE key = ?", (key,))
        else:
            connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (key, json.dumps(value)))


def keep(values: Any) -> None:
    """Stores values of a subscriber, such as those that ``drive`` keeps."""
    with connect() as connection:
        _keep(connection, values)


def answer(method: str, path: str, query: bytes | str, headers: Any, body: bytes) -> notify.Reply:
    """Answers a request to the callback, in one transaction: 202 means that it is stored."""
    with connect() as connection:
        connection.execute("BEGIN IMMEDIATE")
        state = {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM state")}
        subscriber = notify.Subscriber(CALLBACK, state=state)
        turn = subscriber.answer(method, path, query, headers, body)
        _keep(connection, turn.keep)
        for event in turn.events:
            if isinstance(event, notify.Notified):
                said = {"topic": event.topic, "document": event.notification.body.decode()}
                connection.execute("INSERT INTO event (kind, said) VALUES ('notified', ?)", (json.dumps(said),))
            elif isinstance(event, notify.Pull):
                connection.execute("INSERT INTO event (kind, said) VALUES ('pull', ?)", (json.dumps({"set": event.set, "why": event.why}),))
        connection.execute("COMMIT")
    assert turn.reply is not None
    return turn.reply


def queued() -> list[dict[str, Any]]:
    """Events for a worker, in order."""
    with connect() as connection:
        return [{"kind": kind, **json.loads(said)} for kind, said in connection.execute("SELECT kind, said FROM event ORDER BY id")]
