"""``follow --watch`` of Flask and Django: subscribes with a real hub, and follows when it is notified."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from conftest import Site
from platforms import environment, eventually, free_port, running

TOKEN = "t0ken-of-the-source"


class Hub:
    """A hub of the command that serves a topic, and a Source that it belongs to."""

    def __init__(self, folder: Path, site: Site, callback: int) -> None:
        self._site = site
        self._folder = folder
        self.uri = f"http://127.0.0.1:{free_port()}/"
        self.command = [sys.executable, "-m", "resourcesync", "hub", "serve", "--config", str(folder / "hub.toml")]
        listen = self.uri.removeprefix("http://").rstrip("/")
        topics = "".join(
            f'[[hub.topic]]\nuri = "{self.uri}t/{name}"\nkind = "{name.removesuffix("s")}-notification"\npublishers = ["site"]\nserve = true\n'
            for name in ("changes", "framework")
        )
        (folder / "hub.toml").write_text(
            f'[hub]\npublic_uri = "{self.uri}"\nlisten = "{listen}"\nstore = "{folder}/hub.sqlite"\nadmin = "unix:{folder}/admin"\n'
            f'[hub.retry]\nschedule = ["1s"]\n[hub.callbacks]\nports = [80]\nallow = ["127.0.0.1:{callback}"]\n'
            f'[[hub.publisher]]\nname = "site"\ntoken_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"\n{topics}'
        )

    @property
    def log(self) -> str:
        return (self._folder / "server.log").read_text()

    def build(self, files: dict[str, str]) -> None:
        """Publishes files, and notifies the hub."""
        folder = self._site.folder / "files"
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, text in files.items():
            (folder / name).write_text(text)
        words = ["build", str(folder), "--base-uri", f"{self._site.base}files/", "--documents-uri", f"{self._site.base}source/"]
        words += ["--out", str(self._site.folder / "source"), "--hub", self.uri, "--topics-uri", f"{self.uri}t/"]
        words += ["--token", f"{self.uri.rstrip('/')}=env:HUB_TOKEN", "--max-delete", "100%"]
        own = {**os.environ, "HUB_TOKEN": TOKEN}
        done = subprocess.run([sys.executable, "-m", "resourcesync", *words], env=own, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def held(database: Path) -> set[str]:
    """The names of the files that a follower has."""
    with closing(sqlite3.connect(database, timeout=30)) as connection:
        return {uri.rpartition("/")[2] for (uri,) in connection.execute("SELECT uri FROM resourcesync_held")}


@contextmanager
def follower(folder: Path, serve: Sequence[str], watch: Sequence[str], url: str) -> Generator[None]:
    own = environment(PYTHONPATH=".")
    with running(serve, folder, own, url), running(watch, folder, own) as watching:
        yield
        assert watching.poll() is None, (folder / "server.log").read_text()
        watching.terminate()
        # SIGTERM ends it after the run under way.
        assert watching.wait(30) == 0, (folder / "server.log").read_text()


def follows(tmp_path: Path, site: Site, port: int, folder: Path, database: str, serve: Sequence[str], watch: Sequence[str]) -> None:
    place = tmp_path / "hub"
    place.mkdir()
    hub = Hub(place, site, port)
    with running(hub.command, place, environment(), hub.uri):
        hub.build({"a": "a", "b": "b"})
        with follower(folder, serve, watch, f"http://127.0.0.1:{port}/"):
            eventually("what is published is applied", lambda: held(folder / database) == {"a", "b"})
            eventually("the hub has a subscription", lambda: "subscribed" in hub.log)
            # Nothing but the notification tells it, since the next run is due in an hour.
            hub.build({"a": "a", "c": "c"})
            eventually("a notification is followed", lambda: held(folder / database) == {"a", "c"})
            hub.build({"d": "d"})
            eventually("so is the next one", lambda: held(folder / database) == {"d"})


def settings(site: Site, port: int) -> dict[str, object]:
    options = {"max_delete": "100%", "allow_host": ["127.0.0.1"], "limits": {"http_requests_per_second": 0}}
    return {"SOURCE": site.uri, "STATE": "state", "CALLBACK": f"http://127.0.0.1:{port}/rs/", "EVERY": 3600, "OPTIONS": options}


FLASK = """
from flask import Flask
from resourcesync.flask import ResourceSync
from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker

app = Flask(__name__)
app.config["RESOURCESYNC_FOLLOW"] = {{"partner": {settings}}}
rs = ResourceSync(app, sessionmaker(create_engine("sqlite:///held.sqlite")))
app.add_url_rule("/rs/<path:token>", view_func=lambda token: rs.answer("partner"), methods=["GET", "POST"])
"""


def test_flask_follows_when_a_hub_notifies(tmp_path: Path, site: Site) -> None:
    pytest.importorskip("flask")
    pytest.importorskip("sqlalchemy")
    port = free_port()
    folder = tmp_path / "flask"
    folder.mkdir()
    (folder / "follower.py").write_text(FLASK.format(settings=settings(site, port)))
    flask = [sys.executable, "-m", "flask", "--app", "follower"]
    subprocess.run([*flask, "resourcesync", "init"], cwd=folder, env=environment(), check=True)
    follows(tmp_path, site, port, folder, "held.sqlite", [*flask, "run", "--port", str(port)], [*flask, "resourcesync", "follow", "partner", "--watch"])


DJANGO = """
from django.urls import path
from resourcesync.django.views import callback

urlpatterns = [path("rs/<path:token>", callback, {"name": "partner"})]
"""


def test_django_follows_when_a_hub_notifies(tmp_path: Path, site: Site) -> None:
    pytest.importorskip("django")
    from test_django import project

    port = free_port()
    folder = project(
        tmp_path / "django", f'RESOURCESYNC["FOLLOW"] = {{"partner": {settings(site, port)}}}\nROOT_URLCONF = "library.acts"\n', acts=DJANGO
    )
    manage = [sys.executable, "manage.py"]
    serve = [*manage, "runserver", "--noreload", f"127.0.0.1:{port}"]
    follows(tmp_path, site, port, folder, "db.sqlite3", serve, [*manage, "resourcesync", "follow", "partner", "--watch"])
