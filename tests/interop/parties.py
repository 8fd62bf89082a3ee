"""A hub of the command, a Source that publishes with it, and servers, for tests with other WebSub software."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

TOKEN = "t0ken-of-the-source"


class Failed(Exception):
    """An expectation that did not hold."""


def expect(what, is_true, *details):
    """Counts an expectation; raises at the first that does not hold."""
    if not is_true:
        raise Failed(f"{what}: {details}")
    print(f"ok  {what}", flush=True)


def eventually(what, is_true, seconds=30):
    end = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > end:
            raise Failed(f"{what}: not within {seconds} s")
        time.sleep(0.02)
    print(f"ok  {what}", flush=True)


def free_port():
    """A port for a server that must be told its own: below those that the system gives to connections, so that none takes it meanwhile."""
    for port in random.sample(range(10_000, 32_000), 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise Failed("no port is free")


def request(method, uri, headers=(), body=None):
    """One exchange without redirects: status, header fields, body."""

    class NoRedirects(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    asked = urllib.request.Request(uri, data=body, method=method, headers=dict(headers))
    try:
        with urllib.request.build_opener(NoRedirects).open(asked, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def form(uri, **fields):
    """Posts a form whose names begin with `hub.`."""
    body = urllib.parse.urlencode({f"hub.{name}": value for name, value in fields.items()}).encode()
    return request("POST", uri, [("Content-Type", "application/x-www-form-urlencoded")], body)


def payload(number):
    """A Change Notification of the minute with this number."""
    at = [f"2026-11-21T09:{each:02}:00Z" for each in (number, number + 1)]
    return (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">'
        '<rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>'
        f'<rs:md capability="change-notification" from="{at[0]}" until="{at[1]}"/>'
        f'<url><loc>https://example.com/{number}</loc><rs:md change="updated" datetime="{at[0]}"/></url></urlset>'
    ).encode()


class Server:
    """An HTTP server on 127.0.0.1 that keeps all requests; `answer(method, path, headers, body)` returns status, header fields, body."""

    def __init__(self, answer):
        own = self
        self.requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def perform(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                own.requests.append((self.command, self.path, self.headers, body))
                status, headers, content = answer(self.command, self.path, self.headers, body)
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_HEAD = do_POST = perform

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.http.server_port
        self.uri = f"http://127.0.0.1:{self.port}/"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def confirm(path):
    """The answer of a callback that confirms every request."""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query)
    return 200, [("Content-Type", "text/plain")], query.get("hub.challenge", [""])[0].encode()


class OurSubscriber:
    """The subscriber of this project's package behind an HTTP server; keeps its events and the statuses of its replies."""

    def __init__(self):
        # Only what tests our subscriber needs the package.
        from resourcesync import notify

        self.lock = threading.RLock()
        self.events, self.statuses = [], []
        self.server = Server(self.callback)
        self.machine = notify.Subscriber(f"{self.server.uri}rs/", allow_http=True)

    def callback(self, method, path, headers, body):
        path, _, query = path.partition("?")
        with self.lock:
            turn = self.machine.answer(method, path, query, headers.items(), body)
            self.events.extend(turn.events)
        self.statuses.append(turn.reply.status)
        return turn.reply.status, turn.reply.headers, turn.reply.body

    def follow(self, uri):
        """Subscribes, and sends all requests that this needs."""
        with self.lock:
            turn = self.machine.follow(uri)
        waiting = list(turn.requests)
        self.events.extend(turn.events)
        while waiting:
            asked = waiting.pop(0)
            # The callback can be called meanwhile.
            status, headers, body = request(asked.method, asked.uri, asked.headers, asked.body or None)
            with self.lock:
                turn = self.machine.responded(asked, status, list(headers.items()), body)
            self.events.extend(turn.events)
            waiting.extend(turn.requests)

    def of(self, name):
        """The events of a class."""
        return [each for each in self.events if type(each).__name__ == name]

    def phases(self):
        return [each.phase for each in self.of("Changed")]

    def notified(self):
        """The documents of all notifications."""
        return [each.notification.body for each in self.of("Notified")]


class Hub:
    """`resourcesync hub serve`, and a Source next to it: a folder published with `resourcesync build`."""

    def __init__(self, command, callbacks, more=""):
        self.command = command
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="resourcesync-interop-"))
        self.port = free_port()
        self.uri = f"http://127.0.0.1:{self.port}/"
        self.topics = f"{self.uri}t/"
        self.topic = f"{self.topics}changes"
        topics = "".join(
            f'[[hub.topic]]\nuri = "{self.topics}{name}"\nkind = "{kind}-notification"\npublishers = ["example"]\nserve = true\n'
            for name, kind in (("changes", "change"), ("framework", "framework"))
        )
        (self.folder / "resourcesync.toml").write_text(
            f'[hub]\npublic_uri = "{self.uri}"\nlisten = "127.0.0.1:{self.port}"\nstore = "{self.folder}/hub.sqlite"\n'
            f'admin = "unix:{self.folder}/admin"\n{more}\n[hub.retry]\nschedule = ["1s"]\n'
            f'[hub.callbacks]\nports = [80]\nallow = {[f"127.0.0.1:{port}" for port in callbacks]}\n'
            f'[[hub.publisher]]\nname = "example"\ntoken_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"\n{topics}'
        )
        log = (self.folder / "log").open("w")
        config = ["--config", str(self.folder / "resourcesync.toml")]
        self.process = subprocess.Popen([command, "hub", "serve", *config], stdout=subprocess.DEVNULL, stderr=log)
        (self.folder / "files").mkdir()

        def answers():
            try:
                return request("HEAD", self.topic)[0] == 200
            except OSError:
                return False

        eventually("the hub is ready", answers)

    def build(self, content):
        """Publishes a folder with one file, and notifies the hub."""
        (self.folder / "files" / "1.txt").write_text(content)
        origin = self.uri.rstrip("/")
        arguments = ["build", self.folder / "files", "--base-uri", "https://example.com/files/", "--documents-uri", "https://example.com/"]
        arguments += ["--out", self.folder / "public", "--hub", self.uri, "--topics-uri", self.topics, "--token", f"{origin}=env:HUB_TOKEN"]
        done = subprocess.run([self.command, *arguments], env={**os.environ, "HUB_TOKEN": TOKEN}, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"build: exit status {done.returncode}: {done.stdout}{done.stderr}")

    def last(self):
        """The last payload, as the topic serves it."""
        return request("GET", self.topic)[2]

    def log(self):
        return (self.folder / "log").read_text()

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=60)
        shutil.rmtree(self.folder)
        if status != 0:
            raise Failed(f"the hub ended with {status}")
