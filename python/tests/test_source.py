"""Publishing single changes from threads, processes and tasks."""

from __future__ import annotations

import asyncio
import http.server
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
import resourcesync as rs

BASE = "https://example.com/"

#: Changes of each process; more in a long run.
CHANGES = int(os.environ.get("CHANGES", "150"))
PROCESSES = 8


def resource(name: object, length: int = 1) -> rs.Resource:
    return rs.Resource(f"{BASE}{name}", length=length)


def lists(folder: Path, name: str) -> list[Path]:
    """The documents of a list, in order: itself, or those that its index lists."""
    index = (folder / name).read_text()
    if "<sitemapindex" not in index:
        return [folder / name]
    return [folder / part for part in re.findall(rf"<loc>{BASE}([^<]+)</loc>", index)]


def changes(folder: Path) -> list[rs.Entry]:
    return [entry for path in lists(folder, "changelist.xml") for entry in rs.iter_entries(path)]


def held(folder: Path) -> dict[str, int | None]:
    """What a Destination has that copied the Resource List and followed the Change Lists."""
    start = re.search(r'at="([^"]+)"', (folder / "resourcelist.xml").read_text())
    assert start is not None
    at = rs.Datetime.parse(start[1])
    resources = lists(folder, "resourcelist.xml")
    copy = {str(entry.uri): entry.length for path in resources for entry in rs.iter_entries(path)}
    for entry in changes(folder):
        if entry.datetime is not None and entry.datetime <= at:
            continue
        if entry.change == "deleted":
            del copy[str(entry.uri)]
        else:
            assert (entry.change == "created") == (str(entry.uri) not in copy), entry
            copy[str(entry.uri)] = entry.length
    return copy


