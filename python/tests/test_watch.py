"""A real hub between publishers and followers: `Source`, `publish --watch`, `follow --watch` and `listen --direct`."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import resourcesync as rs
from conftest import Site
from platforms import environment, eventually, free_port, running

TOKEN = "t0ken-of-the-source"


class Hub:
    """A hub of the command that serves a topic, and a Source that it belongs to."""

    def __init__(self, folder: Path, site: Site, callback: int, *, sets: Sequence[str] = ("",)) -> None:
        self._site = site
        self._folder = folder
        self.uri = f"http://127.0.0.1:{free_port()}/"
        self.command = [sys.executable, "-m", "resourcesync", "hub", "serve", "--config", str(folder / "hub.toml")]
        listen = self.uri.removeprefix("http://").rstrip("/")
        topics = "".join(
            f'[[hub.topic]]\nuri = "{self.uri}t/{own}{name}"\nkind = "{name.removesuffix("s")}-notification"\npublishers = ["site"]\nserve = true\n'
            for own in sets
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


def test_a_source_notifies_a_hub_and_a_copy_gets_what_changed(tmp_path: Path, site: Site) -> None:
    port = free_port()
    place = tmp_path / "hub"
    place.mkdir()
    hub = Hub(place, site, port)
    files = site.folder / "files"
    files.mkdir()
    published: dict[str, Any] = {"documents_uri": f"{site.base}source/", "hubs": [hub.uri], "topics_uri": f"{hub.uri}t/", "snapshot": "never"}
    header = {hub.uri.rstrip("/"): {"Authorization": f"Bearer {TOKEN}"}}

    def state(source: rs.Source, name: str, text: str) -> None:
        (place / "next").write_text(text)
        (place / "next").rename(files / name)
        source.upsert(rs.Resource.from_file(files / name, f"{site.base}files/{name}", algorithms=["sha-256"]))

    with running(hub.command, place, environment(), hub.uri):
        source = rs.Source(site.folder / "source", f"{site.base}files/", header=header, **published)
        state(source, "a", "a")
        assert source.publish().waiting == 0
        with listener(site.uri, [hub.uri, site.base], place, port) as copy:
            eventually("the first copy", lambda: copied(copy) == {"a": "a"})
            eventually("the subscriptions", lambda: hub.log.count("subscribed") >= 2)
            # The next run on the lists is due in an hour.
            state(source, "b", "b")
            assert source.publish().waiting == 0
            eventually("a notification is followed", lambda: copied(copy) == {"a": "a", "b": "b"})
            # Without its token the hub refuses it; what waits is sent by whoever has it.
            stranger = rs.Source(site.folder / "source", f"{site.base}files/", **published)
            state(stranger, "a", "two")
            refused = stranger.publish()
            assert refused.waiting > 0 and any("refused" in warning for warning in refused.warnings)
            words = ["notify", str(site.folder / "source"), "--token", f"{hub.uri.rstrip('/')}=env:HUB_TOKEN"]
            subprocess.run([sys.executable, "-m", "resourcesync", *words], env={**os.environ, "HUB_TOKEN": TOKEN}, check=True, capture_output=True)
            eventually("the next one is followed", lambda: copied(copy) == {"a": "two", "b": "b"})


def test_a_source_compares_all_records_with_the_hubs_of_earlier_publications(tmp_path: Path) -> None:
    folder, base = tmp_path / "public", "https://example.com/"
    records = [rs.Resource(f"{base}{number}", length=number) for number in range(3)]
    rs.publish(folder, base, records, hubs=["https://hub.example/"], notify="later", at="2024-05-01T00:00:00Z")
    with pytest.raises(rs.PublishError, match="hubs"):
        rs.publish(folder, base, records[:2])
    done = rs.Source(folder, base, notify="later").reconcile(records[:2], at="2024-05-02T00:00:00Z")
    assert (done.deleted, done.waiting) == (1, 2)
    assert f"{base}2" in (folder / "notifications" / "changes.xml").read_text()
    with pytest.raises(rs.ConfigError, match="header"):
        rs.publish(folder, base, records, hubs=["https://hub.example/"], header={"hub.example": {"Authorization": "Bearer x"}})


@contextmanager
def listener(uri: str, servers: Sequence[str], folder: Path, port: int) -> Generator[Path]:
    """``listen --direct``, which keeps a copy."""
    own = f"127.0.0.1:{port}"
    allowed = [word for server in servers for word in ("--allow-host", server.removeprefix("http://").rstrip("/"))]
    words = ["listen", uri, "--callback", f"http://{own}/rs/", "--listen", own, "--sync", "copy", "--direct", "--allow-http"]
    command = [sys.executable, "-m", "resourcesync", *words, *allowed, "--limit", "http_requests_per_second=0"]
    with running(command, folder, environment()):
        yield folder / "copy"


def copied(folder: Path) -> dict[str, str]:
    """The files of a copy, by name."""
    return {path.name: path.read_text() for path in folder.rglob("*") if path.is_file() and path.parent.name == "files"}


NOTIFIED = """
RESOURCESYNC |= {{
    "HUBS": [{hub!r}], "TOPICS_URI": {topics!r}, "SNAPSHOT": "never",
    "HEADER": {{{origin!r}: {{"Authorization": {token!r}}}}},
}}
ALLOWED_HOSTS = ["*"]
"""

SAVING = """
import sys
import django
django.setup()
from theses.models import Thesis
Thesis.objects.create(title=sys.argv[1], text=sys.argv[1])
"""


def test_django_notifies_a_hub_and_a_copy_gets_what_was_saved(tmp_path: Path, site: Site) -> None:
    pytest.importorskip("django")
    from test_django import project

    port, web = free_port(), free_port()
    place = tmp_path / "hub"
    place.mkdir()
    hub = Hub(place, site, port, sets=("theses/",))
    settings = NOTIFIED.format(hub=hub.uri, topics=f"{hub.uri}t/", origin=hub.uri.rstrip("/"), token=f"Bearer {TOKEN}")
    folder = project(tmp_path / "django", settings, base=f"http://127.0.0.1:{web}/")
    own = environment(PYTHONPATH=".", DJANGO_SETTINGS_MODULE="library.settings")
    manage = [sys.executable, "manage.py"]
    base = f"http://127.0.0.1:{web}/"

    def save(title: str) -> None:
        subprocess.run([sys.executable, "-c", SAVING, title], cwd=folder, env=own, check=True)

    save("first")
    subprocess.run([*manage, "resourcesync", "reconcile"], cwd=folder, env=own, check=True)
    server = [*manage, "runserver", "--noreload", f"127.0.0.1:{web}"]
    with (
        running(hub.command, place, environment(), hub.uri),
        running(server, folder, own, base),
        running([*manage, "resourcesync", "publish", "--watch"], folder, own),
        listener(f"{base}theses/capabilitylist.xml", [hub.uri, base], place, port) as copy,
    ):

        def held() -> set[str]:
            return {path.read_text() for path in copy.rglob("*") if path.is_file() and ".resourcesync" not in str(path)}

        eventually("the first copy", lambda: held() == {"first"})
        eventually("the subscriptions", lambda: hub.log.count("subscribed") >= 2)
        save("second")
        eventually("what was saved is in the copy", lambda: held() == {"first", "second"})
