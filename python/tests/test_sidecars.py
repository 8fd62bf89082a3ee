"""The recipes of docs/sidecars.md, run as they stand against PostgreSQL, nginx and Apache."""

from __future__ import annotations

import http.client
import http.server
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
import resourcesync as rs
from conftest import ROOT, serving
from platforms import Cluster, apache, environment, eventually, free_port, nginx, postgres, running

PAGE = (ROOT / "docs" / "sidecars.md").read_text("utf-8")
FILES = {name: text for name, text in re.findall(r"```\w+\n(?:#|--) ([\w.-]+)\n(.*?)```", PAGE, re.DOTALL)}
CONFIGURATIONS = dict(re.findall(r"```(nginx|apache)\n# resourcesync.conf\n(.*?)```", PAGE, re.DOTALL))
BASE = "https://repository.example/"

pytestmark = pytest.mark.skipif(not Path("/usr/lib/postgresql").exists(), reason="PostgreSQL is not installed")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cluster]:
    with postgres(tmp_path_factory.mktemp("postgres")) as found:
        yield found


@pytest.fixture
def platform(cluster: Cluster, tmp_path: Path) -> dict[str, str]:
    """The environment of a platform with a table of items."""
    own = environment(PGHOST=str(cluster.folder), PGUSER="postgres", PGDATABASE=cluster.database())
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    sql(own, "CREATE TABLE item (handle text PRIMARY KEY, changed timestamptz NOT NULL DEFAULT now(), withdrawn boolean NOT NULL DEFAULT false)")
    sql(own, "INSERT INTO item SELECT 'i' || n FROM generate_series(1, 30) AS n")
    return own


def sql(own: dict[str, str], text: str) -> str:
    done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text], env=own, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def listed(folder: Path) -> list[tuple[str | None, str]]:
    return [(entry.change, str(entry.uri).removeprefix(f"{BASE}items/")) for entry in rs.iter_entries(folder / "public" / "changelist.xml")]


def test_cron_and_a_query(platform: dict[str, str], tmp_path: Path) -> None:
    # The line for cron, whose shell is that of the system.
    (command,) = re.findall(r"```crontab\n(?:\S+ ){5}(.*)\n", PAGE)

    def publish() -> int:
        return subprocess.run(command.replace("/srv/resourcesync", str(tmp_path)), shell=True, env=platform, capture_output=True).returncode

    assert publish() == 0 and len(list(rs.iter_entries(tmp_path / "public" / "resourcelist.xml"))) == 30
    sql(platform, "UPDATE item SET withdrawn = true WHERE handle = 'i3'; INSERT INTO item VALUES ('new')")
    assert publish() == 0 and sorted(listed(tmp_path)) == [("created", "new"), ("deleted", "i3")]
    sql(platform, "UPDATE item SET withdrawn = true")
    assert publish() != 0 and len(listed(tmp_path)) == 2
    sql(platform, "DROP TABLE item")
    assert publish() != 0 and len(listed(tmp_path)) == 2
    assert rs.validate(tmp_path / "public").is_valid


def is_empty(own: dict[str, str]) -> bool:
    return not sql(own, "SELECT 1 FROM resourcesync_outbox LIMIT 1")


def test_a_table_is_not_published_after_changes_that_came_later(platform: dict[str, str], tmp_path: Path) -> None:
    sql(platform, FILES["outbox.sql"])
    subprocess.run(["bash", "publish.sh"], cwd=tmp_path, env=platform, check=True, capture_output=True)
    # The nightly script has read the table when a row comes that the service would publish.
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "resourcesync"
    waiting = "case $* in *items.csv*) touch read; while [ ! -e inserted ]; do sleep 0.05; done; sleep 2;; esac"
    slow.write_text(f'#!/bin/sh\n{waiting}\nexec {shutil.which("resourcesync", path=platform["PATH"])} "$@"\n')
    slow.chmod(0o755)
    nightly = subprocess.Popen(["bash", "publish.sh"], cwd=tmp_path, env={**platform, "PATH": f"{slow.parent}:{platform['PATH']}"}, stdout=subprocess.DEVNULL)
    kill = service("publish-changes.sh", tmp_path, platform)
    try:
        eventually("the table was read", (tmp_path / "read").exists)
        sql(platform, "INSERT INTO item VALUES ('new')")
        (tmp_path / "inserted").touch()
        eventually("the row is published", lambda: ("created", "new") in listed(tmp_path))
        assert nightly.wait(60) == 0 and ("deleted", "new") not in listed(tmp_path)
    finally:
        kill()