def test_changes_are_published_one_by_one(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    source = rs.Source(folder, BASE)
    assert not source.is_pending
    source.upsert(resource("a"))
    assert source.is_pending and not folder.exists()
    first = source.publish()
    assert (first.changed, first.resources, source.is_pending) == (True, 1, False)
    source.upsert(resource("a"))
    source.upsert(resource("b"))
    source.delete(f"{BASE}unknown")
    done = source.publish()
    assert (done.created, done.updated, done.deleted, done.unchanged, done.resources) == (1, 0, 0, 2, 2)
    assert done.written == ("changelist.xml",)
    assert [(change.change, change.uri) for change in done.changes] == [("created", f"{BASE}b")]
    again = source.publish()
    assert (again.changed, again.at) == (False, done.at)
    source.upsert(resource("a", 5))
    source.delete(f"{BASE}b")
    done = source.publish()
    assert (done.updated, done.deleted) == (1, 1)
    assert held(folder) == {f"{BASE}a": 5}
    assert list(rs.validate(folder)) == []


def test_an_event_has_the_time_at_which_it_was_stated(tmp_path: Path) -> None:
    source = rs.Source(tmp_path / "public", BASE)
    source.publish(at="2024-05-01T12:00:00Z")
    source.upsert(resource("a"), at="2024-05-01T12:30:00.250Z")
    source.upsert(resource("b"), at="2023-01-01T00:00:00Z")
    done = source.publish(at="2024-05-01T13:00:00Z")
    assert [change.datetime for change in done.changes] == ["2024-05-01T12:00:00.001Z", "2024-05-01T12:30:00.250Z"]
    assert done.clamped == 1


def test_a_batch_is_appended_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    source = rs.Source(tmp_path / "public", BASE)
    source.publish()
    with pytest.raises(KeyError), source.batch() as batch:
        batch.upsert(resource("a"))
        raise KeyError("database")
    assert not source.is_pending
    with source.batch() as batch:
        batch.upsert(resource("a"))
        batch.upsert(resource("b"))
        batch.delete(f"{BASE}a")
        assert not source.is_pending
    assert [change.uri for change in source.publish().changes] == [f"{BASE}b"]


def test_what_no_list_may_contain_is_not_appended(tmp_path: Path) -> None:
    source = rs.Source(tmp_path / "public", BASE)
    with pytest.raises(rs.RefusedError):
        source.upsert(rs.Resource("not a URI"))
    with pytest.raises(rs.PublishError, match="URI of a document"):
        source.delete(f"{BASE}changelist.xml")
    assert not source.is_pending
    source.upsert(resource("a"))
    with pytest.raises(rs.PublishError, match="set"):
        source.upsert(resource("a"), set="theses")
    source.publish()
    with pytest.raises(rs.PublishError, match="set"):
        rs.Source(tmp_path / "public", BASE).upsert(resource("a"), set="theses")
    with pytest.raises(rs.ConfigError, match="snapshot"):
        source.publish(snapshot="sometimes")


def test_a_snapshot_and_reconciliation_repair_what_events_missed(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    source = rs.Source(folder, BASE)
    records = [resource(number) for number in range(50)]
    source.reconcile(records)
    source.delete(f"{BASE}1")
    source.upsert(resource(2, 7))
    # What is stated before is not what events missed.
    done = source.reconcile([resource(0), resource(2, 7), *records[3:], resource("new")])
    assert (done.created, done.updated, done.deleted, done.resources) == (1, 0, 0, 50)
    assert not source.is_pending
    assert {str(entry.uri) for entry in rs.iter_entries(folder / "resourcelist.xml")} >= {f"{BASE}new"}
    source.upsert(resource("newer"))
    assert "newer" not in (folder / "resourcelist.xml").read_text()
    source.publish(snapshot="now")
    assert "newer" in (folder / "resourcelist.xml").read_text()
    assert list(rs.validate(folder)) == []


def test_what_happens_while_records_are_read_is_later_than_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    source = rs.Source(folder, BASE)
    for number in range(5):
        source.upsert(resource(number))
    source.publish()

    def rows() -> Generator[rs.Resource]:
        yield from (resource(number) for number in range(5))
        # As other workers do, after the query began.
        other = rs.Source(folder, BASE, wait=0)
        other.upsert(resource("new"))
        other.upsert(resource(3, 33))
        other.delete(f"{BASE}4")
        with pytest.raises(rs.PublishError, match="another run"):
            other.publish()

    compared = source.reconcile(rows())
    assert (compared.created, compared.updated, compared.deleted, source.is_pending) == (0, 0, 0, True)
    stated = source.publish()
    assert (stated.created, stated.updated, stated.deleted) == (1, 1, 1)

    def broken() -> Generator[rs.Resource]:
        yield resource(0)
        raise RuntimeError

    try:
        source.reconcile(broken())
    except RuntimeError:
        # The folder is not locked any more.
        assert not rs.Source(folder, BASE, wait=0).publish().changed

    async def later() -> AsyncGenerator[rs.Resource]:
        for number in (0, 1, 2, "new"):
            yield resource(number)
        yield resource(3, 33)
        source.upsert(resource("late"))

    done = asyncio.run(rs.apublish(folder, BASE, later()))
    assert (done.created, done.updated, done.deleted, done.resources) == (0, 0, 0, 5)
    assert source.publish().created == 1


def test_any_face_takes_the_journal(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    source = rs.Source(folder, BASE)
    source.publish()
    source.upsert(resource("a"))
    event = f'{{"change": "deleted", "uri": "{BASE}a"}}\n'
    command = [sys.executable, "-m", "resourcesync", "build", "--changes", "-", "--out", str(folder)]
    subprocess.run(command, input=event, text=True, check=True, capture_output=True)
    assert [entry.change for entry in changes(folder)] == ["created", "deleted"]
    source.upsert(resource("b"))
    assert rs.publish(folder, BASE, [resource("b")]).created == 0
    assert [entry.change for entry in changes(folder)] == ["created", "deleted", "created"]


def test_hubs_are_notified_of_each_publication(tmp_path: Path) -> None:
    with hub() as (uri, posts):
        source = rs.Source(tmp_path / "public", BASE, hubs=[uri])
        source.publish()
        source.upsert(resource("a"))
        assert source.publish().waiting == 0
        assert any(f"{BASE}a" in post for post in posts)
        before = len(posts)
        rs.Source(tmp_path / "public", BASE).delete(f"{BASE}a")
        # The hubs of earlier publications are notified, whoever publishes.
        assert rs.Source(tmp_path / "public", BASE).publish().waiting == 0
        assert len(posts) > before
        source.upsert(resource("b"))
        later = rs.Source(tmp_path / "public", BASE, notify="later").publish()
        assert later.waiting > 0
        source.publish()
        assert any(f"{BASE}b" in post for post in posts)


@contextmanager
def hub() -> Generator[tuple[str, list[str]]]:
    posts: list[str] = []

    class Hub(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posts.append(self.rfile.read(int(self.headers["content-length"])).decode())
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", posts
        server.shutdown()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("call", ["publish()", "reconcile([])"])
def test_waiting_for_another_process_ends_with_ctrl_c(tmp_path: Path, call: str) -> None:
    folder = tmp_path / "public"
    source = rs.Source(folder, BASE)
    program = f"import resourcesync as rs; source = rs.Source({str(folder)!r}, {BASE!r}, wait=600); print('waits', flush=True); source.{call}"

    def rows() -> Generator[rs.Resource]:
        other = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert other.stdout is not None and other.stdout.readline() == "waits\n"
        time.sleep(0.5)
        other.send_signal(signal.SIGINT)
        try:
            assert other.communicate(timeout=60)[1].endswith("KeyboardInterrupt\n")
        finally:
            other.kill()
        yield resource("a")

    assert source.reconcile(rows()).resources == 1


def test_tasks_publish_with_await(tmp_path: Path) -> None:
    async def main() -> rs.PublishedEvents:
        source = rs.AsyncSource(tmp_path / "public", BASE, rotate=100)
        await source.reconcile([resource("a")])
        await asyncio.gather(*(source.upsert(resource(number)) for number in range(10)))
        async with source.batch() as batch:
            batch.delete(f"{BASE}a")
        await source.delete(f"{BASE}0")
        return await source.publish()

    done = asyncio.run(main())
    assert (done.created, done.deleted, done.resources) == (9, 1, 9)


def test_threads_lose_nothing_and_list_nothing_twice(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    source = rs.Source(folder, BASE, wait=600)

    def work(worker: int) -> None:
        for number in range(30):
            source.upsert(resource(f"{worker}/{number}"))
            if number % 10 == 9:
                source.publish()

    workers = [threading.Thread(target=work, args=(worker,)) for worker in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert set(held(folder)) == {f"{BASE}{worker}/{number}" for worker in range(4) for number in range(30)}


#: A process that appends numbered resources from a start on, prints each number that was appended, and publishes now and then.
WORKER = """
import sys
import resourcesync as rs

folder, worker, start, count = sys.argv[1], *map(int, sys.argv[2:])
source = rs.Source(folder, "https://example.com/", rotate=500, wait=600)
for number in range(start, count):
    source.upsert(rs.Resource(f"https://example.com/{worker}/{number}", length=number))
    print(number, flush=True)
    if number % 25 == 24:
        source.publish()
source.publish()
"""


def test_processes_lose_nothing_and_list_nothing_twice_although_some_are_killed(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    rs.Source(folder, BASE, rotate=500).publish()

    def start(worker: int, first: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WORKER, str(folder), str(worker), str(first), str(CHANGES)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    workers = [start(worker, 0) for worker in range(PROCESSES)]
    for worker in (0, 1, 2):
        # Killed in the middle of anything, and continued after the last change that was appended for sure.
        out = workers[worker].stdout
        assert out is not None
        last = -1
        while last < CHANGES // 3 + worker:
            last = int(out.readline())
        time.sleep(0.01 * worker)
        workers[worker].send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        last = max([last, *(int(line) for line in out.read().splitlines(keepends=True) if line.endswith("\n"))])
        workers[worker].wait()
        workers.append(start(worker, last + 1))
    for process in workers[3:]:
        process.communicate(timeout=600)
        assert process.returncode == 0
    done = rs.Source(folder, BASE, rotate=500).publish()
    expected = {f"{BASE}{worker}/{number}": number for worker in range(PROCESSES) for number in range(CHANGES)}
    assert held(folder) == expected and done.resources == len(expected)
    listed = [str(entry.uri) for entry in changes(folder)]
    assert len(listed) == len(set(listed)) == len(expected), "each was created once"
    assert list(rs.validate(folder)) == []
