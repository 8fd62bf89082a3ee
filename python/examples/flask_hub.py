"""A hub in a Flask application: its rows in SQLite, its requests sent by a thread, to checked addresses only."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import queue
import socket
import sqlite3
import ssl
import threading
from urllib.parse import urlsplit

from flask import Flask, Response, request
from resourcesync import notify

PUBLIC_URI = os.environ["HUB"]
TOKEN = hashlib.sha256(os.environ["HUB_TOKEN"].encode()).hexdigest()


class OneHub:
    """The only instance of the hub. A lock, since requests and the sender share it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.requests: queue.Queue[notify.Request] = queue.Queue()
        self.store = sqlite3.connect(os.environ["HUB_STORE"], check_same_thread=False)
        # A commit returns when it is on disk.
        self.store.executescript("PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS hub (key TEXT PRIMARY KEY, value TEXT)")
        rows = self.store.execute("SELECT key, value FROM hub")
        self.hub = notify.Hub(
            PUBLIC_URI,
            [notify.HubTopic(f"{PUBLIC_URI}t/changes", ["example"], serve=True)],
            [notify.HubPublisher("example", token_sha256=TOKEN)],
            allow=os.environ.get("HUB_ALLOW", "").split(),
            state={key: json.loads(value) for key, value in rows},
        )

    def perform(self, turn: notify.Turn) -> notify.Turn:
        """Stores what changed, before anything else happens."""
        with self.store:
            for key, value in turn.keep.items():
                if value is None:
                    self.store.execute("DELETE FROM hub WHERE key = ?", (key,))
                else:
                    self.store.execute("INSERT OR REPLACE INTO hub VALUES (?, ?)", (key, json.dumps(value)))
        for each in turn.requests:
            self.requests.put(each)
        return turn

    def send(self) -> None:
        """Sends requests, one at a time, and reports what was received. Several threads may run this."""
        with self.lock:
            self.perform(self.hub.tick())
        while True:
            try:
                asked = self.requests.get(timeout=1)
            except queue.Empty:
                with self.lock:
                    self.perform(self.hub.tick())
                continue
            try:
                status, headers, body = self.exchange(asked)
            except (OSError, http.client.HTTPException) as error:
                with self.lock:
                    self.perform(self.hub.failed(asked, type(error).__name__))
            else:
                with self.lock:
                    self.perform(self.hub.responded(asked, status, headers, body))

    def exchange(self, asked: notify.Request) -> tuple[int, list[tuple[str, str]], bytes]:
        """One exchange, with an address that was checked; redirects are not followed."""
        target = urlsplit(asked.uri)
        port = target.port or (443 if target.scheme == "https" else 80)
        addresses = [str(found[4][0]) for found in socket.getaddrinfo(target.hostname, port, type=socket.SOCK_STREAM)]
        address = next((each for each in addresses if self.hub.allows(asked.uri, each)), None)
        if address is None:
            raise OSError("no allowed address")
        connection = http.client.HTTPConnection(target.hostname or "", port, timeout=30)
        connection.sock = socket.create_connection((address, port), timeout=10)
        if target.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=target.hostname)
        connection.sock.settimeout(30)
        try:
            path = (target.path or "/") + (f"?{target.query}" if target.query else "")
            connection.request(asked.method, path, asked.body or None, dict(asked.headers))
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read(asked.most)
        finally:
            connection.close()


app = Flask(__name__)
own = OneHub()


@app.route("/", defaults={"_": ""}, methods=["GET", "POST"])
@app.route("/t/<path:_>", methods=["GET", "HEAD"])
def hub(_: str) -> Response:
    """Answers Sources and subscribers."""
    body = request.get_data(cache=False)
    with own.lock:
        turn = own.perform(own.hub.answer(request.remote_addr or "", request.method, request.path, request.query_string, request.headers.items(), body))
    assert turn.reply is not None
    response = Response(turn.reply.body, turn.reply.status)
    response.headers.clear()
    response.headers.extend(list(turn.reply.headers))
    return response


if __name__ == "__main__":
    threading.Thread(target=own.send, daemon=True).start()
    app.run(port=8080)