def test_a_platform_runs_a_command_for_each_change(platform: dict[str, str], tmp_path: Path) -> None:
    subprocess.run(["bash", "publish.sh"], cwd=tmp_path, env=platform, check=True, capture_output=True)
    changes = [("created", "new,comma"), ("updated", "i1"), ("deleted", "i2")]
    runs = [subprocess.Popen(["bash", "on-change.sh", change, f"{BASE}items/{handle}"], cwd=tmp_path, env=platform) for change, handle in changes]
    assert [each.wait(60) for each in runs] == [0, 0, 0]
    assert sorted(listed(tmp_path)) == sorted(changes) and rs.validate(tmp_path / "public").is_valid


def service(name: str, folder: Path, own: dict[str, str]) -> Callable[[], None]:
    """Starts a service, and returns what kills it."""
    process = subprocess.Popen(["bash", name], cwd=folder, env=own, start_new_session=True)

    def kill() -> None:
        os.killpg(process.pid, 9)
        process.wait()

    return kill


def test_a_trigger_wakes_a_publisher(platform: dict[str, str], tmp_path: Path) -> None:
    sql(platform, FILES["outbox.sql"])
    subprocess.run(["bash", "publish.sh"], cwd=tmp_path, env=platform, check=True, capture_output=True)
    kill = service("publish-changes.sh", tmp_path, platform)
    try:
        # What is in the outbox when the service starts is published without a notification, everything after it by one.
        sql(platform, "INSERT INTO item VALUES ('first')")
        eventually("the service has started", lambda: ("created", "first") in listed(tmp_path) and is_empty(platform))
        # Statements of many rows, other transactions, another handle, and what is rolled back.
        sql(platform, "UPDATE item SET changed = now() + interval '1 second' WHERE handle IN ('i1', 'i2')")
        eventually("a notification wakes the service", lambda: {("updated", "i1"), ("updated", "i2")} <= set(listed(tmp_path)) and is_empty(platform))
        sql(platform, "DELETE FROM item WHERE handle = 'i4'; UPDATE item SET handle = 'moved' WHERE handle = 'i5'")
        sql(platform, "BEGIN; INSERT INTO item VALUES ('never'); ROLLBACK")
        sql(platform, "UPDATE item SET withdrawn = true WHERE handle = 'i6'")
        expected = {("deleted", "i4"), ("deleted", "i5"), ("created", "moved"), ("deleted", "i6")}
        eventually("the changes are published", lambda: expected <= set(listed(tmp_path)) and is_empty(platform))
        assert "never" not in {uri for _, uri in listed(tmp_path)}
    finally:
        kill()
    # Nobody publishes; the next service does.
    sql(platform, "INSERT INTO item VALUES ('while nobody looked')".replace("while nobody looked", "late"))
    assert ("created", "late") not in listed(tmp_path)
    kill = service("publish-changes.sh", tmp_path, platform)
    try:
        eventually("what was missed is published", lambda: ("created", "late") in listed(tmp_path))
    finally:
        kill()
    assert rs.validate(tmp_path / "public").is_valid


def test_the_log_of_the_server_is_decoded(platform: dict[str, str], tmp_path: Path) -> None:
    sql(platform, "CREATE TABLE other (id int PRIMARY KEY, text text)")
    sql(platform, FILES["decoding.sql"])
    subprocess.run(["bash", "publish.sh"], cwd=tmp_path, env=platform, check=True, capture_output=True)

    def waiting() -> int:
        return int(sql(platform, "SELECT count(*) FROM pg_logical_slot_peek_changes('resourcesync', NULL, NULL, 'skip-empty-xacts', '1')"))

    kill = service("publish-decoded.sh", tmp_path, platform)
    try:
        # Statements of many rows, another handle, quotes, other tables that mention one, and what is rolled back.
        sql(platform, "UPDATE item SET changed = now() + interval '1 second' WHERE handle IN ('i1', 'i2')")
        sql(platform, "DELETE FROM item WHERE handle = 'i4'; UPDATE item SET handle = 'moved' WHERE handle = 'i5'; INSERT INTO item VALUES ('o''neil')")
        sql(platform, "BEGIN; INSERT INTO item VALUES ('never'); ROLLBACK")
        sql(platform, "INSERT INTO other VALUES (1, 'handle[text]:''i9'''); UPDATE item SET withdrawn = true WHERE handle = 'i6'")
        expected = {("updated", "i1"), ("updated", "i2"), ("deleted", "i4"), ("deleted", "i5"), ("created", "moved"), ("created", "o'neil"), ("deleted", "i6")}
        eventually("the changes are published", lambda: expected <= set(listed(tmp_path)))
        assert set(listed(tmp_path)) == expected
    finally:
        kill()
    # Nobody publishes; the next service does. What was published and not taken from the slot is published again, without harm.
    sql(platform, "INSERT INTO item VALUES ('late')")
    subprocess.run(["bash", "publish.sh"], cwd=tmp_path, env=platform, check=True, capture_output=True)
    sql(platform, "DELETE FROM item WHERE handle = 'i7'")
    eventually("the slot is free", lambda: sql(platform, "SELECT active FROM pg_replication_slots") == "f")
    assert waiting() > 0
    kill = service("publish-decoded.sh", tmp_path, platform)
    try:
        eventually("what was missed is published", lambda: ("deleted", "i7") in listed(tmp_path))
    finally:
        kill()
    assert listed(tmp_path).count(("created", "late")) == 1 and rs.validate(tmp_path / "public").is_valid


class Platform(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"the platform")

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def behind() -> Generator[int]:
    """The platform behind the web server."""
    with serving(Platform) as address:
        yield int(address.rpartition(":")[2])


@pytest.mark.parametrize("gzip", [False, True])
@pytest.mark.parametrize("name", ["nginx", "apache"])
def test_a_web_server_serves_the_documents_and_leaves_the_rest_to_the_platform(name: str, gzip: bool, tmp_path: Path, behind: int) -> None:
    program = {"nginx": "nginx", "apache": "apache2"}[name]
    if shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip(f"{program} is not installed")
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents:
        if str(parent).startswith("/tmp/pytest"):
            parent.chmod(0o755)
    port = free_port()
    base = f"http://127.0.0.1:{port}/"
    resources = [rs.Resource(f"{base}items/{n}") for n in range(100)]
    # Compressed documents in the folder of a set, or plain ones at the root.
    place = "theses/resourcelist.xml.gz" if gzip else "resourcelist.xml"
    rs.publish(tmp_path / "public", base, {"theses": resources} if gzip else resources, gzip=gzip)
    text = CONFIGURATIONS[name].replace("/srv/resourcesync", str(tmp_path)).replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("*:80>", f"127.0.0.1:{port}>")
    text = f"Listen 127.0.0.1:{port}\n{text}" if name == "apache" else text
    command = {"nginx": nginx, "apache": apache}[name](tmp_path, text)
    own = {**environment(), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    with running(command, tmp_path, own, base):

        def ask(path: str, **fields: str) -> tuple[int, dict[str, str], bytes]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", path, headers={field.replace("_", "-"): value for field, value in fields.items()})
            answer = connection.getresponse()
            return answer.status, {field.lower(): value for field, value in answer.getheaders()}, answer.read()

        status, fields, body = ask(f"/{place}")
        kind = "application/gzip" if gzip else "application/xml"
        assert (status, fields["content-type"], body) == (200, kind, (tmp_path / "public" / place).read_bytes())
        assert ask("/.well-known/resourcesync")[1]["content-type"] == "application/xml"
        assert ask("/about.html")[1]["content-type"].startswith("text/html")
        assert ask(f"/{place}", If_None_Match=fields["etag"])[0] == 304
        assert ask(f"/{place}", Range="bytes=0-4")[::2] == (206, body[:5])
        assert ask(f"/{place}", Accept_Encoding="gzip")[1].get("content-encoding") == (None if gzip else "gzip")
        assert ask("/items/1")[2] == b"the platform" == ask("/")[2] == ask("/.generation")[2] == ask("/theses/1")[2]
        assert rs.crawl(base, rs.HttpFetcher(allow=["127.0.0.1"])).is_valid


def test_the_units_are_understood_by_systemd(tmp_path: Path) -> None:
    units = [name for name in FILES if name.endswith((".service", ".timer"))]
    assert len(units) == 3
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    for name in units:
        (tmp_path / name).write_text(FILES[name])
    done = subprocess.run(["systemd-analyze", "verify", *(str(tmp_path / name) for name in units)], capture_output=True, text=True)
    assert "resourcesync" not in done.stderr, done.stderr


MOUNTS = """
set -eu
mkdir volume folder reader parent
publish() {
    { echo uri; for n in $(seq "$2"); do echo "https://repository.example/items/$n"; done; } > items.csv
    resourcesync build --quiet --from-csv items.csv --base-uri https://repository.example/ --out "$1"
}
mkdir folder/public
mount --bind volume folder/public
if publish folder/public 1 2> busy; then exit 1; fi
grep -q 'this folder is mounted' busy
umount folder/public
publish folder/public 1
mount --bind folder/public reader
mount --bind folder parent
publish folder/public 2
test ! -e reader/resourcelist.xml
test "$(grep -c '<url>' parent/public/resourcelist.xml)" = 2
"""


def test_containers_mount_the_folder_that_contains_the_published_one(tmp_path: Path) -> None:
    mounts = re.findall(r"- resourcesync:(\S+?)(?::ro)?\n", FILES["compose.yaml"])
    assert mounts == ["/srv/resourcesync"] * 2 and "PGHOST" in FILES["compose.yaml"] and "publish-changes.sh" in FILES["Containerfile"]
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        pytest.skip("only root can mount")
    done = subprocess.run(["unshare", "-m", "bash", "-c", MOUNTS], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
